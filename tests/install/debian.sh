#!/bin/sh
# debian.sh [--chroot | --no-chroot | --try] OUT: the Debian packages into OUT, built from a copy of the files that git tracks; lintian's opinion of them;
# and a try in a fresh system, which takes root, debootstrap and a mirror: without an option, where the first two are there. --try
# does only that, with the packages that OUT has.
set -eu
here=$(realpath "$(dirname "$0")")
source=$(realpath "$here/../..")
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

# Where this system has its packages from, as lines for sources.list.
list_sources() {
    for origin in Debian Ubuntu; do
        # shellcheck disable=SC2016 # apt fills these in
        apt-get indextargets --format 'deb $(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' "Origin: $origin"
    done
}

try() {
    suite=$(sed -n "s/^VERSION_CODENAME=//p" /etc/os-release)
    root=$work/root
    list_sources > "$work/sources.list"
    mirror=$(awk -v suite="$suite" '$3 == suite { print $2; exit }' "$work/sources.list")
    [ -n "$mirror" ] || { echo "deb: apt knows no mirror of $suite here; run 'apt-get update', or make deb as another user than root" >&2; exit 1; }
    step debootstrap.log debootstrap --variant=minbase "$suite" "$root" "$mirror"
    cp "$work/sources.list" "$root/etc/apt/sources.list"
    mkdir "$root/try"
    find "$out" -name '*.deb' ! -name '*-dbgsym_*' -exec cp -t "$root/try" {} +
    cp "$here/debian_inside.sh" "$here"/consumer/* "$root/try"
    # A namespace of its own, so that what is mounted there is gone with it; and nothing of this environment but a proxy.
    # shellcheck disable=SC2016 # the inner shell expands it
    step try.log env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root ${http_proxy:+"http_proxy=$http_proxy"} \
        unshare --mount sh -c 'mount -t proc proc "$1/proc" && exec chroot "$1" sh /try/debian_inside.sh' sh "$root"
    sed -n 's/^try: /deb: /p' "$out/try.log"
}

if [ $chroot != only ]; then
    build
    look
fi
if [ $chroot = no ]; then
    exit
elif [ "$(id -u)" = 0 ] && command -v debootstrap > /dev/null; then
    try
elif [ $chroot = maybe ]; then
    echo "deb: not tried in a fresh system: that takes root and debootstrap"
else
    echo "deb: a fresh system takes root and debootstrap" >&2
    exit 1
fi
