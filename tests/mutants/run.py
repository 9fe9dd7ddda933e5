#!/usr/bin/env python3
"""
Draws single mutations of the code at random, room by room, and reports which of them the tests notice.

    tests/mutants/run.py --seed 7 --count 150      what `make mutants SEED=7 COUNT=150` runs
    tests/mutants/run.py --seed 7 --show           the mutants, without building anything
    tests/mutants/run.py --seed 7 --only src/map:3 one of them, again

A mutant is built in a scratch copy of the tree and given to the tests of its room, the quick ones first, until one fails; one that passes
them all is built with sanitizers and given to the quick ones once more, because they are part of the tests: a number read past an array's end
need not change a result. One that does not compile, or whose machine code is that of the original, is drawn again, and so is one that
equivalent.txt says is none. Interrupted, the same command goes on from the results file.
"""

import argparse
import collections
import itertools
import json
import os
import pathlib
import sys
import tempfile
import threading
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import mutate  # noqa: E402
import rooms  # noqa: E402
import tree  # noqa: E402

ROOT = str(pathlib.Path(__file__).resolve().parents[2])
LEAST = 8  # mutants of a room
QUICK = 20.0  # seconds, with sanitizers and unmutated, of a test that mutants are given to with sanitizers

KILLED, SURVIVED, EQUIVALENT, SAME, BROKEN = "killed", "survived", "equivalent", "same code", "does not compile"
COUNTED = (KILLED, SURVIVED)


# ---- drawing ----------------------------------------------------------------------------------------------------------


def shares(sizes, count):
    """Of `count` mutants, how many of each room: the least that each gets, and the rest in proportion to its lines."""
    least = min(LEAST, count // len(sizes))
    rest, total = count - least * len(sizes), sum(sizes)
    exact = [rest * size / total for size in sizes]
    given = [least + int(e) for e in exact]
    for i in sorted(range(len(sizes)), key=lambda i: int(exact[i]) - exact[i])[: rest - sum(map(int, exact))]:
        given[i] += 1
    return given


def read_equivalent():
    """{(file, original, mutated)} of equivalent.txt; of lines that there are."""
    known, lines = set(), {}
    for number, line in enumerate(pathlib.Path(ROOT, "tests/mutants/equivalent.txt").read_text().splitlines(), 1):
        if line.strip() and not line.startswith("#"):
            fields = [field.strip() for field in line.split(" :: ")]
            if len(fields) != 4:
                raise SystemExit(f"mutants: equivalent.txt:{number}: not `FILE :: ORIGINAL :: MUTATED :: REASON`")
            if fields[0] not in lines:
                text = pathlib.Path(ROOT, fields[0])
                lines[fields[0]] = {line.strip() for line in text.read_text().splitlines()} if text.exists() else set()
            if fields[1] not in lines[fields[0]]:
                print(f"mutants: equivalent.txt:{number}: {fields[0]} has no such line any more", file=sys.stderr)
            known.add(tuple(fields[:3]))
    return known


class Draw:
    """The mutants of a room, in their order; hands them out until enough of them count."""

    def __init__(self, room, seed):
        self.room = room
        self.lines = [
            line for file in rooms.sources(ROOT, room) for line in mutate.mutants_of_file(file, pathlib.Path(ROOT, file).read_text())
        ]
        self.order = mutate.draw(self.lines, seed, room.name)
        self.wanted = self.taken = self.counted = self.away = 0

    def next(self):
        if self.counted + self.away >= self.wanted:
            return None
        self.taken += 1
        self.away += 1
        return self.taken - 1, next(self.order)

    def settle(self, verdict):
        self.away -= 1
        self.counted += verdict in COUNTED


# ---- the results file -----------------------------------------------------------------------------------------------


class Results:
    def __init__(self, path, head):
        self.path, self.known = path, {}
        lines = path.read_text().splitlines() if path.exists() else []
        if lines and json.loads(lines[0]) == head:
            for line in lines[1:]:
                try:
                    entry = json.loads(line)
                except ValueError:
                    continue  # cut off
                self.known[entry["room"], entry["index"]] = entry
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(head) + "\n")

    def add(self, entry):
        self.known[entry["room"], entry["index"]] = entry
        with self.path.open("a") as file:
            file.write(json.dumps(entry) + "\n")


# ---- one mutant -------------------------------------------------------------------------------------------------------


