"""A user's mistakes: each is an exception that says where it is and what is allowed."""

import pickle

import numpy as np
import pytest
from scipy import sparse

import carom

M, W, V = np.eye(3), np.array([[-1.0, 0], [1, -1], [0, 1]]), [1.0, 0, 0]


def told(message, *arguments, law="lzb", **more):
    """All of the words in what solve says."""
    with pytest.raises(carom.Error) as raised:
        carom.solve(*arguments, law=law, **more)
    for words in [message] if isinstance(message, str) else message:
        assert words in str(raised.value), str(raised.value)
    return raised.value


def bad(array, index, value):
    changed = np.array(array, float)
    changed[index] = value
    return changed


def test_shapes():
    told("W has shape (2, 3); must have 3 rows, one per coordinate, and a column per contact; it looks transposed: "
         "pass W.T", M, W.T, V)
    told("transposed", M, sparse.csr_matrix(W.T), V)
    told("W has shape (4, 2); must have 3 rows", M, np.ones((4, 2)), V)
    told("M has shape (3, 2); must be (3, 3), or (3,) for a diagonal", np.ones((3, 2)), W, V)
    told("M has shape (2, 3)", sparse.csr_matrix(np.ones((2, 3))), W[:2], V)
    told("v has shape (2,); must have 3 numbers, one per coordinate", M, W, [1, 0])
    told("v has shape (3, 1)", M, W, np.ones((3, 1)))
    told("restitution has shape (3,); must have 2 numbers, one per contact", M, W, V, restitution=[1, 1, 1])
    told("M and W are numbers", 1, 1, [1])


def test_numbers_that_are_none():
    assert told("velocity[2]", M, W, [1, np.nan, 0]).place == "velocity[2]"
    told(["mass[2][2]", "nan"], bad(M, (1, 1), np.nan), W, V)
    told(["mass[1][3]", "must be a finite number"], bad(M, (0, 2), np.inf), W, V)
    told(["contacts[2].w[3]", "nan"], M, bad(W, (2, 1), np.nan), V)
    told(["contacts[1].restitution", "must be between 0 and 1"], M, W, V, restitution=[2, 1])
    told("v must be real numbers", M, W, ["a", 0, 0])
    told("v must be real numbers", M, W, [1j, 0, 0])
    told("W must be real numbers, in rows of equal length", M, [[1, 2], [3]], V)


def test_m_that_is_none():
    told(["mass[3][1]", "not symmetric", "0.5"], bad(M, (0, 2), 0.5), W, V)
    told("not positive definite", [[1, 2], [2, 1]], np.eye(2), [-1, -1])
    told("mass", [1, 0, 1], W, V)
    told(["contacts[2].w", "moves no coordinate"], M, bad(W, (slice(None), 1), 0), V)


def test_laws_and_options():
    assert told("'lzbb' is no law; did you mean 'lzb'?", M, W, V, law="lzbb").status == "option"
    told("law is 7; must be a name", M, W, V, law=7)
    told("law lzb has no option 'tolerence'; did you mean 'tolerance'?", M, W, V, tolerence=1e-9)
    told(["law lzb: tolerance is 2", "must be"], M, W, V, tolerance=2)
    told("law lzb: scheme is 'fast', must be one of auto|", M, W, V, scheme="fast")
    told("tolerance must be a number", M, W, V, tolerance="small")
    told("ratios has shape (3,); must have shape (2,), one per contact", M, W, V, law="impulse-ratio", ratios=[1, 1, 1])
    told("restitution_matrix has shape (2,); must have shape (2, 2)", M, W, V, law="generalized-newton",
         restitution_matrix=[1, 1])
    told("law newton has no option 'e'; there is answers", M, W, V, law="newton", e=1)


