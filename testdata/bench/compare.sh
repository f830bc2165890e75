#!/bin/sh
# What people use today for the same question, beside cupel, as whole processes: 50,000 evidence events (31 MB)
# and a session log of 50,000 events, beside openssl, which only reads and hashes the bytes, and the
# start of each program. jq and Python take part where they are installed. docs/comparison.md has the figures
# of one run. BENCH_EVENTS asks for another size.
set -eu
cupel=$1
events=${BENCH_EVENTS:-50000}
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
for tool in measure events sessionlog; do go build -o "$out/$tool" "./testdata/bench/$tool"; done
"$out/events" "$((events * 620))" >"$out/events.ndjson"
"$out/sessionlog" "$events" >"$out/log.jsonl"
cat >"$out/five.jq" <<'END'
{data, datacontenttype, specversion, subject, type} | del(.subject | nulls)
END
python=$(python3 -c "import sys; print(sys.executable)" 2>/dev/null) || python= # the program itself, where python3 is a wrapper
have() { command -v "$1" >/dev/null || { echo "compare.sh: $1 is not installed; its rows are left out"; return 1; }; }

echo "evidence: is each recorded content hash right?"
wc -lc <"$out/events.ndjson"
limits='{"max_events":100000000,"max_events_bytes":100000000000}'
set -- "openssl dgst -sha256, the bytes alone" openssl dgst -sha256 "$out/events.ndjson" -- \
    "cupel evidence hash --check, 2 jobs" "$cupel" evidence hash --check --jobs 2 --limits "$limits" "$out/events.ndjson" -- \
    "cupel evidence hash --check, 1 job" "$cupel" evidence hash --check --jobs 1 --limits "$limits" "$out/events.ndjson" -- \
    "gowebpki/jcs in Go: --engine reference, 1 job" "$cupel" evidence hash --check --engine reference --jobs 1 --limits "$limits" "$out/events.ndjson"
if have python3; then set -- "$@" -- "Python: json, hashlib" "$python" testdata/bench/evidence_hash.py "$out/events.ndjson"; fi
if have jq; then set -- "$@" -- "jq -cS, without a hash" jq -cS -f "$out/five.jq" "$out/events.ndjson"; fi
"$out/measure" -n 5 "$@"

echo "session log: is the chain whole?"
wc -lc <"$out/log.jsonl"
set -- "openssl dgst -sha256, the bytes alone" openssl dgst -sha256 "$out/log.jsonl" -- \
    "cupel trace verify, 2 jobs" "$cupel" trace verify --jobs 2 "$out/log.jsonl" -- \
    "cupel trace verify, 1 job" "$cupel" trace verify --jobs 1 "$out/log.jsonl"
if have python3; then
    set -- "$@" -- "Python: json, hashlib, no rule" "$python" testdata/bench/session_hash.py "$out/log.jsonl" -- \
        "Python: the same rules" "$python" testdata/bench/session_rules.py "$out/log.jsonl"
fi
if have jq; then set -- "$@" -- "jq -cS, without a hash" jq -cS . "$out/log.jsonl"; fi
"$out/measure" -n 5 "$@"

echo "start"
set -- "openssl version" openssl version -- "cupel version" "$cupel" version
if have python3; then set -- "$@" -- "Python: import json, hashlib" "$python" -c 'import json, hashlib'; fi
if have jq; then set -- "$@" -- "jq -n 1" jq -n 1; fi
"$out/measure" -n 20 "$@"
