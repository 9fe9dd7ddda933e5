#!/bin/sh
# streams.sh OKRA DIR [OPTIONS..]: the table by which the default recipe is judged, as Markdown: `okra run` over real streams, CSV files in DIR,
# and over generated ones. OPTIONS replace the default recipe's. A stream that DIR lacks is left out. What misses its goal is in bold.
#
# 1. Eleven real streams: the normalised error, beside that of 0.1's `auto` and of linear RLS.
# 2. More streams, each by the measure that others score it by.
# 3. Generated streams and traps, beside linear RLS and rff-krls.
# 4. The time of a row, over that of rff-krls.
#
# PARTS="1 3" in the environment chooses some of these. SEEDS is how many draws of the random features an error is the mean of (3); 0 is one run
# without --seed, for recipes that draw nothing.
# shellcheck disable=SC2016,SC2086 # dollars in single quotes are awk's, and options are words
set -eu

okra=$1 folder=$2
shift 2
options=$* linear='--recipe rls --scale auto' features='--recipe rff-krls --features 300 --sigma auto --scale auto'
parts=${PARTS:-1 2 3 4} seeds=${SEEDS:-3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# ---- Runs. Records have | between their fields. The error of a run that fails, or that has no finite one, is 1e99.

# once KEY FILE OPTIONS..: error|us, the error of that name in --metrics and the us a row
once() {
    key=$1 file=$2
    shift 2
    "$okra" run --quiet --metrics "$work/metrics.json" "$@" "$file" > /dev/null || : > "$work/metrics.json"
    awk -F '[:,] *' -v OFS='|' -v key="$key" '
        $2 ~ /^-?[0-9]/ { gsub(/[ "]/, "", $1); value[$1] = $2 }
        END { print key in value ? value[key] : 1e99, "rows" in value ? 1e6 * value["seconds"] / value["rows"] : 0 }' "$work/metrics.json"
}

# mean KEY FILE OPTIONS..: the same, the mean over the seeds
mean() {
    [ "$seeds" != 0 ] || { once "$@"; return; }
    for seed in $(seq "$seeds"); do once "$@" --seed "$seed"; done |
        awk -F '|' -v OFS='|' '{ error += $1; us += $2 } END { print error / NR, us / NR }'
}

# there NAME: whether the folder has this stream
there() {
    [ ! -f "$folder/$1.csv" ] || return 0
    echo "streams.sh: $folder has no $1.csv: left out" >&2
    return 1
}

# ---- Tables

# heading TITLE CELL..: what a table is about, and its first two lines
heading() {
    printf '\n%s\n\n' "$1"
    shift
    printf '| %s ' "$@"
    echo '|'
    for _ in "$@"; do printf '|---'; done
    echo '|'
}

# cells PROGRAM < record: an awk program with functions for the cells of a line
cells() {
    awk -F '|' -v work="$work" '
        function number(x) { return x == "" ? "" : x < 1e90 ? sprintf("%.3g", x) : "fails" }
        function ratio(x, y) { return x < 1e90 && y < 1e90 ? sprintf("%.3f", x / y) : "fails" }
        function decibel(x, y) { return x < 1e90 && y < 1e90 ? sprintf("%+.2f dB", 10 * log(x / y) / log(10)) : "fails" }
        function bold(text, missed) { return missed ? "**" text "**" : text }
        function judged(x, goal) { return bold(number(x), x >= 1e90 || goal != "" && x + 0 > goal + 0) }
        '"$1"
}

# ---- 1: stream | 0.1's auto | goal | options. tuning.sh reads this list too.

eleven() {
    heading "Real streams, the first 20,000 rows: NMSE over the last 90%" \
        stream "${options:-okra run}" "0.1's auto" ratio linear 'ratio to linear' 'goal, at most' 'us a row'
    while IFS='|' read -r name auto goal task; do
        there "$name" || continue
        head -n 20001 "$folder/$name.csv" > "$work/stream.csv"
        set -- nmse "$work/stream.csv" --score-from 10% $task
        echo "$name|$(mean "$@" $options)|$auto|$(once "$@" $linear)|$goal" | cells '{
            print $1, $2 / $4, $2 / $5 >> (work "/ratios")
            printf "| %s | %s | %s | %s | %s | %s | %s | %.1f |\n", $1, judged($2, $7), number($4), bold(ratio($2, $4), $2 > 1.03 * $4),
                   number($5), bold(ratio($2, $5), $2 > 1.02 * $5), number($7), $3 }'
    done << 'end'
silverbox|2.95e-6|1.85e-6|--lags 4 --target-lags 4
cascaded_tanks|.00886||--lag-from 1 --lags 8 --target-lags 4 --horizon 5
daisy_cstr|2.06e-4|9e-5|--lag-from 1 --lags 8 --target-lags 4 --horizon 5
pa_dpa200|.00114||--lags 5
kin8nm|.226|.185|
ccpp|.0572||
airfoil|.206|.155|
bike_hour|.427|.09|
santafe_laser|.00419|.0028|--target-lags 10
ecg208|.0775||--target-lags 20 --horizon 5
sunspots|.193||--target-lags 24 --horizon 6
end
    [ ! -f "$work/ratios" ] || tr ' ' '|' < "$work/ratios" | cells '
        { sum += log($2) }
        $2 > worst { worst = $2; where = $1 }
        $3 > worst_linear { worst_linear = $3; where_linear = $1 }
        END { mean = exp(sum / NR)
              printf "\nOver 0.1'"'"'s auto: geometric mean %s (goal: at most 0.69), worst %s (%s; at most 1.03). ",
                     bold(ratio(mean, 1), mean > 0.69), bold(ratio(worst, 1), worst > 1.03), where
              printf "Over linear: worst %s (%s; at most 1.02).\n", bold(ratio(worst_linear, 1), worst_linear > 1.02), where_linear }'
}

# ---- 2: stream | error | 0.1's auto | the best of others | goal | options

more() {
    heading "More streams" stream error "${options:-okra run}" "0.1's auto" "others' best" 'goal, at most' 'us a row'
    while IFS='|' read -r name key auto others goal task; do
        there "$name" || continue
        case $key in
        mse) what='MSE x 1e3, all rows' from=0 factor=1e3 ;;
        nmse) what='NMSE, last 90%' from=10% factor=1 ;;
        mse_db) what='MSE after row 1000, dB' from=1001 factor=1 ;;
        mae) what='MAE, all rows' from=0 factor=1 ;;
        esac
        echo "$name|$what|$(mean $key "$folder/$name.csv" --score-from $from $task $options)|$auto|$others|$goal|$factor" | cells '{
            printf "| %s | %s | %s | %s | %s | %s | %.1f |\n", $1, $2, judged($3 * $8, $7), number($5), $6, number($7), $4 }'
    done << 'end'