def test_names_that_are_near():
    told("law lzb has no option 'restituton'; did you mean the argument 'restitution'?", M, W, V, restituton=0.5)
    told("did you mean the argument 'max_seconds'?", M, W, V, max_second=1)
    told("law lzb has no option 'stifness_model'; did you mean 'stiffness_model'?", M, W, V, stifness_model="mono")
    told(["law lzb has no option 'roughness'; there are ", "tolerance"], M, W, V, roughness=0.3)
    told("law newton has no option 'restituton'; did you mean the argument 'restitution'?", M, W, V,
         law="newton", restituton=0.5)
    told("'xyzzyx' is no law; carom.laws() lists them", M, W, V, law="xyzzyx")
    model = carom.system(M, W)
    with pytest.raises(carom.Error, match="did you mean the argument 'threads'"):
        model.solve(V, "newton", thread=2)
    with pytest.raises(carom.Error, match="law newton has no option 'restitution'; it is the model's"):
        model.solve(V, "newton", restitution=0.5)
    with pytest.raises(carom.Error, match="did you mean the argument 'restitution'"):
        carom.solve_batch(M, W, [V], restituton=0.5)
    with pytest.raises(carom.Error, match="did you mean the argument 'strict'"):
        model.solve_batch([V], "newton", strickt=False)
    with pytest.raises(carom.Error, match="did you mean 'tolerance'"):
        model.solve(V, "lzb", tolerence=1e-9)


def test_one_restitution_for_all_contacts():
    # By hand: balls of mass 1, u- = (-1, 0), D = [[2, -1], [-1, 2]]. Newton with e = (0.5, 1) asks for
    # u+ = (0.5, 0) and gets it by p = D^-1 (1.5, 0) = (1, 0.5) >= 0. Moreau with e = 0.2: p = 1.2 (2/3, 1/3).
    told(["law moreau has one restitution for all contacts, but they differ (contact 1: 0.5, contact 2: 1)",
          "law newton, which has one per contact"], M, W, V, law="moreau", restitution=[0.5, 1])
    assert np.allclose(carom.solve(M, W, V, "newton", restitution=[0.5, 1]).velocity, [0, 0.5, 0.5])
    moreau = {"law": "moreau", "restitution": 0.2}
    expected = [1 - 0.8, 0.8 - 0.4, 0.4]
    assert np.allclose(carom.solve(M, W, V, moreau, restitution=[0.5, 1]).velocity, expected)
    model = carom.system(M, W, restitution=[0.5, 1])
    assert np.allclose(model.solve(V, moreau).velocity, expected)
    assert np.allclose(model.solve(V, "moreau", restitution=0.2).velocity, expected)
    assert np.allclose(carom.solve_batch(M, W, [V], moreau, restitution=[0.5, 1]).velocity, [expected])
    assert np.allclose(model.compare(V, [moreau])[0].velocity, expected)
    assert np.allclose(carom.solve(M, W, V, "moreau", restitution=[0.2, 0.2]).velocity, expected)
    with pytest.raises(carom.Error, match="law moreau: restitution has 2 values; must be one number.*law newton"):
        model.solve(V, "moreau", restitution=[0.5, 1])
    with pytest.raises(carom.Error, match="has no 'law'"):
        model.solve(V, {"restitution": 0.2})


def test_models():
    with pytest.raises(carom.Error, match="unknown field 'cuont' in chain; did you mean 'count'"):
        carom.chain(cuont=3)
    with pytest.raises(carom.Error, match=r"^chain.mass has 2 .*3"):
        carom.chain(count=3, mass=[1, 2])
    with pytest.raises(carom.Error, match="v is missing"):
        carom.system(M, W).solve()
    with pytest.raises(carom.Error, match="names has 2 entries; must have 3"):
        carom.system(M, W, names=["a", "b"])
    with pytest.raises(IndexError):
        carom.system(M, W).kinetic_angle(0, 2)
    with pytest.raises(TypeError):
        carom.chain(count=3, mass=object())


