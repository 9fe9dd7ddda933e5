"""One Python session for the blocks of a page: each line of standard input is `BLOCK OUTPUT`, two files; answers `ok` or `failed`."""

import contextlib
import pathlib
import sys
import traceback

names = {"__name__": "__main__"}
for line in sys.stdin:
    block, output = line.split()
    with open(output, "w") as said, contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        try:
            exec(compile(pathlib.Path(block).read_text(), block, "exec"), names)
            answer = "ok"
        except BaseException:
            traceback.print_exc()
            answer = "failed"
    print(answer, flush=True)