air|mse|30.5|AdaRaker 1.37|1.3|
energy|mse|18.1|AdaRaker 14.4||
sml|nmse|.0146|||
kaf_lorenz|mse_db|-47||-55|--target-lags 6
kaf_mg30|mse_db|-42||-55|--target-lags 11
kaf_mimo|mse_db|-0.1||-8|--lags 4
chick_weights|mae|20.9|River 23.11||--target weight
trump_approval|mae|.400|River .269||--target five_thirty_eight
end
}

# ---- 3: stream | goal | options | how it is made: one of the functions before

# random PROGRAM [FILE]: an awk program with random numbers, in which n is the row, 0 at the header
random() {
    program=$1
    shift
    awk -F, -v OFS=, -v CONVFMT=%.17g -v OFMT=%.17g '
        function uniform() { state = (state * 16807) % 2147483647; return state / 2147483647 }
        function normal(u) { u = uniform(); return sqrt(-2 * log(u)) * cos(6.283185307179586 * uniform()) }
        function student(u) { u = uniform(); return (2 * u - 1) / sqrt(2 * u * (1 - u)) } # 2 degrees of freedom
        BEGIN { state = 271828182 }
        { n = NR - 1 }
        '"$program" "$@"
}

signal() { "$okra" signal "$@"; }
ex2() { cat "$work/ex2.csv"; }
ex2_behind() { random "{ print (n ? $1 : \"extra\"), \$0 }" "$work/ex2.csv"; }
ex2_times() { random "n { for (i = 1; i <= NF; i++) \$i *= $1 } { print }" "$work/ex2.csv"; }
heavy_tails() {
    random 'BEGIN { print "x1,x2,x3,y"
                    for (n = 1; n <= 20000; n++) {
                        a = student(); b = student(); c = student(); bend = a * b / sqrt(1 + a * b * a * b)
                        print a, b, c, a - 0.5 * b + 0.3 * c + bend + student() } }'
}

