"""Files of rows, in every format that the library has. None of them is named here: what the library has, Python has."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Optional, Union

import numpy as np

from . import _core


@dataclass(frozen=True)
class Format:
    """A format of files, from the library's registry."""

    name: str  #: as ``okra.read(format=..)`` and ``okra run --format`` take it
    help: str
    suffixes: tuple[str, ...]  #: endings of file names that stand for it, without the point
    reads: bool
    writes: bool


def formats() -> dict[str, Format]:
    """Every format of files, by name.

    >>> import okra
    >>> okra.formats()["tsv"].suffixes
    ('tsv', 'tab')
    """
    return {
        name: Format(name, text, tuple(suffixes.split()), bool(reads), bool(writes))
        for name, text, suffixes, reads, writes in _core.formats()
    }


def read(
    path: Union[str, os.PathLike], format: Optional[str] = None, *, header: Optional[bool] = None, columns: int = 0, missing: Optional[str] = None
) -> tuple[np.ndarray, Optional[list[str]]]:
    """All rows of a file, n x columns, and the names of its columns, or None where it has none.

    Reads what ``okra run`` reads, in the same way: the format is found by the file's name and first bytes unless `format` names it,
    `header` says whether the first line of a text names the columns, `columns` how many numbers are a row of a file that does not tell.
    `missing` has the words and numbers that stand for a missing value, as in ``"?,-9999"``; without it the usual words do.
    A missing value is nan; a field that is no number is refused by file, line and column.

    >>> import okra, pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "rows.csv")
    ...     _ = file.write_text("a,b\\n1,2\\n3,4\\n")
    ...     rows, names = okra.read(file)
    >>> rows.shape, names
    ((2, 2), ['a', 'b'])
    """
    return _core.read_table(path, format, 0 if header is None else 1 if header else 2, columns, missing)
