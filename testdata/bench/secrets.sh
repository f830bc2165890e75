#!/bin/sh
# How fast texts are searched for secrets, personal data and home folders: texts in which there is
# nothing, source code, and the texts that are the worst for a rule, of a megabyte each, compared with
# the SHA-256 of such a text in the same run. The last row is the slowest text.
# Target: no text below 20 MB/s on a machine that has both processors for it.
set -eu
go test -run '^$' -bench 'Scan|Sum' -benchtime "${BENCH_RUNS:-20}x" -tags urfave_cli_no_docs ./internal/secrets |
    awk '
        function row(name, mb) { printf "%-24s %8.0f MB/s %8.1fx%s\n", name, mb, sum / mb, mb < 20 ? "  below 20" : "" }
        /^Benchmark/ {
            sub(/^BenchmarkScan\//, "", $1); sub(/-[0-9]+$/, "", $1)
            for (i = 3; i < NF; i++) if ($(i+1) == "MB/s") {
                if ($1 == "BenchmarkSum") { sum = $i; continue }
                texts[++n] = $1; of[n] = $i
                if (!worst || $i < of[worst]) worst = n
            }
        }
        END {
            if (n < 10 || !sum) { print "secrets.sh: only " n " texts measured"; exit 1 }
            row("SHA-256", sum)
            for (i = 1; i <= n; i++) row(texts[i], of[i])
            row("slowest: " texts[worst], of[worst])
        }'
