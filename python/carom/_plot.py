"""Figures, where matplotlib is; each returns the axes it drew on."""

from __future__ import annotations

from typing import Any, Optional, Sequence

import numpy as np


def axes(ax: Any = None) -> Any:
    if ax is not None:
        return ax
    try:
        from matplotlib import pyplot
    except ImportError:
        raise ImportError("plotting needs matplotlib, which is not installed") from None
    return pyplot.subplots()[1]


def velocities(outcomes: Sequence[Any], ax: Any) -> Any:
    ax = axes(ax)
    before = outcomes[0].velocity_before
    sets = [("before", before)] + [(o.label, o.velocity) for o in outcomes if o.velocity is not None]
    width = 0.8 / len(sets)
    for k, (label, values) in enumerate(sets):
        place = np.arange(1, len(values) + 1) + (k - (len(sets) - 1) / 2) * width
        ax.bar(place, values, width, label=label, color="0.8" if k == 0 else None)
    ax.axhline(0, color="black", linewidth=0.5)
    ax.set_xlabel("coordinate")
    ax.set_ylabel("velocity")
    ax.legend()
    return ax


_UNITS = {"force": "force, N", "velocity": "velocity, m/s", "stored_energy": "stored energy, J",
          "closing_speed": "closing speed, m/s", "impulse": "impulse, N s"}


def _unit(of: Any, unit: str) -> str:
    """A stiffness of 1 is the default: forces and times are relative to K = 1 then, as in the program's table."""
    return "K=1" if len(of._stiffness) > 0 and (of._stiffness == 1).all() else unit


def history(h: Any, what: str, ax: Any) -> Any:
    if what not in _UNITS:
        raise ValueError(f"what is '{what}'; must be one of {', '.join(_UNITS)}")
    ax = axes(ax)
    ax.plot(h.time, getattr(h, what))
    ax.set_xlabel("time, " + _unit(h, "s"))
    ax.set_ylabel("force, " + _unit(h, "N") if what == "force" else _UNITS[what])
    return ax


def wave(w: Any, ax: Any) -> Any:
    ax = axes(ax)
    contacts = np.arange(1, w.force.shape[1] + 1)
    ax.pcolormesh(w.time, contacts, w.force.T, shading="nearest")
    ax.set_xlabel("time, " + _unit(w, "s"))
    ax.set_ylabel("contact")
    return ax


def study(table: Any, x: str, y: str, ax: Any) -> Any:
    ax = axes(ax)
    for label in dict.fromkeys(table["law"]):
        rows = table["law"] == label
        ax.plot(table[x][rows], table[y][rows], label=label, marker=".")
    ax.set_xlabel(x)
    ax.set_ylabel(y)
    ax.legend()
    return ax


def motion(m: Any, which: Optional[Sequence[int]], ax: Any) -> Any:
    ax = axes(ax)
    for k in range(m.position.shape[1]) if which is None else which:
        ax.plot(m.time, m.position[:, k], label=m.position_names[k])
    ax.set_xlabel("time, s")
    ax.set_ylabel("position")
    ax.legend()
    return ax
