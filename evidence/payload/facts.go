package payload

import (
	"hash/maphash"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/internal/envelope"
)

// RunFacts is a [Run]'s data of an event. The zero value is for an unreadable line.
type RunFacts struct {
	known     bool // the event could be read
	kind      kind
	eventType []byte // of an event whose type has no shape; else nil
	time      envelope.Time
	timed     bool
	sequence  uint64
	sequenced bool
	name      uint64           // identifies the subject of an activity event, or 0
	hidden    bool             // … and that is a commitment, which differs for equal names
	counts    [counted]float64 // of an event that ends a run; below zero if missing
}

// kind is the role of an event in its run.
type kind uint8

const (
	aFile kind = iota
	aConnection
	aProcess
	aDegradation
	aStart
	anEnd
	other
)

// counted is how many kinds of events the end of a run counts.
const counted = int(aStart)

// tallies are the members with counts, by kind, with the type of the counted events and the member that names their
// subject.
var tallies = [counted]struct{ member, eventType, name string }{
	aFile:        {"files_count", typeFile, "file"},
	aConnection:  {"network_count", "assay.net.connect", "host"},
	aProcess:     {"processes_count", "assay.process.exec", "cmd"},
	aDegradation: {"sandbox_degradation_count", typeSandbox, ""},
}

func (k kind) ofActivity() bool { return k < aDegradation }

func kindOf(eventType []byte) kind {
	switch string(eventType) {
	case typeStarted:
		return aStart
	case typeFinished:
		return anEnd
	}
	for k := range tallies {
		if tallies[k].eventType == string(eventType) {
			return kind(k)
		}
	}
	return other
}

// read reads an event. s is its type's shape, or nil.
func (f *RunFacts) read(e *evidence.Event, v *envelope.View, s *shape) {
	*f = RunFacts{
		known: true, kind: kindOf(v.Type),
		time: v.Time, timed: v.Timed, sequence: v.Sequence, sequenced: v.Sequenced,
	}
	if s == nil {
		f.eventType = v.Type
	}
	if f.kind.ofActivity() {
		member := e.Get(evidence.AttrData).Get(tallies[f.kind].name)
		f.name = nameOf(v.Subject, member)
		_, about := e.Get(evidence.AttrSubject).Commitment()
		_, named := member.Commitment()
		f.hidden = about || named && v.Subject == nil
	}
	for k := range f.counts {
		f.counts[k] = -1
	}
}

// seed is shared by all workers, because their hashes of names are compared.
var seed = maphash.MakeSeed()

func nameOf(subject []byte, member evidence.Value) uint64 {
	if subject == nil {
		subject = member.TextBytes(nil)
	}
	if subject == nil {
		return 0
	}
	return maphash.Bytes(seed, subject) | 1
}

// count reads the counts of an event that ends a run.
func (f *RunFacts) count(values *[maxMembers]evidence.Value) {
	for k := range f.counts {
		if n, ok := integer(values[finishedShape.place(tallies[k].member)]); ok && n >= 0 {
			f.counts[k] = n
		}
	}
}

// maxMembers limits a shape's members. The next bit of a set means the whole data.
const (
	maxMembers = 16
	wholeData  = 1 << maxMembers
)
