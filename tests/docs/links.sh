#!/bin/sh
# links.sh ROOT: every relative link of every Markdown page under ROOT leads to a file, and where it has an anchor, to a heading of it.
set -eu
cd "$1"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

pages=$(find . -name '*.md' -not -path './build/*' -not -path './.git/*' -not -path '*/_lib/*')

# outside PAGE: the page without its fenced blocks, comments and code in backticks, where nothing is a link, as LINE:TEXT
outside() {
    awk '/^ *```/ { fence = !fence; next } fence { next } { gsub(/`[^`]*`/, "`"); print FNR ":" $0 }' "$1"
}

# anchors PAGE: one for each heading, as GitHub makes them; a second of the same name ends in -1
anchors() {
    awk '/^ *```/ { fence = !fence; next } fence { next }
        /^#+ / {
            text = tolower($0); sub(/^#+ +/, "", text); sub(/ +$/, "", text)
            gsub(/[]`!"#$%&()*+,.\/:;<=>?@[\\^{|}~'"'"']/, "", text); gsub(/ /, "-", text)
            print seen[text]++ ? text "-" (seen[text] - 1) : text
        }' "$1"
}

for page in $pages; do
    outside "$page" | awk -v page="$page" '{
        line = $0; sub(/:.*/, "", line)
        while (match($0, /\]\([^() ]+\)/)) { print page, line, substr($0, RSTART + 2, RLENGTH - 3); $0 = substr($0, RSTART + RLENGTH) }
    }'
done > "$work/links"

bad=0 checked=0
while read -r page line link; do
    case $link in
    http://* | https://* | mailto:*) continue ;;
    esac
    checked=$((checked + 1))
    path=${link%%#*} anchor=
    case $link in *'#'*) anchor=${link#*#} ;; esac
    target=${path:+$(dirname "$page")/$path}
    target=${target:-$page}
    if [ ! -e "$target" ]; then
        echo "$page:$line: there is no $path" >&2
        bad=1
    elif [ -n "$anchor" ] && ! anchors "$target" | grep -qxF "$anchor"; then
        echo "$page:$line: $target has no heading for #$anchor" >&2
        bad=1
    fi
done < "$work/links"
[ "$checked" -ge 20 ] || { echo "only $checked links found: is this the project's root?" >&2; exit 1; }
echo "$checked links"
exit $bad
