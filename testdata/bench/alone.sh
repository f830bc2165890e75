#!/bin/sh
# What a program carries that imports one package alone and calls its main function: its
# stripped size, the packages and modules that it links, and whether net/http is one of
# them. The bare program is what Go itself costs.
# Target: net/http with the reference engine only, which a program imports by itself.
set -eu
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
row="%-16s %12s %10s %9s  %s\n"
printf "$row" program bytes packages modules net/http
for program in bare alone/trace alone/trace+reference alone/oatf alone/evidence alone/attest; do
    folder=./testdata/bench/$program
    CGO_ENABLED=0 go build -trimpath -ldflags '-s -w' -tags urfave_cli_no_docs -o "$out/program" "$folder"
    go list -deps "$folder" >"$out/packages"
    modules=$(go list -deps -f '{{with .Module}}{{if not .Main}}{{.Path}}{{end}}{{end}}' "$folder" | sort -u | grep -c . || true)
    network=no
    if grep -qx net/http "$out/packages"; then network=yes; fi
    printf "$row" "${program#alone/}" "$(wc -c <"$out/program")" "$(wc -l <"$out/packages")" "$modules" "$network"
done
