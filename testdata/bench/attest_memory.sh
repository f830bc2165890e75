#!/bin/sh
# Peak memory of the engine of the attest protocol under requests that take much, what it holds
# while its caches fill, and the peak of `attest eval` on six traces of 10 MB. Where a target is
# passed, the figure says so to the reader; nothing fails.
set -eu
cupel=$1
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
go build -o "$out/attest" ./testdata/bench/attest
go build -o "$out/measure" ./testdata/bench/measure
"$out/attest" -memory "$cupel" attest serve --log-level=error
echo "the engine while its caches fill, and afterwards, target 256 MiB:"
"$out/attest" -fill "$cupel" attest serve --log-level=error
"$out/attest" -traces "$out"
echo "attest eval of six traces, target 256 MiB:"
eval_of() { "$out/measure" -n 1 "$1" "$cupel" attest eval -q --no-progress --assertions "$out/suite.json" "$out/$1"?.json; }
for kind in digits numbers steps; do eval_of "$kind"; done
