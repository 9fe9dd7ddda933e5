#!/bin/sh
# library.sh SHARE INCLUDE MAP..: okra(3) has the declaration of every function that the libraries show (MAP..) and what its header, in INCLUDE,
# says of it; the name of each leads to the page, and no other name does.
set -eu
share=$1 include=$2
page=$share/man/man3/okra.3
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck source=tests/manual/render.sh
. "$(dirname "$0")/render.sh"

render "$page"
tr -d '`' < "$work/text" | squeeze > "$work/all"
sed -n 's/^ *\(okra_[a-z0-9_]*\);$/\1/p' "$@" | sort > "$work/shown"
test -s "$work/shown"

# A line for each function: the declaration, a tab, and the comment before it.
cat "$include"/*.h | awk '
    /^\/\*/ {comment = ""; inside = 1}
    inside {
        line = $0
        gsub(/^ ?\/?\*+\/?|\*\/ *$|`/, "", line)
        comment = comment " " line
        if (/\*\/ *$/) inside = 0
        next
    }
    !NF {comment = ""}
    /^OKRA_API / {declaration = ""; declaring = 1}
    declaring {
        declaration = declaration " " $0
        if (/;/) {
            declaring = 0
            sub(/OKRA_API /, "", declaration)
            gsub(/ +/, " ", declaration); gsub(/ +/, " ", comment)
            gsub(/^ | $/, "", declaration); gsub(/^ | $/, "", comment)
            print declaration "\t" comment
        }
    }' > "$work/declared"

sed 's/(.*//; s/.*[ *]//' "$work/declared" | sort > "$work/names"
diff "$work/shown" "$work/names" || fail "the test has not read all declarations"
cut -f 1 "$work/declared" | while read -r declaration; do
    grep -qF -e "$declaration" "$work/all" || echo "lacks: $declaration"
done > "$work/lacking"
cut -f 2 "$work/declared" | sort -u | while read -r comment; do
    grep -qF -e "$comment" "$work/all" || echo "does not say: $comment"
done >> "$work/lacking"
[ ! -s "$work/lacking" ] || fail "$(cat "$work/lacking")"
test "$(cut -f 2 "$work/declared" | grep -c .)" -gt 100 || fail "the test has read too few comments"

(cd "$share/man/man3" && ls okra_*.3) | sed 's/\.3$//' | diff "$work/shown" - || fail "names that lead here differ"
LC_ALL=C MANPATH="$share/man" man okra_create > "$work/by_name" || fail "man okra_create finds nothing"
grep -q 'okra_create(const okra_spec \*spec' "$work/by_name" || fail "man okra_create shows another page"
exit $failed
