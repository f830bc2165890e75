package reasoning

import (
	"fmt"
	"strings"

	"github.com/cupel-dev/cupel/internal/jcs"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/stream"
)

// worker checks the shape of single lines.
type worker struct {
	c       *Checker
	canon   *jcs.Writer
	paths   paths
	batch   *batch
	unknown map[string]bool // additive members of this block
	scratch []byte

	line   stream.Line
	idx    int64
	hasIdx bool
	broken bool
}

// paths are the locations of the format's objects, which depend on the shape.
type paths struct {
	event, call, result, evidence, claim, supports, output location
}

func newPaths(wrapped bool) paths {
	prefix := ""
	p := paths{event: location{"", -1}}
	if wrapped {
		prefix, p.event.base = "event.", "event"
	}
	for name, at := range map[string]*location{
		"call": &p.call, "result": &p.result, "evidence": &p.evidence, "claim": &p.claim,
		"claim.supports": &p.supports, "output": &p.output,
	} {
		*at = location{prefix + name, -1}
	}
	return p
}

// Line implements stream.Worker.
func (w *worker) Line(l stream.Line, doc *strictjson.Document) {
	w.begin(l)
	root := doc.Root()
	rec := record{line: l, at: opening(root)}
	if w.c.wrapped {
		w.wrapped(&rec, root)
	} else {
		w.flat(&rec, root)
	}
	w.batch.records = append(w.batch.records, rec)
}

// Unreadable implements stream.Worker.
func (w *worker) Unreadable(l stream.Line, _ stream.Finding) {
	w.begin(l)
	w.batch.records = append(w.batch.records, record{role: isBroken, line: l})
}

// Flush implements stream.Worker.
func (w *worker) Flush() func() error {
	b := w.batch
	w.batch = nil
	clear(w.unknown)
	if b == nil {
		return nil
	}
	return func() error { return w.c.apply(b) }
}

func (w *worker) begin(l stream.Line) {
	if w.batch == nil {
		w.batch = w.c.newBatch()
	}
	w.line, w.hasIdx, w.broken = l, false, false
}

// wrapped reads a line of the wrapped shape: "record" says what it is.
func (w *worker) wrapped(rec *record, root strictjson.Node) {
	switch name := root.Get("record"); {
	case name.TextIs("trace_header"):
		w.header(rec, root)
	case name.TextIs("trace_event"):
		out := w.object(root, location{"", -1}, wrapperMembers)
		w.event(rec, out[1])
	case name.Is(strictjson.String):
		w.misfit(rec, name, fmt.Sprintf("record %q is neither \"trace_header\" nor \"trace_event\"", preview(name.TextBytes(nil))))
	case name.Missing():
		w.misfit(rec, root, "the line has no \"record\", but the first line has one: the wrapped and the flat shape are mixed")
	default:
		rec.role = isMisfit
		w.wrongType(name, "record", "record", aString)
	}
}

// flat reads a line of the flat shape: it is an event, or the header.
func (w *worker) flat(rec *record, root strictjson.Node) {
	switch {
	case root.Get("record").Exists():
		w.misfit(rec, root.Get("record"), "the line has a \"record\", but the first line has none: the flat and the wrapped shape are mixed")
	case !root.Get("kind").Exists() && isFlatHeader(root):
		w.header(rec, root)
	default:
		w.event(rec, root)
	}
}

// isFlatHeader tells the optional header of the flat shape by the members that only
// a header has. An event may state the version too, but has a kind or an idx.
func isFlatHeader(root strictjson.Node) bool {
	if root.Get("idx").Exists() {
		return false
	}
	for _, name := range []string{"trace_schema_version", "schema_version", "fingerprint_algo", "canonicalization_version"} {
		if root.Get(name).Exists() {
			return true
		}
	}
	return false
}

func (w *worker) misfit(rec *record, at strictjson.Node, message string) {
	rec.role = isMisfit
	where := placeOf(at)
	if at.Is(strictjson.Object) {
		where = opening(at)
	}
	w.reject(point(w.line, "record.unknown", "record", where, message))
}

// reject adds a structural fault of the line.
func (w *worker) reject(f Finding) {
	w.broken = true
	f.Index = w.index()
	w.batch.faults.Reject(f)
}

// index is the event's idx, for findings.
func (w *worker) index() *int64 {
	if !w.hasIdx {
		return nil
	}
	idx := w.idx
	return &idx
}

// event reads one event.
func (w *worker) event(rec *record, n strictjson.Node) {
	rec.role, rec.index = isEvent, len(w.batch.events)
	w.batch.events = append(w.batch.events, event{line: w.line})
	e := &w.batch.events[rec.index]
	if n.Is(strictjson.Object) {
		w.idx, w.hasIdx = n.Get("idx").Int()
		e.kind = w.kindOf(n.Get("kind"))
		out := w.object(n, w.paths.event, eventMembers(e.kind, w.c.wrapped))
		e.idx, e.idxAt, e.step = w.idx, placeOf(out[0]), textOf(out[2])
		if e.kind != noKind && !out[3].Missing() && out[3].Is(strictjson.Object) {
			w.detail(e, out[3])
		}
		w.eventVersion(e, n)
		if w.c.hashID {
			w.batch.canonical = w.canon.Append(append(w.batch.canonical, ','), n)
		}
	}
	e.broken = w.broken
}

