package format

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/cupel-dev/cupel/internal/jcs"
	"github.com/cupel-dev/cupel/internal/siphash"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/fault"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/rule"
)

type wrapperMember uint8

const (
	wrapperRecord wrapperMember = iota
	wrapperEvent
)

var wrapperShape = shape[wrapperMember]{
	wrapperRecord: {name: "record", want: aString, must: true},
	wrapperEvent:  {name: "event", want: anObject, must: true},
}

type eventMember uint8

const (
	eventIdx eventMember = iota
	eventKind
	eventStepID
	eventDetail // data of the event's kind
	eventSchemaVersion
	eventTraceSchemaVersion
)

// details are the objects that events are about, by kind.
var details = [len(kindNames)]member{
	ToolCalled:         {name: "call", want: anObject, must: true, alias: "tool_call"},
	ToolReturned:       {name: "result", want: anObject, must: true, alias: "tool_result"},
	EvidenceRegistered: {name: "evidence", want: anObject, must: true},
	ClaimEmitted:       {name: "claim", want: anObject, must: true},
	StepFinished:       {name: "output", want: anObject, must: true},
}

// eventShape returns the table of an event kind. Unknown kinds have only the common members. Flat events can state
// the version.
func eventShape(k Kind, wrapped bool) shape[eventMember] {
	table := shape[eventMember]{
		eventIdx:    {name: "idx", want: anInteger, must: true},
		eventKind:   {name: "kind", want: aString, must: true},
		eventStepID: {name: "step_id", want: aString, must: k != NoKind},
		eventDetail: details[k],
	}
	if !wrapped {
		for _, name := range versionNames {
			table = append(table, member{name: name, want: anInteger})
		}
	}
	return table
}

type eventReader struct {
	*objects
	versions versions
	wrapped  bool
	shapes   [len(kindNames)]shape[eventMember]
	at       location
	call     callReader
	evidence evidenceReader
	claim    claimReader
	output   outputReader
	keys     siphash.Key
	step     ID          // of the event before: most events belong to the same
	canon    *jcs.Writer // nil: no canonical form is needed
}

func newEventReader(o *objects, v versions, opt Options, canon *jcs.Writer) eventReader {
	r := eventReader{objects: o, versions: v, wrapped: opt.Shape.Wrapped, at: root, keys: opt.Keys, canon: canon}
	for k := range kindNames {
		r.shapes[k] = eventShape(Kind(k), r.wrapped)
	}
	if r.wrapped {
		r.at.base = "event"
	}
	r.call = callReader{o, location{r.at.member("call"), -1}, location{r.at.member("result"), -1}}
	r.evidence = evidenceReader{o, location{r.at.member("evidence"), -1}}
	r.claim = newClaimReader(o, r.at.member("claim"), opt.Keys)
	r.output = outputReader{o, location{r.at.member("output"), -1}, opt.Keys}
	return r
}

// read reads one event into the block.
func (r *eventReader) read(n strictjson.Node) *Event {
	b := r.block
	b.events = append(b.events, Event{Where: fault.Where{Line: r.line}})
	e := &b.events[len(b.events)-1]
	if n.Is(strictjson.Object) {
		r.members(e, n)
	}
	e.Broken = r.broken
	return e
}

func (r *eventReader) members(e *Event, n strictjson.Node) {
	r.idx, r.hasIdx = n.Get("idx").Int()
	e.Kind = r.kind(n.Get("kind"))
	out := read(r.objects, n, r.at, r.shapes[e.Kind])
	e.Idx, e.IdxAt, e.Step = r.idx, fault.PlaceOf(out.at(eventIdx)), r.stepOf(textOf(out.at(eventStepID)))
	if detail := out.at(eventDetail); detail.Is(strictjson.Object) {
		r.detail(e, detail)
	}
	if !r.wrapped {
		r.version(e, n)
	}
	if r.canon != nil {
		r.canonical(e, n)
	}
}

// maxStep limits the step ids that are cached for the next event.
const maxStep = 256

// stepOf returns the step of an event. Its key is often cached from the previous event.
func (r *eventReader) stepOf(t Text) ID {
	if len(t.Bytes) > maxStep {
		return ID{t, r.keys.Sum64(t.Bytes)}
	}
	if string(t.Bytes) != string(r.step.Bytes) || r.step.Bytes == nil {
		r.step = ID{Text{Bytes: append(r.step.Bytes[:0], t.Bytes...)}, r.keys.Sum64(t.Bytes)}
	}
	return ID{t, r.step.Key}
}

// kind reads an event's kind and reports an unknown one. The table reports a missing kind or wrong type.
func (r *eventReader) kind(n strictjson.Node) Kind {
	if !n.Is(strictjson.String) {
		return NoKind
	}
	for k := StepStarted; int(k) < len(kindNames); k++ {
		if n.TextIs(kindNames[k]) {
			return k
		}
	}
	if name := n.TextBytes(nil); len(name) > 0 {
		f := r.objects.at(rule.EventKindUnknown, r.at.member("kind"), fault.PlaceOf(n), fmt.Sprintf("unknown event kind %q", fault.Preview(name)))
		f.Expected = "one of " + strings.Join(kindNames[StepStarted:], ", ")
		r.reject(f)
	}
	return NoKind
}

// version reads the optional version of a flat event.
func (r *eventReader) version(e *Event, n strictjson.Node) {
	for _, name := range versionNames {
		if v := n.Get(name); !v.Missing() {
			e.Version, e.VersionAt = r.versions.read(v, name), fault.PlaceOf(v)
		}
	}
}

// detail reads the object that the event's kind is about.
func (r *eventReader) detail(e *Event, n strictjson.Node) {
	var id Text
	switch e.Kind {
	case ToolCalled:
		id, e.CallStep = r.call.call(n)
	case ToolReturned:
		id = r.call.result(n)
	case EvidenceRegistered:
		id, e.Evidence = r.evidence.read(n)
	case ClaimEmitted:
		id, e.Claim = r.claim.read(n)
	case StepFinished:
		e.Listed = r.output.read(n)
		return
	}
	e.ID = idOf(id, r.keys)
}

// canonical returns an event's canonical form. That is usually the line.
func (r *eventReader) canonical(e *Event, n strictjson.Node) {
	if r.canon.AsIs(n) {
		e.Canonical, e.IsCanonical, e.At = n.Raw(), true, fault.PlaceOf(n)
		return
	}
	b := r.block
	start := len(b.canonical)
	b.canonical = r.canon.Append(b.canonical, n)
	e.Canonical = b.canonical[start:len(b.canonical):len(b.canonical)]
	if e.IsCanonical = bytes.Equal(e.Canonical, n.Raw()); e.IsCanonical {
		e.At = fault.PlaceOf(n)
	}
}
