#!/bin/sh
# `oatf lint` as a whole process: one document of 20 KB, 3,000 of 5 KB by the number of
# workers, one of 5 MB; and documents that would cost a careless reader dearly.
# Targets: 20 KB in at most 20 ms; 1,500 documents of 5 KB per second and core; a hostile
# document ends within 2 s and 256 MiB.
set -eu
cupel=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
go build -o "$out/measure" ./testdata/bench/measure
go build -o "$out/attacks" ./testdata/bench/attacks
mkdir "$out/small" "$out/many" "$out/large" "$out/hostile"
"$out/attacks" -bytes 20000 "$out/small"
"$out/attacks" -bytes 5000 -n 3000 "$out/many"
"$out/attacks" -bytes 5000000 "$out/large"
"$out/measure" -n 10 \
    "cupel version" "$cupel" version -- \
    "20 KB" "$cupel" oatf lint "$out/small" -- \
    "3,000 of 5 KB, 1 job" "$cupel" oatf lint --jobs 1 "$out/many" -- \
    "3,000 of 5 KB, 2 jobs" "$cupel" oatf lint --jobs 2 "$out/many"
"$out/measure" -n 3 "5 MB" "$cupel" oatf lint "$out/large"

head='oatf: "0.1"
attack:
  execution: {mode: mcp_server, state: {}}
'
cd "$out/hostile"
{ printf '%s  x-a: &a [a]\n' "$head"; for i in 1 2 3 4 5 6 7 8 9; do printf '  x-%s: [*a, *a, *a, *a, *a, *a, *a, *a]\n' $i; done; } >laughs.yaml
head -c 200000 /dev/zero | tr '\0' '[' >deep.yaml
{ printf '%s' "$head"; seq -f '  k%.0f: 1' 100000; } >keys.yaml
{ printf '%s  name: ' "$head"; head -c 50000000 /dev/zero | tr '\0' x; } >scalar.yaml
{ printf '%s  indicators:\n  - {surface: tool_name, pattern: {regex: "' "$head"; seq 2000 | sed 's/.*/(x+x+)+/' | tr -d '\n'; printf 'y"}}\n'; } >regex.yaml
{ printf '%s  indicators:\n  - {surface: tool_name, expression: {cel: "' "$head"; head -c 4000000 /dev/zero | tr '\0' '!'; printf 'a"}}\n'; } >cel.yaml
{ printf '%s  x-a: {\n' "$head"; seq -f 'a%.0f,' 440000; printf '}\n'; } >dense.yaml
for f in *.yaml; do
    "$out/measure" -n 2 "hostile: $f" "$cupel" oatf lint --strict "$f"
done
