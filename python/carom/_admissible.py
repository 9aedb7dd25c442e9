"""What is possible at all: extremes of quantities over the outcomes that any law may give."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Iterable, Optional, Union

import numpy as np

from ._library import WATCH, calling, ffi, lib, new_error, text, view
from ._scenario import Overrides, Scenario, Source, with_fields

_KINDS = ("region", "single", "empty")


@dataclass(frozen=True)
class Range:
    """A quantity lies between `least` and `most`, infinite where nothing bounds it, nan where it is not determined.

    Both are attained, by the impulses and velocities given (None where there are none); nothing is beyond
    `least_bound` and `most_bound`.
    """

    what: str
    unit: Optional[str]
    least: float
    most: float
    least_bound: float
    most_bound: float
    least_impulse: Optional[np.ndarray]
    most_impulse: Optional[np.ndarray]
    least_velocity: Optional[np.ndarray]
    most_velocity: Optional[np.ndarray]


@dataclass(frozen=True)
class Placed:
    """Where a law's outcome is: `inside` is None where it has no answer, for the `reason`; `values` are of the quantities."""

    label: str
    inside: Optional[bool]
    distance: float
    reason: str
    values: np.ndarray


@dataclass(frozen=True)
class Admissible:
    """`kind` is "region", "single" (one outcome only) or "empty"; `pinched` contacts have unbounded impulses."""

    kind: str
    pinched: int
    quantities: list[Range]
    outcomes: list[Placed]

    def __getitem__(self, what: str) -> Range:
        for quantity in self.quantities:
            if quantity.what == what:
                return quantity
        raise KeyError(what)


def _array(table: Any, pointer: Any, count: int) -> Optional[np.ndarray]:
    return view(table, pointer, (count,)) if pointer != ffi.NULL else None


def _range(table: Any, r: Any) -> Range:
    n, s = table.coordinates, table.contacts
    return Range(text(r.what), text(r.unit) if r.unit != ffi.NULL else None, r.least.value, r.most.value, r.least.bound,
                 r.most.bound, _array(table, r.least_impulse, s), _array(table, r.most_impulse, s),
                 _array(table, r.least_velocity, n), _array(table, r.most_velocity, n))


def _placed(table: Any, o: Any) -> Placed:
    return Placed(text(o.label), bool(o.inside) if o.judged else None, o.distance, text(o.reason),
                  view(table, o.values, (table.range_count,)))


def admissible(scenario: Scenario, of: Optional[Union[str, Iterable[str]]] = None, *, set: Overrides = None,
               law: Any = None) -> Admissible:
    """The least and greatest values of quantities over all outcomes that any law may give: `carom admissible`.

    `scenario` is a file, its text or a mapping; `of` names the quantities, else its block `admissible`, else they are
    all velocities and the energy ratio.

    >>> import carom
    >>> possible = carom.admissible({"chain": {"count": 3, "velocity": [1]}}, of="velocity[3]")
    >>> possible["velocity[3]"].most.__round__(6)
    1.0
    """
    if of is not None:
        set = with_fields(set, {"admissible": {"of": [of] if isinstance(of, str) else list(of)}})
    source = Source(scenario, set, law)
    made, error = ffi.new("crm_admissible_table **"), new_error()
    with calling() as call:
        status = lib.crm_admissible_solve(source.c, WATCH, made, error)
        call.ended(error.message)
    source.check(status, error)
    t = ffi.gc(made[0], lib.crm_admissible_table_free)
    return Admissible(_KINDS[t.kind], t.pinched, [_range(t, t.ranges[i]) for i in range(t.range_count)],
                      [_placed(t, t.outcomes[i]) for i in range(t.outcome_count)])
