// Package stream runs the lines of a log through a checker: split into blocks, read concurrently, combined in file
// order. The families of package trace share it.
//
// A Worker does the work on single lines (shape, types, canonical bytes, hashes) concurrently. The function
// returned by its Flush does the work that depends on earlier lines (order, links, state), sequentially in file
// order.
//
// Memory is a few blocks, the workers' results and the family's state.
package stream

import (
	"fmt"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/cite"
	"github.com/cupel-dev/cupel/internal/segments"
	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

type Finding = finding.Finding

// Line is one physical line, or one element of an array.
type Line = source.Line

// Checker verifies the logs of one family.
type Checker interface {
	// Worker returns a new worker, which is not safe for concurrent use.
	Worker() Worker
	// Finish runs the final checks after the last block.
	Finish() (Outcome, error)
}

// Worker reads the lines of one block after another.
type Worker interface {
	// Line processes a JSON object. The document is valid during the call, the bytes until Flush's function has run.
	Line(l Line, doc *strictjson.Document)
	// Unreadable processes a line that is not a JSON object.
	Unreadable(l Lost)
	// Flush ends the block. The function that it returns, if not nil, runs in file order. Only this function can
	// change the family's state and findings.
	Flush() func() error
}

// Lost is a line that cannot be read.
type Lost struct {
	Line  Line    // its bytes can be gone
	Fault Finding // made already
	Cut   bool    // it ends inside its record: a writer that crashed, a partial copy
	Glued int     // further records on it, which are lost with the first
}

// Outcome is a family's part of a report.
type Outcome struct {
	Integrity        Integrity     // session logs, or ""
	EvidenceClass    EvidenceClass // session logs, or ""
	Canonicalization []string
	Events           int64
	Header           int64  // lines that are a header
	Misfits          int64  // readable lines that are neither event nor header
	Head             string // hash of the last event, or ""
	Damage           []Damage
	Short            []Damage         // damage found by external knowledge
	Signatures       *Signatures      // nil if the format has none
	SignatureKey     *SignatureKey    // of valid signatures, or nil
	Cited            *cite.Counts     // citations of sources, or nil if they were not checked
	NotCovered       []string         // what the verdict does not prove
	Sealed, Finished bool             // of a session log: it ends with a complete seal; it has an end
	Session          string           // id of the first event with one, or ""
	Before           *segments.Before // the session that it continues, or nil
}

// Limits limits the resources that one input can use. Zero means the default.
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

// The defaults of the limits.
const (
	DefaultValues   = 1_000_000
	DefaultFindings = 1_000
	DefaultIDs      = 4_000_000
	DefaultSessions = 10_000
	DefaultEnded    = 100_000
)

// WithDefaults replaces zero fields by defaults.
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

func (l Limits) Scanner() *strictjson.Scanner {
	return strictjson.NewScanner(strictjson.Limits{TextBytes: l.LineBytes + 1, Depth: l.Depth, Keys: l.Keys, Values: l.Values})
}

// LimitError reports an input that exceeds a limit.
type LimitError struct {
	What  string // what exceeds the limit
	Limit int
	Flag  string // the flag that raises the limit
}

func (e *LimitError) Error() string { return fmt.Sprintf("more than %d %s", e.Limit, e.What) }
