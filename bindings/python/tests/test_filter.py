"""Filters against numpy's formulas, and the promises of the interface."""

import contextlib
import copy
import locale
import pickle
import tracemalloc

import numpy as np
import pytest
from conftest import refused, same

import okra

RECIPES = list(okra.recipes())


def make(recipe, inputs=5, outputs=1, **params):
    """Small, and bare: with a width, which `auto` would find by itself, and no scale."""
    own = okra.recipes()[recipe].params
    small = {"sigma": 5.0, "features": 60, "capacity": 80, "scale": "none"}
    return okra.Filter(recipe, inputs, outputs, **{**{k: v for k, v in small.items() if k in own}, **params})


# ---- against numpy -------------------------------------------------------------------------------------------


def cosines(state, X):
    """sqrt(2/D) cos(omega.x + b), from the frequencies, which the state has in cycles."""
    omega, phase = 2 * np.pi * state["omega"], 2 * np.pi * state["phase"][:, 0]
    return np.sqrt(2 / len(phase)) * np.cos(X @ omega.T + phase)


def test_lms_is_the_formula(X, y):
    f = okra.Filter("rff-klms", 5, sigma=5, mu=0.7, features=100)
    Z = cosines(f.state, X)
    theta, wanted = np.zeros(100), []
    for z, target in zip(Z, y):
        wanted.append(theta @ z)
        theta = theta + 0.7 * (target - wanted[-1]) * z
    # roundings of 2^-53 in a thousand steps of a contraction
    np.testing.assert_allclose(f.run(X, y), wanted, rtol=0, atol=1e-11)
    np.testing.assert_allclose(f.state["theta"][0], theta, rtol=0, atol=1e-11)


def test_rls_is_least_squares(X, y):
    Y = np.column_stack([y, y**2])
    f = okra.Filter("rff-krls", 5, outputs=2, sigma=5, features=50, lambda_=0.3)
    f.run(X, Y)
    Z = cosines(f.state, X)
    padded = np.vstack([Z, np.sqrt(0.3) * np.eye(50)])
    theta = np.linalg.lstsq(padded, np.vstack([Y, np.zeros((50, 2))]), rcond=None)[0]
    np.testing.assert_allclose(f.predict(X), Z @ theta, rtol=0, atol=1e-8)


def test_deviations_are_those_of_least_squares(X, y):
    f = okra.Filter("rls", 5, lambda_=1e-8)
    f.run(X, y)
    _, std = f.predict(X, return_std=True)
    Z = np.column_stack([X, np.ones(len(X))])
    residual = y - Z @ np.linalg.lstsq(Z, y, rcond=None)[0]
    spread = np.sqrt(residual @ residual / len(y) * (1 + np.einsum("ij,jk,ik->i", Z, np.linalg.inv(Z.T @ Z), Z)))
    # the noise is estimated from a-priori errors as they came: a few percent beside the residuals afterwards
    np.testing.assert_allclose(std, spread, rtol=0.1)


# ---- promises --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("precision", ["float64", "float32"])
@pytest.mark.parametrize("recipe", [*RECIPES, "auto with scale"])
def test_a_run_is_its_steps(recipe, precision, stream):
    X, y = (part[:300].astype(precision) for part in stream)
    recipe, *scaled = recipe.split(" with ")
    params = dict(scale="auto", sigma="auto", warmup=100, features=40) if scaled else {}
    stepped, ran = (make(recipe, precision=precision, **params) for _ in range(2))
    one_by_one = np.array([stepped.step(x, t) for x, t in zip(X, y)], dtype=precision)
    assert same(ran.run(X, y), one_by_one)
    assert ran._pack({}) == stepped._pack({})
    assert ran.stats["rows"] == 300 and (scaled or ran.stats["learnt"] == 300)


@pytest.mark.parametrize("recipe, params", [("rff-nlms", {}), ("rff-nlms", {"precision": "f32"}), ("nlms", {})])
def test_long_runs_are_their_steps_too(recipe, params):
    """Longer than what is learnt without a look at Ctrl-C, twice, with targets and weights that tell rows apart."""
    X, y = okra.signal("ex2", 10_000)
    Y, weights = np.column_stack([y, -y]), np.linspace(0.5, 1.5, len(y))
    ran, stepped = (make(recipe, 5, 2, **params) for _ in range(2))
    one_by_one = [stepped.step(*sample) for sample in zip(X, Y, weights)]
    assert same(ran.run(X, Y, weights), np.array(one_by_one))
    assert ran._pack({}) == stepped._pack({})


