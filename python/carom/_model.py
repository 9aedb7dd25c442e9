"""Mechanical systems at the instant of impact, and the calls that solve them."""

from __future__ import annotations

from typing import Any, Mapping, Optional, Sequence, Union

import numpy as np

from ._definition import c_words, definition, set_friction, size_of
from ._laws import (Law, Settings, find_law, gradients, law_of, make_settings, option_value, refuse_unknown,
                    settings_for)
from ._library import (WATCH, Error, calling, check, ffi, give_workspace, lib, new_error, new_watch, pointer,
                       take_workspace, text, vector, view)
from ._outcome import History, Outcome, Outcomes
from ._scenario import Loaded, Overrides, Scenario, Source

# A name, a law, or a mapping with options: {"law": "moreau", "restitution": 0.5}.
LawLike = Union[str, Law, Mapping[str, Any]]


class Model:
    """M, W and what each contact is made of; made by `chain`, `bodies`, `packing`, `system` and `load`.

    May be shared between threads (but for `update`).

    >>> import carom
    >>> model = carom.chain(count=3, restitution=0.9)
    >>> model.coordinates, model.contacts
    (3, 2)
    >>> model.D
    array([[ 2., -1.],
           [-1.,  2.]])
    """

    def __init__(self, c: Any, scenario: Optional[Loaded] = None) -> None:
        self._c = c
        self._scenario = scenario
        self._scenario_c = scenario.c if scenario is not None else ffi.NULL
        self._generalized = scenario is None
        self._coordinates: int = lib.crm_model_coordinates(c)
        self._own: dict[str, Settings] = {}
        self._rules: Any = None  # functions and curves of contacts, which C borrows
        if scenario is not None:
            for i in range(lib.crm_scenario_law_count(scenario.c)):
                settings = lib.crm_scenario_settings(scenario.c, i)
                law = find_law(text(lib.crm_settings_law(settings).name))
                self._own[text(lib.crm_scenario_label(scenario.c, i))] = Settings(law, settings, scenario)

    # ---- What it is

    @property
    def coordinates(self) -> int:
        """n, the number of generalized velocities."""
        return self._coordinates

    @property
    def contacts(self) -> int:
        """s, the number of contacts."""
        return lib.crm_model_contacts(self._c)

    @property
    def title(self) -> str:
        return text(lib.crm_scenario_title(self._scenario_c)) if self._scenario is not None else ""

    @property
    def notes(self) -> list[str]:
        """What was read, but is hardly what was meant."""
        c = self._scenario_c
        return [] if c == ffi.NULL else [text(lib.crm_scenario_note(c, i))
                                         for i in range(lib.crm_scenario_note_count(c))]

    @property
    def laws(self) -> list[str]:
        """The labels of the scenario's laws; they may be given as `law`."""
        return list(self._own) or ["lzb"]

    @property
    def velocity(self) -> Optional[np.ndarray]:
        """v⁻ of the scenario; None: the model has none."""
        if self._scenario is None:
            return None
        return view(self._scenario.c, lib.crm_scenario_velocity(self._scenario_c), (self._coordinates,))

    @property
    def body_names(self) -> list[str]:
        return [self._name(lib.crm_model_body_name, i) for i in range(lib.crm_model_bodies(self._c))]

    @property
    def contact_names(self) -> list[tuple[str, str]]:
        """Who touches whom, for every contact."""
        return [(self._name(lib.crm_model_party_name, j, 0), self._name(lib.crm_model_party_name, j, 1))
                for j in range(self.contacts)]

    @property
    def contact_labels(self) -> list[str]:
        """What the tables call the contacts: their own names, else "ball 1 - ball 2"."""
        return [self._name(lib.crm_contact_name, j) for j in range(self.contacts)]

    @property
    def coordinate_names(self) -> list[str]:
        return [self._name(lib.crm_coordinate_name, i) for i in range(self._coordinates)]

    def _name(self, read: Any, *which: int) -> str:
        word = ffi.new("char[]", 256)
        read(self._c, *which, word, 256)
        return text(word)

    stiffness = property(lambda self: self._contact_data("stiffness"), doc="K, one per contact.")
    exponent = property(lambda self: self._contact_data("exponent"), doc="η, one per contact.")
    restitution = property(lambda self: self._contact_data("restitution"), doc="e, one per contact.")
    energy = property(lambda self: self._contact_data("stored_energy"), doc="E₀, one per contact.")
    boundary_velocity = property(lambda self: self._contact_data("boundary_velocity"), doc="Of moving walls.")

    @property
    def friction(self) -> Optional[np.ndarray]:
        """μ, one per contact; None: no contact has friction."""
        found = lib.crm_model_friction(self._c)
        return None if found == ffi.NULL else view(self._c, found, (self.contacts,)).copy()

    @property
    def tangents(self) -> int:
        """Of each contact: 1 in the plane, 2 in space; 0 without friction."""
        return lib.crm_model_tangents(self._c)

    @property
    def T(self) -> np.ndarray:
        """The tangents, full: (n, s) in the plane, (n, s, 2) in space."""
        each = self.tangents
        columns = np.zeros((self._coordinates, self.contacts, each))
        count, row, value = ffi.new("size_t *"), ffi.new("uint32_t **"), ffi.new("double **")
        for j in range(self.contacts):
            for k in range(each):
                lib.crm_model_tangent(self._c, j, k, count, ffi.cast("uint32_t const **", row),
                                      ffi.cast("double const **", value))
                for i in range(count[0]):
                    columns[row[0][i], j, k] = value[0][i]
        return columns[:, :, 0] if each == 1 else columns

    def slip_velocity(self, v: Any) -> np.ndarray:
        """u_t = T'v + what is prescribed: (s,) in the plane, (s, 2) in space."""
        each = self.tangents
        u = np.empty((self.contacts, each) if each != 1 else (self.contacts,))
        lib.crm_model_slip_velocity(self._c, pointer(self._vector(v)), pointer(u) if u.size else ffi.NULL)
        return u

    def _contact_data(self, name: str) -> np.ndarray:
        # Copied: an update would take the memory away.
        pointer = getattr(lib, f"crm_model_{name}")(self._c)
        return view(self._c, pointer, (self.contacts,)).copy()

    @property
    def M(self) -> np.ndarray:
        """The mass matrix, full."""
        m = np.empty((self._coordinates, self._coordinates))
        lib.crmpy_mass(self._c, pointer(m))
        return m

    @property
    def D(self) -> np.ndarray:
        """The Delassus matrix W' M⁻¹ W, full."""
        d, error = np.empty((self.contacts, self.contacts)), new_error()
        check(lib.crmpy_delassus(self._c, pointer(d), error), error)
        return d

    @property
    def W(self) -> Any:
        """The gap gradients, a column per contact, as a matrix of scipy.sparse."""
        return gradients(self._c)

    @property
    def rank(self) -> int:
        """Of D: `contacts` when they are independent."""
        rank, error = ffi.new("size_t *"), new_error()
        check(lib.crm_model_rank(self._c, rank, error), error)
        return rank[0]

    def gap_velocity(self, v: Any) -> np.ndarray:
        """u = W'v + the boundary's velocity."""
        u = np.empty(self.contacts)
        lib.crm_model_gap_velocity(self._c, pointer(self._vector(v)), pointer(u))
        return u

    def kinetic_energy(self, v: Any) -> float:
        """v'Mv/2"""
        return lib.crm_model_kinetic_energy(self._c, pointer(self._vector(v)))

    def kinetic_angle(self, i: int, j: int) -> float:
        """Between contacts i and j (from 0), in radians."""
        if not (0 <= i < self.contacts and 0 <= j < self.contacts):
            raise IndexError(f"contacts {i} and {j}; there are {self.contacts}, from 0")
        return lib.crm_model_kinetic_angle(self._c, i, j)

    def __repr__(self) -> str:
        title = f" '{self.title}'" if self.title else ""
        return f"<carom.Model{title}: {self._coordinates} coordinates, {self.contacts} contacts>"

    # ---- Changing it

    def update(self, M: Any = None, W: Any = None, *, stiffness: Any = None, exponent: Any = None,
               restitution: Any = None, energy: Any = None, force: Any = None, loading: Any = None,
               unloading: Any = None, boundary_velocity: Any = None, T: Any = None, friction: Any = None,
               tangential_velocity: Any = None) -> "Model":
        """Another M, another W or other contact data in place, for time loops; what is None stays.

        A model with friction is given W and T together.

        No other thread may use the model meanwhile. On an error it is as it was.

        >>> import carom
        >>> model = carom.system([1, 1], [[-1], [1]])
        >>> model.update(M=[1, 3]).solve([1, 0], "newton").velocity
        array([-0.5,  0.5])
        """
        d, alive = definition(M, W, self._coordinates, self.contacts, dict(
            stiffness=stiffness, exponent=exponent, restitution=restitution, energy=energy, force=force,
            loading=loading, unloading=unloading, boundary_velocity=boundary_velocity))
        set_friction(d, T, friction, tangential_velocity, self._coordinates, alive)
        error = new_error()
        check(lib.crm_model_update(self._c, d, error), error)
        self._rules = alive if d.compliance != ffi.NULL or W is not None else self._rules
        return self

    # ---- Solving

    def _vector(self, v: Any) -> np.ndarray:
        if v is None:
            v = self.velocity
            if v is None:
                raise Error("argument", "v", "v is missing; the model has no velocity of its own")
        return vector(v, "v", self._coordinates, "coordinate")

    def _settings(self, law: Optional[LawLike], options: Mapping[str, Any], *calls: Any) -> tuple[str, Settings]:
        named, options = law_of(law, options)
        chosen: Any = named if named is not None else next(iter(self._own), "lzb")
        own = self._own.get(chosen) if self._own and isinstance(chosen, str) else None
        if options and calls:
            refuse_unknown(own.law if own is not None else find_law(chosen), options, *calls)
        if own is None or not isinstance(chosen, str):
            settings = settings_for(chosen, options, self.contacts)
            return settings.law.name, settings
        if not options:
            return chosen, own
        values = {name: option_value(own.c, o) for name, o in own.law.options.items()}
        values.update({name[:-1] if name.endswith("_") else name: value for name, value in options.items()})
        values = {name: _shaped(own.law, name, value, self.contacts) for name, value in values.items()}
        return chosen, make_settings(own.law, values, self.contacts)

    def solve(self, v: Any = None, law: Optional[LawLike] = None, *, history: Union[bool, float] = False,
              threads: int = 1, max_seconds: float = 0, label: Optional[str] = None, **options: Any) -> Outcome:
        """One multiple impact: v⁻ in, outcome out.

        `v` None is the scenario's; `law` None its first, else lzb. Options of the law are keywords, as
        `carom.laws()` lists them (one that is a word of Python takes an underscore: `from_`).
        `history` keeps every step, or the multiples of an interval in seconds. After `max_seconds` the
        outcome is what was reached, "not_terminated". The same bits for any number of threads.

        >>> import carom
        >>> model = carom.chain(count=5, restitution=0.97)
        >>> model.solve([1, 0, 0, 0, 0], law="lzb", tolerance=1e-9).velocity.round(3)
        array([-0.052, -0.013,  0.001,  0.125,  0.939])
        """
        label_of, settings = self._settings(law, options, Model.solve)
        return self._solve(self._vector(v), label or label_of, settings, history, threads, max_seconds)

    def _solve(self, v: np.ndarray, label: str, settings: Settings, history: Union[bool, float] = False,
               threads: int = 1, max_seconds: float = 0) -> Outcome:
        kept = _new_history(self) if history else ffi.NULL
        interval = 0.0 if history is True else float(history)
        made, error = ffi.new("crm_outcome **"), new_error()
        workspace = take_workspace()
        plain = threads == 1 and not max_seconds
        if not plain:
            lib.crm_workspace_use_threads(workspace, threads)
            lib.crm_workspace_watch(workspace, new_watch(max_seconds))
        before = v.copy()
        with calling() as call:
            status = lib.crmpy_solve(workspace, self._c, ffi.from_buffer("double[]", before), settings.c, kept,
                                     interval, made, error)
            if not plain:
                lib.crm_workspace_use_threads(workspace, 1)
                lib.crm_workspace_watch(workspace, WATCH)
            give_workspace(workspace)
            call.ended(error.message)
        outcome = ffi.gc(made[0], lib.crm_outcome_free) if status == 0 else None
        check(status, error)
        return Outcome(outcome, self, before, settings, label, History(kept, self) if history else None)

    def compare(self, v: Any = None, laws: Optional[Sequence[Any]] = None, *, history: Union[bool, float] = False,
                threads: int = 1, max_seconds: float = 0) -> Outcomes:
        """The answers of several laws side by side.

        `laws` None are the scenario's. Each is a name, a law, or a mapping with options and a label:
        ``{"law": "lzb", "label": "mono", "stiffness_model": "mono"}``. A law that does not fit the
        system has failed, with the reason; the others' answers are kept. The rest is as in `solve`, for
        each law; `max_seconds` is for each of them.
        """
        before = self._vector(v)
        chosen = [self._choose(entry) for entry in (self.laws if laws is None else laws)]
        if not chosen:
            raise Error("argument", "laws", "laws is empty; give at least one")
        outcomes: list[Outcome] = []
        errors: list[Error] = []
        for label, settings in _unique(chosen):
            try:
                outcomes.append(self._solve(before, label, settings, history, threads, max_seconds))
            except Error as error:
                errors.append(error)
                outcomes.append(Outcome(None, self, before.copy(), settings, label, reason=str(error)))
        if len(errors) == len(outcomes):
            raise errors[0]
        for out in outcomes[1:]:
            out._first = outcomes[0]
        return Outcomes(outcomes)

    def _choose(self, entry: Any) -> tuple[str, Settings, bool]:
        """The label, the settings, and whether the label was given."""
        if not isinstance(entry, Mapping):
            return (*self._settings(entry, {}), False)
        options = dict(entry)
        label = options.pop("label", None)
        name, settings = self._settings(options, {})
        return label or name, settings, bool(label)

    def solve_batch(self, v: Any, law: Optional[LawLike] = None, **more: Any) -> Any:
        """Many impacts of this system at once; see `carom.solve_batch`."""
        from ._batch import solve_model

        return solve_model(self, v, law, **more)


