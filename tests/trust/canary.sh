#!/bin/sh
# canary.sh REPORT COMMAND...: passes where COMMAND ends with another status than 0 and its standard error holds REPORT; a canary that
# lives, or dies of something else, means that nobody watches.
set -u
report=$1
shift
said=$("$@" 2>&1 > /dev/null)
status=$?
case $said in
*"$report"*) [ $status -eq 0 ] || exit 0 ;;
esac
echo "canary.sh: status $status, and no '$report' in what was said by: $*"
echo "$said" | head -n 20
exit 1
