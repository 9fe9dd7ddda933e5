#!/bin/sh
# single.sh CASE SOURCE BITS64 BITS32: the single file gives the bits of the library. SOURCE is the top of the tree, BITS64 and BITS32 are
# bits.c with the library. 77: the compiler that the case is about is not here.
#   gcc, clang    without a warning, as C11 and nothing more
#   tcc           a compiler that shares nothing with these two
#   small         with a precision, and the heap, left out
#   cxx           C++ can include the header and call the library
#   fast_gcc, fast_clang   options that lose NaN are refused, in one sentence
#   awk           another awk writes the same file
# shellcheck disable=SC2086 # options are split into words on purpose
set -eu
case=$1 source=$2 bits64=$3 bits32=$4
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$source/cmake/single.sh" "$folder"
cd "$folder"
strict='-std=c11 -pedantic -Wall -Wextra -Werror -ffp-contract=off'
precisions='64 32'

needs() { command -v "$1" > /dev/null || { echo "$1 is not here"; exit 77; }; }

# build COMPILER OPTION...: bits.c with the single file, one object that has both precisions.
build() {
    "$@" -c okra.c -o okra.o
    for bits in $precisions; do
        "$@" -DOKRA_SINGLE -DBITS="$bits" -I. "$source/tests/single/bits.c" okra.o -lm -o "bits$bits"
    done
}

# A compiler's multiply-adds are fused, or not, by what it says of the machine: only where it says what the library's said are bits equal.
fused() { echo | "$@" -dM -E - | grep -c __FP_FAST_FMA || true; }

same() {
    for bits in $precisions; do
        [ "$bits" = 64 ] && library=$bits64 || library=$bits32
        OKRA_ISA=scalar "$library" | if [ "${without_models-}" ]; then grep -v '^model '; else cat; fi > expected
        "./bits$bits" > found || { echo "bits$bits failed"; exit 1; }
        diff expected found
        [ "$(wc -l < found)" -gt 50 ] || { echo "only $(wc -l < found) lines"; exit 1; }
    done
}

# refuses COMPILER OPTION..: one error, and what to do.
refuses() {
    ! "$@" -std=c11 -fsyntax-only 2> said || { echo "compiles: $*"; exit 1; }
    if [ "$(grep -c 'error: ' said)" != 1 ] || ! grep -q 'error: .*compile it without -ffast-math' said; then
        echo "not that error alone: $*" && head -n 5 said && exit 1
    fi
}

case $case in
gcc | clang)
    needs "$case"
    [ "$(fused "$case")" = "$(fused cc)" ] || { echo "$case and cc do not fuse alike here"; exit 77; }
    build "$case" $strict -O1
    same ;;
tcc)
    needs tcc
    [ "$(fused cc)" = 0 ] || { echo "cc fuses multiply-adds here, and tcc does not"; exit 77; }
    build tcc -std=c11 -Wall
    same ;;
small)
    # A heap missing with one of them, there with the other.
    precisions=32
    build cc $strict -DOKRA_NO_F64 -DOKRA_NO_HEAP -DOKRA_NO_HELP -DOKRA_INPUT_WIDTHS=8
    without_models=yes same
    ! nm okra.o | grep -E 'U .*(alloc|free|printf|strto|getenv)' || { echo "these need a heap or an environment"; exit 1; }
    ! strings okra.o | grep 'random Fourier' || { echo "in spite of OKRA_NO_HELP"; exit 1; }
    ! nm okra.o | grep -w okra_step || { echo "in spite of OKRA_NO_F64"; exit 1; }
    precisions=64
    build cc $strict -DOKRA_NO_F32
    same
    ! nm okra.o | grep -w okra_step_f32 || { echo "in spite of OKRA_NO_F32"; exit 1; } ;;
fast_gcc | fast_clang)
    compiler=${case#fast_}
    needs "$compiler"
    for option in -ffast-math -Ofast -ffinite-math-only; do
        refuses "$compiler" $option okra.c
        refuses "$compiler" $option -DOKRA_PRECISION=64 -I "$source/include" "$source/src/filter/engine_run.c" # as the library is made
    done ;;
cxx)
    needs c++
    cat > main.cpp << 'END'
#include "okra.h"
int main()
{
    okra_spec spec;
    okra_filter *filter;
    const double x[2] = {1, 2}, y = 3;
    double yhat = 1;
    if (okra_spec_init(&spec, "rff-klms", 2, 1) || okra_create(&spec, &filter) || okra_step(filter, x, &y, 1, &yhat, nullptr))
        return 1;
    okra_free(filter);
    return yhat != 0;
}
END
    cc $strict -c okra.c
    c++ -std=c++11 -pedantic -Wall -Wextra -Werror -c main.cpp
    c++ main.o okra.o -lm -o main
    ./main ;;
awk)
    mkdir other tools
    for awk in mawk gawk "busybox awk" original-awk; do
        command -v "${awk%% *}" > /dev/null || continue
        printf '#!/bin/sh\nexec %s "$@"\n' "$awk" > tools/awk
        chmod +x tools/awk
        PATH=$folder/tools:$PATH "$source/cmake/single.sh" other
        for file in okra.c okra.h; do
            cmp $file other/$file || { echo "$awk writes another $file"; exit 1; }
        done
    done ;;
*) echo "no such case: $case"; exit 2 ;;
esac
