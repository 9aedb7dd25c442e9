"""Many impacts at once, on all cores."""

from __future__ import annotations

from typing import Any, Optional

import numpy as np

from ._definition import NUMBERS, check_w, is_sparse, set_rules
from ._laws import Settings, find_law, law_of, refuse_unknown, settings_for
from ._library import (RESULT, STATUS, WATCH, Error, calling, doubles, fail, ffi, lib, new_error, pointer, raise_pending,
                       vector)
from ._model import LawLike, Model, system

_ITEM = np.dtype({
    "names": [name for name, _ in ffi.typeof("crm_batch_item").fields],
    "formats": ["?" if f.type.cname == "_Bool" else "<f8" if f.type.cname == "double" else f"<u{ffi.sizeof(f.type)}"
                for _, f in ffi.typeof("crm_batch_item").fields],
    "offsets": [f.offset for _, f in ffi.typeof("crm_batch_item").fields],
    "itemsize": ffi.sizeof("crm_batch_item")})


class Batch:
    """The answers to many impacts, row i of every array being system i.

    `velocity` and `impulse` are two-dimensional; `energy_before`, `energy_after`, `duration`,
    `error_estimate`, `steps`, `kinematic`, `kinetic`, `energetic`, `unique`, `tail_closed` have one
    entry per system. A system that could not be solved has nan, and `error` is that of the first.
    """

    def __init__(self, velocity: np.ndarray, impulse: np.ndarray, items: np.ndarray, error: Optional[Error]) -> None:
        self.velocity = velocity
        self.impulse = impulse
        self.items = items
        self.error = error

    def __getattr__(self, name: str) -> np.ndarray:
        if name.startswith("_") or name not in (_ITEM.names or ()) or name in ("status", "result"):
            raise AttributeError(f"a batch has no '{name}'")
        return self.items[name]

    @property
    def status(self) -> np.ndarray:
        """Of every system: "solved", "not_terminated", "infeasible", "failed", or why it was refused."""
        refused = self.items["status"] != lib.CRM_OK
        return np.where(refused, np.array(STATUS)[self.items["status"]], np.array(RESULT)[self.items["result"]])

    def __len__(self) -> int:
        return len(self.items)

    def __repr__(self) -> str:
        solved = int(np.sum(self.status == "solved"))
        return f"<carom.Batch: {solved} of {len(self)} solved>"


def _run(definition: Any, settings: Settings, velocities: np.ndarray, s: int, threads: int, lanes: bool,
         strict: bool) -> Batch:
    count = len(velocities)
    after, impulse, items = np.empty_like(velocities), np.empty((count, s)), np.zeros(count, _ITEM)
    d, error = definition, new_error()
    d.count, d.velocities, d.settings = count, pointer(velocities), settings.c
    d.threads, d.in_lanes, d.watch = threads, lanes, WATCH
    results = ffi.new("crm_batch_results *")
    results.velocities, results.impulses = pointer(after), pointer(impulse)
    results.items = ffi.from_buffer("crm_batch_item[]", items)
    with calling() as call:
        status = lib.crm_solve_batch(d, results, error)
        call.ended(error.message)
    raise_pending()
    refusal = None
    if status != lib.CRM_OK:
        try:
            fail(error)
        except Error as raised:
            refusal = raised
            if strict or status in (lib.CRM_ERROR_ARGUMENT, lib.CRM_ERROR_MEMORY) and not np.any(items["status"]):
                raise
    return Batch(after, impulse, items, refusal)


def _rows(v: Any, n: int) -> np.ndarray:
    array = doubles(v, "v")
    if array.ndim != 2 or array.shape[1] != n:
        raise Error("argument", "v", f"v has shape {array.shape}; must have a row per system, of {n} velocities")
    return array


def solve_model(model: Model, v: Any, law: Optional[LawLike] = None, *, threads: int = 0, lanes: bool = False,
                strict: bool = True, **options: Any) -> Batch:
    settings = model._settings(law, options, solve_model)[1]
    d = ffi.new("crm_batch_def *")
    d.model = model._c
    return _run(d, settings, _rows(v, model.coordinates), model.contacts, threads, lanes, strict)


