#!/bin/sh
# examples.sh PROGRAM OKRA: runs an example in a folder of its own and holds the figures that it prints to bounds, each with its reason. Two programs compute
# what `okra run` computes too, and must say the same.
set -eu
program=$(realpath "$1") okra=$(realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
"$program" . > said 2> err || { echo "ended with $?" >&2; cat said err >&2; exit 1; }
cat said

# figure LABEL [FIELD]: the number that stands FIELD words from the end of the line that begins with the label
figure() {
    awk -v label="$1" -v back="${2:-1}" 'index($0, label) == 1 { print $(NF - back); found++ } END { exit found != 1 }' said || {
        echo "no line, or several, for '$1'" >&2
        exit 1
    }
}
# holds CONDITION WHY: an awk expression
holds() {
    awk "BEGIN { exit !($1) }" || { echo "not so: $1 ($2)" >&2; exit 1; }
}
metric() { "$okra" run --quiet --metrics m.json "$@" > /dev/null && sed -n 's/.*"'"$name"'": *\([^,}]*\).*/\1/p' m.json; }

case $(basename "$program") in
demo)
    grep -q 'learning curves: ./learning-curve' said || { echo "no learning curves" >&2; exit 1; }
    [ "$(awk 'END { print NR }' learning-curve.csv)" = 201 ] || { echo "not 200 windows and a header" >&2; exit 1; }
    auto=$(figure 'auto, the default' 3) noise=$(figure 'noise' 1)
    # The mean of 5000 squared errors is off by 6% or 0.26 dB at most; what is not learnt yet after 25000 samples, and
    # what filters that can forget pay for it, has been seen to add 0.5 dB.
    holds "$auto < $noise + 1.5 && $auto > $noise - 0.3" "the default comes to the noise, and nobody below it"
    ;;
01_rff_klms)
    linear=$(figure 'lms, linear') kernel=$(figure 'rff-klms,') theory=$(figure theory)
    # The mean of 5000 squared errors is off by 3 sqrt(2 / 5000) = 6% or 0.26 dB at most; what 300 features cannot
    # represent has been seen to add 0.4 dB. Below theory nothing but chance can bring it.
    holds "$kernel < $theory + 0.26 + 0.5 && $kernel > $theory - 0.26 - 0.05" "theory: noise 2 / (2 - mu)"
    # sin(ab), a and b uniform from -1.5 to 1.5, is uncorrelated with either; with the noise it has -4.97 dB, to which a step of 0.01 adds 2%, 0.1 dB, and chance 0.26.
    holds "$linear > -4.97 - 0.31 && $linear < -4.97 + 0.1 + 0.31" "a linear filter is left with the sine"
    ;;
02_equaliser)
    linear=$(awk '$1 == "rls" { print $2 }' said) nlms=$(awk '$1 == "rff-nlms" { print $2 }' said) rls=$(awk '$1 == "rff-krls" { print $2 }' said)
    # Counts of rare events have a deviation of their root: five of them are no chance.
    holds "$linear - $nlms > 5 * sqrt($linear + $nlms)" "nonlinear decisions are better than linear ones"
    holds "$nlms - $rls > 3 * sqrt($nlms + $rls)" "least squares are better than LMS"
    ;;
03_echo_canceller)
    linear=$(figure nlms) kernel=$(figure rff-krls)
    holds "$kernel - $linear > 6" "7.6 to 10.1 dB over the best linear step are measured in docs/audio.md; six are promised"
    name=erle_db
    same=$(metric pair.wav --recipe rff-krls --map linear+orf --sigma 0.7 --features 200 --lags 16 --score-from 50% --out program.wav)
    holds "$kernel - $same < 0.051 && $same - $kernel < 0.051" "okra run on the same file, to the digit shown"
    cmp program.wav residual.wav
    ;;
04_amplifier)
    alone=$(figure 'amplifier alone') linear=$(figure 'after its inverse, by rls') kernel=$(figure 'after its inverse, by rff-krls')
    holds "$linear < $alone - 3" "a linear inverse undoes gain, phase and memory"
    holds "$kernel < $linear - 14.9" "15.9 dB measured, less 1 for other rounding and another libm"
    ;;
05_checkpoints)
    for words in 'from row 3001 to 6000' 'the same bits'; do
        grep -q "$words" said || { echo "not so: $words" >&2; exit 1; }
    done
    linear=$(figure 'rls, linear') kernel=$(figure 'rff-krls')
    name=nmse
    "$okra" signal mackey-glass --samples 6000 --out series.csv
    nmse=$(metric --recipe rff-krls --sigma auto --scale auto --score-from 3000 series.csv)
    holds "$kernel - 10 * log($nmse) / log(10) < 0.051 && 10 * log($nmse) / log(10) - $kernel < 0.051" "okra run on the same series, to the digit shown"
    holds "$kernel < $linear - 24.4" "25.4 dB measured, less 1 for other rounding: chaos is not linear"
    ;;
06_own_filter)
    lms=$(figure rff-klms) own=$(figure 'sign-error LMS')
    # LMS: noise of power 1.01 makes an excess of mu 1.01 / (2 - mu), -23 dB, and what is not learnt yet stays: it cannot be better.
    holds "$lms > -23.5" "the excess error of LMS"
    holds "$own < $lms - 3.4" "4.4 dB measured, less 1: a step that ignores the size of an error is robust"
    ;;
*) echo "no bounds for $(basename "$program")" >&2; exit 1 ;;
esac
