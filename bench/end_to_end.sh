#!/bin/sh
# end_to_end.sh OKRA [RUNS]: what `okra run` takes for a row of text, over what its filter alone takes for a sample: a million rows of Example 2
# from a file into a file, and from a pipe into a pipe, beside `okra bench lms` (rff, 64 bits, 5 inputs, 300 features). They take turns RUNS
# times (21). A ratio is the median over the turns of the ratio within a turn; in brackets are the 10th and the 90th percentile.
set -eu

okra=$1 runs=${2:-21} rows=1000000
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$okra" signal ex2 --samples $rows > "$work/in.csv"

learn() { "$okra" run --recipe rff-klms --sigma 5 --mu 1 --quiet "$@"; }
into_file() { learn "$work/in.csv" > "$work/out.csv"; }
# shellcheck disable=SC2002 # a pipe is what is measured
through_pipes() { cat "$work/in.csv" | learn | cat > /dev/null; }

# filter: ns for a sample, the shortest of 61 rounds
filter() { "$okra" bench --quick --rounds 61 --quiet lms | awk '$1 == "rff" && $2 == 64 && $3 == 5 && $4 == 300 { print $5 }'; }

# ns COMMAND: ns for a row
ns() {
    begin=$(date +%s%N)
    "$@"
    echo $((($(date +%s%N) - begin) / rows))
}

# spread EXPRESSION: its median over the turns, filter, file and pipe being $1 to $3; the 10th and the 90th percentile
spread() {
    awk "{ print $1 }" "$work/turns" | sort -n | awk '{ v[NR] = $1 } function at(p) { return v[1 + int(p * (NR - 1) + 0.5)] }
        END { printf "%.3g (%.3g to %.3g)", at(0.5), at(0.1), at(0.9) }'
}

for run in $(seq 0 "$runs"); do
    turn="$(filter) $(ns into_file) $(ns through_pipes)"
    [ "$run" = 0 ] || echo "$turn" >> "$work/turns" # the first one warms up
done
# shellcheck disable=SC2016 # for awk
{
    echo "| what | ns | over the filter |"
    echo "|---|---|---|"
    echo "| a sample in the filter | $(spread '$1') | |"
    echo "| a row from a file into a file | $(spread '$2') | $(spread '$2 / $1') |"
    echo "| a row from a pipe into a pipe | $(spread '$3') | $(spread '$3 / $1') |"
}
