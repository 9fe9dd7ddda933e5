#!/bin/sh
# [JOBS=N] run.sh [-r RUNS] [SECONDS [NAME...]]: builds the fuzzers with clang into build/fuzz and runs each, or those named (csv, npy, ..), two
# or N at a time, for so many seconds (60), and with -r for no more than so many executions. Each starts from tests/fuzz/corpus/NAME. What they find new
# is kept in build/fuzz/found; what breaks something is a NAME-crash-* file in build/fuzz, and the exit status is 1: mend it, and add the file
# to the corpus, which the tests go through.
set -eu
cd "$(dirname "$0")/../.."
runs=-1
if [ "${1:-}" = -r ]; then
    runs=$2
    shift 2
fi
seconds=${1:-60}
[ $# -eq 0 ] || shift

command -v clang > /dev/null || { echo "run.sh: fuzzing needs clang: apt-get install clang, or cmake/setup.sh fuzz" >&2; exit 1; }
mkdir -p build
{ cmake -S . -B build/fuzz -DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=RelWithDebInfo -DOKRA_FUZZ=ON -DOKRA_TESTS=OFF -DOKRA_BENCH=OFF \
    -DOKRA_INSTRUMENT="-fsanitize=fuzzer-no-link,address,undefined;-fno-sanitize-recover=all;-fno-omit-frame-pointer" > build/fuzz.log 2>&1 &&
    cmake --build build/fuzz -j 2 --target fuzzers >> build/fuzz.log 2>&1; } || { cat build/fuzz.log; exit 1; }

if [ $# -eq 0 ]; then
    for source in tests/fuzz/fuzz_*.c; do
        name=${source##*/fuzz_}
        set -- "$@" "${name%.c}"
    done
fi
for name in "$@"; do
    mkdir -p "build/fuzz/found/$name"
done
broken=0
# shellcheck disable=SC2016 # the inner shell expands them
printf '%s\n' "$@" | xargs -P "${JOBS:-2}" -I NAME sh -c '"build/fuzz/tests/fuzz/fuzz_NAME" -runs="$1" -max_total_time="$2" -timeout=20 -entropic=0 -print_final_stats=1 \
    -artifact_prefix=build/fuzz/NAME- build/fuzz/found/NAME tests/fuzz/corpus/NAME > build/fuzz/NAME.log 2>&1 || touch build/fuzz/NAME.broke' \
    fuzz "$runs" "$seconds"

total=0
for name in "$@"; do
    log=build/fuzz/$name.log
    executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    printf 'fuzz_%-8s %10s executions\n' "$name" "${executions:-no}"
    total=$((total + ${executions:-0}))
    if [ -e "build/fuzz/$name.broke" ]; then
        rm "build/fuzz/$name.broke"
        tail -n 40 "$log"
        broken=$((broken + 1))
    fi
done
if [ $broken -gt 0 ]; then
    echo "$total executions in all, $broken of the fuzzers with a finding"
    exit 1
fi
echo "$total executions in all, no finding"
