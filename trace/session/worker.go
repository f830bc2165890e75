package session

import (
	"errors"
	"fmt"
	"strings"

	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/finding"
	"github.com/cupel-dev/cupel/internal/jcs"
	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/stream"
)

// The codes of what a single line tells about its envelope.
const (
	codeEnvelopeUnknown    = "envelope.unknown"
	codeFieldMissing       = "field.missing"
	codeFieldType          = "field.type"
	codeFieldUnknown       = "field.unknown"
	codeTypeUnknown        = "event.type_unknown"
	codeVersionUnsupported = "version.unsupported"
	codeHashPayload        = "hash.payload"
	codeHashEvent          = "hash.event"
	codeLogDrop            = "log_drop"
	codeLogDropCount       = "log_drop.count_invalid"
)

// worker reads single events: shape, canonical bytes, hashes, payload rules.
type worker struct {
	checker *Checker
	env     *envelope
	hashes  hasher
	payload payloadChecker
	batch   *batch
	said    map[said]bool // the notes that were made
	last    said          // the latest of them
	order   []member      // the members of the last event, in its order

	line    source.Line // under work
	doc     *strictjson.Document
	fault   string // the code of the last shape fault
	faults  int    // of the payload under work, those that a JSON Schema can express
	nodes   [memberCount]strictjson.Node
	covered []strictjson.Node // the members that the event's hash covers
}

// note is a finding that stands for all of its kind.
type note struct {
	said
	finding finding.Finding
}

// batch is one block's events and findings on their way to be put in order.
type batch struct {
	events   []event
	findings *stream.Findings
	notes    []note // made once per worker, to be made once per log
	broken   int    // findings that touch integrity
	err      error
}

func (c *Checker) newBatch() *batch {
	if b, ok := c.batches.Get().(*batch); ok {
		return b
	}
	return &batch{findings: stream.NewFindings(c.limits.Findings)}
}

// Worker returns a reader of single events.
func (c *Checker) Worker() stream.Worker {
	w := &worker{checker: c, env: c.env, said: map[said]bool{}, batch: c.newBatch()}
	w.hashes = newHasher(c.profiles, c.opt.Engine)
	w.payload = payloadChecker{report: w.payloadFault, note: w.wanted, writer: jcs.NewWriter(nil)}
	return w
}

// Unreadable leaves a hole in the chain.
func (w *worker) Unreadable(l source.Line, f stream.Finding) {
	w.batch.events = append(w.batch.events, event{line: l, lost: true, cut: w.cut(l), own: f.Rule})
}

// cut says whether a line ends inside its event: a writer that crashed, a partial
// copy.
func (w *worker) cut(l source.Line) bool {
	if l.Long || !l.Terminated {
		return !l.Terminated
	}
	var fault *strictjson.Error
	_, err := strictjson.NewScanner(strictjson.Limits{}).Scan(l.Bytes)
	return errors.As(err, &fault) && fault.Code == strictjson.Truncated
}

// Flush hands the block's events over to be put in order.
func (w *worker) Flush() func() error {
	b := w.batch
	w.batch = w.checker.newBatch()
	return func() error { return w.checker.putInOrder(b) }
}

// Line reads one event.
func (w *worker) Line(l source.Line, doc *strictjson.Document) {
	w.line, w.doc = l, doc
	w.batch.events = append(w.batch.events, event{line: l})
	e := &w.batch.events[len(w.batch.events)-1]
	if !w.collect(doc.Root(), e) {
		e.lost, e.misfit, e.own = true, true, w.fault
		return
	}
	w.fill(e)
	if w.env.chained {
		w.verifyHashes(e)
	}
	w.details(e)
	if w.env.tables && !w.checker.opt.IntegrityOnly {
		w.faults = 0
		w.payload.check(e.kind, w.nodes[payloadMember])
		if w.hashes.engine != Fast && e.kind != 0 {
			w.consult(e)
		}
		w.tool(e)
	}
}

// verifyHashes recomputes the event's hashes under the known canonicalizations.
func (w *worker) verifyHashes(e *event) {
	if !w.env.whole {
		profile, computed, err := w.hashes.match(linkOf(w.nodes[payloadHash]), w.nodes[payloadMember])
		w.judge(e, codeHashPayload, payloadHash, profile, computed, err)
		w.covered = w.covered[:0]
		for _, m := range signed {
			w.covered = append(w.covered, w.nodes[m])
		}
		if w.hashes.matchPlain(e.hash, w.covered) {
			e.profiles |= rfc8785Bit
			return
		}
	}
	profile, computed, err := w.hashes.matchObject(e.hash, w.covered)
	w.judge(e, codeHashEvent, eventHash, profile, computed, err)
}

