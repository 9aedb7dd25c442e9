"""A Lagrangian system in arrays, as C takes it: what can be borrowed is not copied."""

from __future__ import annotations

from typing import Any, Sequence

import numpy as np

from ._contact import is_rule, rules
from ._library import Error, doubles, ffi, numbers, per_contact, pointer

# Of contacts: names in Python, and in C.
NUMBERS = {"stiffness": "stiffness", "exponent": "exponent", "restitution": "restitution", "energy": "stored_energy",
           "boundary_velocity": "boundary_velocity", "force": "force"}


def _sparse(matrix: Any, alive: list) -> Any:
    """A matrix of scipy.sparse as C sees it: values and, where they have 32 bits, rows are borrowed."""
    csc = matrix.tocsc()
    if not csc.has_canonical_format:
        csc = csc.copy()
        csc.sum_duplicates()
    start = csc.indptr.astype(np.uintp)
    rows = np.ascontiguousarray(csc.indices).astype(np.int32, copy=False)
    values = doubles(csc.data, "the values")
    c = ffi.new("crm_sparse_view *")
    c.column_start = ffi.from_buffer("size_t[]", start)
    c.row = ffi.from_buffer("uint32_t[]", rows)
    c.value = ffi.from_buffer("double[]", values)
    alive += [start, rows, values, c]
    return c


def is_sparse(matrix: Any) -> bool:
    return hasattr(matrix, "tocsc")


def check_w(shape: tuple, n: int) -> None:
    if len(shape) == 2 and shape[0] == n:
        return
    hint = "; it looks transposed: pass W.T" if len(shape) == 2 and shape[1] == n else ""
    raise Error("argument", "W", f"W has shape {shape}; must have {n} rows, one per coordinate, and a column per "
                                 f"contact{hint}")


def _set_mass(d: Any, M: Any, n: int, alive: list) -> None:
    if M is None:
        return
    if is_sparse(M):
        if M.shape != (n, n):
            raise Error("argument", "M", f"M has shape {M.shape}; must be {(n, n)}")
        d.mass_sparse = _sparse(M, alive)
        return
    array = doubles(M, "M")
    if array.ndim == 0:
        array = np.full(n, float(array))
    if array.shape not in ((n,), (n, n)):
        raise Error("argument", "M", f"M has shape {array.shape}; must be {(n, n)}, or {(n,)} for a diagonal")
    alive.append(array)
    if array.ndim == 1:
        d.mass_diagonal = pointer(array)
    else:
        d.mass_dense = pointer(array)


def _set_w(d: Any, W: Any, n: int, alive: list) -> None:
    if W is None:
        return
    if is_sparse(W):
        check_w(W.shape, n)
        d.w_sparse = _sparse(W, alive)
        d.contacts = W.shape[1]
        return
    array = numbers(W, "W")
    if array.ndim == 1 and len(array) == n:
        array = array.reshape(n, 1)
    check_w(array.shape, n)
    # Contact after contact: a W in Fortran's order is borrowed.
    columns = np.ascontiguousarray(array.T)
    alive.append(columns)
    d.contacts = array.shape[1]
    d.w_dense = pointer(columns)


def _tangents(T: Any, n: int, contacts: int) -> tuple[Any, int]:
    """T with a column per tangent, contact after contact, and how many each contact has."""
    if is_sparse(T):
        columns = T
    else:
        array = numbers(T, "T")
        if array.ndim == 1 and contacts == 1:
            array = array.reshape(n, 1)
        columns = array.reshape(n, -1) if array.ndim == 3 and len(array) == n else array
    each = columns.shape[1] // contacts if len(columns.shape) == 2 and contacts > 0 else 0
    shape = T.shape if is_sparse(T) else np.shape(T)
    if len(columns.shape) != 2 or columns.shape[0] != n or each not in (1, 2) or columns.shape[1] != each * contacts:
        raise Error("argument", "T", f"T has shape {shape}; must be ({n}, {contacts}) in the plane, and in space "
                                     f"({n}, {contacts}, 2), or ({n}, {2 * contacts}) with the two tangents of each "
                                     "contact side by side")
    return columns, each


def set_friction(d: Any, T: Any, friction: Any, tangential_velocity: Any, n: int, alive: list) -> None:
    contacts = int(d.contacts)
    mu = per_contact(friction, "friction", contacts)
    if mu is not None:
        alive.append(mu)
        d.friction = pointer(mu)
    if T is None:
        if tangential_velocity is not None:
            raise Error("argument", "tangential_velocity", "tangential_velocity is given without T")
        return
    columns, each = _tangents(T, n, contacts)
    d.tangents = each
    if is_sparse(columns):
        d.t_sparse = _sparse(columns, alive)
    else:
        dense = np.ascontiguousarray(columns.T)
        alive.append(dense)
        d.t_dense = pointer(dense)
    if tangential_velocity is not None:
        slip = doubles(tangential_velocity, "tangential_velocity")
        if slip.size not in (1, contacts * each):
            raise Error("argument", "tangential_velocity",
                        f"tangential_velocity has shape {slip.shape}; must be a number, or one per tangent: "
                        f"{(contacts,) if each == 1 else (contacts, each)}")
        slip = np.ascontiguousarray(np.broadcast_to(slip.reshape(-1), (contacts * each,)))
        alive.append(slip)
        d.tangential_velocity = pointer(slip)


def set_rules(d: Any, data: dict, contacts: int, alive: list) -> dict:
    """Curves and rules into *d; returns the numbers that are left."""
    curves = {name: data.get(name) for name in ("loading", "unloading")}
    restitution = data.get("restitution")
    left = {name: value for name, value in data.items() if name not in curves}
    if is_rule(restitution):
        curves["restitution"] = restitution
    if any(value is not None for value in curves.values()):
        d.compliance, numbers_, kept = rules(curves, contacts)
        alive += kept
        if "restitution" in curves:
            left["restitution"] = numbers_
    return left


def definition(M: Any, W: Any, n: int, contacts: int, data: dict) -> tuple[Any, list]:
    """Of a system with contact data by their names in Python; and what must live as long as its model."""
    alive: list[Any] = []
    d = ffi.new("crm_system_def *")
    d.coordinates, d.contacts = n, contacts
    _set_mass(d, M, n, alive)
    _set_w(d, W, n, alive)
    for name, value in set_rules(d, data, d.contacts, alive).items():
        array = per_contact(value, name, d.contacts)
        alive.append(array)
        setattr(d, NUMBERS[name], pointer(array))
    return d, alive


def size_of(M: Any, W: Any) -> int:
    """n, from M or, where M is a number, from W."""
    shape = M.shape if is_sparse(M) else np.shape(doubles(M, "M"))
    if len(shape) == 0:
        shape = np.shape(W)
    if len(shape) == 0:
        raise Error("argument", "M", "M and W are numbers; W must have a row per coordinate and a column per contact")
    return shape[0]


def c_words(names: Sequence[str], what: str, count: int, each: str, alive: list) -> Any:
    if len(names) != count:
        raise Error("argument", what, f"{what} has {len(names)} entries; must have {count}, one per {each}")
    words = [ffi.new("char[]", name.encode()) for name in names]
    alive += [words, ffi.new("char *[]", words)]
    return alive[-1]
