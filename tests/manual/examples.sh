#!/bin/sh
# examples.sh OKRA: every example that help shows does what it says.
set -eu
okra=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir bin
ln -s "$okra" bin/okra
PATH=$work/bin:$PATH

# What the examples speak of.
okra signal ex2 --samples 600 | sed '1s/y$/temperature/' > stream.csv
cp stream.csv rows.csv
cp stream.csv sensor.csv
cp stream.csv today.csv
for model in north south champion challenger; do okra run --quiet --recipe rls --save $model.okra --out /dev/null stream.csv; done
okra export north.okra > model.json

examples() { sed -n '/^Examples:/,/^$/ s/^  //p'; }
commands=$(okra --help | awk '/^Commands:/ {inside = 1; next} !NF {inside = 0} inside && $1 != "help" {print $1}')
{
    okra --help | examples
    for command in $commands; do okra help "$command" | examples; done
} > lines
[ "$(wc -l < lines)" -gt "$(echo "$commands" | wc -l)" ] || { echo "a command has no example" >&2; exit 1; }

while read -r line; do
    case $line in
    "okra bench"*) continue ;;                  # it measures, and may not be built
    *"| jq"*) command -v jq > /dev/null || continue ;;
    "tail -f"*) line="cat${line#tail -f}" ;;    # it would not end
    esac
    sh -ec "$line" > out 2> err < /dev/null || { echo "'$line' fails:" >&2; cat err >&2; exit 1; }
    ! grep '^okra: ' err | grep -v gnuplot >&2 || { echo "'$line' complains" >&2; exit 1; }
done < lines
for made in predictions.csv model.okra both.okra curves/compare.csv network/diffuse.csv figures/fig2a.csv; do
    [ -s $made ] || { echo "no example has made $made" >&2; exit 1; }
done
echo "$(wc -l < lines) examples"
