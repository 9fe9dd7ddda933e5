"""Refusals: the right exception, the library's words, and nothing changed."""

import numpy as np
import pytest
from conftest import refused

import okra


@pytest.fixture
def learnt(X, y):
    f = okra.Filter("rff-krls", 5, sigma=5, features=40)
    f.run(X[:100], y[:100])
    return f


@pytest.mark.parametrize(
    "params, words",
    [
        (dict(mu=0), "mu = 0 is out of range"),
        (dict(mu="fast"), "mu: 'fast' is not a number"),
        (dict(mu=float("nan")), "mu: 'nan' is not a number"),
        (dict(features=0), "features = 0 is out of range"),
        (dict(features=-3), "features: '-3' is not a whole number"),
        (dict(features=2.5), "features: '2.5' is not a whole number"),
        (dict(kernel="box"), "kernel: 'box' is none of: gaussian"),
        (dict(precision="float16"), "is none of: f64, f32"),
        (dict(map="orf", features=3), "is odd"),
        (dict(beta=0.9), "rff-klms has no parameter 'beta'"),
        (dict(colour="red"), "rff-klms has no parameter 'colour'"),
        (dict(loss="robust"), "loss: 'robust' is none of: square, huber, mcc, cauchy, quantile"),
        (dict(loss_scale=0), "loss-scale = 0 is out of range"),
        (dict(loss="quantile", quantile=1), "quantile = 1 is out of range"),
        (dict(mu=1, leak=4), "leak = 4 is too large for this mu"),
        (dict(forget="prior"), "rff-klms has no parameter 'forget'"),
        (dict(sigma="auto,1"), "sigma: 'auto,1' is not a number"),
        (dict(omega=np.ones((4, 3))), "omega and phase go together"),
        (dict(omega=np.ones((4, 3)), phase=np.ones(5)), "omega has 4 rows and phase 5"),
        (dict(omega=np.ones((4, 2)), phase=np.ones(4)), "omega has the shape"),
        (dict(omega=np.ones((4, 3)), phase=np.ones(4), features=5), "leave features out"),
    ],
)
def test_parameters(params, words):
    error = refused(okra.ParameterError, "", lambda: okra.Filter("rff-klms", 3, **params))
    assert words in str(error)
    assert isinstance(error, ValueError) and error.status > 0


def test_values_that_are_neither_numbers_nor_words():
    for value in (None, True, object()):
        refused(TypeError, "", lambda: okra.Filter("rff-klms", 3, mu=value))


def complex_arguments():
    """Every door for numbers, with something complex: how it is called, and the name that the refusal has."""
    X, y, z = np.ones((4, 3)), np.ones(4), np.complex64(1)
    filtered = okra.Filter("rff-klms", 3, features=8)
    lagged = okra.Filter("rff-klms", 3, features=8, lags=2)
    features = okra.Map(3, features=8)
    online = okra.OnlineRegressor("lms")
    online.learn_one({"a": 1.0}, 1.0)
    return [
        ("U", lambda: filtered.run(X + 0j, y)),
        ("Y", lambda: filtered.run(X, y * z)),
        ("weights", lambda: filtered.run(X, y, weights=y * z)),
        ("U", lambda: filtered.predict(np.asfortranarray(X * 1j))),
        ("U", lambda: filtered.predict([[1j, 2, 3], [1, 2, 3]])),
        ("u", lambda: filtered.step(X[0] * 1j, 1.0)),
        ("u", lambda: filtered.step([1j, 2.0, 3.0], 1.0)),
        ("u", lambda: filtered.step([np.complex128(1j), 2.0, 3.0], 1.0)),
        ("y", lambda: filtered.step(X[0], 1j)),
        ("y", lambda: filtered.step(X[0], z)),
        ("weight", lambda: filtered.step(X[0], 1.0, z)),
        ("weight", lambda: filtered.step(X[0], 1.0, weight=np.complex128(1j))),
        ("theta", lambda: filtered.state.update(theta=filtered.state["theta"] * z)),
        ("omega", lambda: okra.Filter("rff-klms", 3, omega=np.ones((8, 3)) * 1j, phase=np.ones(8))),
        ("phase", lambda: okra.Filter("rff-klms", 3, omega=np.ones((8, 3)), phase=np.ones(8) * 1j)),
        ("U", lambda: lagged.run(X * z, y)),
        ("Y", lambda: lagged.run(X, y * z)),
        ("weights", lambda: lagged.run(X, y, weights=y * z)),
        ("u", lambda: lagged.step(X[0] * z, 1.0)),
        ("y", lambda: lagged.step(X[0], z)),
        ("weight", lambda: lagged.step(X[0], 1.0, 1j)),
        ("U", lambda: lagged.predict(X * z)),
        ("X", lambda: features(X * z)),
        ("X", lambda: okra.features(X * z, features=8)),
        ("X", lambda: features.kernel(X * z, X)),
        ("Y", lambda: features.kernel(X, X * z)),
        ("noise", lambda: okra.signal("ex2", 10, noise=np.complex128(1j))),
        ("mu", lambda: okra.theory(mu=z)),
        ("feature 'a'", lambda: online.learn_one({"a": z}, 1.0)),
        ("feature 'a'", lambda: online.predict_one({"a": 1j})),
        ("y", lambda: online.learn_one({"a": 1.0}, 1j)),
    ]


