"""Impact laws: those of the library with their options, and laws of one's own."""

from __future__ import annotations

import inspect
import math
import threading
from dataclasses import dataclass
from typing import Any, Callable, Iterable, Iterator, Mapping, Optional, Sequence, Union

import numpy as np

from ._library import Error, NoAnswer, check, doubles, ffi, keep_raised, lib, new_error, text, vector

_KINDS = ["number", "integer", "choice", "list", "matrix"]


@dataclass(frozen=True)
class Option:
    """An option of a law: a keyword of `solve`."""

    name: str
    kind: str  # "number", "integer", "choice", "list" (one per contact) or "matrix"
    default: Any = None  # None: none, may be left out
    least: float = -math.inf
    most: float = math.inf
    open_least: bool = False  # the lower end itself is not allowed
    choices: tuple = ()
    text: str = ""
    each: bool = False  # a number may also be a list, one per contact


def number(default: Optional[float] = None, least: float = -math.inf, most: float = math.inf,
           text: str = "") -> Option:
    """An option of a law of one's own that is a number within a range."""
    return Option("", "number", default, least, most, text=text)


def choice(*choices: str, text: str = "") -> Option:
    """An option of a law of one's own that is one of several words, the first by default."""
    return Option("", "choice", choices[0], choices=choices, text=text)


class Law:
    """A law with its description, made from the library's own table.

    >>> import carom
    >>> law = carom.laws()["moreau"]
    >>> law.options["restitution"].least, law.options["restitution"].most
    (0.0, 1.0)
    """

    def __init__(self, c: Any) -> None:
        self._c = c
        self.name: str = text(c.name)
        self.summary: str = text(c.summary)
        self.description: str = text(c.description)
        self.equation: str = text(c.equation)
        self.assumptions: str = text(c.assumptions)
        self.reference: str = text(c.reference)
        self.options: dict[str, Option] = {
            o.name: o for o in (_read_option(c.parameters[i]) for i in range(c.parameter_count))}

    def __repr__(self) -> str:
        lines = [f"{self.name}: {self.summary}"]
        for o in self.options.values():
            default = "" if o.default is None else f", default {o.default}"
            allowed = "|".join(o.choices) if o.choices else o.kind
            lines.append(f"  {o.name}: {allowed}{default}. {o.text}")
        return "\n".join(lines)


def _read_option(p: Any) -> Option:
    kind = _KINDS[p.kind]
    choices = tuple(text(p.choices).split("|")) if kind == "choice" else ()
    default: Any = choices[0] if choices else None
    if kind in ("number", "integer") and not math.isnan(p.standard):
        default = int(p.standard) if kind == "integer" else p.standard
    return Option(text(p.name), kind, default, p.least, p.most, p.open_least, choices, text(p.text), p.each)


# ---- Laws of one's own ------------------------------------------------------------------------

# Handed to a function that has a parameter of the name, beside D and u and the law's options.
_GIVEN = ("v", "W", "restitution", "stiffness", "exponent")


class OwnLaw(Law):
    """A law written in Python: see `carom.law`."""

    def __init__(self, function: Callable, name: str, summary: str, options: Mapping[str, Option]) -> None:
        self.function = function
        self._given = [n for n in _GIVEN if n in inspect.signature(function).parameters and n not in options]
        self._alive: list[Any] = []
        self._handle = ffi.new_handle(self)
        c = ffi.new("crm_law *")
        c.name = self._text(name)
        c.summary = self._text(summary)
        c.description = self._text(inspect.getdoc(function) or "")
        c.assumptions = c.reference = self._text("")
        c.parameters = self._parameters(options)
        c.parameter_count = len(options)
        c.solve = lib.crmpy_law_solve
        c.context = self._handle
        super().__init__(c)

    def _text(self, words: str) -> Any:
        self._alive.append(ffi.new("char[]", words.encode()))
        return self._alive[-1]

    def _parameters(self, options: Mapping[str, Option]) -> Any:
        table = ffi.new("crm_parameter[]", max(len(options), 1))
        for p, (name, o) in zip(table, options.items()):
            p.name = self._text(name)
            p.kind = _KINDS.index(o.kind)
            p.standard = math.nan if o.default is None or o.kind == "choice" else o.default
            p.least, p.most = o.least, o.most
            p.choices = self._text("|".join(o.choices)) if o.choices else ffi.NULL
            p.text = self._text(o.text)
        self._alive.append(table)
        return table

    def _answer(self, problem: Any, outcome: Any) -> None:
        model, settings = lib.crm_problem_model(problem), lib.crm_problem_settings(problem)
        s, n = lib.crm_model_contacts(model), lib.crm_model_coordinates(model)
        d, error = np.empty((s, s)), new_error()
        check(lib.crmpy_delassus(model, ffi.from_buffer("double[]", d), error), error)
        u = _copy(lib.crm_problem_gap_velocity(problem), s)
        given = {name: _given(name, problem, model, n, s) for name in self._given}
        p = self.function(d, u, **given, **_values(self, settings))
        impulse = vector(doubles(p, self.name), f"what law {self.name} returns", s, "contact")
        ffi.memmove(outcome.impulse, ffi.from_buffer(impulse), 8 * s)


