"""Models from arrays, judged by numpy; what is borrowed, and what lives how long."""

import gc

import numpy as np
import pytest
from scipy import sparse

import carom


def random_system(seed, n=6, s=4):
    rng = np.random.default_rng(seed)
    a = rng.normal(size=(n, n))
    W = rng.normal(size=(n, s))
    M = a @ a.T + n * np.eye(n)
    v = -np.linalg.solve(M, W).sum(axis=1)  # every contact closes, or nearly
    return M, W, v


def test_delassus_is_that_of_numpy():
    for seed in range(5):
        M, W, v = random_system(seed)
        model = carom.system(M, W)
        D = W.T @ np.linalg.solve(M, W)
        assert np.allclose(model.D, D, rtol=1e-12, atol=1e-12)
        assert np.array_equal(model.W.toarray(), W)
        assert np.array_equal(model.M, M)
        assert np.allclose(model.gap_velocity(v), W.T @ v, rtol=1e-13, atol=1e-13)
        assert np.isclose(model.kinetic_energy(v), v @ M @ v / 2, rtol=1e-13)
        assert model.rank == 4
        angle = np.arccos(D[0, 1] / np.sqrt(D[0, 0] * D[1, 1]))
        assert np.isclose(model.kinetic_angle(0, 1), angle, rtol=1e-12)


def test_velocities_follow_from_impulses():
    M, W, v = random_system(7)
    out = carom.solve(M, W, v, "newton", restitution=0.5)
    assert np.allclose(out.velocity, v + np.linalg.solve(M, W @ out.impulse), rtol=1e-12, atol=1e-12)
    assert np.allclose(out.gap_velocity, W.T @ out.velocity, rtol=1e-12, atol=1e-12)
    # Where there is an impulse, Newton's rule; and none pulls.
    at_work = out.impulse > 0
    assert at_work.any() and (out.impulse >= 0).all()
    assert np.allclose(out.gap_velocity[at_work], -0.5 * (W.T @ v)[at_work], rtol=1e-12)


def same_bits(a, b):
    return np.array_equal(a.velocity, b.velocity) and np.array_equal(a.impulse, b.impulse)


def test_sparse_dense_and_fortran_are_the_same():
    M, W, v = random_system(3)
    wanted = carom.solve(M, W, v)
    assert same_bits(wanted, carom.solve(M, np.asfortranarray(W), v))
    assert same_bits(wanted, carom.solve(M, sparse.csc_matrix(W), v))
    assert same_bits(wanted, carom.solve(M, sparse.coo_matrix(W), v))
    assert same_bits(wanted, carom.solve(sparse.csr_matrix(M), sparse.csr_matrix(W), v))
    assert same_bits(wanted, carom.solve(M.tolist(), W.tolist(), list(v)))
    diagonal = carom.solve(np.diag([1.0, 2, 3]), np.eye(3)[:, :1], [-1, 0, 0])
    assert same_bits(diagonal, carom.solve([1, 2, 3], [1, 0, 0], [-1, 0, 0]))
    assert same_bits(carom.solve(2, [[1, 0], [0, 1]], [-1, -2]), carom.solve([2, 2], np.eye(2), [-1, -2]))
    half = carom.solve(np.float32([1, 2]), np.float32([[-1], [1]]), np.float32([1, 0]))
    assert same_bits(half, carom.solve([1, 2], [[-1], [1]], [1, 0]))


def test_sparse_with_entries_twice_are_summed():
    W = sparse.coo_matrix(([0.5, 0.5, -1.0], ([0, 0, 1], [0, 0, 0])), shape=(2, 1))
    assert np.array_equal(carom.system([1, 1], W).W.toarray(), [[1], [-1]])
    twice = sparse.csc_matrix((np.array([0.5, 0.5, -1]), np.array([0, 0, 1]), np.array([0, 3])), shape=(2, 1))
    assert np.array_equal(carom.system([1, 1], twice).W.toarray(), [[1], [-1]])
    assert twice.nnz == 3  # the caller's is left alone


def test_large_arrays_are_borrowed():
    from carom._definition import definition

    n = 1000
    M, W = np.eye(n), np.asfortranarray(np.eye(n)[:, :10])
    _, alive = definition(M, W, n, 0, {})
    assert any(np.shares_memory(M, a) for a in alive if isinstance(a, np.ndarray))
    assert any(np.shares_memory(W, a) for a in alive if isinstance(a, np.ndarray))