@pytest.mark.parametrize("params", [{}, {"precision": "f32"}, {"lags": 3, "horizon": 2}, {"outputs": 2}])
def test_two_halves_are_a_step(params, X, y):
    outputs = params.get("outputs", 1)
    Y = y if outputs == 1 else np.column_stack([y, -y])
    halves, steps = (okra.Filter("rff-krls", X.shape[1], sigma=5, **params) for _ in range(2))
    for x, target in zip(X[:50], Y[:50]):
        said = halves.begin(x)
        weight = float(1 / (1 + np.nan_to_num(np.abs(said - target)).max()))
        assert halves.commit(target, weight=weight) is None
        assert np.array_equal(said, steps.step(x, target, weight), equal_nan=True)
    assert np.array_equal(halves.state["theta"], steps.state["theta"])
    refused(okra.Error, r"no row was begun: call begin\(\) before commit\(\)", lambda: halves.commit(Y[0]))
    halves.begin(X[0])
    halves.commit(None)
    assert halves.stats["rows"] == 51


def test_a_prediction_is_what_the_next_step_says(X, y):
    f = make("rff-krls")
    for x, t in zip(X[:100], y):
        foretold = f.predict(x)
        assert isinstance(foretold, float)
        assert f.step(x, t) == foretold


@pytest.mark.parametrize("change", ["strided", "fortran", "float32", "integers", "lists", "big-endian", "unaligned"])
def test_any_layout_gives_the_same(change, stream):
    X, y = np.round(stream[0][:200] * 4), np.round(stream[1][:200] * 4)  # exact in every type
    wide = np.zeros((200, 12))
    wide[:, ::2][:, :5] = X
    packed = np.zeros(200, dtype=[("skip", "u1"), ("x", "f8", 5)])
    packed["x"] = X
    forms = {
        "strided": (wide[:, ::2][:, :5], np.repeat(y, 3)[::3]),
        "fortran": (np.asfortranarray(X), y[:, None]),
        "float32": (X.astype("f4"), y.astype("f4")),
        "integers": (X.astype(int), y.astype(int)),
        "lists": (X.tolist(), y.tolist()),
        "big-endian": (X.astype(">f8"), y.astype(">f8")),
        "unaligned": (packed["x"], y),
    }
    a, b = forms[change]
    wanted = make("rff-klms").run(X, y)
    assert same(make("rff-klms").run(a, b).ravel(), wanted)
    stepped = make("rff-klms")
    assert [stepped.step(x, t) for x, t in zip(a, b)] == wanted.tolist()


def test_nothing_is_copied(X, y):
    """Of arrays of the right kind, a run takes memory for its predictions alone."""
    weights, f = np.ones(len(y)), make("rff-klms")
    f.run(X[:1], y[:1])
    tracemalloc.start()
    f.run(X, y, weights)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert y.nbytes <= peak < y.nbytes + 4096


def test_shapes(X, y):
    f = make("rff-klms")
    assert f.run(X[:7], y[:7]).shape == (7,)
    assert f.run(X[:7], y[:7, None]).shape == (7, 1)
    assert f.run(X[:0], y[:0]).shape == (0,)
    two = make("rff-klms", outputs=2)
    Y = np.column_stack([y, -y])
    assert two.run(X[:7], Y[:7]).shape == (7, 2)
    assert two.step(X[7], Y[7]).shape == (2,)
    assert two.step(tuple(X[8].tolist()), Y[8].tolist()).shape == (2,)
    assert two.predict(X[:3]).shape == (3, 2)
    assert two.predict(X[0]).shape == (2,)
    line = make("rff-klms", inputs=1)
    assert line.run(X[:9, 0], y[:9]).shape == (9,)
    assert line.predict(X[:4, 0]).shape == (4,)
    assert isinstance(line.predict(0.5), float)
    assert isinstance(line.step(0.5, 1), float)
    krls = make("rff-krls")
    krls.run(X, y)
    assert [part.shape for part in krls.predict(X[:4], return_std=True)] == [(4,), (4,)]
    assert all(np.ndim(part) == 0 for part in krls.predict(X[0], return_std=True))


def test_float32_is_float32(X, y):
    f = make("rff-krls", precision="float32")
    assert f.dtype == np.float32 and f.params["precision"] == "f32"
    assert f.run(X, y).dtype == np.float32
    assert f.state["theta"].dtype == np.float32
    for name in ("f32", np.float32, np.dtype("f4")):
        assert make("rff-krls", precision=name).dtype == np.float32