def _shaped(law: Law, name: str, value: Any, contacts: int) -> Any:
    kind = law.options[name].kind if name in law.options else ""
    return np.reshape(value, (contacts, contacts)) if kind == "matrix" and np.ndim(value) == 1 else value


def _unique(chosen: list[tuple[str, Settings, bool]]) -> list[tuple[str, Settings]]:
    """A law without a label of its own gets a number when its name is taken: lzb, lzb-2, ..."""
    given = [label for label, _, own in chosen if own]
    names = {label for label, _, own in chosen if not own}
    for i, label in enumerate(given):
        if label in given[:i] or label in names:
            raise Error("argument", "laws", f"the label '{label}' is given twice; labels must differ")
    taken: dict[str, Settings] = {}
    for label, settings, _ in chosen:
        name, k = label, 2
        while name in taken or name != label and name in given:
            name, k = f"{label}-{k}", k + 1
        taken[name] = settings
    return list(taken.items())


def _new_history(model: Model) -> Any:
    made = lib.crmpy_history_create(model.coordinates, model.contacts)
    if made == ffi.NULL:
        raise MemoryError
    return ffi.gc(made, lib.crmpy_history_free)


# ---- Making models --------------------------------------------------------------------------------


def _scenario_model(block: str, fields: Any, others: Mapping[str, Any]) -> Model:
    scenario = {block: fields, **{name: value for name, value in others.items() if value is not None}}
    loaded = Loaded(Source(scenario, name=f"carom.{block}"))
    return Model(lib.crm_scenario_model(loaded.c), loaded)


