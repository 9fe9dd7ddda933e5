#!/usr/bin/env python3
"""
rooms.py FOLDER: the rules of the house that a compiler does not check.

1. Rooms of the library include one another in one direction only, and none includes the program.
2. The names of parameters are listed in one place, the registry: no other file of the code spells many of them.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1])
REGISTRY = "src/spec/recipes.c"
NAMES_MAX = 5  # of parameters, as texts, that a file may need: each for what it does with that one

# What is said of single parameters, and is a table for that reason.
TABLES = {
    "bindings/octave/okra_names.m": "the names of another toolbox beside ours",
    "cli/common/refusal.c": "what to lower or raise where learning fails",
    "cli/compare/tune_candidates.c": "the values that tune tries",
}

bad = []


def includes(room):
    """{another room: the file that includes it}"""
    found = {}
    for file in sorted(room.glob("*.[ch]")):
        for path in re.findall(r'^#include "([^"]+)"', file.read_text(), re.M):
            target = (file.parent / path).resolve()
            if target.parent != room.resolve():
                found[target.parent.name] = file.relative_to(ROOT).as_posix()
            if not target.is_relative_to((ROOT / "src").resolve()):
                bad.append(f"{file.relative_to(ROOT)} includes {path}, which is not in src")
    return found


def find_cycle(graph, room, path):
    if room in path:
        return path[path.index(room) :] + [room]
    for other in graph.get(room, {}):
        cycle = find_cycle(graph, other, path + [room])
        if cycle:
            return cycle
    return None


def check_rooms():
    graph = {room.name: includes(room) for room in sorted((ROOT / "src").iterdir()) if room.is_dir()}
    for room in graph:
        cycle = find_cycle(graph, room, [])
        if cycle:
            steps = [f"{a} includes {b} in {graph[a][b]}" for a, b in zip(cycle, cycle[1:])]
            bad.append("rooms in a circle: " + "; ".join(steps))
            break
    return graph


def check_names():
    names = re.findall(r'^    \[[A-Z_]+\]\s*= \{"([a-z-]+)", OKRA_PARAM', (ROOT / REGISTRY).read_text(), re.M)
    if len(names) < 20:
        bad.append(f"{REGISTRY} is no longer written as this script reads it")
    files = [f for folder in ("src", "cli", "mpi", "bindings", "manual") for f in (ROOT / folder).rglob("*")]
    for file in sorted(f for f in files if f.suffix in (".c", ".h", ".cc", ".py", ".m", ".js") and "tests" not in f.parts):
        path = file.relative_to(ROOT).as_posix()
        if path == REGISTRY or path in TABLES or "/examples/" in path:
            continue
        texts = set(re.findall(r'''["'](?:--)?([a-z][a-z_-]*)["']''', file.read_text()))
        spelled = sorted(n for n in names if n in texts or n.replace("-", "_") in texts)
        if len(spelled) > NAMES_MAX:
            bad.append(f"{path} lists parameters: {', '.join(spelled)}: read them from okra_param_at()")
    return names


rooms, parameters = check_rooms(), check_names()
for line in bad:
    print(line, file=sys.stderr)
print(f"{len(rooms)} rooms, {len(parameters)} parameters")
sys.exit(1 if bad else 0)
