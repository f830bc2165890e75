#!/bin/sh
# Start-up: `cupel version` beside a Go program that only prints a word.
# Target: at most 7 ms more, of which the dependencies' own initialisation is about 5.
set -eu
cupel=$1
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
go build -o "$out/measure" ./testdata/bench/measure
CGO_ENABLED=0 go build -trimpath -o "$out/bare" ./testdata/bench/bare
"$out/measure" -n 40 "a bare Go program" "$out/bare" -- "cupel version" "$cupel" version
echo "target: the minimum and the median of cupel version within 7 ms of the bare program's"