def test_complex_numbers():
    """numpy drops an imaginary part with a warning; here it is an error, and nothing is learnt."""
    for name, call in complex_arguments():
        refused(okra.ParameterError, f"^{name} is complex: take .real, or give", call)
    learnt = okra.Filter("rff-klms", 3, features=8)
    refused(okra.ParameterError, "", lambda: learnt.run(np.ones((4, 3)) * 1j, np.ones(4)))
    assert learnt.stats["learnt"] == 0


def test_sizes():
    for inputs, outputs in ((0, 1), (-1, 1), (1, 0), (1, -2)):
        refused(okra.ParameterError, "", lambda: okra.Filter("lms", inputs, outputs))
    refused(okra.ParameterError, "no recipe 'rff': okra.recipes", lambda: okra.Filter("rff", 3))
    refused(MemoryError, "", lambda: okra.Filter("rff-krls", 3, features=2**30))


def test_shapes(learnt):
    before = learnt._pack({})
    for X, Y in ((np.ones((3, 4)), np.ones(3)), (np.ones((3, 5)), np.ones((3, 2))), (np.ones((3, 5)), np.ones(4))):
        refused(okra.ParameterError, "", lambda: learnt.run(X, Y))
    refused(okra.ParameterError, r"U has the shape \(1, 2, 5\)", lambda: learnt.run(np.ones((1, 2, 5)), np.ones(2)))
    words = "there are 2 rows of weights, and 3 of the others"
    refused(okra.ParameterError, words, lambda: learnt.run(np.ones((3, 5)), np.ones(3), np.ones(2)))
    refused(okra.ParameterError, "u has 2 rows", lambda: learnt.step(np.ones((2, 5)), 1.0))
    refused(okra.ParameterError, "", lambda: learnt.step([1.0, 2.0], 1.0))
    line = okra.Filter("lms", 1)
    for call, what in ((lambda: line.begin([1.0, 2.0]), "input"), (lambda: line.step(0.5, np.ones(2)), "target")):
        refused(okra.ParameterError, f"a row has 1 {what}, and 2 were given", call)
    refused((TypeError, ValueError), "", lambda: learnt.step(["a"] * 5, 1.0))
    for call in (lambda: learnt.step(None, 1.0), lambda: learnt.run(None, np.ones(3)), learnt.predict):
        refused(okra.ParameterError, "the filter has 5 inputs, and none are given", call)
    refused(TypeError, "", lambda: learnt.step(np.ones(5)))
    refused(TypeError, "", lambda: learnt.step(np.ones(5), 1.0, colour=2))
    assert learnt._pack({}) == before


