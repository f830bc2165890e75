#!/bin/sh
# `trace verify` of a sealed session log of 1,000,000 events, payload rules included,
# (about 620 MB) beside one SHA-256 pass over the same file; on a tenth of the events beside two
# programs in Python; the time to the first finding of a bad first line in 1 GB; as
# many events in logs of ten as half of the log has, beside that half; and, by the number of
# jobs, logs of 85,000 and 1,273,000 events (52 and 787 MB) beside openssl.
# BENCH_EVENTS asks for another size.
# Targets on two cores: at most 2 s and 64 MiB, at most 8 SHA-256 passes, at least 5
# times the Python program that only hashes and 20 times the one that checks the same
# rules, the first finding within 50 ms, and 0.06 ms for each of 50,000 logs of ten events;
# of 787 MB two jobs within 2.1 and one job within 4.0 times the time of openssl, and of both
# sizes two jobs within 0.55 of the time of one.
# 10,000 sessions of 50 events each, among each other, beside a log of as many events: at most twice
# its user time, and 256 MiB. 2,000 and 20,000 sessions of 8 events, a few at a time, with
# room for 16: what the larger one takes more is a KiB for each session.
set -eu
cupel=$1
events=${BENCH_EVENTS:-1000000}
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
for tool in measure sessionlog sha256pass; do go build -o "$out/$tool" "./testdata/bench/$tool"; done
"$out/sessionlog" "$events" >"$out/log.jsonl"
ls -l "$out/log.jsonl" | awk '{print $5, "bytes"}'
"$out/measure" -n 3 \
    "one SHA-256 pass" "$out/sha256pass" "$out/log.jsonl" -- \
    "trace verify, 2 jobs" "$cupel" trace verify --jobs 2 "$out/log.jsonl" -- \
    "trace verify, 1 job" "$cupel" trace verify --jobs 1 "$out/log.jsonl" -- \
    "trace verify, integrity only" "$cupel" trace verify --jobs 2 --integrity-only "$out/log.jsonl" -- \
    "trace verify, json" "$cupel" trace verify --jobs 2 --format json "$out/log.jsonl"
"$out/sessionlog" "$((events / 10))" >"$out/tenth.jsonl"
"$out/measure" -n 3 \
    "a tenth: trace verify, 2 jobs" "$cupel" trace verify --jobs 2 "$out/tenth.jsonl" -- \
    "a tenth: Python, hashes only" python3 testdata/bench/session_hash.py "$out/tenth.jsonl" -- \
    "a tenth: Python, the same rules" python3 testdata/bench/session_rules.py "$out/tenth.jsonl"
{ echo "not json"; cat "$out/log.jsonl" "$out/log.jsonl"; } >"$out/bad.jsonl"
python3 testdata/bench/session_first.py "$cupel" trace verify --format jsonl "$out/bad.jsonl"
rm "$out/log.jsonl" "$out/tenth.jsonl" "$out/bad.jsonl"
logs=$((events / 20))
"$out/sessionlog" "$((events / 2))" >"$out/half.jsonl"
"$out/sessionlog" 10 "$out/logs" "$logs"
"$out/measure" -n 3 \
    "half: trace verify" "$cupel" trace verify -q --no-progress "$out/half.jsonl" -- \
    "half, as $logs logs of ten events" "$cupel" trace verify -q --no-progress "$out/logs"
rm -r "$out/half.jsonl" "$out/logs"
sessions=$((events / 100))
"$out/sessionlog" "$((50 * sessions))" >"$out/log.jsonl"
"$out/sessionlog" 50 - "$sessions" >"$out/mixed.jsonl"
"$out/measure" -n 3 \
    "trace verify, $((50 * sessions)) events" "$cupel" trace verify -q --no-progress --jobs 2 "$out/log.jsonl" -- \
    "… of $sessions sessions, --by session_id" "$cupel" trace verify -q --no-progress --jobs 2 --by session_id --max-sessions "$sessions" "$out/mixed.jsonl"
rm "$out/log.jsonl" "$out/mixed.jsonl"
for sessions in $((events / 500)) $((events / 50)); do
    "$out/sessionlog" 8 - "$sessions" 8 >"$out/turn.jsonl"
    GOMEMLIMIT=40MiB "$out/measure" -n 1 \
        "trace verify --by session_id, $sessions sessions in turn" "$cupel" trace verify -q --no-progress --jobs 2 --by session_id --max-sessions 16 "$out/turn.jsonl"
    rm "$out/turn.jsonl"
done
for events in $((events * 85 / 1000)) $((events * 1273 / 1000)); do
    "$out/sessionlog" "$events" >"$out/sized.jsonl"
    ls -l "$out/sized.jsonl" | awk '{print $5, "bytes"}'
    "$out/measure" -n 5 \
        "openssl dgst -sha256" openssl dgst -sha256 "$out/sized.jsonl" -- \
        "trace verify, 2 jobs" "$cupel" trace verify --jobs 2 "$out/sized.jsonl" -- \
        "trace verify, 1 job" "$cupel" trace verify --jobs 1 "$out/sized.jsonl"
    "$out/measure" -n 9 \
        "trace verify, 1 job" "$cupel" trace verify --jobs 1 "$out/sized.jsonl" -- \
        "trace verify, 2 jobs" "$cupel" trace verify --jobs 2 "$out/sized.jsonl"
done
echo "targets on two idle cores: of the larger log 2 jobs within 2.1 and 1 job within 4.0 times openssl; 2 jobs within 0.55 of 1 job"
