#!/bin/sh
# A session log of 1,000,000 events (about 620 MB) that is verified in ranges, beside `trace
# verify` of the whole on one processor: what summarising, merging and reporting take, and the
# sizes of summaries and their columns. BENCH_EVENTS asks for another size.
# Targets: summarising in at most 1.05 of the time of verifying, summaries of at most 0.1 % of the
# log in ranges of 64 MB, and 5 µs a range to merge and report beside what the column takes.
set -eu
events=${BENCH_EVENTS:-1000000}
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
for tool in summaries sessionlog; do go build -o "$out/$tool" "./testdata/bench/$tool"; done
"$out/sessionlog" "$events" >"$out/log.jsonl"
for ranges in 1 10 1000; do "$out/summaries" "$out/log.jsonl" "$ranges"; done