def _copy(pointer: Any, count: int) -> np.ndarray:
    return np.frombuffer(ffi.buffer(pointer, 8 * count), float).copy() if count else np.empty(0)


def _given(name: str, problem: Any, model: Any, n: int, s: int) -> np.ndarray:
    if name == "v":
        return _copy(lib.crm_problem_velocity(problem), n)
    if name == "W":
        return gradients(model).toarray()
    return _copy(getattr(lib, f"crm_model_{name}")(model), s)


def _values(law: Law, settings: Any) -> dict[str, Any]:
    """The law's options, as they were set."""
    return {name: option_value(settings, o) for name, o in law.options.items()}


def option_value(settings: Any, option: Option) -> Any:
    name, error = option.name.encode(), new_error()
    if option.kind == "choice":
        word = ffi.new("char[]", 256)
        check(lib.crm_settings_get_text(settings, name, word, 256, error), error)
        return text(word)
    if option.kind in ("list", "matrix") or option.each:
        count, values = ffi.new("size_t *"), ffi.new("const double **")
        check(lib.crm_settings_get_list(settings, name, count, values, error), error)
        if count[0] or not option.each:
            return _copy(values[0], count[0]) if count[0] else None
    value = ffi.new("double *")
    check(lib.crm_settings_get_number(settings, name, value, error), error)
    return None if math.isnan(value[0]) else int(value[0]) if option.kind == "integer" else value[0]


@ffi.def_extern(name="crmpy_law_solve", error=lib.CRM_ERROR_STOPPED)
def _law_solve(problem: Any, outcome: Any, error: Any) -> int:
    law = ffi.from_handle(lib.crm_settings_law(lib.crm_problem_settings(problem)).context)
    try:
        law._answer(problem, outcome)
    except NoAnswer as reason:
        outcome.result = lib.CRM_FAILED
        words = str(reason).encode()[:255]
        ffi.memmove(outcome.reason, words + b"\0", len(words) + 1)
    except BaseException as raised:  # raised again when the call has ended
        keep_raised(raised, f"law {law.name}", error)
        return lib.CRM_ERROR_STOPPED
    return lib.CRM_OK


def law(name: Union[str, Callable, None] = None, *, summary: str = "",
        options: Optional[Mapping[str, Option]] = None) -> Any:
    """Make a law of a function of D and u⁻ that returns the impulses p, and register it by its name.

    Velocities, energies and verdicts follow as for any law. Parameters of the function beside D and u
    are options of the law, with their defaults; `options` may give their ranges (`carom.number`,
    `carom.choice`). One called v, W, restitution, stiffness or exponent is handed the impact's. Raise
    `carom.NoAnswer` where the law has none. Decorates, with or without arguments:

    >>> import carom, numpy as np
    >>> @carom.law("all-at-once", options={"e": carom.number(1, 0, 1)})
    ... def all_at_once(D, u, e):
    ...     "Every contact gets u+ = -e u-, whatever the impulses are."
    ...     return np.linalg.solve(D, -(1 + e) * u)
    >>> model = carom.chain(count=3, velocity=[1])
    >>> model.solve(law="all-at-once", e=0.5).gap_velocity
    array([0.5, 0. ])
    >>> carom.unregister("all-at-once")
    """
    called = None if callable(name) else name

    def make(function: Callable) -> OwnLaw:
        made = OwnLaw(function, called or function.__name__.replace("_", "-"), summary,
                      _options_of(function, options or {}))
        register(made)
        return made

    return make(name) if callable(name) else make


