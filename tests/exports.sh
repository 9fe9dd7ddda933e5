#!/bin/sh
# exports.sh LIBRARY MAP HEADER...: the shared library shows exactly the functions that its headers declare, and needs only libc, libm and
# other libraries of ours; libokra-io needs libsndfile and zlib too.
set -eu
library=$1 map=$2
shift 2
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT

# A declaration may go over several lines: join them, then take the name before the parenthesis.
cat "$@" | tr '\n' ' ' | sed 's/;/;\n/g' | sed -n 's/.*OKRA_API [^(]*\(okra_[a-z0-9_]*\)(.*/\1/p' | sort > "$work/declared"
sed -n 's/^ *\(okra_[a-z0-9_]*\);$/\1/p' "$map" | sort > "$work/listed"
nm -D --defined-only "$library" | awk '{print $3}' | sort > "$work/shown"

diff "$work/declared" "$work/listed" || { echo "the headers and $map differ"; exit 1; }
diff "$work/listed" "$work/shown" || { echo "$map and the library differ"; exit 1; }
test -s "$work/shown"

allowed='^(libc|libm|libasan|libubsan|libokra.*)\.so|^ld-linux'
case $library in */libokra-io.*) allowed="$allowed|^lib(sndfile|z)\.so" ;; esac
case $library in */libokra-lab.*) allowed="$allowed|^lib(openblas|lapacke|gomp|omp|blas|lapack)\.so" ;; esac
needed=$(objdump -p "$library" | awk '$1 == "NEEDED" {print $2}' | grep -Ev "$allowed" || true)
test -z "$needed" || { echo "$library needs too much: $needed"; exit 1; }
echo "$(wc -l < "$work/shown") functions shown"
