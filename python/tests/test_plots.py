"""Figures return axes, with what they were asked to draw."""

import builtins

import numpy as np
import pytest

import carom

pyplot = pytest.importorskip("matplotlib.pyplot")


@pytest.fixture(autouse=True)
def close():
    yield
    pyplot.close("all")


def test_velocities():
    outs = carom.chain(count=3, velocity=[1]).compare(laws=["newton", "moreau"])
    ax = outs.plot()
    heights = [[bar.get_height() for bar in bars] for bars in ax.containers]
    assert np.array_equal(heights, [[1, 0, 0], outs[0].velocity, outs[1].velocity])
    assert [t.get_text() for t in ax.get_legend().get_texts()] == ["before", "newton", "moreau"]
    assert outs[0].plot(ax) is ax


def test_histories_and_waves():
    out = carom.chain(count=4, velocity=[1]).solve(history=True)
    ax = out.plot()
    assert len(ax.lines) == 3
    assert np.array_equal(ax.lines[1].get_ydata(), out.history.force[:, 1])
    assert len(out.history.plot("velocity").lines) == 4
    assert ax.get_xlabel() == "time, K=1" and ax.get_ylabel() == "force, K=1"  # nobody gave a stiffness
    given = carom.chain(count=4, velocity=[1], stiffness=1e9).solve(history=True)
    assert given.plot().get_ylabel() == "force, N" and given.wave().plot().get_xlabel() == "time, s"
    mesh = out.wave().plot().collections[0]
    assert np.asarray(mesh.get_array()).size == out.history.force.size
    with pytest.raises(ValueError, match="must be one of"):
        out.history.plot("speed")
    with pytest.raises(ValueError, match="history=True"):
        carom.chain(count=4, velocity=[1]).solve().wave()


def test_studies_and_motions():
    table = carom.sweep({"laws": ["newton", "moreau"], "chain": {"count": 2, "velocity": [1]}},
                        grid={"chain.restitution": [0, 1]}, record=["energy_ratio"])
    lines = table.plot().lines
    assert len(lines) == 2 and np.allclose(lines[0].get_ydata(), [0.5, 1])
    motion = carom.simulate({"chain": {"count": 2, "velocity": [1]}, "simulate": {"duration": 1}}, every=0.25)
    assert len(motion.plot().lines) == 2 and len(motion.plot([0]).lines) == 1
    assert list(motion.to_dataframe().columns)[0] == "time"


def test_without_matplotlib(monkeypatch):
    plain = builtins.__import__

    def refuse(name, *more):
        if name.startswith("matplotlib"):
            raise ImportError(name)
        return plain(name, *more)

    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(ImportError, match="plotting needs matplotlib"):
        carom.chain(count=2, velocity=[1]).solve().plot()