def _options_of(function: Callable, declared: Mapping[str, Option]) -> dict[str, Option]:
    parameters = list(inspect.signature(function).parameters.values())[2:]
    options: dict[str, Option] = {}
    for p in parameters:
        if p.name in declared:
            options[p.name] = declared[p.name]
        elif p.default is not p.empty and p.name not in _GIVEN:
            options[p.name] = choice(p.default) if isinstance(p.default, str) else number(p.default)
        elif p.name not in _GIVEN:
            raise TypeError(f"parameter {p.name} of {function.__name__} has no default; it must be an "
                            f"option with one, or one of {', '.join(_GIVEN)}")
    return options


_own: dict[str, OwnLaw] = {}
_known: dict[str, Law] = {}


def register(own: OwnLaw) -> None:
    """Let a law of one's own be called by its name; one of the same name is replaced."""
    if lib.crm_law_find(own.name.encode()) != ffi.NULL:
        raise Error("argument", own.name, f"'{own.name}' is a law of the library; give yours another name")
    _own[own.name] = own


def unregister(name: str) -> None:
    """Forget a law of one's own."""
    _own.pop(name, None)


def own_laws() -> list[OwnLaw]:
    return list(_own.values())


class Laws(Mapping[str, Law]):
    """All laws by their names; prints as a table."""

    def __init__(self, laws: Sequence[Law]) -> None:
        self._laws = {law.name: law for law in laws}

    def __getitem__(self, name: str) -> Law:
        return self._laws[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._laws)

    def __len__(self) -> int:
        return len(self._laws)

    def __repr__(self) -> str:
        return "\n".join(f"{law.name:20}{law.summary}" for law in self._laws.values())


def laws() -> Laws:
    """Every law: those of the library, then those registered here.

    >>> import carom
    >>> len(carom.laws())
    11
    >>> carom.laws()["lzb"].options["tolerance"].kind
    'number'
    """
    library = [find_law(text(lib.crm_law_at(i).name)) for i in range(lib.crm_law_count())]
    return Laws([*library, *own_laws()])


def find_law(name: Union[str, Law]) -> Law:
    if isinstance(name, Law):
        return name
    if not isinstance(name, str):
        raise Error("argument", "law", f"law is {name!r}; must be a name or a law of carom.laws()")
    found = _known.get(name) or _own.get(name)
    if found is None:
        c = lib.crm_law_find(name.encode())
        if c == ffi.NULL:
            meant = nearest(name, [text(lib.crm_law_at(i).name) for i in range(lib.crm_law_count())] + list(_own))
            hint = f"did you mean '{meant}'? " if meant else ""
            raise Error("option", "law", f"'{name}' is no law; {hint}carom.laws() lists them")
        found = _known[name] = Law(c)
    return found


# ---- Suggested names ------------------------------------------------------------------------------


def _distance(a: str, b: str) -> int:
    """Insertions, deletions, replacements and swaps of neighbours."""
    before: list[int] = []
    above = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        row = [i]
        for j, y in enumerate(b, 1):
            row.append(min(above[j] + 1, row[-1] + 1, above[j - 1] + (x != y)))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                row[j] = min(row[j], before[j - 2] + 1)
        before, above = above, row
    return above[-1]


def nearest(name: str, names: Iterable[str]) -> str:
    """The name that was meant, as near as the program's `did you mean`; "" if none is."""
    found = min(names, key=lambda other: _distance(name, other), default="")
    distance = _distance(name, found)
    return found if distance < len(name) and 3 * distance <= len(name) + 2 else ""


def law_of(law: Any, options: Mapping[str, Any]) -> tuple[Any, Mapping[str, Any]]:
    """A law with its options, which a mapping brings along; those given beside it come first."""
    if not isinstance(law, Mapping):
        return law, options
    if "law" not in law:
        raise Error("argument", "law", f"{law!r} has no 'law'")
    return law["law"], {**{name: value for name, value in law.items() if name != "law"}, **options}


_OF_MODELS = ("stiffness", "exponent", "restitution", "energy", "force", "loading", "unloading",
              "boundary_velocity")


