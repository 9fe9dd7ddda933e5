#!/bin/sh
# single.sh FOLDER: writes FOLDER/okra.c and FOLDER/okra.h, all of libokra in one source and one header, for any C11 compiler.
set -eu
export LC_ALL=C # [a-z] and the order of names
[ $# = 1 ] || { echo "usage: single.sh FOLDER" >&2; exit 2; }
mkdir -p "$1"
folder=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."

# The sources of a list in src/CMakeLists.txt.
sources() {
    sed -n "/okra_objects(okra_parts $1 /,/)/p" src/CMakeLists.txt | grep -o '[a-z]*/[a-z0-9_]*\.c' | sed 's,^,src/,'
}

# Double precision has these always, for random numbers; and with one body there is nothing to choose.
first='src/vec/dispatch.c src/vec/scalar.c src/vec/random.c'
typed=$(sources okra-typed | grep -v -e /dispatch.c -e /scalar.c | tr '\n' ' ')
plain=$(sources okra-plain | grep -v -e /random.c | sed 's,vec/isa.c,vec/isa_scalar.c,' | tr '\n' ' ')
headers=$(sed -n 's,^#include <\(okra/[a-z_]*\.h\)>,include/\1,p' include/okra/okra.h | tr '\n' ' ')
version=$(sed -n 's/^#define OKRA_VERSION *"\(.*\)"/\1/p' include/okra/version.h)
if [ -z "$typed" ] || [ -z "$plain" ] || [ -z "$headers" ] || [ -z "$version" ]; then
    echo "single: src/CMakeLists.txt or the headers are no longer written as this script reads them" >&2
    exit 1
fi

write() {
    awk -v what="$1" -v version="$version" -v headers="$headers" -v first="$first" -v typed="$typed" -v plain="$plain" \
        -f cmake/single.awk < /dev/null > "$folder/$2.part"
    mv "$folder/$2.part" "$folder/$2"
}

write header okra.h
write source okra.c
