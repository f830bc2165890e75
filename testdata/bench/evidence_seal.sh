#!/bin/sh
# `evidence seal` of 81 MB of events, in order and shuffled, and `evidence unseal`, beside
# `gzip -dc` of the bundle and `evidence hash --check` of the stream.
# Targets: at least 60 MB/s on two cores at the default level, at most 64 MiB of memory, and
# the same bundle for any order and number of workers.
set -eu
cupel=$1
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
go build -o "$out/measure" ./testdata/bench/measure
go build -o "$out/events" ./testdata/bench/events
"$out/events" "${BENCH_BYTES:-81000000}" >"$out/events.ndjson"
shuf "$out/events.ndjson" >"$out/shuffled.ndjson"
limits='{"max_events":100000000,"max_events_bytes":100000000000}'
seal() { "$cupel" evidence seal --quiet --limits "$limits" -o "$@"; }
seal "$out/events.tar.gz" --jobs 1 "$out/events.ndjson"
seal "$out/shuffled.tar.gz" --jobs 4 "$out/shuffled.ndjson"
cmp "$out/events.tar.gz" "$out/shuffled.tar.gz"
echo "the bundle is the same for any order, and for 1 and for 4 jobs"
"$out/measure" -n 3 \
    "gzip -dc of the bundle" gzip -dc "$out/events.tar.gz" -- \
    "evidence hash --check" "$cupel" evidence hash --check --limits "$limits" "$out/events.ndjson" -- \
    "evidence seal" "$cupel" evidence seal --limits "$limits" -o "$out/again.tar.gz" "$out/events.ndjson" -- \
    "evidence seal, shuffled" "$cupel" evidence seal --limits "$limits" -o "$out/again.tar.gz" "$out/shuffled.ndjson" -- \
    "evidence seal, level 1" "$cupel" evidence seal --level 1 --limits "$limits" -o "$out/again.tar.gz" "$out/events.ndjson" -- \
    "evidence unseal" "$cupel" evidence unseal --limits "$limits" -o "$out/again.ndjson" "$out/events.tar.gz"
