#!/bin/sh
# coverage.sh [LINES]: builds with counters, runs every test, and tells which part of src/ and cli/ they reach: a table here, every line in
# build/coverage/html. Exit status 1 where src/ is below LINES percent (95).
set -eu
cd "$(dirname "$0")/.."
build=build/coverage
export CCACHE_DISABLE=1 # a cache may have other paths in what the counters belong to
cmake --preset coverage -DOKRA_TESTS=ON > /dev/null
cmake --build $build -j "$(nproc)" > $build/build.log 2>&1 || { tail -n 30 $build/build.log; exit 1; }
find $build -name '*.gcda' -delete

# The counters are files: a test that takes the program's rights or its disk away takes them away too, and may say so and fail. Such a
# test is judged in the other builds.
chmod -R a+rwX $build
umask 0
ctest --preset coverage > $build/test.log 2>&1 || { echo "these fail with counters, see $build/test.log:"; sed -n '/^The following/,$p' $build/test.log; }

mkdir -p $build/html
# avx2.c in float32 is left out: gcovr does not take two functions of one name in one file, and hangs with -j where it fails.
# A branch that only the compiler knows of (a switch's range, an assertion) is none of ours; counters of threads may have lost an update.
report="gcovr -r . --object-directory $build --exclude-unreachable-branches --gcov-ignore-parse-errors --exclude-directories .*okra-vec-avx2-f32.*"
$report --filter src/ --filter cli/ --html-details $build/html/index.html --csv $build/files.csv 2> $build/gcovr.log
awk -F, '
    NR > 1 {
        n = split($1, p, "/"); part = p[1] == "src" && n > 2 ? p[1] "/" p[2] : p[1]
        parts[part]; parts["all of " p[1]]
        for (k in keys) delete keys[k]
        keys[part]; if (p[1] == "src") keys["all of src"]
        for (k in keys) { lines[k] += $2; hit[k] += $3; branches[k] += $5; taken[k] += $6 }
    }
    END { for (k in lines) printf "%-12s %6d lines %6.1f%%   %6d branches %6.1f%%\n", k, lines[k], 100 * hit[k] / lines[k], branches[k],
        branches[k] ? 100 * taken[k] / branches[k] : 100 }' $build/files.csv | sort
$report --filter src/ --fail-under-line "${1:-95}" > /dev/null 2>> $build/gcovr.log || { echo "src/ is below ${1:-95}% of lines"; exit 1; }
echo "every line: $build/html/index.html"
