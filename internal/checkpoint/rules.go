package checkpoint

import (
	_ "embed"
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/finding"
)

type rule uint8

const (
	ruleShape rule = iota
	ruleSignature
	ruleUnknownKey
	ruleOrigin
	ruleTruncated
	ruleFork
	ruleRewritten
	ruleRollback
	ruleQuorum
	ruleFuture
	ruleProof
)

const flags = "--checkpoint"

var rules = finding.Table{
	ruleShape: {
		ID: "checkpoint.shape", Title: "the text is not a checkpoint", Severity: finding.Error, Class: "invalid", Clause: "tlog-checkpoint, signed-note", Flags: flags,
		Rationale: "A checkpoint is a signed note with the origin, the size and the root of a tree. Only the bytes that a signer writes for these values are accepted, so a changed byte cannot keep its meaning.",
	},
	ruleSignature: {
		ID: "checkpoint.signature", Title: "a signature does not match the checkpoint", Severity: finding.Error, Class: "invalid", Clause: "signed-note, tlog-cosignature", Flags: flags,
		Rationale: "A known key's line must hold a signature of this text by this key. If it does not, the checkpoint or the signature was changed, and no other signature makes up for it.",
	},
	ruleUnknownKey: {
		ID: "checkpoint.unknown_key", Title: "no known key has signed the checkpoint", Severity: finding.Error, Class: "invalid", Clause: "signed-note", Flags: flags,
		Rationale: "Anyone can compute the tree of an edited log and sign it with a key of their own. Only a signature by a key that you had from elsewhere says who made the checkpoint.",
	},
	ruleOrigin: {
		ID: "checkpoint.origin", Title: "the origin is not the name of the key", Severity: finding.Warning, Clause: "tlog-checkpoint", Flags: flags,
		Rationale: "A log signs under its origin. A key that signs for several origins lets the checkpoint of one log pass for that of another.",
	},
	ruleTruncated: {
		ID: "checkpoint.truncated", Title: "the log is shorter than the checkpoint", Severity: finding.Error, Class: "invalid", Clause: "RFC 6962 §2.1", Flags: flags,
		Rationale: "A log only grows. If it has fewer events than its checkpoint covers, events at the end were removed: the rest of the log does not show that.",
	},
	ruleFork: {
		ID: "checkpoint.fork", Title: "the log and the checkpoint have the same size but other content", Severity: finding.Error, Class: "invalid", Clause: "RFC 6962 §2.1", Flags: "--checkpoint --checkpoint-state",
		Rationale: "One size has one root. Another root means that events were changed and all hashes renewed, or that the log shows different histories to different readers.",
	},
	ruleRewritten: {
		ID: "checkpoint.rewritten", Title: "the log does not begin with the events of the checkpoint", Severity: finding.Error, Class: "invalid", Clause: "RFC 6962 §2.1.2", Flags: "--checkpoint --checkpoint-state",
		Rationale: "A log may continue after its checkpoint, but the events that the checkpoint covers must stay as they are, byte by byte.",
	},
	ruleRollback: {
		ID: "checkpoint.rollback", Title: "the checkpoint is older than one that was seen", Severity: finding.Error, Class: "invalid", Clause: "tlog-checkpoint", Flags: "--checkpoint-state",
		Rationale: "An old checkpoint with the log of that time is consistent and correctly signed. Only a reader that remembers a newer one detects that events are missing.",
	},
	ruleQuorum: {
		ID: "checkpoint.quorum", Title: "too few witnesses have cosigned the checkpoint", Severity: finding.Error, Class: "invalid", Clause: "tlog-policy", Flags: "--policy --vkey",
		Rationale: "A log's own signature does not exclude a second history. Witnesses cosign only what continues what they saw before; the policy says how many of them are enough.",
	},
	ruleFuture: {
		ID: "checkpoint.future", Title: "a cosignature has a time in the future", Severity: finding.Warning, Clause: "tlog-cosignature", Flags: "--policy --vkey",
		Rationale: "The time says when the witness saw the checkpoint. A time in the future comes from a wrong clock, there or here.",
	},
	ruleProof: {
		ID: "checkpoint.proof", Title: "the proof does not lead from the event to the checkpoint", Severity: finding.Error, Class: "invalid", Clause: "tlog-proof; RFC 6962 §2.1.1", Flags: "cupel trace verify-proof",
		Rationale: "The leaf of the line, hashed with each hash of the proof, must give the root of the checkpoint. A proof of another event, index or tree gives another root.",
	},
}

// examplesText has the examples of the rules: "=== ID bad" or "=== ID good", then files, each after "-- NAME --". The
// lines before the first file are a command line.
//
//go:embed examples.txt
var examplesText string

// Rules returns the rules of checkpoints and their proofs.
func Rules() []finding.Rule {
	list := slices.Clone(rules)
	byName := map[string]string{}
	for part := range strings.SplitSeq("\n"+examplesText, "\n=== ") {
		name, text, _ := strings.Cut(part, "\n")
		byName[name] = strings.TrimSuffix(text, "\n") + "\n"
	}
	for i := range list {
		list[i].Bad, list[i].Good = byName[list[i].ID+" bad"], byName[list[i].ID+" good"]
	}
	return list
}
