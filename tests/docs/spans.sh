#!/bin/sh
# spans.sh ROOT OKRA: what the pages say in passing. A command in backticks within a sentence is not run, but it must exist: `okra COMMAND --option` has
# a command and options that its help knows, and an option by itself is one of some command's.
set -eu
root=$1 okra=$(realpath "$2")
cd "$root"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Every option that a help names, as COMMAND OPTION.
options() { awk -v command="$1" '{ while (match($0, /--[a-z][a-z0-9-]*/)) { print command, substr($0, RSTART, RLENGTH); $0 = substr($0, RSTART + RLENGTH) } }'; }
"$okra" help > "$work/help"
awk '/^[A-Z]/ { section = $1 } /^  [a-z]/ && section == "Commands:" { print $1 }' "$work/help" | while read -r command; do
    echo "$command --help"
    "$okra" help "$command" | options "$command"
done > "$work/options"
printf '%s\n' 'okra --version' 'okra --help' >> "$work/options"
[ "$(cut -d' ' -f1 "$work/options" | sort -u | wc -l)" -ge 14 ] || { echo "the list of commands was not understood" >&2; exit 1; }

# Spans outside of fenced blocks, with their place. Other programs' options that the pages speak of are listed.
find . -name '*.md' -not -path './build/*' -not -path './.git/*' | while read -r page; do
    awk -v page="$page" '/^ *```/ { fence = !fence } fence { next }
        { while (match($0, /`[^`]+`/)) { print page ":" FNR "\t" substr($0, RSTART + 1, RLENGTH - 2); $0 = substr($0, RSTART + RLENGTH) } }' "$page"
done > "$work/spans"
awk -F'\t' '
    FILENAME == ARGV[1] { split($0, known, " "); has[known[1], known[2]] = any[known[2]] = commands[known[1]] = 1; next }
    BEGIN { foreign = " --no-build-isolation --system-site-packages --unbuffered --coverage --static " }
    $2 == "okra model" { next } # what a model file calls its format
    $2 ~ /^okra [a-z]/ || $2 ~ /^--[a-z]/ {
        split($2, word, " ")
        command = word[1] == "okra" ? word[2] : ""
        text = $2; checked++
        if (command != "" && !(command in commands)) { print $1 ": there is no okra " command; bad = 1; next }
        while (match(text, /(^| )--[a-z][a-z0-9-]*/)) {
            option = substr(text, RSTART, RLENGTH); sub(/^ /, "", option); text = substr(text, RSTART + RLENGTH)
            if (index(foreign, " " option " ")) continue
            if (command != "" ? !((command, option) in has) : !(option in any)) { print $1 ": " (command == "" ? "no command has " : "okra " command " has no ") option; bad = 1 }
        }
    }
    END { print checked " commands and options"; exit bad || checked < 100 }' "$work/options" "$work/spans"
