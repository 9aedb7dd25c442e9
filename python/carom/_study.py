"""Parameter studies."""

from __future__ import annotations

from typing import Any, Iterator, Mapping, Optional, Sequence

import numpy as np

from . import _plot
from ._library import RESULT, WATCH, calling, check, ffi, lib, new_error, raise_pending, text, view
from ._scenario import Overrides, Scenario, Source, record_array, with_fields


class Sweep(Mapping[str, np.ndarray]):
    """The table of a study: arrays by the names of their columns, a row per point and law.

    Columns are those of `carom sweep`: point (from 1), the fields, law, status, the recorded
    quantities, reason.
    """

    def __init__(self, columns: Mapping[str, np.ndarray], fields: list[str], quantities: list[str]) -> None:
        self._columns = dict(columns)
        self.fields = fields
        self.quantities = quantities

    def __getitem__(self, name: str) -> np.ndarray:
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    @property
    def rows(self) -> int:
        return len(self._columns["point"])

    def to_dataframe(self) -> Any:
        """As a table of pandas."""
        import pandas

        return pandas.DataFrame(self._columns)

    def plot(self, x: Optional[str] = None, y: Optional[str] = None, ax: Any = None) -> Any:
        """A line per law: by default the first quantity over the first field; returns axes."""
        return _plot.study(self, x or self.fields[0], y or self.quantities[0], ax)

    def __repr__(self) -> str:
        return f"<carom.Sweep of {self.rows} rows: {', '.join(self._columns)}>"


def sweep(scenario: Scenario, *, grid: Optional[Mapping[str, Any]] = None, record: Optional[Sequence[str]] = None,
          set: Overrides = None, laws: Any = None, jobs: int = 0) -> Sweep:
    """Every point of a study by every law, on all cores: `carom sweep` with the table in memory.

    `scenario` is a file, its text or a mapping. `grid` stands for its sweep.grid: values by field.
    `record` are quantities ("energy_ratio", "velocity[1]"). The same bits for any number of jobs.

    >>> import carom
    >>> pair = {"laws": ["newton"], "chain": {"count": 2, "velocity": [1]}}
    >>> table = carom.sweep(pair, grid={"chain.restitution": [0, 0.5, 1]}, record=["velocity[2]"])
    >>> table["chain.restitution"], table["velocity[2]"]
    (array([0. , 0.5, 1. ]), array([0.5 , 0.75, 1.  ]))
    """
    overrides = _with_grid(set, grid)
    source = Source(scenario, overrides, laws)
    made, error = ffi.new("crm_study **"), new_error()
    names, count, alive = record_array(record)
    source.check(lib.crm_study_load(source.c, names, count, made, error), error)
    study = ffi.gc(made[0], lib.crm_study_free)
    table = ffi.gc(ffi.new("crm_study_table *"), lib.crm_study_table_free)
    with calling() as call:
        status = lib.crm_study_solve_all(study, jobs, WATCH, table, error)
        call.ended(error.message, *(table.reason[r] for r in range(table.rows)))
    raise_pending()
    check(status, error)
    return _read(study, table)


def _with_grid(set: Overrides, grid: Optional[Mapping[str, Any]]) -> Overrides:
    if grid is None:
        return set
    return with_fields(set, {"sweep.grid": {name: _values(values) for name, values in grid.items()}})


def _values(values: Any) -> Any:
    return values if isinstance(values, Mapping) else list(values)


def _read(study: Any, table: Any) -> Sweep:
    laws, points, rows = lib.crm_study_laws(study), lib.crm_study_points(study), table.rows
    columns: dict[str, np.ndarray] = {"point": np.repeat(np.arange(1, points + 1), laws)}
    fields = [text(lib.crm_study_field(study, k)) for k in range(lib.crm_study_fields(study))]
    for k, name in enumerate(fields):
        columns[name] = np.repeat(_field(study, k, points), laws)
    columns["law"] = np.tile(np.array([text(lib.crm_study_label(study, i)) for i in range(laws)], object), points)
    columns["status"] = np.array([RESULT[table.result[r]] for r in range(rows)], object)
    quantities = [text(lib.crm_study_quantity(study, k)) for k in range(table.quantities)]
    values = view(table, table.values, (rows, table.quantities))
    for k, name in enumerate(quantities):
        columns[name] = values[:, k].copy()
    columns["reason"] = np.array([text(table.reason[r]) for r in range(rows)], object)
    return Sweep(columns, fields, quantities)


def _field(study: Any, field: int, points: int) -> np.ndarray:
    if lib.crm_study_is_numeric(study, field):
        return np.array([lib.crm_study_number(study, p, field) for p in range(points)])
    word = ffi.new("char[]", 1024)
    values = []
    for p in range(points):
        lib.crm_study_value_text(study, p, field, word, 1024)
        values.append(text(word))
    return np.array(values, object)
