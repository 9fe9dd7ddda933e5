#!/bin/sh
# run.sh [--check] [NAME...]: what is added costs few places. NAME.patch adds a dummy, and may touch as many files as the table allows, tests and
# pages apart. The patch is applied to a copy of the tree, which is built; then NAME.sh uses what was added at a shell, NAME.py from Python and NAME.m
# from Octave, where they are installed. Nothing else may have to change for that. --check only counts, and sees whether patches still apply.
# A patch that no longer applies is made again: apply it with `git apply --3way`, mend it, `git diff > NAME.patch`.
set -eu

# name, files at most
table='parameter 3
kernel 3
format 4
filter 4
option 2
metric 1'

here=$(realpath "$(dirname "$0")")
source=$(realpath "$here/../..")
tree=${PLACES:-$source/build/places}/tree
check=
[ "${1:-}" != --check ] || { check=1; shift; }

fail() {
    echo "places: $*" >&2
    exit 1
}

limit_of() { echo "$table" | sed -n "s/^$1 //p"; }

# The files that a patch touches, tests and pages apart.
places_of() { sed -n 's|^+++ [^/]*/||p; s|^--- a/||p' "$here/$1.patch" | sort -u | grep -vE '^(tests|docs)/|^bindings/[a-z]*/tests/|\.md$'; }

count() {
    limit=$(limit_of "$1")
    [ -n "$limit" ] || fail "$1: is not in the table of $0"
    n=$(places_of "$1" | wc -l)
    places_of "$1" | sed "s/^/  $1: /"
    [ "$n" -le "$limit" ] || fail "$1: touches $n files, and $limit are allowed"
    echo "$1: $n files of at most $limit"
}

# The tree as it is, committed or not; what was built before stays, so that a second patch is a matter of seconds.
copy_tree() {
    mkdir -p "$tree"
    find "$tree" -mindepth 1 -maxdepth 1 ! -name build -exec rm -rf {} +
    # shellcheck disable=SC2016 # for the inner shell
    (cd "$source" && git ls-files -z --cached --others --exclude-standard |
        xargs -0 sh -c 'for file; do [ ! -e "$file" ] || printf "%s\\0" "$file"; done' sh |
        tar -c --null -T - -f -) | tar -x -C "$tree" -f -
    # What an earlier patch has changed must be built again, though its source is older than its object now.
    for patch in "$here"/*.patch; do
        sed -n 's|^--- a/||p' "$patch" | while read -r file; do touch "$tree/$file"; done
    done
}

# Applies with less context than a patch has: other lines beside its own may come and go.
apply() { (cd "$tree" && git --git-dir=/nowhere apply -C1 --recount "$@"); }

build() {
    mkdir -p "$tree/build"
    log=$tree/build/$1.log
    {
        cmake -S "$tree" -B "$tree/build/release" -DCMAKE_BUILD_TYPE=Release -DOKRA_TESTS=OFF -DOKRA_BENCH=OFF &&
            cmake --build "$tree/build/release" -j "${JOBS:-2}"
    } > "$log" 2>&1 || { tail -n 30 "$log" >&2; fail "$1: does not build; $log has it all"; }
}

# use NAME: at a shell, from Python, from Octave, each in a folder of its own with the programs in PATH.
use() {
    release=$tree/build/release
    python=$(sed -n 's/^OKRA_PYTHON_PROGRAM:[A-Z]*=//p' "$release/CMakeCache.txt")
    octave=$(sed -n 's/^OCTAVE:[A-Z]*=//p' "$release/CMakeCache.txt")
    PATH=$release/cli:$PATH MANUAL=$release/manual/share
    export PATH MANUAL
    run_one "$1" sh sh -eu
    if [ -e "$release/bindings/python/okra/.copied" ]; then
        PYTHONPATH=$release/bindings/python run_one "$1" py "$python"
    else
        echo "$1: no Python here"
    fi
    if [ -e "$release/bindings/octave/okra/okra_mex.mex" ]; then
        run_one "$1" m "$octave" --norc --no-history --path "$release/bindings/octave/okra"
    else
        echo "$1: no Octave here"
    fi
}

# run_one NAME ENDING INTERPRETER..
run_one() {
    script=$here/$1.$2
    if [ ! -e "$script" ] && [ "$2" != sh ]; then
        return # the program's own
    fi
    [ -e "$script" ] || fail "$1: $1.$2 is not there: it shows how the dummy is used"
    name=$1 ending=$2
    shift 2
    work=$(mktemp -d)
    (cd "$work" && "$@" "$script") || { rm -rf "$work"; fail "$name: $name.$ending failed"; }
    rm -rf "$work"
    echo "$name: used by $name.$ending"
}

# shellcheck disable=SC2046 # names are words
[ $# -gt 0 ] || set -- $(cd "$here" && find . -name '*.patch' | sed 's|^\./||; s|\.patch$||' | sort)
for name in "$@"; do
    count "$name"
done
copy_tree
for name in "$@"; do
    apply "$here/$name.patch" || fail "$name: $name.patch does not apply: make it again"
    if [ -z "$check" ]; then
        build "$name"
        use "$name"
    fi
    apply -R "$here/$name.patch"
done
