package session

import (
	"time"

	"github.com/cupel-dev/cupel/internal/siphash"
	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// Seen is a record for display, valid during the call.
type Seen struct{ e *event }

// Line returns the record's line.
func (s Seen) Line() source.Line { return s.e.line }

// Lost returns the rule that explains why the record is not an event, or "".
func (s Seen) Lost() string { return s.e.lost.rule }

// Type returns the name of the event's type, which can be unknown.
func (s Seen) Type() string {
	if s.Lost() != "" {
		return ""
	}
	return s.e.stringOf(typeName)
}

// Number returns the event's sequence number; ok is false without one.
func (s Seen) Number() (number uint64, ok bool) { return s.e.number, s.e.numbered }

// Time returns the event's wall clock time; ok is false if it is missing or malformed.
func (s Seen) Time() (at time.Time, ok bool) {
	return time.Unix(s.e.wall, int64(s.e.nanos)).UTC(), s.e.marks.has(hasWall)
}

// Hash returns the event's hash as 64 lower-case digits, or "".
func (s Seen) Hash() string { return s.e.hash.head() }

// Payload returns the JSON of the event's payload, or nil.
func (s Seen) Payload() []byte {
	if s.Lost() != "" || !s.e.has(payloadMember) {
		return nil
	}
	return s.e.raw(payloadMember)
}

// IsStart reports whether the event starts a session.
func (s Seen) IsStart() bool { return s.e.kind == sessionStart }

// IsEnd reports whether the event ends a session.
func (s Seen) IsEnd() bool { return s.e.kind == sessionEnd }

// IsSeal reports whether the event seals the chain.
func (s Seen) IsSeal() bool { return s.e.kind == chainSeal }

// IsLoss reports whether the event states that other events were lost.
func (s Seen) IsLoss() bool { return s.e.kind == logDrop || s.e.kind == chainBroken }

// Looker reads the records of a log in file order for display. It verifies nothing.
type Looker struct {
	reader Checker // of lines; it takes none
	taker  viewer
}

// NewLooker returns a looker for a log of the given family. show is called for each record.
func NewLooker(limits stream.Limits, family string, show func(Seen)) *Looker {
	return &Looker{Checker{opt: Options{Look: true}, env: envelopeOf(family), keys: siphash.NewKey(), limits: limits}, viewer{show}}
}

// Linked reports whether the events of a family contain the hash of the previous event.
func Linked(family string) bool { return envelopeOf(family).chained }

// Worker implements stream.Checker.
func (l *Looker) Worker() stream.Worker {
	w := l.reader.worker()
	w.deliver = func(b *batch) error {
		l.taker.begin(b)
		for i := range b.events {
			l.taker.next(&b.events[i])
		}
		b.release()
		return nil
	}
	return w
}

// Finish implements stream.Checker.
func (l *Looker) Finish() (o stream.Outcome, err error) { return o, nil }

// NewLookers returns a reader that shows the records of a log with many sessions. begin is called for each session,
// in order of first lines, and returns the function that receives the session's records.
func NewLookers(limits stream.Limits, family func(strictjson.Node) string, begin func(*One) (show func(Seen))) *Sessions {
	limits.Sessions += limits.Ended // none ends for who looks
	s := NewSessions(limits, Options{Look: true}, family)
	s.what, s.strange = "sessions", nil
	s.begin = func(one *One) error {
		one.taker = viewer{begin(one)}
		return nil
	}
	return s
}

type viewer struct{ show func(Seen) }

func (t viewer) begin(b *batch) { b.findings = nil }

func (t viewer) next(e *event) { t.show(Seen{e}) }
