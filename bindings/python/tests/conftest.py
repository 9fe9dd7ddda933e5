"""What the tests share: the stream, the program, the golden vectors."""

import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

import okra

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="session")
def stream():
    """1500 samples of the paper's Example 2."""
    return okra.signal("ex2", 1500, seed=3)


@pytest.fixture
def X(stream):
    """Its inputs, or those of the stream that a file has instead."""
    return stream[0]


@pytest.fixture
def y(stream):
    return stream[1]


@pytest.fixture(scope="session")
def program():
    """Runs the program `okra` in a folder, and answers what it said."""
    path = os.environ.get("OKRA_PROGRAM")
    if not path:
        pytest.fail("OKRA_PROGRAM must name the program okra; ctest sets it")

    def run(*arguments, cwd):
        done = subprocess.run([path, *map(str, arguments)], cwd=cwd, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


def write_csv(path, X, y, names=None):
    """Numbers with all their digits, inputs first."""
    table = np.column_stack([X, y]) if X.shape[1] else np.asarray(y)[:, None]
    names = names or [f"x{i + 1}" for i in range(X.shape[1])] + ["y"]
    lines = [",".join(names)] + [",".join(repr(float(value)) for value in row) for row in table]
    path.write_text("\n".join(lines) + "\n")


def read_predictions(text):
    """The column yhat of what `okra run` writes; NaN where it is empty."""
    header, *lines = text.splitlines()
    column = header.split(",").index("yhat")
    return np.array([float(line.split(",")[column] or "nan") for line in lines])


def same(a, b):
    """Bit for bit."""
    a, b = np.asarray(a), np.asarray(b)
    return a.shape == b.shape and a.dtype == b.dtype and a.tobytes() == b.tobytes()


def refused(error, words, call):
    """The exception of a call, which must be of that kind, with those words, a pattern, in its text."""
    with pytest.raises(error, match=words or None) as raised:
        call()
    return raised.value
