#!/bin/sh
# Start-up: `cupel version` beside two Go programs: one that only prints a word, and one
# that does nothing but has the libraries of cupel linked in.
# Target: at most 7 ms over the bare program.
set -eu
cupel=$1
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
go build -o "$out/measure" ./testdata/bench/measure
CGO_ENABLED=0 go build -trimpath -o "$out/bare" ./testdata/bench/bare
sh testdata/bench/libraries/build.sh "$out/libraries"
"$out/measure" -n 40 "a bare Go program" "$out/bare" -- "cupel version" "$cupel" version
"$out/measure" -n 40 "the libraries alone" "$out/libraries" -- "cupel version" "$cupel" version
echo "target: the minimum and the median of cupel version within 7 ms of the bare program's"