// kindOf reads an event's kind and reports one outside the closed set; absence and
// type are the table's business.
func (w *worker) kindOf(n strictjson.Node) kind {
	if !n.Is(strictjson.String) {
		return noKind
	}
	for k := stepStarted; int(k) < len(kindNames); k++ {
		if n.TextIs(kindNames[k]) {
			return k
		}
	}
	if name := string(n.TextBytes(nil)); name != "" {
		f := point(w.line, "event.kind_unknown", w.paths.event.member("kind"), placeOf(n), fmt.Sprintf("unknown event kind %q", preview([]byte(name))))
		f.Expected = "one of " + strings.Join(kindNames[stepStarted:], ", ")
		w.reject(f)
	}
	return noKind
}

// eventVersion reads the version that a flat event may state.
func (w *worker) eventVersion(e *event, n strictjson.Node) {
	if w.c.wrapped {
		return
	}
	for _, name := range versionNames {
		if v := n.Get(name); !v.Missing() {
			e.version, e.verAt = w.version(v, name), placeOf(v)
		}
	}
}

// detail reads the object that the event's kind is about.
func (w *worker) detail(e *event, n strictjson.Node) {
	switch e.kind {
	case toolCalled:
		out := w.object(n, w.paths.call, callMembers)
		e.id, e.callStep = textOf(out[0]), textOf(out[1])
	case toolReturned:
		out := w.object(n, w.paths.result, resultMembers)
		e.id = textOf(out[0])
	case evidenceRegistered:
		out := w.object(n, w.paths.evidence, evidenceMembers)
		e.id, e.span, e.sha256 = textOf(out[0]), spanOf(out[2]), textOf(out[3])
		e.path, e.chunk = textOf(out[4]), textOf(out[5])
	case claimEmitted:
		w.claim(e, n)
	case stepFinished:
		w.output(n)
	}
}

func (w *worker) claim(e *event, n strictjson.Node) {
	out := w.object(n, w.paths.claim, claimMembers)
	e.id, e.statement, e.supportsAt = textOf(out[1]), textOf(out[2]), placeOf(out[0])
	e.derived = out[3].Missing() || !out[3].TextIs("assumed") && !out[3].TextIs("observed")
	if !out[0].Is(strictjson.Array) {
		return
	}
	e.firstSupport = len(w.batch.supports)
	for element := range out[0].Children() {
		w.support(element, e.supports)
		e.supports++
	}
}

func (w *worker) support(n strictjson.Node, index int) {
	at := location{w.paths.supports.base, index}
	s := support{index: index, at: opening(n)}
	if n.Is(strictjson.Object) {
		out := w.object(n, at, supportMembers)
		s.span, s.snippet, s.kind, s.algo = spanOf(out[0]), textOf(out[1]), textOf(out[2]), textOf(out[5])
		if s.ref = textOf(out[3]); len(s.ref.bytes) == 0 {
			s.ref = textOf(out[4])
		}
	} else {
		w.wrongType(n, at.String(), fmt.Sprintf("supports[%d]", index), anObject)
	}
	w.batch.supports = append(w.batch.supports, s)
}

// spanOf reads a span that the table has found well-formed.
func spanOf(n strictjson.Node) (s span) {
	if !aSpan.fits(n) {
		return s
	}
	s.at = placeOf(n)
	s.from, _ = n.At(0).Int()
	s.to, _ = n.At(1).Int()
	return s
}

// output reads a step's output: a union told apart by "type", or by "kind".
func (w *worker) output(n strictjson.Node) {
	name := n.Get("type")
	path := w.paths.output.member("type")
	if other := n.Get("kind"); !other.Missing() {
		if name.Missing() {
			name, path = other, w.paths.output.member("kind")
		} else if name.Is(strictjson.String) && outputName(name) != outputName(other) {
			w.reject(point(w.line, "output.kind_conflict", path, placeOf(name), fmt.Sprintf("output is of type %s and of kind %s", preview(name.Raw()), preview(other.Raw()))))
			return
		}
	}
	switch {
	case name.Missing():
		w.reject(point(w.line, "field.missing", path, opening(n), `mandatory member "type" is missing: it says which output this is`))
		return
	case !name.Is(strictjson.String):
		w.wrongType(name, path, "type", aString)
		return
	case name.TextIs(""):
		w.reject(point(w.line, "field.empty", path, placeOf(name), `mandatory member "type" is empty`))
		return
	}
	table, ok := outputMembers[outputName(name)]
	if !ok {
		f := point(w.line, "output.kind_unknown", path, placeOf(name), fmt.Sprintf("unknown output %q", preview(name.TextBytes(nil))))
		f.Expected = "one of understand, gather, derive, verify, finalize, insufficient (insufficient_evidence)"
		w.reject(f)
		return
	}
	w.object(n, w.paths.output, table)
}

// outputName is the name of an output kind; both spellings of the insufficient one
// are the same.
func outputName(n strictjson.Node) string {
	name, _ := n.Text()
	if name == "insufficient_evidence" {
		return "insufficient"
	}
	return name
}
