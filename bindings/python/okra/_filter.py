"""Filters: predict, then learn; and what they have learnt, as a mapping."""

from __future__ import annotations

import copy
import os
from collections.abc import MutableMapping
from typing import Any, Iterator, TypeVar, Union

import numpy as np

from . import _core, _tables

Path = Union[str, bytes, "os.PathLike[str]", "os.PathLike[bytes]"]
Self = TypeVar("Self", bound="Filter")


class State(MutableMapping):
    """The state arrays by name. Reading gives a copy; assigning writes into the filter."""

    def __init__(self, owner: _core.Filter):
        self._owner = owner

    def __getitem__(self, name: str) -> np.ndarray:
        return self._owner._array_read(name)

    def __setitem__(self, name: str, numbers: Any) -> None:
        self._owner._array_write(name, numbers)

    def __delitem__(self, name: str) -> None:
        raise TypeError("a state array cannot be deleted")

    def __contains__(self, name: object) -> bool:
        return any(name == row[0] for row in self._owner._arrays())

    def __iter__(self) -> Iterator[str]:
        return iter([row[0] for row in self._owner._arrays()])

    def __len__(self) -> int:
        return len(self._owner._arrays())

    def __repr__(self) -> str:
        return "State(" + ", ".join(f"{name}: {rows} x {cols}" for name, rows, cols in self._owner._arrays()) + ")"


