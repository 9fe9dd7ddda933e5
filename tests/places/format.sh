# shellcheck shell=sh
# The format hex at a shell: read by its name and by --format, written, listed, completed.
printf '3ff0000000000000 4000000000000000\n4000000000000000 4010000000000000\n4008000000000000 4018000000000000\n' > rows.hex
okra run --quiet --recipe lms --mu 0.1 --out predictions.hex rows.hex
okra run --quiet --recipe lms --mu 0.1 --out predictions.csv rows.hex
printf '1,2\n2,4\n3,6\n' | okra run --quiet --recipe lms --mu 0.1 - | cmp - predictions.csv
[ "$(wc -l < predictions.hex)" = 3 ]
[ "$(cut -d ' ' -f 2 predictions.hex | head -n 1)" = 4000000000000000 ]
cp rows.hex rows
okra run --quiet --recipe lms --mu 0.1 --format hex rows | cmp - predictions.csv

okra help run | grep -q -- '--format .*|hex'
okra list | grep -q '^  hex .*hexadecimal'
okra run --format xls rows.hex 2>&1 | grep -q 'none of .*|hex'
grep -q hex "$MANUAL/bash-completion/completions/okra"
grep -q hexadecimal "$MANUAL/man/man1/okra.1"
printf 'xyz\n' > bad.hex
okra run bad.hex 2>&1 | grep -q 'bad.hex: row 1'
