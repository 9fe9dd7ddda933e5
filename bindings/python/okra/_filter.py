"""Filters: predict, then learn."""

from __future__ import annotations

from typing import Any, Union

import numpy as np

from . import _core, _tables
from ._state import Learner


class Filter(Learner, _core.Filter):
    """An adaptive filter: a recipe for inputs of `dim` numbers and targets of `outputs` numbers.

    Every parameter of the recipe is a keyword: `okra.recipes` lists them, with ranges and defaults. A name that Python
    keeps for itself has an underscore behind it (``lambda_``), and dashes are underscores (``when_full``).
    ``precision="float32"`` computes in float32 throughout. `omega` and `phase` are D x dim frequencies and D phases in
    radians, used instead of drawn ones.

    >>> import okra
    >>> X, y = okra.signal("ex2", 5000)
    >>> f = okra.Filter("rff-klms", dim=5, sigma=5, mu=1)
    >>> f.step(X[0], y[0])              # predicts, then learns
    0.0
    >>> yhat = f.run(X[1:], y[1:])      # the same for many rows, fast
    >>> round(float(((y[1:] - yhat)[-500:] ** 2).mean()), 3)
    0.039
    >>> f.stats["learnt"], f.state["theta"].shape
    (5000, (1, 300))

    A filter belongs to one thread at a time while it learns; any number may `predict` at once.
    """

    def __new__(
        cls,
        recipe: str,
        dim: int,
        outputs: int = 1,
        *,
        omega: Any = None,
        phase: Any = None,
        **params: Any,
    ) -> "Filter":
        made = super().__new__(cls, recipe, dim, outputs, _tables.settings(params), omega, phase)
        made.notes = {}
        return made

    def __init__(self, *args: Any, **params: Any):
        pass  # everything is done in __new__, so that a filter without its C half cannot be

    @property
    def dim(self) -> int:
        """Numbers in an input."""
        return self.inputs

    def predict(self, X: Any, return_std: bool = False) -> Union[Any, tuple[Any, Any]]:
        """Predictions for the rows of X, learning nothing; with `return_std`, also their standard deviations.

        Standard deviations are of the targets, noise included, so ``yhat +- 1.96 std`` holds 95% of them. RLS recipes and
        ``auto`` have them; others raise `UnsupportedError`. A single row may be given without the dimension of rows.

        >>> import okra
        >>> X, y = okra.signal("ex2", 2000)
        >>> f = okra.Filter("rff-krls", dim=5, sigma=5)
        >>> _ = f.run(X, y)
        >>> yhat, std = f.predict(X[-3:], return_std=True)
        >>> bool((abs(yhat - y[-3:]) < 4 * std).all())
        True
        """
        if not return_std:
            return self._predict(X, False)
        predictions, variances = self._predict(X, True)
        return predictions, np.sqrt(variances)[()]

    def __copy__(self) -> "Filter":
        twin = self._clone()
        twin.__dict__.update(self.__dict__)
        twin.notes = dict(self.notes)
        return twin

    def __repr__(self) -> str:
        return self._describe(f"dim={self.dim}, outputs={self.outputs}")
