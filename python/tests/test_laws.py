"""The laws' descriptions, their options, and laws of one's own."""

import collections
import threading
import time

import numpy as np
import pytest

import carom
from conftest import EXAMPLES


@pytest.fixture
def pairs():
    @carom.law("pairs", summary="one by one", options={"e": carom.number(1, 0, 1, "Newton's e.")})
    def made(D, u, e):
        """Contacts on their own."""
        return (1 + e) * np.maximum(0, -u) / np.diag(D)

    yield made
    carom.unregister("pairs")


def test_descriptions_are_the_program_s(program):
    laws = carom.laws()
    assert len(laws) == 11
    for name, law in laws.items():
        told = " ".join(program("laws", name).split())
        assert " ".join(law.summary.split()) in told
        for option in law.options.values():
            assert option.name in told and " ".join(option.text.split()) in told
            assert all(choice in told for choice in option.choices)
    assert "lzb" in repr(laws) and "tolerance" in repr(laws["lzb"])


def test_every_option_is_a_keyword():
    model = carom.chain(count=3, velocity=[1], restitution=0.9)
    for law in carom.laws().values():
        values = {}
        for o in law.options.values():
            if o.kind == "choice":
                values[o.name] = o.choices[-1]
            elif o.default is not None:
                values[o.name] = o.default
        settings = carom._laws.make_settings(law, values, 2)
        for name, value in values.items():
            assert carom._laws.option_value(settings.c, law.options[name]) == value
    assert model.solve(law="impulse-ratio", from_="lzb").status == "solved"
    listed = model.solve(law="impulse-ratio", ratios=[1, 0.5])
    assert np.isclose(listed.impulse[1] / listed.impulse[0], 0.5, rtol=1e-12)


def test_labels_of_a_file_keep_their_options():
    model = carom.load(EXAMPLES / "three_balls.yaml")
    assert "mono" in model.laws
    mono = model.solve(law="mono")
    assert mono.label == "mono" and mono.law == "lzb"
    assert np.array_equal(mono.velocity, model.solve(law="lzb", stiffness_model="mono").velocity)
    coarse = model.solve(law="mono", tolerance=1e-3)
    assert np.array_equal(coarse.velocity, model.solve(law="lzb", stiffness_model="mono", tolerance=1e-3).velocity)
    assert not np.array_equal(coarse.velocity, mono.velocity)


def test_entries_of_a_comparison():
    model = carom.chain(count=3, velocity=[1], restitution=0.9)
    entries = ["lzb", {"law": "lzb", "stiffness_model": "mono"}, {"law": "lzb", "label": "m", "tolerance": 1e-4}]
    outs = model.compare(laws=entries)
    assert outs.labels == ["lzb", "lzb-2", "m"]
    assert np.array_equal(outs[1].velocity, model.solve(stiffness_model="mono").velocity)
    assert model.compare(laws=["lzb"], history=True)[0].history is not None
    with pytest.raises(carom.Error, match="the label 'm' is given twice"):
        model.compare(laws=[{"law": "lzb", "label": "m"}, {"law": "moreau", "label": "m"}])
    with pytest.raises(carom.Error, match="the label 'lzb' is given twice"):
        model.compare(laws=[{"law": "moreau", "label": "lzb"}, "lzb"])


# ---- Laws of one's own ---------------------------------------------------------------------------


def test_own_law(pairs):
    # 1 on 3 with e: (1 - 3e)/4 and (1 + e)/4.
    out = carom.solve([1, 3], [[-1], [1]], [1, 0], "pairs", e=0.5)
    assert np.allclose(out.velocity, [-0.125, 0.375], atol=1e-15)
    assert out.law == "pairs" and out.energetic
    assert np.allclose(carom.solve([1, 3], [[-1], [1]], [1, 0], pairs).velocity, [-0.5, 0.5], atol=1e-15)
    assert carom.laws()["pairs"].description == "Contacts on their own."
    assert len(carom.laws()) == 12
    outs = carom.chain(count=2, velocity=[1]).compare(laws=["newton", "pairs"])
    assert np.array_equal(outs[0].velocity, outs[1].velocity) and "pairs" in str(outs)


def test_own_options_are_checked(pairs):
    with pytest.raises(carom.Error, match="law pairs: e is 2, must be a number between 0 and 1"):
        carom.solve([1, 3], [[-1], [1]], [1, 0], "pairs", e=2)
    with pytest.raises(carom.Error, match="no option 'f'; there is e"):
        carom.solve([1, 3], [[-1], [1]], [1, 0], "pairs", f=2)


def test_own_law_in_batches_studies_and_motions(pairs):
    v = np.zeros((500, 2))
    v[:, 0] = 1
    batch = carom.solve_batch([1, 3], [[-1], [1]], v, pairs, e=0, threads=3)
    assert np.allclose(batch.velocity, 0.25, atol=1e-15)
    table = carom.sweep({"laws": [{"law": "pairs", "e": 0}], "chain": {"count": 2, "velocity": [1]}},
                        grid={"laws[1].e": [0, 0.5, 1]}, record=["velocity[2]"])
    assert np.allclose(table["velocity[2]"], [0.5, 0.75, 1], atol=1e-15)
    ball = {"shape": "sphere", "radius": 0.1, "mass": 1, "position": [0, 1.1]}
    motion = carom.simulate({"laws": [{"law": "pairs", "e": 0.5}], "bodies": [ball],
                             "walls": [{"point": [0, 0], "normal": [0, 1]}],
                             "simulate": {"duration": 0.75, "gravity": [0, -8]}})
    assert np.isclose(motion.final_position[1], 0.35, atol=1e-9)  # a quarter of the height