def chain(*, materials: Optional[Mapping[str, Any]] = None, **fields: Any) -> Model:
    """Balls in a line, touching, ball 1 leftmost: the fields of `chain` in docs/scenario.md.

    >>> import carom
    >>> steel = {"young": "203 GPa", "poisson": 0.3, "density": 7780}
    >>> carom.chain(count=5, radius="1 cm", material=steel, wall="right")
    <carom.Model: 5 coordinates, 5 contacts>
    """
    return _scenario_model("chain", fields, {"materials": materials})


def packing(*, materials: Optional[Mapping[str, Any]] = None, **fields: Any) -> Model:
    """Equal balls on a lattice and what strikes them: the fields of `packing` in docs/scenario.md.

    >>> import carom
    >>> carom.packing(lattice="hexagonal", columns=5, rows=4)
    <carom.Model: 36 coordinates, 38 contacts>
    """
    return _scenario_model("packing", fields, {"materials": materials})


def bodies(bodies: Sequence[Mapping[str, Any]], *, walls: Optional[Sequence[Mapping[str, Any]]] = None,
           contacts: Optional[Mapping[str, Any]] = None, pairs: Optional[Sequence[Mapping[str, Any]]] = None,
           materials: Optional[Mapping[str, Any]] = None) -> Model:
    """Bodies in the line, the plane or space; contacts are found from the geometry (docs/scenario.md).

    >>> import carom
    >>> ball = {"shape": "sphere", "radius": 1, "mass": 1}
    >>> model = carom.bodies([{**ball, "position": [0, 0], "velocity": [1, 0]}, {**ball, "position": [2, 0]}])
    >>> model.solve(law="newton").velocity
    array([0., 0., 1., 0.])
    """
    return _scenario_model("bodies", bodies, {"walls": walls, "contacts": contacts, "pairs": pairs,
                                              "materials": materials})


