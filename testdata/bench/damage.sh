#!/bin/sh
# `trace verify` of a session log of 62 MB (100,000 events) that is intact, beside the same log with one damage:
# an event that was edited, one whose time is spelled otherwise, one that is missing, and a foreign
# line. Only wrong lines are read once more.
# Target: with one damage at most 1.5 times the time of the intact log, and its memory and 64 bytes per event (6 MiB).
# BENCH_EVENTS asks for another size.
set -eu
cupel=$1
events=${BENCH_EVENTS:-100000}
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
for tool in measure sessionlog; do go build -o "$out/$tool" "./testdata/bench/$tool"; done
"$out/sessionlog" "$events" >"$out/intact.jsonl"
ls -l "$out/intact.jsonl" | awk '{print $5, "bytes"}'
middle=$((events / 2))
sed "${middle}s/\"payload\":{/\"payload\":{\"edited\":true,/" "$out/intact.jsonl" >"$out/edited.jsonl"
sed "${middle}s/Z\"/+00:00\"/" "$out/intact.jsonl" >"$out/respelled.jsonl"
sed "${middle}d" "$out/intact.jsonl" >"$out/removed.jsonl"
sed "${middle}i Traceback (most recent call last):" "$out/intact.jsonl" >"$out/foreign.jsonl"
for log in edited respelled removed foreign; do
    "$cupel" trace verify --jobs 2 "$out/$log.jsonl" | grep -m 1 '^  damage:' | cut -c 1-60
done
"$out/measure" -n 5 \
    "an intact log" "$cupel" trace verify -q --jobs 2 "$out/intact.jsonl" -- \
    "one event edited" "$cupel" trace verify -q --exit-zero --jobs 2 "$out/edited.jsonl" -- \
    "one event respelled" "$cupel" trace verify -q --exit-zero --jobs 2 "$out/respelled.jsonl" -- \
    "one event removed" "$cupel" trace verify -q --exit-zero --jobs 2 "$out/removed.jsonl" -- \
    "a foreign line" "$cupel" trace verify -q --exit-zero --jobs 2 "$out/foreign.jsonl"
