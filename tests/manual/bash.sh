#!/usr/bin/env bash
# bash.sh COMPLETION PROGRAM OKRA: bash offers for every command the options that its help lists, and for every option what its value may be.
# 77: all that can be asked without a terminal is so, and there is none.
set -euo pipefail
completion=$(realpath "$1") program=$2 okra=$3
here=$(dirname "$0")
name=$(basename "$program")
failures=0

# Outside of a completion bash has no compopt: this one notes what was asked for.
asked=
# shellcheck disable=SC2317 # the completion calls it
compopt() { asked=$2; }
# shellcheck source=/dev/null
source "$completion"
function=$(complete -p "$name" | sed 's/.*-F \([a-z_]*\) .*/\1/')

# offer WORD..: `offered` is what is offered in place of the last word.
offer() {
    COMP_WORDS=("$name" "$@") COMP_CWORD=$#
    COMPREPLY=() asked=
    "$function" || true
    case $asked in
    default) offered=files ;;
    dirnames) offered=folders ;;
    *) offered=${COMPREPLY[*]:-nothing} ;;
    esac
}

# same WORDS WORDS: in any order.
same() {
    local -A there=()
    local word
    local -a one two
    read -ra one <<< "$1" && read -ra two <<< "$2"
    for word in "${one[@]}"; do there[$word]=1; done
    for word in "${two[@]}"; do [[ ${there[$word]:-} ]] || return; done
    ((${#one[@]} == ${#two[@]}))
}

# check WANTED WORD..
check() {
    local wanted=$1
    shift
    offer "$@"
    same "$wanted" "$offered" || { echo "$name $*: offers '$offered' and not '$wanted'" >&2 && failures=$((failures + 1)); }
}

check_value() {
    local command=$1 option=$2 wanted=$3 operand=$4
    case $wanted in
    switch) check "$operand" "$command" "$option" "" ;;
    *)
        check "$wanted" "$command" "$option" ""
        check "$wanted" "$command" "$option" "="
        check "$wanted" "$command" "$option" "=" ""
        check "$operand" "$command" -- "$option" "" ;; # after -- it is none
    esac
}

finish() { [[ $command == none ]] || check "${options[*]}" "$command" --; }

command=none lines=0 options=() operand=
while read -r next option words; do
    lines=$((lines + 1))
    if [[ $next == commands ]]; then
        check "$option $words help --help --version" ""
        check "$option $words" help ""
    elif [[ $option == operand ]]; then
        finish
        command=$next options=()
        offer "$command" ""
        operand=${words:-$offered} # where okra-bench is not there, nobody knows its sections
        check "$operand" "$command" ""
    else
        options+=("$option")
        check_value "$command" "$option" "$words" "$operand"
    fi
done < <("$here/expect.sh" "$program" "$okra")
finish
((lines > 20)) || { echo "help lists $lines options" >&2 && exit 1; }

# Parts of words: of a name, of a name after =, of the last name of a list, and where = does not part words.
if [[ $name == okra ]]; then
    check gaussian run --kernel gau
    check "matern32 matern52" run --kernel = mat
    check "--kernel=matern32 --kernel=matern52" run --kernel=mat
    check "rls,klms rls,knlms rls,krls" compare --recipes rls,k
    check "--quick --quiet" bench --qui
    check files run -o ""
    check nothing nosuch ""
fi

# A user's keys, at a terminal: script makes one.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if command -v script > /dev/null && script -qec true /dev/null < /dev/null > "$work/screen" 2>&1; then
    touch "$work/a stream.csv"
    learn=run
    [[ $name == okra ]] || learn=learn
    {
        printf "cd '%s'; source '%s'; %s() { printf 'GOT[%%s]' \"\$@\"; echo; }\n" "$work" "$completion" "$name"
        printf '%s --ker\tgau\t--sig\tauto a\t\nexit\n' "$name $learn"
    } > "$work/keys"
    TERM=dumb script -qec 'bash --norc --noprofile -i' /dev/null < "$work/keys" > "$work/screen"
    grep -qF "GOT[$learn]GOT[--kernel]GOT[gaussian]GOT[--sigma]GOT[auto]GOT[a stream.csv]" "$work/screen" ||
        { echo "keys were not completed:" >&2 && cat "$work/screen" >&2 && exit 1; }
elif ((failures == 0)); then
    echo "no keys were typed: script cannot make a terminal here: $(cat "$work/screen" 2> /dev/null || echo 'it is missing')"
    exit 77
fi
echo "$lines options and operands of $name"
exit $((failures > 0))
