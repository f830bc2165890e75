#!/bin/sh
# `evidence hash --check` of a stream of 1 GB (1.6 million events), by the number of
# workers, beside sha256sum of the same file. BENCH_BYTES asks for another size.
# Targets: ordered output, peak memory at most 64 MiB, less time with more cores; JSON in at
# most 1.15 times the time of text, by the number of workers.
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
    "evidence hash, 4 jobs" "$cupel" "$@" --jobs 4
for jobs in 1 2; do
    "$out/measure" -n 5 \
        "evidence hash, text, jobs: $jobs" "$cupel" "$@" --jobs $jobs -- \
        "evidence hash, json, jobs: $jobs" "$cupel" "$@" --jobs $jobs --format json
done
echo "target: json at most 1.15 times text"
"$out/measure" -n 5 \
    "evidence hash, json, 1 job" "$cupel" "$@" --jobs 1 --format json -- \
    "evidence hash, json, 2 jobs" "$cupel" "$@" --jobs 2 --format json
for jobs in 1 4; do "$cupel" "$@" --jobs $jobs | sha256sum; done | uniq | wc -l | grep -qx 1 ||
    { echo "the output depends on the number of workers" >&2; exit 1; }
echo "the output is the same for 1 and for 4 jobs"

# `evidence verify` of a bundle of 100,000 realistic events (81 MB) beside gunzip of it, and of
# the same events as a stream beside `evidence hash --check`; of a bundle whose first event is
# bad; and of one of 500 MB. ASSAY names the reference implementation's program, which is run
# beside it then. Targets: a bundle at most twice gunzip and a sixth of the reference, a
# stream at most 1.15 times the hash, a bad first event within 50 ms, 500 MB within 64 MiB.
go build -o "$out/bundle" ./testdata/bench/bundle
"$out/events" -full 81000000 >"$out/run.ndjson"
"$out/bundle" <"$out/run.ndjson" >"$out/run.tar.gz"
sed '1s/"data":{/"data":{"x":1,/' "$out/run.ndjson" | "$out/bundle" >"$out/bad.tar.gz"
"$out/events" -full 500000000 | "$out/bundle" >"$out/large.tar.gz"
limits='{"max_events":100000000,"max_events_bytes":1000000000,"max_decode_bytes":2000000000,"max_bundle_bytes":1000000000}'
set -- "gunzip of the bundle" gzip -dc "$out/run.tar.gz" -- \
    "evidence verify, bundle" "$cupel" evidence verify --limits "$limits" "$out/run.tar.gz" -- \
    "evidence verify, bad first event" "$cupel" evidence verify "$out/bad.tar.gz" -- \
    "evidence verify, 500 MB" "$cupel" evidence verify --limits "$limits" "$out/large.tar.gz"
if [ -n "${ASSAY:-}" ]; then set -- "$@" -- "the reference" "$ASSAY" evidence verify "$out/run.tar.gz"; fi
"$out/measure" -n 5 "$@"
"$out/measure" -n 5 \
    "evidence hash --check, stream" "$cupel" evidence hash --check --limits "$limits" "$out/run.ndjson" -- \
    "evidence verify, stream" "$cupel" evidence verify --limits "$limits" "$out/run.ndjson"
