#!/bin/sh
# setup.sh PART...: makes sure that this machine has what the parts need; the parts are listed below. Installs with apt where it may, and
# otherwise says exactly what to install.
set -eu

needs() {
    case $1 in
    build) echo gcc libc6-dev make cmake pkg-config libsndfile1-dev zlib1g-dev libopenblas-dev liblapacke-dev ;;
    demo) echo gnuplot-nox ;;
    python) echo python3-dev python3-numpy python3-setuptools python3-wheel python3-pip python3-venv ;;
    octave) echo octave-dev gnuplot-nox ghostscript fonts-freefont-otf ;; # all but the first to draw: Octave prints by way of gnuplot and gs
    test) echo libcmocka-dev libjansson-dev librandom123-dev mosquitto mosquitto-clients jq moreutils python3-sklearn python3-pytest python3-matplotlib \
        libopenmpi-dev openmpi-bin man-db groff mandoc zsh tcc gfortran ;;
    bench) echo g++ libdlib-dev libsleef-dev python3-sklearn ;;
    clang | fuzz) echo clang libclang-rt-dev libomp-dev ;;
    valgrind) echo valgrind libc6-dbg ;;
    embedded) echo gcc libc6-dev make gcc-arm-none-eabi libnewlib-arm-none-eabi qemu-system-arm ;;
    coverage) echo gcovr ;;
    aarch64) echo gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user ;;
    s390x) echo gcc-s390x-linux-gnu libc6-dev-s390x-cross qemu-user ;;
    lint) echo clang clang-tidy clang-format cppcheck shellcheck libclang-rt-dev libomp-dev jq ;;
    fresh) echo debootstrap ;;
    deb) echo debhelper dh-python dpkg-dev git lintian debootstrap libcmocka-dev libjansson-dev librandom123-dev mpi-default-dev python3-dev python3-setuptools ;;
    *) return 1 ;;
    esac
}

packages=
for part in "$@"; do
    packages="$packages $(needs "$part")" || { echo "setup: no such part: $part; 'needs' in $0 lists them" >&2; exit 2; }
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
