"""tables.py METRICS.json DOCUMENT.md: puts what `okra bench all --metrics METRICS.json` measured into a document.

Between the lines `<!-- bench SECTION -->` and `<!-- end -->` of the document it writes the section's table; between
`<!-- bench machine -->` and `<!-- end -->` the machine. Everything else stays.
"""

import json
import re
import sys


def number(value):
    """Three digits, or all before the point, as in the program's own tables."""
    if value is None:
        return "-"
    size = abs(value)
    return f"{value:.0f}" if size >= 100 else f"{value:.1f}" if size >= 10 else f"{value:.2f}"


def cell(value):
    """Of a ratio: the median, and in brackets the 10th and the 90th percentile."""
    if isinstance(value, dict):
        if value["median"] is None:
            return "-"
        return f"{number(value['median'])} ({number(value['p10'])} to {number(value['p90'])})"
    if isinstance(value, float):
        return number(value)
    return "-" if value is None else str(value)


def table(rows, columns, keep=lambda row: True):
    """columns: heading: key."""
    lines = ["| " + " | ".join(columns) + " |", "|---" * len(columns) + "|"]
    lines += ["| " + " | ".join(cell(row.get(key)) for key in columns.values()) + " |" for row in rows if keep(row)]
    return "\n".join(lines)


LMS = {"map": "map", "bits": "bits", "d": "d", "D": "D", "ns": "ns", "samples/s": "samples_per_s",
       "best / core floor": "best_core", "core floor": "core_floor", "bandwidth floor": "bandwidth_floor",
       "`okra_step`": "step", "naive": "naive", "SLEEF": "sleef", "double": "double", "scikit-learn": "sklearn"}
MAP = {"map": "map", "d": "d", "D": "D", "ns": "ns", "rff / this": "rff", "float32 ns": "f32_ns",
       "double / float32": "double"}
PREDICT = {"map": "map", "bits": "bits", "d": "d", "D": "D", "ns": "ns", "BLAS / ours": "blas"}
QKLMS = {"d": "d", "M": "M", "D": "D", "QKLMS ns": "qklms_ns", "rff ns": "rff_ns", "pair ns": "pair_ns",
         "QKLMS / rff": "qklms_over_rff", "QKLMS / pair": "qklms_over_pair"}
KRLS = {"filter": "filter", "us": "us", "over rff-krls": "over_rff_krls", "over krls": "over_krls",
        "floor dB": "floor_db", "centres": "centres"}
RLS = {"D": "D", "filter": "filter", "us": "us", "over UD": "over_ud", "over one reading": "over_reading"}
SORF = {"d": "d", "D": "D", "orf map ns": "orf_map_ns", "sorf map ns": "sorf_map_ns", "orf / sorf": "orf_over_sorf_map",
        "orf LMS ns": "orf_lms_ns", "sorf LMS ns": "sorf_lms_ns", "orf / sorf, LMS": "orf_over_sorf_lms"}
WORST = {"recipe": "what", "bits": "bits", "steps": "steps", "median us": "median_us", "99.9% us": "p999_us",
         "longest us": "longest_us", "longest / median": "longest_over_median"}
IO = {"what": "what", "numbers": "numbers", "bytes": "bytes", "ns": "ns", "MB/s": "mb_per_s", "libc / ours": "libc"}
FLOORS = {"example": "example", "mu": "mu", "map": "map", "reached": "reached", "D": "D", "floor dB": "floor_db",
          "QKLMS's": "qklms_floor_db", "M": "M", "ns": "ns", "QKLMS ns": "qklms_ns", "QKLMS / map": "qklms_over_map",
          "whole pass": "whole_pass"}
GROWTH = {"d": "d", "M": "M", "QKLMS floor dB": "qklms_floor_db", "QKLMS ns": "qklms_ns", "fastest map": "map", "D": "D",
          "floor dB": "floor_db", "ns": "ns", "QKLMS / map": "qklms_over_map"}


def make_tables(metrics):
    def rows(name):
        return metrics["sections"].get(name)

    whole = {"lms": LMS, "map": MAP, "predict": PREDICT, "rls": RLS, "sorf": SORF, "io": IO, "worst": WORST, "floors": FLOORS,
             "growth": GROWTH}
    tables = {name: table(rows(name), columns) for name, columns in whole.items() if rows(name)}
    for name, columns in (("qklms", QKLMS), ("krls", KRLS)):
        if rows("kernel"):
            tables[name] = table(rows("kernel"), columns, lambda row, name=name: row["table"] == name)
    tables["machine"] = "okra {version}, {isa}, {cpu} at {ghz:.2f} GHz, {compiler}.".format(**metrics)
    return tables


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        tables = make_tables(json.load(file))
    with open(sys.argv[2], encoding="utf-8") as file:
        text = file.read()
    for name, content in tables.items():
        text = re.sub(rf"(<!-- bench {name} -->\n).*?(<!-- end -->)", lambda m, c=content: m[1] + c + "\n" + m[2], text,
                      flags=re.S)
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        file.write(text)


main()
