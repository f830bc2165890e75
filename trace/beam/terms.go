package main

import (
	"flag"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cupel-dev/cupel/internal/unpack"
	"github.com/cupel-dev/cupel/trace"
)

// terms are the flags of `cupel trace verify` that apply to every log. They are sent to workers, so that they must
// not contain keys.
type terms struct {
	SchemaVersions                                                               string
	Strict, Contiguous, AcceptAliases, CheckIDs, Manifest                        bool
	NoEvidence, IntegrityOnly, StrictPayload                                     bool
	Canonicalization                                                             string
	MaxFindings, MaxLineBytes, MaxDepth, MaxKeys, MaxValues, MaxIDs, MaxSessions int
	MaxDecoded                                                                   size
}

func (t *terms) flags(set *flag.FlagSet) {
	set.StringVar(&t.SchemaVersions, "schema-versions", "1", "accepted trace schema `VERSIONS`, comma-separated")
	set.BoolVar(&t.Strict, "strict", false, "reject what is otherwise assumed with a warning")
	set.BoolVar(&t.Contiguous, "contiguous", false, "require idx to run 0, 1, 2, …")
	set.BoolVar(&t.AcceptAliases, "accept-aliases", false, "read the member names of old writers")
	set.BoolVar(&t.CheckIDs, "check-ids", false, "require the trace id to fit the content")
	set.BoolVar(&t.Manifest, "manifest", false, "require manifest.json beside the trace to fit the files")
	set.BoolVar(&t.NoEvidence, "no-evidence", false, "do not read evidence files")
	set.BoolVar(&t.IntegrityOnly, "integrity-only", false, "leave payload rules out: only hashes, order and seals")
	set.BoolVar(&t.StrictPayload, "strict-payload", false, "refuse payload members outside the tables")
	set.StringVar(&t.Canonicalization, "canonicalization", "auto", "`PROFILE` that hashes are recomputed under: auto, strict (RFC 8785 alone) or the name of one")
	set.IntVar(&t.MaxFindings, "max-findings", 0, "keep at most `N` errors and N notes of a log and count the rest (default 1000)")
	set.IntVar(&t.MaxLineBytes, "max-line-bytes", 0, "longest line in `BYTES` (default 16 MiB)")
	set.IntVar(&t.MaxDepth, "max-depth", 0, "deepest `NESTING` of a line (default 128)")
	set.IntVar(&t.MaxKeys, "max-keys", 0, "most `MEMBERS` of one object (default 100000)")
	set.IntVar(&t.MaxValues, "max-values", 0, "most `VALUES` of one line, at 28 bytes each (default 1000000)")
	set.IntVar(&t.MaxIDs, "max-ids", 0, "most distinct `IDS` of a log to remember, at 32 bytes each (default 4000000)")
	t.MaxDecoded = size(unpack.DefaultMaxText)
	set.Var(&t.MaxDecoded, "max-decoded", "unpack at most `SIZE` of the text of a compressed log")
	set.IntVar(&t.MaxSessions, "max-sessions", 0, "most `SESSIONS` in one range with --mode sessions (default 10000)")
}

// options converts the terms to options of the library. A worker verifies a log on one core, because the engine
// runs several workers.
func (t *terms) options() (trace.Options, error) {
	opt := trace.Options{
		Jobs: 1, Inline: true, Strict: t.Strict, Diagnose: true,
		Limits: trace.Limits{LineBytes: t.MaxLineBytes, Depth: t.MaxDepth, Keys: t.MaxKeys, Values: t.MaxValues, Findings: t.MaxFindings, IDs: t.MaxIDs, Sessions: t.MaxSessions},
		Reasoning: trace.ReasoningOptions{
			Contiguous: t.Contiguous, AcceptAliases: t.AcceptAliases, CheckIDs: t.CheckIDs, Manifest: t.Manifest, NoEvidence: t.NoEvidence,
		},
		Session: trace.SessionOptions{IntegrityOnly: t.IntegrityOnly, StrictPayload: t.StrictPayload, Canonicalization: t.Canonicalization},
	}
	if t.IntegrityOnly && t.StrictPayload {
		return opt, fmt.Errorf("--integrity-only skips payloads, but --strict-payload checks them")
	}
	if known := trace.Canonicalizations(); !slices.Contains(known, t.Canonicalization) {
		return opt, fmt.Errorf("--canonicalization is %q, expected one of %s", t.Canonicalization, strings.Join(known, ", "))
	}
	for _, limit := range []struct {
		flag  string
		value int
	}{
		{"max-findings", t.MaxFindings},
		{"max-line-bytes", t.MaxLineBytes},
		{"max-depth", t.MaxDepth},
		{"max-keys", t.MaxKeys},
		{"max-values", t.MaxValues},
		{"max-ids", t.MaxIDs},
		{"max-sessions", t.MaxSessions},
	} {
		if limit.value < 0 {
			return opt, fmt.Errorf("--%s is %d, expected at least 1", limit.flag, limit.value)
		}
	}
	for word := range strings.SplitSeq(t.SchemaVersions, ",") {
		version, err := strconv.ParseInt(strings.TrimSpace(word), 10, 64)
		if err != nil || version < 1 {
			return opt, fmt.Errorf("--schema-versions is %q, expected positive integers", word)
		}
		opt.Reasoning.SchemaVersions = append(opt.Reasoning.SchemaVersions, version)
	}
	return opt, nil
}
