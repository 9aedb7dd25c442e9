"""What Python says is what the program says, to the last bit."""

import csv
import io
import json
import math

import numpy as np
import pytest

import carom
from conftest import EXAMPLES, QUICK

SLOW = {"packing_discs", "packing_spheres", "gas_cooling", "long_chain", "cradle_swings", "pouring"}
SOLVED = sorted(f for f in EXAMPLES.glob("*.yaml") if f.stem not in SLOW)
MOVED = [f for f in SOLVED if "\nsimulate:" in f.read_text()]
if QUICK:
    SOLVED, MOVED = SOLVED[::5], MOVED[::5]


def same(got, told):
    """Numbers of JSON have all their bits; it writes -0 as 0, and null for nan."""
    if told is None:
        return got is None or math.isnan(got)
    if isinstance(told, list):
        return len(got) == len(told) and all(same(g, t) for g, t in zip(got, told))
    return got == told


ARRAYS = ["velocity", "impulse", "gap_velocity", "loss", "peak_force", "contact_duration", "compressions"]
NUMBERS = ["energy_after", "energy_ratio", "duration", "error_estimate", "steps", "stored_before", "boundary_work"]
WORDS = ["law", "label", "status", "kinematic", "kinetic", "energetic", "unique"]


@pytest.mark.parametrize("path", SOLVED, ids=lambda f: f.stem)
def test_solve(path, program):
    told = json.loads(program("solve", path, "--format", "json", "-q"))
    model = carom.load(path)
    outs = model.compare()
    assert model.title == told["title"]
    assert model.body_names == told["bodies"]
    assert [list(pair) for pair in model.contact_names] == told["contacts"]
    assert same(model.velocity, told["velocity_before"])
    assert len(outs) == len(told["results"])
    for out, result in zip(outs, told["results"]):
        for name in ARRAYS + NUMBERS:
            if name in result:
                assert same(getattr(out, name), result[name]), name
        for name in WORDS:
            assert getattr(out, name) == result[name], name
        for name, value in result["measures"].items():
            assert same(getattr(out, name), value), name
    assert outs.to_dict() == told


def test_tables_are_the_program_s(program):
    path = EXAMPLES / "newton_cradle.yaml"
    assert str(carom.load(path).compare()) == program("solve", path)
    assert carom.load(path).compare().to_csv() == program("solve", path, "--format", "csv")


@pytest.mark.parametrize("path", MOVED, ids=lambda f: f.stem)
def test_simulate(path, program):
    told = json.loads(program("simulate", path, "--format", "json", "-q"))
    motion = carom.simulate(path)
    assert same(motion.final_position, told["position"])
    assert same(motion.final_velocity, told["velocity"])
    assert same(motion.final_time, told["time"])
    assert motion.stopped == told["stopped"]
    assert motion.scheme == told["scheme"]
    assert motion.impact_count == told["impacts"]
    assert len(motion.impacts) == told["impacts"]
    assert same(motion.at_rest_since, told["at_rest_since"])
    for name, value in told["energy"].items():
        assert same(motion.energy[name], value), name


def test_states_and_impacts_of_a_motion(program, tmp_path):
    path = EXAMPLES / "block_rocking.yaml"
    program("simulate", path, "-q", "--history", tmp_path / "h.csv", "--impacts", tmp_path / "i.csv", "-o",
            tmp_path / "out")
    motion = carom.simulate(path)
    heading, *rows = csv.reader((tmp_path / "h.csv").open())
    assert heading == ["time", *motion.position_names, *motion.velocity_names]
    told = np.array(rows, float)
    assert np.allclose(told[:, 0], motion.time, rtol=1e-14)  # which the program rounds to 15 digits
    assert np.array_equal(told[:, 1:], np.column_stack([motion.position, motion.velocity]))
    impacts = list(csv.DictReader((tmp_path / "i.csv").open()))
    assert [float(row["time"]) for row in impacts] == [i.time for i in motion.impacts]
    assert [[float(p) for p in row["impulse"].split(";")] for row in impacts] == [list(i.impulse) for i in motion.impacts]
    after = carom.simulate(path, every=0)
    assert np.array_equal(after.time, [i.time for i in motion.impacts])
    assert np.array_equal(after.final_position, motion.final_position)


def test_sweep(program):
    path = EXAMPLES / "sweep_chain.yaml"
    smaller = ["chain.count=4"]
    rows = list(csv.reader(io.StringIO(program("sweep", path, "-q", "-o", "-", "--set", smaller[0]))))
    table = carom.sweep(path, set=smaller)
    assert rows[0] == list(table)
    for name, column in zip(rows[0], zip(*rows[1:])):
        for got, told in zip(table[name], column):
            assert (math.isnan(got) if told == "" else got == float(told)) if isinstance(got, float) else str(
                got) == told, name
    assert table.rows == len(rows) - 1


def test_histories(program, tmp_path):
    path = EXAMPLES / "three_balls.yaml"
    program("solve", path, "--law", "bi", "--history", tmp_path / "h.csv", "-o", tmp_path / "out")
    heading, *rows = csv.reader((tmp_path / "h.csv").open())
    h = carom.load(path).solve(law="bi", history=True).history
    assert len(h) == len(rows)
    assert [name.split("[")[0] for name in heading[4:]] == (["v"] * 3 + ["force"] * 2 + ["energy"] * 2
                                                            + ["closing_speed"] * 2 + ["impulse"] * 2)
    told = np.array([[float(x) if x else np.nan for x in row[1:]] for row in rows])
    primary = np.where(h.primary < 0, np.nan, h.primary + 1)
    got = np.column_stack([h.time, primary, h.primary_impulse, h.velocity, h.force, h.stored_energy, h.closing_speed,
                           h.impulse])
    assert np.array_equal(got, told, equal_nan=True)