def test_files(tmp_path):
    path = tmp_path / "file.yaml"
    path.write_text("chain:\n  count: 2\n  restitution: 2\n")
    with pytest.raises(carom.Error) as raised:
        carom.load(path)
    assert raised.value.place == f"{path}:3:16"
    assert str(raised.value).startswith(f"{path}:3:16: chain.restitution")
    with pytest.raises(carom.Error, match="no/such.yaml: cannot be read"):
        carom.load("no/such.yaml")
    with pytest.raises(carom.Error, match="simulate"):
        carom.simulate({"chain": {"count": 2}})
    with pytest.raises(carom.Error, match="velocty"):
        carom.sweep({"chain": {"count": 2}}, record=["velocty"])
    with pytest.raises(carom.Error, match="every is -1"):
        carom.simulate({"chain": {"count": 2, "velocity": [1]}, "simulate": {"duration": 1}}, every=-1)


def test_all_mistakes_of_a_scenario(tmp_path):
    with pytest.raises(carom.Error) as raised:
        carom.chain(count=2, mass=-1, radius=0)
    assert raised.value.mistakes == [
        "chain.mass: mass is -1, must be a positive number (from 1e-60 to 1e60)",
        "chain.radius: radius is 0, must be a positive number (from 1e-30 to 1e30)"]
    assert str(raised.value) == "\n".join(raised.value.mistakes)
    assert raised.value.message == raised.value.mistakes[0]
    assert str(pickle.loads(pickle.dumps(raised.value))) == str(raised.value)
    path = tmp_path / "file.yaml"
    path.write_text("laws: [lzbb]\nchain:\n  count: 2\n  restitution: 2\n")
    for call in (carom.load, carom.sweep):
        with pytest.raises(carom.Error) as raised:
            call(path)
        assert [line.split(": ")[0] for line in raised.value.mistakes] == [f"{path}:4:16", f"{path}:1:8"]
        assert raised.value.place == f"{path}:4:16"
    error = told("velocity[2]", M, W, [1, np.nan, 0])
    assert error.mistakes == [str(error)]


def test_batches():
    with pytest.raises(carom.Error, match=r"v has shape \(3,\); must have a row per system, of 3 velocities"):
        carom.solve_batch(M, W, V)
    with pytest.raises(carom.Error, match=r"systems\[2\]\.velocity\[1\]"):
        carom.solve_batch(M, W, [V, [np.nan, 0, 0]])
    with pytest.raises(carom.Error, match="transposed"):
        carom.solve_batch(M, [W.T, W.T], [V, V])
    with pytest.raises(carom.Error, match=r"systems\[2\]\.mass\[1\]"):
        carom.solve_batch([[1, 1, 1], [-1, 1, 1]], [W, W], [V, V])
    with pytest.raises(carom.Error, match="W is of 2 systems, and v of 3"):
        carom.solve_batch(M, [W, W], [V, V, V])
    batch = carom.solve_batch(M, W, [V, [np.nan, 0, 0]], "newton", strict=False)
    assert list(batch.status) == ["solved", batch.error.status]
    assert np.isnan(batch.velocity[1]).all() and not np.isnan(batch.velocity[0]).any()


def test_a_law_that_does_not_fit_leaves_the_others():
    outs = carom.system(M, W, restitution=[0.5, 1]).compare(V, ["newton", "moreau"])
    assert [o.status for o in outs] == ["solved", "failed"]
    assert "one restitution for all contacts" in outs["moreau"].reason
    assert outs["moreau"].velocity is None and "moreau" in str(outs)
    with pytest.raises(carom.Error, match="one restitution"):
        carom.system(M, W, restitution=[0.5, 1]).compare(V, ["moreau"])
    with pytest.raises(carom.Error, match="laws is empty"):
        carom.system(M, W).compare(V, [])


def test_errors_travel():
    error = told("velocity[2]", M, W, [1, np.nan, 0])
    copy = pickle.loads(pickle.dumps(error))
    assert (copy.status, copy.place, str(copy)) == (error.status, error.place, str(error))
