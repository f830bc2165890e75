#!/bin/sh
# The engine of the attest protocol under load, beside a floor in the same run, and how
# long a program with nothing but its libraries takes to start.
# `sh testdata/bench/attest.sh ./cupel -soak 200000` runs the long endurance test, `-flaky 10m`
# shows for ten minutes what an engine holds whose models often fail.
set -eu
cupel=$1
shift
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
go build -o "$out/attest" ./testdata/bench/attest
sh testdata/bench/libraries/build.sh "$out/libraries"
"$out/attest" "$@" "$cupel" attest serve --log-level=error
echo "the libraries alone, as an engine:"
"$out/attest" -only "start-up to initialize" "$out/libraries"
"$out/attest" -replay "$cupel"
if [ -n "${ATTEST_ENGINE:-}" ]; then
    echo "the engine that ATTEST_ENGINE names:"
    "$out/attest" -pass "$@" "$ATTEST_ENGINE" --log-level=error
else
    echo "ATTEST_ENGINE names no other engine to measure beside this one"
fi
