#!/bin/sh
# words.sh SOURCE: no room knows the one above it. The libraries name no option of the program (other programs' are theirs), and nobody but
# the registry of formats has a list of them.
set -eu
cd "$1"
failed=0

refuse() {
    # shellcheck disable=SC2086 # folders are words
    found=$(grep -rnE "$2" $3 --include='*.[ch]' --include='*.py' --include='*.pyi' --include='*.m' | grep -vE "${4:-^$}" || true)
    [ -z "$found" ] || { printf '%s:\n%s\n' "$1" "$found"; failed=1; }
}

refuse "the libraries name an option of the program" '"[^"]*--[a-z]' "src include" "'sox --[a-z-]*'"
refuse "a second list of formats" 'csv["'\''|, .]+tsv' "cli mpi manual bindings include" "^bindings/[a-z]*/tests/"
exit $failed
