#!/bin/sh
# lint.sh [TOOL...]: checks the sources without running them, with every tool or those named: gcc, clang, tidy, cppcheck, format, shell. A line
# for each says what it covered, or what it found is above. The exit status is 1 where a tool found something. `make lint` installs them.
set -eu
cd "$(dirname "$0")/.."
jobs=$(nproc 2> /dev/null || echo 2)
sources=build/lint # compile_commands.json with each source once
log=build/lint/log
mkdir -p "$sources" build/cppcheck

# Compiles whatever there is with a compiler for which a warning is an error.
compile() {
    if ! { cmake --preset "lint-$1" && cmake --build "build/lint-$1" -j "$jobs" -- -k; } > "$log" 2>&1; then
        grep -E -A 4 '(error|Error)' "$log" || cat "$log"
        exit 1
    fi
    echo "$(jq length "build/lint-$1/compile_commands.json") objects without a warning"
}

# For one of both precisions is enough: float32, in which a conversion can lose digits and a promotion can happen. Not the bindings, whose
# hosts' macros are not ours.
list_sources() {
    cmake --preset lint-clang > "$log" 2>&1 || { cat "$log"; exit 1; }
    jq '[.[] | select((.file | endswith(".c")) and (.command | contains("OKRA_PRECISION=64") | not) and (.file | contains("/bindings/") | not))] | unique_by(.file)' \
        build/lint-clang/compile_commands.json > "$sources/compile_commands.json"
}

count_sources() { jq length "$sources/compile_commands.json"; }

check() {
    case $1 in
    gcc | clang) compile "$1" ;;
    tidy)
        list_sources
        jq -r '.[].file' "$sources/compile_commands.json" | xargs -P "$jobs" -n 1 clang-tidy --quiet -p "$sources" 2> "$log" ||
            { grep -v 'warnings\{0,1\} .*generated' "$log"; exit 1; }
        echo "$(count_sources) sources and their headers" ;;
    cppcheck)
        list_sources
        cppcheck -j "$jobs" --quiet --project="$sources/compile_commands.json" --cppcheck-build-dir=build/cppcheck --library=posix \
            --enable=warning,performance,portability --inline-suppr --suppressions-list=.cppcheck --error-exitcode=1 2>&1
        echo "$(count_sources) sources" ;;
    format)
        git ls-files -z '*.c' '*.h' '*.cpp' | xargs -0 clang-format --dry-run -Werror 2>&1
        echo "$(git ls-files '*.c' '*.h' '*.cpp' | wc -l) files" ;;
    shell)
        git ls-files -z '*.sh' .ci/run | xargs -0 shellcheck
        echo "$(git ls-files '*.sh' .ci/run | wc -l) scripts" ;;
    *) echo "no such tool: gcc, clang, tidy, cppcheck, format and shell are"; exit 2 ;;
    esac
}

[ $# -gt 0 ] || set -- format shell gcc clang tidy cppcheck
worst=0
for tool in "$@"; do
    began=$(date +%s) status=0 found="$sources/$tool.txt"
    set +e # not `check .. || status=`, in which -e would not hold
    (set -e; check "$tool") > "$found"
    status=$?
    set -e
    if [ $status = 0 ]; then
        echo "lint: $tool: $(cat "$found"), $(($(date +%s) - began)) s"
    else
        cat "$found"
        echo "lint: $tool: see above"
        worst=1
    fi
done
exit $worst
