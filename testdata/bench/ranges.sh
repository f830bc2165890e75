#!/bin/sh
# A sealed session log of 300,000 events (about 185 MB) read as a whole, and in ranges of 32 MiB
# whose summaries are joined: `trace verify --range` for all ranges beside `trace verify`, what the
# summaries take beside the log, and `report merge` beside both. The reports are compared.
# BENCH_EVENTS asks for another size.
# Targets: all ranges at most 1.05 times the CPU time of the whole, and the merge at most 5 µs for
# each range and 0.06 µs for each event; at most 64 MiB in each.
set -eu
cupel=$1
events=${BENCH_EVENTS:-300000}
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
for tool in measure sessionlog; do go build -o "$out/$tool" "./testdata/bench/$tool"; done
"$out/sessionlog" "$events" >"$out/log.jsonl"
size=$(stat -c %s "$out/log.jsonl" 2>/dev/null || stat -f %z "$out/log.jsonl")
mkdir "$out/sums"
cat >"$out/ranges" <<END
#!/bin/sh
at=0
while [ \$at -lt $size ]; do
    "$cupel" trace verify --jobs 1 --range \$at:\$((at + 33554432)) --summary "$out/sums/\$at.cupelsum" "$out/log.jsonl"
    at=\$((at + 33554432))
done
END
chmod +x "$out/ranges"
"$out/measure" -n 3 \
    "trace verify, 1 job" "$cupel" trace verify --jobs 1 "$out/log.jsonl" -- \
    "all ranges, 1 job" "$out/ranges" -- \
    "report merge" "$cupel" report merge --jobs 1 "$out/sums"
ls -l "$out/sums" | awk -v size="$size" '{ sum += $5 } END { printf "%d summaries: %d bytes, %.1f %% of the log\n", NR - 1, sum, 100 * sum / size }'
"$cupel" trace verify --format json "$out/log.jsonl" >"$out/whole.json"
"$cupel" report merge --format json "$out/sums" | cmp - "$out/whole.json"
