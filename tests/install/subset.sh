#!/bin/sh
# subset.sh PART: take only what you need. `subproject`: another project has okra's sources within its own, and gets libokra; `bare`: libokra with a
# compiler and CMake and nothing else; `small`: the program without lab and audio. CC and CMAKE are the build's own. 77: a tool is not here.
set -eu
part=$1
here=$(realpath "$(dirname "$0")")
source=$(realpath "$here/../..")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
cd "$work"

fail() {
    [ ! -s log ] || tail -n 20 log >&2
    echo "$part: $*" >&2
    exit 1
}

must() { "$@" > log 2>&1 || fail "failed: $*"; }

# configure FOLDER BUILD OPTION..: without optimisation, which is not what is tried here.
configure() {
    folder=$1 build=$2
    shift 2
    must "$CMAKE" -S "$folder" -B "$build" -DCMAKE_C_COMPILER="$CC" -DCMAKE_BUILD_TYPE=Debug "$@"
}

make() { must "$CMAKE" --build "$1" -j 2; }

# asked_for BUILD: what CMake has looked for, of what others need.
asked_for() { grep -E '^(PKG_CONFIG_EXECUTABLE|OpenMP_|SNDFILE_|ZLIB_|JANSSON_|LAPACKE_|OPENBLAS_|MPI_)' "$1/CMakeCache.txt"; }

# refused STATUS PATTERN COMMAND..: ends so, and says so in one line.
refused() {
    wanted=$1 pattern=$2
    shift 2
    status=0
    "$@" > log 2>&1 || status=$?
    [ "$status" -eq "$wanted" ] || fail "ended with $status instead of $wanted: $*"
    [ "$(wc -l < log)" -eq 1 ] || fail "more or less than a line: $*"
    grep -q -- "$pattern" log || fail "no '$pattern': $*"
}

case $part in
subproject)
    configure "$here/subproject" build -DOKRA_SOURCE="$source"
    ! asked_for build || fail "it looked for what it does not need"
    make build
    must build/core
    must build/core-static
    configure "$here/subproject" fetched -DOKRA_SOURCE="$source" -DFETCH=ON
    [ -z "$(DESTDIR=image "$CMAKE" --install build > /dev/null && find image -name '*okra*' 2> /dev/null)" ] || fail "it installs okra unasked"
    ;;
bare)
    # Nothing that is run by its name is there but what a compiler and CMake run.
    mkdir path
    for tool in sh as ld ar ranlib nm objdump objcopy strip make gmake ninja uname sed rm mkdir grep tail ccache; do
        ! place=$(command -v "$tool") || ln -s "$place" "path/$tool"
    done
    # shellcheck disable=SC2123 # it is what is meant
    PATH=$work/path PKG_CONFIG=/nowhere
    export PATH PKG_CONFIG
    configure "$source" build -DOKRA_PROGRAM=OFF
    ! asked_for build || fail "it looked for what it does not need"
    make build
    for file in src/libokra.so src/libokra.a; do [ -e "build/$file" ] || fail "no $file"; done
    for file in src/io src/lab cli; do [ ! -e "build/$file" ] || fail "more than libokra: $file"; done
    ;;
small)
    configure "$source" build -DOKRA_LAB=OFF -DOKRA_AUDIO=OFF -DOKRA_GZIP=OFF -DOKRA_TESTS=OFF -DCMAKE_DISABLE_FIND_PACKAGE_OpenMP=ON
    grep -q 'left out without the lab: the commands merge, diffuse, signal, theory and paper' log || fail "it does not say what was left out"
    ! grep -E '^(SNDFILE_|ZLIB_|LAPACKE_|OPENBLAS_)' build/CMakeCache.txt || fail "it looked for what it does not need"
    make build
    okra=build/cli/okra
    must "$okra" --help
    [ "$(grep -c 'Not in this build, which has no lab: merge, diffuse, signal, theory, paper$' log)" -eq 1 ] || fail "no word of what was left out"
    refused 2 "'merge' is not in this build: without the lab it lacks merge, diffuse, signal, theory, paper" "$okra" merge a b
    must "$okra" list
    for word in rff-krls csv; do grep -q "^  $word " log || fail "no $word in the list"; done
    ! grep -q '^  wav\|^  flac\|^  .gz\|^Signals' log || fail "it lists what it has not"
    awk -v OFS=, 'BEGIN { print "x", "y"; for (i = 0; i < 1200; i++) print sin(i), sin(i) * sin(i) }' > rows.csv
    must "$okra" run --save m.okra --out p.csv rows.csv
    [ "$(wc -l < p.csv)" -eq 1201 ] || fail "no predictions"
    must "$okra" predict --load m.okra rows.csv
    must "$okra" tune --budget 6 --recipe nlms rows.csv
    must "$okra" compare --recipes nlms,rls rows.csv
    must "$okra" info m.okra
    must "$okra" export m.okra --out m.json
    must "$okra" import m.json --out again.okra
    must cmp m.okra again.okra
    # audio, by its name and by its first bytes, read and written
    printf 'RIFF0000WAVE' | tee a.wav > sound
    for file in a.wav sound; do
        refused 1 "$file: wav cannot be read: this okra was built without audio: build it with libsndfile, or convert the file to CSV" "$okra" run "$file"
    done
    refused 1 'a.flac: flac cannot be written: this okra was built without audio' "$okra" run --out a.flac rows.csv
    # compressed, by its first bytes, and by the name of what is written
    gzip -c rows.csv | tee rows.csv.gz > packed
    for file in rows.csv.gz packed; do
        refused 1 "$file: is compressed, and this okra was built without zlib: build it with that, or decompress the file first, with gunzip or" "$okra" run "$file"
    done
    refused 1 'p.csv.gz: cannot be compressed: this okra was built without zlib: build it with that, or leave out .gz' "$okra" run --out p.csv.gz rows.csv
    refused 2 "'wav' is none of csv|tsv|jsonl|npy|f64|f32$" "$okra" run --format wav rows.csv
    ;;
*) fail "no such part" ;;
esac
