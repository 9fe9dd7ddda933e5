#!/bin/sh
# page.sh PAGE PROGRAM OKRA SOURCE..: the page of a program says what its help says, no option more and none less; and what `okra list` says,
# and which environment variables the sources read.
set -eu
page=$1 program=$2 okra=$3
shift 3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck source=tests/manual/render.sh
. "$(dirname "$0")/render.sh"

# same WHAT EXPECTED FOUND
same() {
    [ -n "$2" ] || fail "$1: help says nothing"
    [ "$2" = "$3" ] || {
        fail "$1: '<' is what help says, '>' what the page does, word by word"
        echo "$2" | tr ' ' '\n' > "$work/one"
        echo "$3" | tr ' ' '\n' | diff "$work/one" - | head -n 40 >&2
    }
}

# block TITLE FILE: the lines of a help after the one that begins with the title, up to a blank one.
block() { awk -v title="$1" 'inside && !NF {exit} inside; index($0, title) == 1 {inside = 1}' "$2"; }

render "$page"
name=$(basename "$page" .1)
"$program" --help > "$work/help"
"$okra" list > "$work/list"

for command in $(block Commands: "$work/help" | awk '$1 != "help" {print $1}'); do
    "$program" help "$command" > "$work/command"
    title=$(sed -n "s/^Usage: .*$name /$name /p" "$work/command")
    more=$(awk 'NR > 2 && !NF {exit} NR > 2' "$work/command")
    if grep -q '^Parameters of the stream' "$work/command"; then
        parameters="Every parameter is an option as well: see PARAMETERS."
    elif grep -q '^Recipe parameters' "$work/command"; then
        parameters="Every parameter but those of the stream is an option as well: see PARAMETERS."
    else
        parameters=
    fi
    expected=$(echo "$more $(block Options "$work/command") $parameters $(block Examples: "$work/command")" | squeeze)
    same "$title" "$expected" "$(subsection "$title")"
done

# What is under TITLE begins with words of its own, and the rest is EXPECTED.
ends() {
    case $(section "$1") in
    *" $2" | "$2") ;;
    *) fail "$1 differs: '$(section "$1")' does not end in '$2'" ;;
    esac
}

# A default may be a command's own.
without_defaults() {
    sed 's/ ([^()]*)//g'
}

for command in $(block Commands: "$work/help" | awk '$1 != "help" {print $1}'); do
    "$program" help "$command" > "$work/command"
    if grep -q '^Parameters of the stream' "$work/command"; then
        expected=$({
            block 'Recipe parameters' "$work/command"
            block 'Parameters of the stream' "$work/command"
        } | squeeze | without_defaults)
        case $(section PARAMETERS | without_defaults) in
        *" $expected") ;;
        *) fail "PARAMETERS differs: '$(section PARAMETERS)' does not end in '$expected'" ;;
        esac
    fi
done
if [ "$program" = "$okra" ]; then
    ends RECIPES "$(block Recipes "$work/list" | squeeze)"
    ends MAPS "$(block Maps "$work/list" | squeeze)"
    ends KERNELS "$(block Kernels "$work/list" | squeeze)"
    ends "FULL DICTIONARIES" "$(block 'When a dictionary' "$work/list" | squeeze)"
    ends SIGNALS "$(block Signals "$work/list" | squeeze)"
    formats=$("$program" help run | sed -n 's/.*--format \([^ ]*\).*/\1/p' | tr '|' ' ')
    for format in $formats; do
        case " $(section FILES) " in *" $format "*) ;; *) fail "FILES lacks $format" ;; esac
    done
fi
ends EXAMPLES "$(block Examples: "$work/help" | squeeze)"
same ENVIRONMENT "$(block Environment: "$work/help" | squeeze)" "$(section ENVIRONMENT)"
same "exit status" "$(sed -n 's/^Exit status: \(.*\)\.$/\1/p' "$work/help" | tr -d ,)" "$(section 'EXIT STATUS' | sed 's/ An error is .*//')"
variables=$(grep -rhoE 'getenv\("[A-Z_]+"\)' "$@" | sed 's/.*"\(.*\)".*/\1/' | sort -u)
for variable in $variables; do
    case " $(section ENVIRONMENT) " in *" $variable "*) ;; *) fail "ENVIRONMENT lacks $variable, which is read" ;; esac
done
exit $failed
