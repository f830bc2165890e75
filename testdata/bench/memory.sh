#!/bin/sh
# Peak memory on inputs that are made to take it, by command and number of workers.
# Target: at most 256 MiB for every command with its default limits.
set -eu
cupel=$1
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
go build -o "$out/measure" ./testdata/bench/measure
mkdir "$out/in"
go run ./testdata/bench/hostile "$out/in"
for input in "$out"/in/*; do
    name=$(basename "$input")
    set -- "trace verify, 2 jobs: $name" "$cupel" trace verify --jobs 2 "$input"
    for jobs in 8 64; do
        set -- "$@" -- "trace verify, $jobs jobs: $name" "$cupel" trace verify --jobs $jobs "$input"
    done
    for command in "trace report" "trace seal" "evidence hash" "attest validate"; do
        # shellcheck disable=SC2086 # two words
        set -- "$@" -- "$command: $name" "$cupel" $command "$input"
    done
    "$out/measure" -n 1 "$@"
done
