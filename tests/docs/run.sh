#!/bin/sh
# run.sh PAGE: runs every block of a Markdown page, from top to bottom, in one folder of its own, and compares what it promises to come out. tests/docs/README.md
# has the rules. From the environment, as CMakeLists.txt sets it: PATH with the programs, CC and OKRA_CFLAGS, OKRA_LIBS for C, PKG_CONFIG_PATH,
# OKRA_PYTHON with PYTHONPATH and OKRA_OCTAVE with OKRA_OCTAVE_DIR, empty where there is none, OKRA_BUILD for ctest's list.
set -eu
[ -r "${1:-}" ] || { echo "usage: run.sh PAGE, a Markdown file" >&2; exit 2; }
here=$(realpath "$(dirname "$0")") page=$(realpath "$1")
name=$(basename "$page")

work=$(mktemp -d)
python=
finish() {
    trap - EXIT INT TERM
    [ -z "$python" ] || kill "$python" 2> /dev/null || true
    rm -rf "$work"
}
trap finish EXIT
trap 'exit 1' INT TERM
blocks=$work/blocks folder=$work/folder
mkdir "$blocks" "$folder"
said=$work/said
: > "$said"
cd "$folder"
echo "$folder" > "$work/place"

# fail LINE WHAT..: with what the block said.
fail() {
    line=$1
    shift
    echo "$name:$line: $*" >&2
    sed 's/^/    /' "$said" | tail -n 40 >&2
    exit 1
}

# ---- languages, each BLOCK LINE STATUS; what is said goes to $said ---------------------------------------------------------------------------

# A folder that one block has entered is where the next begins.
run_sh() {
    printf '\npwd > "%s"\n' "$work/place" >> "$1"
    status=0
    (cd "$(cat "$work/place")" && exec bash -e -o pipefail "$1") > "$said" 2>&1 < /dev/null || status=$?
    [ "$status" -eq "$3" ] || fail "$2" "the shell ended with $status instead of $3:"
}

# Blocks are put together until there is a main; those after the last one are compiled only.
run_c() {
    cat "$1" >> "$work/program.c"
    # shellcheck disable=SC2086 # flags are words
    $CC $OKRA_CFLAGS -c "$work/program.c" -o "$work/program.o" > "$said" 2>&1 || fail "$2" "does not compile:"
    grep -q 'main(' "$work/program.c" || return 0
    # shellcheck disable=SC2086
    $CC "$work/program.o" -o "$work/program" $OKRA_LIBS > "$said" 2>&1 || fail "$2" "does not link:"
    status=0
    "$work/program" > "$said" 2>&1 < /dev/null || status=$?
    [ "$status" -eq "$3" ] || fail "$2" "the program ended with $status instead of $3:"
    : > "$work/program.c"
}

run_python() {
    if [ -z "$python" ]; then
        mkfifo "$work/ask" "$work/answer"
        "$OKRA_PYTHON" -B -W error "$here/session.py" < "$work/ask" > "$work/answer" &
        python=$!
        exec 8> "$work/ask" 9< "$work/answer"
    fi
    echo "$1 $said" >&8
    read -r answer <&9 || answer="the session ended"
    [ "$answer" = ok ] || fail "$2" "Python $answer:"
}

# One session at the end of the page: Octave is slow to start.
run_octave() { cat "$1" >> "$work/session.m"; }

end_octave() {
    [ -s "$work/session.m" ] || return 0
    "$OKRA_OCTAVE" --norc --no-history --path "$OKRA_OCTAVE_DIR" "$work/session.m" > "$said" 2>&1 < /dev/null || fail octave "Octave ended with $?:"
}

# ---- the page --------------------------------------------------------------------------------------------------------------------------------

# Whether a block stands in a file as it is.
quotes() {
    awk 'FILENAME == ARGV[1] { want[n++] = $0; next }
        { have[m++] = $0 }
        END {
            for (at = 0; at + n <= m; at++) {
                for (i = 0; i < n && want[i] == have[at + i]; i++) continue
                if (n > 0 && i == n) exit 0
            }
            exit 1
        }' "$1" "$2"
}

has_test() { # from the files that ctest reads: ctest itself, when asked, empties the log of the run that this is a part of
    [ -f "$work/tests" ] ||
        find "$OKRA_BUILD" -name CTestTestfile.cmake -exec sed -n 's/^add_test(\[*=*\[*\([A-Za-z0-9_.+-]*\).*/\1/p' {} + > "$work/tests"
    grep -qxF -e "$1" "$work/tests"
}

# lacks LANGUAGE|TEST [BLOCK]: whether this build has not what that needs
lacks() {
    case $1 in
    python*) [ -z "${OKRA_PYTHON:-}" ] || [ ! -e "$PYTHONPATH/okra/_core.abi3.so" ] ;;
    octave*) [ -z "${OKRA_OCTAVE:-}" ] || [ ! -e "$OKRA_OCTAVE_DIR/okra_mex.mex" ] ;;
    sh) grep -q okra-mpi "$2" && ! command -v okra-mpi > /dev/null ;;
    *) false ;;
    esac
}

ran=0 compared=0 skipped=0 elsewhere=0 lacking=0 last=
awk -v out="$blocks" -f "$here/blocks.awk" "$page" > "$work/list"
while read -r number line kind language rest; do
    block=$blocks/$number
    case $kind in
    wrong) fail "$line" "$rest" ;;
    file) cp "$block" "$(cat "$work/place")/$rest" ;;
    data) ;;
    quote) quotes "$block" "$here/../../$rest" || fail "$line" "$rest does not hold these lines" ;;
    skip) skipped=$((skipped + 1)) last=skip && echo "$name:$line: not run: $rest" ;;
    elsewhere)
        has_test "$rest" || lacks "$rest" || fail "$line" "there is no test $rest"
        elsewhere=$((elsewhere + 1)) last=skip
        ;;
    run)
        if lacks "$language" "$block"; then
            lacking=$((lacking + 1)) last=skip
            continue
        fi
        "run_$language" "$block" "$line" "$rest"
        ran=$((ran + 1)) last=$language
        ;;
    output | shape)
        case $last in
        skip) continue ;; # nothing came, so nothing can be compared
        '' | octave) fail "$line" "output of no block that has any" ;;
        esac
        awk -v shape="$([ "$kind" = shape ] && echo 1 || echo 0)" -f "$here/same.awk" "$block" "$said" > "$work/differences" || {
            mv "$work/differences" "$said"
            fail "$line" "something else came out:"
        }
        compared=$((compared + 1))
        ;;
    esac
done < "$work/list"
lacks octave || end_octave

echo "$name: $ran blocks run, $compared outputs compared, $elsewhere run by other tests, $skipped not run$(
    [ $lacking = 0 ] || echo ", $lacking that need what is not built here"
)"
