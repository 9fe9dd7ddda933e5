"""Builds the package: the C half, and the libraries that it needs.

From a checkout, CMake builds libokra, libokra-io and libokra-lab, and they are bundled with the package. With OKRA_SYSTEM=1, or
OKRA_PREFIX=DIR, the package is linked to installed ones instead (of DIR), and bundles nothing.
"""

import atexit
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
LIBRARIES = {"okra": "src", "okra-io": "src/io", "okra-lab": "src/lab"}  # and where CMake leaves them
PREFIX = os.environ.get("OKRA_PREFIX")
SYSTEM = bool(PREFIX) or os.environ.get("OKRA_SYSTEM", "0") not in ("", "0")
CHECKOUT = (ROOT / "CMakeLists.txt").exists()
BUILD = ROOT / "build" / "python-package"


def fail(text):
    sys.exit(f"okra: {text}")


def version():
    """That of the header which is compiled against."""
    places = [Path(folder) for folder in include_dirs()] + [Path("/usr/include"), Path("/usr/local/include")]
    for place in places:
        header = place / "okra" / "version.h"
        if header.exists():
            return re.search(r'OKRA_VERSION\s+"([^"]+)"', header.read_text())[1]
    fail("okra/version.h is not there: install okra's headers, or say where they are with OKRA_PREFIX=DIR")


def pkg_config(option):
    try:
        said = subprocess.run(["pkg-config", option, *LIBRARIES], capture_output=True, text=True)
    except OSError:
        return []
    return [word[2:] for word in said.stdout.split()] if said.returncode == 0 else []


def include_dirs():
    if PREFIX:
        return [str(Path(PREFIX) / "include")]
    return pkg_config("--cflags-only-I") if SYSTEM else [str(ROOT / "include")]


def library_dirs():
    if PREFIX:
        folders = [Path(PREFIX, "lib", sysconfig.get_config_var("MULTIARCH") or ""), Path(PREFIX, "lib"), Path(PREFIX, "lib64")]
        return list(dict.fromkeys(str(folder) for folder in folders if folder.is_dir()))
    return pkg_config("--libs-only-L") if SYSTEM else [str(BUILD / folder) for folder in LIBRARIES.values()]


def runtime_dirs():
    """Where the extension looks for its libraries at run time: beside itself, in a prefix of one's own, or where all are."""
    if not SYSTEM:
        return ["$ORIGIN/_lib"]
    return library_dirs() if PREFIX and PREFIX.rstrip("/") != "/usr" else []


def build_libraries():
    configure = [
        "cmake", "-S", str(ROOT), "-B", str(BUILD), "-DCMAKE_BUILD_TYPE=Release", "-DOKRA_TESTS=OFF", "-DOKRA_BENCH=OFF",
        "-DOKRA_PYTHON=OFF", "-DCMAKE_BUILD_WITH_INSTALL_RPATH=ON", "-DCMAKE_INSTALL_RPATH=$ORIGIN",
    ]
    build = ["cmake", "--build", str(BUILD), "-j", str(os.cpu_count() or 1), "--target", *LIBRARIES]
    try:
        for command in (configure, build):
            subprocess.run(command, check=True)
    except OSError:
        fail("cmake is not there: cmake/setup.sh build installs it, and what else the libraries need")
    except subprocess.CalledProcessError:
        fail("the libraries could not be built; CMake's words are above (cmake/setup.sh build installs what they need)")


class Build(build_ext):
    def run(self):
        if not SYSTEM:
            build_libraries()
        super().run()
        if not SYSTEM:
            self.bundle()

    def bundle(self):
        """The libraries, under the names that the linker looks for, beside the extension."""
        folder = Path(self.get_ext_fullpath("okra._core")).parent / "_lib"
        folder.mkdir(parents=True, exist_ok=True)
        for name, place in LIBRARIES.items():
            for library in (BUILD / place).glob(f"lib{name}.so.?"):
                shutil.copy2(library, folder / library.name)


if not SYSTEM and not CHECKOUT:
    fail(
        "this builds from a checkout of okra, and there is none around it: pip install CHECKOUT/bindings/python, "
        "or set OKRA_SYSTEM=1 to use an okra that is installed"
    )

options = {"bdist_wheel": {"py_limited_api": "cp311"}}
if CHECKOUT:  # leave nothing in the source tree, and nothing that a later build in another mode would take for its own
    BUILD.mkdir(parents=True, exist_ok=True)
    wheel = tempfile.mkdtemp(prefix="wheel-", dir=BUILD)
    atexit.register(shutil.rmtree, wheel, ignore_errors=True)
    options.update(build={"build_base": wheel}, egg_info={"egg_base": wheel})

setup(
    version=version(),
    cmdclass={"build_ext": Build},
    ext_modules=[
        Extension(
            "okra._core",
            sources=sorted(f"core/{path.name}" for path in (HERE / "core").glob("*.c")),
            depends=["core/core.h"],
            include_dirs=include_dirs(),
            library_dirs=library_dirs(),
            runtime_library_dirs=runtime_dirs(),
            libraries=list(LIBRARIES),
            define_macros=[("Py_LIMITED_API", "0x030B0000")],
            extra_compile_args=["-std=gnu17", "-fvisibility=hidden"],
            py_limited_api=True,
        )
    ],
    options=options,
)
