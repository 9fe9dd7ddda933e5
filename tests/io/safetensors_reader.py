#!/usr/bin/env python3
"""safetensors_reader.py OKRA FOLDER: reads every model file of a folder with nothing but json and struct.

Written from the safetensors description and docs/model-file.md, not from okra's sources: what this reader and `okra export` make of a
file must be the same, bit for bit. Python because it shares no line with what it checks.
"""
import json
import math
import pathlib
import struct
import subprocess
import sys

WIDTHS = {"F64": 8, "F32": 4}
LETTERS = {"F64": "d", "F32": "f"}


def require(truth, *what):
    if not truth:
        sys.exit(": ".join(str(part) for part in what))


def no_duplicates(pairs):
    keys = [key for key, _ in pairs]
    require(len(keys) == len(set(keys)), "duplicate keys", keys)
    return dict(pairs)


def read_header(path, raw):
    (length,) = struct.unpack("<Q", raw[:8])
    text = raw[8 : 8 + length]
    require(len(text) == length, path, "the header is cut")
    require(text[:1] == b"{", path, "the header does not begin with {")
    require(length % 8 == 0, path, "the numbers are not aligned")
    return json.loads(text.decode("utf-8"), object_pairs_hook=no_duplicates), raw[8 + length :]


def check_metadata(path, metadata):
    require(all(isinstance(value, str) for value in metadata.values()), path, "metadata are not all strings")
    for key in "format format_version okra_version recipe precision inputs targets lags lag-from target-lags horizon scale warmup".split():
        require(key in metadata, path, "metadata without", key)
    require(metadata["format"] == "okra model" and metadata["format_version"] == "1", path, "another format")
    require(metadata["metadata.unit"] == "°C", path, "the metadata is not what was given")
    require(int(metadata["counter.rows"]) > 0, path, "no rows")


def check_layout(path, tensors, data):
    """One after the other in the order of the header, no holes, nothing left over."""
    end = 0
    for name, tensor in tensors.items():
        require(set(tensor) == {"dtype", "shape", "data_offsets"}, path, name, "has other keys")
        begin, after = tensor["data_offsets"]
        require(begin == end, path, name, "does not begin where the one before it ends")
        require(after - begin == math.prod(tensor["shape"]) * WIDTHS[tensor["dtype"]], path, name, "has the wrong size")
        end = after
    require(end == len(data), path, "holds", len(data), "bytes of arrays and describes", end)


def crc64(raw):
    """CRC-64/XZ, a bit at a time."""
    state = 0xFFFFFFFFFFFFFFFF
    for byte in raw:
        state ^= byte
        for _ in range(8):
            state = state >> 1 ^ (0xC96C5795D7870F42 if state & 1 else 0)
    return "%016x" % (state ^ 0xFFFFFFFFFFFFFFFF)


def check_checksum(path, raw, checksum):
    digits = checksum.encode()
    require(len(digits) == 16, path, "the checksum has", len(digits), "digits")
    at = raw.index(b'"checksum":"' + digits + b'"') + len(b'"checksum":"')
    require(crc64(raw[:at] + b"0" * 16 + raw[at + 16 :]) == checksum, path, "the checksum is wrong")


def bits_of(value, dtype):
    """The bits of a number of the export."""
    if isinstance(value, str) and value.startswith("nan 0x"):
        return int(value[4:], 16).to_bytes(WIDTHS[dtype], "little")
    if value == "nan":
        return {"F64": b"\0\0\0\0\0\0\xf8\x7f", "F32": b"\0\0\xc0\x7f"}[dtype]
    return struct.pack("<" + LETTERS[dtype], float(value))


def check_export(path, okra, metadata, tensors, data):
    exported = json.loads(subprocess.run([okra, "export", path], check=True, capture_output=True).stdout, object_pairs_hook=no_duplicates)
    metadata = {key: value for key, value in metadata.items() if key != "checksum"}
    require(exported["metadata"] == metadata, path, "the export has other metadata")
    require(list(exported["arrays"]) == list(tensors), path, "the export has other arrays")
    for name, tensor in tensors.items():
        array, dtype = exported["arrays"][name], tensor["dtype"]
        begin, end = tensor["data_offsets"]
        require(array["dtype"] == dtype and array["shape"] == tensor["shape"], path, name, "is exported with another shape")
        numbers = b"".join(bits_of(value, dtype) for row in array["data"] for value in row)
        require(numbers == data[begin:end], path, name, "is exported with other numbers")


def check_values(path, metadata, tensors, data):
    """Numbers that must be there: what was learnt is neither nothing nor nonsense."""
    name = {"klms": "alpha", "qklms": "alpha", "nc-klms": "alpha", "knlms": "alpha", "sc-klms": "alpha", "krls": "w", "auto": "window.y"}.get(metadata["recipe"], "theta")
    name = "bank" if metadata.get("mu") == "auto" else name
    dtype, (begin, end) = tensors[name]["dtype"], tensors[name]["data_offsets"]
    require(dtype == metadata["precision"].upper(), path, name, "is of another precision")
    numbers = struct.unpack("<%d%s" % ((end - begin) // WIDTHS[dtype], LETTERS[dtype]), data[begin:end])
    require(numbers and any(numbers) and all(abs(x) < 100 for x in numbers), path, name, "is not what was learnt", numbers)


def check(path, okra):
    raw = path.read_bytes()
    tensors, data = read_header(path, raw)
    require(list(tensors)[0] == "__metadata__", path, "the metadata are not the first entry")
    metadata = tensors.pop("__metadata__")
    check_metadata(path, metadata)
    check_layout(path, tensors, data)
    check_checksum(path, raw, metadata["checksum"])
    check_values(path, metadata, tensors, data)
    check_export(path, okra, metadata, tensors, data)


def main():
    okra, folder = sys.argv[1:]
    paths = sorted(pathlib.Path(folder).glob("*.okra"))
    require(len(paths) >= 24, folder, "holds too few model files")
    for path in paths:
        check(path, okra)
    print(len(paths), "model files read")


main()
