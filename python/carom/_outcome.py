"""What laws answer: outcomes, several side by side, and histories."""

from __future__ import annotations

import json
from html import escape
from typing import Any, Iterator, Optional, Sequence

import numpy as np

from . import _plot
from ._laws import Settings
from ._library import RESULT, check, ffi, lib, new_error, text, view

_FORMS = {"table": lib.CRM_REPORT_TABLE, "json": lib.CRM_REPORT_JSON, "csv": lib.CRM_REPORT_CSV}


_PATH = ("slip", "stick", "reversed", "jam")  # bits of crm_path


def _array(name: str, size: str, kind: str, words: str) -> Any:
    def get(self: "Outcome") -> Optional[np.ndarray]:
        found = self._views.get(name)
        if found is None and self._c is not None:
            pointer = getattr(self._c, name)
            if pointer != ffi.NULL:
                found = self._views[name] = view(self._c, pointer, (getattr(self._c, size),), kind)
        return found

    get.__doc__ = words
    return property(get)


def _scalar(name: str, missing: Any, words: str) -> Any:
    def get(self: "Outcome") -> Any:
        return getattr(self._c, name) if self._c is not None else missing

    get.__doc__ = words
    return property(get)


class Outcome:
    """One law's answer to one impact.

    Arrays are views of the library's memory, read-only; what the law does not define is None, of
    numbers nan. Everything else that the program prints (`dispersion`, `forward`, `energy_ratio`, ...)
    is an attribute, too. Prints as the program's table.

    >>> import carom
    >>> out = carom.chain(count=2, velocity=[1], restitution=0.5).solve(law="newton")
    >>> out.velocity
    array([0.25, 0.75])
    >>> out.status, out.energetic, out.energy_ratio
    ('solved', True, 0.625)
    """

    def __init__(self, c: Any, model: Any, before: np.ndarray, settings: Settings, label: str,
                 history: "Optional[History]" = None, reason: str = "") -> None:
        self._c = c
        self._reason = reason
        self._views: dict[str, np.ndarray] = {}
        self.model = model
        self.velocity_before = before
        self.law = settings.law.name
        self.label = label
        self.history = history
        self._settings = settings
        self._measures: Optional[dict[str, Any]] = None
        self._first: Optional[Outcome] = None  # of the comparison that it belongs to

    velocity = _array("velocity", "coordinates", "<f8", "v⁺, one per coordinate.")
    impulse = _array("impulse", "contacts", "<f8", "p, one per contact.")
    gap_velocity = _array("gap_velocity", "contacts", "<f8", "u⁺, one per contact; negative: it still closes.")
    loss = _array("loss", "contacts", "<f8", "Energy that each contact dissipated.")
    peak_force = _array("peak_force", "contacts", "<f8", "Largest force of each contact, or None.")
    contact_duration = _array("contact_duration", "contacts", "<f8", "Time in contact, or None.")
    contact_restitution = _array("contact_restitution", "contacts", "<f8",
                                 "e of the last compressions where it is an outcome, or None.")
    compressions = _array("compressions", "contacts", "<u4", "How often each contact was compressed, or None.")
    loss_friction = _array("loss_friction", "contacts", "<f8", "Of loss, that by friction; None without friction.")
    unique_unknown = _scalar("unique_unknown", False, "unique is False, but no other answer was found.")
    tangential_unique = _scalar("tangential_unique", False, "The law determines each tangential impulse.")
    energy_held = _scalar("energy_held", 0.0, "In contacts that friction holds closed.")
    energy_before = _scalar("energy_before", np.nan, "Kinetic energy before.")
    energy_after = _scalar("energy_after", np.nan, "Kinetic energy after.")
    stored_before = _scalar("stored_before", np.nan, "Energy stored in the contacts before.")
    boundary_work = _scalar("boundary_work", np.nan, "Work of moving walls.")
    energy_error = _scalar("energy_error", np.nan, "Of the integration, relative.")
    duration = _scalar("duration", np.nan, "From first touch to last opening.")
    error_estimate = _scalar("error_estimate", np.nan, "Of v⁺, relative to the incoming speed.")
    steps = _scalar("steps", 0, "Of the solver.")
    kinematic = _scalar("kinematic", False, "No contact still closes.")
    kinetic = _scalar("kinetic", False, "No contact pulls.")
    energetic = _scalar("energetic", False, "No energy is created.")
    unique = _scalar("unique", False, "The law determines p.")
    tail_closed = _scalar("tail_closed", False, "An endless tail was truncated.")

    def _tangential(self, name: str) -> Optional[np.ndarray]:
        if self._c is None or getattr(self._c, name) == ffi.NULL:
            return None
        s, each = self._c.contacts, self._c.tangents
        return view(self._c, getattr(self._c, name), (s,) if each == 1 else (s, each))

    @property
    def tangential_impulse(self) -> Optional[np.ndarray]:
        """Q, one per contact, in space two: (s, 2). None without friction, and where only what all of them
        do together is determined (`tangential_unique`)."""
        return self._tangential("tangential_impulse") if self.tangential_unique else None

    @property
    def slip_velocity(self) -> Optional[np.ndarray]:
        """u_t⁺, one per contact, in space two; None without friction."""
        return self._tangential("slip_velocity")

    @property
    def loss_restitution(self) -> Optional[np.ndarray]:
        """Of loss, what is not by friction; None without friction."""
        return None if self.loss_friction is None else self.loss - self.loss_friction

    @property
    def path(self) -> Optional[list[list[str]]]:
        """What each contact did, of "slip", "stick", "reversed" and "jam"; None: the law does not know."""
        if self._c is None or self._c.path == ffi.NULL:
            return None
        return [[word for k, word in enumerate(_PATH) if self._c.path[j] >> k & 1]
                for j in range(self._c.contacts)]

    @property
    def status(self) -> str:
        """"solved", "not_terminated", "infeasible" or "failed"."""
        return RESULT[self._c.result] if self._c is not None else "failed"

    @property
    def reason(self) -> str:
        """Why it is not solved."""
        return text(self._c.reason) if self._c is not None else self._reason

    @property
    def note(self) -> str:
        """What a careful reader should know of this answer."""
        return text(self._c.note) if self._c is not None else ""

    @property
    def energy_ratio(self) -> float:
        return self.energy_after / self.energy_before if self.energy_before else np.nan

    def to_dict(self) -> dict[str, Any]:
        """The program's JSON of this result; of a comparison, against its first law."""
        beside = [self] if self._first is None else [self._first, self]
        return json.loads(_write(beside, "json"))["results"][-1]

    def __getattr__(self, name: str) -> Any:
        # Only what is not found otherwise comes here: the measures, computed once.
        if name.startswith("_"):
            raise AttributeError(name)
        if self._measures is None:
            self._measures = self.to_dict()["measures"] or {}
        if name not in self._measures:
            raise AttributeError(f"an outcome has no '{name}'")
        return self._measures[name]

    def table(self, width: int = 80) -> str:
        """The program's table."""
        return Outcomes([self]).table(width)

    def __str__(self) -> str:
        return self.table()

    def __repr__(self) -> str:
        return f"<carom.Outcome of {self.label}: {self.status}>"

    def _repr_html_(self) -> str:
        return Outcomes([self])._repr_html_()

    def wave(self) -> "Wave":
        """The forces in time, contact by contact; of an outcome with a history."""
        if self.history is None:
            raise ValueError("there is no history; solve with history=True")
        return Wave(self.history)

    def plot(self, ax: Any = None) -> Any:
        """Forces in time where there is a history, else the velocities before and after; returns axes."""
        return self.history.plot(ax=ax) if self.history is not None else Outcomes([self]).plot(ax)


