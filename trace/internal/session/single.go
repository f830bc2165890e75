package session

import (
	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// Single checks single events outside of a log. It is not safe for concurrent use.
type Single struct {
	env     *envelope
	scanner *strictjson.Scanner
	shape   shapeReader
	fields  fieldReader
	hashes  hasher
	record  record
	covered []strictjson.Node
}

// Event is the position of one event in the chain, and whether its own hashes match.
type Event struct {
	Place           // but for Session
	Computed Key    // of its members under RFC 8785
	Holds    bool   // both the event's hash and its payload's hold
	Named    string // its session id; "" for none
}

// NewSingle returns a checker for events of a family with hashes. opt must have passed Options.Check.
func NewSingle(family string, limits stream.Limits, opt Options) *Single {
	env := envelopeOf(family)
	profiles, _ := profilesOf(opt.Canonicalization)
	return &Single{
		env: env, scanner: limits.WithDefaults().Scanner(), shape: shapeReader{env: env, required: env.required()},
		fields: fieldReader{env: env}, hashes: newHasher(profiles, Fast, nil),
	}
}

// First returns the sequence number of a log's first event.
func (s *Single) First() uint64 { return s.env.first }

// Read checks a line; ok is false unless it is an event of the family.
func (s *Single) Read(line []byte) (out Event, ok bool) {
	doc, err := s.scanner.Scan(line)
	if err != nil || !doc.Root().Is(strictjson.Object) {
		return Event{}, false
	}
	at := batchFindings{findings: stream.NewFindings(0)}
	e := event{line: source.Line{Number: 1, Bytes: line, Size: int64(len(line)), Terminated: true}}
	s.record.begin(e.line, doc, &at, 0)
	if _, good := s.shape.read(&s.record, &e); !good {
		return Event{}, false
	}
	if s.fields.read(&s.record, &e); s.env.number != noMember && !e.numbered {
		return Event{}, false
	}
	out = Event{Place: placeOf(&e, s.env), Named: e.stringOf(sessionID), Holds: true}
	covered := s.record.covered
	if !s.env.whole {
		var recorded link
		recorded.read(s.record.nodes[payloadHash])
		bit, _, _ := s.hashes.match(recorded, s.record.nodes[payloadMember])
		out.Holds = bit != 0
		s.covered = s.covered[:0]
		for _, m := range signed {
			s.covered = append(s.covered, s.record.nodes[m])
		}
		covered = s.covered
	}
	bit, computed, _ := s.hashes.matchObject(e.hash, covered)
	out.Computed, out.Holds = keyOf(computed), out.Holds && bit != 0
	return out, true
}

// Strangers returns the spans, including keys, of members that are not part of the envelope.
func (s *Single) Strangers(root strictjson.Node) (list [][2]int) {
	for n := range root.Children() {
		from, _ := n.KeySpan()
		if from < 0 {
			return nil // the elements of an array have no names
		}
		if m := memberOf(n); m == noMember || s.env.shapes[m] == stranger {
			_, to := n.Span()
			list = append(list, [2]int{from, to})
		}
	}
	return list
}
