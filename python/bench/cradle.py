"""What Python costs beside C, as ratios in one run:  cradle.py BENCH_SMALL [ROUNDS]

BENCH_SMALL is the C benchmark (build/bench/bench_small), which solves the same impacts: a cradle of five
balls again and again. C and Python by turns; the smallest of the rounds counts, in processor time of all
threads.
"""

import re
import subprocess
import sys
import time

import numpy as np

import carom

CALLS, BATCH = 5000, 10_000


def cradle():
    return carom.chain(count=5, radius=0.01, material={"young": 203e9, "poisson": 0.3, "density": 7780})


def timed(work, count):
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    return (time.perf_counter() - wall) / count * 1e6, (time.process_time() - cpu) / count * 1e6


def by_calls(model, v):
    def work():
        for row in v:
            model.solve(row, tolerance=1e-8)
    return work


def by_arrays(M, W, K, v):
    def work():
        for row in v:
            carom.solve(M, W, row, stiffness=K, tolerance=1e-8)
    return work


def in_c(program):
    """Microseconds of processor per impact by the ways of bench_small."""
    told = subprocess.run([program, str(BATCH), "1e-8"], check=True, capture_output=True, text=True).stdout
    rows = re.findall(r"^(.+?)\s{2,}([\d.]+)\s+([\d.]+)", told, re.MULTILINE)
    return {name.strip(): (float(wall), float(cpu)) for name, wall, cpu in rows}


def main(program, rounds=5):
    model = cradle()
    v = np.zeros((BATCH, 5))
    v[:, 0] = 1 + 1e-4 * np.arange(BATCH)
    M, W, K = np.full(5, 2 * model.kinetic_energy([1, 0, 0, 0, 0])), model.W.toarray(), model.stiffness
    ways = {"model.solve(v)": (by_calls(model, v[:CALLS]), CALLS),
            "carom.solve(M, W, v)": (by_arrays(M, W, K, v[:CALLS]), CALLS),
            "solve_batch, 1 thread": (lambda: model.solve_batch(v, threads=1, tolerance=1e-8), BATCH),
            "solve_batch, lanes, 1 thread": (lambda: model.solve_batch(v, threads=1, lanes=True, tolerance=1e-8), BATCH)}
    best, c = {name: (np.inf, np.inf) for name in ways}, {}
    for _ in range(int(rounds)):
        for name, value in in_c(program).items():
            c[name] = tuple(map(min, zip(value, c.get(name, value))))
        for name, (work, count) in ways.items():
            best[name] = tuple(map(min, zip(timed(work, count), best[name])))
    beside = {"model.solve(v)": "crm_solve", "carom.solve(M, W, v)": "crm_solve",
              "solve_batch, 1 thread": "crm_solve_batch, singly", "solve_batch, lanes, 1 thread": "crm_solve_batch, 1 thread"}
    print(f"{'us per impact':32}{'wall':>10}{'processor':>12}   of C (processor)")
    for name, (wall, cpu) in best.items():
        print(f"{name:32}{wall:10.2f}{cpu:12.2f}   {cpu / c[beside[name]][1]:.2f} x {beside[name]}")


if __name__ == "__main__":
    main(*sys.argv[1:])
