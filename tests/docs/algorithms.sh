#!/bin/sh
# algorithms.sh ROOT OKRA: docs/algorithms.md names only what there is, and leaves out no algorithm. Tests are named by their file, wherever under tests/
# that is, and where a word follows, by the function.
set -eu
root=$1 okra=$(realpath "$2")
cd "$root"
page=docs/algorithms.md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0
complain() {
    echo "$page: $*" >&2
    bad=1
}

# Everything in backticks, one a line.
awk '{ while (match($0, /`[^`]+`/)) { print substr($0, RSTART + 1, RLENGTH - 2); $0 = substr($0, RSTART + RLENGTH) } }' $page | sort -u > "$work/names"
named() { grep -qxF -- "$1" "$work/names"; }

# What it names is there.
tests=0
while read -r name function; do
    case $name in
    test_*.c | test_*.c:)
        find tests -name "${name%:}" | grep -q . || complain "there is no test ${name%:}"
        # a function that is among those of the file's cmocka table
        [ -z "$function" ] || find tests -name "${name%:}" -exec grep -hF "cmocka_unit_test($function)" {} + | grep -q . || complain "${name%:} has no test $function"
        tests=$((tests + 1))
        ;;
    */*.[ch]) [ -f "$name" ] || complain "there is no $name" ;;
    esac
done < "$work/names"
[ $tests -ge 40 ] || complain "only $tests tests are named"

# What is there is named: files with an algorithm, that is those that hold a class, and what okra list has.
for file in src/filter/*.c src/map/*.c src/lab/*.c; do
    case $file in
    # the front doors, tables, what holds no algorithm of its own
    src/filter/engine.c | src/filter/engine_run.c | src/map/check.c | src/map/handle.c | src/map/map.c | src/lab/signal.c) continue ;;
    esac
    named "$file" || complain "$file is not named"
done
# Names in the sections of okra list, at two blanks.
"$okra" list | awk '/^[A-Z]/ { section = $1 } /^  [a-z]/ && section ~ /^(Recipes|Maps|Kernels|Signals)/ { print $1 }' > "$work/list"
while read -r name; do
    named "$name" || complain "$name of 'okra list' is not named"
done < "$work/list"
[ "$(wc -l < "$work/list")" -ge 40 ] || complain "okra list was not understood"
echo "$tests tests, $(wc -l < "$work/names") names"
exit $bad
