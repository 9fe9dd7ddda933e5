"""Every example in a docstring runs. Those of the pages are run by tests/docs."""

import doctest
import importlib
import pkgutil

import pytest

import okra

MODULES = ["okra"] + [f"okra.{m.name}" for m in pkgutil.iter_modules(okra.__path__) if m.name != "_core"]


@pytest.mark.parametrize("name", MODULES)
def test_docstrings(name):
    failed, _ = doctest.testmod(importlib.import_module(name))
    assert failed == 0


def test_the_important_ones_have_examples():
    public = [okra, okra.Filter, okra.Filter.predict, okra.Map, okra.OnlineRegressor]
    public += [okra.features, okra.theory, okra.signal, okra.signals, okra.recipes]
    assert [thing for thing in public if ">>> " not in thing.__doc__] == []


def test_everything_public_is_explained():
    assert [name for name in okra.__all__ if not getattr(okra, name).__doc__] == []
