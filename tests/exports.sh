#!/bin/sh
# exports.sh LIBRARY MAP HEADERS: the shared library shows exactly the functions that its headers declare, and needs only libc and libm.
set -eu
library=$1 map=$2 headers=$3
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT

# Chapters of okra.h only; io.h belongs to another library.
sed -n 's,#include <okra/\(.*\)>,\1,p' "$headers/okra.h" | while read -r chapter; do
    # A declaration may go over several lines: join them, then take the name before the parenthesis.
    tr '\n' ' ' < "$headers/$chapter" | sed 's/;/;\n/g' | sed -n 's/.*OKRA_API [^(]*\(okra_[a-z0-9_]*\)(.*/\1/p'
done | sort > "$work/declared"
sed -n 's/^ *\(okra_[a-z0-9_]*\);$/\1/p' "$map" | sort > "$work/listed"
nm -D --defined-only "$library" | awk '{print $3}' | sort > "$work/shown"

diff "$work/declared" "$work/listed" || { echo "headers and $map differ"; exit 1; }
diff "$work/listed" "$work/shown" || { echo "$map and the library differ"; exit 1; }
test -s "$work/shown"

needed=$(objdump -p "$library" | awk '$1 == "NEEDED" {print $2}' | grep -Ev '^(libc|libm|libasan|libubsan)\.so|^ld-linux' || true)
test -z "$needed" || { echo "libokra needs more than libc and libm: $needed"; exit 1; }
echo "$(wc -l < "$work/shown") functions shown"
