# shellcheck shell=sh
# The parameter lift at a shell: given, saved, loaded, listed, completed, compared, refused.
printf '1,2\n2,4\n3,6\n4,8\n' > rows.csv
okra run --quiet --recipe lms --mu 0.1 rows.csv > plain.csv
okra run --quiet --recipe lms --mu 0.1 --lift 10 --save m.okra rows.csv > lifted.csv
paste -d , plain.csv lifted.csv | awk -F , '{ d = $(NF - 1) - $(NF / 2 - 1); if (NR > 1 && (d < 9.999999 || d > 10.000001)) exit 1 }'
okra info m.okra | grep -q 'lift.*10'
okra export m.okra | grep -q '"lift"'
okra predict --quiet --load m.okra rows.csv > /dev/null
okra compare --quiet --recipes lms --with 'lms --lift 5' rows.csv | grep -q 'lift 5'
okra help run | grep -q -- '--lift'
okra list lms | grep -q lift
okra run --lift x rows.csv 2>&1 | grep -q -- "--lift: 'x'"
grep -q -- --lift "$MANUAL/bash-completion/completions/okra"
grep -q lift "$MANUAL/man/man1/okra.1"
