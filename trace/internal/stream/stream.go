// Package stream runs the lines of a log through a checker: cut into blocks, read
// over all cores, put together in file order. It is what the families of trace
// share, and it knows nothing of any of them.
//
// A family splits its work in two. A Worker does what one line needs alone (shape,
// types, canonical bytes, hashes) on whatever core is free. The function that the
// worker's Flush returns does what needs the lines before (order, links, state); the
// functions of all blocks run one after another on one goroutine, in file order.
//
// Memory is a few blocks, the workers' records of them, and the family's own state.
package stream

import (
	"fmt"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// Finding is what every checker yields.
type Finding = finding.Finding

// Line is one physical line, or one element of an array.
type Line = source.Line

// Checker verifies the logs of one family.
type Checker interface {
	// Worker returns a new reader of single lines. Each works on one goroutine.
	Worker() Worker
	// Finish says what only the end can tell. It runs after the last block.
	Finish() (Outcome, error)
}

// Worker reads lines of one block after another.
type Worker interface {
	// Line takes a line that is one JSON object. The document is valid during the
	// call, the line's bytes until the function that Flush returns has run.
	Line(l Line, doc *strictjson.Document)
	// Unreadable takes a line that is no JSON object.
	Unreadable(l Lost)
	// Flush ends the block. The function it returns, which may be nil, runs in file
	// order and is the only place that may touch the family's state and findings.
	Flush() func() error
}

// Lost is a line that cannot be read.
type Lost struct {
	Line  Line    // its bytes may be gone
	Fault Finding // made already
	Cut   bool    // it ends inside its record: a writer that crashed, a partial copy
	Glued int     // further records on it, which are lost with the first
}

// Outcome is a family's part of a report.
type Outcome struct {
	Integrity        Integrity     // session logs; "" where there is none
	EvidenceClass    EvidenceClass // session logs; "" where there is none
	Canonicalization []string
	Events           int64
	Header           int64  // lines that are a header
	Misfits          int64  // readable lines that are neither event nor header
	Head             string // the last event's hash; "" when the format has none
	Damage           []Damage
	Short            []Damage      // those of Damage that something outside the log tells
	Signatures       *Signatures   // nil where the format has none
	SignatureKey     *SignatureKey // of valid signatures; nil where there are none
	NotCovered       []string      // what the verdict does not prove
	Sealed, Finished bool          // of a session log: it ends with a complete seal; it has an end
}

// Limits bound what one input may ask for. Zero fields mean the defaults.
type Limits struct {
	LineBytes int // the longest line; default source.DefaultMaxLine, 16 MiB
	Depth     int // nested containers of a line; default strictjson.DefaultDepth, 128
	Keys      int // members of one object; default strictjson.DefaultKeys, 100,000
	Values    int // values of one line, nested ones too; default 1,000,000, at 28 bytes each
	Findings  int // findings that are kept, per stage; the rest is counted; default 1,000
	IDs       int // distinct ids that are remembered; default 4,000,000, at 32 bytes each
	Sessions  int // logs of one input that are open at a time; default 10,000
	Ended     int // logs of one input that have ended, at 512 bytes each; default 100,000
}

// The defaults of the limits that are this package's own.
const (
	DefaultValues   = 1_000_000
	DefaultFindings = 1_000
	DefaultIDs      = 4_000_000
	DefaultSessions = 10_000
	DefaultEnded    = 100_000
)

// WithDefaults fills in the zero fields.
func (l Limits) WithDefaults() Limits {
	set := func(limit *int, value int) {
		if *limit <= 0 {
			*limit = value
		}
	}
	set(&l.LineBytes, source.DefaultMaxLine)
	set(&l.Depth, strictjson.DefaultDepth)
	set(&l.Keys, strictjson.DefaultKeys)
	set(&l.Values, DefaultValues)
	set(&l.Findings, DefaultFindings)
	set(&l.IDs, DefaultIDs)
	set(&l.Sessions, DefaultSessions)
	set(&l.Ended, DefaultEnded)
	return l
}

// Scanner returns a scanner of lines under the limits.
func (l Limits) Scanner() *strictjson.Scanner {
	return strictjson.NewScanner(strictjson.Limits{TextBytes: l.LineBytes + 1, Depth: l.Depth, Keys: l.Keys, Values: l.Values})
}

// LimitError says that an input asks for more than a limit allows, so that no answer
// can be given.
type LimitError struct {
	What  string // what there is too much of
	Limit int
	Flag  string // the flag that raises the limit
}

func (e *LimitError) Error() string { return fmt.Sprintf("more than %d %s", e.Limit, e.What) }
