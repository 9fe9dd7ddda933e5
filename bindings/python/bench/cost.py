#!/usr/bin/env python3
"""What a call from Python costs, against the same filter in the same loop in C.

    make python && PYTHONPATH=build/release/bindings/python python3 bindings/python/bench/cost.py

C and Python take turns, in the thread's own time, so that what else the machine does meets both: each turn of Python is
compared with C's turns before and after it. Figures are medians over the rounds. RFF-KLMS, 5 inputs, 300 features.
"""

import argparse
import ctypes
import sys
import time
from pathlib import Path
from statistics import median

import numpy as np

import okra

INPUTS, FEATURES = 5, 300


def load_loops():
    path = Path(okra.__file__).parents[1] / "loops.so"
    if not path.exists():
        sys.exit(f"cost.py: {path} is not there: `make python` builds it, and PYTHONPATH must name that folder")
    loops = ctypes.CDLL(str(path))
    numbers = ctypes.c_void_p
    loops.loops_filter.restype = numbers
    loops.loops_filter.argtypes = [ctypes.c_size_t, ctypes.c_size_t]
    for function in (loops.loops_steps, loops.loops_run):
        function.restype = ctypes.c_double
        function.argtypes = [numbers, ctypes.c_size_t, numbers, numbers, numbers]
    return loops


def seconds(work):
    start = time.thread_time()
    work()
    return time.thread_time() - start


def in_c(function, c_filter, X, y, yhat):
    return function(c_filter, len(y), X.ctypes.data, y.ctypes.data, yhat.ctypes.data)


def step_contenders(f, rows):
    """Ways to write the loop: what differs is what a row is when it comes."""
    arrays = [(x, float(t)) for x, t in rows]
    lists = [(x.tolist(), float(t)) for x, t in rows]

    def loop(samples):
        step = f.step
        for x, t in samples:
            step(x, t)

    return {"step, rows are float64 arrays": lambda: loop(arrays), "step, rows are lists": lambda: loop(lists)}


def take_turns(in_c, contenders, reset, rounds):
    """The seconds of each contender, with those of C around it."""
    times = {name: [] for name in contenders}
    before = in_c()
    for _ in range(rounds):
        for name, work in contenders.items():
            reset()
            ours, after = seconds(work), in_c()
            times[name].append((ours, (before + after) / 2))
            before = after
    return times


def c_time(times):
    return median(c for pairs in times.values() for _, c in pairs)


def measure_steps(loops, c_filter, rounds, n):
    X, y = okra.signal("ex2", n)
    f = okra.Filter("rff-klms", INPUTS, sigma=5, features=FEATURES)
    out = np.empty(n)
    contenders = step_contenders(f, list(zip(X, y)))
    times = take_turns(lambda: in_c(loops.loops_steps, c_filter, X, y, out), contenders, f.reset, rounds)
    print(f"{'okra_step in C':<40}{c_time(times) / n * 1e6:8.3f} us a step")
    for name, pairs in times.items():
        print(f"{name:<40}{median(ours - c for ours, c in pairs) / n * 1e6:+8.3f} us more")


def measure_run(loops, c_filter, rounds, n):
    X, y = okra.signal("ex2", n)
    f = okra.Filter("rff-klms", INPUTS, sigma=5, features=FEATURES)
    out = np.empty(n)
    wide = np.concatenate([X, y[:, None]], axis=1)
    contenders = {
        "run, float64 arrays": lambda: f.run(X, y),
        "run, columns of a wider table": lambda: f.run(wide[:, :INPUTS], wide[:, INPUTS]),
    }
    times = take_turns(lambda: in_c(loops.loops_run, c_filter, X, y, out), contenders, f.reset, rounds)
    print(f"{'okra_run in C':<40}{c_time(times) / n * 1e9:8.1f} ns a sample, {n} samples")
    for name, pairs in times.items():
        print(f"{name:<40}{(median(ours / c for ours, c in pairs) - 1) * 100:+8.2f} % more")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=41)
    rounds = parser.parse_args().rounds
    loops = load_loops()
    c_filter = loops.loops_filter(INPUTS, FEATURES)
    measure_steps(loops, c_filter, rounds, 20_000)
    measure_run(loops, c_filter, rounds, 100_000)


if __name__ == "__main__":
    main()
