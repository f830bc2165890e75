package format

import "github.com/cupel-dev/cupel/trace/internal/reasoning/fault"

// Claim is a claim as its event makes it.
type Claim struct {
	Type       Text
	Derived    bool // must be derived from something
	Statement  Text
	SupportsAt fault.Place
	Supports   []Support
	// Cited is the supports, followed by markers of the statement without a support. Markers of
	// underived claims are plain text.
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

// Support is one citation: an element of a claim's supports, or a marker in its statement.
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

// RefAt returns the position of the reference, or where it is missing.
func (s *Support) RefAt() fault.Place {
	if s.Ref.Bytes == nil {
		return s.At
	}
	return s.Ref.At
}

// Comparable reports whether the hash can be compared with bytes at all.
func (s *Support) Comparable() bool { return s.Snippet.Valid && s.KnownAlgo() }

// KnownAlgo reports whether the hash is a SHA-256 as far as the support says.
func (s *Support) KnownAlgo() bool { return s.Algo.Bytes == nil || string(s.Algo.Bytes) == "sha256" }

// Path returns the path of a member of the support in an event, of the support itself for "". A marker is one text.
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

// Marker is a marker in a claim's statement that cites no bytes.
type Marker struct {
	At    fault.Place
	Text  []byte
	Lacks string // what a legacy marker lacks, as in "no hash"; "" for a misspelled one
}
