#!/bin/sh
# Peak memory on inputs that are made to take it, by command and number of workers.
# Target: at most 256 MiB for every command with its default limits.
set -eu
cupel=$1
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
go build -o "$out/measure" ./testdata/bench/measure
mkdir "$out/in"
go run ./testdata/bench/hostile "$out/in"
for input in "$out"/in/evidence-*; do
    name=$(basename "$input")
    set --
    for jobs in 2 8; do
        set -- "$@" "evidence lint, $jobs jobs: $name" "$cupel" evidence lint --jobs $jobs "$input" -- \
            "evidence redact, $jobs jobs: $name" "$cupel" evidence redact --accept-unverified --jobs $jobs --report "$out/report.json" -o "$out/redacted.ndjson" "$input" --
    done
    "$out/measure" -n 1 "$@" "evidence hash: $name" "$cupel" evidence hash "$input"
    rm "$input"
done
for input in "$out"/in/oatf-*; do
    name=$(basename "$input")
    set --
    for command in lint "fmt -d" normalize; do
        # shellcheck disable=SC2086 # two words
        set -- "$@" "oatf $command: $name" "$cupel" oatf $command "$input" --
    done
    "$out/measure" -n 1 "$@" "oatf fmt: $name" "$cupel" oatf fmt "$input"
    rm "$input"
done
cat >"$out/attack.yaml" <<'END'
oatf: "0.1"
attack:
  execution: {mode: mcp_server, state: {tools: [{name: calc}]}}
  indicators:
  - {surface: tool_arguments, pattern: {target: arguments, condition: {contains: /etc/passwd}}}
  - {surface: tool_response, pattern: {target: "content[*].text", regex: "BEGIN [A-Z]+ KEY"}}
END
for input in "$out"/in/capture-*; do
    "$out/measure" -n 1 "oatf eval: $(basename "$input")" "$cupel" oatf eval "$out/attack.yaml" --trace "$input"
    rm "$input"
done
for input in "$out"/in/*; do
    name=$(basename "$input")
    set -- "trace verify, 2 jobs: $name" "$cupel" trace verify --jobs 2 "$input"
    for jobs in 8 64; do
        set -- "$@" -- "trace verify, $jobs jobs: $name" "$cupel" trace verify --jobs $jobs "$input"
    done
    for command in "trace report" "trace seal" "evidence hash" "attest validate"; do
        # shellcheck disable=SC2086 # two words
        set -- "$@" -- "$command: $name" "$cupel" $command "$input"
    done
    "$out/measure" -n 1 "$@"
done
