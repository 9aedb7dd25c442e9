"""Coulomb's law on impulses, for a D and q of one's own."""

from __future__ import annotations

from typing import Any, NamedTuple, Optional

import numpy as np

from ._definition import _sparse, is_sparse
from ._library import Error, check, doubles, ffi, lib, new_error, new_watch, per_contact, pointer, text, vector


class Coulomb(NamedTuple):
    """What `carom.coulomb` found.

    ``impulse`` and ``velocity`` have a row per contact: normal, then tangents. ``status`` is "solved",
    "not_terminated" (``impulse`` is the best that was found) or "infeasible" (it is a d in the cones with
    D d = 0 and q'd < 0). ``unique`` is True where it is proved, False where another answer was found, else None.
    """

    impulse: np.ndarray
    velocity: np.ndarray
    residual: float
    status: str
    unique: Optional[bool]
    iterations: int


def _columns(D: Any, alive: list) -> tuple[Any, int]:
    """D as C sees it, and its size."""
    shape = np.shape(D)
    if len(shape) != 2 or shape[0] != shape[1]:
        raise Error("argument", "D", f"D has shape {shape}; must be square, with a row per component of q")
    size = shape[0]
    if is_sparse(D):
        return _sparse(D, alive), size
    values = doubles(np.asarray(D).T, "D")
    start = np.arange(0, size * size + 1, max(size, 1), dtype=np.uintp)[: size + 1]
    rows = np.tile(np.arange(size, dtype=np.uint32), size)
    c = ffi.new("crm_sparse_view *")
    c.column_start = ffi.from_buffer("size_t[]", start)
    c.row = ffi.from_buffer("uint32_t[]", rows)
    c.value = pointer(values)
    alive += [values, start, rows, c]
    return c, size


def coulomb(D: Any, q: Any, mu: Any, dim: int = 3, *, start: Any = None, tolerance: float = 1e-12,
            max_seconds: float = 0) -> Coulomb:
    """Solve u = D r + q with Coulomb's law at each contact.

    r_n >= 0, u_n >= 0, r_n u_n = 0, |r_t| <= mu r_n, and r_t = -mu r_n u_t/|u_t| where it slips. `dim` is the
    number of components of a contact, the normal first: 2 or 3. D is dense or of scipy.sparse, and used as it
    is given; mu is a number or one per contact. `start` is an r to start from; where there are several answers
    it decides which is found. ``residual`` is the natural map's, |r - P(r - u - mu |u_t| n)| / |q|.

    >>> import carom
    >>> out = carom.coulomb([[2.5, -1.5], [-1.5, 2.5]], [-2, 0.6], 0.5, dim=2)
    >>> out.status, out.impulse.round(12).tolist()
    ('solved', [[1.025, 0.375]])
    """
    if dim not in (2, 3):
        raise Error("argument", "dim", f"dim is {dim}, must be 2 or 3")
    alive: list[Any] = []
    view, size = _columns(D, alive)
    if size % dim:
        raise Error("argument", "D", f"D has {size} rows; must have {dim} per contact")
    speeds = vector(np.ravel(doubles(q, "q")), "q", size, "row of D")
    friction = per_contact(mu, "mu", size // dim)
    if friction is None:
        raise Error("argument", "mu", "mu is missing")
    options, info = ffi.new("crm_coulomb_options *"), ffi.new("crm_coulomb_info *")
    options[0] = lib.crm_coulomb_options_default()
    options.tolerance, options.check_unique = tolerance, True
    options.warm_start = start is not None
    watch = new_watch(max_seconds)
    options.watch = watch
    impulse, velocity = np.zeros(size), np.zeros(size)
    if start is not None:
        impulse[:] = vector(np.ravel(doubles(start, "start")), "start", size, "row of D")
    made, error = ffi.new("crm_coulomb **"), new_error()
    check(lib.crm_coulomb_create(size // dim, dim, view, made, error), error)
    solver = ffi.gc(made[0], lib.crm_coulomb_free)
    check(lib.crm_coulomb_solve(solver, pointer(speeds), pointer(friction), options, pointer(impulse),
                                pointer(velocity), info, error), error)
    unique = {lib.CRM_COULOMB_UNIQUE: True, lib.CRM_COULOMB_NOT_UNIQUE: False}.get(info.unique)
    return Coulomb(impulse.reshape(-1, dim), velocity.reshape(-1, dim), info.residual,
                   text(lib.crm_coulomb_result_text(info.result)), unique, info.iterations)


Coulomb.__module__ = coulomb.__module__ = "carom"  # where people find them