def test_update_is_as_made_anew():
    (M, W, v), (M2, W2, _) = random_system(1), random_system(2)
    model = carom.system(M, W, restitution=0.5)
    model.solve(v)
    assert same_bits(model.update(M=M2).solve(v), carom.solve(M2, W, v, restitution=0.5))
    assert same_bits(model.update(W=W2).solve(v), carom.solve(M2, W2, v, restitution=0.5))
    assert same_bits(model.update(restitution=0.9).solve(v), carom.solve(M2, W2, v, restitution=0.9))
    fewer = model.update(W=W2[:, :2])
    assert fewer.contacts == 2
    assert same_bits(fewer.solve(v), carom.solve(M2, W2[:, :2], v))
    with pytest.raises(carom.Error, match="symmetric"):
        model.update(M=np.triu(M))
    assert same_bits(model.solve(v), carom.solve(M2, W2[:, :2], v))


def test_views_outlive_outcomes():
    velocity = carom.chain(count=50, velocity=[1]).solve(law="newton").velocity
    force = carom.chain(count=3, velocity=[1]).solve(history=True).history.force
    before = velocity.copy(), force.copy()
    gc.collect()
    others = [carom.chain(count=50, velocity=[2]).solve(law="newton") for _ in range(100)]
    assert np.array_equal(velocity, before[0]) and np.array_equal(force, before[1])
    assert not velocity.flags.writeable
    assert len(others) == 100
    position = carom.simulate({"chain": {"count": 2, "velocity": [1]}, "simulate": {"duration": 1}}, every=0.1).position
    gc.collect()
    assert position.shape == (11, 2)


def test_an_outcome_keeps_its_own_velocity():
    model, v = carom.system([1, 1], [[-1], [1]]), np.array([1.0, 0])
    out = model.solve(v, "newton")
    v[:] = 7
    assert np.array_equal(out.velocity_before, [1, 0])
    assert "1.00000" in str(out)


def test_units_and_expressions():
    a = carom.chain(count=2, radius="1 cm", material={"young": "203 GPa", "poisson": 0.3, "density": 7780})
    b = carom.chain(count=2, radius=0.01, material={"young": 203e9, "poisson": 0.3, "density": 7780})
    assert np.array_equal(a.stiffness, b.stiffness)
    assert carom.chain(count=2, mass="2*pi").kinetic_energy([1, 0]) == np.pi
    assert carom.load({"title": "1: a \"b\" {c}", "chain": {"count": 2}}).title == '1: a "b" {c}'
    steel = {"steel": {"young": 203e9, "poisson": 0.3, "density": 7780}}
    assert np.array_equal(carom.chain(count=2, radius=0.01, material="steel", materials=steel).stiffness, b.stiffness)


def test_names():
    rod = {"name": "rod", "shape": "rod", "length": 2, "mass": 1, "position": [0, 0], "angle": 0}
    model = carom.bodies([rod], walls=[{"name": "floor", "point": [0, 0], "normal": [0, 1]}])
    assert model.coordinate_names == ["rod x", "rod y", "rod spin"]
    assert model.contact_names == [("rod", "floor"), ("rod", "floor")]
    assert model.contact_labels == ["rod - floor (1)", "rod - floor (2)"]
    named = carom.system([1, 2], [[-1], [1]], names=["car", "train"], contact_names=["buffer"])
    assert named.body_names == ["car", "train"] and named.contact_labels == ["buffer"]


def test_time_limit():
    out = carom.chain(count=100, velocity=[1]).solve(scheme="time-euler", step=1e-12, max_seconds=0.1)
    assert out.status == "not_terminated"
    assert "0.1 s" in out.reason


def test_threads_of_one_impact():
    model = carom.chain(count=50, velocity=[1], restitution=0.9)
    assert same_bits(model.solve(), model.solve(threads=3))


def test_energy_account():
    out = carom.chain(count=5, velocity=[1], restitution=0.6).solve()
    assert np.isclose(out.energy_before, out.energy_after + out.loss.sum(), rtol=1e-14)


def test_outcomes_print():
    model = carom.load({"laws": ["newton", "moreau"], "chain": {"count": 2, "velocity": [1]}})
    outs = model.compare()
    assert "velocity, m/s" in str(outs) and "newton" in str(outs)
    html = outs._repr_html_()
    assert html.startswith("<table>") and "<td>1</td>" in html and "moreau" in html
    assert repr(outs[0]) == "<carom.Outcome of newton: solved>"
    table = outs.to_dataframe()
    assert list(table.columns) == ["before", "newton", "moreau"]
    assert list(table["newton"]) == [0, 1]
    with pytest.raises(AttributeError):
        outs[0].no_such_field
    with pytest.raises(KeyError):
        outs["lzb"]


def test_html_escapes():
    model = carom.load({"laws": [{"law": "newton", "label": "<b>"}], "chain": {"count": 2, "velocity": [1]}})
    assert "<b>" not in model.compare()._repr_html_().replace("<b>no</b>", "")
