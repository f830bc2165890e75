#!/bin/sh
# `evidence lint` and `evidence redact` of 100,000 events (some 81 MB), one in five of which has
# home folders and secrets, beside `evidence hash --check` of the same stream; both of 500 MB; the lint
# of as many events that are clean, by one worker, in at most 4 times the hash, some 80 MB/s;
# and the lint of their bundle, 100,000 events of which the reference implementation lints in
# 5.1 s and 326 MiB without a look at payloads. ASSAY names its binary, which then runs, too.
# Targets, on two cores: lint in at most 2.5 times and redact in at most 5 times the time of
# the hash, both in at most 64 MiB at 500 MB, and the bundle in an eighth of the reference's.
set -eu
cupel=$1
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
go build -o "$out/measure" ./testdata/bench/measure
go build -o "$out/events" ./testdata/bench/events
go build -o "$out/bundle" ./testdata/bench/bundle
"$out/events" -full -private "${BENCH_BYTES:-81000000}" >"$out/run.ndjson"
"$out/bundle" <"$out/run.ndjson" >"$out/run.tar.gz"
limits='{"max_events":100000000,"max_events_bytes":1000000000,"max_decode_bytes":2000000000,"max_bundle_bytes":1000000000}'
"$out/measure" -n 3 \
    "evidence hash --check, stream" "$cupel" evidence hash --check --limits "$limits" "$out/run.ndjson" -- \
    "evidence lint, stream" "$cupel" evidence lint --limits "$limits" "$out/run.ndjson" -- \
    "evidence redact, stream" "$cupel" evidence redact --limits "$limits" -o "$out/redacted.ndjson" "$out/run.ndjson"
"$out/events" -full "${BENCH_BYTES:-81000000}" >"$out/clean.ndjson"
"$out/measure" -n 3 \
    "evidence hash --check, clean, 1 job" "$cupel" evidence hash --check --jobs 1 --limits "$limits" "$out/clean.ndjson" -- \
    "evidence lint, clean, 1 job" "$cupel" evidence lint --jobs 1 --limits "$limits" "$out/clean.ndjson"
set -- "evidence hash --check, bundle" "$cupel" evidence hash --check --limits "$limits" "$out/run.tar.gz" -- \
    "evidence lint, bundle" "$cupel" evidence lint --limits "$limits" "$out/run.tar.gz" -- \
    "evidence redact, bundle" "$cupel" evidence redact --limits "$limits" -o "$out/redacted.tar.gz" "$out/run.tar.gz"
if [ -n "${ASSAY:-}" ]; then set -- "$@" -- "the reference, bundle" "$ASSAY" evidence lint "$out/run.tar.gz"; fi
"$out/measure" -n 3 "$@"
"$out/events" -full -private "${BENCH_LARGE_BYTES:-500000000}" >"$out/large.ndjson"
"$out/measure" -n 1 \
    "evidence hash --check, 500 MB" "$cupel" evidence hash --check --limits "$limits" "$out/large.ndjson" -- \
    "evidence lint, 500 MB" "$cupel" evidence lint --limits "$limits" "$out/large.ndjson" -- \
    "evidence redact, 500 MB" "$cupel" evidence redact --limits "$limits" -o "$out/redacted.ndjson" "$out/large.ndjson"
