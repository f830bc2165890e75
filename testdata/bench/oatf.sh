#!/bin/sh
# `oatf lint` as a whole process: one document of 20 KB, 3,000 of 5 KB by the number of
# workers, one of 5 MB; and documents that would cost a careless reader dearly.
# Targets: 20 KB in at most 20 ms; 1,500 documents of 5 KB per second and core; a hostile
# document ends within 2 s and 256 MiB.
# Within the process, lint of a document of 4.5 KB takes at most 1.5 times as long as the YAML
# nodes of it alone; documents of revision 2026-03 at most 1.2 times as long as revision sdk-0.1
# takes for as many bytes, and telling the revision of a document takes at
# most 0.02 of linting it.
# `oatf eval`: ten string indicators take at most twice as long as decoding the capture, which
# is what a run with an indicator of another protocol does, also under the revision 2026-03, and
# two and a half times where they look at the JSON of objects; 60 documents at most three times as long as one; a capture of 1 GB as much memory as one of 10 MB and a fifth, and 1,000,000
# messages no more.
# The operators of conditions: a string operator takes at most 3 times as long as
# strings.Contains on 1 KB, a regular expression 1.2 times as long as MatchString.
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
go test -run '^$' -bench 'Small' -benchtime "${BENCH_SMALL:-500}x" -tags urfave_cli_no_docs ./oatf |
    awk '
        /x-nodes/ { sub(/^BenchmarkSmall\//, "lint/YAML nodes, ", $1); gsub("_", " ", $1); for (i = 3; i < NF; i++) if ($(i+1) == "x-nodes") { printf "%-44s %6.2f x\n", $1, $i; n++ } }
        END { if (n < 2) { print "oatf.sh: only " n " documents measured"; exit 1 } }'
go test -run '^$' -bench 'Revisions' -benchtime "${BENCH_REVISIONS:-100}x" -tags urfave_cli_no_docs ./oatf |
    awk '
        /x-sdk-0.1/ { sub(/^BenchmarkRevisions\//, "2026-03/sdk-0.1, ", $1); sub(/-[0-9]+$/, "", $1); gsub("_", " ", $1); for (i = 3; i < NF; i++) if ($(i+1) == "x-sdk-0.1") { printf "%-44s %6.2f x\n", $1, $i; n++ } }
        END { if (n < 2) { print "oatf.sh: only " n " kinds of documents measured"; exit 1 } }'
go test -run '^$' -bench 'Recognition' -benchtime "${BENCH_RECOGNITION:-300}x" -tags urfave_cli_no_docs ./oatf |
    awk '
        /x-check/ { sub(/^BenchmarkRecognition\//, "", $1); sub(/-[0-9]+$/, "", $1); split($1, part, "/"); for (i = 3; i < NF; i++) if ($(i+1) == "x-check") { printf "%-44s %6.3f x\n", "revision/lint, " part[1] ", " part[2] " bytes", $i; n++ } }
        END { if (n < 6) { print "oatf.sh: only " n " documents measured"; exit 1 } }'

# An indicator looks for words that no message has in what tools are called with, or in what
# they answer; 0 is one that looks at nothing.
document() {
    printf 'oatf: "0.1"\nattack:\n  id: BENCH-001\n  execution: {mode: mcp_server, state: {}}\n  indicators:\n'
    if [ "$1" = 0 ]; then
        printf '    - {protocol: a2a, surface: card_name, pattern: {target: name, condition: {contains: absent}}}\n'
    fi
    for i in $(seq "$1"); do
        case $((i % 2)) in
        0) printf '    - {surface: tool_arguments, pattern: {target: arguments.query, condition: {contains: absent words %s}}}\n' "$i" ;;
        1) printf '    - {surface: tool_response, pattern: {target: "content[*].text", condition: {contains: absent words %s}}}\n' "$i" ;;
        esac
    done
}
# The same of the revision 2026-03, in texts or, as JSON, in all that tools are called with.
later() {
    printf 'oatf: "0.1"\nattack:\n  id: BENCH-001\n  execution: {mode: mcp_server, state: {}}\n  indicators:\n'
    for i in $(seq 5); do
        printf '    - {surface: tools/call, direction: request, target: "%s", pattern: {contains: absent words %s}}\n' "$1" "$i"
        printf '    - {surface: tools/call, direction: response, target: "%s", pattern: {contains: absent words %s}}\n' "$2" "$i"
    done
}
go build -o "$out/captures" ./testdata/bench/captures
mkdir "$out/library"
document 0 >"$out/decode.yaml"
document 10 >"$out/ten.yaml"
later arguments.query 'content[*].text' >"$out/later.yaml"
later arguments content >"$out/coerced.yaml"
for i in $(seq 60); do document 10 | sed "s/absent words/words of $i that are absent/" >"$out/library/$i.yaml"; done
"$out/captures" -total 100000000 >"$out/100mb.jsonl"
"$out/measure" -n 5 \
    "eval: decoding 100 MB" "$cupel" oatf eval "$out/decode.yaml" --trace "$out/100mb.jsonl" -- \
    "eval: ten string indicators" "$cupel" oatf eval "$out/ten.yaml" --trace "$out/100mb.jsonl" -- \
    "eval: ten of 2026-03" "$cupel" oatf eval "$out/later.yaml" --trace "$out/100mb.jsonl" -- \
    "eval: ten of 2026-03, on JSON" "$cupel" oatf eval "$out/coerced.yaml" --trace "$out/100mb.jsonl"
"$out/measure" -n 3 \
    "eval: 1 document, 100 MB" "$cupel" oatf eval "$out/library/1.yaml" --trace "$out/100mb.jsonl" -- \
    "eval: 60 documents, 100 MB" "$cupel" oatf eval "$out/library" --trace "$out/100mb.jsonl"
rm "$out/100mb.jsonl"
"$out/captures" -total 10000000 >"$out/10mb.jsonl"
"$out/captures" -messages 1000000 -bytes 200 >"$out/million.jsonl"
"$out/captures" -total 1000000000 >"$out/1gb.jsonl"
"$out/measure" -n 1 \
    "eval: 10 MB" "$cupel" oatf eval "$out/ten.yaml" --trace "$out/10mb.jsonl" -- \
    "eval: 1,000,000 messages" "$cupel" oatf eval "$out/ten.yaml" --trace "$out/million.jsonl" -- \
    "eval: 1 GB" "$cupel" oatf eval "$out/ten.yaml" --trace "$out/1gb.jsonl"
rm "$out/1gb.jsonl" "$out/million.jsonl"

go test -run '^$' -bench 'StringOperators|Regex' -benchtime "${BENCH_RUNS:-20}x" -tags urfave_cli_no_docs ./oatf/internal/primitive |
    awk '
        /x-floor/ { sub(/^Benchmark/, "", $1); for (i = 3; i < NF; i++) if ($(i+1) == "x-floor") { printf "%-44s %6.2f x\n", $1, $i; n++ } }
        END { if (n < 10) { print "oatf.sh: only " n " operators measured"; exit 1 } }'

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
