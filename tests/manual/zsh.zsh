#!/usr/bin/env zsh
# zsh.zsh COMPLETION PROGRAM OKRA: zsh offers for every command the options that its help lists, and for every option what its value may be.
# Keys are typed at a zsh that notes what it has found to offer. 77: there is no terminal to type at.
emulate -R zsh
zmodload zsh/zpty || { print "this zsh has no zpty"; exit 77 }
completion=${1:a} program=${2:a} okra=${3:a} name=${2:t} here=${0:a:h} failures=0 told=0
zsh -n $completion || exit 1
work=$(mktemp -d)
trap 'zpty -d user 2> /dev/null; rm -rf $work' EXIT
mkdir $work/here $work/here/folder && touch $work/here/stream.csv

# say LINE: types a line, and waits until it has been done and the next can be typed; REPLY is the screen. Keys that come earlier would be the
# terminal's own, which knows no tabs.
say() {
    local line
    REPLY=
    zpty -w user $1
    zpty -w user "print EN''DED$((++told))."
    while [[ $REPLY != *ENDED$told.*READY* ]] { zpty -r user line || { print -u 2 "zsh has ended: $REPLY"; exit 1 }; REPLY+=$line }
}

cd $work/here
zpty user env TERM=dumb zsh -f -i || { print "no keys were typed: zsh cannot make a terminal here"; exit 77 }
say "PS1= PS2= RPS1=; zle-line-init() { print READY }; zle -N zle-line-init"
say "LISTMAX=10000; fpath=(${(q)completion:h} \$fpath); autoload -Uz compinit; compinit -u -d ${(q)work}/dump; found=${(q)work}/found"
say 'compadd() { local -a hits; [[ " ${@[1,(i)(-|--)]}" == *\ -[OAD]\ * ]] || { builtin compadd -A hits "$@"; print -rl -- $hits >> $found }; builtin compadd "$@" }'
say "$name"'() { print -r "GOT[${(j:][:)@}]" }'

# check WANTED TEXT: what is offered where a tab follows the text; `wanted` is in the alphabet's order.
check() {
    local offered
    : > $work/found
    zpty -w -n user "$name $2"$'\t'
    say $'\C-u'
    offered=$(LC_ALL=C sort -u $work/found | grep -v '^-[a-z]$' | paste -sd ' ')
    offered=${${offered## }:-nothing}
    [[ $offered == $1 ]] || { print -u 2 "$name $2: offers '$offered' and not '$1'"; ((++failures)) }
}

sorted() { print -rl -- $@ | LC_ALL=C sort | paste -sd ' ' }

meaning() {
    case $1 in
    files) print "folder stream.csv" ;;
    folders) print folder ;;
    *) sorted ${=1} ;;
    esac
}

lines=(${(f)"$($here/expect.sh $program $okra)"})
names=(${=lines[1]#commands })
check "$(sorted $names help --help --version)" ""
check "$(sorted $names)" "help "
for command in $names; do
    listed=()
    operand=nothing
    for line in ${(M)lines:#$command *}; do
        words=(${=line})
        wanted=$(meaning "${words[3,-1]}")
        case $words[2] in
        operand)
            operand=$wanted
            # Where a switch could follow too, zsh offers it beside: a letter that none begins with would hide files.
            [[ -z $operand || $operand == nothing ]] || check $operand "$command " ;;
        *)
            listed+=($words[2])
            [[ $wanted == switch ]] || check $wanted "$command $words[2] "
            [[ $command != (run|learn) || $wanted == (switch|nothing|*folder*) ]] || check $wanted "$command $words[2]=" ;;
        esac
    done
    check "$(sorted $listed)" "$command --"
done

((${#lines} > 20)) || { print -u 2 "help lists ${#lines} options"; exit 1 }
first=${${(M)names:#(run|learn)}[1]}
say "$name $first --ker"$'\t'"gau"$'\t'" --sigma=au"$'\t'" str"$'\t'
[[ $REPLY == *"GOT[$first][--kernel"(\]\[|=)"gaussian][--sigma=auto][stream.csv]"* ]] || { print -u 2 "keys were not completed: $REPLY"; ((++failures)) }
print "${#lines} options and operands of $name"
exit $((failures > 0))
