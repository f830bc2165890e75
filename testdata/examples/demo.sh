#!/bin/sh
# Shows cupel on the project's examples: runs each step of demo.txt, with its command
# above its output, and checks the exit code that the step announces.
set -u
cupel=${1:?usage: demo.sh CUPEL}
cupel=$(cd "$(dirname "$cupel")" && pwd)/$(basename "$cupel")
steps=0
wrong=0
bold= plain=
if [ -t 1 ] && [ -z "${NO_COLOR:-}" ]; then
    bold=$(printf '\033[1m') plain=$(printf '\033[0m')
fi
while read -r want command; do
    case $want in
    '') continue ;;
    '#')
        printf '\n%s# %s%s\n' "$bold" "$command" "$plain"
        continue
        ;;
    esac
    printf '$ %s\n' "$command"
    # The step's own "cupel" is the one just built.
    (cupel() { "$cupel" "$@"; } && eval "$command") </dev/null
    got=$?
    steps=$((steps + 1))
    printf '%s(exit code %d)%s\n\n' "$bold" "$got" "$plain"
    if [ "$got" -ne "$want" ]; then
        wrong=$((wrong + 1))
        printf 'demo: expected exit code %d\n' "$want" >&2
    fi
done <"$(dirname "$0")/demo.txt"
printf '%d steps, %d with an unexpected exit code\n' "$steps" "$wrong"
[ "$steps" -gt 0 ] && [ "$wrong" -eq 0 ]
