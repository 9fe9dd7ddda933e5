#!/bin/sh
# compose.sh OKRA DOC RECIPE: runs a recipe of docs/compose.md as it is written there, and looks at what comes out. Tools that need a network
# are found before the real ones in PATH: the clients of MQTT get the address of a broker of this test's own, on loopback; kcat is a
# stand-in. 77: a tool is not installed.
set -eu
program=$(realpath "$1") doc=$(realpath "$2") recipe=$3
rows=300

work=$(mktemp -d)
running=
finish() {
    trap - EXIT INT TERM
    for pid in $running; do kill "$pid" 2> /dev/null || true; done
    wait 2> /dev/null || true
    rm -rf "$work"
}
trap finish EXIT
trap 'exit 1' INT TERM
cd "$work"

# ---- tools --------------------------------------------------------------------------------------------------------------------------------

fail() {
    echo "$recipe: $*" >&2
    for said in err broker.log; do
        [ ! -s "$said" ] || tail -n 20 "$said" >&2
    done
    exit 1
}

need() {
    for tool in "$@"; do
        command -v "$tool" > /dev/null || { echo "no $tool here" >&2; exit 77; }
    done
}

# await SECONDS COMMAND..: until the command succeeds.
await() {
    tries=$(($1 * 50))
    shift
    until "$@"; do
        tries=$((tries - 1))
        [ $tries -gt 0 ] || fail "waited in vain for: $*"
        sleep 0.02
    done
}

# stand_in NAME: a program of that name, before others in PATH; its text is standard input.
stand_in() {
    { echo '#!/bin/sh'; cat; } > "bin/$1"
    chmod +x "bin/$1"
}

# The recipe's text, from the block of code after its name.
text() {
    awk -v name="<!-- recipe: $1 -->" '$0 == name { found = 1; next } found && /^```/ { if (inside) exit; inside = 1; next } inside' "$doc"
}

# Everything that the recipe starts is in one group, which `timeout` makes, and ends after two minutes at the latest.
start() {
    text "$recipe" > recipe.sh
    [ -s recipe.sh ] || fail "is not in $doc"
    timeout 120 sh recipe.sh > out 2> err &
    group=$!
    running="$running -$group"
}

has_ended() { ! kill -0 "-$group" 2> /dev/null; }

# As a supervisor does, once: `timeout` passes it on, and okra takes a second signal for impatience.
stop() {
    kill -TERM "$group"
    wait "$group" || true
    await 10 has_ended
}

lines() { wc -l < "$1"; }
has_lines() { [ "$(lines "$1")" -ge "$2" ]; }

# same FILE WANTED: line by line.
same() { cmp "$1" "$2" > /dev/null || { diff "$1" "$2" | head -n 5 >&2; fail "$1 is not what it should be"; }; }

# ---- the broker -----------------------------------------------------------------------------------------------------------------------------

# A message to a broker that is not there yet is refused.
broker_answers() { mosquitto_pub -t ready -m now 2> /dev/null; }

try_port() {
    echo "$1" > port
    cat > broker.conf << EOF
listener $1 127.0.0.1
allow_anonymous true
persistence false
user $(id -un)
log_type error
log_type subscribe
EOF
    timeout 150 mosquitto -c broker.conf > broker.log 2>&1 &
    broker=$!
    sleep 0.2
    kill -0 $broker 2> /dev/null # it has ended where the port is taken
}

start_broker() {
    PATH="$PATH:/usr/sbin:/usr/local/sbin"
    need mosquitto mosquitto_sub mosquitto_pub
    for client in mosquitto_sub mosquitto_pub; do
        echo "exec $(command -v $client) -h 127.0.0.1 -p \$(cat '$work/port') \"\$@\"" | stand_in $client
    done
    hash -r # the shell remembers where the real ones are
    port=$((20000 + $$ % 10000))
    tries=10
    until try_port $port; do
        port=$((port + 37)) tries=$((tries - 1))
        [ $tries -gt 0 ] || fail "no broker"
    done
    running="$running $broker"
    await 10 broker_answers
}

# Messages that come before somebody has subscribed are lost; the broker's log tells.
subscribed() { await 10 grep -q " [0-9] $1\$" broker.log; }

# listen TOPIC FILE: what is published there, from now on.
listen() {
    mosquitto_sub -q 1 -t "$1" > "$2" &
    running="$running $!"
    subscribed "$1"
}

# ---- rows -----------------------------------------------------------------------------------------------------------------------------------

# u,y with a relation to be learnt; without a header.
make_rows() {
    awk -v n="$1" 'BEGIN { srand(1); for (i = 1; i <= n; i++) { u = 2 * rand() - 1; printf "%.6f,%.6f\n", u, sin(3 * u) + 0.01 * rand() } }'
}

learn="--recipe rff-krls --sigma auto --scale auto"

# What okra says about rows by itself, without its header. The options are words.
# shellcheck disable=SC2086
directly() { okra run $learn --quiet "$@" | sed 1d; }

mkdir bin
echo "exec '$program' \"\$@\"" | stand_in okra
PATH="$work/bin:$PATH"
make_rows $rows > plain.csv
{ echo u,y; cat plain.csv; } > named.csv

# ---- the recipes ----------------------------------------------------------------------------------------------------------------------------

