package evidence

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/finding"
	"github.com/cupel-dev/cupel/internal/jcs"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// ContentHash returns the content hash of one event in text form. An event that has
// none is an [InvalidError].
func ContentHash(event []byte) (string, error) {
	answer, err := NewHasher(Options{}).Hash(event)
	if err == nil && !answer.Hashed {
		err = &InvalidError{Findings: answer.Findings}
	}
	return answer.ContentHash(), err
}

// InvalidError is an event without a content hash. Findings say why; there is at
// least one of severity error.
type InvalidError struct {
	Findings []Finding
}

func (e *InvalidError) Error() string {
	i := slices.IndexFunc(e.Findings, func(f Finding) bool { return f.Severity == finding.Error })
	f := e.Findings[max(i, 0)]
	return fmt.Sprintf("event has no content hash: line %d, column %d: %s [%s]", f.Line, f.Column, f.Message, f.Rule)
}

// Hasher hashes events one after another and reuses its memory: an event without
// findings costs no allocation. It is not safe for concurrent use.
type Hasher struct {
	opt     Options
	scanner *strictjson.Scanner
	writer  *jcs.Writer
	input   []byte // the hash input of the current event
	whole   []byte // the canonical whole event
	room    int    // findings that may still be kept
	line    int    // number of the current event's first line
	event   Event
}

// NewHasher returns a hasher.
func NewHasher(opt Options) *Hasher {
	opt = opt.withDefaults()
	return &Hasher{opt: opt, scanner: opt.Limits.scanner(), writer: jcs.NewWriter(nil)}
}

// Hash reads one event, which may stand on one line or on several. The error says
// that the engines disagree or that the reference engine failed; whatever is wrong
// with the event itself is a finding of the answer. What a recorded hash that differs
// may come from is for [Diagnose] to say; HashStream does so by itself.
func (h *Hasher) Hash(event []byte) (Event, error) {
	h.room = h.opt.MaxFindings
	return h.hashAt(event, 1)
}

// hashAt hashes the event that begins on the given line of its input.
func (h *Hasher) hashAt(text []byte, line int) (Event, error) {
	h.line = line
	h.event = Event{Line: line, text: text}
	doc, err := h.scanner.Scan(text)
	if err != nil {
		h.refuse(refusal(err))
		return h.event, nil
	}
	root := doc.Root()
	if !root.Is(strictjson.Object) {
		h.reportNode(ruleNotObject, "", root, "a JSON "+root.Kind().String()+" is no event, expected an object")
		return h.event, nil
	}
	m := selectMembers(root)
	h.event.ID = m.id.TextBytes(nil)
	h.event.Recorded = recordedText(m.recorded)
	if h.check(root, m) {
		err = h.sum(doc, m)
	}
	if err == nil {
		h.compare(root, m)
	}
	if h.opt.Explain && h.event.Hashed {
		h.event.Explanation = h.explain(root, m)
	}
	slices.SortStableFunc(h.event.Findings, finding.Compare)
	return h.event, err
}

// recordedText returns what an event records as its content hash. Only a string can
// match; another value is shown as it stands.
func recordedText(n strictjson.Node) []byte {
	switch {
	case n.Missing():
		return nil
	case n.Is(strictjson.String):
		return n.TextBytes(nil)
	}
	return n.Raw()
}

// sum computes the content hash, and the envelope digest where asked for.
func (h *Hasher) sum(doc *strictjson.Document, m members) error {
	var err error
	if h.input, err = h.appendInput(h.input[:0], m); err != nil {
		return err
	}
	h.event.Sum, h.event.Hashed = digest.Of(h.input), true
	if h.opt.EnvelopeDigest {
		if h.whole, err = h.appendCanonical(h.whole[:0], doc.Root()); err != nil {
			return err
		}
		h.event.Envelope = digest.Of(h.whole)
	}
	return nil
}

// compare judges the recorded hash: exactly the text form of the computed one.
func (h *Hasher) compare(root strictjson.Node, m members) {
	switch {
	case h.event.Recorded == nil:
		if h.opt.Check {
			h.reportNode(ruleHashMissing, "/"+recordedName, root, "no content hash is recorded, expected the member "+recordedName)
		}
	case !h.event.Hashed:
	case m.recorded.Is(strictjson.String) && h.isComputed(h.event.Recorded):
		h.event.Match = Same
	default:
		h.event.Match = Different
		h.mismatch(m.recorded)
	}
}

func (h *Hasher) isComputed(recorded []byte) bool {
	var text [digest.TextLen]byte
	return bytes.Equal(h.event.Sum.AppendText(text[:0]), recorded)
}

func (h *Hasher) mismatch(recorded strictjson.Node) {
	f := h.reportNode(ruleMismatch, "/"+recordedName, recorded, "the recorded content hash is not the hash of the content")
	if f == nil {
		return
	}
	f.Expected, f.Found = preview(h.event.Recorded), h.event.Sum.String()
}