def test_weights(X, y):
    weights = np.linspace(0, 2, len(y))
    ran, stepped = make("rff-krls"), make("rff-krls")
    ran.run(X, y, weights)
    for x, t, w in zip(X, y, weights):
        stepped.step(x, t, weight=w)
    assert ran._pack({}) == stepped._pack({})
    before = ran._pack({})
    ran.step(X[0], y[0], 0.0)
    assert same(ran.state["theta"], stepped.state["theta"]) and ran._pack({}) != before


def test_deviations_of_a_run_are_those_of_predict(stream):
    X, y = (part[:100] for part in stream)
    f, twin = make("rff-krls", outputs=2), make("rff-krls", outputs=2)
    Y = np.column_stack([y, -2 * y])
    yhat, std = f.run(X, Y, return_std=True)
    assert yhat.shape == std.shape == (100, 2)
    for i in range(100):
        said, spread = twin.predict(X[i], return_std=True)
        assert same(said, yhat[i]) and same(spread, std[i])
        twin.step(X[i], Y[i])
    assert f._pack({}) == twin._pack({})


@pytest.mark.parametrize("params", [{}, {"lags": 2}, {"horizon": 3}], ids=str)
def test_while_frozen_nothing_is_learnt(params, X, y):
    f = make("rff-krls", **params)
    f.run(X[:200], y[:200])
    learnt, twin, open_eyed = f.state["theta"], copy.copy(f), copy.copy(f)
    yhat = f.run(X[200:300], y[200:300], learn=False)
    assert not f.frozen and same(f.state["theta"], learnt) and f.stats["rows"] == 300
    twin.freeze()
    assert twin.frozen and same(twin.run(X[200:250], y[200:250], learn=True), yhat[:50])
    for other in (copy.copy(twin), copy.deepcopy(twin), pickle.loads(pickle.dumps(twin))):
        assert other.frozen and same(other.run(X[250:300], y[250:300]), yhat[50:])
    assert [twin.step(*sample) for sample in zip(X[250:300], y[250:300])] == yhat[50:].tolist()
    assert twin.stats == f.stats and same(twin.state["theta"], learnt)
    twin.freeze(frozen=False)
    twin.run(X[300:400], y[300:400])
    assert not twin.frozen and not same(twin.state["theta"], learnt)
    assert not same(open_eyed.run(X[200:300], y[200:300]), yhat)


def test_restart_forgets_what_was_learnt(X, y):
    f = make("rff-krls")
    f.run(X[:200], y[:200])
    f.restart()
    assert f.stats["rows"] == 200 and not f.state["theta"].any()
    assert same(f.run(X[200:], y[200:]), make("rff-krls").run(X[200:], y[200:]))


def test_reset_forgets(X, y):
    f = make("auto")
    first = f.run(X, y)
    f.reset()
    assert f.stats["learnt"] == 0
    assert same(f.run(X, y), first)


# ---- parameters ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("recipe", RECIPES)
def test_every_parameter_can_be_set_and_read(recipe):
    for name, param in okra.recipes()[recipe].params.items():
        value = {"choice": next(reversed(param.choices), None), "seed": 2**64 - 1, "count": 24}.get(param.kind, 0.625)
        value = (0.625,) * 5 if name == "widths" else value
        extra = {"kernel": "gaussian"} if name == "map" else {}
        assert make(recipe, **{name: value, **extra}).params[name] == value


def test_defaults_are_the_library_s():
    for name, recipe in okra.recipes().items():
        assert okra.Filter(name, 3).params == {key: param.default for key, param in recipe.params.items()}
    assert okra.Filter().recipe == "auto" and (okra.Filter().inputs, okra.Filter().outputs) == (1, 1)


def test_names_that_python_keeps():
    assert make("rff-krls", lambda_=0.5).params["lambda_"] == 0.5
    assert make("rff-krls", **{"lambda": 0.5}).params["lambda_"] == 0.5
    assert make("nc-klms", novelty_distance=0.5).params["novelty_distance"] == 0.5
    assert make("nc-klms", **{"novelty-distance": 0.5}).params["novelty_distance"] == 0.5
    assert make("rff-klms", sigma=[0.5, 1, 2]).params["sigma"] == (0.5, 1, 2)
    assert make("rff-klms", sigma=np.float32(0.1)).params["sigma"] == float(np.float32(0.1))


