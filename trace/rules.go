package trace

import (
	"slices"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/segments"
	"github.com/cupel-dev/cupel/internal/transcript/check"
	"github.com/cupel-dev/cupel/trace/internal/reasoning"
	"github.com/cupel-dev/cupel/trace/internal/session"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// rule is the index of a rule that applies to all families.
type rule uint8

const (
	familyUnknown rule = iota
	digestDiffers
	beginningDiffers
	logRotated
	logRewritten
	segmentEmpty
	segmentBroken
	segmentMissing
	logWrapped
	sessionsDiffer
)

var rules = finding.Table{
	familyUnknown: {
		ID: "envelope.unknown", Title: "the first record has no known format", Severity: finding.Error, Class: "rejected",
		Clause:    "family detection",
		Rationale: "The members of the first record distinguish reasoning traces from session logs. A log of another format must not pass silently.",
	},
	digestDiffers: {
		ID: "anchor.sha256", Title: "the file's digest is not the expected one", Severity: finding.Error, Class: "invalid",
		Clause:    "--expect-sha256",
		Rationale: "A trace has no signature: anyone who rewrites it can recompute every hash. Only a digest that is kept elsewhere detects this.",
		Flags:     "--expect-sha256",
	},
	beginningDiffers: {
		ID: "anchor.prefix", Title: "the file does not begin as it did", Severity: finding.Error, Class: "invalid",
		Clause:    "--anchor, --state",
		Rationale: "A log only grows: the bytes that an anchor or a state knows must still be its beginning. Where they are not, the log was cut, replaced or rewritten.",
		Flags:     "--anchor --state",
	},
	logRotated: {
		ID: "log.rotated", Title: "the followed log was replaced by another file", Severity: finding.Warning,
		Clause:    "--follow",
		Rationale: "A log ends when its file loses its name to another. The new file is judged as a log of its own: nothing shows that it continues the one before, nor that the one before was kept.",
		Flags:     "--follow",
	},
	logRewritten: {
		ID: "log.rewritten", Title: "verified bytes are missing from the log", Severity: finding.Error, Class: "invalid",
		Clause:    "--follow",
		Rationale: "A log only grows. A log that was cut or changed in place is not the one that was verified, even if its hashes match: it is verified again from the start and stays invalid. Rotate logs by renaming them, not by truncating them.",
		Flags:     "--follow",
	},
	segmentEmpty: {
		ID: "segment.empty", Title: "a segment of the chain has no content", Severity: finding.Warning,
		Clause:    "--chain",
		Rationale: "A rotated log continues in the next file. An empty segment was just opened, or lost its content. In the middle of a chain, the numbers and links around it show a loss; at the end, nothing does.",
		Flags:     "--chain",
	},
	segmentBroken:  segments.Broken,
	segmentMissing: segments.Missing,
	sessionsDiffer: {
		ID: "anchor.session", Title: "the log does not have the sessions of its anchor", Severity: finding.Error, Class: "invalid",
		Clause: "--anchor with --by", Flags: "--anchor --by --growing",
		Rationale: "Nothing links one session with another, so a whole session can be deleted or added without a mark. An anchor over all sessions, kept elsewhere, shows it.",
	},
	logWrapped: {
		ID: "log.wrapped", Title: "the log's records are wrapped in other text", Severity: finding.Error, Class: "rejected",
		Clause:    "family detection",
		Rationale: "A container runtime, a log shipper, grep or a formatter added text around each record. The records inside can be intact: unwrap them and verify again. Other findings would be about the wrapper, so this is the only one.",
	},
}

// Rules returns the rules of all families in documentation order. A rule shared by several is listed once, as the
// first family documents it.
func Rules() []Rule {
	all := slices.Concat(rules, stream.Rules(), reasoning.Rules(), session.Rules(), check.Rules())
	seen := make(map[string]bool, len(all))
	all = slices.DeleteFunc(all, func(r Rule) bool {
		again := seen[r.ID]
		seen[r.ID] = true
		return again
	})
	return withExamples(all)
}
