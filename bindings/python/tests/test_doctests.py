"""Every example in a docstring, and every block of Python in the pages, runs."""

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


@pytest.mark.parametrize("path, least", [("docs/python.md", 5), ("README.md", 1), ("bindings/python/README.md", 1)])
def test_the_manuals(path, least, tmp_path, monkeypatch):
    """The Python of each page, from top to bottom, in one session."""
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"^```python\n(.*?)^```", (ROOT / path).read_text(), re.M | re.S)
    assert len(blocks) >= least
    names = {}
    for block in blocks:
        exec(compile(block, path, "exec"), names)
