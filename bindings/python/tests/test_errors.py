"""Refusals: the right exception, the library's words, and nothing changed."""

import numpy as np
import pytest

import okra


@pytest.fixture
def learnt(stream):
    X, y = stream
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
        (dict(sigma="auto"), "needs a model around the filter"),
        (dict(omega=np.ones((4, 3))), "omega and phase go together"),
        (dict(omega=np.ones((4, 3)), phase=np.ones(5)), "omega has 4 rows and phase 5"),
        (dict(omega=np.ones((4, 2)), phase=np.ones(4)), "omega has the shape"),
        (dict(omega=np.ones((4, 3)), phase=np.ones(4), features=5), "leave features out"),
    ],
)
def test_parameters(params, words):
    with pytest.raises(okra.ParameterError) as error:
        okra.Filter("rff-klms", 3, **params)
    assert words in str(error.value)
    assert isinstance(error.value, ValueError) and error.value.status > 0


def test_values_that_are_neither_numbers_nor_words():
    for value in (None, True, object()):
        with pytest.raises(TypeError):
            okra.Filter("rff-klms", 3, mu=value)


def test_sizes():
    for dim, outputs in ((0, 1), (-1, 1), (1, 0), (1, -2)):
        with pytest.raises(okra.ParameterError):
            okra.Filter("lms", dim, outputs)
    with pytest.raises(okra.ParameterError, match="no recipe 'rff': okra.recipes"):
        okra.Filter("rff", 3)
    with pytest.raises(MemoryError):
        okra.Filter("rff-krls", 3, features=2**30)


def test_shapes(learnt):
    before = learnt._pack({})
    for X, Y in ((np.ones((3, 4)), np.ones(3)), (np.ones((3, 5)), np.ones((3, 2))), (np.ones((3, 5)), np.ones(4))):
        with pytest.raises(okra.ParameterError):
            learnt.run(X, Y)
    with pytest.raises(okra.ParameterError, match=r"X has the shape \(1, 2, 5\)"):
        learnt.run(np.ones((1, 2, 5)), np.ones(2))
    with pytest.raises(okra.ParameterError, match="there are weights for 2"):
        learnt.run(np.ones((3, 5)), np.ones(3), np.ones(2))
    with pytest.raises(okra.ParameterError, match="x has 2 rows"):
        learnt.step(np.ones((2, 5)), 1.0)
    with pytest.raises(okra.ParameterError):
        learnt.step([1.0, 2.0], 1.0)
    with pytest.raises((TypeError, ValueError)):
        learnt.step(["a"] * 5, 1.0)
    with pytest.raises(TypeError):
        learnt.step(np.ones(5))
    with pytest.raises(TypeError):
        learnt.step(np.ones(5), 1.0, colour=2)
    assert learnt._pack({}) == before


def test_bad_samples_leave_no_trace(learnt):
    before = learnt._pack({})
    for x, y in ((np.nan, 1.0), (np.inf, 1.0), (1.0, np.nan), (1.0, -np.inf)):
        with pytest.raises(okra.SampleError, match="NaN or infinity") as error:
            learnt.step(np.full(5, x), y)
        assert isinstance(error.value, ValueError)
        assert learnt._pack({}) == before
    with pytest.raises(okra.SampleError):
        learnt.step(np.ones(5), 1.0, -1.0)
    with pytest.raises(okra.SampleError):
        learnt.predict(np.full(5, np.nan))
    assert learnt._pack({}) == before


def test_a_run_stops_at_the_bad_row(stream):
    X, y = (part[:50].copy() for part in stream)
    X[20, 3] = np.nan
    f, witness = (okra.Filter("rff-klms", 5, sigma=5) for _ in range(2))
    with pytest.raises(okra.SampleError, match="row 20: ") as error:
        f.run(X, y)
    assert error.value.done == 20 and f.stats["learnt"] == 20
    witness.run(X[:20], y[:20])
    assert f._pack({}) == witness._pack({})


def test_divergence_is_refused(stream):
    X, y = stream
    f = okra.Filter("lms", 5, mu=1e30)
    with pytest.raises(okra.DivergedError, match="lower the step size") as error:
        f.run(1e30 * X, y)
    assert isinstance(error.value, RuntimeError)
    assert np.isfinite(f.state["theta"]).all()


def test_a_full_dictionary(stream):
    X, y = stream
    f = okra.Filter("klms", 5, sigma=5, capacity=10, when_full="error")
    with pytest.raises(okra.FullError, match="row 10: the dictionary is full") as error:
        f.run(X, y)
    assert error.value.done == 10 and f.stats["centres"] == 10


def test_no_deviations_without_least_squares():
    with pytest.raises(okra.UnsupportedError, match="this recipe cannot do that"):
        okra.Filter("rff-klms", 2).predict([[1.0, 2.0]], return_std=True)


def test_state(learnt):
    before = learnt._pack({})
    with pytest.raises(okra.StateError, match="no state array"):
        learnt.state["alpha"]
    with pytest.raises(LookupError):
        learnt.state["alpha"] = 1
    with pytest.raises(okra.ParameterError):
        learnt.state["theta"] = np.ones((1, 3))
    with pytest.raises(okra.ParameterError, match="theta has 1 rows, and 2"):
        learnt.state["theta"] = np.ones((2, 40))
    with pytest.raises(okra.SampleError):
        learnt.state["theta"] = np.full((1, 40), np.nan)
    with pytest.raises(okra.StateError):
        learnt._counter_write("nobody", 1)
    assert learnt._pack({}) == before


def test_hierarchy():
    for name in okra.__all__:
        thing = getattr(okra, name)
        if isinstance(thing, type) and issubclass(thing, Exception):
            assert issubclass(thing, okra.Error)
    assert issubclass(okra.FileError, OSError) and issubclass(okra.FormatError, ValueError)
    assert issubclass(okra.OutOfMemoryError, MemoryError)


def test_lab():
    with pytest.raises(okra.ParameterError, match="no signal 'ex9': okra.signals"):
        okra.signal("ex9", 10)
    with pytest.raises(okra.ParameterError):
        okra.signal("ex2", 10, colour=1)
    with pytest.raises(okra.ParameterError):
        okra.signal("ex2", -1)
    with pytest.raises(okra.ParameterError, match="theory has no 'colour'"):
        okra.theory(colour=1)
    with pytest.raises(okra.ParameterError):
        okra.theory(mu=-1.0)
    with pytest.raises(okra.UnsupportedError):
        okra.theory(features=50, centres=0).curve(10)
