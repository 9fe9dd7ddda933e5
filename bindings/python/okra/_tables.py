"""The library's tables of recipes and parameters, and values to and from the texts that it reads.

No recipe or parameter is named here: what the library has, Python has.
"""

from __future__ import annotations

import keyword
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Mapping, Optional, Union

import numpy as np

from . import _core

Value = Union[float, int, str, tuple]


@dataclass(frozen=True)
class Param:
    """A parameter: what it is called in Python and in the library, and what it may be."""

    name: str  #: as a Python keyword: ``lambda_``, ``when_full``
    library_name: str  #: as on the command line: ``lambda``, ``when-full``
    kind: str  #: "real", "reals", "count", "seed" or "choice"
    scope: str  #: "map": a feature map by itself has it; "filter"; "stream": lags, horizon, scale
    low: float
    high: float
    choices: Mapping[str, str]  #: words that it may be, and what they mean
    help: str
    default: Optional[Value] = None  #: in a recipe: what it is there


@dataclass(frozen=True)
class Recipe:
    """A recipe: a named pair of map and algorithm, with its parameters by Python name."""

    name: str
    help: str
    algorithm: str
    params: Mapping[str, Param]


def python_name(name: str) -> str:
    """A library's name as a Python keyword argument."""
    name = name.replace("-", "_")
    return name + "_" if keyword.iskeyword(name) else name


@lru_cache(maxsize=None)
def params() -> dict[str, Param]:
    """Every parameter that some recipe has, by its name in Python."""
    rows = (
        Param(python_name(name), name, kind, scope, low, high, dict(choices), text)
        for name, kind, scope, low, high, choices, text in _core.params()
    )
    return {param.name: param for param in rows}


@lru_cache(maxsize=None)
def _recipes() -> dict[str, Recipe]:
    table = {}
    for name, text, algorithm, defaults in _core.recipes():
        own = {}
        for library_name, default in defaults.items():
            param = params()[python_name(library_name)]
            own[param.name] = Param(**{**param.__dict__, "default": value_of(param, default)})
        table[name] = Recipe(name, text, algorithm, own)
    return table


def recipes() -> dict[str, Recipe]:
    """Every recipe with its parameters, ranges and defaults, by name.

    >>> import okra
    >>> okra.recipes()["rff-klms"].help
    'kernel LMS on random Fourier features: theta += mu e z'
    >>> okra.recipes()["rff-krls"].params["lambda_"].default
    0.01
    >>> [name for name, param in okra.recipes()["lms"].params.items() if param.scope == "filter"][:2]
    ['mu', 'leak']
    """
    return dict(_recipes())


def text_of(value: Any) -> str:
    """A Python value as text that the library reads to the same number."""
    if isinstance(value, str):
        return value
    if isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{value} is neither a number nor a word")
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        return repr(float(value))
    if isinstance(value, np.dtype) or isinstance(value, type):
        return np.dtype(value).name
    if isinstance(value, (list, tuple, np.ndarray)):
        return ",".join(text_of(item) for item in np.ravel(value).tolist())
    raise TypeError(f"{value!r} is neither a number nor a word")


def value_of(param: Param, text: str) -> Value:
    """The library's text as a Python value."""
    if param.kind == "choice" or text in param.choices:
        return text
    if param.kind in ("count", "seed"):
        return int(text)
    numbers = tuple(float(number) for number in text.split(","))
    return numbers[0] if len(numbers) == 1 else numbers


def settings(given: Mapping[str, Any]) -> dict[str, str]:
    """Keyword arguments as the library's names and texts. Names that it does not know are for it to refuse."""
    texts = {}
    for name, value in given.items():
        param = params().get(python_name(name)) or params().get(name)
        text = text_of(value)
        if param and param.kind == "choice" and text not in param.choices:
            text = _number_type(text) or text
        texts[param.library_name if param else name] = text
    return texts


def _number_type(text: str) -> Optional[str]:
    """numpy's names of number types as the library's: float32 is f32."""
    try:
        return f"f{8 * np.dtype(text).itemsize}" if np.dtype(text).kind == "f" else None
    except TypeError:
        return None


def values(texts: Mapping[str, str]) -> dict[str, Value]:
    """The library's names and texts as Python names and values."""
    return {python_name(name): value_of(params()[python_name(name)], text) for name, text in texts.items()}