def test_numbers_are_read_in_any_locale():
    before = locale.setlocale(locale.LC_NUMERIC)
    try:
        for name in ("de_DE.UTF-8", "fr_FR.UTF-8", "de_DE.utf8"):
            with contextlib.suppress(locale.Error):
                locale.setlocale(locale.LC_NUMERIC, name)
        if locale.localeconv()["decimal_point"] != ",":
            pytest.skip("no locale with decimal commas is installed")
        assert make("rff-klms", sigma=0.5).params["sigma"] == 0.5
    finally:
        locale.setlocale(locale.LC_NUMERIC, before)


def test_given_frequencies(X, y):
    rng = np.random.default_rng(1)
    omega, phase = rng.normal(size=(30, 5)), rng.uniform(0, 6, size=30)
    f = okra.Filter("rff-klms", 5, omega=omega, phase=phase)
    assert f.stats["features"] == 30
    np.testing.assert_allclose(cosines(f.state, X), np.sqrt(2 / 30) * np.cos(X @ omega.T + phase), atol=1e-12)
    f.run(X, y)
    assert same(pickle.loads(pickle.dumps(f)).predict(X), f.predict(X))


# ---- state and copies --------------------------------------------------------------------------------------------


def test_state_is_a_copy_that_can_be_put_back(X, y):
    f = make("rff-krls", outputs=2)
    f.run(X, np.column_stack([y, -y]))
    kept = {name: numbers for name, numbers in f.state.items()}
    assert set(kept) == {"theta", "omega", "phase", "d", "u", "noise"} and len(f.state) == 6
    assert kept["theta"].shape == (2, 60) and "theta" in f.state and "alpha" not in f.state
    said = f.predict(X[:5])
    kept["theta"] *= 2
    assert same(f.predict(X[:5]), said)
    f.state["theta"] = kept["theta"]
    np.testing.assert_allclose(f.predict(X[:5]), 2 * said)
    refused(TypeError, "", lambda: f.state.pop("theta"))


@pytest.mark.parametrize("recipe", RECIPES)
@pytest.mark.parametrize("twin", [copy.copy, copy.deepcopy, lambda f: pickle.loads(pickle.dumps(f))])
def test_twins_go_on_alike_and_apart(recipe, twin, X, y):
    f = make(recipe)
    f.metadata["unit"] = "V"
    f.run(X[:200], y[:200])
    other = twin(f)
    assert type(other) is okra.Filter and other.params == f.params and other.metadata == {"unit": "V"}
    other.metadata["unit"] = "A"
    assert f.metadata == {"unit": "V"}
    before = f._pack({})
    later = other.run(X[200:300], y[200:300])
    assert f._pack({}) == before
    assert same(f.run(X[200:300], y[200:300]), later)


def test_subclasses_keep_what_is_theirs(X, y):
    f = Named("rff-klms", 5, sigma=5)
    f.label = ["mine"]
    f.run(X, y)
    for other in (copy.copy(f), copy.deepcopy(f), pickle.loads(pickle.dumps(f))):
        assert type(other) is Named and other.label == ["mine"] and same(other.predict(X), f.predict(X))


class Named(okra.Filter):
    label: list


def test_counters():
    f = make("lms")
    f.step(np.ones(5), 1.0)
    assert f.counters["learnt"] == 1
    f._counter_write("learnt", 7)
    assert f.stats["learnt"] == 7


@pytest.mark.parametrize("precision", ["float64", "float32"])
def test_relevance_finds_the_inputs_that_matter(precision):
    rng = np.random.default_rng(4)
    X = rng.standard_normal((800, 4))
    y = np.sin(2 * X[:, 2])
    f = okra.Filter("auto", 4, features=100, precision=precision)
    f.run(X[:60], y[:60])
    refused(okra.UnsupportedError, "", lambda: f.relevance)  # no widths were found yet
    f.run(X[60:], y[60:])
    assert f.relevance.shape == (4,) and f.relevance.dtype == np.float64
    assert abs(f.relevance.sum() - 1) < 1e-12 and f.relevance[2] > 0.8
    assert (copy.copy(f).relevance == f.relevance).all()
    assert (pickle.loads(pickle.dumps(f)).relevance == f.relevance).all()


def test_relevance_of_lags_and_of_other_recipes():
    rng = np.random.default_rng(5)
    u = rng.standard_normal((600, 1))
    y = np.sin(2 * np.roll(u[:, 0], 1))
    f = okra.Filter("auto", 1, lags=3, target_lags=2, features=100)
    f.run(u, y)
    assert f.relevance.shape == (5,) and f.relevance.argmax() == 1
    refused(okra.UnsupportedError, "this recipe cannot do that", lambda: okra.Filter("rff-krls", 2).relevance)
