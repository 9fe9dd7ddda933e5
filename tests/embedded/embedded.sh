#!/bin/sh
# embedded.sh SOURCE: examples/07_microcontroller on a Cortex-M4F in QEMU, against the same program on this machine. SOURCE is the top of the
# tree. Prints the figures of docs/embedded.md. 77: the ARM tools are not here (cmake/setup.sh embedded installs them).
set -eu
source=$(cd "$1" && pwd)
example=$source/examples/07_microcontroller

for tool in arm-none-eabi-gcc qemu-system-arm make; do
    command -v $tool > /dev/null || { echo "$tool is not here"; exit 77; }
done
[ -f "$(arm-none-eabi-gcc -print-file-name=libm.a)" ] || { echo "newlib for ARM is not here"; exit 77; }

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$source/cmake/single.sh" "$folder"

fail() { echo "embedded: $*"; exit 1; }

# build TARGET [DEFINES]: with the example's own Makefile, every warning an error. The library is compiled once.
build() {
    make -s -C "$example" OKRA="$folder" OUT="$folder" DEFINES="${2-} -Werror" "$1"
}

# QEMU sends the program's text to its standard error. Ten minutes are for a busy machine: it takes seconds.
emulate() {
    timeout 600 qemu-system-arm -M mps2-an386 -display none -monitor none -serial null -semihosting-config enable=on,target=native \
        -icount shift=0 -kernel "$folder/microcontroller.elf" "$@" 2>&1
}

fresh() { rm -f "$folder/microcontroller.elf" "$folder/desktop"; }

# number TEXT FILE: the number behind a text.
number() { sed -n "s/.*$1\([0-9]*\).*/\1/p" "$2"; }

# ---- it learns, and as the desktop does --------------------------------------------------------------------------------------------------
# Multiply-adds are fused on both where they are float32, what is drawn is drawn in double on both: the mean squared errors have the same bits.
compare() {
    fresh
    build all "$1"
    emulate > "$folder/board"
    build desktop "$1" > "$folder/desk"
    cat "$folder/board"
    grep '^after ' "$folder/desk" > "$folder/expected"
    grep '^after ' "$folder/board" > "$folder/found" || true
    diff "$folder/expected" "$folder/found" || fail "the microcontroller and this machine do not agree"
    [ "$(wc -l < "$folder/found")" = 5 ] || fail "five errors should have been printed"
}

compare '-DRECIPE=\"rff-krls\" -DMAP=OKRA_MAP_RFF -DMEMORY=16384 -DSAMPLES=500'
compare '-DMAP=OKRA_MAP_RFF -DMEMORY=5120 -DSAMPLES=1500'
steps_timed=$(number 'a step takes ' "$folder/board")
compare ''
# An error that is learnt away: the power of Example 2's targets is about 10 dB, that of its noise -26 dB.
last=$(sed -n 's/^after .* error \(-*[0-9]*\).*/\1/p' "$folder/found" | tail -n 1)
[ "$last" -le -15 ] || fail "the error is $last dB after all samples"

# ---- memory ------------------------------------------------------------------------------------------------------------------------------
arm-none-eabi-size "$folder/microcontroller.elf"
! arm-none-eabi-nm "$folder/microcontroller.elf" | grep -E -i ' _?_?(malloc|calloc|realloc|free|aligned_alloc|memalign|sbrk|.*printf|strtod)(_r)?$' ||
    fail "there is a heap, or what needs one"
[ "$(number 'stack: ' "$folder/board")" -gt 500 ] || fail "the stack was not measured"
fresh
! build all -DMEMORY=60000 > "$folder/log" 2>&1 || fail "60000 bytes and a stack of 8 KiB were linked into a RAM of 64 KiB"
grep -q 'no room for a stack' "$folder/log" || { cat "$folder/log"; fail "not what should not fit"; }

# ---- no double in a step -----------------------------------------------------------------------------------------------------------------
# Functions of the library that call for double arithmetic: they make, check and draw.
soft='__aeabi_(d|cd|f2d|i2d|ui2d|l2d|ul2d)'
arm-none-eabi-objdump -dr "$folder/okra.o" | awk -v soft="R_ARM.*$soft" '
    /^[0-9a-f]+ <.*>:$/ { name = $2; gsub(/[<>:]/, "", name) }
    $0 ~ soft { print name }' | sort -u > "$folder/double"
[ "$(wc -l < "$folder/double")" -gt 20 ] || fail "nothing calls for double arithmetic: this check sees nothing"
! grep -E '^okra_([a-z]*_)?(step|run|begin|commit|learn|learn_delayed|predict|predict_next|predict_block|predict_pending|eval|take|measure|apply|phases|trig|trig_dot|trig_lms|trig_predict|kernels|dot|axpy|finite.*|ud_.*)(_[a-z]*)?_f32$' \
    "$folder/double" | grep -v -e trig_set_scale -e trial_begin || fail "double arithmetic in a step"

# And every instruction of five steps, one after the other.
build all '-DMAP=OKRA_MAP_RFF -DSAMPLES=5 -DBLOCK=1'
emulate -singlestep -d exec,nochain -D /dev/stdout | awk '
    /^Trace/ && $NF == "okra_step_f32" && !on { on = 1; steps++ }
    /^Trace/ && $NF == "board_instructions"   { on = 0 }
    /^Trace/ && on                            { count[$NF]++; all++ }
    END { for (name in count) print count[name] / steps, name; print all / steps, "in all"; print steps, "steps" }' | sort -rn > "$folder/trace"
echo "instructions of a step, by function:"
cat "$folder/trace"
grep -q '^5 steps$' "$folder/trace" || fail "five steps should have been traced"
! grep -E "$soft|_f64" "$folder/trace" || fail "double arithmetic in a step"
# The clock's count has the loop around the steps and a tick of 40 in 50 steps besides.
steps_traced=$(sed -n 's/^\([0-9]*\).* in all$/\1/p' "$folder/trace")
if [ "$steps_timed" -lt "$steps_traced" ] || [ "$steps_timed" -gt $((steps_traced + 30)) ]; then
    fail "a step takes $steps_timed instructions by the clock, $steps_traced by the trace"
fi
