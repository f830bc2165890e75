package session

import (
	"fmt"
	"strings"

	"github.com/cupel-dev/cupel/internal/strictjson"
)

// fieldReader reads the members that order events and sessions.
type fieldReader struct {
	env  *envelope
	last lastLink
}

func (r *fieldReader) read(rec *record, e *event) {
	r.last.before(rec.nodes[r.env.linkMember()], &e.prev)
	r.last.own(rec.nodes[eventHash])
	r.number(rec, e)
	if r.env.versions {
		readVersion(rec, e)
	}
	if r.env.inner {
		innerSession(rec, e)
	}
	var scratch [64]byte
	n := rec.nodes[typeName]
	e.kind = r.env.types.read(n.TextBytes(scratch[:0]))
	if e.kind == 0 {
		name, _ := n.Text()
		rejectMember(rec, ruleTypeUnknown, typeName, fmt.Sprintf("unknown event type %q", clip(name)))
	}
	e.hash = r.last.link // by now it is where it can be copied from at once
}

func rejectMember(rec *record, id rule, m member, message string) {
	f := rules[id].New(message)
	f.Path = m.String()
	rec.reject(f, spanOf(rec.nodes[m]))
}

// number reads the sequence number. A bare log may use either name.
func (r *fieldReader) number(rec *record, e *event) {
	m := r.env.number
	e.first = r.env.first
	if !r.env.chained && rec.nodes[m].Missing() {
		m, e.first = seqMember, 1
	}
	if m == noMember || rec.nodes[m].Missing() {
		return
	}
	e.counter = m
	if e.number, e.numbered = rec.nodes[m].Uint(); !e.numbered {
		rejectMember(rec, ruleFieldType, m, fmt.Sprintf("%s is %s, expected an integer from 0 to 18446744073709551615", m, clip(string(rec.nodes[m].Raw()))))
	}
}

func readVersion(rec *record, e *event) {
	n := rec.nodes[schemaVer]
	if n.Missing() {
		e.version = noVersion
		return
	}
	for i := len(versions) - 1; i >= 0; i-- { // most logs have the last one
		if n.TextIs(versions[i]) {
			e.version = 1 << i
			return
		}
	}
	version, _ := n.Text()
	rejectMember(rec, ruleVersionUnsupported, schemaVer, fmt.Sprintf("schema_ver %q is not supported, expected one of %s", clip(version), strings.Join(versions[:], ", ")))
}

// innerSession reads the session id from the payload, where the 6-member envelope keeps it.
func innerSession(rec *record, e *event) {
	if n := rec.nodes[payloadMember].Get("session_id"); n.Is(strictjson.String) && !e.has(sessionID) {
		e.set(sessionID, n)
	}
}
