"""Motion in time with impacts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Optional, Sequence, Union

import numpy as np

from . import _plot
from ._laws import Law
from ._library import RESULT, Error, calling, check, ffi, lib, new_error, new_watch, text, view
from ._scenario import Loaded, Overrides, Scenario, Source


_SCHEMES = {lib.CRM_EVENT_DRIVEN: "event-driven", lib.CRM_TIME_STEPPING: "time-stepping"}


@dataclass(frozen=True)
class Impact:
    """One impact of a motion; arrays have an entry per contact that was closed."""

    number: int
    time: float
    lost: float
    status: str
    parties: np.ndarray  # (contacts, 2): bodies from 0, then walls
    closing_speed: np.ndarray
    impulse: np.ndarray
    peak_force: np.ndarray  # nan: the law has none, or was not called
    kinematic: bool
    kinetic: bool
    energetic: bool
    unique: bool


class Motion:
    """A motion that has ended: states in time, impacts, and the account of its energy.

    `time`, `position` and `velocity` have a row per state; `final_time`, `final_position` and
    `final_velocity` are where it has come to. `stopped` says why it ended.
    """

    def __init__(self, course: Any, loaded: Loaded, stopped: int, alive: Any) -> None:
        motion, nq, nv = course.motion, course.positions, course.velocities
        states = view(course, course.states, (course.rows, 1 + nq + nv))
        self.time = states[:, 0]
        self.position = states[:, 1 : 1 + nq]
        self.velocity = states[:, 1 + nq :]
        self.title = text(lib.crm_scenario_title(loaded.c))
        self.law = text(lib.crm_scenario_motion_label(loaded.c))
        self.scheme = _SCHEMES[lib.crm_scenario_motion_options(loaded.c).scheme]
        self.stopped = text(lib.crm_motion_stop_text(stopped))
        self.reason = text(lib.crm_motion_reason(motion))
        self.final_time: float = lib.crm_motion_time(motion)
        self.final_position, self.final_velocity = np.empty(nq), np.empty(nv)
        lib.crm_motion_read(motion, ffi.from_buffer("double[]", self.final_position),
                            ffi.from_buffer("double[]", self.final_velocity))
        summary = lib.crm_motion_summarize(motion)
        self.impact_count: int = summary.impacts
        self.at_rest_since: float = summary.at_rest_since
        self.max_penetration: float = summary.max_penetration
        self.energy = {name: getattr(summary.energy, name) for name, _ in ffi.typeof("crm_motion_account").fields}
        self._course, self._loaded, self._alive = course, loaded, alive

    @property
    def position_names(self) -> list[str]:
        return self._names(False, len(self.final_position))

    @property
    def velocity_names(self) -> list[str]:
        return self._names(True, len(self.final_velocity))

    def _names(self, velocity: bool, count: int) -> list[str]:
        word, names = ffi.new("char[]", 128), []
        for k in range(count):
            lib.crm_scenario_coordinate_name(self._loaded.c, velocity, k, word, 128)
            names.append(text(word))
        return names

    @property
    def impacts(self) -> list[Impact]:
        """All impacts, in order."""
        return [self._impact(self._course.impact[i]) for i in range(self._course.impacts)]

    def _impact(self, i: Any) -> Impact:
        touches = [self._course.touch[i.first + k] for k in range(i.contacts)]

        def column(name: str) -> np.ndarray:
            return np.array([getattr(t, name) for t in touches])

        return Impact(i.number, i.time, i.lost, RESULT[i.result],
                      np.array([(t.party[0], t.party[1]) for t in touches]), column("closing_speed"),
                      column("impulse"), column("peak_force"), i.kinematic, i.kinetic, i.energetic, i.unique)

    def to_dataframe(self) -> Any:
        """The states as a table of pandas."""
        import pandas

        names = ["time", *self.position_names, *self.velocity_names]
        return pandas.DataFrame(np.column_stack([self.time, self.position, self.velocity]), columns=names)

    def plot(self, which: Optional[Sequence[int]] = None, ax: Any = None) -> Any:
        """Positions in time, all or those of the numbers in `which`; returns axes."""
        return _plot.motion(self, which, ax)

    def __repr__(self) -> str:
        return (f"<carom.Motion by {self.law}: {self.impact_count} impacts until {self.final_time:g} s, "
                f"stopped by {self.stopped}>")


def simulate(scenario: Scenario, *, set: Overrides = None, law: Union[str, Law, None] = None,
             every: Optional[float] = None) -> Motion:
    """Motion in time: `carom simulate` with states and impacts in memory.

    `scenario` is a file, its text or a mapping, with `simulate`. States are kept at the multiples of
    `every` seconds (0: after every impact; None: as simulate.output_every says).

    >>> import carom
    >>> ball = {"shape": "sphere", "radius": 0.1, "mass": 1, "position": [0, 1.1]}
    >>> motion = carom.simulate({"bodies": [ball], "walls": [{"point": [0, 0], "normal": [0, 1]}],
    ...                          "contacts": {"restitution": 0.5}, "simulate": {"duration": 0.6, "gravity": [0, -8]}})
    >>> motion.impact_count, round(motion.impacts[0].time, 6), round(motion.final_velocity[1], 6)
    (1, 0.5, 1.2)
    """
    source = Source(scenario, set, law)
    loaded = Loaded(source, moves=True)
    made, error = ffi.new("crm_motion **"), new_error()
    check(lib.crm_scenario_make_motion(loaded.c, made, error), error, source.under)
    motion = ffi.gc(made[0], lib.crm_motion_free)
    interval = lib.crm_scenario_output_every(loaded.c) if every is None else float(every)
    if not interval >= 0:
        raise Error("argument", "every", f"every is {every}; must be a time in seconds, or 0")
    options = lib.crm_scenario_motion_options(loaded.c)
    course = _new_course(motion, interval, options.step if options.scheme == lib.CRM_TIME_STEPPING else 0)
    stopped, watch = ffi.new("crm_motion_stop *"), new_watch()
    with calling() as call:
        status = lib.crmpy_course_run(course, lib.crm_scenario_duration(loaded.c), watch, stopped, error)
        call.ended(error.message)
    check(status, error, source.under)
    return Motion(course, loaded, stopped[0], alive=(motion, watch))  # what the course refers to


def _new_course(motion: Any, every: float, step: float) -> Any:
    made = lib.crmpy_course_create(motion, every, step)
    if made == ffi.NULL:
        raise MemoryError
    return ffi.gc(made, lib.crmpy_course_free)
