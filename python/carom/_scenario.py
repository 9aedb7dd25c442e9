"""Scenarios: files, texts and mappings, read by the library."""

from __future__ import annotations

import json
import os
import re
from typing import Any, Iterable, Mapping, Optional, Sequence, Union

import numpy as np

from ._contact import Functions
from ._laws import Law, own_laws
from ._library import check, ffi, lib, new_error

Scenario = Union[str, "os.PathLike[str]", Mapping[str, Any]]
Overrides = Union[Mapping[str, Any], Iterable[str], None]


def _plain(value: Any) -> Any:
    """What JSON does not know."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, (range, tuple, set)):
        return list(value)
    if isinstance(value, Law):
        return value.name
    raise TypeError(f"{value!r} has no place in a scenario")


# A number with a unit, or an expression, is one only where it is not quoted.
_WORDS = re.compile(r'"((?:[^"\\]|\\.)*)"(\s*:)?')
_QUANTITY = re.compile(r"[-+.(]*(\d|pi\b|sqrt\b)[\w .+*/()^-]*")


def _bare(match: "re.Match[str]") -> str:
    is_key = match.group(2) is not None
    return match.group(1) if not is_key and _QUANTITY.fullmatch(match.group(1)) else match.group(0)


def as_yaml(value: Any) -> str:
    """In one line: JSON, but for "1 cm" and "2*pi", which are quantities."""
    return _WORDS.sub(_bare, json.dumps(value, default=_plain))


def with_fields(overrides: Overrides, fields: Mapping[str, Any]) -> Overrides:
    """Overrides and further fields, which come last."""
    if overrides is None or isinstance(overrides, Mapping):
        return {**(overrides or {}), **fields}
    return [*overrides, *(f"{path}={as_yaml(value)}" for path, value in fields.items())]


class Source:
    """A crm_source, and what it points to."""

    def __init__(self, scenario: Scenario, set: Overrides = None,
                 laws: Union[str, Sequence[Union[str, Law]], Law, None] = None, name: str = "scenario") -> None:
        self.c = ffi.new("crm_source *")
        self.under = ""  # the name under which a text made here is complained about
        self._alive: list[Any] = []
        functions = Functions()
        if isinstance(scenario, Mapping):
            self._text(as_yaml(functions.named(scenario)), name)
        elif isinstance(scenario, str) and ("\n" in scenario or scenario.lstrip().startswith("{")):
            self._text(scenario, name)
        else:
            self.c.path = self._string(os.fspath(scenario))
        self.c.mistakes_size = 1 << 14
        self.c.mistakes = self.mistakes = ffi.new("char[]", self.c.mistakes_size)
        self._overrides(set)
        self._laws(laws)
        self._alive.append(functions.fill(self.c))

    def check(self, status: int, error: Any) -> None:
        """What a call said of it."""
        check(status, error, self.under, self.mistakes)

    def _string(self, words: str) -> Any:
        self._alive.append(ffi.new("char[]", os.fsencode(words)))
        return self._alive[-1]

    def _text(self, words: str, name: str) -> None:
        encoded = words.encode()
        self._alive.append(encoded)
        buffer = ffi.from_buffer("char[]", encoded)
        self._alive.append(buffer)
        self.c.text, self.c.length = buffer, len(encoded)
        self.c.path = self._string(name)
        self.under = name

    def _overrides(self, set: Overrides) -> None:
        if set is None:
            return
        lines = [f"{path}={as_yaml(value)}" for path, value in set.items()] if isinstance(set, Mapping) else list(set)
        self._alive.append(ffi.new("char *[]", [self._string(line) for line in lines]))
        self.c.overrides, self.c.override_count = self._alive[-1], len(lines)

    def _laws(self, laws: Any) -> None:
        own = own_laws()
        self._alive.append(own)
        self._alive.append(ffi.new("crm_law *[]", [law._c for law in own]))
        self.c.own_laws, self.c.own_law_count = self._alive[-1], len(own)
        if laws is not None:
            names = [laws] if isinstance(laws, (str, Law)) else laws
            self.c.laws = self._string(",".join(n if isinstance(n, str) else n.name for n in names))


class Loaded:
    """A scenario that was read; what the library hands out of it lives as long."""

    def __init__(self, source: Source, moves: bool = False) -> None:
        made, error = ffi.new("crm_scenario **"), new_error()
        load = lib.crm_scenario_load_motion if moves else lib.crm_scenario_load
        source.check(load(source.c, made, error), error)
        self.c = ffi.gc(made[0], lib.crm_scenario_free)
        self.source = source  # own laws must live as long


def record_array(record: Optional[Sequence[str]]) -> tuple[Any, int, list[Any]]:
    if record is None:
        return ffi.NULL, 0, []
    words = [ffi.new("char[]", name.encode()) for name in record]
    return ffi.new("char *[]", words), len(words), words