def load(scenario: Scenario, *, set: Overrides = None, laws: Any = None) -> Model:
    """A model from a scenario file, with its velocity and its laws; also from its text or a mapping.

    `set` overrides fields: ``{"chain.restitution": 0.9}``; `laws` chooses laws as --law does.

    >>> import carom
    >>> model = carom.load({"title": "two", "laws": ["newton"], "chain": {"count": 2, "velocity": [1]}},
    ...                    set={"chain.restitution": 0.5})
    >>> model.solve().velocity
    array([0.25, 0.75])
    """
    loaded = Loaded(Source(scenario, set, laws))
    return Model(lib.crm_scenario_model(loaded.c), loaded)


def system(M: Any, W: Any, *, stiffness: Any = None, exponent: Any = None, restitution: Any = None,
           energy: Any = None, force: Any = None, loading: Any = None, unloading: Any = None,
           boundary_velocity: Any = None, T: Any = None, friction: Any = None, tangential_velocity: Any = None,
           names: Optional[Sequence[str]] = None,
           contact_names: Optional[Sequence[str]] = None) -> Model:
    """Any Lagrangian system: your M (n×n, or its diagonal) and W (n×s, a column per contact).

    numpy or scipy.sparse. Contact data are a number for all or one per contact: `stiffness` (1 when it is
    not given), `exponent` (3/2), `restitution` (1), `energy` or `force` before the impact (0),
    `boundary_velocity` (0). `loading`, `unloading` and `restitution` may be mappings, as in a scenario's
    `contacts`, or functions: of the indentation, returning F, F' and the integral of F; of the equivalent
    speed, returning e. Messages call M "mass" and column j of W "contacts[j].w", counted from 1.

    With friction (μ) contacts slip along their tangents, the columns of T: (n, s) in the plane, (n, s, 2)
    in space, where the two of a contact are orthonormal; u_t = T'v + tangential_velocity.

    >>> import carom, numpy as np
    >>> M = np.diag([1.0, 2.0])
    >>> W = np.array([[-1.0], [1.0]])       # gap = q2 - q1
    >>> carom.system(M, W, restitution=0.5).solve([3, 0], "newton").velocity
    array([0. , 1.5])
    >>> faster_is_worse = carom.system(M, W, restitution={"speed": [[1, 0.9], [4, 0.6]]})
    >>> faster_is_worse.solve([1, 0]).gap_velocity.round(6), faster_is_worse.solve([4, 0]).gap_velocity.round(6)
    (array([0.9]), array([2.4]))
    """
    n = size_of(M, W)
    d, alive = definition(M, W, n, 0, dict(
        stiffness=stiffness, exponent=exponent, restitution=restitution, energy=energy, force=force, loading=loading,
        unloading=unloading, boundary_velocity=boundary_velocity))
    if T is None and friction is not None and np.any(np.asarray(friction, float) > 0):
        raise Error("argument", "T", "friction is given without T, the directions in which contacts slip")
    set_friction(d, T, friction, tangential_velocity, n, alive)
    if names is not None:
        d.coordinate_names = c_words(names, "names", n, "coordinate", alive)
    if contact_names is not None:
        d.contact_names = c_words(contact_names, "contact_names", d.contacts, "contact", alive)
    made, error = ffi.new("crm_model **"), new_error()
    check(lib.crm_model_from_system(d, made, error), error)
    model = Model(ffi.gc(made[0], lib.crm_model_free))
    model._rules = alive if d.compliance != ffi.NULL else None
    return model


