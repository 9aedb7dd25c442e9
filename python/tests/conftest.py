"""Where the program and the examples are; CAROM_TEST_QUICK shortens what only repeats."""

import os
import pathlib
import subprocess

import pytest

TREE = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = TREE / "examples"
QUICK = "CAROM_TEST_QUICK" in os.environ
PROGRAM = os.environ.get("CAROM_PROGRAM", str(TREE / "build/carom"))
os.environ.setdefault("MPLBACKEND", "Agg")


def run_program(*arguments):
    # The sanitizers that Python may run under are not the program's.
    environment = {k: v for k, v in os.environ.items() if k != "LD_PRELOAD"}
    done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, env=environment)
    assert done.returncode in (0, 4), done.stderr
    return done.stdout


@pytest.fixture(autouse=True)
def forget_own_laws():
    """Laws that a test has registered are not those of the next."""
    import carom

    before = set(carom.laws())
    yield
    for name in set(carom.laws()) - before:
        carom.unregister(name)


@pytest.fixture
def program():
    return run_program
