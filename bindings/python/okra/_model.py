"""Models: a filter with its lags, horizon, scale and warm-up."""

from __future__ import annotations

from typing import Any, Union

import numpy as np

from . import _core, _tables
from ._state import Learner


class Model(Learner, _core.Model):
    """What one trains on a stream of rows: lags + scale + features + filter.

    Row t, with `inputs` numbers u and `targets` numbers y, is predicted from ``u[t - lag_from] .. u[t - lag_from - lags + 1]``
    of each input and ``y[t - horizon] .. y[t - horizon - target_lags + 1]`` of each target; labels are learnt when they are
    known, `horizon` rows later. ``scale="auto"`` standardises, ``sigma="auto"`` finds the kernel width, both from the past
    alone. The recipe ``auto``, the default, has both. NaN is a missing value.

    >>> import okra
    >>> _, y = okra.signal("mackey-glass", 2000)
    >>> m = okra.Model("rff-krls", inputs=0, target_lags=7, scale="auto", sigma="auto", lambda_=1e-4)
    >>> yhat, std = m.run(None, y, return_std=True)
    >>> bool((abs(yhat - y)[1000:] < 0.02).all())
    True
    >>> bool(abs(m.predict() - y[-1]) < 0.5)        # the row that comes next; nothing is learnt
    True
    """

    def __new__(
        cls,
        recipe: str = "auto",
        inputs: int = 1,
        targets: int = 1,
        *,
        omega: Any = None,
        phase: Any = None,
        **params: Any,
    ) -> "Model":
        made = super().__new__(cls, recipe, inputs, targets, _tables.settings(params), omega, phase)
        made.notes = {}
        return made

    def __init__(self, *args: Any, **params: Any):
        pass  # everything is done in __new__, so that a model without its C half cannot be

    def run(
        self, U: Any, Y: Any, weights: Any = None, *, learn: bool = True, return_std: bool = False
    ) -> Union[np.ndarray, tuple[np.ndarray, np.ndarray]]:
        """Rows one after the other: each is predicted, then learnt as soon as its target is known.

        U is None for a model without inputs; Y may be None. With ``learn=False`` rows pass, and become lags of later ones,
        but nothing is learnt from them. Other threads run meanwhile.
        """
        if not return_std:
            return self._run(U, Y, weights, learn, False)
        predictions, variances = self._run(U, Y, weights, learn, True)
        return predictions, np.sqrt(variances)

    def predict(self, U: Any = None, return_std: bool = False) -> Union[Any, tuple[Any, Any]]:
        """What the next row would be predicted as, for each of the rows of U as its inputs. The row is not taken."""
        if not return_std:
            return self._predict(U, False)
        predictions, variances = self._predict(U, True)
        return predictions, np.sqrt(variances)[()]

    def __repr__(self) -> str:
        return self._describe(f"inputs={self.inputs}, targets={self.outputs}")