def solve_batch(M: Any, W: Any, v: Any, law: LawLike = "lzb", *, stiffness: Any = None, exponent: Any = None,
                restitution: Any = None, energy: Any = None, force: Any = None, loading: Any = None,
                unloading: Any = None, boundary_velocity: Any = None, threads: int = 0, lanes: bool = False,
                strict: bool = True, **options: Any) -> Batch:
    """Many independent impacts by one law, on all cores.

    `v` has a row per system. M and W are those of all systems, as `system` takes them, or have one
    axis more, with an entry per system: M (N, n) for diagonals or (N, n, n) with a W (N, n, s). So may the
    contact data that are numbers: (s,) for all systems, (N, s) for each; curves and rules (`system`)
    are those of all systems. `threads` 0 is one per processor; the bits do
    not depend on it. `lanes` computes several small systems by lzb side by side, four to five times
    faster, to the tolerance instead of the same bits. Unless `strict`, a system that is refused does not
    raise: its rows are nan.

    >>> import carom, numpy as np
    >>> speeds = np.linspace(1, 2, 5)
    >>> v = np.column_stack([speeds, np.zeros(5)])
    >>> carom.solve_batch([1, 1], [[-1], [1]], v, "newton", restitution=0.5).velocity[:, 1]
    array([0.75  , 0.9375, 1.125 , 1.3125, 1.5   ])
    """
    data = dict(stiffness=stiffness, exponent=exponent, restitution=restitution, energy=energy, force=force,
                loading=loading, unloading=unloading, boundary_velocity=boundary_velocity)
    name, chosen = law_of(law, options)
    if chosen:
        refuse_unknown(find_law(name), chosen, solve_batch)
    one_model = is_sparse(W) or (np.ndim(W) <= 2 and all(np.ndim(x) < 2 for x in data.values() if x is not None))
    if one_model:
        model = system(M, W, **data)
        return solve_model(model, v, name, threads=threads, lanes=lanes, strict=strict, **chosen)
    return _solve_many(M, W, v, name, data, threads, lanes, strict, chosen)


def _solve_many(M: Any, W: Any, v: Any, law: Any, data: dict, threads: int, lanes: bool, strict: bool,
                options: Any) -> Batch:
    rows = doubles(v, "v")
    if rows.ndim != 2:
        raise Error("argument", "v", f"v has shape {rows.shape}; must have a row per system")
    count, n = rows.shape
    d, by = ffi.new("crm_system_def *"), ffi.new("crmpy_strides *")
    alive: list[Any] = []
    d.coordinates = n
    s = _set_many_w(d, by, W, count, n, alive)
    _set_many_mass(d, by, M, count, n, alive)
    for name, value in set_rules(d, data, s, alive).items():
        if value is not None:
            _set_many_data(d, by, name, value, count, s, alive)
    models, failed, error = ffi.new("crm_model *[]", max(count, 1)), ffi.new("size_t *"), new_error()
    if lib.crmpy_models_create(count, d, by[0], models, failed, error) != lib.CRM_OK:
        place = f"systems[{failed[0] + 1}]." + ffi.string(error.place).decode()
        raise Error(STATUS[error.status], place, ffi.string(error.message).decode())
    try:
        batch = ffi.new("crm_batch_def *")
        batch.models = models
        return _run(batch, settings_for(law, options, s), rows, s, threads, lanes, strict)
    finally:
        lib.crmpy_models_free(count, models)


def _set_many_w(d: Any, by: Any, W: Any, count: int, n: int, alive: list) -> int:
    array = doubles(W, "W")
    if array.ndim == 3 and len(array) != count:
        raise Error("argument", "W", f"W is of {len(array)} systems, and v of {count}")
    check_w(array.shape[-2:], n)
    columns = np.ascontiguousarray(np.swapaxes(array, -1, -2))
    alive.append(columns)
    d.contacts, d.w_dense = array.shape[-1], pointer(columns)
    by.w = columns[0].size if array.ndim == 3 else 0
    return array.shape[-1]


def _set_many_mass(d: Any, by: Any, M: Any, count: int, n: int, alive: list) -> None:
    array = doubles(M, "M")
    if array.ndim == 0:
        array = np.full(n, float(array))
    alive.append(array)
    shapes = {(n,): ("mass_diagonal", 0), (count, n): ("mass_diagonal", n), (count, n, n): ("mass_dense", n * n)}
    if array.shape == (n, n) and count != n:
        shapes[(n, n)] = ("mass_dense", 0)
    if array.shape not in shapes:
        raise Error("argument", "M", f"M has shape {array.shape}; must be {(count, n, n)}, {(count, n)} or {(n,)}")
    field, by.mass = shapes[array.shape]
    setattr(d, field, pointer(array))


def _set_many_data(d: Any, by: Any, name: str, value: Any, count: int, s: int, alive: list) -> None:
    array = doubles(value, name)
    if array.ndim == 2:
        if array.shape != (count, s):
            raise Error("argument", name, f"{name} has shape {array.shape}; must be {(count, s)} or {(s,)}")
        setattr(by, NUMBERS[name], s)
    elif array.ndim == 0:
        array = np.full(s, float(array))
    else:
        array = vector(array, name, s, "contact")
    alive.append(array)
    setattr(d, NUMBERS[name], pointer(array))
