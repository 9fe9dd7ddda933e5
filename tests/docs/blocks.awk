# awk -v out=DIR -f blocks.awk PAGE: takes a page apart. Every fenced block goes to DIR/NUMBER, and a line about it to standard output:
#
#     NUMBER LINE KIND LANGUAGE REST
#
# KIND is `run` (REST: the exit status it must have), `file` (REST: the name it is to be saved under), `output` or `shape` (what the block before it
# said), `data` (nothing to run), `skip` (REST: the reason), `elsewhere` (REST: the ctest test that runs it), `quote` (REST: the file
# that it is a part of), or `wrong` (REST: what is
# wrong with the page, in words). README.md beside this file explains the marks to writers.

function tell(kind, language, rest) { printf "%d %d %s %s %s\n", number, line, kind, language, rest }
function wrong(what) { printf "0 %d wrong - %s\n", NR, what }

# What a mark right before a block asks for; it must not stand anywhere else.
function mark(kind, rest)
{
    if (marked != "") wrong("a mark that marks no block")
    marked = kind; reason = rest
}

function begin(language, info,   word)
{
    number++; line = NR; file = sprintf("%s/%d", out, number); printf "" > file
    split(info, word, " ")
    kind = language ~ /^(sh|c|python|octave)$/ ? "run" : "data"; rest = 0
    if (word[1] == "output") { kind = word[2] == "~" ? "shape" : "output"; rest = "" }
    else if (word[1] ~ /^file=/) { kind = "file"; rest = substr(word[1], 6) }
    else if (word[1] ~ /^exit=/) rest = substr(word[1], 6)
    else if (info != "") wrong("an unknown word after the language: " info)
    if (marked != "") { kind = marked; rest = reason }
    if (kind == "data" && language !~ /^(text|json|csv|make|cmake)$/)
        wrong("a block needs a language that tests/docs/run.sh knows: " (language == "" ? "it has none" : language))
    # A command that hides as mere text would never be run.
    commands = kind == "data"
    marked = ""
    tell(kind, language == "" ? "-" : language, rest)
}

{ sub(/\r$/, "") }

fence != "" { # within a fence
    if ($0 ~ "^ *" fence " *$") { fence = ""; close(file); after = 0; next }
    text = $0
    if (indent > 0) text = match(text, /^ */) && RLENGTH >= indent ? substr(text, indent + 1) : substr(text, RLENGTH + 1)
    if (commands && text ~ /^(\$ )?(okra|okra-mpi|make|mpirun|ctest|cmake|apt-get|pip) /) wrong("a command in a block that is not run: make it sh")
    print text > file
    next
}
hidden { # within a comment that holds a block
    if ($0 ~ /^-->/) { hidden = 0; close(file); after = 0; next }
    print > file
    next
}
/^ *```/ {
    match($0, /^ */); indent = RLENGTH
    info = substr($0, indent + 4); fence = "```"
    language = info; sub(/ .*/, "", language); sub(/^[^ ]* */, "", info)
    begin(language, info)
    next
}
/^<!-- (sh|c|python|octave)( exit=[0-9]+)?$/ { hidden = 1; indent = 0; begin($2, $3); next }
/^<!-- not run/ {
    text = $0; sub(/^<!-- not run:? */, "", text); sub(/ *-->.*/, "", text)
    if (text == "") wrong("`not run` needs a reason: <!-- not run: takes an hour -->")
    mark("skip", text)
    next
}
/^<!-- run by the test [a-zA-Z0-9_.-]+ -->$/ { mark("elsewhere", $6); next }
/^<!-- from [^ ]+ -->$/ { mark("quote", $3); next }
/^<!-- recipe: [a-z-]+ -->$/ { mark("elsewhere", "compose_" $3); next }
# An indented block: four blanks after an empty line, outside of lists.
/^    / && blank && !list { wrong("an indented block: use a fence, so that its language is known") }
{
    if (marked != "" && $0 !~ /^ *$/) { wrong("a mark that marks no block"); marked = "" }
    blank = $0 ~ /^ *$/
    if ($0 ~ /^ *([-*+]|[0-9]+\.) /) list = 1
    else if (!blank && $0 !~ /^ /) list = 0
}
END {
    if (fence != "" || hidden) wrong("a block that does not end")
    if (marked != "") wrong("a mark that marks no block")
}
