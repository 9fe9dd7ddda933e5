#!/bin/sh
# debian.sh [--chroot | --no-chroot | --try] OUT: the Debian packages into OUT, built from a copy of the files that git tracks; lintian's opinion of them;
# and a try in a fresh system, which takes root, debootstrap and a mirror: without an option, where the first two are there. --try
# does only that, with the packages that OUT has.
set -eu
here=$(realpath "$(dirname "$0")")
source=$(realpath "$here/../..")
# shellcheck source=tests/install/system.sh
. "$here/system.sh"
chroot=maybe
case ${1:-} in
--chroot) chroot=yes; shift ;;
--no-chroot) chroot=no; shift ;;
--try) chroot=only; shift ;;
esac
case ${1:-} in
'' | -*) echo "usage: debian.sh [--chroot | --no-chroot | --try] OUT" >&2; exit 2 ;;
esac
mkdir -p "$1"
out=$(realpath "$1")

work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT
trap 'exit 1' INT TERM

# step LOG COMMAND..: its words go to OUT/LOG, and their end is shown where it fails.
step() {
    log=$out/$1
    shift
    "$@" > "$log" 2>&1 || { tail -n 30 "$log" >&2; echo "deb: failed: $*; $log has the rest" >&2; exit 1; }
}

# ---- build --------------------------------------------------------------------------------------------------------------------------------

# dpkg-buildpackage leaves its products beside the sources, so these get a folder of their own.
build() {
    mkdir "$work/okra"
    (cd "$source" && git ls-files -z | xargs -0 cp --parents -t "$work/okra")
    (cd "$work/okra" && step build.log dpkg-buildpackage -us -uc)
    rm -f "$out"/*.deb "$out"/okra_*
    find "$work" -maxdepth 1 -type f -exec mv -t "$out" {} +
    echo "deb: built $(find "$out" -name '*.deb' ! -name '*-dbgsym_*' -printf '%f ')"
}

look() {
    step lintian.log lintian --fail-on error "$out"/okra_*.changes
    grep '^[EWI]: ' "$out/lintian.log" || true
    echo "deb: lintian: no errors, $(grep -c '^W: ' "$out/lintian.log" || true) warnings"
}

# ---- try ----------------------------------------------------------------------------------------------------------------------------------

try() {
    root=$work/root
    step debootstrap.log make_system "$root"
    mkdir "$root/try"
    find "$out" -name '*.deb' ! -name '*-dbgsym_*' -exec cp -t "$root/try" {} +
    cp "$here/debian_inside.sh" "$here"/consumer/* "$root/try"
    step try.log in_system "$root" sh /try/debian_inside.sh
    sed -n 's/^try: /deb: /p' "$out/try.log"
}

if [ $chroot != only ]; then
    build
    look
fi
if [ $chroot = no ]; then
    exit
elif why=$(can_make_system); then
    try
else
    echo "deb: not tried in a fresh system: $why" >&2
    [ $chroot = maybe ]
fi
