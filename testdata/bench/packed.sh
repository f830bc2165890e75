#!/bin/sh
# `trace verify` of a session log of 200,000 events that is compressed with gzip, and with zstd,
# beside the same log unpacked by another process. BENCH_EVENTS asks for another size.
# Target: at most the time of `gzip -dc FILE | cupel trace verify -`, and 256 MiB.
set -eu
cupel=$1
events=${BENCH_EVENTS:-200000}
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
for tool in measure sessionlog; do go build -o "$out/$tool" "./testdata/bench/$tool"; done
"$out/sessionlog" "$events" >"$out/log.jsonl"
gzip -6n <"$out/log.jsonl" >"$out/log.jsonl.gz"
"$out/measure" -n 3 \
    "trace verify, plain" "$cupel" trace verify -q --no-progress "$out/log.jsonl" -- \
    "trace verify, gzip" "$cupel" trace verify -q --no-progress "$out/log.jsonl.gz" -- \
    "gzip -dc | trace verify" sh -c 'gzip -dc "$2" | "$1" trace verify -q --no-progress -' sh "$cupel" "$out/log.jsonl.gz"
if command -v zstd >/dev/null; then
    zstd -q "$out/log.jsonl" -o "$out/log.jsonl.zst"
    "$out/measure" -n 3 \
        "trace verify, zstd" "$cupel" trace verify -q --no-progress "$out/log.jsonl.zst" -- \
        "zstd -dc | trace verify" sh -c 'zstd -dc "$2" | "$1" trace verify -q --no-progress -' sh "$cupel" "$out/log.jsonl.zst"
fi