class Runner:
    def __init__(self, scratch, chosen, workers, draft):
        memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else tempfile.gettempdir()
        self.trees = [tree.Tree(ROOT, scratch / str(i), "plain", memory) for i in range(workers)]
        self.watched = tree.Tree(ROOT, scratch / "s", "sanitized", memory)
        self.watching = threading.Lock()
        self.draft = draft
        self.chosen = chosen
        self.digest = tree.digest(ROOT)
        self.seconds = {}  # of each test, unmutated
        self.quick = {}  # whether it is, with sanitizers
        self.kept = scratch / "unmutated.json"

    def names(self):
        return sorted({n for room in self.chosen for n in rooms.order_tests(room, self.trees[0].tests, {})})

    def set_up(self, say):
        trees = self.trees + ([] if self.draft else [self.watched])
        say(f"building {len(trees)} trees in {self.watched.build.parents[1]}")
        in_parallel(trees, lambda t: t.set_up())
        names = self.names()
        if self.kept.exists() and (known := json.loads(self.kept.read_text()))["tree"] == self.digest:
            self.seconds, self.quick = known["seconds"], known["quick"]
        self.time_tests([n for n in names if n not in self.seconds], say)

    def keep(self):
        self.kept.write_text(json.dumps({"tree": self.digest, "seconds": self.seconds, "quick": self.quick}))

    def time_tests(self, names, say):
        """What each test takes unmutated; those that fail then are no judges."""
        say(f"running {len(names)} tests unmutated")

        def plain(t):
            for name in names[self.trees.index(t) :: len(self.trees)]:
                self.seconds[name] = t.time_test(name, 900)
                if self.seconds[name] is None:
                    say(f"left out, as it fails unmutated: {name}")

        in_parallel(self.trees, plain)
        self.keep()

    def quick_ones(self, names):
        """Those that pass unmutated with sanitizers, and soon; found out when they are first asked for."""
        for name in names:
            if name not in self.quick:
                self.watched.make(self.watched.targets_of(name))
                self.quick[name] = self.seconds[name] <= QUICK / 5 and bool(self.watched.test(name, QUICK))
        self.keep()
        return [n for n in names if self.quick[n]]

    def tests_of(self, room):
        return [n for n in rooms.order_tests(room, self.trees[0].tests, self.seconds) if self.seconds[n] is not None]

    def try_tests(self, t, names, patience):
        """(verdict, the test that decided)"""
        for name in names:
            if not t.make(t.targets_of(name)):
                return BROKEN, name
            passed = t.test(name, patience(self.seconds[name]))
            if not passed:
                return KILLED, name + (" (time)" if passed is None else "")
        return SURVIVED, ""

    def judge(self, t, room, mutant):
        names = self.tests_of(room)
        t.put(mutant)
        try:
            if not t.make(tree.PRODUCTS):
                return BROKEN, ""
            if t.same_objects():
                return SAME, ""
            verdict = self.try_tests(t, names, lambda seconds: 20 + 10 * seconds)
        finally:
            t.restore(mutant)
        if verdict[0] != SURVIVED or self.draft:
            return verdict
        with self.watching:
            names = self.quick_ones(names)
            self.watched.put(mutant)
            try:
                verdict = self.try_tests(self.watched, names, lambda seconds: 5 * QUICK)
            finally:
                self.watched.restore(mutant)
        return verdict[0], verdict[1] and verdict[1] + " (sanitizers)"


def in_parallel(items, do):
    failures = []

    def guarded(item):
        try:
            do(item)
        except BaseException as e:
            failures.append(e)

    threads = [threading.Thread(target=guarded, args=(item,), daemon=True) for item in items]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]


# ---- all of them --------------------------------------------------------------------------------------------------------


def work(runner, t, draws, results, equivalent, lock, say):
    """One worker: rooms in turn, so that two seldom wait for the same files."""
    while True:
        with lock:
            turn = [(d, d.next()) for d in [next((d for d in draws if d.counted + d.away < d.wanted), None)] if d]
            if not turn:
                if any(d.away for d in draws):  # what is away may come back uncounted
                    waits = True
                else:
                    return
            else:
                waits = False
                draw, (index, mutant) = turn[0]
                known = results.known.get((draw.room.name, index))
        if waits:
            time.sleep(0.5)
            continue
        begin = time.monotonic()
        if known:
            verdict, by = known["verdict"], known["by"]
        elif {(mutant.file, mutant.original.strip(), changed) for changed in (mutant.mutated.strip(), f"({mutant.kind})")} & equivalent:
            verdict, by = EQUIVALENT, ""
        else:
            verdict, by = runner.judge(t, draw.room, mutant)
        with lock:
            draw.settle(verdict)
            if not known:
                seconds = round(time.monotonic() - begin, 1)
                results.add(dict(mutant._asdict(), room=draw.room.name, index=index, verdict=verdict, by=by, seconds=seconds))
                done, all = sum(d.counted for d in draws), sum(d.wanted for d in draws)
                say(f"{done}/{all} {draw.room.name}:{index} {mutant.file}:{mutant.line} {verdict} {by} {seconds} s")


