"""The estimators: scikit-learn's own checks, all of them, and company with its other parts."""

import pickle
import warnings

import numpy as np
import pytest
from conftest import refused
from sklearn.base import clone
from sklearn.datasets import make_friedman1
from sklearn.exceptions import NotFittedError, SkipTestWarning
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

import okra
from okra.sklearn import KernelAdaptiveRegressor, RandomFourierFeatures


@pytest.fixture(scope="module")
def stream():
    return make_friedman1(200, noise=0.5, random_state=1)


@pytest.mark.parametrize(
    "estimator",
    [
        KernelAdaptiveRegressor(),
        KernelAdaptiveRegressor(recipe="rff-krls", map="orf", precision="float32"),
        KernelAdaptiveRegressor(recipe="krls"),
        RandomFourierFeatures(),
        RandomFourierFeatures(map="linear+qmc", kernel="laplacian", features=50, sigma=2.0),
    ],
    ids=str,
)
def test_scikit_learn_s_own_checks(estimator):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.simplefilter("error", SkipTestWarning)  # a check that is skipped is a check that did not pass ..
        warnings.filterwarnings("ignore", "pandas is not installed", SkipTestWarning)  # .. except for want of pandas
        check_estimator(estimator)


def test_no_exemptions():
    for estimator in (KernelAdaptiveRegressor(), RandomFourierFeatures()):
        if hasattr(estimator, "_get_tags"):
            tags = estimator._get_tags()
            assert not (tags["_xfail_checks"] or tags["_skip_test"] or tags["poor_score"] or tags["non_deterministic"])


def test_learns_from_200_rows(X, y):
    test_X, test_y = make_friedman1(1000, noise=0.5, random_state=2)
    ours = KernelAdaptiveRegressor().fit(X, y).score(test_X, test_y)
    linear = LinearRegression().fit(X, y).score(test_X, test_y)
    ridge = make_pipeline(StandardScaler(), KernelRidge(kernel="rbf", gamma=0.05, alpha=0.1))
    centred = ridge.fit(X, y - y.mean()).score(test_X, test_y - y.mean())
    assert 1 - ours < 0.7 * (1 - linear)
    assert ours > centred - 0.05  # one pass of an ensemble beside the batch solution


def test_is_kernel_ridge_in_the_limit():
    """RLS on many features of a kernel is ridge regression with that kernel: z(x).z(y) -> kappa, lambda = alpha."""
    rng = np.random.default_rng(3)
    X = rng.normal(size=(150, 2))
    y = np.sin(X[:, 0]) * X[:, 1]
    ours = KernelAdaptiveRegressor(
        recipe="rff-krls", map="quadrature", features=800, sigma=1.0, lambda_=0.1, scale="none"
    ).fit(X, y)
    ridge = KernelRidge(kernel="rbf", gamma=0.5, alpha=0.1).fit(X, y)
    points = rng.normal(size=(50, 2))
    np.testing.assert_allclose(ours.predict(points), ridge.predict(points), atol=0.01)


def test_partial_fit_goes_on(X, y):
    whole = KernelAdaptiveRegressor().partial_fit(X, y)
    parts = KernelAdaptiveRegressor()
    for i in range(0, 200, 37):
        parts.partial_fit(X[i : i + 37], y[i : i + 37])
    np.testing.assert_array_equal(whole.predict(X), parts.predict(X))
    again = whole.fit(X, y).predict(X)
    np.testing.assert_array_equal(again, KernelAdaptiveRegressor().fit(X, y).predict(X))
    weighed = KernelAdaptiveRegressor(recipe="rff-krls").partial_fit(X, y, np.ones(200))
    np.testing.assert_array_equal(weighed.predict(X), KernelAdaptiveRegressor(recipe="rff-krls").partial_fit(X, y).predict(X))


def test_scale_is_that_of_all_rows_of_a_fit(stream):
    X, y = (part[:40] for part in stream)
    model = KernelAdaptiveRegressor(recipe="rff-krls").fit(X, y)
    np.testing.assert_allclose(model.model_.state["scale.mean"][0], [*X.mean(axis=0), y.mean()])
    assert KernelAdaptiveRegressor(recipe="rff-krls").partial_fit(X, y).model_.counters["estimated"] == 16  # more may come


def test_deviations(X, y):
    test_X, test_y = make_friedman1(1000, noise=0.5, random_state=2)
    yhat, std = KernelAdaptiveRegressor().fit(X, y).predict(test_X, return_std=True)
    assert yhat.shape == std.shape == (1000,)
    assert 0.85 < np.mean(np.abs(yhat - test_y) < 1.96 * std) <= 1


