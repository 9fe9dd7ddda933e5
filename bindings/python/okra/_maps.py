"""Feature maps alone, and the kernels that they approximate."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from . import _core, _tables
from .errors import ParameterError


def map_params() -> dict[str, _tables.Param]:
    """The parameters that a feature map alone has, with their defaults."""
    for recipe in _tables.recipes().values():
        own = {name: param for name, param in recipe.params.items() if param.scope == "map"}
        if len(own) == sum(param.scope == "map" for param in _tables.params().values()):
            return own
    raise RuntimeError("no recipe has a map to choose")


class Map:
    """A feature map z(x), with ``z(x) @ z(y)`` about the kernel of x and y.

    Its parameters are those of the recipes on random features, as far as they concern the map.

    >>> import okra, numpy as np
    >>> X = np.random.default_rng(1).normal(size=(4, 3))
    >>> m = okra.Map(3, map="orf", features=4000, sigma=2)
    >>> Z = m(X)
    >>> Z.shape
    (4, 4000)
    >>> bool(abs(Z @ Z.T - m.kernel(X, X)).max() < 0.05)
    True
    """

    def __init__(self, inputs: int, *, omega: Any = None, phase: Any = None, **params: Any):
        for name in params:
            if _tables.python_name(name) not in map_params():
                raise ParameterError(f"a map has no parameter '{name}': it has {', '.join(map_params())}")
        self._map, self.outputs, self._texts = _core.map(inputs, _tables.settings(params), omega, phase)
        self.inputs = int(inputs)
        self._made_of = partial(type(self), omega=omega, phase=phase, **params)

    @property
    def params(self) -> dict[str, _tables.Value]:
        """The map's parameters and their values."""
        return {name: value for name, value in _tables.values(self._texts).items() if name in map_params()}

    def __call__(self, X: Any) -> np.ndarray:
        """The features of each row of X."""
        return _core.map_apply(self._map, X)

    def kernel(self, X: Any, Y: Any) -> np.ndarray:
        """The exact kernel of each row of X with each row of Y; of several widths, of the first."""
        return _core.map_kernel(self._map, X, Y)

    def __reduce__(self) -> tuple:
        return self._made_of, (self.inputs,)

    def __repr__(self) -> str:
        return f"Map({self.inputs}, " + ", ".join(f"{name}={value!r}" for name, value in self.params.items()) + ")"


def features(X: Any, **params: Any) -> np.ndarray:
    """The features of the rows of X: ``Map(inputs, **params)(X)`` for those who need them once.

    >>> import okra
    >>> okra.features([[0.0, 1.0], [2.0, 3.0]], map="pair", features=6, sigma=2).shape
    (2, 6)
    """
    X = np.asarray(X)
    if X.ndim != 2:
        raise ParameterError(f"X has the shape {X.shape}: rows of numbers are wanted")
    return Map(X.shape[1], **params)(X)