def report(draws, results, out):
    """The table of docs/reliability.md, and the survivors."""
    counts = collections.Counter()
    entries = [results.known[d.room.name, i] for d in draws for i in range(d.taken) if (d.room.name, i) in results.known]
    for entry in entries:
        counts[entry["room"], entry["verdict"]] += 1
        counts["all", entry["verdict"]] += 1
    print("| room | lines | mutants | killed | survived | killed, % | equivalent | same code |\n|---|---|---|---|---|---|---|---|", file=out)
    for name, lines in [(d.room.name, len(d.lines)) for d in draws] + [("all", sum(len(d.lines) for d in draws))]:
        killed, survived = counts[name, KILLED], counts[name, SURVIVED]
        percent = f"{100 * killed / (killed + survived):.1f}" if killed + survived else "-"
        print(f"| {name} | {lines} | {killed + survived} | {killed} | {survived} | {percent} | "
              f"{counts[name, EQUIVALENT]} | {counts[name, SAME]} |", file=out)  # fmt: skip
    survivors = [e for e in entries if e["verdict"] == SURVIVED]
    print(f"\nSurvivors: {len(survivors)}\n", file=out)
    for e in survivors:
        mutant = mutate.Mutant(*(e[field] for field in mutate.Mutant._fields))
        print(f"{e['room']}:{e['index']}\n{mutant.diff()}\n", file=out)
    return counts["all", KILLED], counts["all", SURVIVED]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=int(time.time()), help="of the draw; the time")
    parser.add_argument("--count", type=int, default=150, help="mutants in all, 8 a room or more; 150")
    parser.add_argument("--rooms", help="only rooms whose name this regular expression matches")
    parser.add_argument("--only", metavar="ROOM:INDEX", help="one mutant of the draw")
    parser.add_argument("--show", action="store_true", help="print the mutants and leave it at that")
    parser.add_argument("--draft", action="store_true", help="without the sanitizers, which take the most time: survivors are candidates")
    parser.add_argument("--workers", type=int, default=min(2, os.cpu_count() or 1), help="scratch trees side by side; 2")
    parser.add_argument("--least", type=float, default=0, metavar="PERCENT", help="fail where fewer are killed")
    parser.add_argument("--results", type=pathlib.Path, help="build/mutants/SEED-COUNT.jsonl")
    scratch = pathlib.Path(tempfile.gettempdir(), "okra-mutants")
    parser.add_argument("--scratch", type=pathlib.Path, default=scratch, help="folder of the trees, kept for the next time; in TMPDIR")
    return parser.parse_args()


def main():
    args = arguments()
    draws = [Draw(room, args.seed) for room in rooms.ROOMS]
    for draw, wanted in zip(draws, shares([len(d.lines) for d in draws], args.count)):
        draw.wanted = wanted
    if args.only:
        name, index = args.only.rsplit(":", 1)
        draws = [d for d in draws if d.room.name == name]
        mutant = next(itertools.islice(draws[0].order, int(index), None)) if draws else None
        if not mutant:
            raise SystemExit(f"mutants: no room {name}")
        print(mutant.diff())
    elif args.rooms:
        draws = [d for d in draws if rooms.re.search(args.rooms, d.room.name)]
    if args.show:
        for d in draws if not args.only else []:
            for i in range(d.wanted):
                print(f"{d.room.name}:{i}\n{next(d.order).diff()}")
        return

    def say(text):
        print(f"[{time.strftime('%H:%M:%S')}] {text}", file=sys.stderr, flush=True)

    runner = Runner(args.scratch, [d.room for d in draws], args.workers if not args.only else 1, args.draft)
    runner.set_up(say)
    if args.only:
        print(*runner.judge(runner.trees[0], draws[0].room, mutant))
        return
    path = args.results or pathlib.Path(ROOT, "build/mutants", f"{args.seed}-{args.count}{'-draft' * args.draft}.jsonl")
    head = {"seed": args.seed, "count": args.count, "tree": runner.digest}
    results, lock, equivalent = Results(path, head), threading.Lock(), read_equivalent()
    say(f"seed {args.seed}, results in {path}")
    orders = [draws if i % 2 == 0 else draws[::-1] for i in range(args.workers)]
    in_parallel(list(zip(runner.trees, orders)), lambda to: work(runner, to[0], to[1], results, equivalent, lock, say))
    print(f"seed {args.seed}, {args.count} mutants, tree {head['tree']}\n")
    killed, survived = report(draws, results, sys.stdout)
    if 100 * killed < args.least * (killed + survived):
        raise SystemExit(f"mutants: fewer than {args.least}% killed")


if __name__ == "__main__":
    main()
