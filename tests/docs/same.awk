# awk -v shape=0|1 -f same.awk WANTED GOT: whether GOT says what a page promises. Words must be the same. A whole number must be the same; one with a point or
# an exponent may be off by 1% or by one in its last digit, because rounding differs between instruction sets; with shape=1 any number will do. Blanks
# count as one. A line `..` stands for any lines.

# Cuts a line into words[] and numbers[], words[i] coming before numbers[i]; the count of numbers.
function cut(text, words, numbers,   n)
{
    gsub(/[ \t]+/, " ", text); sub(/ $/, "", text)
    n = 0
    while (match(text, /[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?/)) {
        words[++n] = substr(text, 1, RSTART - 1); numbers[n] = substr(text, RSTART, RLENGTH)
        text = substr(text, RSTART + RLENGTH)
    }
    words[n + 1] = text
    return n
}

# One unit of the last digit written.
function unit(number,   digits, power)
{
    power = 0
    if (match(number, /[eE].*/)) { power = substr(number, RSTART + 1) + 0; number = substr(number, 1, RSTART - 1) }
    digits = match(number, /\..*/) ? RLENGTH - 1 : 0
    return 10 ^ (power - digits)
}

function near(a, b,   distance, slack)
{
    if (shape || a == b) return 1
    if (a !~ /[.eE]/) return 0
    distance = a - b; if (distance < 0) distance = -distance
    slack = (a + 0) / 100
    if (unit(a) > slack) slack = unit(a)
    return distance <= slack * 1.000001
}

function alike(a, b,   n, i, wa, wb, na, nb)
{
    n = cut(a, wa, na)
    if (cut(b, wb, nb) != n) return 0
    for (i = 1; i <= n + 1; i++) if (wa[i] != wb[i]) return 0
    for (i = 1; i <= n; i++) if (!near(na[i], nb[i])) return 0
    return 1
}

# Whether lines i.. of what is wanted fit lines j.. of what came.
function fits(i, j,   k)
{
    while (i <= wanted) {
        if (want[i] == "..") {
            for (k = j; k <= got + 1; k++) if (fits(i + 1, k)) return 1
            return 0
        }
        if (i > furthest) furthest = i
        if (j > got || !alike(want[i++], have[j++])) return 0
    }
    return j > got
}

FILENAME == ARGV[1] { want[++wanted] = $0; next }
{ have[++got] = $0 }
END {
    if (fits(1, 1)) exit 0
    print "promised, line " (furthest ? furthest : 1) " of the block: " want[furthest ? furthest : 1]
    print "came:"
    for (j = 1; j <= got; j++) print "    " have[j]
    exit 1
}
