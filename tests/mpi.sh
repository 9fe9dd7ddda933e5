#!/bin/sh
# mpi.sh OKRA OKRA_MPI CASE: okra-mpi on 1 to 4 processes of this machine, against okra in one. 77: there is no mpirun.
set -eu
okra=$(realpath "$1") okra_mpi=$(realpath "$2") case=$3
for tool in mpirun jq; do
    command -v $tool > /dev/null || { echo "no $tool here" >&2; exit 77; }
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
cd "$work"
# Containers run tests as root, and have fewer cores than the tests have processes.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1
# One machine, and no network.
export OMPI_MCA_btl=self,vader OMPI_MCA_plm=isolated OMPI_MCA_hwloc_base_binding_policy=none

# With the address sanitizer: Open MPI leaves memory to the end of the process, from modules that are gone by then and have no name to suppress.
# So leaks do not fail a process, and only those that our own code has asked for fail the test.
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}log_path=$work/sanitizer" LSAN_OPTIONS="${LSAN_OPTIONS:+$LSAN_OPTIONS:}exitcode=0"
no_leaks() {
    if grep -hE -A 3 '^ +#1 .*/(mpi|cli|src)/[a-z_/]*\.c:' "$work"/sanitizer.* >&2 2> /dev/null; then fail "memory of ours is lost"; fi
}

fail() {
    grep -h -A 12 'ERROR: AddressSanitizer' "$work"/sanitizer.* >&2 2> /dev/null || true
    echo "$case: $*" >&2
    [ ! -s err ] || tail -n 20 err >&2
    exit 1
}

on() {
    ranks=$1
    shift
    timeout 120 mpirun -n "$ranks" "$okra_mpi" "$@" 2> err || fail "'$*' on $ranks failed"
}

# refused RANKS STATUS WORDS PROGRAM ARGUMENT..: ends with this status and one message that has these words, and mpirun's own.
refused() {
    ranks=$1 status=$2 words=$3 got=0
    shift 3
    timeout 120 mpirun -n "$ranks" "$@" > out 2> err || got=$?
    [ $got = "$status" ] || fail "'$*' ended with $got, not $status"
    grep -q "okra-mpi: .*$words" err || fail "'$*' says nothing of '$words'"
    [ "$(grep -c '^okra-mpi: ' err)" = 1 ] || fail "'$*' says it more than once"
}

numbers() { # MODEL ARRAY
    "$okra" export "$1" | jq -r ".arrays.$2 | .. | numbers"
}

# same_theta A B: to 1e-9 of the largest.
same_theta() {
    for array in theta d u; do
        numbers "$1" "$array" > a
        numbers "$2" "$array" > b
        paste a b | awk -v what="$array of $1 and $2" '
            { d = $1 > $2 ? $1 - $2 : $2 - $1; s = $2 < 0 ? -$2 : $2; if (d > worst) worst = d; if (s > most) most = s }
            END { if (NR == 0 || worst > 1e-9 * most) { print what " differ by " worst " of " most; exit 1 } }' ||
            fail "not the same"
    done
}

# same_future A B: both predict the rows that follow alike, from the first one on: they remember the same past.
same_future() {
    for model in "$@"; do "$okra" run --quiet --load "$model" more.csv | cut -d, -f1,3 > "$model.csv"; done
    paste -d, "$1.csv" "$2.csv" | awk -F, 'NR > 1 && (($2 == "") || ($2 - $4) > 1e-7 || ($4 - $2) > 1e-7) { exit 1 }' ||
        fail "$1 and $2 predict otherwise"
}

# ---- cases ---------------------------------------------------------------------------------------------------------------------------------

learn() {
    "$okra" signal ex2 --samples 3000 > rows.csv
    "$okra" run --quiet --recipe rff-krls --beta 1 --sigma 5 --features 60 --lambda 0.01 --save one.okra rows.csv > /dev/null
    for n in 1 2 3 4; do
        on $n learn --quiet --sigma 5 --features 60 --lambda 0.01 --save many.okra rows.csv
        same_theta many.okra one.okra
    done
    # the model goes on as any other
    head -n 50 rows.csv > more.csv
    "$okra" run --quiet --load many.okra more.csv | tail -n 1 | grep -q '^49,' || fail "okra run does not go on with it"
}

