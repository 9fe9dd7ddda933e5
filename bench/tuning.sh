#!/bin/sh
# tuning.sh OKRA DIR [OPTIONS..]: what `okra tune` is worth on rows it has not seen: a table for docs/choosing.md. Tunes rff-krls on the first
# half of each stream, a CSV file in DIR, then runs the whole of it with the recipe's defaults and with the winner, and scores the second half.
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

# row NAME OPTIONS..: one stream, with the lags and the horizon that its task has
row() {
    name=$1 file=$folder/$1.csv
    shift
    [ -f "$file" ] || return 0
    half=$((($(wc -l < "$file") - 1) / 2))
    # shellcheck disable=SC2086 # options are words
    winner=$("$okra" tune --quiet --recipe rff-krls --rows $half "$@" $options "$file")
    before=$(score "$okra" run --recipe rff-krls --sigma auto --scale auto "$@" "$file")
    # shellcheck disable=SC2086 # and so is the command line, but for its first
    after=$(score "$okra" ${winner#okra })
    found=$(echo "$winner" | sed 's/.*rff-krls \(.*\) --scale.*/\1/')
    # shellcheck disable=SC2016 # backticks are Markdown's
    echo "$before $after $found" | awk '{ a = $1; b = $2; $1 = $2 = ""; printf "| '"$name"' | %.3g | %.3g | %+.1f%% |`%s` |\n", a, b, 100 * (b / a - 1), $0 }' |
        sed 's/|`  */| `/'
}

echo "| stream | default | tuned | change | options found |"
echo "|---|---|---|---|---|"
# shellcheck disable=SC2086 # options are words
sed -n '/^silverbox|/,/^sunspots|/p' "$here/streams.sh" | while IFS='|' read -r stream _ _ task; do row "$stream" $task; done # the same tasks
