"""Every example in a docstring, and those of docs/python.md, do what they say."""

import doctest
import importlib
import pkgutil
import re

import pytest
from conftest import ROOT

import okra

MODULES = ["okra"] + [f"okra.{m.name}" for m in pkgutil.iter_modules(okra.__path__) if m.name != "_core"]


@pytest.mark.parametrize("name", MODULES)
def test_docstrings(name):
    failed, _ = doctest.testmod(importlib.import_module(name))
    assert failed == 0


def test_the_important_ones_have_examples():
    public = [okra, okra.Filter, okra.Filter.predict, okra.Model, okra.Map, okra.OnlineRegressor]
    public += [okra.features, okra.theory, okra.signal, okra.signals, okra.recipes]
    assert [thing for thing in public if ">>> " not in thing.__doc__] == []


def test_everything_public_is_explained():
    assert [name for name in okra.__all__ if not getattr(okra, name).__doc__] == []


def test_the_manual(tmp_path, monkeypatch):
    """The Python of docs/python.md, from top to bottom, in one session."""
    monkeypatch.chdir(tmp_path)
    text = (ROOT / "docs" / "python.md").read_text()
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.M | re.S)
    assert len(blocks) >= 6
    names = {}
    for block in blocks:
        exec(compile(block, "docs/python.md", "exec"), names)
