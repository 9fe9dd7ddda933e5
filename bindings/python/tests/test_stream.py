"""Lags, horizon, scale: the program `okra` on the same rows says the same, and the promises of the interface."""

import copy
import pickle

import numpy as np
import pytest
from conftest import read_predictions, refused, same, write_csv

import okra


@pytest.fixture(scope="module")
def stream():
    return okra.signal("ex4", 900, seed=2)


CASES = {
    "auto": ("auto", {}),
    "lags": ("rff-krls", dict(lags=3, target_lags=2, scale="auto", sigma="auto")),
    "horizon": ("rff-klms", dict(lag_from=1, lags=4, horizon=3, mu=0.3, map="orf", seed=5)),
    "dictionary": ("qklms", dict(target_lags=4, scale="auto", warmup=100, when_full="oldest", capacity=50)),
    "float32": ("rff-nlms", dict(lags=2, precision="f32", kernel="laplacian")),
    "loss": ("rff-klms", dict(sigma=5, loss="huber", loss_scale=0.5, leak=0.01)),
    "tracked loss": ("rff-krls", dict(sigma=5, loss="mcc", forget="prior", beta=0.99)),
    "quantile": ("rff-nlms", dict(sigma=5, loss="quantile", quantile=0.9)),
    "mu auto": ("rff-nlms", dict(sigma=5, mu="auto", loss="cauchy")),
    "apa": ("rff-apa", dict(sigma=5, order=3, reg=0.1)),
    "apsm": ("rff-apsm", dict(sigma=5, order=3, tolerance=0.2)),
}


@pytest.mark.parametrize("name", CASES)
def test_says_what_the_program_says(name, X, y, program, tmp_path):
    recipe, options = CASES[name]
    write_csv(tmp_path / "rows.csv", X, y)
    words = [f"--{key.replace('_', '-')}={value}" for key, value in options.items()]
    theirs = read_predictions(program("run", "--quiet", "--recipe", recipe, *words, "rows.csv", cwd=tmp_path))
    m = okra.Filter(recipe, inputs=X.shape[1], **options)
    ours = m.run(X, y)
    if m.dtype == np.float32:
        theirs = theirs.astype("f4")
    np.testing.assert_array_equal(ours, theirs)  # NaN where there are no lags yet
    assert np.isfinite(ours[20:]).all()


def test_asking_changes_nothing_and_foretells(X, y):
    m = okra.Filter("rff-krls", inputs=X.shape[1], lags=2, target_lags=1, horizon=2, scale="auto", sigma="auto")
    for t in range(100):
        before = m._pack({})
        asked = m.predict(X[t : t + 2])
        assert asked.shape == (2,) and m._pack({}) == before
        said = m.step(X[t], y[t])
        assert said == asked[0] or (np.isnan(said) and np.isnan(asked[0]))


def test_rows_that_pass_without_learning(X, y):
    m = okra.Filter("rff-krls", inputs=X.shape[1], lags=2, sigma=2)
    m.run(X[:300], y[:300])
    learnt, twin = m.state["theta"], copy.copy(m)
    yhat = m.run(X[300:400], y[300:400], learn=False)
    assert same(m.state["theta"], learnt) and m.counters["rows"] == 400
    one_by_one = []
    for u, t in zip(X[300:400], y[300:400]):
        one_by_one.append(twin.predict(u))
        twin.run(u[None], None, learn=False)
    assert same(yhat, np.array(one_by_one))


def test_the_width_in_force(X, y):
    f = okra.Filter("rff-krls", 2, sigma="auto", warmup=100)
    f.run(X[:15], y[:15])
    assert f.params["sigma"] == "auto" and "sigma" not in f.state
    f.run(X[15:16], y[15:16])
    distances = np.sqrt(((X[:16, None] - X[None, :16]) ** 2).sum(axis=-1))[np.triu_indices(16, 1)]
    assert distances.min() < f.params["sigma"] < distances.max() and f.params["sigma"] == f.state["sigma"][0, 0]
    assert "sigma='auto'" in repr(okra.Filter("rff-krls", sigma="auto"))
    f.reset()
    assert f.params["sigma"] == "auto" and f.stats["rows"] == 0


