"""What contacts are made of beyond numbers: curves, rules for restitution, and functions for either.

`loading`, `unloading` and `restitution` may be a mapping, as in a scenario's `contacts`
(docs/scenario/curves.md), or a function: F, F' and its integral E of the indentation, or e of the speed.
In a mapping ``{"function": f, "exponent": 1}`` and ``{"function": g, "of": "work"}`` say more.
"""

from __future__ import annotations

from typing import Any, Callable, Mapping, Sequence

import numpy as np

from ._library import Error, ffi, keep_called, lib

_CURVES = ("loading", "unloading")
_FIELDS = (*_CURVES, "restitution")


def _of_curve(kind: Any, raised: Any, traceback: Any) -> None:
    keep_called(raised)


@ffi.def_extern(name="crmpy_curve", onerror=_of_curve)
def _curve(context: Any, x: float, force: Any, slope: Any, energy: Any) -> None:
    force[0], slope[0], energy[0] = x, 1, 0.5 * x * x  # goes on by these when the function raises
    force[0], slope[0], energy[0] = ffi.from_handle(context)(x)


@ffi.def_extern(name="crmpy_restitution", error=-1.0, onerror=_of_curve)
def _restitution(context: Any, at: float) -> float:
    return float(ffi.from_handle(context)(at))


class Functions:
    """Functions in Python under the names by which a scenario finds them."""

    def __init__(self) -> None:
        self._functions: list[tuple[Any, Any, bool]] = []  # name, handle, a curve

    def _name(self, function: Callable, curve: bool) -> str:
        name = f"{getattr(function, '__name__', 'function')} {len(self._functions) + 1}"
        self._functions.append((ffi.new("char[]", name.encode()), ffi.new_handle(function), curve))
        return name

    def named(self, value: Any, field: str = "") -> Any:
        """The same with names for functions."""
        if isinstance(value, Mapping):
            return {key: self._name(entry, field in _CURVES) if key == "function" and callable(entry)
                    else self.named(entry, key) for key, entry in value.items()}
        if isinstance(value, (list, tuple)):
            return [self.named(entry, field) for entry in value]
        if field in _FIELDS and callable(value):
            return {"function": self._name(value, field in _CURVES)}
        return value

    def fill(self, source: Any) -> Any:
        """Into a crm_source; what is returned must live as long as what is made of that."""
        table = ffi.new("crm_named_function[]", max(len(self._functions), 1))
        for entry, (name, handle, curve) in zip(table, self._functions):
            entry.name, entry.context = name, handle
            if curve:
                entry.curve = lib.crmpy_curve
            else:
                entry.restitution = lib.crmpy_restitution
        source.own_functions, source.own_function_count = table, len(self._functions)
        return [table, self._functions]


# ---- Contacts of a system in arrays ----------------------------------------------------------


def is_rule(value: Any) -> bool:
    """No number, and no numbers alone."""
    if isinstance(value, (list, tuple)):
        return any(is_rule(entry) for entry in value)
    return isinstance(value, Mapping) or callable(value)


def _per_contact(value: Any, name: str, contacts: int) -> Sequence[Any]:
    if not isinstance(value, (list, tuple)):
        return [value] * contacts
    if len(value) != contacts:
        raise Error("argument", name, f"{name} has {len(value)} entries; must have {contacts}, one per contact")
    return value


def rules(given: Mapping[str, Any], contacts: int) -> tuple[Any, Any, list[Any]]:
    """Compliances of a crm_system_def, the restitutions that are numbers, and what must be kept."""
    from ._scenario import Loaded, Source

    lists = {name: _per_contact(value, name, contacts) for name, value in given.items() if value is not None}
    numbers = np.ones(contacts)
    table = ffi.new("crm_compliance_def[]", max(contacts, 1))
    made: dict[tuple, Any] = {}
    for j in range(contacts):
        fields = {name: values[j] for name, values in lists.items() if values[j] is not None}
        if "restitution" in fields and not is_rule(fields["restitution"]):
            numbers[j] = float(fields.pop("restitution"))
        if not fields:
            continue
        key = tuple((name, id(value)) for name, value in fields.items())
        if key not in made:
            contact = {"w": [1], **fields}
            made[key] = Loaded(Source({"system": {"mass": [1], "contacts": [contact]}}, name="contacts"))
        table[j].made = lib.crm_model_contact_compliance(lib.crm_scenario_model(made[key].c), 0)
    return table, numbers, [table, *made.values()]
