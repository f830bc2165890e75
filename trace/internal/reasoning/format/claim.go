package format

import "github.com/cupel-dev/cupel/trace/internal/reasoning/fault"

type Claim struct {
	Type       Text
	Derived    bool // must be derived from something
	Statement  Text
	SupportsAt fault.Place
	Supports   []Support
	// Cited contains the supports, followed by statement markers without a support. Markers of underived claims are
	// plain text.
	Cited  []Support
	Marked bool     // the statement has markers
	Loose  []Marker // those that cite no bytes
}

// Target is the kind of object that a support refers to.
type Target uint8

// The targets.
const (
	CitesEvidence Target = iota
	CitesClaim
	CitesCall
	CitesUnknown // a kind outside the set
)

// Support is a citation: an element of a claim's supports, or a marker in its statement.
type Support struct {
	Index   int // in the claim's supports; -1 for a marker
	At      fault.Place
	Target  Target
	Kind    Text // as written
	Ref     ID   // referenced id
	Span    Span
	Snippet Hash
	Algo    Text
}

// RefAt returns the position of the reference, or where it should be.
func (s *Support) RefAt() fault.Place {
	if s.Ref.Bytes == nil {
		return s.At
	}
	return s.Ref.At
}

// Comparable reports whether the hash can be compared with bytes.
func (s *Support) Comparable() bool { return s.Snippet.Valid && s.KnownAlgo() }

// KnownAlgo reports whether the hash is a SHA-256, or has no algorithm.
func (s *Support) KnownAlgo() bool { return s.Algo.Bytes == nil || string(s.Algo.Bytes) == "sha256" }

// Path returns the path of a support's member in its event, or of the support for "". A marker is a single text.
func (s *Support) Path(sink *fault.Sink, member string) string {
	if s.Index < 0 {
		return sink.Path("claim.statement")
	}
	at := location{sink.Path("claim.supports"), s.Index}
	if member == "" {
		return at.String()
	}
	return at.member(member)
}

// Marker is a marker in a claim's statement without a span.
type Marker struct {
	At    fault.Place
	Text  []byte
	Lacks string // what a legacy marker lacks, as in "no hash"; "" for a misspelled one
}
