#!/bin/sh
# What the runner must refuse, and what it must let pass: pages of a few lines each.
set -eu
here=$(realpath "$(dirname "$0")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0

# expect pass|fail WHAT: the page on standard input
expect() {
    cat > "$work/page.md"
    got=pass
    "$here/run.sh" "$work/page.md" > "$work/said" 2>&1 || got=fail
    [ "$got" = "$1" ] && return
    echo "$2: should $1:" >&2
    cat "$work/page.md" "$work/said" >&2
    bad=1
}
f='```'

expect pass "a command that works, in the folder of the one before" << END
${f}sh
mkdir sub && cd sub && echo 3.14 > file
${f}
${f}sh
cat file
${f}
${f}text output
3.14
${f}
END
expect fail "a command that fails" << END
${f}sh
false
${f}
END
expect fail "a command that fails within a pipe" << END
${f}sh
false | cat
${f}
END
expect pass "a status that is promised" << END
${f}sh exit=2
exit 2
${f}
END
expect fail "a promised status that does not come" << END
${f}sh exit=2
true
${f}
END
expect fail "a hidden block that fails" << END
<!-- sh
false
-->
END
expect pass "numbers to 1%, lines passed over" << END
${f}sh
printf 'error -25.71 dB\na\nb\nend of 300\n'
${f}
${f}text output
error   -25.7 dB
..
end of 300
${f}
END
expect fail "a number off by more" << END
${f}sh
echo error -25.71 dB
${f}
${f}text output
error -26.1 dB
${f}
END
expect fail "another whole number" << END
${f}sh
echo 3000 rows
${f}
${f}text output
3001 rows
${f}
END
expect fail "a line too many" << END
${f}sh
printf 'a\nb\n'
${f}
${f}text output
a
${f}
END
expect fail "a line too few" << END
${f}sh
echo a
${f}
${f}text output
a
b
${f}
END
expect pass "only the shape" << END
${f}sh
echo 17.5 ns
${f}
${f}text output ~
300 ns
${f}
END
expect fail "another shape" << END
${f}sh
echo 17.5 us
${f}
${f}text output ~
300 ns
${f}
END
expect pass "C in two parts, and what it says" << END
${f}c
#include <okra/okra.h>
#include <stdio.h>
${f}
${f}c
int main(void) { return puts(okra_strerror(OKRA_OK)) < 0; }
${f}
${f}text output
done
${f}
END
expect fail "C with a warning" << END
${f}c
int f(int unused) { return 0; }
${f}
END
expect fail "C that ends with an error" << END
${f}c
int main(void) { return 1; }
${f}
END
expect pass "a file that is saved and used" << END
${f}c file=a.c
int main(void) { return 0; }
${f}
${f}sh
cc a.c -o a && ./a
${f}
END
expect pass "a block that is not run, with the reason, and its output" << END
<!-- not run: takes an hour -->
${f}sh
false
${f}
${f}text output
whatever
${f}
END
expect fail "no reason" << END
<!-- not run: -->
${f}sh
false
${f}
END
expect fail "no reason, and no colon" << END
<!-- not run -->
${f}sh
false
${f}
END
expect fail "a mark without a block" << END
<!-- not run: takes an hour -->
Some text.
END
expect fail "a test that is not there" << END
<!-- run by the test no_such_test -->
${f}sh
true
${f}
END
expect pass "a part of a file" << END
<!-- from tests/docs/same.awk -->
${f}c
FILENAME == ARGV[1] { want[++wanted] = \$0; next }
{ have[++got] = \$0 }
${f}
END
expect fail "not a part of the file" << END
<!-- from tests/docs/same.awk -->
${f}c
{ have[++got] = \$0 }
FILENAME == ARGV[1] { want[++wanted] = \$0; next }
${f}
END
expect fail "no language" << END
${f}
okra run
${f}
END
expect fail "a command as text" << END
${f}text
okra run stream.csv
${f}
END
expect fail "an indented block" << END
Do this:

    okra run stream.csv
END
expect pass "the continuation of a list" << END
- One.

    More of it.
END
expect fail "output of nothing" << END
${f}text output
a
${f}
END
expect fail "a block that does not end" << END
${f}sh
true
END
if [ -n "${OKRA_PYTHON:-}" ]; then
    expect pass "one Python session" << END
${f}python
x = 3
${f}
${f}python
print(x + 1)
${f}
${f}text output
4
${f}
END
    expect fail "Python that raises" << END
${f}python
raise SystemExit(0)
${f}
END
fi
if [ -n "${OKRA_OCTAVE:-}" ]; then
    expect fail "Octave that fails" << END
${f}octave
error('no')
${f}
END
fi
exit $bad