# Each row is sent when the one before has been answered: none waits in a buffer. Then the rest at once: none is lost, and the order stays.
promptly=20

exchange() {
    mkfifo rows.pipe
    mosquitto_pub -q 1 -l -t "$1" < rows.pipe &
    running="$running $!"
    exec 3> rows.pipe
    for n in $(seq $promptly); do
        sed -n "${n}p" "$2" >&3
        await 10 has_lines heard "$n"
    done
    sed "1,${promptly}d" "$2" >&3
    await 60 has_lines heard $rows
    exec 3>&-
}

mqtt() {
    start_broker
    listen plant/predictions heard
    start
    subscribed plant/rows
    exchange plant/rows plain.csv
    stop
    directly --header no plain.csv > wanted
    same heard wanted
}

mqtt_json() {
    need jq
    start_broker
    listen plant/forecast heard
    start
    subscribed plant/state
    awk -F, '{ printf "{\"time\": \"t%d\", \"load\": %s, \"temperature\": %s}\n", NR, $1, $2 }' plain.csv > state.json
    exchange plant/state state.json
    stop
    directly --header no plain.csv > direct
    for row in 1 2 $rows; do
        predicted=$(sed -n "${row}p" direct | cut -d, -f3)
        [ "$(sed -n "${row}p" heard | jq -r "[.row, .time, (.predicted - ($predicted) | fabs < 1e-12)] | @csv")" = "$row,\"t$row\",true" ] ||
            fail "row $row is $(sed -n "${row}p" heard), not $predicted"
    done
}

# The stand-in consumes what the test writes to a pipe, and produces into a file.
kafka() {
    mkfifo topic.pipe
    stand_in kcat << EOF
case \$1 in
-C) exec cat '$work/topic.pipe' ;;
-P) exec cat > '$work/heard' ;;
esac
EOF
    : > heard
    start
    exec 3> topic.pipe
    for n in $(seq $promptly); do
        sed -n "${n}p" plain.csv >&3
        await 10 has_lines heard "$n"
    done
    sed "1,${promptly}d" plain.csv >&3
    exec 3>&-
    wait "$group" || fail "ended with $?"
    directly --header no plain.csv > wanted
    same heard wanted
}

tail_f() {
    head -n 11 named.csv > sensor.csv
    start
    await 10 test -e predictions.csv
    await 10 has_lines predictions.csv 11
    sed -n '12,$p' named.csv >> sensor.csv
    await 30 has_lines predictions.csv $((rows + 1))
    stop
    directly named.csv > wanted
    sed 1d predictions.csv > heard
    same heard wanted
}

ts_stamps() {
    need ts
    cp plain.csv rows.csv
    before=$(date +%s)
    start
    wait "$group" || fail "ended with $?"
    directly --header no plain.csv > wanted
    sed 1d predictions.csv | cut -d, -f1-4 > heard
    same heard wanted
    after=$(date +%s)
    sed 1d predictions.csv | awk -F, -v a="$before" -v b="$after" '$5 < a || $5 > b + 1 { exit 1 }' || fail "times are not from $before to $after"
}

gzip_files() {
    need gzip zcat
    gzip -c named.csv > rows.csv.gz
    start
    wait "$group" || fail "ended with $?"
    directly named.csv > wanted
    zcat predictions.csv.gz | sed 1d > heard
    same heard wanted
}

# One row is put wrong.
interval_alarm() {
    awk -F, -v OFS=, 'NR == 201 { $2 = 50 } { print }' named.csv > rows.csv
    start
    wait "$group" || fail "ended with $?"
    grep -q '^row 200: 50' out || fail "row 200 is not told: $(cat out)"
    [ "$(lines out)" -le 5 ] || fail "too many are told: $(lines out)"
}

# From row 2001 on the relation is another one.
drift_alarm() {
    start_broker
    listen plant/alarms heard
    make_rows 3000 | awk -F, -v OFS=, 'BEGIN { print "u", "y" } { print $1, (NR > 2000 ? -$2 : $2) }' > rows.csv
    start
    await 60 has_lines heard 1
    wait "$group" || fail "ended with $?"
    grep -q 'rows.csv:2[0-9]*: drift: the error rose from' heard || fail "said $(cat heard)"
    [ "$(lines predictions.csv)" -eq 3001 ] || fail "$(lines predictions.csv) lines of predictions"
}

# Stopped in the middle, and started again: the rows of both are predicted as those of one.
service() {
    start_broker
    listen plant/predictions heard
    half=$((rows / 2))
    for part in "1,${half}p" "$((half + 1)),\$p"; do
        : > broker.log
        start
        subscribed plant/rows
        sed -n "$part" plain.csv | mosquitto_pub -q 1 -l -t plant/rows
        await 30 has_lines heard $half
        [ "$part" = "1,${half}p" ] || await 30 has_lines heard $rows
        stop
    done
    directly --header no plain.csv | cut -d, -f2- > wanted # n counts again
    cut -d, -f2- heard > seen
    same seen wanted
}

case $recipe in
mqtt) mqtt ;;
mqtt-json) mqtt_json ;;
kafka) kafka ;;
tail) tail_f ;;
ts) ts_stamps ;;
gzip) gzip_files ;;
interval) interval_alarm ;;
drift) drift_alarm ;;
service) service ;;
*) fail "no such recipe" ;;
esac
