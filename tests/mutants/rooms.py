"""The rooms whose code is mutated, and the tests that guard each: regular expressions of ctest's names, in the order in which they run."""

import pathlib
import re
from typing import NamedTuple

# What every room of libokra is seen by, after its own tests. Each variant of a program, but not the scalar twins of the same tests.
LIBRARY = [
    r"registry|spec|maps|block|random",
    r"(lms|rls|krls|dictionary|ensemble|model|handle)_f\d\d_avx2",
    r"auto|drift|golden_files_avx2|model_(file|damage|json)_avx2|out_of_memory|fuzz_(filter|stream|model)_replay",
    r"map|(reference|contract)_f\d\d_avx2",
    r"transcript_(run|list|compare|columns|drift_interval|predict_info|mistakes)",
    r"(extreme_values|threads)_f\d\d_avx2|cli_(golden|run|interval|drift|dictionary)",
]
PROGRAM = [
    r"transcript_.*",
    r"fuzz_options_replay|manual_(choices|okra|bash)|cli_(message|list|mistakes|columns|run|golden|golden_models_avx2|stream|resume|dictionary|interval|drift)",
    r"cli_(compare|merge|tune|lab|diffuse|model_files|audio|live|stall)",
    r"cli_(crash|fault)",
]


class Room(NamedTuple):
    name: str
    files: str  # of the paths of its sources
    tests: list


ROOMS = [
    Room("src/core", r"src/core/.*", [r"block|random|status", r"(vec|trig)_.*"] + LIBRARY),
    Room("src/vec", r"src/vec/(?!neon|isa_scalar).*", [r"(vec|trig)_.*", r"(lms|rls)_.*", r"cli_golden_models_scalar"] + LIBRARY),
    Room("src/map", r"src/(kernel|map)/.*", [r"frequencies|maps", r"map"] + LIBRARY),
    Room("src/filter", r"src/(spec|filter)/.*", [r"registry|spec|(lms|rls|krls|dictionary|ensemble)_f\d\d_avx2"] + LIBRARY),
    Room("src/stream", r"src/stream/.*", [r"(handle|model)_f\d\d_avx2|drift|auto"] + LIBRARY),
    Room(
        "src/io",
        r"src/(io|json)/.*",
        [
            r"audio|csv|json|messy|npy|number|messages|parts|pow10_table|writer|model_(file|damage|disk|json)_avx2",
            r"fuzz_(audio|csv|json|json_reader|model|npy|number)_replay|golden_files_avx2|io_faults|out_of_memory|file_limits",
            r"transcript_(columns|mistakes|audio|export_import|run|predict_info)",
            r"cli_(audio|stream|columns|model_files|golden|golden_models_avx2|merge|mistakes|run|live|resume|crash|fault)",
        ],
    ),
    Room(
        "src/lab",
        r"src/lab/.*",
        [
            r"graph|merge|network|recursions|signals|theory|trial|r_factor",
            r"transcript_(signals|theory|paper|diffuse|merge|mistakes)",
            r"lab_faults|cli_(lab|diffuse|merge|compare|tune|fault)",
        ],
    ),
    Room("cli/stream", r"cli/stream/.*", [r"transcript_(run|columns|predict_info|drift_interval)"] + PROGRAM),
    Room("cli/compare", r"cli/compare/.*", [r"transcript_(compare|tune)"] + PROGRAM),
    Room("cli/common", r"cli/common/.*", [r"transcript_(mistakes|list|help|columns|run)"] + PROGRAM),
    Room(
        "cli, the rest",
        r"cli/(?!cmd_bench|main)([^/]*|(lab|draw)/.*)",
        [r"transcript_(diffuse|merge|paper|theory|predict_info)"] + PROGRAM + [r"mpi_(diffuse|files|paper)"],
    ),
]


def sources(root, room):
    paths = sorted(p.relative_to(root).as_posix() for folder in ("src", "cli") for p in pathlib.Path(root, folder).rglob("*.[ch]"))
    return [p for p in paths if re.fullmatch(room.files, p)]


def order_tests(room, tests, seconds):
    """Names of the room's tests: by its list, and within an entry the quick ones first."""
    chosen = []
    for pattern in room.tests:
        named = [t for t in tests if re.fullmatch(pattern, t) and t not in chosen]
        chosen += sorted(named, key=lambda t: seconds.get(t, 0))
    return chosen
