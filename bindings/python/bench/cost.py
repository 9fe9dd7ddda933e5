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


def loop(f, samples):
    step = f.step
    for x, t in samples:
        step(x, t)


def take_turns(in_c, runners, reset, rounds):
    """The seconds of each runner, with those of C around it; and C's median."""
    times = {name: [] for name in runners}
    before = in_c()
    for _ in range(rounds):
        for name, work in runners.items():
            reset()
            ours, after = seconds(work), in_c()
            times[name].append((ours, (before + after) / 2))
            before = after
    return times, median(c for pairs in times.values() for _, c in pairs)


def measure(function, c_filter, rounds, n, runners_of):
    X, y = okra.signal("ex2", n)
    f = okra.Filter("rff-klms", INPUTS, sigma=5, features=FEATURES)
    out = np.empty(n)

    def in_c():
        return function(c_filter, n, X.ctypes.data, y.ctypes.data, out.ctypes.data)

    return take_turns(in_c, runners_of(f, X, y), f.reset, rounds)


def step_runners(f, X, y):
    """Ways to write the loop: what differs is what a row is when it comes."""
    arrays = [(x, float(t)) for x, t in zip(X, y)]
    lists = [(x.tolist(), float(t)) for x, t in zip(X, y)]
    return {"step, rows are float64 arrays": lambda: loop(f, arrays), "step, rows are lists": lambda: loop(f, lists)}


def run_runners(f, X, y):
    wide = np.concatenate([X, y[:, None]], axis=1)
    return {
        "run, float64 arrays": lambda: f.run(X, y),
        "run, columns of a wider table": lambda: f.run(wide[:, :INPUTS], wide[:, INPUTS]),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=41)
    rounds = parser.parse_args().rounds
    loops = load_loops()
    c_filter = loops.loops_filter(INPUTS, FEATURES)
    n = 20_000
    times, c = measure(loops.loops_steps, c_filter, rounds, n, step_runners)
    print(f"{'okra_step in C':<40}{c / n * 1e6:8.3f} us a step")
    for name, pairs in times.items():
        print(f"{name:<40}{median(ours - c for ours, c in pairs) / n * 1e6:+8.3f} us more")
    n = 100_000
    times, c = measure(loops.loops_run, c_filter, rounds, n, run_runners)
    print(f"{'okra_run in C':<40}{c / n * 1e9:8.1f} ns a sample, {n} samples")
    for name, pairs in times.items():
        print(f"{name:<40}{(median(ours / c for ours, c in pairs) - 1) * 100:+8.2f} % more")


if __name__ == "__main__":
    main()
