"""Contacts with curves, rules for restitution, and functions in Python for either."""

import math

import numpy as np
import pytest

import carom

M, W = [1, 2], [[-1], [1]]
D = 1.5  # of the contact


def restitution(v, **data):
    return -carom.solve(M, W, [v, 0], **data).gap_velocity[0] / -v


def power(stiffness, exponent):
    """F, F' and the integral of F."""
    return lambda x: (stiffness * x**exponent, stiffness * exponent * x ** (exponent - 1),
                      stiffness * x ** (exponent + 1) / (exponent + 1))


def test_rules_give_back_what_they_say():
    assert restitution(2, restitution={"yield_speed": 0.125}) == pytest.approx(0.5, abs=1e-9)
    assert restitution(32, restitution={"viscoelastic": 0.1}) == pytest.approx(0.8, abs=1e-9)
    assert restitution(4, restitution={"expression": "1 - 0.1*s"}) == pytest.approx(0.6, abs=1e-9)
    assert restitution(2, restitution={"speed": [[1, 0.9], [2, 0.7], [3, 0.2]]}) == pytest.approx(0.7, abs=1e-9)


def test_restitution_by_a_function_of_speed_and_of_work():
    assert restitution(3, restitution=lambda s: 1 / (1 + s)) == pytest.approx(0.25, abs=1e-9)
    work = 3**2 / (2 * D)
    given = restitution(3, restitution={"function": lambda w: math.exp(-w), "of": "work"})
    assert given == pytest.approx(math.exp(-work), abs=1e-9)


def test_a_curve_that_is_a_function_is_that_of_numbers():
    v = [1, 0, -0.5]
    M3, W3 = [1, 2, 0.5], [[-1, 0], [1, -1], [0, 1]]
    by_numbers = carom.solve(M3, W3, v, stiffness=[3, 0.2], exponent=[1.5, 2], restitution=0.7)
    by_function = carom.solve(M3, W3, v, loading=[power(3, 1.5), {"function": power(0.2, 2), "exponent": 2}],
                              restitution=0.7)
    assert by_function.velocity == pytest.approx(by_numbers.velocity, abs=1e-8)
    by_terms = carom.solve(M3, W3, v, loading=[{"sum": [{"stiffness": 3}]}, None], stiffness=[9, 0.2],
                           exponent=[1, 2], restitution=0.7)
    assert by_terms.velocity == pytest.approx(by_numbers.velocity, abs=1e-8)


def test_unloading_and_force():
    # Walton and Braun: e^2 = K_load / K_unload.
    line = {"stiffness": 1, "exponent": 1}
    assert restitution(5, loading=line, unloading={"stiffness": 4, "exponent": 1}) == pytest.approx(0.5, abs=1e-9)
    # What a force of 2 N stores in a line of 1 N/m.
    let_go = carom.solve(M, W, [0, 0], loading=line, force=2)
    assert let_go.energy_after == pytest.approx(2.0, abs=1e-9)
    assert carom.solve(M, W, [0, 0], stiffness=1, exponent=1, force=2).energy_after == pytest.approx(2.0, abs=1e-9)


def test_models_of_scenarios_take_functions():
    chain = carom.chain(count=3, velocity=[1], loading=power(1, 1.5), restitution=lambda s: 0.5)
    plain = carom.chain(count=3, velocity=[1], restitution=0.5)
    assert chain.solve().velocity == pytest.approx(plain.solve().velocity, abs=1e-8)
    ball = {"shape": "sphere", "radius": 1, "mass": 1}
    bodies = [{**ball, "position": [0, 0], "velocity": [2, 0]}, {**ball, "position": [2, 0]}]
    by_pair = carom.bodies(bodies, pairs=[{"between": [1, 2], "restitution": lambda s: s / 4}])
    assert by_pair.solve().gap_velocity == pytest.approx([1], abs=1e-9)
    packing = carom.packing(lattice="square", columns=1, rows=2, projectile={"velocity": [0, -1]},
                            restitution={"yield_speed": 0.25})
    assert packing.solve().energy_ratio < 1


