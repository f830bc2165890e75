package evidence

import (
	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/finding"
)

// Finding is one fault, or one note, at one place of one input.
type Finding = finding.Finding

// Rule is one row of the rule table.
type Rule = finding.Rule

// Sum is a SHA-256 digest; its String method writes the text form.
type Sum = digest.Sum

// Match says how an event's recorded content hash compares with the computed one.
type Match uint8

// The comparisons. Unknown: nothing is recorded, or nothing could be computed.
const (
	Unknown Match = iota
	Same
	Different
)

// Event is the answer for one event. Its byte slices may be parts of the event's own
// text and are valid as long as that is.
type Event struct {
	Line     int    // 1-based number of the line that the event begins on
	Alone    bool   // the input is this one event, not a stream
	ID       []byte // the member id when it is a string, else nil
	Recorded []byte // the recorded content hash: the text of a string, the JSON of any other value, nil when absent or null

	Hashed   bool // Sum is the content hash; false when a fault leaves none
	Sum      Sum
	Match    Match
	Envelope Sum // digest of the canonical whole event, when Options.EnvelopeDigest asked for it and Hashed

	Counts      Counts    // of all findings, the omitted ones too
	Findings    []Finding // in the order of their places, at most Options.MaxFindings
	Explanation *Explanation

	text []byte // the event's own bytes
	end  int64  // where the input goes on after the event and its line end
}

// ContentHash returns the content hash in text form, "" when there is none.
func (e *Event) ContentHash() string {
	if !e.Hashed {
		return ""
	}
	return e.Sum.String()
}

// EnvelopeDigest returns the digest of the canonical whole event in text form, "" when
// it was not asked for or there is none.
func (e *Event) EnvelopeDigest() string {
	if !e.Hashed || e.Envelope == (Sum{}) {
		return ""
	}
	return e.Envelope.String()
}

// Text returns the bytes that the event was read from, without the line's end. A
// line beyond the limit is cut.
func (e *Event) Text() []byte { return e.text }

// Counts are numbers of findings by severity.
type Counts struct {
	Errors, Warnings, Infos int
	Omitted                 int // of these, findings beyond Options.MaxFindings
}

func (c *Counts) add(s finding.Severity) {
	switch s {
	case finding.Error:
		c.Errors++
	case finding.Warning:
		c.Warnings++
	default:
		c.Infos++
	}
}

func (c *Counts) addAll(d Counts) {
	c.Errors += d.Errors
	c.Warnings += d.Warnings
	c.Infos += d.Infos
	c.Omitted += d.Omitted
}

// Engine is the implementation that makes canonical bytes.
type Engine uint8

// The engines: the package's own, the independent reference, or both with every
// answer compared.
const (
	Fast Engine = iota
	Reference
	Both
)

// Options say how events are hashed. The zero value hashes under version 1 of the
// contract with its default limits.
type Options struct {
	Limits Limits

	Check         bool // a recorded hash that differs, or is not there, is an error
	Strict        bool // an event without datacontenttype is an error
	ExactIntegers bool // an integer that RFC 8785 would round is an error

	EnvelopeDigest bool // also digest the whole event; no part of version 1
	Explain        bool // describe the hash input

	Engine      Engine
	Jobs        int // workers of HashStream; default: one for each processor
	MaxFindings int // findings kept for one input; default DefaultMaxFindings, negative: all
}

// DefaultMaxFindings bounds the findings kept for one input: beyond it they are
// counted, and a reader has seen enough.
const DefaultMaxFindings = 1000

func (o Options) withDefaults() Options {
	o.Limits = o.Limits.withDefaults()
	if o.MaxFindings == 0 {
		o.MaxFindings = DefaultMaxFindings
	}
	return o
}