def refuse_unknown(law: Law, options: Mapping[str, Any], *calls: Callable) -> None:
    """An option that the law does not have may be an argument of the call."""
    unknown = [name for name in options if (name[:-1] if name.endswith("_") else name) not in law.options]
    if not unknown:
        return
    arguments = [p.name for call in calls for p in inspect.signature(call).parameters.values()
                 if p.kind is p.KEYWORD_ONLY]
    for name in unknown:
        meant = nearest(name, [*law.options, *arguments])
        if name in arguments:
            continue
        if name in _OF_MODELS:
            raise Error("option", name, f"law {law.name} has no option '{name}'; it is the model's: give it to "
                                        f"what makes the model, or to Model.update")
        if meant in arguments and meant not in law.options:
            raise Error("option", name, f"law {law.name} has no option '{name}'; did you mean the argument '{meant}'?")


# ---- A law with its options ---------------------------------------------------------------------


class Settings:
    """A law with its options, ready for any number of calls by any number of threads."""

    __slots__ = ("law", "c", "owner")

    def __init__(self, law: Law, c: Any, owner: Any = None) -> None:
        self.law, self.c, self.owner = law, c, owner


_cache: dict[Any, Settings] = {}
_CACHE_MOST = 256
_cache_lock = threading.Lock()


def settings_for(law: Union[str, Law], options: Mapping[str, Any], contacts: int) -> Settings:
    key = None
    if isinstance(law, str) and law not in _own:
        try:
            key = (law, contacts, *options.items())
            found = _cache.get(key)
            if found is not None:
                return found
        except TypeError:  # a list among the values
            key = None
    made = make_settings(find_law(law), options, contacts)
    if key is not None:
        with _cache_lock:
            if len(_cache) >= _CACHE_MOST:
                _cache.clear()
            _cache[key] = made
    return made


def make_settings(law: Law, options: Mapping[str, Any], contacts: int) -> Settings:
    made, error = ffi.new("crm_settings **"), new_error()
    check(lib.crm_settings_create(law._c, made, error), error)
    settings = Settings(law, ffi.gc(made[0], lib.crm_settings_free))
    for name, value in options.items():
        if value is not None:
            _set_option(settings, name[:-1] if name.endswith("_") else name, value, contacts)
    return settings


def _set_option(settings: Settings, name: str, value: Any, contacts: int) -> None:
    option, error, word = settings.law.options.get(name), new_error(), name.encode()
    kind = option.kind if option is not None else "number"
    if isinstance(value, str):
        status = lib.crm_settings_set_text(settings.c, word, value.encode(), error)
    elif kind in ("list", "matrix") or np.ndim(value) > 0:
        status = _set_list(settings, name, kind, value, contacts, error)
    else:
        try:
            status = lib.crm_settings_set_number(settings.c, word, float(value), error)
        except (TypeError, ValueError):
            raise Error("option", name, f"law {settings.law.name}: {name} is {value!r}; must be a number") from None
    check(status, error)


def _set_list(settings: Settings, name: str, kind: str, value: Any, contacts: int, error: Any) -> int:
    array = doubles(value, name)
    listed = kind == "list" or (name in settings.law.options and settings.law.options[name].each)
    if kind == "number" and name in settings.law.options and not listed:
        each = "; law newton has one per contact" if settings.law.name == "moreau" else ""
        raise Error("option", name, f"law {settings.law.name}: {name} has {array.size} values; must be one number{each}")
    if kind == "list" and array.ndim == 0:
        array = np.full(contacts, float(array))
    wanted = (contacts, contacts) if kind == "matrix" else (contacts,)
    if (listed or kind == "matrix") and array.shape != wanted:
        raise Error("option", name, f"law {settings.law.name}: {name} has shape {array.shape}; must have shape "
                                    f"{wanted}, " + ("a row and a column" if kind == "matrix" else "one")
                    + " per contact")
    return lib.crm_settings_set_list(settings.c, name.encode(), array.size, ffi.from_buffer("double[]", array), error)


# ---- Matrices of a model --------------------------------------------------------------------------


def gradients(model: Any) -> Any:
    """W as a matrix of scipy.sparse."""
    from scipy import sparse

    s, n = lib.crm_model_contacts(model), lib.crm_model_coordinates(model)
    entries = lib.crmpy_gradient_entries(model)
    start, row, value = np.empty(s + 1, np.int64), np.empty(entries, np.int32), np.empty(entries)
    lib.crmpy_gradients(model, ffi.from_buffer("int64_t[]", start), ffi.from_buffer("int32_t[]", row),
                        ffi.from_buffer("double[]", value))
    return sparse.csc_matrix((value, row, start), shape=(n, s))
