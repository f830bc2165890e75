#!/bin/sh
# `evidence show` and `evidence diff` of a bundle of 100,000 events (81 MB), beside gunzip of
# it, in one run. Targets: show as JSON in at most 2.2 times gunzip's time and in 64 MiB, diff
# with the same events of another run in at most 3.1 times: 1/8 and 1/10 of what the
# reference implementation took beside a gunzip of 0.33 s. ASSAY names its binary, which then
# runs, too.
set -eu
cupel=$1
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
go build -o "$out/measure" ./testdata/bench/measure
go build -o "$out/events" ./testdata/bench/events
go build -o "$out/bundle" ./testdata/bench/bundle
"$out/events" -full "${BENCH_BYTES:-81000000}" >"$out/events.ndjson"
"$out/bundle" <"$out/events.ndjson" >"$out/a.tar.gz"
sed 's/"time":"2026-/"time":"2027-/' "$out/events.ndjson" | "$out/bundle" >"$out/b.tar.gz"
set -- "gunzip" gzip -dc "$out/a.tar.gz" -- \
    "evidence hash" "$cupel" evidence hash "$out/a.tar.gz" -- \
    "evidence show" "$cupel" evidence show "$out/a.tar.gz" -- \
    "evidence show, json" "$cupel" evidence show --format json "$out/a.tar.gz" -- \
    "evidence diff" "$cupel" evidence diff "$out/a.tar.gz" "$out/b.tar.gz" -- \
    "evidence diff, json" "$cupel" evidence diff --format json "$out/a.tar.gz" "$out/b.tar.gz"
if [ -n "${ASSAY:-}" ]; then
    set -- "$@" -- "reference, show" "$ASSAY" evidence show --format json "$out/a.tar.gz" -- \
        "reference, diff" "$ASSAY" evidence diff "$out/a.tar.gz" "$out/b.tar.gz"
fi
"$out/measure" -n 3 "$@"
