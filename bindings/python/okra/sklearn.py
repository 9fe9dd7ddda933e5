"""Estimators for scikit-learn: a regressor that also learns as a stream, and the features alone.

>>> from sklearn.datasets import make_friedman1
>>> from sklearn.model_selection import cross_val_score
>>> from okra.sklearn import KernelAdaptiveRegressor
>>> X, y = make_friedman1(400, random_state=0)
>>> bool(cross_val_score(KernelAdaptiveRegressor(), X, y).mean() > 0.8)
True
"""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, RegressorMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from ._filter import Filter
from ._maps import Map, map_params
from ._tables import Param, params, recipes
from .errors import UnsupportedError

try:  # scikit-learn 1.6 and later
    from sklearn.utils.validation import validate_data as _validate_data
except ImportError:

    def _validate_data(estimator: Any, *args: Any, **options: Any) -> Any:
        return estimator._validate_data(*args, **options)


__all__ = ["KernelAdaptiveRegressor", "RandomFourierFeatures"]


def _takes(own: dict[str, Any], table: dict[str, Param]) -> Any:
    """A decorator for classes: their constructor takes these arguments, and every parameter of the table.

    scikit-learn finds an estimator's parameters in the signature of its constructor; this writes the library's into it.
    A parameter that is None is left to the library.
    """

    def decorate(cls: Any) -> Any:
        defaults = {**own, **{name: None for name in table if name not in own}}
        myself = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
        keywords = [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=value) for name, value in defaults.items()
        ]

        def __init__(self: Any, **given: Any) -> None:
            for name in given:
                if name not in defaults:
                    raise TypeError(f"{cls.__name__}() has no parameter '{name}': it has {', '.join(defaults)}")
            for name, default in defaults.items():
                setattr(self, name, given.get(name, default))

        __init__.__signature__ = inspect.Signature([myself, *keywords])  # type: ignore[attr-defined]
        cls.__init__ = __init__
        cls._library_params = tuple(table)
        return cls

    return decorate


def _given(estimator: Any) -> dict[str, Any]:
    """The library's parameters that are set."""
    values = {name: getattr(estimator, name) for name in estimator._library_params}
    return {name: value for name, value in values.items() if value is not None}


# Parameters that mean something where rows are apart: not the lags.
_ROW_PARAMS = {name: param for name, param in params().items() if param.scope != "stream"}


