#!/bin/sh
# sysroot.sh ARCHITECTURE FOLDER: Debian's libraries for another architecture (arm64, s390x, ..), unpacked into a folder for a cross
# compiler and an emulator. This system's own packages and its list of architectures stay as they are, and no rights are needed: apt works
# in the folder, with a state of its own, on the sources that this system has.
set -eu

packages="libc6-dev libcmocka-dev libjansson-dev libsndfile1-dev librandom123-dev zlib1g-dev"

[ $# = 2 ] || { echo "usage: sysroot.sh ARCHITECTURE FOLDER" >&2; exit 2; }
architecture=$1 root=$2 complete=$2/complete

# What was made for this list of packages is kept.
[ "$(cat "$complete" 2> /dev/null)" = "$architecture $packages" ] && exit 0

if ! command -v apt-get > /dev/null || ! command -v dpkg-deb > /dev/null; then
    echo "sysroot: apt-get and dpkg-deb are needed; elsewhere, unpack $packages for $architecture into $root and write" \
        "\"$architecture $packages\" to $complete" >&2
    exit 1
fi

# Nothing but an unfinished one is replaced.
if [ -e "$root" ] && [ ! -d "$root/apt" ] && [ -n "$(ls -A "$root")" ]; then
    echo "sysroot: $root is there and is no sysroot: name another folder, or remove it" >&2
    exit 1
fi
echo "sysroot: fetching $packages for $architecture into $root" >&2
rm -rf "$root"
mkdir -p "$root/apt/lists/partial" "$root/apt/archives/partial"
root=$(cd "$root" && pwd)
: > "$root/apt/status"

fetch() {
    apt-get -q -o APT::Architecture="$architecture" -o APT::Architectures="$architecture" -o APT::Sandbox::User=root \
        -o Dir::State="$root/apt" -o Dir::State::status="$root/apt/status" -o Dir::State::lists="$root/apt/lists" \
        -o Dir::Cache="$root/apt" -o Dir::Cache::archives="$root/apt/archives" -o Debug::NoLocking=1 "$@"
}

# shellcheck disable=SC2086 # word splitting is meant
if ! { fetch update && fetch install -y --no-install-recommends --download-only $packages; } > "$root/apt/log" 2>&1; then
    tail -n 20 "$root/apt/log" >&2
    echo "sysroot: apt-get failed; the last lines are above. Do the sources in /etc/apt have $architecture?" >&2
    exit 1
fi
for package in "$root"/apt/archives/*.deb; do
    dpkg-deb -x "$package" "$root"
done
rm -rf "$root/apt"
[ -e "$root/lib" ] || ln -s usr/lib "$root/lib" # packages since the merger of /usr have nothing in /lib
echo "$architecture $packages" > "$complete"
