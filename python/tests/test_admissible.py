"""What any law may give: closed forms of three equal balls, and what is refused."""

import math

import numpy as np
import pytest

import carom

BALLS = {"laws": ["lzb", "moreau"], "chain": {"count": 3, "velocity": [1]}}


def test_three_balls():
    possible = carom.admissible(BALLS)
    assert possible.kind == "region" and possible.pinched == 0
    third = possible["velocity[3]"]
    assert math.isclose(third.least, 1 / 3, rel_tol=1e-9) and math.isclose(third.most, 1, rel_tol=1e-9)
    assert third.least_bound <= third.least and third.most <= third.most_bound
    assert np.allclose(third.most_velocity, [0, 0, 1], atol=1e-6)
    assert np.allclose(third.most_impulse, [1, 1], atol=1e-6)
    assert [o.inside for o in possible.outcomes] == [True, True]
    assert np.allclose(possible.outcomes[1].values, [-1 / 3, 2 / 3, 2 / 3, 1])


def test_quantities_by_name():
    possible = carom.admissible(BALLS, of=["body_energy[3]", "impulse[1]"], law="moreau")
    assert math.isclose(possible["body_energy[3]"].most, 0.5, rel_tol=1e-8)
    assert [q.what for q in possible.quantities] == ["body_energy[3]", "impulse[1]"]
    with pytest.raises(KeyError):
        possible["velocity[1]"]


def test_a_pinched_ball_has_no_largest_impulse():
    system = {"mass": [1, 1], "velocity": [1, 0],
              "contacts": [{"w": [-1, 1]}, {"w": [0, 1]}, {"w": [0, -1]}]}
    possible = carom.admissible({"laws": ["moreau"], "system": system}, of="impulse[2]")
    assert possible.pinched == 2
    assert possible["impulse[2]"].most == math.inf and possible["impulse[2]"].most_impulse is None


def test_what_cannot_be_bounded_is_refused():
    with pytest.raises(carom.Error, match="cannot be bounded"):
        carom.admissible(BALLS, of="dispersion")
