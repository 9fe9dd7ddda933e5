"""What a filter has learnt, as a mapping."""

from __future__ import annotations

from collections.abc import MutableMapping
from typing import Any, Iterator

import numpy as np

from . import _core


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
