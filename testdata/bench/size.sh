#!/bin/sh
# What the binary of a release weighs, and a program that has nothing but what cupel uses of other modules and
# of the standard library.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export CGO_ENABLED=0
go build -trimpath -tags urfave_cli_no_docs -ldflags '-s -w' -o "$work/cupel" .
mkdir "$work/used"
go run ./testdata/bench/used -tags urfave_cli_no_docs >"$work/used/main.go"
go build -trimpath -tags urfave_cli_no_docs -ldflags '-s -w' -o "$work/libraries" "$work/used/main.go"
for file in cupel libraries; do
    echo "$file: $(wc -c <"$work/$file") bytes, $(gzip -9 <"$work/$file" | wc -c) packed"
done
