#!/bin/sh
# streams.sh OKRA DIR [OPTIONS..]: the prequential error of `okra run` over real streams, CSV files in DIR, beside linear RLS: a table for
# docs/choosing.md. Normalised mean squared error over the last 90% of the first 20,000 rows. OPTIONS replace the default recipe's.
set -eu

okra=$1 folder=$2
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# score FILE OPTIONS..: the normalised error, and the seconds
score() {
    file=$1
    shift
    "$okra" run --quiet --score-from 10% --metrics "$work/metrics.json" "$@" "$file" > /dev/null
    sed -n 's/.*"nmse": *\([^,}]*\).*/\1/p; s/.*"seconds": *\([^,}]*\).*/\1/p' "$work/metrics.json" | tr '\n' ' '
}

# row NAME OPTIONS..: one stream, with the lags and the horizon that its task has
row() {
    name=$1
    shift
    [ -f "$folder/$name.csv" ] || return 0
    head -n 20001 "$folder/$name.csv" > "$work/$name.csv"
    # shellcheck disable=SC2086 # options are words
    ours=$(score "$work/$name.csv" "$@" $options)
    linear=$(score "$work/$name.csv" "$@" --recipe rls --scale auto)
    echo "$name $ours $linear" | awk '{ printf "| %s | %.3g | %.3g | %.2f | %.1f |\n", $1, $2, $4, $2 / $4, $3 }'
}

options=$*
echo "| stream | ${options:-okra run} | linear | ratio | seconds |"
echo "|---|---|---|---|---|"
row silverbox --lags 4 --target-lags 4
row cascaded_tanks --lag-from 1 --lags 8 --target-lags 4 --horizon 5
row daisy_cstr --lag-from 1 --lags 8 --target-lags 4 --horizon 5
row pa_dpa200 --lags 5
row kin8nm
row ccpp
row airfoil
row bike_hour
row santafe_laser --target-lags 10
row ecg208 --target-lags 20 --horizon 5
row sunspots --target-lags 24 --horizon 6
