package seal

import (
	"encoding/json"
	"errors"

	"github.com/cupel-dev/cupel/internal/jcs"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// The types that an attestation names, each a fixed text.
const (
	PayloadType   = "application/vnd.in-toto+json"
	StatementType = "https://in-toto.io/Statement/v1"

	// PredicateType is the evidence contract's predicate type.
	PredicateType = "https://docs.getassay.dev/attestation/evidence-bundle/v1"

	// TreePredicateType is specific to cupel and not in the contract: PredicateType's members and
	// the head of the tree over the content hashes.
	TreePredicateType = "https://github.com/cupel-dev/cupel/attestation/evidence-tree/v1"

	// RedactionPredicateType is specific to cupel and not in the contract: PredicateType's members
	// and the report on the redaction that made the bundle.
	RedactionPredicateType = "https://github.com/cupel-dev/cupel/attestation/evidence-redaction/v1"

	draftPredicateType = "https://docs.getassay.dev/attestation/evidence-bundle/v0"
)

const (
	predicateVersion = 1
	rootAlgorithm    = "assay-run-root-v1"
	treeAlgorithm    = "rfc6962-sha256"
)

// statement is the JSON form of an in-toto Statement, version 1.
type statement struct {
	Type          string    `json:"_type"`
	Subject       []subject `json:"subject"`
	PredicateType string    `json:"predicateType"`
	Predicate     predicate `json:"predicate"`
}

type subject struct {
	Name   string            `json:"name"`
	Digest map[string]string `json:"digest"`
}

type predicate struct {
	SchemaVersion int         `json:"schema_version"`
	Semantic      equivalence `json:"semantic_equivalence"`
	Run           run         `json:"run"`
	Extent        *Extent     `json:"extent,omitempty"`
	Tree          *tree       `json:"tree,omitempty"` // under TreePredicateType alone

	Redaction json.RawMessage `json:"redaction,omitempty"` // under RedactionPredicateType alone
}

type equivalence struct {
	Algorithm string `json:"algorithm"`
	Value     string `json:"value"`
}

type run struct {
	RunID      string   `json:"run_id"`
	EventCount int64    `json:"event_count"`
	Producer   Producer `json:"producer"`
	TimeWindow window   `json:"time_window"`
}

type window struct {
	Start string `json:"start"`
	End   string `json:"end"`
}

type tree struct {
	Algorithm string `json:"algorithm"`
	Size      int64  `json:"size"`
	Root      string `json:"root"`
}

// payload returns the canonical form of the statement about a bundle.
func (f Facts) payload() ([]byte, error) {
	s := statement{
		Type:          StatementType,
		Subject:       []subject{{f.BundleID, map[string]string{"sha256": f.SHA256.Hex()}}},
		PredicateType: PredicateType,
		Predicate: predicate{
			SchemaVersion: predicateVersion,
			Semantic:      equivalence{rootAlgorithm, f.RunRoot},
			Run:           run{f.RunID, f.Events, f.Producer, window{f.Start, f.End}},
			Extent:        f.Extent,
		},
	}
	switch {
	case f.Tree != nil && f.Redaction != nil:
		return nil, errors.New("an attestation covers either the tree or the redaction, not both")
	case f.Tree != nil:
		s.PredicateType = TreePredicateType
		s.Predicate.Tree = &tree{treeAlgorithm, f.Tree.Size, f.Tree.Root.String()}
	case f.Redaction != nil:
		s.PredicateType, s.Predicate.Redaction = RedactionPredicateType, f.Redaction
	}
	text, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	doc, err := scan(text)
	if err != nil {
		return nil, err
	}
	return jcs.NewWriter(nil).Append(nil, doc.Root()), nil
}

// MaxBytes limits an attestation and its payload. That of a bundle has two kilobytes plus names, that of a
// redaction about 200 bytes per change.
const MaxBytes = 4 << 20

func scan(text []byte) (*strictjson.Document, error) {
	return strictjson.NewScanner(strictjson.Limits{TextBytes: MaxBytes, Depth: 32}).Scan(text)
}
