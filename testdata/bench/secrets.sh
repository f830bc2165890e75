#!/bin/sh
# How fast `evidence redact` and `evidence lint` look for secrets and home folders in texts:
# for each rule the slowest of the texts that are the worst for it (a megabyte each), and
# texts of events in which there is nothing; beside SHA-256 of as many bytes in the same run.
# Target: no rule below 50 MB/s on a machine that has both processors for it.
set -eu
go test -run '^$' -bench 'Worst|Floor|Event' -benchtime "${BENCH_RUNS:-20}x" -tags urfave_cli_no_docs ./evidence/internal/secrets |
    awk '
        /^BenchmarkFloor/ { for (i = 3; i < NF; i++) if ($(i+1) == "MB/s") printf "%-24s %8.0f MB/s\n", "SHA-256", $i }
        /^BenchmarkEvent/ { for (i = 3; i < NF; i++) if ($(i+1) == "MB/s") printf "%-24s %8.0f MB/s\n", "texts of events", $i }
        /^BenchmarkWorst/ {
            sub(/^BenchmarkWorst\//, "", $1); sub(/-[0-9]+$/, "", $1)
            for (i = 3; i < NF; i++) if ($(i+1) == "slowest-MB/s") {
                printf "%-24s %8.0f MB/s%s\n", $1, $i, $i < 50 ? "  below 50" : ""
                n++
            }
        }
        END { if (n < 15) { print "secrets.sh: only " n " rules measured"; exit 1 } }'
