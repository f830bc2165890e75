#!/bin/sh
# `trace verify` of a run of 100,000 events with 25,000 evidence files, its trace id and
# its manifest, by the number of workers, beside sha256sum of the same files.
# BENCH_EVENTS asks for another size.
# Targets on two cores: at most 1.5 s and 64 MiB; two jobs in at most 0.6 of the time of one.
# One job does all of the work, but for reading ahead, on one processor. Where there is taskset,
# it is measured on a single one, too: two processors can do it in half of that time.
set -eu
cupel=$1
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
go build -o "$out/measure" ./testdata/bench/measure
go build -o "$out/reasoningrun" ./testdata/bench/reasoningrun
"$out/reasoningrun" "${BENCH_EVENTS:-100000}" "$out/run"
"$out/measure" -n 5 \
    "sha256sum of all files" sh -c "find '$out/run' -type f -print0 | xargs -0 sha256sum" -- \
    "trace verify, 1 job" "$cupel" trace verify --jobs 1 "$out/run" -- \
    "trace verify, 2 jobs" "$cupel" trace verify --jobs 2 "$out/run" -- \
    "trace verify, 2 jobs, json" "$cupel" trace verify --jobs 2 --format json "$out/run" -- \
    "trace verify, no evidence" "$cupel" trace verify --jobs 2 --no-evidence "$out/run"
echo "target: trace verify with 2 jobs within 1500 ms and 64 MiB on two cores"
"$out/measure" -n 9 \
    "trace verify, 1 job" "$cupel" trace verify --jobs 1 "$out/run" -- \
    "trace verify, 2 jobs" "$cupel" trace verify --jobs 2 "$out/run"
echo "target: 2 jobs in at most 0.60 of the time of 1 job on two idle cores"
if command -v taskset >/dev/null; then
    "$out/measure" -n 9 \
        "trace verify, 1 processor" taskset -c 0 "$cupel" trace verify --jobs 1 "$out/run" -- \
        "trace verify, 2 jobs" "$cupel" trace verify --jobs 2 "$out/run"
    echo "target: 2 jobs in at most 0.60 of the time of 1 job on one processor"
fi
