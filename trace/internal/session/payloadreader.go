package session

import (
	"fmt"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/jcs"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/internal/second"
)

// payloadReader validates payloads against the tables and reports the faults.
type payloadReader struct {
	checker payloadChecker
	notes   noteMemory
	strict  bool          // a member outside the table is an error
	lenient bool          // faults are warnings
	second  second.Engine // asked about every payload too; nil for none

	rec    *record // under work
	event  *event
	faults int // of the payload, those that a JSON Schema can express
}

func newPayloadReader(strict bool, other second.Engine, notes noteMemory) *payloadReader {
	r := &payloadReader{notes: notes, strict: strict, second: other}
	r.checker = payloadChecker{tables: schemaV02(), report: r.report, note: r.note, writer: jcs.NewWriter(nil)}
	return r
}

// newPayloadReader10 returns a reader for 1.0 payloads. Unknown members are allowed. Faults are warnings unless
// strict is set, because producers follow the tables loosely.
func newPayloadReader10(strict bool) *payloadReader {
	r := &payloadReader{lenient: !strict}
	r.checker = payloadChecker{tables: schema10(), report: r.report, note: func(payloadNote) {}, writer: jcs.NewWriter(nil)}
	return r
}

func (r *payloadReader) read(rec *record, e *event) {
	r.rec, r.event, r.faults = rec, e, 0
	r.checker.unproven = 0
	r.checker.check(e.kind, rec.nodes[payloadMember])
	e.unproven |= r.checker.unproven
	if r.second != nil && e.kind != 0 {
		r.consult()
	}
}

// consult validates the payload with the second engine, which must agree.
func (r *payloadReader) consult() {
	name, _ := r.rec.nodes[typeName].Text()
	complaints, err := r.second.ValidatePayload(name, r.rec.nodes[payloadMember].Raw())
	if err == nil && len(complaints) > 0 != (r.faults > 0) {
		err = fmt.Errorf("%w about the payload of %s: %d faults by the table, by the schema %q", errEngines, name, r.faults, complaints)
	}
	if err != nil {
		r.rec.fail(err)
	}
}

// note records a payload member, once per kind of object. It is a fault where unknown members are forbidden.
func (r *payloadReader) note(m payloadNote) {
	if m.rule == rulePayloadUnknown && r.strict {
		name := string(m.name)
		r.report(payloadFault{
			rule: m.rule, node: m.node, key: true, path: m.at.path(name),
			message: unknownMember(name),
		})
		return
	}
	about, first := r.notes.once(m.rule, m.table, m.name)
	if !first {
		return
	}
	at := spanOf(m.node)
	if m.rule == rulePayloadUnknown {
		at = keySpanOf(m.node)
	}
	r.rec.note(about, m.node, at, m.at)
}

func (r *payloadReader) report(p payloadFault) {
	severity := rules[p.rule].Severity
	if severity == finding.Error && !p.inside {
		r.faults++
	}
	if r.lenient {
		severity = finding.Warning
	}
	if p.rule == rulePayloadUnknown {
		severity = finding.Error
	}
	if r.rec.full(severity, p.at()) {
		return
	}
	f := rules[p.rule].New(p.message)
	f.Severity, f.Path, f.Expected, f.Found, f.Index = severity, p.path, p.expected, p.found, r.event.index()
	r.rec.add(f, p.at())
}

// at returns where the finding points: a member's name, a scalar, or the start of a container.
func (p payloadFault) at() span {
	switch {
	case p.key:
		return keySpanOf(p.node)
	case p.node.Is(strictjson.Object), p.node.Is(strictjson.Array):
		return opening(p.node)
	}
	return spanOf(p.node)
}
