package seal

import (
	"github.com/cupel-dev/cupel/evidence"
)

// Facts are an attestation's contents about a bundle, taken from a read and verified bundle.
type Facts struct {
	SHA256   evidence.Sum // of the bundle's bytes, the whole .tar.gz
	BundleID string       // in text form, as recomputed
	RunRoot  string       // in text form, as recomputed
	RunID    string
	Events   int64
	Producer Producer  // as the manifest names it
	Start    string    // earliest time of an event, RFC 3339 in UTC
	End      string    // latest
	Extent   *Extent   // nil: no statement about the extent
	Tree     *TreeHead // nil: no statement about the tree

	// Redaction is the report on the redaction that created the bundle, a JSON object of RedactionSchema, or nil.
	// It is not checked here.
	Redaction []byte
}

// RedactionSchema is the schema of redaction reports.
const RedactionSchema = "cupel.redaction/1"

// Producer is the program that made a run.
type Producer struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	Git     string `json:"git"` // revision; "" if unknown, as in the reference implementation
}

// TreeHead is the head of the RFC 6962 tree over a bundle's content hashes (see package proof).
type TreeHead struct {
	Size int64        // events
	Root evidence.Sum // root hash
}
