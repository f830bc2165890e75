package session

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"github.com/cupel-dev/cupel/internal/finding"
	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/stream"
)

// said is a note that was made: the rule, and the member that it is about.
type said struct {
	rule  string
	table *table
	name  string
}

// collect finds the envelope's members and checks that each is there and of its type.
// Producers write them in the same order line after line, so the member at a place is
// usually the last event's there.
func (w *worker) collect(root strictjson.Node, e *event) (good bool) {
	w.nodes = [memberCount]strictjson.Node{}
	w.covered = w.covered[:0]
	good = true
	var seen uint32
	i := 0
	for n := range root.Children() {
		var m member
		if i < len(w.order) && w.order[i] != noMember && n.KeyIs(memberNames[w.order[i]]) {
			m = w.order[i]
		} else if m = w.memberOf(n); i < 2*int(memberCount) {
			w.order = append(w.order[:min(i, len(w.order))], m)
		}
		i++
		if m != eventHash && m != signature {
			w.covered = append(w.covered, n)
		}
		if m == noMember || w.env.shapes[m] == stranger {
			w.unknown(n, m)
			continue
		}
		w.nodes[m] = n
		if n.Is(strictjson.Null) && w.env.shapes[m] != aLink {
			continue // counts as absent
		}
		seen |= 1 << m
		if !fits(n.Kind(), w.env.shapes[m]) {
			good = w.wrongType(m, w.env.shapes[m])
			continue
		}
		if !n.Is(strictjson.Null) {
			start, end := n.Span()
			e.spans[m] = span{int32(start), int32(end)}
		}
	}
	for missing := w.env.required &^ seen; missing != 0; missing &= missing - 1 {
		good = w.missing(member(bits.TrailingZeros32(missing)))
	}
	return good
}

// fits says whether a value is of the type that the envelope wants.
func fits(k strictjson.Kind, s shape) bool {
	switch s {
	case aText, maybeText:
		return k == strictjson.String
	case aLink:
		return k == strictjson.String || k == strictjson.Null
	case aUint, maybeUint:
		return k == strictjson.Number
	case anObject:
		return k == strictjson.Object
	}
	return true
}

func (w *worker) memberOf(n strictjson.Node) member {
	for m := range memberCount {
		if n.KeyIs(m.String()) {
			return m
		}
	}
	return noMember
}

// unknown notes a member outside the envelope, once per name. A hash inside a bare
// log means that the log is not what its first line said.
func (w *worker) unknown(n strictjson.Node, m member) {
	if !w.env.chained {
		if m == payloadHash || m == prevEventHash || m == eventHash || m == prevHash {
			start, end := n.KeySpan()
			w.reject(codeEnvelopeUnknown, start, end, m.String(), fmt.Sprintf("%s in a log that began without hashes", m))
		}
		return
	}
	start, end := n.KeySpan()
	if w.once(said{rule: codeFieldUnknown, name: string(w.doc.Source[start+1 : end-1])}) {
		key := clip(n.Key())
		f := finding.Finding{Rule: codeFieldUnknown, Severity: finding.Info, Path: key, Message: fmt.Sprintf("member %q is not part of the envelope", key)}
		source.Point(&f, w.line, start, end)
		w.batch.notes = append(w.batch.notes, note{w.last, f})
	}
}

// once says whether something is said for the first time, as long as the list of
// what was said stays small.
func (w *worker) once(what said) bool {
	const most = 1000
	if w.said[what] || len(w.said) >= most {
		return false
	}
	w.said[what], w.last = true, what
	return true
}

var shapeNames = [...]string{maybeText: "a string", maybeUint: "an unsigned integer", aText: "a string", aLink: "a string or null", aUint: "an unsigned integer", anObject: "an object"}

func (w *worker) missing(m member) bool {
	f := finding.Finding{Rule: codeFieldMissing, Path: m.String(), Message: fmt.Sprintf("mandatory member %q is missing", m)}
	start, end := w.doc.Root().Span()
	end = min(end, start+1)
	if n := w.nodes[m]; n.Exists() {
		start, end = n.Span()
		f.Message = fmt.Sprintf("mandatory member %q is null", m)
		if m == eventHash {
			f.Help = "an event without its hash is a proposal: verify the log after it was sealed"
		}
	}
	source.Point(&f, w.line, start, end)
	w.fault = f.Rule
	w.batch.findings.Reject(f)
	return false
}

func (w *worker) wrongType(m member, s shape) bool {
	n := w.nodes[m]
	start, end := n.Span()
	f := finding.Finding{Rule: codeFieldType, Path: m.String(), Expected: shapeNames[s], Found: stream.Article(n.Kind())}
	f.Message = fmt.Sprintf("%s is %s, expected %s", m, f.Found, f.Expected)
	if text, ok := n.Text(); ok && m == payloadMember && strings.HasPrefix(text, "{") {
		f.Help = "the payload is JSON inside a string: write it as an object"
	}
	source.Point(&f, w.line, start, end)
	w.fault = f.Rule
	w.batch.findings.Reject(f)
	return false
}

// fill reads the members that the order of events needs.
func (w *worker) fill(e *event) {
	w.fillNumber(e)
	e.prev, e.hash = linkOf(w.nodes[w.linkMember()]), linkOf(w.nodes[eventHash])
	if w.env.versions {
		w.fillVersion(e)
	}
	if w.env.inner {
		w.innerSession(e)
	}
	var scratch [64]byte
	e.kind = w.env.types[string(w.nodes[typeName].TextBytes(scratch[:0]))]
	if e.kind == 0 {
		name, _ := w.nodes[typeName].Text()
		start, end := w.nodes[typeName].Span()
		w.reject(codeTypeUnknown, start, end, typeName.String(), fmt.Sprintf("unknown event type %q", clip(name)))
	}
}

// linkMember is the member that names the event before; a bare log has none, and
// prev_hash is absent there.
func (w *worker) linkMember() member {
	if w.env.link == noMember {
		return prevHash
	}
	return w.env.link
}

// fillNumber reads the sequence number. A bare log may use either name.
func (w *worker) fillNumber(e *event) {
	m := w.env.number
	e.first = w.env.first
	if !w.env.chained && w.nodes[m].Missing() {
		m, e.first = seqMember, 1
	}
	if m == noMember || w.nodes[m].Missing() {
		return
	}
	e.spans[sequenceNumber] = e.spans[m]
	n := w.nodes[m]
	var err error
	e.number, err = strconv.ParseUint(string(n.Raw()), 10, 64)
	if e.numbered = err == nil; !e.numbered {
		start, end := n.Span()
		w.reject(codeFieldType, start, end, m.String(), fmt.Sprintf("%s is %s, expected an integer from 0 to 18446744073709551615", m, clip(string(n.Raw()))))
	}
}

func (w *worker) fillVersion(e *event) {
	n := w.nodes[schemaVer]
	if n.Missing() {
		e.version = noVersion
		return
	}
	for i, v := range versions {
		if n.TextIs(v) {
			e.version = 1 << i
			return
		}
	}
	version, _ := n.Text()
	start, end := n.Span()
	w.reject(codeVersionUnsupported, start, end, schemaVer.String(), fmt.Sprintf("schema_ver %q is not supported, expected one of %s", clip(version), strings.Join(versions, ", ")))
}

// innerSession takes the session's id from the payload, where the envelope of 6
// members keeps it.
func (w *worker) innerSession(e *event) {
	if n := w.nodes[payloadMember].Get("session_id"); n.Is(strictjson.String) && !e.has(sessionID) {
		start, end := n.Span()
		e.spans[sessionID] = span{int32(start), int32(end)}
	}
}
