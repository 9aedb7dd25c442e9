"""Friction in Python: T beside W, what outcomes have, and what is refused."""

import numpy as np
import pytest

import carom

DISC = dict(M=[1, 1, 0.5], W=[[0], [1], [0]], T=[[1], [0], [1]])


def test_a_disc_on_a_floor_by_hand():
    # a = 1, d = 1 + 1/(1/2) = 3, b = 0: P = 1.5; it slips, Q = -0.2 P.
    out = carom.solve(v=[1, -1, 9], law="moreau", restitution=0.5, friction=0.2, **DISC)
    assert np.allclose(out.impulse, 1.5, atol=1e-12)
    assert np.allclose(out.tangential_impulse, -0.3, atol=1e-12)
    assert np.allclose(out.velocity, [0.7, 0.5, 8.4], atol=1e-12)
    assert np.allclose(out.slip_velocity, [9.1], atol=1e-12)
    assert np.allclose(out.loss_restitution + out.loss_friction, out.loss)
    assert np.allclose(out.loss_friction, 0.3 * 0.5 * (10 + 9.1), atol=1e-12)
    assert out.tangential_unique and out.energy_held == 0


def test_a_sphere_on_a_floor_in_space():
    # Solid, m = r = 1: sticking changes u_t by the whole of it, with Q = -u_t/3.5.
    ball = {"shape": "sphere", "radius": 1, "mass": 1, "position": [0, 0, 1], "velocity": [0.7, 0, -1],
            "spin": [0, 0, 0]}
    floor = {"point": [0, 0, 0], "normal": [0, 0, 1]}
    model = carom.bodies([ball], walls=[floor], contacts={"friction": 0.5, "restitution": 0.5})
    assert model.tangents == 2 and model.coordinates == 6
    assert model.T.shape == (6, 1, 2)
    assert np.allclose(model.friction, 0.5)
    out = model.solve(law="moreau")
    assert out.tangential_impulse.shape == (1, 2) and out.slip_velocity.shape == (1, 2)
    assert np.isclose(np.linalg.norm(out.tangential_impulse), 0.2, atol=1e-12)
    assert np.allclose(out.velocity, [0.5, 0, 0.5, 0, 0.5, 0], atol=1e-12)
    assert np.allclose(model.slip_velocity([1, 2, 3, 0, 0, 0]), [[-2, -1]])


def test_t_in_any_form():
    sparse = pytest.importorskip("scipy.sparse")
    rng = np.random.default_rng(38)
    W, T = rng.normal(size=(5, 3)), rng.normal(size=(5, 3, 2))
    v, mu = rng.normal(size=5), [0.1, 0, 0.3]
    dense = carom.system(1, W, T=T, friction=mu, tangential_velocity=[[1, 2], [3, 4], [5, 6]])
    other = carom.system(1, W, T=sparse.csc_matrix(T.reshape(5, 6)), friction=mu, tangential_velocity=range(1, 7))
    assert np.allclose(dense.T, T) and np.allclose(other.T, T)
    expected = np.einsum("ijk,i->jk", T, v) + [[1, 2], [3, 4], [5, 6]]
    assert np.allclose(dense.slip_velocity(v), expected)
    assert np.allclose(other.slip_velocity(v), expected)


def test_without_friction_there_is_none():
    out = carom.solve([1, 1], [[-1], [1]], [1, 0], "moreau")
    assert out.tangential_impulse is None and out.slip_velocity is None and out.loss_friction is None
    assert out.model.friction is None and out.model.tangents == 0
    assert "tangential_impulse" not in out.to_dict()


def test_paths_are_words():
    out = carom.solve(v=[1, -1, 9], law="lzb", restitution=0.5, friction=0.2, **DISC)
    assert out.path == [["slip"]]
    assert out.to_dict()["path"] == [["slip"]]


@pytest.mark.parametrize("given, message", [
    (dict(T=[[1, 0, 1]]), "T has shape"),
    (dict(tangential_velocity=1), "without T"),
    (dict(T=DISC["T"], tangential_velocity=[1, 2]), "tangential_velocity has shape"),
    (dict(T=DISC["T"], friction=-1), "friction is -1"),
    (dict(friction=0.1), "friction is given without T"),
])
def test_refused(given, message):
    with pytest.raises(carom.Error, match=message):
        carom.system(DISC["M"], DISC["W"], **given)
