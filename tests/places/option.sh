# shellcheck shell=sh
# A new option of `okra run`: help, manual, completion, its range, and what it does.
okra signal ex2 --samples 30 > s.csv
okra run --recipe lms --only 7 --quiet s.csv > p.csv
[ "$(wc -l < p.csv)" = 8 ]
okra help run | grep -q -- '--only N .*read no more than N rows (all)'
okra run --only 0 s.csv 2> said && exit 1
grep -q "'0' is no whole number from 1 to" said
grep -q -- --only "$MANUAL/bash-completion/completions/okra"
