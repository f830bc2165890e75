package trace

import (
	"slices"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/transcript/check"
	"github.com/cupel-dev/cupel/trace/internal/reasoning"
	"github.com/cupel-dev/cupel/trace/internal/session"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// rule is the handle of a rule that concerns inputs of every family.
type rule uint8

const (
	familyUnknown rule = iota
	digestDiffers
	beginningDiffers
	logRotated
	logRewritten
	segmentEmpty
	logWrapped
	sessionsDiffer
)

var rules = finding.Table{
	familyUnknown: {
		ID: "envelope.unknown", Title: "the first record belongs to no known family", Severity: finding.Error, Class: "rejected",
		Clause:    "family detection",
		Rationale: "The members of the first record tell reasoning traces and session logs apart. A log of another kind is not silently passed.",
	},
	digestDiffers: {
		ID: "anchor.sha256", Title: "the file's digest is not the expected one", Severity: finding.Error, Class: "invalid",
		Clause:    "--expect-sha256",
		Rationale: "A trace carries no signature: whoever rewrites it can renew every hash in it. Only a digest kept elsewhere shows that.",
		Flags:     "--expect-sha256",
	},
	beginningDiffers: {
		ID: "anchor.prefix", Title: "the file does not begin as it did", Severity: finding.Error, Class: "invalid",
		Clause:    "--anchor, --state",
		Rationale: "A log only grows: the bytes that an anchor or a state knows must still be its beginning. Where they are not, the log was cut, replaced or rewritten.",
		Flags:     "--anchor --state",
	},
	logRotated: {
		ID: "log.rotated", Title: "another file took the place of the log that was followed", Severity: finding.Warning,
		Clause:    "--follow",
		Rationale: "A log ends when its file loses its name to another. The new file is judged as a log of its own: nothing shows that it continues the one before, nor that the one before was kept.",
		Flags:     "--follow",
	},
	logRewritten: {
		ID: "log.rewritten", Title: "bytes that were verified are not in the log any more", Severity: finding.Error, Class: "invalid",
		Clause:    "--follow",
		Rationale: "A log only grows. One that was cut or changed in place is not what was verified, however well its hashes fit: it is verified anew from its beginning, and stays invalid. Rotate logs by renaming them, not by cutting them.",
		Flags:     "--follow",
	},
	segmentEmpty: {
		ID: "segment.empty", Title: "a segment of the chain has no content", Severity: finding.Warning,
		Clause:    "--chain",
		Rationale: "A rotated log goes on in the next file. One that holds nothing may have just been opened, or may have lost what it held: where it stands in the middle, the numbers and links of the events around it tell; at the end, nothing does.",
		Flags:     "--chain",
	},
	sessionsDiffer: {
		ID: "anchor.session", Title: "the log does not have the sessions of its anchor", Severity: finding.Error, Class: "invalid",
		Clause: "--anchor with --by", Flags: "--anchor --by --growing",
		Rationale: "Nothing links one session with another, so a whole session can be deleted or added without a mark. An anchor over all sessions, kept elsewhere, shows it.",
	},
	logWrapped: {
		ID: "log.wrapped", Title: "something is wrapped around the log's records", Severity: finding.Error, Class: "rejected",
		Clause:    "family detection",
		Rationale: "A container runtime, a log shipper, grep or a formatter put something around each record. What is inside may be whole: unwrap it and verify that. Other findings would be about the wrapper, so this is the only one.",
	},
}

// Rules returns the rules of every family, in the order of the documentation. An id
// that several families share appears once, in the words of the first of them.
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
