"""Synthetic streams, and what theory expects of RFF-KLMS."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Mapping

import numpy as np

from . import _core, _tables


@dataclass(frozen=True)
class Constant:
    """A constant of a signal."""

    default: float
    low: float
    high: float
    help: str


@dataclass(frozen=True)
class Signal:
    """A signal and its constants by Python name."""

    name: str
    help: str
    constants: Mapping[str, Constant]


def signals() -> dict[str, Signal]:
    """Every signal, by name.

    >>> import okra
    >>> okra.signals()["sinc"].constants["noise"].default
    0.1
    """
    return {
        name: Signal(name, text, {_tables.python_name(key): Constant(*row) for key, row in constants.items()})
        for name, text, constants in _core.signals()
    }


def signal(name: str, n: int, *, seed: int = 1, run: int = 0, **constants: float) -> tuple[np.ndarray, np.ndarray]:
    """The first n samples of a synthetic stream: inputs, n x d, and targets, n. A plain time series has d = 0.

    >>> import okra
    >>> X, y = okra.signal("ex2", 100, noise=0.0)
    >>> X.shape, y.shape
    ((100, 5), (100,))
    """
    names = {_tables.python_name(key): key for row in _core.signals() if row[0] == name for key in row[2]}
    return _core.signal(name, n, seed, run, {names.get(key, key): value for key, value in constants.items()})


class Theory:
    """What theory expects: the figures are attributes. Make one with `okra.theory`."""

    lambda_max: float  #: largest eigenvalue of R = E[z z']
    trace: float  #: of R, about 1
    rank: int  #: eigenvalues above the tolerance
    mu_max: float  #: 2 / trace: the bound on the step size that works in practice
    mu_max_mean: float  #: 2 / lambda_max: bounds the mean recursion only
    mu_max_mse: float  #: 1 / lambda_max: the paper's condition
    mse_optimal: float  #: noise, and what the features cannot represent
    mse: float  #: steady state; infinite beyond mu_max
    mse_paper: float  #: steady state as printed in the paper
    spectrum: np.ndarray  #: the eigenvalues of R, largest first

    def __init__(self, **fields: Any):
        self._theory, self._figures, self.spectrum = _core.theory(fields)
        self.__dict__.update(self._figures)

    def curve(self, n: int, as_printed: bool = False) -> np.ndarray:
        """The predicted learning curve: E[e^2] before samples 0 .. n-1 are learnt."""
        return _core.theory_curve(self._theory, n, as_printed)

    def __repr__(self) -> str:
        return "Theory(" + ", ".join(f"{name}={value:.4g}" for name, value in self._figures.items()) + ")"


def theory(**fields: Any) -> Theory:
    """Step-size bounds, steady-state error and learning curve of RFF-KLMS, before anything is run.

    Inputs are N(0, sigma_x^2 I) of `dim` numbers; `features` features of a gaussian kernel of width `sigma`, drawn with
    `seed`, as pairs where `paired`; step `mu`; targets are an expansion of `centres` kernels at N(0, centre_sigma^2 I) with
    weights N(0, weight_sigma^2), plus `noise`, a deviation; without an expansion, ``centres=0``. `tolerance` is of the
    spectrum. What is not given is the paper's Example 1.

    >>> import okra
    >>> t = okra.theory(features=300)
    >>> 1.9 < t.mu_max < 2.1
    True
    >>> t.curve(5000)[-1] < 1.1 * t.mse
    True
    """
    return Theory(**fields)