def test_several_outputs(X, y):
    Y = np.column_stack([y, np.cos(X[:, 0]), -y])
    model = KernelAdaptiveRegressor(recipe="rff-krls", map="linear+orf").fit(X, Y)
    assert model.predict(X[:4]).shape == (4, 3) and model.score(X, Y) > 0.9
    assert model.predict(X[:4], return_std=True)[1].shape == (4, 3)
    assert KernelAdaptiveRegressor().fit(X, y[:, None]).predict(X[:4]).shape == (4, 1)


def test_pipelines_and_searches(X, y):
    search = GridSearchCV(
        KernelAdaptiveRegressor(recipe="rff-krls", map="linear+orf"),
        {"sigma": ["auto", 1.0, 5.0], "lambda_": [1e-2, 1.0], "features": [50, 200]},
        cv=3,
    ).fit(X, y)
    assert search.best_score_ > 0.8 and set(search.best_params_) == {"sigma", "lambda_", "features"}
    pipe = make_pipeline(StandardScaler(), RandomFourierFeatures(map="linear+orf"), Ridge(0.1))
    search = GridSearchCV(pipe, {"randomfourierfeatures__features": [20, 400]}, cv=3).fit(X, y)
    assert search.best_params_["randomfourierfeatures__features"] == 400 and search.best_score_ > 0.7
    assert cross_val_score(make_pipeline(StandardScaler(), KernelAdaptiveRegressor()), X, y).mean() > 0.65


def test_every_parameter_of_the_library_is_there():
    from okra._tables import params

    assert {name for name, param in params().items() if param.scope != "stream"} < set(KernelAdaptiveRegressor().get_params())
    model = clone(KernelAdaptiveRegressor(recipe="nc-klms", novelty_error=0.25))
    assert model.get_params()["novelty_error"] == 0.25
    assert repr(model) == "KernelAdaptiveRegressor(novelty_error=0.25, recipe='nc-klms')"
    refused(TypeError, "no parameter 'colour'", lambda: KernelAdaptiveRegressor(colour=1))
    with pytest.raises(okra.ParameterError):
        KernelAdaptiveRegressor(recipe="lms", sigma=2.0).fit([[1.0], [2.0]], [1.0, 2.0])


@pytest.mark.parametrize("recipe", list(okra.recipes()))
def test_every_recipe(recipe, X, y):
    model = KernelAdaptiveRegressor(recipe=recipe, passes=3).fit(X, y)
    assert np.isfinite(model.predict(X)).all()
    assert model.score(X, y) > 0.4
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).predict(X), model.predict(X))


def test_features(X):
    made = RandomFourierFeatures(features=10, sigma=2.0).fit(X)
    assert list(made.get_feature_names_out()[:2]) == ["randomfourierfeatures0", "randomfourierfeatures1"]
    assert len(made.get_feature_names_out()) == made.transform(X).shape[1] == 10
    automatic = RandomFourierFeatures().fit(X).map_.params["sigma"]
    distances = np.sqrt(((X[:, None] - X[None]) ** 2).sum(axis=-1))
    assert automatic == pytest.approx(np.median(distances[np.triu_indices(200, 1)]), rel=0.05)  # the library samples rows
    refused(NotFittedError, "", lambda: RandomFourierFeatures().transform(X))


def test_complex_numbers_are_refused():
    X, y = np.ones((40, 3)), np.ones(40)
    model = KernelAdaptiveRegressor(recipe="lms")
    for call in (
        lambda: model.fit(X * 1j, y),
        lambda: model.fit(X, y * 1j),
        lambda: model.fit(X, y).predict(X * 1j),
        lambda: model.partial_fit(X, y, sample_weight=y * 1j),
        lambda: RandomFourierFeatures().fit(X * 1j),
        lambda: RandomFourierFeatures().fit(X).transform(X * 1j),
    ):
        refused(ValueError, "(?i)complex", call)


def test_importances_where_the_recipe_has_them():
    X, y = make_friedman1(600, noise=0.1, random_state=2)  # inputs 5 to 9 do nothing
    model = KernelAdaptiveRegressor()
    refused(NotFittedError, "", lambda: model.feature_importances_)
    importances = model.fit(X, y).feature_importances_
    assert importances.shape == (10,) and abs(importances.sum() - 1) < 1e-12
    assert importances[:3].sum() > 0.8
    assert not hasattr(KernelAdaptiveRegressor(recipe="rff-krls").fit(X, y), "feature_importances_")
