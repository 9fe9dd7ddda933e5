# For the tests of pages: a page as its readers see it, in parts. To be read with `.`, with $page and the folder $work set; $failed is then 0, or 1
# after fail(). 77: there is no man to read it with.
# shellcheck shell=sh disable=SC2034,SC2154 # variables that come from there and go there
command -v man > /dev/null || { echo "no man here" >&2; exit 77; }
failed=0

fail() {
    echo "$page: $*" >&2
    failed=1
}

# As one line with single blanks, so that it does not matter where lines end.
squeeze() { tr -s ' \n' ' ' | sed 's/^ //; s/ $//'; }

# The page as text, which must give no warning.
render() {
    LC_ALL=C MANWIDTH=100 man --warnings -E ascii -l "$1" 2> "$work/warnings" > "$work/text"
    [ ! -s "$work/warnings" ] || fail "man warns: $(cat "$work/warnings")"
    ! command -v mandoc > /dev/null || lint "$1"
    ! grep -vE '^\.(TH|\\")' "$1" | grep -E '(^|[^\\])-' >&2 || fail "some roffs print these dashes so that a shell does not know them"
    lexgrog "$1" > /dev/null 2>&1 || fail "whatis would not find it"
}

# Not everything has a date yet, and long lines are for roff, not for readers.
lint() {
    mandoc -T lint "$1" | grep -E ': (WARNING|ERROR|UNSUPP):' | grep -v 'missing date' > "$work/warnings" || return 0
    fail "mandoc warns: $(cat "$work/warnings")"
}

# section TITLE, subsection TITLE: what stands under it. Titles are matched as they are.
section() { awk -v title="$1" '/^[^ ]/ {inside = $0 == title; next} inside' "$work/text" | squeeze; }
subsection() { awk -v title="   $1" '/^[^ ]/ || /^   [^ ]/ {inside = $0 == title; next} inside' "$work/text" | squeeze; }