class Outcomes(Sequence[Outcome]):
    """The answers of several laws to one impact, side by side.

    >>> import carom
    >>> outs = carom.chain(count=3, velocity=[1]).compare(laws=["moreau", "binary"])
    >>> outs["binary"].velocity
    array([0., 0., 1.])
    >>> [out.status for out in outs]
    ['solved', 'solved']
    """

    def __init__(self, outcomes: Sequence[Outcome]) -> None:
        self._all = list(outcomes)

    def __getitem__(self, which: Any) -> Any:
        if isinstance(which, str):
            for out in self._all:
                if out.label == which:
                    return out
            raise KeyError(which)
        return self._all[which]

    def __len__(self) -> int:
        return len(self._all)

    def __iter__(self) -> Iterator[Outcome]:
        return iter(self._all)

    @property
    def labels(self) -> list[str]:
        return [out.label for out in self._all]

    def table(self, width: int = 80) -> str:
        """The program's table, in lines of `width` characters."""
        return _write(self._all, "table", width)

    def to_json(self) -> str:
        """The program's JSON."""
        return _write(self._all, "json")

    def to_csv(self) -> str:
        """The program's CSV."""
        return _write(self._all, "csv")

    def to_dict(self) -> dict[str, Any]:
        return json.loads(_write(self._all, "json"))

    def to_dataframe(self) -> Any:
        """The velocities as a table of pandas, a column per law."""
        import pandas

        columns = {"before": self._all[0].velocity_before}
        columns.update({out.label: out.velocity for out in self._all if out.velocity is not None})
        return pandas.DataFrame(columns, index=self._all[0].model.coordinate_names)

    def __str__(self) -> str:
        return self.table()

    def __repr__(self) -> str:
        return f"<carom.Outcomes of {', '.join(self.labels)}>"

    def _repr_html_(self) -> str:
        return _html(self.to_dict(), self._all[0].model)

    def plot(self, ax: Any = None) -> Any:
        """Velocities before and after, a bar per law; returns axes."""
        return _plot.velocities(self._all, ax)