@_takes({"recipe": "auto", "scale": "auto", "sigma": "auto", "warmup": 512, "passes": 1}, _ROW_PARAMS)
class KernelAdaptiveRegressor(RegressorMixin, BaseEstimator):
    """A regressor on any recipe of okra, by default the ensemble ``auto``.

    `fit` goes `passes` times through the rows, in their order; `partial_fit` goes on from there, or begins. Inputs and
    targets are standardised (``scale="auto"``), the kernel width is the median distance of inputs (``sigma="auto"``), both
    found in the first `warmup` rows. Every other parameter of a recipe is one of the estimator, too (`okra.recipes` lists
    them); None is the recipe's own default.

    Several targets at once are fine. `partial_fit` takes weights; `fit` has none, because a row that counts twice is not two
    rows where order matters.

    >>> import numpy as np
    >>> from okra.sklearn import KernelAdaptiveRegressor
    >>> X = np.linspace(-3, 3, 300)[:, None]
    >>> y = np.sin(2 * X[:, 0])
    >>> model = KernelAdaptiveRegressor(recipe="rff-krls", sigma=0.3, lambda_=1e-6).fit(X, y)
    >>> yhat, std = model.predict([[0.5]], return_std=True)
    >>> bool(abs(yhat[0] - np.sin(1)) < 0.01)
    True
    """

    def fit(self, X: Any, y: Any) -> "KernelAdaptiveRegressor":
        """Learns the rows of X and y from scratch."""
        X, y = _validate_data(self, X, y, multi_output=True, y_numeric=True, dtype=(np.float64, np.float32))
        self._begin(X, y, warmup=max(2, min(self.warmup, len(X))))
        for _ in range(self.passes):
            self.model_.run(X, y)
        return self

    def partial_fit(self, X: Any, y: Any, sample_weight: Any = None) -> "KernelAdaptiveRegressor":
        """Learns further rows."""
        first = not hasattr(self, "model_")
        X, y = _validate_data(
            self, X, y, reset=first, multi_output=True, y_numeric=True, dtype=(np.float64, np.float32)
        )
        if first:
            self._begin(X, y, warmup=self.warmup)
        self.model_.run(X, y, sample_weight)
        return self

    def predict(self, X: Any, return_std: bool = False) -> Any:
        """Predictions for the rows of X; with `return_std`, also their standard deviations, noise included."""
        check_is_fitted(self)
        X = _validate_data(self, X, reset=False, dtype=(np.float64, np.float32))
        if not return_std:
            return self._in_shape(self.model_.predict(X))
        predictions, std = self.model_.predict(X, return_std=True)
        return self._in_shape(predictions), self._in_shape(std)

    @property
    def feature_importances_(self) -> np.ndarray:
        """Which inputs matter (`Filter.relevance`): of the recipe ``auto``, or with ``widths="auto"``, once more than 64 rows are learnt."""
        check_is_fitted(self)
        try:
            return self.model_.relevance
        except UnsupportedError as error:
            raise AttributeError(f"recipe {self.recipe} has no feature_importances_, or none yet: {error}") from error

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "model_")  # the default takes parameters like lambda_ for a sign of it

    def _begin(self, X: np.ndarray, y: np.ndarray, warmup: int) -> None:
        given = _given(self)
        table = recipes()
        if self.recipe in table and given.get("sigma") == "auto" and "sigma" not in table[self.recipe].params:
            del given["sigma"]  # a recipe without a kernel has no width to find
        outputs = 1 if y.ndim == 1 else y.shape[1]
        self._flat = y.ndim == 1
        self.model_ = Filter(self.recipe, X.shape[1], outputs, scale=self.scale, warmup=warmup, **given)

    def _in_shape(self, values: np.ndarray) -> np.ndarray:
        values = values.astype(np.float64, copy=False)  # as every regressor of scikit-learn answers
        return values if self._flat or values.ndim == 2 else values[:, None]

    def _more_tags(self) -> dict[str, Any]:
        return {"multioutput": True}

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()  # type: ignore[misc]
        tags.target_tags.multi_output = True
        return tags


@_takes({"sigma": "auto"}, map_params())
class RandomFourierFeatures(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Any of okra's feature maps as a transformer: ``Z @ Z.T`` is about the kernel matrix.

    Parameters are the map's own (`okra.Map`), None being the library's defaults; ``sigma="auto"`` is the median distance of
    the inputs that it is fitted to.

    >>> from sklearn.linear_model import Ridge
    >>> from sklearn.pipeline import make_pipeline
    >>> from okra.sklearn import RandomFourierFeatures
    >>> import numpy as np
    >>> X = np.linspace(-3, 3, 300)[:, None]
    >>> y = np.sin(2 * X[:, 0])
    >>> model = make_pipeline(RandomFourierFeatures(map="orf", features=100, sigma=1), Ridge(1e-3)).fit(X, y)
    >>> bool(model.score(X, y) > 0.999)
    True
    """

    def fit(self, X: Any, y: Any = None) -> "RandomFourierFeatures":
        """Draws the features, and finds the width where it is automatic."""
        X = _validate_data(self, X, dtype=(np.float64, np.float32))
        given = _given(self)
        if given.get("sigma") == "auto":
            given["sigma"] = _median_distance(X)
        self.map_ = Map(X.shape[1], **given)
        self._n_features_out = self.map_.outputs
        return self

    def transform(self, X: Any) -> np.ndarray:
        """The features of each row of X."""
        check_is_fitted(self)
        X = _validate_data(self, X, reset=False, dtype=(np.float64, np.float32))
        return self.map_(X)


def _median_distance(X: np.ndarray) -> float:
    """The width that a filter finds in these rows: the library's own rule."""
    recipe = next(name for name, recipe in recipes().items() if "map" in recipe.params)
    model = Filter(recipe, X.shape[1], sigma="auto", warmup=max(2, min(512, len(X))))
    model.run(X[:512], np.zeros(min(512, len(X))))
    sigma = model.params["sigma"]
    return sigma if sigma != "auto" else float(np.sqrt(X.shape[1]))  # of a single row
