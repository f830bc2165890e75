#!/bin/sh
# `evidence hash --check` of a stream of 1 GB (1.6 million events), by the number of
# workers, beside sha256sum of the same file. BENCH_BYTES asks for another size.
# Targets: ordered output, peak memory at most 64 MiB, less time with more cores.
set -eu
cupel=$1
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
go build -o "$out/measure" ./testdata/bench/measure
go build -o "$out/events" ./testdata/bench/events
"$out/events" "${BENCH_BYTES:-1000000000}" >"$out/events.ndjson"
set -- evidence hash --check --limits '{"max_events":100000000,"max_events_bytes":100000000000}' "$out/events.ndjson"
"$out/measure" -n 3 \
    "sha256sum of the file" sha256sum "$out/events.ndjson" -- \
    "evidence hash, 1 job" "$cupel" "$@" --jobs 1 -- \
    "evidence hash, 2 jobs" "$cupel" "$@" --jobs 2 -- \
    "evidence hash, 4 jobs" "$cupel" "$@" --jobs 4 -- \
    "evidence hash, json" "$cupel" "$@" --format json
for jobs in 1 4; do "$cupel" "$@" --jobs $jobs | sha256sum; done | uniq | wc -l | grep -qx 1 ||
    { echo "the output depends on the number of workers" >&2; exit 1; }
echo "the output is the same for 1 and for 4 jobs"
