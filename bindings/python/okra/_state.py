"""What filters and models have learnt, as a mapping; and what the two classes share."""

from __future__ import annotations

import copy
import os
from collections.abc import MutableMapping
from typing import TYPE_CHECKING, Any, Iterator, TypeVar, Union

import numpy as np

from . import _tables

if TYPE_CHECKING:
    from ._core import _Handle
else:
    _Handle = object  # the C half comes in with Filter and Model

Path = Union[str, bytes, "os.PathLike[str]", "os.PathLike[bytes]"]
Self = TypeVar("Self", bound="Learner")


class State(MutableMapping):
    """The state arrays by name. Reading gives a copy; assigning writes into the filter."""

    def __init__(self, owner: Any):
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


def _restore(cls: type, packed: bytes, attributes: dict) -> Any:
    """What a pickle calls."""
    made, _ = cls._unpack(packed)  # type: ignore[attr-defined]
    made.__dict__.update(attributes)
    return made


class Learner(_Handle):
    """What filters and models share: the look inside, files, copies."""

    notes: dict[str, str]

    @property
    def dtype(self) -> np.dtype:
        """The type of its numbers. Contiguous arrays of it are used without a copy."""
        return np.dtype(f"f{self._bits // 8}")

    @property
    def params(self) -> dict[str, _tables.Value]:
        """The recipe's parameters and their values, as they are in force."""
        return _tables.values(self._texts())

    @property
    def stats(self) -> dict[str, int]:
        """Samples learnt, bytes of memory, features, centres, and how often a dictionary was full."""
        return self._stats()

    @property
    def state(self) -> State:
        """What was learnt: arrays by name. Reading copies, assigning writes."""
        return State(self)

    @property
    def counters(self) -> dict[str, int]:
        """The counters that belong to the state."""
        return self._counters()

    def reset(self) -> None:
        """Forgets everything learnt."""
        self._reset()

    def save(self, path: Path) -> None:
        """Writes a model file, `notes` included: ``okra info`` shows it, ``okra run --load`` goes on with it.

        Whatever happens, the file is whole or as it was before.
        """
        self._save(path, self.notes)

    @classmethod
    def load(cls: type[Self], path: Path) -> Self:
        """Reads a model file. What it loads goes on with the same bits."""
        made, notes = cls._load(path)  # type: ignore[attr-defined]
        made.notes = notes
        return made

    def __reduce__(self) -> tuple:
        return _restore, (type(self), self._pack({}), dict(self.__dict__))

    def __copy__(self: Self) -> Self:
        twin, _ = type(self)._unpack(self._pack({}))  # type: ignore[attr-defined]
        twin.__dict__.update(self.__dict__)
        twin.notes = dict(self.notes)
        return twin

    def __deepcopy__(self: Self, memo: dict) -> Self:
        twin = copy.copy(self)
        memo[id(self)] = twin
        for name, value in self.__dict__.items():
            setattr(twin, name, copy.deepcopy(value, memo))
        return twin

    def _describe(self, sizes: str) -> str:
        shown = ", ".join(f"{name}={value!r}" for name, value in self.params.items())
        return f"{type(self).__name__}({self.recipe!r}, {sizes}{', ' if shown else ''}{shown})"