# Lags reach into the part before; a horizon and target lags do so too.
lags() {
    "$okra" signal mackey-glass --samples 2600 > all.csv
    head -n 2501 all.csv > rows.csv
    (head -n 1 all.csv; tail -n 100 all.csv) > more.csv
    "$okra" run --quiet --recipe rff-krls --beta 1 --sigma 1 --features 40 --target-lags 7 --save one.okra rows.csv > /dev/null
    on 1 learn --quiet --sigma 1 --features 40 --target-lags 7 --save alone.okra rows.csv
    same_theta alone.okra one.okra
    for how in "--target-lags 7" "--target-lags 5 --horizon 3"; do
        # shellcheck disable=SC2086 # words are meant
        on 1 learn --quiet --sigma 1 --features 40 $how --save alone.okra rows.csv
        for n in 3 4; do
            # shellcheck disable=SC2086
            on $n learn --quiet --sigma 1 --features 40 $how --save many.okra rows.csv
            same_theta many.okra alone.okra
            same_future many.okra alone.okra
        done
    done
}

# Scale and width from the first rows, in every process; all formats.
automatic() {
    "$okra" signal ex2 --samples 2000 > rows.csv
    "$okra" signal ex2 --samples 2000 --out rows.npy
    "$okra" signal ex2 --samples 2000 --out rows.f64
    on 1 learn --quiet --sigma auto --scale auto --features 40 --save one.okra rows.csv
    "$okra" info one.okra | grep -q '^sigma *auto' || fail "the width is not automatic"
    for file in rows.csv rows.npy "rows.f64 --columns 6"; do
        # shellcheck disable=SC2086 # words are meant
        on 3 learn --quiet --sigma auto --scale auto --features 40 --save many.okra $file
        same_theta many.okra one.okra
    done
}

# ATC has the errors of CTA, bit for bit, so one reference serves both.
diffuse() {
    for every in 1 3; do
        on 1 diffuse --quiet --nodes 9 --topology random --features 40 --samples 300 --every $every --out one.csv
        for how in "cta 2" "cta 3" "cta 4" "atc 2" "atc 3"; do
            on "${how#* }" diffuse --quiet --nodes 9 --topology random --features 40 --samples 300 --rule "${how% *}" --every $every --out many.csv
            cmp one.csv many.csv || fail "$how processes, every $every: other bits"
        done
    done
    # and what okra diffuse says in one process
    "$okra" diffuse --nodes 9 --topology random --features 40 --samples 400 --quiet --metrics one.json > /dev/null
    on 3 diffuse --nodes 9 --topology random --features 40 --samples 400 --quiet --metrics many.json
    a=$(jq .floor_db.cta one.json) b=$(jq .floor_db many.json)
    awk -v a="$a" -v b="$b" 'BEGIN { exit !(a - b < 0.05 && b - a < 0.05) }' || fail "okra diffuse has $a dB, okra-mpi $b"
}

files() {
    for node in 0 1 2; do "$okra" signal ex2 --samples 200 --run 5 --seed $node > node-$node.csv; done
    on 1 diffuse --quiet --nodes 3 --topology ring --samples 200 --in node-%d.csv --out one.csv
    on 3 diffuse --quiet --nodes 3 --topology ring --samples 200 --in node-%d.csv --out many.csv
    cmp one.csv many.csv || fail "other bits"
    head -n 150 node-1.csv > short && mv short node-1.csv
    refused 3 1 'rank 1: node 1: node-1.csv: fewer than 200 rows' "$okra_mpi" diffuse --nodes 3 --topology ring --samples 200 --in node-%d.csv
    rm node-2.csv
    refused 2 1 'node-2.csv: no such file' "$okra_mpi" diffuse --nodes 3 --topology ring --samples 100 --in node-%d.csv
}

paper() {
    "$okra" paper fig3a fig3b --runs 21 --quiet --out one > /dev/null
    for n in 1 2 3 4; do
        on $n paper fig3a fig3b --runs 21 --quiet --out many > said
        for file in fig3a.csv fig3a.gp fig3b.csv fig3b.gp; do
            cmp one/$file many/$file || fail "$n processes: other bytes"
        done
        [ "$(grep -c '^in many/' said)" = 1 ] || fail "$n processes: not said once"
        rm -r many
    done
    refused 2 2 "okra paper table1" "$okra_mpi" paper fig3a table1 --runs 2 --quiet --out many
    refused 3 1 "rank 0: --out: '/proc/nowhere' cannot be made" "$okra_mpi" paper fig3a --runs 2 --quiet --out /proc/nowhere
}