// judge reports a hash that no canonicalization explains.
func (w *worker) judge(e *event, code string, m member, profile uint8, computed digest.Sum, err error) {
	if err != nil && w.batch.err == nil {
		w.batch.err = fmt.Errorf("line %d: %w", w.line.Number, err)
	}
	if profile != 0 {
		e.profiles |= profile
		return
	}
	e.own = code
	if w.batch.broken++; w.batch.findings.Full(finding.Error) {
		w.batch.findings.Count(finding.Error, 1)
		return
	}
	n := w.nodes[m]
	start, end := n.Span()
	f := finding.Finding{Rule: code, Severity: finding.Error, Path: m.String(), Index: e.index(),
		Message:  fmt.Sprintf("%s does not match under %s", m, w.checker.profileNames()),
		Expected: clip(strings.Trim(string(n.Raw()), `"`)), Found: computed.Hex()}
	source.Point(&f, w.line, start, end)
	w.batch.findings.Add(f)
}

func (w *worker) reject(code string, start, end int, path, message string) {
	f := finding.Finding{Rule: code, Path: path, Message: message}
	source.Point(&f, w.line, start, end)
	w.batch.findings.Reject(f)
}

func (w *worker) add(s finding.Severity, code string, start, end int, path, message string) {
	if w.batch.findings.Full(s) {
		w.batch.findings.Count(s, 1)
		return
	}
	f := finding.Finding{Rule: code, Severity: s, Path: path, Message: message}
	source.Point(&f, w.line, start, end)
	w.batch.findings.Add(f)
}

// consult lets the schema library judge the payload too: it must accept what the
// table accepts, and refuse what the table refuses.
func (w *worker) consult(e *event) {
	name, _ := w.nodes[typeName].Text()
	complaints, err := ReferencePayload(name, w.nodes[payloadMember].Raw())
	if err == nil && len(complaints) > 0 != (w.faults > 0) {
		err = fmt.Errorf("%w about the payload of %s: %d faults by the table, by the schema %q", errEngines, name, w.faults, complaints)
	}
	if err != nil && w.batch.err == nil {
		w.batch.err = fmt.Errorf("line %d: %w", e.line.Number, err)
	}
}

// payloadFault turns a fault of the payload table into a finding.
func (w *worker) payloadFault(p payloadFault) {
	severity := finding.Error
	if p.rule != codePayloadUnknown && p.rule != codePayloadNullOptional && p.rule != codeRedactionDiffers && !p.inside {
		w.faults++
	}
	switch p.rule {
	case codePayloadUnknown:
		if !w.checker.opt.StrictPayload {
			severity = finding.Info
		}
	case codePayloadNullOptional, codeRedactionDiffers:
		severity = finding.Info
	}
	if (severity == finding.Error || p.rule == codeRedactionDiffers) && w.batch.findings.Full(severity) {
		w.batch.findings.Count(severity, 1)
		return
	}
	start, end := p.node.Span()
	if p.key {
		start, end = p.node.KeySpan()
	} else if p.node.Is(strictjson.Object) || p.node.Is(strictjson.Array) {
		end = start + 1
	}
	f := finding.Finding{Rule: p.rule, Severity: severity, Path: p.path, Message: p.message, Expected: p.expected, Found: p.found}
	if e := &w.batch.events[len(w.batch.events)-1]; e.numbered {
		f.Index = e.index()
	}
	source.Point(&f, w.line, start, end)
	if severity == finding.Info && p.rule != codeRedactionDiffers {
		w.batch.notes = append(w.batch.notes, note{w.last, f})
		return
	}
	w.batch.findings.Add(f)
}

// wanted makes notes on payload members once for each member of each kind of object.
func (w *worker) wanted(rule string, t *table, name []byte) bool {
	if rule == codePayloadUnknown && w.checker.opt.StrictPayload {
		return true
	}
	return w.once(said{rule, t, string(name)})
}

// index is the event's own number for a finding.
func (e *event) index() *int64 {
	if !e.numbered || e.number > 1<<63-1 {
		return nil
	}
	n := int64(e.number)
	return &n
}
