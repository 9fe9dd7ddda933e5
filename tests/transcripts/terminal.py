#!/usr/bin/env python3
"""
Runs a command on a terminal, and prints what is to be read there in the end: terminal [TOTAL] COMMAND..

Progress bars come and go with the clock, and are left out. A line says what is wrong with them: numbers that fall, a bar that does not fit
its percentage, or a percentage that does not fit the rows, of which there are TOTAL in the end.
"""

import os
import re
import subprocess
import sys

WIPE = "\r\033[K"
BAR = re.compile(r" *(\d+) rows  \[(#*)(\.*)\] +(\d+)%(?:  \d+:\d\d left)?")


def watch(command):
    """What was written, and the exit status."""
    pieces, (seen, terminal) = [], os.openpty()
    child = subprocess.Popen(command, stdin=terminal, stdout=terminal, stderr=terminal)
    os.close(terminal)
    try:
        while piece := os.read(seen, 65536):
            pieces.append(piece)
    except OSError:  # which is how a terminal says that nobody is left
        pass
    return b"".join(pieces).decode(), child.wait()


def faults(bars, total):
    found, before = set(), (0, 0)
    for rows, full, empty, percent in bars:
        rows, percent, share = int(rows), int(percent), len(full) / (len(full) + len(empty))
        if rows < before[0] or percent < before[1]:
            found.add("falls")
        if not percent - 4 < 100 * share <= percent + 1:
            found.add("is no bar of its percentage")
        if total and not percent <= 100 * rows / total < percent + 1.001:
            found.add(f"{percent}% at {rows} rows")
        before = rows, percent
    return sorted(found)


def main():
    total = int(sys.argv.pop(1)) if sys.argv[1].isdigit() else 0
    text, status = watch(sys.argv[1:])
    pieces = text.split(WIPE)
    bars = [match.groups() for match in map(BAR.fullmatch, pieces) if match]
    if wrong := faults(bars, total):
        print("[bars]", *wrong)
    print("".join(piece for piece in pieces if not BAR.fullmatch(piece)).replace("\r\n", "\n"), end="")
    sys.exit(status)


if __name__ == "__main__":
    main()