def solve(M: Any, W: Any, v: Any, law: LawLike = "lzb", *, stiffness: Any = None, exponent: Any = None,
          restitution: Any = None, energy: Any = None, force: Any = None, loading: Any = None, unloading: Any = None,
          boundary_velocity: Any = None, T: Any = None, friction: Any = None, tangential_velocity: Any = None,
          history: Union[bool, float] = False, max_seconds: float = 0, **options: Any) -> Outcome:
    """M, W, v⁻ → v⁺: one multiple impact of your own system; see `system` and `Model.solve`.

    >>> import carom
    >>> out = carom.solve([1, 1, 1], [[-1, 0], [1, -1], [0, 1]], [1, 0, 0], restitution=0.97)
    >>> out.velocity.round(4)
    array([-0.052 ,  0.0847,  0.9674])

    A disc with backspin that falls on a floor, with friction:

    >>> out = carom.solve([1, 1, 0.5], [[0], [1], [0]], [1, -1, 9], "moreau", restitution=0.5, T=[[1], [0], [1]],
    ...                   friction=0.2)
    >>> out.velocity, out.tangential_impulse
    (array([0.7, 0.5, 8.4]), array([-0.3]))
    """
    model = system(M, W, stiffness=stiffness, exponent=exponent, restitution=restitution, energy=energy,
                   force=force, loading=loading, unloading=unloading, boundary_velocity=boundary_velocity, T=T,
                   friction=friction, tangential_velocity=tangential_velocity)
    if options:
        refuse_unknown(find_law(law_of(law, {})[0]), options, solve, Model.solve)
    return model.solve(v, law, history=history, max_seconds=max_seconds, **options)
