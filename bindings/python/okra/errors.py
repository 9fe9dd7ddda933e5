"""Exceptions: what the library refuses, in its own words.

Every exception derives from `Error` and from the built-in one that fits, so that both kinds of handlers work.
A refusal changes nothing: the filter is as it was before the call.
"""

from __future__ import annotations

from typing import Optional


class Error(Exception):
    """Anything that okra refuses or fails to do."""

    #: The library's status number.
    status: int = 0
    #: Where a block stopped: the number of rows before the one that was refused.
    done: Optional[int] = None


class ParameterError(Error, ValueError):
    """A recipe, parameter, shape or setting that is unknown, unreadable or out of range."""


class SampleError(Error, ValueError):
    """A sample that is not finite, or too large for the width and precision: nothing was learnt from it."""


class DivergedError(Error, RuntimeError):
    """A step that would have made the state non-finite, so it was not taken."""


class FullError(Error, RuntimeError):
    """A dictionary that is full, and was told to say so."""


class UnsupportedError(Error, RuntimeError):
    """Something that this recipe cannot do."""


class OutOfMemoryError(Error, MemoryError):
    """Sizes for which there is no memory."""


class StateError(Error, LookupError):
    """A state array or counter that the filter does not have."""


class FileError(Error, OSError):
    """A file that could not be opened, read or written."""


class FormatError(Error, ValueError):
    """A file that does not hold what it should."""
