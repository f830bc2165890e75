#!/bin/sh
# The engine of the attest protocol under load, beside a floor in the same run.
# `sh testdata/bench/attest.sh ./cupel -soak 200000` runs the long endurance test.
set -eu
cupel=$1
shift
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
go build -o "$out/attest" ./testdata/bench/attest
"$out/attest" "$@" "$cupel" attest serve --log-level=error