# A rank is killed once all have a checkpoint; the job that follows ends as one that was never disturbed.
killed() {
    samples=15000
    on 3 diffuse --quiet --nodes 6 --topology ring --features 60 --samples $samples --out whole.csv
    mpirun -n 3 "$okra_mpi" diffuse --quiet --nodes 6 --topology ring --features 60 --samples $samples --out again.csv \
        --save 'net[1]' --checkpoint 100 > out 2> err &
    job=$!
    tries=0
    until ls 'net[1]-2-'*.okra > /dev/null 2>&1; do
        tries=$((tries + 1))
        [ $tries -lt 3000 ] || fail "no checkpoint appears"
        kill -0 $job 2> /dev/null || fail "it ended too early"
        sleep 0.02
    done
    rank=$(pgrep -n -f "^$okra_mpi diffuse --quiet .* --out again.csv") || fail "no rank to kill"
    kill -9 "$rank"
    if wait $job; then fail "a killed rank did not end the job"; fi
    grep -q 'signal 9' err || fail "nobody says that a rank was killed"
    [ ! -e again.csv ] || fail "it had ended already"
    on 3 diffuse --quiet --nodes 6 --topology ring --features 60 --samples $samples --out again.csv --save 'net[1]' --checkpoint 5000 --metrics m.json
    jq -e '.resumed_at >= 100' m.json > /dev/null || fail "it started again"
    cmp whole.csv again.csv || fail "the job that went on has another result"
    for n in 2 4; do
        refused $n 2 'another number of ranks' "$okra_mpi" diffuse --nodes 6 --topology ring --features 60 --samples $samples --save 'net[1]'
    done
}

refusals() {
    "$okra" signal ex2 --samples 100 > rows.csv
    head -n 90 rows.csv > short.csv
    printf '0,1\n2,3\n' > apart.csv
    printf '0,1\n1,0\n1,2\n' > one-way.csv
    refused 3 1 'not connected' "$okra_mpi" diffuse --edges apart.csv
    refused 3 1 'not symmetric' "$okra_mpi" diffuse --edges one-way.csv
    refused 3 2 'use fewer ranks' "$okra_mpi" diffuse --nodes 2 --topology ring
    refused 2 1 'x/net-0-10.f64: cannot be written' "$okra_mpi" diffuse --nodes 4 --topology ring --samples 20 --save x/net --checkpoint 10
    refused 3 2 'rff-krls or rls' "$okra_mpi" learn --recipe qklms --save m.okra rows.csv
    refused 3 2 'cannot be merged' "$okra_mpi" learn --beta 0.9 --save m.okra rows.csv
    refused 3 1 'no such file' "$okra_mpi" learn --save m.okra nowhere.csv
    refused 2 2 'lower --warmup' "$okra_mpi" learn --scale auto --save m.okra rows.csv
    refused 3 2 "needs --save" "$okra_mpi" learn rows.csv
    refused 2 2 "no command 'lern'" "$okra_mpi" lern
    refused 2 2 "'okra-mpi help learn' lists" "$okra_mpi" learn --zzz 3
    # all ranks must mean the same: parameters, columns, and a file of one size
    set -- "$okra_mpi" learn --save m.okra
    refused 1 2 'rank 1: has another spec' "$@" --sigma 5 rows.csv : -n 1 "$@" --sigma 4 rows.csv
    refused 1 2 'rank 1: has another spec' "$@" --target 6 rows.csv : -n 1 "$@" --target 5 rows.csv
    refused 1 2 'rank 1: has another spec, or file' "$@" rows.csv : -n 1 "$@" short.csv
    refused 1 2 'rank 1: has another network' "$okra_mpi" diffuse --samples 10 : -n 1 "$okra_mpi" diffuse --samples 11
    # in the midst of learning the job is ended; several ranks may have come to it at once
    got=0
    mpirun -n 2 "$okra_mpi" diffuse --nodes 4 --topology ring --mu 1000 --samples 20000 > out 2> err || got=$?
    [ $got = 3 ] || fail "divergence ended with $got"
    grep -q 'okra-mpi: rank [01]: sample [0-9]*: .*lower the step size' err || fail "nothing is said of divergence"
    [ ! -e m.okra ] || fail "a refusal left a model"
    on 2 --help > said
    grep -q 'mpirun -n N okra-mpi' said || fail "--help"
    [ "$(grep -c Usage said)" = 1 ] || fail "--help is said twice"
    on 2 help learn > said
    grep -q '^Usage: mpirun -n N okra-mpi learn' said || fail "help learn"
    [ "$(grep -c Usage said)" = 1 ] || fail "help learn is said twice"
}

"$case"
no_leaks