class Filter(_core.Filter):
    """An adaptive filter on a stream of rows: lags + scale + map + algorithm.

    A row has `inputs` numbers u and `outputs` numbers y, its targets. Every parameter of the recipe is a keyword:
    `okra.recipes` lists them, with ranges and defaults. A name that Python keeps for itself has an underscore behind it
    (``lambda_``), and dashes are underscores (``when_full``). ``precision="float32"`` computes in float32 throughout.
    `omega` and `phase` are frequencies, a row for each feature, and phases in radians, used instead of drawn ones.

    >>> import okra
    >>> X, y = okra.signal("ex2", 5000)
    >>> f = okra.Filter("rff-klms", inputs=5, sigma=5, mu=1)
    >>> f.step(X[0], y[0])              # predicts, then learns
    0.0
    >>> yhat = f.run(X[1:], y[1:])      # the same for many rows, fast
    >>> round(float(((y[1:] - yhat)[-500:] ** 2).mean()), 3)
    0.039
    >>> f.stats["learnt"], f.state["theta"].shape
    (5000, (1, 300))

    Row t is predicted from ``u[t - lag_from] .. u[t - lag_from - lags + 1]`` of each input and
    ``y[t - horizon] .. y[t - horizon - target_lags + 1]`` of each target; its label is learnt when it is known, `horizon`
    rows later. ``scale="auto"`` standardises, ``sigma="auto"`` finds the kernel width, both from the past alone. The
    recipe ``auto``, the default, has both.

    >>> _, y = okra.signal("mackey-glass", 2000)
    >>> f = okra.Filter("rff-krls", inputs=0, target_lags=7, scale="auto", sigma="auto", lambda_=1e-4)
    >>> yhat, std = f.run(None, y, return_std=True)
    >>> bool((abs(yhat - y)[1000:] < 0.02).all())
    True
    >>> bool(abs(f.predict() - y[-1]) < 0.5)        # the row that comes next; nothing is learnt
    True

    NaN is a missing value, and a prediction that needs it is NaN. A bare filter, without lags, horizon, scale and
    automatic width, refuses it. A filter belongs to one thread at a time while it learns; any number may `predict` at once.
    """

    metadata: dict[str, str]

    def __new__(
        cls: type[Self],
        recipe: str = "auto",
        inputs: int = 1,
        outputs: int = 1,
        *,
        omega: Any = None,
        phase: Any = None,
        **params: Any,
    ) -> Self:
        made = super().__new__(cls, recipe, inputs, outputs, _tables.settings(params), omega, phase)
        made.metadata = {}
        return made

    def __init__(self, *args: Any, **params: Any):
        pass  # everything is done in __new__, so that a filter without its C half cannot be

    # ---- rows -------------------------------------------------------------------------------------------------

    def run(
        self, U: Any, Y: Any, weights: Any = None, *, learn: bool = True, return_std: bool = False
    ) -> Union[np.ndarray, tuple[np.ndarray, np.ndarray]]:
        """A step for each row of U and Y, in less time and with the same bits. Returns the predictions.

        With `return_std`, also their standard deviations, as `predict`. With ``learn=False`` rows pass, and become lags
        of later ones, but nothing is learnt. U is None for a filter without inputs; Y may be None.

        Contiguous arrays of the filter's `dtype` are used in place; others are copied first. Other threads run meanwhile.
        At a row that is refused it stops: the exception's `done` is the number of rows taken.
        """
        return _with_std(self._run(U, Y, weights, learn, return_std), return_std)

    def predict(self, U: Any = None, return_std: bool = False) -> Union[Any, tuple[Any, Any]]:
        """What the next row would be predicted as, for each row of U as its inputs. It is not taken: nothing changes.

        With `return_std`, also standard deviations. They are of the targets, noise included, so ``yhat +- 1.96 std`` holds
        95% of them. RLS recipes and ``auto`` have them; others raise `UnsupportedError`. A single row may be given without
        the dimension of rows.

        >>> import okra
        >>> X, y = okra.signal("ex2", 2000)
        >>> f = okra.Filter("rff-krls", inputs=5, sigma=5)
        >>> _ = f.run(X, y)
        >>> yhat, std = f.predict(X[-3:], return_std=True)
        >>> bool((abs(yhat - y[-3:]) < 4 * std).all())
        True
        """
        return _with_std(self._predict(U, return_std), return_std)

    # ---- the look inside --------------------------------------------------------------------------------------

    @property
    def dtype(self) -> np.dtype:
        """The type of its numbers. Contiguous arrays of it are used without a copy."""
        return np.dtype(f"f{self._bits // 8}")

    @property
    def params(self) -> dict[str, _tables.Value]:
        """The recipe's parameters and their values. An automatic `sigma` is "auto" until it has been found."""
        return _tables.values(self._texts())

    @property
    def state(self) -> State:
        """What was learnt: arrays by name. Reading copies, assigning writes."""
        return State(self)

    def __repr__(self) -> str:
        shown = "".join(f", {name}={value!r}" for name, value in self.params.items())
        return f"{type(self).__name__}({self.recipe!r}, inputs={self.inputs}, outputs={self.outputs}{shown})"

    # ---- files and copies -------------------------------------------------------------------------------------

    def save(self, path: Path) -> None:
        """Writes a model file, `metadata` included: ``okra info`` shows it, ``okra run --load`` goes on with it.

        Whatever happens, the file is whole or as it was before.
        """
        _core.save(path, self._pack(self.metadata))

    @classmethod
    def load(cls: type[Self], path: Path) -> Self:
        """Reads a model file. What it loads goes on with the same bits."""
        made, metadata = cls._load(path)
        made.metadata = metadata
        return made

    def __reduce__(self) -> tuple:
        return _restore, (type(self), self._pack({}), self.frozen, dict(self.__dict__))

    def __copy__(self: Self) -> Self:
        twin = self._clone()
        twin.__dict__.update(self.__dict__, metadata=dict(self.metadata))
        return twin

    def __deepcopy__(self: Self, memo: dict) -> Self:
        twin = memo[id(self)] = self._clone()
        twin.__dict__.update(copy.deepcopy(self.__dict__, memo))
        return twin


def _with_std(answer: Any, return_std: bool) -> Any:
    """Predictions; where asked for, with the roots of their variances."""
    return (answer[0], np.sqrt(answer[1])[()]) if return_std else answer


def _restore(cls: type[Filter], packed: bytes, frozen: bool, attributes: dict) -> Filter:
    """What a pickle calls."""
    made, _ = cls._unpack(packed)
    made.freeze(frozen)
    made.__dict__.update(attributes)
    return made
