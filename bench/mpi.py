#!/usr/bin/env python3
"""What diffusion costs across processes: bench/mpi.py [BUILD] [--update FILE] [--fast]

Runs okra-mpi diffuse on 1, 2 and 4 processes of this machine over sizes of network and theta, fits

    seconds of a sample = share * seconds of one process / min(processes, cores) + messages * latency + bytes / bandwidth

with the messages and bytes of one process, and predicts networks of 1,000 and 100,000 nodes under assumptions that it states. Then times the
simulation of 1,000 nodes in one process. BUILD is build/release. --update writes it all between the two marks in FILE (docs/distributed.md).
Plain Python, no packages.
"""
import json, math, os, subprocess, sys, tempfile, time

RANKS = (1, 2, 4)
NODES = (16, 64, 256)
FEATURES = (50, 200, 800)
REPEATS = 3
EDGE_LATENCY, EDGE_BANDWIDTH = 20e-6, 1.25e9  # assumed of 10 Gb/s Ethernet: a small message by TCP, and the line

OPEN_MPI = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "OMPI_MCA_mpi_yield_when_idle": "1", "OMPI_MCA_btl": "self,vader", "OMPI_MCA_plm": "isolated", "OMPI_MCA_hwloc_base_binding_policy": "none",
    "OMP_NUM_THREADS": "1",
}


# ---- measuring ------------------------------------------------------------------------------------------------------------------------------

def run_once(program, ranks, nodes, features, samples):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "metrics.json")
        subprocess.run(["mpirun", "-n", str(ranks), program, "diffuse", "--quiet", "--topology", "geometric", "--nodes", str(nodes), "--features",
                        str(features), "--samples", str(samples), "--metrics", path], check=True, env={**os.environ, **OPEN_MPI})
        with open(path) as file:
            return json.load(file)


