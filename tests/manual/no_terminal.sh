#!/bin/sh
# no_terminal.sh COMMAND..: a test that types keys, run where no pseudo-terminal can be made, says so and skips. 77: this user may not take
# /dev/ptmx away, even from itself.
set -eu
# Root needs no namespace of users, which a chroot would not give it.
[ "$(id -u)" = 0 ] && as= || as=--map-root-user
# shellcheck disable=SC2086 # nothing, or one word
alone() { unshare --mount $as --propagation private sh -c 'mount --bind /dev/null /dev/ptmx && exec "$@"' sh "$@"; }

why=$(alone true 2>&1) || { echo "cannot hide /dev/ptmx: $why"; exit 77; }
code=0
said=$(alone "$@" 2>&1) || code=$?
case $code/$said in
77/*"no keys were typed"*) ;;
*) echo "status $code and not 77, or no reason: $said" >&2; exit 1 ;;
esac
