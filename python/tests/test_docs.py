"""The README's lines, the examples and the docstrings do what they say."""

import doctest
import importlib
import inspect
import pathlib
import pkgutil
import re
import runpy

import pytest

import carom
from conftest import QUICK, TREE

pytestmark = pytest.mark.skipif(QUICK, reason="once is enough")

PYTHON = TREE / "python"
README = (PYTHON / "README.md").read_text()
BLOCKS = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
MODULES = ["carom"] + [f"carom.{m.name}" for m in pkgutil.iter_modules(carom.__path__) if m.name != "_carom"]


@pytest.mark.parametrize("name", MODULES)
def test_docstrings(name):
    failed, tried = doctest.testmod(importlib.import_module(name))
    assert failed == 0


@pytest.mark.parametrize("number", range(len(BLOCKS)))
def test_readme(number, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "examples").symlink_to(TREE / "examples")
    exec(compile(BLOCKS[number], f"README.md, block {number + 1}", "exec"), {})


@pytest.mark.parametrize("task", ["My M and W", "Three laws on 20 beads, and a figure", "A sweep of e from 0.5 to 1"])
def test_tasks_take_ten_lines(task):
    block = re.search(rf"## {re.escape(task)}\n.*?```python\n(.*?)```", README, re.DOTALL).group(1)
    assert len([line for line in block.splitlines() if line.strip()]) <= 10


@pytest.mark.parametrize("path", sorted((PYTHON / "examples").glob("*.py")), ids=lambda f: f.stem)
def test_examples(path, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(path), run_name="__main__")
    assert capsys.readouterr().out


def test_everything_public_is_typed_and_told():
    assert (pathlib.Path(carom.__file__).parent / "py.typed").exists()
    for name in carom.__all__:
        thing = getattr(carom, name)
        assert thing.__doc__, name
        function = thing if inspect.isfunction(thing) else thing.__init__
        if inspect.isfunction(function) and name not in ("Impact", "Option", "NoAnswer"):
            missing = [p for p in inspect.signature(function).parameters.values()
                       if p.annotation is p.empty and p.name != "self"]
            assert not missing, (name, missing)
