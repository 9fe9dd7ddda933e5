#!/bin/sh
# fresh.sh FOLDER [COMMAND]: what the README promises to whoever has a fresh checkout and `make`: its first commands, or COMMAND, in a system that
# has never seen okra and has git and make alone, on a clone of what is committed. FOLDER keeps that system, as a tarball, for the next time; the log;
# and the system as it was left, where the command failed. The exit status is the command's; 77: no system can be made here.
set -eu
here=$(realpath "$(dirname "$0")")
source=$(realpath "$here/../..")
[ $# = 1 ] || [ $# = 2 ] || { echo "usage: fresh.sh FOLDER [COMMAND]" >&2; exit 2; }
# shellcheck source=tests/install/system.sh
. "$here/system.sh"
why=$(can_make_system) || { echo "fresh: no fresh system here: $why" >&2; exit 77; }
mkdir -p "$1"
folder=$(realpath "$1")
root=$folder/root clean=$folder/clean.tar log=$folder/log
trap 'exit 1' INT TERM

# The commands of a page's first block.
first_commands() { awk '/^```sh/ { inside = 1; next } inside && /^```/ { exit } inside { sub(/ *#.*/, ""); print }' "$1"; }

# Empties it; what is mounted below, which should be nothing, stays.
clear_root() { rm -rf --one-file-system "$root"; }

# The clean system, kept for the release that this machine has; one that is not finished has another name.
make_clean() {
    release=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
    [ ! -f "$clean" ] || [ "$(cat "$clean.release" 2> /dev/null)" != "$release" ] || return 0
    clear_root
    make_system "$root" ca-certificates,git,make > "$log" 2>&1 || { tail -n 20 "$log" >&2; echo "fresh: no system; $log has the rest" >&2; exit 1; }
    tar -C "$root" -cf "$clean.part" .
    mv "$clean.part" "$clean"
    echo "$release" > "$clean.release"
}

# shellcheck disable=SC2016 # dpkg-query fills it in
packages() { in_system "$root" dpkg-query -W -f '${Package}\n' | sort; }

# Tests that did not pass, and what those that were skipped had to say. ctest's own log has all that was said, and calls these passed.
list_tests() {
    grep -E 'tests passed|\((Failed|Timeout|Not Run|SEGFAULT|Subprocess aborted|Skipped)\)' "$log" > "$folder/tests" || return 0
    grep -v '(Skipped)' "$folder/tests" || true
    find "$root/okra/build" -path '*/Testing/Temporary/LastTest.log' -exec awk '
        FILENAME == ARGV[1] { if (/\(Skipped\)/) skipped[$3] = 1; next }
        /^[0-9]+\/[0-9]+ Test: / { name = $NF }
        /^Output:$/ { said = ""; reading = 1; next }
        /^<end of output>$/ { reading = 0; if (name in skipped) print "skipped: " name ": " said }
        reading && !/^-+$/ && NF { said = $0 }' "$folder/tests" {} +
}

[ -z "$(git -C "$source" status --porcelain)" ] || echo "fresh: what is not committed is left out" >&2
command=${2:-$(first_commands "$source/README.md")}
make_clean
clear_root
mkdir "$root"
tar -C "$root" -xf "$clean"
git clone -q "$source" "$root/okra"
packages > "$folder/before"

started=$(date +%s) status=0
in_system "$root" sh -ec "cd /okra; $command" > "$log" 2>&1 < /dev/null || status=$?
[ $status = 0 ] || tail -n 30 "$log" >&2
list_tests
packages > "$folder/after"
added=$(comm -13 "$folder/before" "$folder/after" | grep -c . || true)
sed -n 's/^setup: installing/fresh: asked for/p' "$log"
echo "fresh: exit status $status after $(($(date +%s) - started)) s; $added packages more than before; the log is $log"
if [ $status = 0 ]; then clear_root; else echo "fresh: the system is left in $root"; fi
exit $status
