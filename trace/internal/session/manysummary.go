package session

import (
	"bytes"
	"crypto/ed25519"
	"encoding/binary"

	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/internal/stream"
	"github.com/cupel-dev/cupel/trace/internal/wire"
)

// Part is the summary of one session's lines in a range of a log.
type Part struct {
	ID           string // of the session, as reports show it; "" for the lines that name none
	Named        bool
	Key          [32]byte // identifies the session
	Facts        Facts
	Line         int // of the first record, in the range
	Findings     *stream.Findings
	Core, Column []byte
}

// Facts are properties of a session's first record that affect how its lines are read. A range that starts with
// another record can have been read under other facts.
type Facts struct {
	Family string // "": none of this package
	Key    ed25519.PublicKey
	Signed bool // events were signed, so the key matters
}

// Read reports whether f and g lead to the same reading of a line.
func (f Facts) Read(g Facts) bool {
	demanded := (f.Key == nil) == (g.Key == nil) // or not: of a log that announces a key, all events must be signed
	return f.Family == g.Family && demanded && (!f.Signed || f.Key.Equal(g.Key))
}

// Put writes facts.
func (f Facts) Put(w *wire.Writer) {
	w.Text(f.Family)
	w.Blob(f.Key)
	w.Bool(f.Signed)
}

// ReadFacts reads what Put wrote.
func ReadFacts(r *wire.Reader) (f Facts) {
	f.Family = r.Text()
	if key := r.Blob(); len(key) == ed25519.PublicKeySize || bytes.Equal(key, malformedKey) {
		f.Key = key
	} else if len(key) > 0 {
		r.Fail("an Ed25519 key of another length")
	}
	f.Signed = r.Bool()
	return f
}

// PartKey returns a session's short key for a range's list of sessions.
func PartKey(key [32]byte) uint64 { return binary.BigEndian.Uint64(key[:]) }

// Summaries creates the summaries of all sessions that have lines in a range of a log.
type Summaries struct{ *Sessions }

// NewSummaries returns a reader for a range of a log. first holds the facts of sessions that start before the
// range. The other parameters are those of NewSessions.
func NewSummaries(limits stream.Limits, opt Options, family func(strictjson.Node) string, first map[[32]byte]Facts) Summaries {
	opt.sums = true
	s := NewSessions(limits, opt, family)
	s.begin, s.first = s.summarize, map[sessionKey]facts{}
	s.what, s.strange = "sessions in a range", s.hold
	for key, f := range first {
		s.first[key] = facts{f.Family, f.Key, nil}
	}
	return Summaries{s}
}

func (s *Sessions) summarize(one *One) error {
	one.Findings = stream.NewFindings(s.limits.Findings)
	if one.Family == "" {
		return nil
	}
	made, err := NewSummarizer(one.Findings, s.limits, one.Family, one.facts.key, true, s.opt)
	if err == nil {
		one.taker = made
	}
	return err
}

// Parts returns the summaries, in the order of the sessions' first lines in the range.
func (s Summaries) Parts() (list []Part, err error) {
	for _, one := range s.list {
		p := Part{
			ID: one.ID, Named: one.Named, Key: one.key, Line: one.Line, Findings: one.Findings,
			Facts: Facts{Family: one.facts.family, Key: one.facts.key},
		}
		if made, ok := one.taker.(*Summarizer); ok {
			p.Facts.Signed = made.signed
			if p.Core, p.Column, err = made.Summary(); err != nil {
				return nil, err
			}
		}
		list = append(list, p)
	}
	return list, nil
}
