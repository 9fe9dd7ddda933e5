#!/bin/sh
# expect.sh PROGRAM OKRA: what a shell should offer, read off what the programs print: a line `COMMAND OPTION WHAT` for every option that help
# lists, where OPTION is `operand` for what follows the options, and WHAT is `switch`, `files`, `folders`, `nothing`, or the words. OKRA is the
# one that has `list` and `bench`. The first line is `commands` and their names.
set -eu
program=$1 okra=$2

names() { "$okra" list | awk -v block="$1" '/^[A-Z]/ {inside = index($0, block) == 1} inside && /^  [a-z]/ {printf "%s ", $1}'; }

# What okra-bench says it has, where it was built.
sections() { "$okra" bench nothing-like-that 2>&1 | sed -n "s/.*: it has //p" | tr -d ,  | sed 's/ and / /'; }

figures() { "$program" help paper | tr '\n' ' ' | sed -n 's/.*WHAT is \([^.]*\)\..*/\1/p' | tr -d , | sed 's/ or / /'; }

commands=$("$program" --help | awk '/^Commands:/ {inside = 1; next} !NF {inside = 0} inside && /^  [a-z]/ && $1 != "help" {print $1}')
# shellcheck disable=SC2086 # words in one line
echo commands $commands
for command in $commands; do
    "$program" help "$command" | awk -v command="$command" -v recipes="$(names Recipes)" -v signals="$(names Signals)" -v maps="$(names Maps)" \
        -v figures="$(figures)" -v sections="$(sections)" '
        function meaning(argument,  n, i, parts, words) {
            if (argument ~ /^RECIPE/) return recipes
            if (argument ~ /^SIGNAL/) return signals
            if (argument ~ /^NAME/) return maps
            if (argument ~ /^WHAT/) return figures
            if (argument ~ /^SECTION/) return sections
            if (argument ~ /^(FILE|MODEL|PREFIX|PATTERN)/) return "files"
            if (argument ~ /^DIR/) return "folders"
            n = split(argument, parts, "|")
            for (i = 1; i <= n; i++)
                if (parts[i] ~ /^[a-z0-9+-]+$/) words = words " " parts[i]
            return words ? words : "nothing"
        }
        /^Usage:/ && /\[options\] \[/ {
            sub(/.*\[options\] \[/, ""); sub(/\]$/, "")
            print command, "operand", meaning($0)
        }
        /^Usage:/ && /\[options\]$/ { print command, "operand", "nothing" }
        /^  -/ {
            sub(/^ +/, ""); sub(/^-[a-z], /, ""); sub(/  .*/, "")
            name = $1
            argument = substr($0, length(name) + 2)
            print command, name, argument ? meaning(argument) : "switch"
        }'
done