# harm once|mean OPTIONS..: the errors of the 250 rows after a target of -9999 at row 10,001, and of the same rows without it
harm() {
    runs=$1
    shift
    for rows in wild tame; do $runs mse "$work/$rows.csv" --score-from 10001 "$@"; done | cut -d '|' -f 1 | paste -s -d '|' -
}

one_wild_target() {
    head -n 10252 "$work/ex2.csv" > "$work/tame.csv"
    random 'n == 10001 { $NF = -9999 } { print }' "$work/tame.csv" > "$work/wild.csv"
    echo "ex2, one -9999: MSE of the next 250 rows over that without it|$(harm mean $options)|$(harm once $linear)|$(harm mean $features)" |
        cells '{ printf "| %s | %s | %s | %s | |\n", $1, decibel($2, $3), decibel($4, $5), decibel($6, $7) }'
}

generated() {
    heading "Generated streams and traps: NMSE over the last 90%" stream "${options:-okra run}" linear rff-krls 'goal, at most'
    signal ex2 --samples 20000 > "$work/ex2.csv"
    while IFS='|' read -r name goal task maker; do
        eval "$maker" < /dev/null > "$work/stream.csv"
        set -- nmse "$work/stream.csv" --score-from 10% $task
        echo "$name|$(mean "$@" $options)|$(once "$@" $linear)|$(mean "$@" $features)|$goal" |
            cells '{ printf "| %s | %s | %s | %s | %s |\n", $1, judged($2, $8), number($4), number($6), number($8) }'
    done << 'end'
channel, a switch every 1000 rows|.19|--lags 5|signal channel --switch 1000 --samples 5000
mackey-glass|||signal mackey-glass --samples 5000
lorenz|||signal lorenz --samples 5000
ex2|||ex2
ex2 behind an epoch|||ex2_behind '1.7e9 + 60 * n'
ex2 behind a row counter|||ex2_behind n
ex2 behind a nearly constant column|||ex2_behind '1 + (uniform() < 0.01 ? 1e-6 : 1e-9) * normal()'
ex2, an amplitude that grows as exp(n/2000)|||ex2_times 'exp(n / 2000)'
ex2, a hundredfold from row 5000 on|||ex2_times '(n < 5000 ? 1 : 100)'
heavy tails, Student's t with 2 degrees of freedom|||heavy_tails
end
    one_wild_target
}

# ---- 4: they take turns, for the machine may be faster now and slower then

# median EXPRESSION: over the turns, ours|us|theirs|us
median() { cells "{ print $1 }" < "$work/turns" | sort -g | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }

time_of_a_row() {
    there pa_dpa200 || return 0
    heading "Time of a row: pa_dpa200, ten inputs, 20,000 rows, medians of 5 turns" "${options:-okra run}, us" 'rff-krls, us' ratio 'goal, at most'
    head -n 20001 "$folder/pa_dpa200.csv" > "$work/stream.csv"
    set -- nmse "$work/stream.csv" --lags 5
    for _ in 1 2 3 4 5; do echo "$(once "$@" $options)|$(once "$@" $features)"; done > "$work/turns"
    echo "$(median '$2')|$(median '$4')|$(median '$2 / $4')|2.5" | cells '{ printf "| %.1f | %.1f | %s | %s |\n", $1, $2, judged($3, $4), $4 }'
}

echo "Seeds: $seeds (errors are means over them). In bold: what misses its goal."
for part in $parts; do
    case $part in
    1) eleven ;;
    2) more ;;
    3) generated ;;
    4) time_of_a_row ;;
    *) echo "streams.sh: there is no part $part: PARTS has some of 1 2 3 4" >&2; exit 2 ;;
    esac
done
