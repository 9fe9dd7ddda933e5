"""Learning from dicts, one at a time, in River's manner."""

from __future__ import annotations

import math
from typing import Any, Hashable, Mapping, Optional, Union

import numpy as np

from ._filter import Filter, Path
from .errors import ParameterError, SampleError

Features = Mapping[Hashable, float]
Target = Union[float, Mapping[Hashable, float]]


class OnlineRegressor:
    """A regressor with `learn_one` and `predict_one` on dicts, as River's have.

    The names of the features are those of the first dict that is learnt; a later one must have the same, in any order:
    a missing or new name raises `ParameterError`. None and NaN are missing values: such a row is not learnt, and its
    prediction is NaN. Where the first target is a dict, so are the predictions.

    Arguments are those of `okra.Filter`, without the sizes: with none, the recipe ``auto``, which finds scale and width.

    >>> import okra
    >>> X, y = okra.signal("ex2", 500)
    >>> model = okra.OnlineRegressor()
    >>> error = 0.0
    >>> for row, target in zip(X, y):
    ...     x = dict(zip("abcde", row))
    ...     error += abs(target - model.predict_one(x))
    ...     model.learn_one(x, target)
    >>> error / len(y) < 0.3
    True
    """

    def __init__(self, recipe: str = "auto", **params: Any):
        self.recipe = recipe
        self.params = params
        self.model: Optional[Filter] = None
        self.feature_names: Optional[tuple[Hashable, ...]] = None
        self.target_names: Optional[tuple[Hashable, ...]] = None

    # ---- River's interface ------------------------------------------------------------------------------------

    def learn_one(self, x: Features, y: Target, w: float = 1.0) -> None:
        """Learns that the features x had the target y, with the weight w."""
        names = self.feature_names if self.model else tuple(x)
        targets = self.target_names if self.model else (tuple(y) if isinstance(y, Mapping) else None)
        row, target = _numbers(x, names, "feature"), self._target_numbers(y, targets)
        model = self.model or self._make(names, targets)
        try:
            model.step(row, target, w)
        except SampleError:
            if not _has_gap([*row, *np.ravel(target)]):
                raise
            model.skip()  # a bare filter takes no missing values
        self.model, self.feature_names, self.target_names = model, names, targets  # a refused first dict fixes nothing

    def predict_one(self, x: Features) -> Any:
        """The target that is expected of the features x; 0 before anything was learnt."""
        if self.model is None:
            return 0.0
        row = _numbers(x, self.feature_names, "feature")
        try:
            said = np.ravel(self.model.predict(row)).tolist()
        except SampleError:
            if not _has_gap(row):
                raise
            said = [math.nan] * self.model.outputs
        return said[0] if self.target_names is None else dict(zip(self.target_names, said))

    # ---- files ------------------------------------------------------------------------------------------------

    def save(self, path: Path) -> None:
        """Writes a model file. It knows the names: ``okra run --load`` finds these columns in a CSV file."""
        if self.model is None:
            raise ParameterError("nothing was learnt yet: there is no model to save")
        self.model.metadata.update(_note("input", self.feature_names, 0))
        self.model.metadata.update(_note("target", self.target_names or ("y",), len(self.feature_names)))
        self.model.save(path)

    @classmethod
    def load(cls, path: Path) -> "OnlineRegressor":
        """Reads a model file, of `save` or of ``okra run --save``. Columns without names are called by their numbers."""
        model = Filter.load(path)
        made = cls(model.recipe)
        made.model = model
        made.feature_names = tuple(_noted(model.metadata, "input", i) for i in range(model.inputs))
        if model.outputs > 1:
            made.target_names = tuple(_noted(model.metadata, "target", i) for i in range(model.outputs))
        return made

    # ---- inside -----------------------------------------------------------------------------------------------

    def _make(self, names: tuple, targets: Optional[tuple]) -> Filter:
        if not names:
            raise ParameterError("the first dict has no features to learn from")
        outputs = 1 if targets is None else len(targets)
        return Filter(self.recipe, len(names), outputs, **self.params)

    def _target_numbers(self, y: Target, names: Optional[tuple]) -> Any:
        if names is None:
            if isinstance(y, Mapping):
                raise ParameterError("the target is a dict, and was a number before")
            return y
        if not isinstance(y, Mapping):
            raise ParameterError("the target is a number, and was a dict before")
        return _numbers(y, names, "target")


def _has_gap(numbers: list) -> bool:
    """Whether a value is missing, and none infinite."""
    found = np.array(numbers, dtype=float)
    return bool(np.isnan(found).any() and not np.isinf(found).any())


def _note(kind: str, names: tuple, before: int) -> dict[str, str]:
    """Columns as the program `okra` metadata them in its model files."""
    metadata = {}
    for i, name in enumerate(names):
        metadata[f"{kind}.{i + 1}.column"] = str(before + i + 1)
        metadata[f"{kind}.{i + 1}.name"] = str(name)
    return metadata


def _noted(metadata: Mapping[str, str], kind: str, i: int) -> str:
    return metadata.get(f"{kind}.{i + 1}.name") or metadata.get(f"{kind}.{i + 1}.column") or str(i + 1)


def _numbers(row: Mapping, names: tuple, what: str) -> list[float]:
    """The values of a dict in the order of the names."""
    missing = [name for name in names if name not in row]
    if missing:
        raise ParameterError(f"{what} {missing[0]!r} is missing: the first dict had {', '.join(map(repr, names))}")
    if len(row) > len(names):
        new = next(name for name in row if name not in names)
        raise ParameterError(f"{what} {new!r} is new: the first dict had {', '.join(map(repr, names))}")
    for name in names:
        if isinstance(row[name], (complex, np.complexfloating)):
            raise ParameterError(f"{what} {name!r} is complex: take .real, or give real and imaginary parts as two {what}s")
    return [math.nan if row[name] is None else row[name] for name in names]