def measure(program, fast):
    """The least time of a few runs: whatever else the machine does only ever adds."""
    rows = []
    for nodes in NODES:
        for features in FEATURES:
            samples = max(200, int((1e7 if fast else 4e7) / (nodes * features)))
            samples = min(samples, 20000)
            for ranks in RANKS:
                runs = [run_once(program, ranks, nodes, features, samples) for _ in range(1 if fast else REPEATS)]
                row = min(runs, key=lambda r: r["seconds_per_sample"])
                row["messages"], row["bytes"] = row["messages_per_sample"] / ranks, row["bytes_per_sample"] / ranks
                row["degree"] = 2 * row["edges"] / nodes
                rows.append(row)
                print(".", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return rows


# ---- fitting --------------------------------------------------------------------------------------------------------------------------------

def solve(a, b):
    """a x = b by elimination with pivots."""
    n = len(b)
    m = [list(row) + [value] for row, value in zip(a, b)]
    for i in range(n):
        p = max(range(i, n), key=lambda r: abs(m[r][i]))
        m[i], m[p] = m[p], m[i]
        for r in range(n):
            if r != i:
                f = m[r][i] / m[i][i]
                m[r] = [x - f * y for x, y in zip(m[r], m[i])]
    return [m[i][n] / m[i][i] for i in range(n)]


def least_squares(columns, target):
    """Relative errors count, and no coefficient is below 0: those that would be are left out, the worst first."""
    use = list(range(len(columns)))
    while True:
        rows = [[columns[j][i] / t for j in use] for i, t in enumerate(target)]
        normal = [[sum(r[a] * r[b] for r in rows) for b in range(len(use))] for a in range(len(use))]
        x = solve(normal, [sum(r[a] for r in rows) for a in range(len(use))])
        if min(x) >= 0 or len(use) == 1:
            full = [0.0] * len(columns)
            for j, value in zip(use, x):
                full[j] = max(value, 0)
            return full
        use.pop(x.index(min(x)))


def fit(rows, cores):
    """Share of the computing, latency and seconds of a byte, from runs that have a core for every process."""
    alone = {(r["nodes"], r["features"]): r["seconds_per_sample"] for r in rows if r["ranks"] == 1}
    for r in rows:
        r["computing"] = alone[r["nodes"], r["features"]] / min(r["ranks"], cores)
    used = [r for r in rows if 1 < r["ranks"] <= cores] or [r for r in rows if r["ranks"] > 1]
    share, latency, byte = least_squares([[r["computing"] for r in used], [r["messages"] for r in used], [r["bytes"] for r in used]],
                                         [r["seconds_per_sample"] for r in used])
    for r in rows:
        r["fitted"] = r["computing"] if r["ranks"] == 1 else share * r["computing"] + latency * r["messages"] + byte * r["bytes"]
    return share, latency, byte


def fit_node(rows):
    """Seconds of a node and sample: c0 + c1 D + c2 D (neighbours + 1)."""
    used = [r for r in rows if r["ranks"] == 1]
    columns = [[1.0] * len(used), [r["features"] for r in used], [r["features"] * (r["degree"] + 1) for r in used]]
    return least_squares(columns, [r["seconds_per_sample"] / r["nodes"] for r in used])


# ---- predicting -----------------------------------------------------------------------------------------------------------------------------

def predict(node_cost, nodes, ranks, features):
    """(neighbours of a node, processes that one exchanges with, bytes, seconds computing, seconds exchanging), of one process and sample."""
    degree, radius, own = 2 * math.log(nodes), math.sqrt(2 * math.log(nodes) / (math.pi * nodes)), nodes / ranks
    if own <= 1:  # a node a process: theta to every neighbour
        messages, sent = degree, degree
    else:  # stretches of numbers are strips of the square: a node is needed wherever its circle reaches
        reach = radius * ranks  # strips that the radius covers on one side
        messages = min(ranks - 1, 2 * math.ceil(reach))
        sent = own * min(ranks - 1, 2 * reach)
    size = sent * features * 8
    computing = own * (node_cost[0] + features * (node_cost[1] + node_cost[2] * (degree + 1)))
    return degree, messages, size, computing, messages * EDGE_LATENCY + size / EDGE_BANDWIDTH


# ---- saying -----------------------------------------------------------------------------------------------------------------------------------

def time_text(seconds):
    return "%.3g us" % (1e6 * seconds) if seconds < 1e-3 else "%.3g ms" % (1e3 * seconds)


def measured_table(rows):
    yield "| nodes | D | ranks | messages | bytes | a sample | of it in exchanges | fitted |"
    yield "|---|---|---|---|---|---|---|---|"
    for r in rows:
        yield "| %d | %d | %d | %.0f | %.0f | %s | %s | %s |" % (
            r["nodes"], r["features"], r["ranks"], r["messages"], r["bytes"], time_text(r["seconds_per_sample"]),
            time_text(r["exchange_seconds_per_sample"]), time_text(r["fitted"]))


def predicted_table(node_cost):
    yield "| nodes | processes | nodes each | neighbours of a node | messages | bytes | computing | exchange | a sample of all, exchange hidden .. not hidden |"
    yield "|---|---|---|---|---|---|---|---|---|"
    for nodes, ranks in ((1000, 1), (1000, 10), (1000, 1000), (100000, 1), (100000, 10), (100000, 100), (100000, 100000)):
        degree, messages, size, computing, exchange = predict(node_cost, nodes, ranks, 200)
        if ranks == 1:
            messages = size = exchange = 0
        yield "| %d | %d | %d | %.0f | %.0f | %.3g | %s | %s | %s .. %s |" % (
            nodes, ranks, nodes / ranks, degree, messages, size, time_text(computing), time_text(exchange), time_text(max(computing, exchange)),
            time_text(computing + exchange))


def processor():
    with open("/proc/cpuinfo") as file:
        names = [line.split(":")[1].strip() for line in file if line.startswith("model name")]
    return names[0] if names else "unknown processor"


def report(rows, cores, fitted, node_cost, large):
    share, latency, byte = fitted
    used = [r for r in rows if r["ranks"] > 1]
    off = sorted(abs(r["fitted"] / r["seconds_per_sample"] - 1) for r in used if r["ranks"] <= cores) or [0]
    yield "%d cores (%s), processes on one machine, by shared memory; load while this was measured: %.1f. Messages and bytes are those of one process." % (
        cores, processor(), os.getloadavg()[0])
    if os.getloadavg()[0] > 2 * max(RANKS):
        yield "**The machine was busy with other work: processes waited for their turns, and the times are too long. Run it again when it is idle.**"
    yield ""
    yield from measured_table(rows)
    yield ""
    yield "Fitted to the runs that have a core for every process: %.2f of the computing, latency %s a message, %s. The fit is off by %.0f%% in the median, %.0f%% at most." % (
        share, time_text(latency), "bandwidth %.2g GB/s" % (1e-9 / byte) if byte > 0 else "no cost of bytes that can be seen", 100 * off[len(off) // 2], 100 * off[-1])
    yield "A node and sample takes %.0f ns + D (%.3g ns + %.3g ns (neighbours + 1)) in one process." % tuple(1e9 * c for c in node_cost)
    yield ""
    yield "Predicted for D = 200 and geometric graphs, a core a process, 10 Gb/s Ethernet (assumed: %s a message, one after the other, and %.2f GB/s):" % (
        time_text(EDGE_LATENCY), EDGE_BANDWIDTH / 1e9)
    yield ""
    yield from predicted_table(node_cost)
    yield ""
    yield "`okra diffuse --nodes 1000 --topology geometric --threads 1`, which runs three kinds of learners on 1,000 nodes: %.0f s." % large[1]
    yield ""
    yield from ["```text", *large[0].rstrip().split("\n"), "```"]


def simulate(okra, fast):
    began = time.monotonic()
    said = subprocess.run([okra, "diffuse", "--nodes", "1000", "--topology", "geometric", "--threads", "1", "--quiet"] + (["--samples", "300"] if fast else []), check=True,
                          capture_output=True, text=True).stdout
    return said, time.monotonic() - began


def update(path, lines):
    begin, end = "<!-- bench/mpi.py writes from here -->", "<!-- to here -->"
    with open(path) as file:
        text = file.read()
    head, rest = text.split(begin, 1)
    tail = rest.split(end, 1)[1]
    with open(path, "w") as file:
        file.write(head + begin + "\n" + "\n".join(lines) + "\n" + end + tail)


def main():
    words = sys.argv[1:]
    fast = "--fast" in words
    target = words[words.index("--update") + 1] if "--update" in words else None
    places = [w for w in words if not w.startswith("--") and w != target]
    build = places[0] if places else "build/release"
    cores = len(os.sched_getaffinity(0))
    rows = measure(os.path.join(build, "mpi/okra-mpi"), fast)
    fitted = fit(rows, cores)
    lines = list(report(rows, cores, fitted, fit_node(rows), simulate(os.path.join(build, "cli/okra"), fast)))
    print("\n".join(lines))
    if target:
        update(target, lines)


if __name__ == "__main__":
    main()
