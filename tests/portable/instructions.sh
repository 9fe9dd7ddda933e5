#!/bin/sh
# instructions.sh: instructions per sample on 64-bit ARM, scalar and NEON, as the emulator counts them: a ratio of counts, not of times.
# After `make test PRESET=aarch64` or any build of that preset.
set -eu
cd "$(dirname "$0")/../.."
build=build/aarch64 work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ -x $build/tests/learn ] || { echo "instructions.sh: nothing in $build: run cmake --preset aarch64 and cmake --build $build first" >&2; exit 1; }
cc -O2 -shared -fPIC -Wl,-z,lazy -o "$work/count.so" tests/portable/count_plugin.c

# executed ISA RECIPE FEATURES BITS BLOCKS
executed() {
    isa=$1
    shift
    OKRA_ISA=$isa qemu-aarch64 -L build/sysroot-aarch64 -plugin "$work/count.so" $build/tests/learn "$@" 2>&1
}

# What 2 blocks of 1000 samples take more than 1 has no start and no end in it.
per_sample() {
    once=$(executed "$@" 1) twice=$(executed "$@" 2)
    echo $(((twice - once) / 1000))
}

echo "| recipe, 5 inputs | features | precision | scalar | neon | scalar / neon |"
echo "|---|---|---|---|---|---|"
for what in "rff-klms 300 64" "rff-klms 300 32" "rff-krls 100 64" "rff-krls 100 32"; do
    # shellcheck disable=SC2086 # word splitting is meant
    set -- $what
    scalar=$(per_sample scalar "$@") neon=$(per_sample neon "$@")
    echo "| $1 | $2 | float$3 | $scalar | $neon | $(awk "BEGIN { printf \"%.2f\", $scalar / $neon }") |"
done
