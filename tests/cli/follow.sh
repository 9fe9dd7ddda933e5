#!/bin/sh
# follow.sh OKRA: a file that grows, loses its name to another, is cut short and ends in the midst of a line gives the predictions of all its rows.
set -eu
okra=$(realpath "$1")
work=$(mktemp -d)
trap 'kill "$run" 2> /dev/null || true; rm -rf "$work"' EXIT
run=
cd "$work"
"$okra" signal ex2 --samples 9 > all.csv
rows() { sed -n "$(($1 + 1)),$(($2 + 1))p" all.csv; }
header() { head -n 1 all.csv; }

# Until the output has so many lines; a minute is more than enough.
await() {
    for _ in $(seq 600); do
        [ "$(wc -l < out.csv)" -ge "$1" ] && return
        sleep 0.1
    done
    echo "$1 lines were to come, and there are:" >&2
    cat out.csv >&2
    exit 1
}

{ header; rows 1 3; } > stream.csv
"$okra" run --recipe lms --follow --quiet --out out.csv --save model.okra stream.csv &
run=$!
await 4
rows 4 5 >> stream.csv
await 6
rows 6 6 | tr -d '\n' >> stream.csv # its end does not come
mv stream.csv stream.csv.1
{ header; rows 7 8; } > new.csv
mv new.csv stream.csv
await 9
{ header; rows 9 9; } > stream.csv
await 10
kill -TERM $run
wait $run || [ $? = 143 ]
"$okra" run --recipe lms --quiet --out wanted.csv all.csv
cmp wanted.csv out.csv

# A file that is still empty is waited for; a header that comes again is no row, for a run that goes on too.
: > slow.csv
rm out.csv
: > out.csv
follow() { "$okra" run --recipe lms --follow --quiet --out out.csv --save slow.okra "$@" slow.csv & run=$!; }
follow
sleep 0.2
{ header; rows 1 3; header; rows 4 5; } >> slow.csv
await 6
kill -TERM $run
wait $run || [ $? = 143 ]
follow --resume
rows 6 9 >> slow.csv
await 10
kill -TERM $run
wait $run || [ $? = 143 ]
cmp wanted.csv out.csv

# A quote left open ends with its file, whose next lines are rows: one that another file replaces, and one that is cut.
rm out.csv
: > out.csv
spoilt() { rows "$1" "$1" | sed 's/^/"/'; }
{ header; rows 1 2; spoilt 3; rows 4 4; } > quoted.csv
"$okra" run --recipe lms --follow --bad-rows skip --out out.csv quoted.csv 2> said &
run=$!
await 3
{ header; rows 5 5; spoilt 6 | tr -d '\n'; } > new.csv
mv new.csv quoted.csv
await 5
{ header; rows 7 7; } > quoted.csv
await 6
rows 8 9 >> quoted.csv
await 8
kill -TERM $run
wait $run || [ $? = 143 ]
cut -d, -f1 out.csv | tr '\n' ' ' | grep -qx 'n 1 2 4 5 7 8 9 '
grep -q 'quoted.csv:4: a quote (") is opened and never closed' said
grep -q 'skipped *2' said

# A run that goes on refuses what has been rotated since, and does not wait for rows that never come.
cp wanted.csv out.csv
if "$okra" run --recipe lms --follow --resume --quiet --out out.csv --save model.okra stream.csv 2> said; then
    echo "a rotated file was gone on with" >&2
    exit 1
fi
grep -q 'was cut or rotated; give the file as it was, or --load model.okra for new rows' said
