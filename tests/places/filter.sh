# shellcheck shell=sh
# The filter sign-lms at a shell: run, saved, merged on average, listed, completed.
okra signal ex2 --samples 500 --out rows.csv
okra run --quiet --recipe sign-lms --mu 0.01 --save a.okra rows.csv > whole.csv
[ "$(wc -l < whole.csv)" = 501 ]
okra run --quiet --recipe sign-lms --mu 0.01 --save b.okra rows.csv > /dev/null
okra merge --out m.okra a.okra b.okra 2>&1 | grep -q averag
okra list | grep -q '^  sign-lms '
okra run --recipe sign-lms --beta 1 rows.csv 2>&1 | grep -q "beta"
grep -q sign-lms "$MANUAL/bash-completion/completions/okra"
grep -q 'sign.*-lms' "$MANUAL/man/man1/okra.1"
