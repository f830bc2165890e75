#!/bin/sh
# Start-up: `cupel version` beside two Go programs: one that only prints a word, and one
# that does so with the libraries of cupel linked in, whose own initialisation nobody
# who imports them can put off.
# Target: at most 7 ms over the bare program, of which the libraries take about 5.
set -eu
cupel=$1
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
go build -o "$out/measure" ./testdata/bench/measure
CGO_ENABLED=0 go build -trimpath -o "$out/bare" ./testdata/bench/bare
{
  echo 'package main'
  echo 'import "os"'
  go list -deps -f '{{if .Module}}{{if .Module.Main}}{{join .Imports "\n"}}{{end}}{{end}}' . |
    sort -u | grep '^[^/]*\.' | grep -v "^$(go list -m)/" | sed 's/.*/import _ "&"/'
  printf '%s\n' 'func main() { _, _ = os.Stdout.WriteString("libraries\n") }'
} > "$out/libraries.go"
CGO_ENABLED=0 go build -trimpath -tags urfave_cli_no_docs -o "$out/libraries" "$out/libraries.go"
"$out/measure" -n 40 "a bare Go program" "$out/bare" -- "cupel version" "$cupel" version
"$out/measure" -n 40 "the libraries alone" "$out/libraries" -- "cupel version" "$cupel" version
echo "target: the minimum and the median of cupel version within 7 ms of the bare program's"
