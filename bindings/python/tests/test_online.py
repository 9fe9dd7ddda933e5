"""Learning from dicts."""

import copy
import math
import pickle

import numpy as np
import pytest
from conftest import refused

import okra


def dicts(X):
    return [dict(zip("abcde", row)) for row in X]


def test_is_the_filter_on_columns(stream):
    X, y = (part[:300] for part in stream)
    online, model = okra.OnlineRegressor("rff-krls", sigma=5), okra.Filter("rff-krls", 5, sigma=5)
    for i, (x, row, target) in enumerate(zip(dicts(X), X, y)):
        assert online.predict_one(x) == (0.0 if i == 0 else model.predict(row))
        shuffled = dict(sorted(x.items(), reverse=i % 2 == 1))  # order does not matter
        online.learn_one(shuffled if i else x, target, 1.0 + i % 2)
        model.step(row, target, 1.0 + i % 2)


def test_learns_with_nothing_chosen():
    X, y = okra.signal("ex2", 2000)
    online, error = okra.OnlineRegressor(), []
    for x, target in zip(dicts(X), y):
        error.append(target - online.predict_one(x))
        online.learn_one(x, target)
    assert np.mean(np.square(error[1000:])) < 0.02 * y.var()


def test_names_are_fixed_at_first_sight(X, y):
    online = okra.OnlineRegressor("rff-klms")
    assert online.predict_one({"whatever": 1}) == 0.0
    online.learn_one(dicts(X)[0], y[0])
    before = online.model._pack({})
    few, many, other = dict(a=1, b=2), dict(zip("abcdef", range(6))), dict(zip("abcdf", range(5)))
    for x, words in ((few, "feature 'c' is missing"), (many, "feature 'f' is new"), (other, "feature 'e' is missing")):
        refused(okra.ParameterError, words, lambda: online.predict_one(x))
        refused(okra.ParameterError, words, lambda: online.learn_one(x, 1.0))
    refused(okra.ParameterError, "was a number before", lambda: online.learn_one(dicts(X)[0], {"y": 1.0}))
    assert online.model._pack({}) == before
    refused(okra.ParameterError, "no features", lambda: okra.OnlineRegressor().learn_one({}, 1.0))
    refused(okra.ParameterError, "", lambda: okra.OnlineRegressor(sigma=-1).learn_one({"a": 1.0}, 1.0))


def test_a_bad_first_row_fixes_nothing():
    online = okra.OnlineRegressor("rff-klms")
    refused(okra.SampleError, "", lambda: online.learn_one({"a": math.inf}, 1.0))
    online.learn_one({"b": 1.0}, 1.0)
    assert online.feature_names == ("b",)


def test_missing_values():
    online = okra.OnlineRegressor("rff-klms")
    online.learn_one({"a": 1.0, "b": 2.0}, 1.0)
    online.learn_one({"a": None, "b": 2.0}, 1.0)
    online.learn_one({"a": 1.0, "b": 2.0}, math.nan)
    assert online.model.stats["learnt"] == 1 and online.model.stats["rows"] == 3
    assert math.isnan(online.predict_one({"a": math.nan, "b": 2.0}))
    for row in ({"a": None, "b": math.inf}, {"a": 1.0, "b": -math.inf}):
        refused(okra.SampleError, "", lambda: online.learn_one(row, 1.0))
        refused(okra.SampleError, "", lambda: online.predict_one(row))
    lagged = okra.OnlineRegressor("rff-klms", lags=2)  # takes a gap for what it is
    for a in (1.0, None, 2.0, 3.0):
        lagged.learn_one({"a": a}, {"up": 1.0, "down": -1.0})
    assert lagged.model.stats["learnt"] == 1 and lagged.model.stats["rows"] == 4
    assert all(map(math.isnan, lagged.predict_one({"a": None}).values()))


def test_several_targets_by_name(X, y):
    online = okra.OnlineRegressor("rff-krls", sigma=5)
    for x, target in zip(dicts(X[:500]), y):
        online.learn_one(x, {"up": target, "down": -target})
    said = online.predict_one(dicts(X)[0])
    assert set(said) == {"up", "down"} and said["up"] == pytest.approx(-said["down"])
    refused(okra.ParameterError, "target 'down' is missing", lambda: online.learn_one(dicts(X)[0], {"up": 1.0}))
    refused(okra.ParameterError, "was a dict before", lambda: online.learn_one(dicts(X)[0], 1.0))
    only = okra.OnlineRegressor("rff-klms")
    only.learn_one({"a": 1.0}, {"y": 1.0})
    assert set(only.predict_one({"a": 1.0})) == {"y"} and isinstance(only.predict_one({"a": 1.0})["y"], float)


@pytest.mark.parametrize("twin", [copy.deepcopy, lambda m: pickle.loads(pickle.dumps(m))])
def test_twins(twin, X, y):
    online = okra.OnlineRegressor("rff-klms")
    for x, target in zip(dicts(X[:50]), y):
        online.learn_one(x, target)
    other = twin(online)
    assert other.predict_one(dicts(X)[0]) == online.predict_one(dicts(X)[0])
    other.learn_one(dicts(X)[0], y[0])
    assert other.model.stats["learnt"] == 51 and online.model.stats["learnt"] == 50
