#!/bin/sh
# `trace verify` of a session of Claude Code of 350 MB, of one of 1 GB and of a folder of 2,000 sessions with
# 1.1 GB, and `check` of that folder. BENCH_TURNS asks for another size.
# Targets on two cores: 300 MB/s, 64 MiB for the first and for the folder, and at most 5 s for 2,000
# sessions of 335 KB.
set -eu
cupel=$1
turns=${BENCH_TURNS:-100000}
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
for tool in measure transcripts; do go build -o "$out/$tool" "./testdata/bench/$tool"; done
"$out/transcripts" "$((turns / 3))" >"$out/third.jsonl"
"$out/transcripts" "$turns" >"$out/whole.jsonl"
ls -l "$out/third.jsonl" "$out/whole.jsonl" | awk '{print $5, "bytes"}'
"$out/measure" -n 3 \
    "a third: trace verify, 2 jobs" "$cupel" trace verify -q --no-progress --jobs 2 "$out/third.jsonl" -- \
    "trace verify, 2 jobs" "$cupel" trace verify -q --no-progress --jobs 2 "$out/whole.jsonl" -- \
    "trace report" "$cupel" trace report "$out/whole.jsonl"
rm "$out/third.jsonl" "$out/whole.jsonl"
"$out/transcripts" "$((turns / 2000))" "$out/projects" 2000
"$out/measure" -n 3 \
    "2,000 sessions: trace verify" "$cupel" trace verify -q --no-progress --jobs 2 "$out/projects" -- \
    "check" "$cupel" check -q --no-progress --jobs 2 "$out/projects"