def test_given_arrays():
    seen = {}

    @carom.law
    def curious(D, u, v, W, restitution, stiffness, exponent, kind="a"):
        seen.update(locals())
        return np.zeros(len(u))

    try:
        model = carom.system([1, 2], [[-1], [1]], restitution=0.5, stiffness=7, exponent=2)
        model.solve([1, 0], "curious")
    finally:
        carom.unregister("curious")
    assert np.array_equal(seen["D"], [[1.5]]) and np.array_equal(seen["u"], [-1])
    assert np.array_equal(seen["v"], [1, 0]) and np.array_equal(seen["W"], [[-1], [1]])
    assert (seen["restitution"], seen["stiffness"], seen["exponent"], seen["kind"]) == (0.5, 7, 2, "a")


def own(function, **more):
    law = carom.law("own", **more)(function)
    carom.unregister("own")
    return law


def test_what_an_own_law_raises_is_raised():
    def wrong(D, u):
        raise ZeroDivisionError("of mine")

    for threads in (1, 3):
        with pytest.raises(ZeroDivisionError, match="of mine"):
            carom.solve_batch([1, 1], [[-1], [1]], np.ones((100, 2)) * [1, 0], own(wrong), threads=threads)
    with pytest.raises(ZeroDivisionError):
        carom.solve([1, 1], [[-1], [1]], [1, 0], own(wrong))
    with pytest.raises(carom.Error, match="what law own returns has shape"):
        carom.solve([1, 1], [[-1], [1]], [1, 0], own(lambda D, u: [1, 2]))


def test_what_one_call_raises_is_not_another_s():
    told = []

    def mine(D, u):
        if u[0] == -1:
            raise ZeroDivisionError("of the first system")
        if u[0] == -2:  # while that waits for the end of the batch
            try:
                told.append(carom.solve([1, 1], [[-1], [1]], [3, 0], law).status)
            except ZeroDivisionError:
                told.append("that of another call")
        return np.maximum(0, -u) / np.diag(D)

    law = own(mine)
    with pytest.raises(ZeroDivisionError, match="of the first system"):
        carom.solve_batch([1, 1], [[-1], [1]], np.array([[1.0, 0], [2, 0]]), law, threads=1)
    assert told == ["solved"]


def test_what_one_thread_raises_is_not_another_s(monkeypatch):
    keep = carom._laws.keep_raised

    def keep_and_wait(*what):  # between that an error is kept and that its call raises it
        keep(*what)
        time.sleep(1e-3)

    monkeypatch.setattr(carom._laws, "keep_raised", keep_and_wait)

    def mine(D, u):
        if u[0] < -1.5:
            raise ZeroDivisionError("of the fast one")
        time.sleep(1e-4)  # the other threads' turn
        return np.maximum(0, -u) / np.diag(D)

    law, outcomes = own(mine), collections.Counter()
    drop = "bodies: [{radius: 0.1, mass: 1, position: [0, 1.1]}]\nwalls: [{point: [0, 0], normal: [0, 1]}]\n" \
           "simulate: {duration: 1, gravity: [0, -9.81]}\n"
    calls = {
        "slow": lambda: carom.solve([1, 1], [[-1], [1]], [1, 0], law),
        "fast": lambda: carom.solve([1, 1], [[-1], [1]], [2, 0], law),
        "motion": lambda: carom.simulate(drop),
    }

    def repeat(name):
        for _ in range(100):
            try:
                calls[name]()
                outcomes[name, "answered"] += 1
            except ZeroDivisionError:
                outcomes[name, "raised"] += 1

    threads = [threading.Thread(target=repeat, args=(name,)) for name in list(calls) * 2]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert outcomes == {("slow", "answered"): 200, ("fast", "raised"): 200, ("motion", "answered"): 200}


def test_an_own_law_raises_out_of_studies_and_motions(pairs):
    @carom.law("strict")
    def strict(D, u):
        if u[0] < -1.5:
            raise LookupError("too fast")
        return np.maximum(0, -u) / np.diag(D)

    try:
        with pytest.raises(LookupError, match="too fast"):
            carom.sweep({"laws": ["strict"], "chain": {"count": 2, "velocity": [1]}},
                        grid={"chain.velocity[1]": [1, 2]}, record=["velocity[2]"])
        ball = {"shape": "sphere", "radius": 0.1, "mass": 1, "position": [0, 1.1]}
        with pytest.raises(LookupError, match="too fast"):
            carom.simulate({"laws": ["strict"], "bodies": [ball], "walls": [{"point": [0, 0], "normal": [0, 1]}],
                            "simulate": {"duration": 1, "gravity": [0, -9.81]}})
    finally:
        carom.unregister("strict")


def test_no_answer():
    def none(D, u):
        raise carom.NoAnswer("not for these")

    out = carom.solve([1, 1], [[-1], [1]], [1, 0], own(none))
    assert (out.status, out.reason) == ("failed", "not for these")
    assert np.array_equal(out.velocity, [1, 0])
    out = carom.solve([1, 1], [[-1], [1]], [1, 0], own(lambda D, u: np.full(1, np.inf)))
    assert out.status == "failed"


def test_a_law_may_solve():
    def by_newton(D, u):
        # The same impact in the coordinates of the contacts: M = D^-1, W = 1.
        return carom.solve(np.linalg.inv(D), np.eye(len(u)), u, "newton").impulse

    model = carom.chain(count=4, velocity=[1])
    assert np.allclose(model.solve(law=own(by_newton)).velocity, model.solve(law="newton").velocity, atol=1e-14)


def test_names_of_the_library_stay():
    with pytest.raises(carom.Error, match="'lzb' is a law of the library"):
        carom.law("lzb")(lambda D, u: u)
    with pytest.raises(TypeError, match="has no default"):
        carom.law("own")(lambda D, u, e: u)