def test_restarts(X, y):
    """By itself, where the data has left what scale and width were chosen for; and when told to."""
    f = okra.Filter(inputs=2, features=40, warmup=64)
    f.run(X, y)
    assert f.stats["restarts"] == 0 and f.stats["rows"] == 900
    f.run(1e4 + 1e3 * X, 1e5 * y)
    assert f.stats["restarts"] == f.counters["restarts"] > 0 and f.stats["rows"] == 1800
    found = okra.Filter("rff-krls", inputs=2, scale="auto", sigma="auto")
    found.run(X, y)
    found.restart()
    assert found.stats["rows"] == 900 and found.params["sigma"] == "auto" and found.stats["restarts"] == 0
    lagged = okra.Filter("rff-krls", inputs=2, lags=3)
    lagged.run(X, y)
    lagged.restart()
    assert lagged.step(X[0], y[0]) == 0  # nothing is known, but the lags are still there ..
    lagged.reset()
    assert np.isnan(lagged.step(X[0], y[0]))  # .. which a reset forgets


def test_missing_values_and_gaps(stream):
    X, y = (part[:60].copy() for part in stream)
    X[10], y[20] = np.nan, np.nan
    m = okra.Filter("nlms", inputs=X.shape[1], lags=3)
    yhat = m.run(X, y)
    assert np.isnan(yhat[[0, 1, 10, 11, 12]]).all() and np.isnan(yhat).sum() == 5
    assert m.stats["learnt"] == 60 - 5 - 1
    m.skip()
    assert np.isnan(m.predict(X[0])) and m.counters["rows"] == 61
    assert np.isnan(m.step(X[0], None))


@pytest.mark.parametrize("params", [dict(lags=2), dict(horizon=2), dict(scale="auto"), dict(sigma="auto")], ids=str)
def test_whatever_is_not_bare_takes_missing_values(params):
    f = okra.Filter("rff-klms", **params)
    assert np.isnan(f.step(np.nan, 1.0)) and np.isnan(f.run([np.nan], [np.nan])).all() and f.stats["learnt"] == 0
    refused(okra.SampleError, "", lambda: okra.Filter("rff-klms").step(np.nan, 1.0))


def test_a_series_needs_no_inputs():
    _, y = okra.signal("mackey-glass", 1200)
    m = okra.Filter("rff-krls", inputs=0, target_lags=7, scale="auto", sigma="auto", lambda_=1e-5)
    yhat, std = m.run(None, y, return_std=True)
    error = (yhat - y)[600:]
    assert (error**2).mean() < 1e-3 * y.var()
    assert np.mean(np.abs(error) < 1.96 * std[600:]) > 0.8
    assert isinstance(m.predict(), float) and m.step(None, y[0]) == pytest.approx(y[0], abs=2)
    refused(okra.ParameterError, "needs the targets", lambda: m.run(None, None))


def test_several_targets(X, y):
    Y = np.column_stack([y, 1000 - 5 * y])
    m = okra.Filter(inputs=X.shape[1], outputs=2, features=60)
    yhat, std = m.run(X, Y, return_std=True)
    assert yhat.shape == std.shape == (900, 2)
    # the ensemble weighs its members by both targets, which are one and the same, scaled
    np.testing.assert_allclose(yhat[600:, 1], 1000 - 5 * yhat[600:, 0], rtol=1e-6)
    assert m.predict(X[0]).shape == (2,) and m.predict(X[:3], return_std=True)[1].shape == (3, 2)


@pytest.mark.parametrize("twin", [copy.copy, copy.deepcopy, lambda m: pickle.loads(pickle.dumps(m))])
@pytest.mark.parametrize("name", CASES)
def test_twins_go_on_alike(name, twin, X, y):
    recipe, options = CASES[name]
    m = okra.Filter(recipe, inputs=X.shape[1], **options)
    m.run(X[:200], y[:200])  # in the middle of a warm-up
    other = twin(m)
    assert type(other) is okra.Filter and other.params == m.params
    assert same(other.run(X[200:], y[200:]), m.run(X[200:], y[200:]))


def test_errors(X, y):
    m = okra.Filter("lms", inputs=X.shape[1])
    before = m._pack({})
    refused(okra.ParameterError, "the filter has 2 inputs, and none are given", lambda: m.run(None, y))
    refused(okra.ParameterError, "the filter has 1 input, and none is given", okra.Filter("lms", lags=2).predict)
    refused(okra.ParameterError, "there are 4 rows of targets, and 5 of the others", lambda: m.run(X[:5], y[:4]))
    refused(okra.SampleError, "row 0: ", lambda: m.run(np.full((1, X.shape[1]), np.inf), [1.0]))
    refused(okra.UnsupportedError, "", lambda: m.predict(X[:1], return_std=True))
    refused(okra.ParameterError, "scale: 'robust' is none of", lambda: okra.Filter("lms", inputs=1, scale="robust"))
    refused(okra.ParameterError, "lags: '-1' is not a whole number", lambda: okra.Filter("lms", inputs=1, lags=-1))
    refused(okra.ParameterError, "nothing to predict from", lambda: okra.Filter("lms", inputs=0))
    assert m._pack({}) == before
