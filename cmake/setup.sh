#!/bin/sh
# setup.sh PART...: makes sure that this machine has what the parts need: build, demo, test, bench, octave, fuzz. Installs with apt where it may, and
# otherwise says exactly what to install.
set -eu

packages=
for part in "$@"; do
    case $part in
    build) packages="$packages gcc libc6-dev make cmake pkg-config libjansson-dev libsndfile1-dev libopenblas-dev liblapacke-dev" ;;
    demo) packages="$packages gnuplot-nox" ;;
    test) packages="$packages libcmocka-dev librandom123-dev mosquitto mosquitto-clients jq moreutils octave-dev gnuplot-nox fonts-freefont-otf" ;;
    bench) packages="$packages g++ libdlib-dev libsleef-dev python3-sklearn" ;;
    octave) packages="$packages octave-dev gnuplot-nox fonts-freefont-otf" ;;
    fuzz) packages="$packages clang libclang-rt-dev" ;;
    *) echo "setup: no such part: $part (build, demo, test, bench, octave, fuzz)" >&2; exit 2 ;;
    esac
done

if ! command -v dpkg-query > /dev/null; then
    echo "setup: not a Debian system; going on as if these were installed:$packages" >&2
    exit 0
fi

missing=
for package in $packages; do
    status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2> /dev/null || true)
    [ "$status" = installed ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

if [ "$(id -u)" = 0 ]; then
    as_root=
elif command -v sudo > /dev/null && sudo -n true 2> /dev/null; then
    as_root=sudo
elif command -v sudo > /dev/null && [ -t 0 ]; then
    as_root=sudo # it will ask
else
    echo "setup: missing packages, and no right to install them. As root, run:" >&2
    echo "    apt-get install$missing" >&2
    exit 1
fi

echo "setup: installing$missing" >&2
export DEBIAN_FRONTEND=noninteractive
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# shellcheck disable=SC2086 # word splitting is meant
if ! { $as_root apt-get update && $as_root apt-get install -y --no-install-recommends $missing; } > "$log" 2>&1; then
    tail -n 20 "$log" >&2
    echo "setup: apt-get failed; the last lines are above. What is needed:$missing" >&2
    exit 1
fi
