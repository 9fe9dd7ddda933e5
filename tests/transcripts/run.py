#!/usr/bin/env python3
"""
Sessions at a shell, with what the program is expected to print.

    tests/transcripts/run.py OKRA             all of them, with the program OKRA
    tests/transcripts/run.py OKRA run merge   those of run.txt and merge.txt
    tests/transcripts/run.py --write OKRA ..  write their outputs anew, to be read as a diff

A session is a text file:

    ## why the next command is there
    $ okra run x.csv    a command line for sh; the okra of the build is the first in its PATH
    n,y,yhat,error      what it writes to standard output
    ! okra: ..          then what it writes to standard error
    ? 2                 and its exit status, where that is not 0

A blank line ends each command's part. The commands of a session run in a folder of their own, where later ones find the files of earlier
ones. A line of output that begins with one of the marks gets a backslash before it.

Words and whole numbers must be the same. Numbers with a point or an exponent may differ by what rounding does: see TOLERANCE. What depends
on the clock or the machine is not compared: see MASKS.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent

# Compilers and instruction sets round differently, by 1e-16 an operation, or 6e-8 in single precision. Sessions are short and their problems well
# conditioned, so that a few thousand operations come to less than 1e-10 (double), or 1e-6 (single), of a number; an error is a difference of numbers
# about 1, so it may be off by as much as they are. A number that is printed with few digits may be rounded up or down: one of its last place,
# where it has four digits or more.
TOLERANCE = 1e-6
FLOOR = 1e-9
DIGITS = 4

# What no two runs have in common.
MASKS = [
    (r'("(?:seconds|ns_per_row|rows_per_second|seconds_per_node_and_sample|ratio|okra_version|checksum)": )[^,\n]+', r"\1<..>"),
    (r'("(?:metadata\.)?run\.(?:seconds|bytes|fingerprint)": )[^,\n]+', r"\1<..>"),
    (r"(?m)^( *(?:seconds|rows_per_second|run\.seconds|run\.bytes|run\.fingerprint|okra_version|checksum) +)\S+$", r"\1<..>"),
    (r'(?m)^( *score\.recent +| *"(?:metadata\.)?score\.recent": ).*$', r"\1<..>"),
    (r'(?m)^(bytes +|  "bytes": )\d+', r"\1<..>"),  # of a file in which the time and the length of others are written
    (r"(shorter than the )\d+", r"\1<..>"),
    (r"(time per node and sample: )\d+", r"\1<..>"),
    (r" +\d+\.\d{6} s(?=   )", r" <..> s"),  # the times of `paper table1` and their ratio
    (r"(ratio) +\d+\.\d\d(?=   )", r"\1 <..>"),
    (r"(?m)^([a-z]  .* +\S+ +\S+) +\d+( +\d+ +(?:\d+|-)(?:  .*)?)$", r"\1 <..>\2"),  # ns/row of `compare`
    (r"(okra )\d+\.\d+\.\d+\S*, instruction set \w+", r"\1<..>"),
]

MARKS = ("## ", "$ ", "! ", "? ", "\\")


# ---- the text of a session ------------------------------------------------------------------------------------------


class Part:
    """A command, the comment before it, and what it said."""

    def __init__(self, comment, command, output):
        self.comment, self.command, self.output = comment, command, output

    def text(self):
        return "".join(line + "\n" for line in [*self.comment, "$ " + self.command, *self.output, ""])


def read_session(path):
    parts, comment = [], []
    for line in path.read_text().split("\n"):
        if line.startswith("## "):
            comment.append(line)
        elif line.startswith("$ "):
            parts.append(Part(comment, line[2:], []))
            comment = []
        elif parts and not comment:
            parts[-1].output.append(line)
    for part in parts:
        if part.output and part.output[-1] == "":
            part.output.pop()
    if parts and parts[-1].output and parts[-1].output[-1] == "":
        parts[-1].output.pop()
    return parts


# ---- running ----------------------------------------------------------------------------------------------------------


def lines_of(bytes, mark):
    text = bytes.decode(errors="backslashreplace")
    for pattern, masked in MASKS:
        text = re.sub(pattern, masked, text)
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    else:
        lines.append("\\ no end of line")
    return [mark + ("\\" if not mark and line.startswith(MARKS) and line != "\\ no end of line" else "") + line for line in lines]


def run(command, folder, environment):
    """The lines that a command comes to."""
    done = subprocess.run(["sh", "-c", command], cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True)
    status = [f"? {done.returncode}"] if done.returncode else []
    return lines_of(done.stdout, "") + lines_of(done.stderr, "! ") + status


def make_environment(program, bin):
    """The program as okra, a terminal to run it on, a gnuplot that says what it was asked for, and the same language everywhere."""
    (bin / "okra").symlink_to(program)
    (bin / "terminal").symlink_to(HERE / "terminal.py")
    (bin / "gnuplot").write_text('#!/bin/sh\necho "gnuplot $*" >> gnuplot.log\n')
    (bin / "gnuplot").chmod(0o755)
    environment = dict(os.environ, PATH=f"{bin}:{os.environ['PATH']}", LC_ALL="C", COLUMNS="80", TERM="dumb")
    environment.setdefault("OMP_NUM_THREADS", "2")
    # A sanitizer's report is an exit status of its own; it may not mind memory that is refused, nor say so among the output.
    asan = f"allocator_may_return_null=1:exitcode=99:log_path={bin}/report"
    environment["ASAN_OPTIONS"] = ":".join(filter(None, [environment.get("ASAN_OPTIONS"), asan]))
    return environment


# ---- comparing --------------------------------------------------------------------------------------------------------

NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")


def is_real(text):
    return any(c in text for c in ".eE")


def last_place(text):
    """What a change of the last digit is worth; 0 where a number has few digits."""
    mantissa, _, exponent = text.lower().partition("e")
    digits = mantissa.lstrip("-0.").replace(".", "")
    decimals = len(mantissa.partition(".")[2])
    return 10.0 ** (int(exponent or 0) - decimals) if len(digits) >= DIGITS else 0.0


def same_number(a, b):
    if a == b:
        return True
    if not is_real(a) and not is_real(b):
        return False
    x, y = float(a), float(b)
    last = max(last_place(a), last_place(b)) if is_real(a) and is_real(b) else 0.0
    return abs(x - y) <= max(FLOOR, TOLERANCE * max(abs(x), abs(y)), 1.01 * last)


def same_line(a, b):
    if a == b:
        return True
    x, y = NUMBER.findall(a), NUMBER.findall(b)
    if len(x) != len(y) or not all(map(same_number, x, y)):
        return False
    words = [NUMBER.split(line) for line in (a, b)]
    if any(len(s) != len(t) for s, t in zip(x, y)):  # then there are other blanks in the column
        words = [[re.sub(" +", " ", word) for word in line] for line in words]
    return words[0] == words[1]


def same_output(a, b):
    return len(a) == len(b) and all(same_line(x, y) for x, y in zip(a, b))


def show(part, got):
    print(f"$ {part.command}")
    for i in range(max(len(part.output), len(got))):
        was, now = (lines[i] if i < len(lines) else None for lines in (part.output, got))
        if was is None or now is None or not same_line(was, now):
            for sign, line in (("-", was), ("+", now)):
                if line is not None:
                    print(f"{sign}{line[:400]}")


# ---- sessions ---------------------------------------------------------------------------------------------------------


def has_terminals():
    try:
        for end in os.openpty():
            os.close(end)
    except OSError:
        return False
    return True


def replay(path, program, write):
    """The number of commands that came to something else."""
    parts, failed = read_session(path), 0
    if any("needs a terminal" in line for part in parts for line in part.comment) and not has_terminals():
        return 0
    with tempfile.TemporaryDirectory() as scratch:
        bin, folder = pathlib.Path(scratch, "bin"), pathlib.Path(scratch, "work")
        bin.mkdir(), folder.mkdir()
        environment = make_environment(program, bin)
        for part in parts:
            got = run(part.command, folder, environment)
            if same_output(part.output, got):
                continue
            failed += 1
            if not write:
                show(part, got)
            part.output = got
        for report in bin.glob("report*"):
            if "ERROR" in (text := report.read_text(errors="replace")):
                print(text)
                failed += 1  # whatever the last command of a line has made of the status
    if write:
        path.write_text("".join(part.text() for part in parts))
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="write the outputs anew")
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("names", nargs="*", help="of sessions; all")
    args = parser.parse_args()
    total = 0
    for path in [HERE / f"{name}.txt" for name in args.names] or sorted(HERE.glob("*.txt")):
        failed = replay(path, args.program.resolve(), args.write)
        if failed:
            print(f"{path.name}: {failed} commands {'written anew' if args.write else 'differ'}")
        total += failed
    sys.exit(1 if total and not args.write else 0)


if __name__ == "__main__":
    main()
