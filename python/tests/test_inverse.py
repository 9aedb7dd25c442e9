"""Derivatives and fits: closed forms, and the same complaints as the program's."""

import math
import pathlib

import numpy as np
import pytest

import carom

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"

BALLS = {
    "chain": {"mass": [2, 3], "velocity": [1.5, -0.5], "restitution": 0.7},
    "sensitivity": {"of": ["velocity"], "to": ["chain.mass", "chain.restitution"]},
}


def test_derivatives_of_two_balls():
    table = carom.sensitivity(BALLS)
    a, b, e, c = 2, 3, 0.7, 2
    assert table.of == ["velocity[1]", "velocity[2]"]
    assert table.to == ["chain.mass[1]", "chain.mass[2]", "chain.restitution"]
    assert table.exact and table.uncertainty is None
    want = [[(1 + e) * b * c / (a + b) ** 2, -(1 + e) * a * c / (a + b) ** 2, -b * c / (a + b)],
            [(1 + e) * b * c / (a + b) ** 2, -(1 + e) * a * c / (a + b) ** 2, a * c / (a + b)]]
    assert np.allclose(table.derivative, want, rtol=0, atol=1e-7)


def test_uncertainties():
    table = carom.sensitivity(BALLS, set={"sensitivity.uncertainty": {"chain.restitution": 0.01}})
    assert math.isclose(table.uncertainty.first_order[0], 0.012, rel_tol=1e-6)
    assert table.uncertainty.linear.all()
    assert table.uncertainty.samples == 1000


def test_rebound_heights_of_the_report():
    found = carom.fit(EXAMPLES / "fit_rebound.yaml")
    e = found["chain.restitution"]
    assert found.converged and e.determined
    assert e.interval[0] <= 0.55 <= e.interval[1]
    assert len(found.residuals) == 4 and found.degrees_of_freedom == 3


def test_what_cannot_be_determined_is_told():
    found = carom.fit({
        "chain": {"count": 3, "velocity": [1], "stiffness": 1},
        "fit": {"parameters": {"chain.stiffness": {"from": 0.1, "to": 10}},
                "measured": [{"what": "velocity[3]", "value": 0.9, "uncertainty": 0.1}]},
    })
    assert not found["chain.stiffness"].determined
    assert math.isnan(found["chain.stiffness"].uncertainty)
    assert any("cannot be determined" in note for note in found.notes)


def test_complaints():
    with pytest.raises(carom.Error, match="has no field 'fit'"):
        carom.fit({"chain": {"count": 2}})
    with pytest.raises(carom.Error, match="names no fields"):
        carom.sensitivity({"chain": {"count": 2}, "sensitivity": {}})
