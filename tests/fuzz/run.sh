#!/bin/sh
# run.sh [SECONDS [NAME...]]: builds the fuzzers with clang into build/fuzz and runs each, or those named (csv, npy, ..), for so many seconds
# (60). What they find new is kept in build/fuzz/found; what breaks something is a crash-* file in build/fuzz, and the exit status is 1.
set -eu
cd "$(dirname "$0")/../.."
seconds=${1:-60}
mkdir -p build
[ $# -eq 0 ] || shift

command -v clang > /dev/null || { echo "run.sh: fuzzing needs clang: apt-get install clang, or cmake/setup.sh fuzz" >&2; exit 1; }
cmake -S . -B build/fuzz -DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=RelWithDebInfo -DOKRA_FUZZ=ON -DOKRA_TESTS=OFF -DOKRA_BENCH=OFF \
    -DOKRA_INSTRUMENT="-fsanitize=fuzzer-no-link,address,undefined;-fno-sanitize-recover=all;-fno-omit-frame-pointer" > build/fuzz.log 2>&1 &&
    cmake --build build/fuzz -j 2 --target fuzzers >> build/fuzz.log 2>&1 || { cat build/fuzz.log; exit 1; }

if [ $# -eq 0 ]; then
    for source in tests/fuzz/fuzz_*.c; do
        name=${source##*/fuzz_}
        set -- "$@" "${name%.c}"
    done
fi
for name in "$@"; do
    mkdir -p "build/fuzz/found/$name" "tests/fuzz/corpus/$name"
    echo "fuzz_$name: $seconds seconds"
    log=build/fuzz/$name.log
    "build/fuzz/tests/fuzz/fuzz_$name" -max_total_time="$seconds" -artifact_prefix=build/fuzz/ -print_final_stats=1 \
        "build/fuzz/found/$name" "tests/fuzz/corpus/$name" > "$log" 2>&1 || { tail -n 40 "$log"; exit 1; }
    sed -n 's/^stat::number_of_executed_units: */  executions: /p' "$log"
done
