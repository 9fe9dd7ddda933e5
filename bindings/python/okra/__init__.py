"""okra: online kernel regression and adaptation.

Learns a nonlinear input-output map from a stream, one sample at a time, in fixed memory.

>>> import okra
>>> X, y = okra.signal("ex2", 3000)
>>> f = okra.Filter("rff-krls", inputs=5, sigma=5, lambda_=1e-4)
>>> yhat = f.run(X, y)                                   # each row predicted, then learnt
>>> round(float(((y - yhat)[1000:] ** 2).mean()), 4)     # the noise alone has 0.0025
0.0032

A `Filter` may have lags, a horizon and an automatic scale; `OnlineRegressor` learns from dicts, and `okra.sklearn` has
estimators for scikit-learn. `recipes`, `signals`, `features`, `theory` are the library's tables and laboratory.
"""

from . import _core
from ._files import Format, formats, read
from ._filter import Filter, State
from ._lab import Constant, Signal, Theory, signal, signals, theory
from ._maps import Map, features
from ._tables import Param, Recipe, recipes
from .errors import DivergedError, Error, FileError, FormatError, FullError
from .errors import OutOfMemoryError, ParameterError, SampleError, StateError, UnsupportedError
from .online import OnlineRegressor

__version__ = _core.version()

__all__ = [
    "Constant", "DivergedError", "Error", "FileError", "Filter", "Format", "FormatError", "FullError", "Map",
    "OnlineRegressor", "OutOfMemoryError", "Param", "ParameterError", "Recipe", "SampleError", "Signal", "State",
    "StateError", "Theory", "UnsupportedError", "features", "formats", "isa", "read", "recipes", "signal", "signals",
    "theory",
]


def isa() -> "str | None":
    """The instruction set in use, or None where OKRA_ISA asks for one that is not there.

    >>> import okra
    >>> okra.isa() in ("avx2", "neon", "scalar")
    True
    """
    return _core.isa()
