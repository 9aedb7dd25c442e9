"""A host program may have set a locale with a decimal comma: numbers are the same."""

import os
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]

WORDS = """
import locale, sys
import carom
name = locale.setlocale(locale.LC_ALL, sys.argv[1])
assert locale.localeconv()["decimal_point"] != "."
model = carom.chain(count=3, mass=[1.5, 2.5, 3.9], velocity=[1.75])
assert model.velocity[0] == 1.75, model.velocity
assert list(model.M.diagonal()) == [1.5, 2.5, 3.9], model.M.diagonal()
after = carom.chain(count=2, mass=[1.5, 2.25], velocity=[1.75]).solve(law="moreau").velocity
assert abs(after[1] - 2 * 1.5 * 1.75 / 3.75) < 1e-14, after
assert locale.setlocale(locale.LC_ALL) == name
"""


@pytest.mark.parametrize("name", ["de_DE.UTF-8", "ps_AF.UTF-8"])
def test_a_decimal_comma_of_the_host(tmp_path, name):
    made = subprocess.run([ROOT / "tests/locale/make", tmp_path], capture_output=True)
    if made.returncode != 0:
        pytest.skip("localedef makes no locales here")
    ran = subprocess.run([sys.executable, "-c", WORDS, name], capture_output=True, text=True,
                         env={**os.environ, "LOCPATH": str(tmp_path)})
    assert ran.returncode == 0, ran.stderr
