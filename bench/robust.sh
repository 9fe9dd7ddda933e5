#!/bin/sh
# robust.sh OKRA [DIR]: what wild targets cost, and what losses cost without them; the tables of docs/choosing.md.
#
# 1. Example 2, 20,000 rows, with 1% of the targets off by N(0, 30^2): the excess over the noise in the last 5,000 rows, in dB, of what was
#    predicted for the clean targets. Mean over three realisations.
# 2. The same rows with one target of -9999 in the middle: the mean squared error of the next 250 rows, in dB over that without it.
# With DIR, a folder of real streams:
# 3. NMSE with the loss over that with the square, clean streams: the largest of eleven.
# 4. kaf_mimo, a channel that changes: MSE after row 1000, in dB, of the two ways to forget.
set -eu

okra=$1 folder=${2:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# spoil SEED SHARE < clean > dirty: that share of the targets, the last column, moved by a normal number of deviation 30
spoil() {
    awk -F, -v OFS=, -v state="$1" -v share="$2" '
        function uniform() { state = (state * 16807) % 2147483647; return state / 2147483647 }
        NR > 1 { u = uniform(); v = uniform(); w = uniform()
                 if (w < share) $NF += 30 * sqrt(-2 * log(u)) * cos(6.283185307179586 * v) }
        { print }'
}

# predict FILE OPTIONS..: the predictions, a column
predict() {
    file=$1
    shift
    "$okra" run --quiet "$@" "$file" | cut -d , -f 3
}

# square FROM TO PREDICTIONS: their mean squared error for the clean targets
square() {
    paste -d , "$work/clean.csv" "$3" | awk -F, -v from="$1" -v to="$2" \
        'NR > from && NR <= to + 1 { e = $(NF - 1) - $NF; s += e * e; n++ } END { print s / n }'
}

# row NAME OPTIONS..: a line of the first table
row() {
    name=$1 losses='square huber mcc cauchy'
    shift
    for loss in $losses; do eval "clean_$loss=0 dirty_$loss=0 wild_$loss=0"; done
    for seed in 1 2 3; do
        "$okra" signal ex2 --samples 20000 --seed "$seed" --out "$work/clean.csv" 2> /dev/null
        spoil "$((seed * 7919))" 0.01 < "$work/clean.csv" > "$work/dirty.csv"
        awk -F, -v OFS=, 'NR == 10002 { $NF = -9999 } { print }' "$work/clean.csv" > "$work/wild.csv"
        for loss in $losses; do
            for what in clean dirty wild; do predict "$work/$what.csv" "$@" --loss "$loss" > "$work/$what.$loss"; done
            clean=$(square 15001 20000 "$work/clean.$loss") dirty=$(square 15001 20000 "$work/dirty.$loss")
            wild=$(square 10002 10251 "$work/wild.$loss") still=$(square 10002 10251 "$work/clean.$loss")
            eval "clean_$loss=\$(echo \"\$clean_$loss $clean\" | awk '{ print \$1 + \$2 - 0.0025 }')"
            eval "dirty_$loss=\$(echo \"\$dirty_$loss $dirty\" | awk '{ print \$1 + \$2 - 0.0025 }')"
            eval "wild_$loss=\$(echo \"\$wild_$loss $wild $still\" | awk '{ print \$1 + \$2 / \$3 }')"
        done
    done
    # shellcheck disable=SC2154 # set by eval
    echo "$name,$clean_square,$dirty_square,$dirty_huber,$dirty_mcc,$dirty_cauchy,$wild_square,$wild_huber" | awk -F, '
        function db(x) { return 10 * log(x / 3) / log(10) }
        { printf "| %s | %.1f | %.1f | %.1f | %.1f | %.1f | %+.1f | %+.1f |\n",
                 $1, db($2), db($3), db($4), db($5), db($6), db($7), db($8) }'
}

echo "| excess, dB | clean | 1% wild: square | huber | mcc | cauchy | one -9999: square | huber |"
echo "|---|---|---|---|---|---|---|---|"
row 'rff-krls' --recipe rff-krls --sigma 5 --lambda 1e-4 --beta 0.9995
row "rff-krls --forget prior" --recipe rff-krls --sigma 5 --lambda 1e-2 --beta 0.999 --forget prior
row 'rls' --recipe rls
row 'krls' --recipe krls --sigma 5
row 'rff-klms' --recipe rff-klms --sigma 5 --mu 1
row 'rff-apa' --recipe rff-apa --sigma 5
row 'qklms' --recipe qklms --sigma 5 --epsilon 1 --mu 0.5
row 'auto'

[ -n "$folder" ] || exit 0

# score FILE OPTIONS..: the normalised error
score() {
    file=$1
    shift
    "$okra" run --quiet --metrics "$work/metrics.json" "$@" "$file" > /dev/null 2>&1
    sed -n 's/.*"nmse": *\([^,}]*\).*/\1/p' "$work/metrics.json"
}

# ratio NAME STREAM OPTIONS..: into the file of the recipe, with its loss
ratios() {
    name=$1
    [ -f "$folder/$name.csv" ] || return 0
    head -n 20001 "$folder/$name.csv" > "$work/$name.csv"
    shift
    for loss in huber mcc cauchy; do
        # shellcheck disable=SC2086 # options are words
        echo "$name $(score "$work/$name.csv" --score-from 10% "$@" $options --loss $loss) $(score "$work/$name.csv" --score-from 10% "$@" $options --loss square)" \
            | awk '$2 > 0 && $3 > 0 { print $1, $2 / $3 }' >> "$work/ratios.$loss"
    done
}

worst() { sort -k 2 -g "$work/ratios.$1" | awk '{ last = $0 } END { split(last, w); printf "%.3f (%s)", w[2], w[1] }'; }

echo
echo "| NMSE over that with the square, clean, worst of eleven | huber | mcc | cauchy |"
echo "|---|---|---|---|"
for recipe in rls nlms rff-klms rff-nlms rff-apa rff-apsm rff-krls krls knlms auto; do
    options="--recipe $recipe --scale auto"
    case $recipe in rff-* | krls | knlms) options="$options --sigma auto" ;; esac
    case $recipe in krls | knlms) options="$options --capacity 300" ;; esac
    rm -f "$work"/ratios.*
    ratios silverbox --lags 4 --target-lags 4
    ratios cascaded_tanks --lag-from 1 --lags 8 --target-lags 4 --horizon 5
    ratios daisy_cstr --lag-from 1 --lags 8 --target-lags 4 --horizon 5
    ratios pa_dpa200 --lags 5
    for name in kin8nm ccpp airfoil bike_hour; do ratios $name; done
    ratios santafe_laser --target-lags 10
    ratios ecg208 --target-lags 20 --horizon 5
    ratios sunspots --target-lags 24 --horizon 6
    echo "| $recipe | $(worst huber) | $(worst mcc) | $(worst cauchy) |"
done

[ -f "$folder/kaf_mimo.csv" ] || exit 0
db() {
    "$okra" run --quiet --score-from 1001 --metrics "$work/metrics.json" --lags 4 "$@" "$folder/kaf_mimo.csv" > /dev/null
    sed -n 's/.*"mse_db": *\([^,}]*\).*/\1/p' "$work/metrics.json" | awk '{ printf "%.2f", $1 }'
}
echo
echo "| kaf_mimo, MSE after row 1000, dB | exponential | prior | prior, float32 |"
echo "|---|---|---|---|"
for beta in 0.99 0.995 0.998; do
    set -- --recipe rff-krls --sigma 3.1 --lambda 0.05 --beta "$beta"
    echo "| rff-krls, 300 features, beta $beta | $(db "$@") | $(db "$@" --forget prior) | $(db "$@" --forget prior --precision f32) |"
done