def test_bad_samples_leave_no_trace(learnt):
    before = learnt._pack({})
    for x, y in ((np.nan, 1.0), (np.inf, 1.0), (1.0, np.nan), (1.0, -np.inf)):
        error = refused(okra.SampleError, "NaN or infinity", lambda: learnt.step(np.full(5, x), y))
        assert isinstance(error, ValueError)
        assert learnt._pack({}) == before
    refused(okra.SampleError, "", lambda: learnt.step(np.ones(5), 1.0, -1.0))
    refused(okra.SampleError, "", lambda: learnt.run(np.ones((1, 5)), [np.nan], learn=False))
    refused(okra.SampleError, "", lambda: learnt.predict(np.full(5, np.nan)))
    assert learnt._pack({}) == before


def test_a_run_stops_at_the_bad_row(stream):
    X, y = (part[:50].copy() for part in stream)
    X[20, 3] = np.nan
    f, witness = (okra.Filter("rff-klms", 5, sigma=5) for _ in range(2))
    error = refused(okra.SampleError, "row 20: ", lambda: f.run(X, y))
    assert error.done == 20 and f.stats["learnt"] == f.stats["rows"] == 20
    witness.run(X[:20], y[:20])
    assert f._pack({}) == witness._pack({})


def test_divergence_is_refused(X, y):
    f = okra.Filter("lms", 5, mu=1e30)
    error = refused(okra.DivergedError, "lower the step size", lambda: f.run(1e30 * X, y))
    assert isinstance(error, RuntimeError)
    assert np.isfinite(f.state["theta"]).all()


def test_a_full_dictionary(X, y):
    f = okra.Filter("klms", 5, sigma=5, capacity=10, when_full="error")
    error = refused(okra.FullError, "row 10: the dictionary is full", lambda: f.run(X, y))
    assert error.done == 10 and f.stats["centres"] == 10


def test_no_deviations_without_least_squares():
    f = okra.Filter("rff-klms", 2)
    refused(okra.UnsupportedError, "this recipe cannot do that", lambda: f.predict([[1.0, 2.0]], return_std=True))
    refused(okra.UnsupportedError, "this recipe cannot do that", lambda: f.run([[1.0, 2.0]], [1.0], return_std=True))
    assert f.stats["rows"] == 0


def test_state(learnt):
    before = learnt._pack({})
    refused(okra.StateError, "no state array", lambda: learnt.state["alpha"])
    refused(LookupError, "", lambda: learnt.state.update(alpha=1))
    refused(okra.ParameterError, "", lambda: learnt.state.update(theta=np.ones((1, 3))))
    refused(okra.ParameterError, "theta has 1 rows, and 2", lambda: learnt.state.update(theta=np.ones((2, 40))))
    refused(okra.SampleError, "", lambda: learnt.state.update(theta=np.full((1, 40), np.nan)))
    refused(okra.StateError, "", lambda: learnt._counter_write("nobody", 1))
    assert learnt._pack({}) == before


def test_hierarchy():
    for name in okra.__all__:
        thing = getattr(okra, name)
        if isinstance(thing, type) and issubclass(thing, Exception):
            assert issubclass(thing, okra.Error)
    assert issubclass(okra.FileError, OSError) and issubclass(okra.FormatError, ValueError)
    assert issubclass(okra.OutOfMemoryError, MemoryError)


def test_lab():
    refused(okra.ParameterError, "no signal 'ex9': okra.signals", lambda: okra.signal("ex9", 10))
    refused(okra.ParameterError, "", lambda: okra.signal("ex2", 10, colour=1))
    refused(okra.ParameterError, "", lambda: okra.signal("ex2", -1))
    refused(okra.ParameterError, "theory has no 'colour'", lambda: okra.theory(colour=1))
    refused(okra.ParameterError, "", lambda: okra.theory(mu=-1.0))
    refused(okra.UnsupportedError, "", lambda: okra.theory(features=50, centres=0).curve(10))
