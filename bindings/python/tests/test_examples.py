"""The examples run, draw something, and what they print says that the learning happened."""

import os
import re
import subprocess
import sys

import pytest
from conftest import ROOT

EXAMPLES = ROOT / "bindings" / "python" / "examples"


def run(name, folder, **env):
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / name), "drawn.png"], cwd=folder, capture_output=True, text=True,
        env={**os.environ, "MPLBACKEND": "Agg", "MPLCONFIGDIR": str(folder), **env},
    )
    if done.returncode == 0:
        picture = (folder / "drawn.png").read_bytes()
        assert picture.startswith(b"\x89PNG") and len(picture) > 10_000
    return done


def numbers(text):
    return [float(number) for number in re.findall(r"-?\d+\.\d+", text)]


@pytest.fixture(autouse=True)
def matplotlib():
    pytest.importorskip("matplotlib")


def test_example2(tmp_path):
    done = run("example2.py", tmp_path)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert len(lines) == 2
    for line in lines:
        first, last = numbers(line)
        assert last < first / 30  # 17 dB down, and LMS is not done yet


def test_mackey_glass(tmp_path):
    done = run("mackey_glass.py", tmp_path)
    assert done.returncode == 0, done.stderr
    error, noise, naive, inside = numbers(done.stdout)
    assert noise < error < 2 * noise and error < naive / 5
    assert 93 < inside < 98


def test_amplifier(tmp_path):
    done = run("amplifier.py", tmp_path)
    if "is not there: set OKRA_DATA" in done.stderr:
        pytest.skip("the amplifier's data is not on this machine")
    assert done.returncode == 0, done.stderr
    linear, kernel = numbers(done.stdout)
    assert linear < -24 and kernel < linear - 3


def test_amplifier_says_what_is_missing(tmp_path):
    done = run("amplifier.py", tmp_path, OKRA_DATA=str(tmp_path))
    assert done.returncode == 1
    assert "pa_dpa200.csv is not there: set OKRA_DATA" in done.stderr and "Traceback" not in done.stderr
