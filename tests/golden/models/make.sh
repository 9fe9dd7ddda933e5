#!/bin/sh
# make.sh OKRA: writes the golden model files anew, from the stream beside them, and what they predict next.
#
# Only for a deliberate change of the format, and then beside the old ones, in a folder of their own: every okra reads
# every format back to 1, and these files are how we know.
set -eu
okra=$1
cd "$(dirname "$0")"
export OKRA_ISA=scalar
next=$(mktemp)
trap 'rm -f "$next"' EXIT
{ head -n 1 ../stream.csv; sed -n 302,341p ../stream.csv; } > "$next"

# model NAME ROWS OPTIONS..: saves a model of the stream's first rows, and its predictions of rows 301 to 340.
model() {
  name=$1 rows=$2
  shift 2
  head -n $((rows + 1)) ../stream.csv | "$okra" run "$@" --quiet --out /dev/null --save "$name.okra" -
  "$okra" run --load "$name.okra" --quiet --out - "$next" | cut -d , -f 3 > "$name.txt"
}

model rff-klms-f64 300 --recipe rff-klms --features 8 --sigma 5 --mu 0.5
model rff-klms-f32 300 --recipe rff-klms --features 8 --sigma 5 --mu 0.5 --precision f32
model rff-nlms-sorf 300 --recipe rff-nlms --map sorf --features 8 --sigma 5
model rff-nlms-quadrature 300 --recipe rff-nlms --map quadrature --features 12 --sigma 5,9
model rff-krls 300 --recipe rff-krls --map linear+orf --features 8 --sigma 5 --beta 0.999
model qklms 300 --recipe qklms --sigma 5 --epsilon 5 --capacity 12 --when-full oldest
model krls 300 --recipe krls --sigma 5 --nu 0.05 --capacity 12
model auto 300 --recipe auto --features 4 --warmup 64
model rff-krls-prior 300 --recipe rff-krls --features 8 --sigma 5 --forget prior --beta 0.99 --loss huber
model rff-apsm 300 --recipe rff-apsm --features 8 --sigma 5 --order 3 --tolerance 0.1
model nlms-auto 300 --recipe rff-nlms --features 8 --sigma 5 --mu auto --leak 1e-3
model embedded 300 --recipe rff-klms --features 8 --sigma auto --scale auto --warmup 64 --lags 2 --target-lags 2 --horizon 3
model warming 20 --recipe rls --scale auto --warmup 100
