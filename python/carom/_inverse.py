"""Back from outcomes: derivatives to fields of a scenario, and parameters estimated from measurements."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Optional

import numpy as np

from ._library import WATCH, calling, check, ffi, lib, new_error, text, view
from ._scenario import Overrides, Scenario, Source


def _texts(pointer: Any, count: int) -> list[str]:
    return [text(pointer[i]) for i in range(count)]


# ---- Derivatives ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Spread:
    """What uncertain fields make of every quantity: arrays, one entry each."""

    first_order: np.ndarray
    mean: np.ndarray
    sampled: np.ndarray
    linear: np.ndarray
    samples: int
    unanswered: int


@dataclass(frozen=True)
class Sensitivity:
    """`derivative[i, j]` is that of quantity `of[i]` to field `to[j]`; `value` and `at` are theirs."""

    law: str
    of: list[str]
    to: list[str]
    value: np.ndarray
    at: np.ndarray
    derivative: np.ndarray
    exact: bool
    note: str
    uncertainty: Optional[Spread]


def _spread(table: Any) -> Optional[Spread]:
    if table.uncertain_count == 0:
        return None
    rows = [table.spread[i] for i in range(table.of_count)]
    return Spread(np.array([r.first_order for r in rows]), np.array([r.mean for r in rows]),
                  np.array([r.sampled for r in rows]), np.array([not r.disagrees for r in rows]),
                  table.samples, table.unanswered)


def sensitivity(scenario: Scenario, *, set: Overrides = None, law: Any = None) -> Sensitivity:
    """How quantities of an outcome change with fields of a scenario: `carom sensitivity`.

    `scenario` is a file, its text or a mapping, with a block `sensitivity`.

    >>> import carom
    >>> ball = {"chain": {"count": 1, "velocity": [2], "wall": {"side": "right", "restitution": 0.5}},
    ...         "sensitivity": {"of": ["velocity"], "to": ["chain.wall.restitution"]}}
    >>> round(carom.sensitivity(ball).derivative[0, 0], 6)
    -2.0
    """
    source = Source(scenario, set, law)
    made, error = ffi.new("crm_sensitivity **"), new_error()
    with calling() as call:
        status = lib.crm_sensitivity_solve(source.c, WATCH, made, error)
        call.ended(error.message)
    source.check(status, error)
    t = ffi.gc(made[0], lib.crm_sensitivity_free)
    shape = (t.of_count, t.to_count)
    return Sensitivity(text(t.law), _texts(t.of, t.of_count), _texts(t.to, t.to_count),
                       view(t, t.value, shape[:1]), view(t, t.at, shape[1:]), view(t, t.derivative, shape),
                       t.exact, text(t.note), _spread(t))


# ---- Parameters -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Parameter:
    name: str
    value: float
    uncertainty: float
    interval: tuple[float, float]
    determined: bool
    at_bound: bool


@dataclass(frozen=True)
class Residual:
    what: str
    measured: float
    uncertainty: float
    fitted: float
    deviation: float


@dataclass(frozen=True)
class Fit:
    """What was found: parameters by their names, and how well."""

    law: str
    parameters: dict[str, Parameter]
    correlation: np.ndarray
    residuals: list[Residual]
    chi2: float
    degrees_of_freedom: int
    converged: bool
    scatter: float
    notes: list[str]

    def __getitem__(self, name: str) -> Parameter:
        return self.parameters[name]


def _parameter(p: Any) -> Parameter:
    return Parameter(text(p.name), p.value, p.uncertainty, (p.interval[0], p.interval[1]), p.determined, p.at_bound)


def _residual(r: Any) -> Residual:
    return Residual(text(r.what), r.measured, r.uncertainty, r.fitted, r.deviation)


def fit(scenario: Scenario, *, set: Overrides = None, law: Any = None) -> Fit:
    """Parameters from what was measured: `carom fit`.

    `scenario` is a file, its text or a mapping, with a block `fit`.

    >>> import carom
    >>> ball = {"chain": {"count": 1, "velocity": [2], "wall": {"side": "right", "restitution": 0.5}},
    ...         "fit": {"parameters": {"chain.wall.restitution": {"from": 0, "to": 1}},
    ...                 "measured": [{"what": "velocity[1]", "value": -1.2, "uncertainty": 0.02}]}}
    >>> found = carom.fit(ball)["chain.wall.restitution"]
    >>> round(found.value, 6), round(found.uncertainty, 6)
    (0.6, 0.01)
    """
    source = Source(scenario, set, law)
    made, error = ffi.new("crm_fit **"), new_error()
    with calling() as call:
        status = lib.crm_fit_solve(source.c, WATCH, made, error)
        call.ended(error.message)
    source.check(status, error)
    f = ffi.gc(made[0], lib.crm_fit_free)
    n = f.parameter_count
    parameters = [_parameter(f.parameters[j]) for j in range(n)]
    return Fit(text(f.law), {p.name: p for p in parameters}, view(f, f.correlation, (n, n)),
               [_residual(f.residuals[i]) for i in range(f.residual_count)], f.chi2, f.degrees_of_freedom,
               f.converged, f.scatter, _texts(f.notes, f.note_count))
