"""carom.coulomb: closed forms, dense and sparse, several answers, misuse."""

import numpy as np
import pytest

import carom

# Two contacts in the plane with three answers.
D = np.array([[1.58, -.64, 1.05, 1.13], [-.64, 1, -.11, -.14], [1.05, -.11, .87, 1.08], [1.13, -.14, 1.08, 2.19]])
Q = [-1.29, -1.2, -1.42, -.83]
MU = [2.9, 1.8]


def natural_map(D, q, mu, dim, r):
    """r - P(r - u - mu |u_t| n), the projection by its cases."""
    u = (D @ r.ravel() + q).reshape(-1, dim)
    rest = []
    for friction, x, y in zip(mu, r, u):
        z = x - y
        z[0] -= friction * np.linalg.norm(y[1:])
        tangent = np.linalg.norm(z[1:])
        nearest = z.copy()
        if friction * tangent <= -z[0]:
            nearest[:] = 0
        elif tangent > friction * z[0]:
            nearest[0] = (z[0] + friction * tangent) / (1 + friction**2)
            nearest[1:] *= friction * nearest[0] / tangent
        rest.append(x - nearest)
    return np.linalg.norm(rest) / np.linalg.norm(q)


def test_a_rod_at_45_degrees():
    out = carom.coulomb([[2.5, -1.5], [-1.5, 2.5]], [-2, 0.6], 0.5, dim=2)
    assert out.status == "solved"
    assert out.impulse == pytest.approx(np.array([[1.025, 0.375]]), abs=1e-14)
    assert out.velocity == pytest.approx(np.zeros((1, 2)), abs=1e-14)


@pytest.mark.parametrize("dim", [2, 3])
def test_dense_and_sparse_are_the_same(dim):
    sparse = pytest.importorskip("scipy.sparse")
    random = np.random.default_rng(1)
    a = random.normal(size=(6 * dim, 4 * dim)) * (random.random((6 * dim, 4 * dim)) < 0.5)
    d = a @ a.T
    q = a @ random.normal(size=4 * dim)
    mu = random.uniform(0, 1, 6)
    out = carom.coulomb(d, q, mu, dim=dim)
    assert out.status == "solved"
    assert natural_map(d, q, mu, dim, out.impulse) <= 1e-12
    assert out.residual <= 1e-12
    again = carom.coulomb(sparse.csr_matrix(d), q, mu, dim=dim)
    assert np.array_equal(out.impulse, again.impulse)


def test_start_decides_among_several_answers():
    found = set()
    for start in ([1, 0, 0, 0], [0, 0, 2, 0], [0, 0, 1, 1], [1, 1, 1, 1], [0, 1.2, 1, 0], [5, 0, 5, 0]):
        out = carom.coulomb(D, Q, MU, dim=2, start=start)
        assert out.status == "solved" and out.unique is not True
        assert natural_map(D, Q, MU, 2, out.impulse) <= 1e-12
        found.add(tuple(out.velocity.round(5).ravel() + 0.0))
    assert len(found) > 1


def test_a_wedge_without_an_answer_says_why():
    d = np.array([[1.0, 2], [2, 4]])
    out = carom.coulomb(d, [-1, 0], 1, dim=2)
    assert out.status == "infeasible"
    assert d @ out.impulse.ravel() == pytest.approx(np.zeros(2), abs=1e-8)
    assert out.impulse[0, 0] > 0 and abs(out.impulse[0, 1]) <= out.impulse[0, 0]


def test_small_friction_and_a_regular_matrix_are_proved_unique():
    assert carom.coulomb(np.eye(3), [-1, 1, 0], 0.1).unique is True


@pytest.mark.parametrize("arguments, place", [
    ((np.eye(3), [1, 2, np.nan], 0.1), "q[3]"),
    ((np.eye(3), [1, 2, 3], -0.1), "mu[1]"),
    ((np.eye(4), [1, 2, 3, 4], 0.1), "D"),
    ((np.ones((2, 3)), [1, 2], 0.1, 2), "D"),
    ((np.eye(4), [1, 2], 0.1, 2), "q"),
    ((np.eye(4), [1, 2, 3, 4], 0.1, 4), "dim"),
    ((-np.eye(2), [1, 2], 0.1, 2), "D"),
])
def test_misuse_names_the_place(arguments, place):
    with pytest.raises(carom.Error) as raised:
        carom.coulomb(*arguments)
    assert raised.value.place == place