def test_batches_share_the_rules():
    v = np.column_stack([np.linspace(1, 3, 5), np.zeros(5)])
    batch = carom.solve_batch(M, W, v, restitution=lambda s: 1 / (1 + s))
    single = [carom.solve(M, W, row, restitution=lambda s: 1 / (1 + s)).velocity for row in v]
    assert np.array_equal(batch.velocity, single)
    masses = np.array([[1.0, 2.0]] * 5)
    assert np.array_equal(carom.solve_batch(masses, np.array([W] * 5), v, restitution=lambda s: 1 / (1 + s)).velocity,
                          single)


def test_an_update_changes_rules():
    model = carom.system(M, W, restitution=lambda s: 0.25)
    assert model.solve([1, 0]).gap_velocity == pytest.approx([0.25], abs=1e-9)
    model.update(restitution=lambda s: 0.75)
    assert model.solve([1, 0]).gap_velocity == pytest.approx([0.75], abs=1e-9)


@pytest.mark.parametrize("field", ["restitution", "loading"])
def test_what_a_function_raises_is_raised(field):
    def fails(at):
        raise KeyError("not in the table")

    with pytest.raises(KeyError, match="not in the table"):
        carom.solve(M, W, [1, 0], **{field: fails})
    with pytest.raises(KeyError, match="not in the table"):
        carom.solve_batch(M, W, np.ones((40, 2)) * [1, 0], threads=2, **{field: fails})
    assert carom.solve(M, W, [1, 0]).status == "solved"


def test_what_is_refused():
    with pytest.raises(carom.Error, match="is 2 at a speed of 1 m/s; it must be between 0 and 1"):
        carom.solve(M, W, [1, 0], restitution=lambda s: 2.0)
    with pytest.raises(carom.Error, match="loading has 3 entries; must have 1, one per contact"):
        carom.solve(M, W, [1, 0], loading=[{"stiffness": 1}] * 3)
    with pytest.raises(carom.Error, match="given beside restitution"):
        carom.solve(M, W, [1, 0], restitution={"yield_speed": 1}, unloading={"stiffness": 2})
    with pytest.raises(carom.Error, match="the name of a function that is handed over"):
        carom.load({"chain": {"count": 2, "velocity": [1], "loading": {"function": "mine"}}})


def walton_braun(**more):
    """Two equal balls with e = sqrt(K / K') of two lines; the second leaves with (1 + e)/2."""
    line = {"stiffness": 1, "exponent": 1}
    return {"laws": ["lzb"], "chain": {"count": 2, "velocity": [1], "loading": line,
                                       "unloading": {"stiffness": 4, "exponent": 1}}, **more}


STIFFER = "chain.unloading.stiffness"


def test_fields_of_curves_are_swept_and_fitted():
    table = carom.sweep(walton_braun(), grid={STIFFER: [1, 4, 16]}, record=["contact_restitution[1]", "velocity[2]"])
    assert table["contact_restitution[1]"] == pytest.approx([1, 0.5, 0.25], abs=1e-9)
    assert table["velocity[2]"] == pytest.approx([1, 0.75, 0.625], abs=1e-9)
    parameters = {STIFFER: {"from": 1, "to": 100, "start": 2}}
    fitted = carom.fit(walton_braun(fit={"parameters": parameters, "measured": [
        {"what": "velocity[2]", "value": 0.6, "uncertainty": 0.001}]}))
    assert fitted[STIFFER].value == pytest.approx(25, rel=1e-5)  # e = 0.2
    terms = carom.sweep({"chain": {"count": 2, "velocity": [1], "loading": {"sum": [{"stiffness": 1}, {"stiffness": 2}]}}},
                        grid={"chain.loading.sum[1].stiffness": [1, 3]}, record=["peak_force[1]"])
    peaks = [(k + 2) * (2.5 * 0.25 / (k + 2)) ** 0.6 for k in (1, 3)]  # E = 1/4 J in K x^1.5
    assert terms["peak_force[1]"] == pytest.approx(peaks, rel=1e-7)


def test_derivatives_to_curves_are_by_differences():
    found = carom.sensitivity(walton_braun(sensitivity={"of": ["velocity[2]"], "to": [STIFFER]}))
    assert np.ravel(found.derivative) == pytest.approx([-0.5 * 0.5 * 4**-1.5], rel=1e-6)
    assert not found.exact
