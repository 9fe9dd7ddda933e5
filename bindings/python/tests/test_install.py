"""pip install, from a checkout into a virtual environment of its own; and against libraries that are installed."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT

BINDINGS = ROOT / "bindings" / "python"
USE = """
import okra, sys
X, y = okra.signal("ex2", 100)
f = okra.Filter("rff-klms", 5)
f.run(X, y)
f.save("f.okra")
print(okra.__file__)
print([line.split()[-1] for line in open("/proc/self/maps") if "libokra" in line][0])
"""


def run(*command, **options):
    env = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    env.update(options.pop("env", {}))
    return subprocess.run([*map(str, command)], capture_output=True, text=True, env=env, **options)


@pytest.fixture(scope="module")
def python(tmp_path_factory):
    """The Python of a fresh virtual environment that sees the system's numpy."""
    folder = tmp_path_factory.mktemp("venv")
    subprocess.run([sys.executable, "-m", "venv", "--system-site-packages", str(folder)], check=True)
    return folder / "bin" / "python"


def install(python, what, **env):
    options = ("--no-build-isolation", "--no-index", "--force-reinstall", "--no-deps")
    return run(python, "-m", "pip", "install", *options, what, env=env)


def libraries(program):
    """The folder of the build tree with libokra.so, and the others."""
    build = Path(program).resolve().parents[1]
    return [build / "src", build / "src" / "io", build / "src" / "lab"]


def install_and_use(python, folder, **env):
    """Where the package and libokra are that a program in the folder then uses."""
    done = install(python, BINDINGS, **env)
    assert done.returncode == 0, done.stdout + done.stderr
    used = run(python, "-c", USE, cwd=folder)
    assert used.returncode == 0, used.stderr
    return (Path(line) for line in used.stdout.split())


def test_from_a_checkout(python, tmp_path):
    package, library = install_and_use(python, tmp_path)
    assert python.parent.parent in package.parents  # the one that was installed, with its own libraries
    assert library.parent == package.parent / "_lib"
    assert (package.parent / "py.typed").exists() and (package.parent / "_core.pyi").exists()


def test_with_installed_libraries(python, tmp_path):
    prefix = tmp_path / "prefix"
    (prefix / "lib").mkdir(parents=True)
    shutil.copytree(ROOT / "include" / "okra", prefix / "include" / "okra")
    for folder in libraries(os.environ["OKRA_PROGRAM"]):
        for library in folder.glob("lib*.so*"):
            (prefix / "lib" / library.name).symlink_to(library)
    package, library = install_and_use(python, tmp_path, OKRA_PREFIX=str(prefix))
    assert not (package.parent / "_lib").exists()
    assert package.parent not in library.parents


def test_without_a_checkout_it_says_so(python, tmp_path):
    shutil.copytree(BINDINGS, tmp_path / "python", ignore=shutil.ignore_patterns("tests", "__pycache__"))
    done = install(python, tmp_path / "python")
    assert done.returncode != 0
    assert "okra: this builds from a checkout of okra, and there is none around it" in done.stdout + done.stderr
    done = install(python, tmp_path / "python", OKRA_PREFIX=str(tmp_path))
    assert done.returncode != 0
    assert "okra/version.h is not there" in done.stdout + done.stderr or Path("/usr/include/okra/version.h").exists()
