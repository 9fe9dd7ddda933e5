#!/bin/sh
# tuning.sh OKRA DIR [OPTIONS..]: what `okra tune` is worth on rows it has not seen: a table for docs/choosing.md. Tunes rff-krls on the first
# half of each stream, a CSV file in DIR, with 24 and with 64 candidates. Then runs the whole of it with the recipe's defaults and with both
# winners, and scores the second half.
# shellcheck disable=SC2086 # options, and the command lines that tune prints, are words
set -eu

here=$(dirname "$0") okra=$1 folder=$2
shift 2
options=$*
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# score COMMAND..: the normalised error over the second half
score() {
    "$@" --quiet --score-from 50% --metrics "$work/metrics.json" > /dev/null
    sed -n 's/.*"nmse": *\([^,}]*\).*/\1/p' "$work/metrics.json"
}

# tuned BUDGET OPTIONS..: the command that tune prints for $file, of which $half rows are read
tuned() {
    budget=$1
    shift
    "$okra" tune --quiet --recipe rff-krls --rows "$half" --budget "$budget" "$@" $options "$file"
}

# row NAME OPTIONS..: one stream, with the lags and the horizon that its task has
row() {
    name=$1 file=$folder/$1.csv
    shift
    [ -f "$file" ] || return 0
    half=$((($(wc -l < "$file") - 1) / 2))
    few=$(tuned 24 "$@") many=$(tuned 64 "$@")
    default=$(score "$okra" run --recipe rff-krls --sigma auto --scale auto "$@" "$file")
    found=$(echo "$many" | sed -e 's/.*rff-krls \(.*\) --scale.*/\1/' -e 's/ --\(lags\|lag-from\|target-lags\|horizon\) [0-9]*//g' \
        -e 's/--widths [^ ]*/--widths ../')
    echo "$default $(score "$okra" ${few#okra }) $(score "$okra" ${many#okra })" | awk -v name="$name" -v found="$found" '
        { printf "| %s | %.3g | %.3g | %.3g | %.2f | `%s` |\n", name, $1, $2, $3, $2 / $3, found }'
}

echo "| stream | default | 24 candidates | 64 candidates | 24 over 64 | options found by 64 |"
echo "|---|---|---|---|---|---|"
sed -n '/^silverbox|/,/^sunspots|/p' "$here/streams.sh" | while IFS='|' read -r stream _ _ task; do row "$stream" $task; done # the same tasks