def _write(outcomes: Sequence[Outcome], form: str, width: int = 80) -> str:
    """What the program would print."""
    model = outcomes[0].model
    d, written, error = ffi.new("crm_report_def *"), ffi.new("char **"), new_error()
    labels = [ffi.new("char[]", out.label.encode()) for out in outcomes]
    reasons = [ffi.new("char[]", out.reason.encode()) for out in outcomes]
    alive = (ffi.new("char *[]", labels), ffi.new("crm_settings *[]", [out._settings.c for out in outcomes]),
             ffi.new("crm_outcome *[]", [ffi.NULL if out._c is None else out._c for out in outcomes]),
             ffi.new("char *[]", reasons))
    d.labels, d.settings, d.outcomes, d.reasons = alive
    d.model, d.count, d.width = model._c, len(outcomes), width
    d.velocity = ffi.from_buffer("double[]", outcomes[0].velocity_before)
    d.generalized, d.scenario = model._generalized, model._scenario_c
    check(lib.crm_report_write(d, _FORMS[form], written, error), error)
    try:
        return text(written[0])
    finally:
        lib.crm_text_free(written[0])


# ---- HTML -----------------------------------------------------------------------------------------

_ROWS_MOST = 40
_SUMMARY = [("status", "status"), ("energy ratio", "energy_ratio"), ("kinematic", "kinematic"),
            ("kinetic", "kinetic"), ("energetic", "energetic"), ("unique", "unique")]


def _cell(value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "<b>no</b>"
    return f"{value:.6g}" if isinstance(value, float) else escape(str(value))


def _row(name: str, values: list, tag: str = "td") -> str:
    return f"<tr><th>{escape(name)}</th>" + "".join(f"<{tag}>{_cell(v)}</{tag}>" for v in values) + "</tr>"


def _html(data: dict[str, Any], model: Any) -> str:
    results = data["results"]
    lines = [_row("velocity", ["before"] + [r["label"] for r in results], "th")]
    names = model.coordinate_names
    for i in range(min(len(names), _ROWS_MOST)):
        lines.append(_row(names[i], [data["velocity_before"][i]]
                          + [r["velocity"][i] if r["velocity"] else None for r in results]))
    if len(names) > _ROWS_MOST:
        lines.append(_row(f"... {len(names) - _ROWS_MOST} more", [""] * (len(results) + 1)))
    for title, key in _SUMMARY:
        lines.append(_row(title, [""] + [r[key] for r in results]))
    return "<table>" + "".join(lines) + "</table>"


# ---- Histories --------------------------------------------------------------------------------------


class History:
    """An impact in time: arrays with a row per sample, all views of one block of memory.

    >>> import carom
    >>> out = carom.chain(count=3, velocity=[1]).solve(history=True)
    >>> out.history.force.shape == (len(out.history), 2)
    True
    >>> bool(abs(out.history.velocity[-1] - out.velocity).max() < 1e-12)
    True
    """

    def __init__(self, c: Any, model: Any) -> None:
        n, s, rows = c.coordinates, c.contacts, c.rows
        self._stiffness = model.stiffness
        block = view(c, c.numbers, (rows, lib.crmpy_history_width(c)))
        self.time = block[:, 0]
        self.primary = block[:, 1].astype(int)
        self.primary_impulse = block[:, 2]
        self.velocity = block[:, 3 : 3 + n]
        at = 3 + n
        self.force, self.stored_energy, self.closing_speed, self.impulse = (
            block[:, at + k * s : at + (k + 1) * s] for k in range(4))

    def __len__(self) -> int:
        return len(self.time)

    def __repr__(self) -> str:
        return f"<carom.History of {len(self)} samples>"

    def plot(self, what: str = "force", ax: Any = None) -> Any:
        """Lines in time of "force", "velocity", "stored_energy", "closing_speed" or "impulse"."""
        return _plot.history(self, what, ax)


class Wave:
    """Forces in time and place: what runs through a chain. `time` has an entry per sample, `force` a row per
    sample and a column per contact.
    """

    def __init__(self, history: History) -> None:
        self.time = history.time
        self.force = history.force
        self._stiffness = history._stiffness

    def __repr__(self) -> str:
        samples, contacts = self.force.shape
        return f"<carom.Wave of {samples} samples, {contacts} contacts>"

    def plot(self, ax: Any = None) -> Any:
        """A map of the forces: time across, contacts upwards."""
        return _plot.wave(self, ax)
