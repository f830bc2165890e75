#!/bin/sh
# How fast texts are searched for secrets, personal data and home folders: texts in which there is
# nothing, source code, and the texts that are the worst for a rule, of a megabyte each.
# Target: no text below 20 MB/s on a machine that has both processors for it.
set -eu
go test -run '^$' -bench 'Scan' -benchtime "${BENCH_RUNS:-20}x" -tags urfave_cli_no_docs ./internal/secrets |
    awk '
        /^BenchmarkScan/ {
            sub(/^BenchmarkScan\//, "", $1); sub(/-[0-9]+$/, "", $1)
            for (i = 3; i < NF; i++) if ($(i+1) == "MB/s") { printf "%-24s %8.0f MB/s%s\n", $1, $i, $i < 20 ? "  below 20" : ""; n++ }
        }
        END { if (n < 10) { print "secrets.sh: only " n " texts measured"; exit 1 } }'
