"""Batches, threads and memory."""

import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import carom
from conftest import QUICK


def cradle():
    return carom.chain(count=5, radius=0.01, material={"young": 203e9, "poisson": 0.3, "density": 7780},
                       restitution=0.97)


def strikes(count, n=5):
    v = np.zeros((count, n))
    v[:, 0] = np.linspace(0.5, 2, count)
    return v


def test_rows_are_single_calls():
    model, v = cradle(), strikes(50)
    for threads in (1, 3):
        batch = model.solve_batch(v, threads=threads)
        for i in range(len(v)):
            out = model.solve(v[i])
            assert np.array_equal(batch.velocity[i], out.velocity)
            assert np.array_equal(batch.impulse[i], out.impulse)
            assert (batch.energy_after[i], batch.steps[i], batch.status[i]) == (out.energy_after, out.steps, "solved")
            assert batch.kinematic[i] == out.kinematic and batch.duration[i] == out.duration


def test_lanes_agree_within_the_tolerance():
    model, v = cradle(), strikes(200)
    apart = model.solve_batch(v, tolerance=1e-8).velocity - model.solve_batch(v, lanes=True, tolerance=1e-8).velocity
    assert 0 < np.abs(apart).max() < 2e-8 * v.max()


def test_systems_of_their_own():
    rng = np.random.default_rng(0)
    count, n, s = 20, 4, 3
    masses, W = rng.uniform(1, 2, (count, n)), rng.normal(size=(count, n, s))
    e, v = rng.uniform(0.5, 1, (count, s)), -np.einsum("knj->kn", W)
    full = np.einsum("ki,ij->kij", masses, np.eye(n))
    for law in ("lzb", "newton"):
        by_diagonal = carom.solve_batch(masses, W, v, law, restitution=e)
        for i in range(count):
            out = carom.solve(masses[i], W[i], v[i], law, restitution=e[i])
            assert np.array_equal(by_diagonal.velocity[i], out.velocity)
        by_full = carom.solve_batch(full, W, v, law, restitution=e)
        assert np.allclose(by_full.velocity, by_diagonal.velocity, rtol=1e-6, atol=1e-6)
    one_w = carom.solve_batch(masses[0], W[0], v, "newton", restitution=e)
    assert np.array_equal(one_w.velocity[3], carom.solve(masses[0], W[0], v[3], "newton", restitution=e[3]).velocity)
    assert len(carom.solve_batch(masses[0], W[0], np.empty((0, n)))) == 0


def test_eight_threads_same_bits():
    model, v = cradle(), strikes(100 if QUICK else 400)
    wanted = [model.solve(row).velocity.tobytes() for row in v]
    answers = [[] for _ in range(8)]

    def work(mine):
        for row in v:
            mine.append(model.solve(row).velocity.tobytes())

    threads = [threading.Thread(target=work, args=(mine,)) for mine in answers]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert all(mine == wanted for mine in answers)


def test_others_run_while_c_computes():
    """A thread that counts gets on while another is inside one long call."""
    model = carom.chain(count=100, velocity=[1])
    worker = threading.Thread(target=model.solve, kwargs=dict(scheme="time-euler", step=1e-12, max_seconds=0.5))
    worker.start()
    counted = 0
    while worker.is_alive():
        time.sleep(0.005)
        counted += 1
    assert counted >= 10


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")


def flat(call, times):
    """Bytes that the second half of the calls has taken for good."""
    for _ in range(times // 2):
        call()
    before = resident()
    for _ in range(times - times // 2):
        call()
    return resident() - before


@pytest.mark.skipif(QUICK, reason="the sanitizers keep what is freed for a while")
def test_no_leak():
    model = carom.chain(count=3, velocity=[1])
    megabyte = 1 << 20
    assert flat(lambda: model.solve(law="newton").velocity, 100_000) < megabyte
    assert flat(lambda: carom.solve([1, 1], [[-1], [1]], [1, 0], "newton"), 10_000) < megabyte
    assert flat(lambda: model.solve(history=True).history.force, 2_000) < megabyte
    assert flat(lambda: model.compare(laws=["newton", "moreau"]).to_dict(), 1_000) < megabyte
    assert flat(lambda: model.solve_batch(np.ones((100, 3)), "newton"), 1_000) < megabyte
    assert flat(lambda: carom.chain(count=50), 2_000) < megabyte

    pair = {"laws": ["newton"], "chain": {"count": 2, "velocity": [1]}}
    assert flat(lambda: carom.sweep(pair, grid={"chain.restitution": [0.5, 1]}, jobs=1), 500) < megabyte
    moving = {**pair, "simulate": {"duration": 1}}
    assert flat(lambda: carom.simulate(moving, every=0.01).position, 500) < megabyte
    own = carom.law("own")(lambda D, u: -2 * u / np.diag(D))
    assert flat(lambda: model.solve(law=own), 10_000) < megabyte
    assert flat(lambda: model.update(M=[1, 2, 1]), 10_000) < megabyte

    def mistake():
        with pytest.raises(carom.Error):
            model.solve([1, np.nan, 0])

    assert flat(mistake, 4_000) < megabyte


# ---- Ctrl-C ------------------------------------------------------------------------------------

LONG = {
    "solve": "carom.chain(count=100, velocity=[1]).solve(scheme='time-euler', step=1e-12)",
    "batch": "carom.chain(count=5).solve_batch(np.tile([1.0, 0, 0, 0, 0], (3_000_000, 1)))",
    "sweep": "carom.sweep({'chain': {'count': 3, 'velocity': [1]}}, grid={'chain.mass': {'from': 1, 'to': 2, "
             "'steps': 10_000_000}})",
    "simulate": "carom.simulate({'chain': {'count': 3, 'velocity': [1]}, 'simulate': {'duration': 1e9, "
                "'scheme': 'time-stepping', 'step': 1e-4}})",
    "own law": "carom.solve([1, 1], [[-1], [1]], [1, 0], endless)",
}
CHILD = """
import numpy as np, carom, signal, time
signal.signal(signal.SIGINT, signal.default_int_handler)  # which a shell in the background takes away
def endless(D, u):
    while True:
        time.sleep(0.01)
endless = carom.law("endless")(endless)
print("begun", flush=True)
try:
    {call}
    print("ended by itself")
except KeyboardInterrupt:
    print("interrupted")
print(carom.chain(count=2, velocity=[1]).solve(law="newton").velocity)
"""


@pytest.mark.skipif(QUICK, reason="the same under the sanitizers takes long to start")
@pytest.mark.parametrize("call", LONG.values(), ids=LONG)
def test_ctrl_c(call):
    child = subprocess.Popen([sys.executable, "-c", CHILD.format(call=call)], stdout=subprocess.PIPE, text=True)
    try:
        assert child.stdout.readline() == "begun\n"
        time.sleep(0.3)
        child.send_signal(signal.SIGINT)
        told, _ = child.communicate(timeout=30)
    finally:
        child.kill()
    assert told == "interrupted\n[0. 1.]\n"
