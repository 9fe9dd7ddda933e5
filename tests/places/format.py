"""The format hex from Python."""

import pathlib

import okra

assert "hexadecimal" in okra.formats()["hex"].help
pathlib.Path("rows.hex").write_text("3ff0000000000000 4000000000000000\n4000000000000000 4010000000000000\n")
rows, names = okra.read("rows.hex")
assert rows.tolist() == [[1, 2], [2, 4]] and names is None
