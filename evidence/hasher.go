package evidence

import (
	"bytes"

	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// ContentHash returns the content hash of an event in text form. If the event cannot be hashed, it returns an
// [InvalidError].
func ContentHash(event []byte) (string, error) {
	answer, err := NewHasher(Options{}).Hash(event)
	if err == nil && !answer.Hashed {
		err = &InvalidError{Findings: answer.Findings}
	}
	return answer.ContentHash(), err
}

// Hasher hashes events and reuses its memory. Without findings it does not allocate. It is not safe for concurrent
// use.
type Hasher struct {
	opt       Options
	reader    reader
	canonical canonical
	findings  findings
}

func NewHasher(opt Options) *Hasher {
	opt = opt.withDefaults()
	return &Hasher{opt: opt, reader: newReader(opt.Limits), canonical: newCanonical(opt.Engine), findings: newFindings(opt)}
}

// Hash hashes an event, possibly on several lines. Faults of the event are findings of the result; an error means
// that the engines disagree or that the reference engine failed. Use [Diagnose] to explain a mismatch.
func (h *Hasher) Hash(event []byte) (Result, error) {
	h.findings.room = h.opt.MaxFindings
	var r Result
	err := h.hash(place{event, 1}, &r)
	return r, err
}

// hash hashes the event at a place. r must be empty. Findings are kept within the remaining limit.
func (h *Hasher) hash(at place, r *Result) (err error) {
	h.findings.begin(at)
	r.Line, r.text, r.Long = at.line, at.text, int64(len(at.text)) > h.opt.Limits.LineBytes
	if r.Event = h.read(at); r.Event != nil {
		err = h.answer(r.Event, r)
	}
	r.Counts, r.Findings = h.findings.end()
	return err
}

// refuse returns the result for an event that was read only in part.
func (h *Hasher) refuse(start place, what string, r *Result) {
	h.findings.begin(start)
	r.Line, r.text, r.Long = start.line, start.text, true
	h.findings.refuse(tooLong(len(start.text), h.opt.Limits.LineBytes, what))
	r.Counts, r.Findings = h.findings.end()
}

// read parses the event at a place. It returns nil for malformed JSON.
func (h *Hasher) read(at place) *Event {
	e, fault := h.reader.read(at)
	switch {
	case fault != nil:
		h.findings.refuse(fault)
		return nil
	case !e.root().Is(strictjson.Object):
		h.findings.at(e, e.root(), ruleNotObject, "", "a JSON "+e.root().Kind().String()+" is not an event, expected an object")
		return nil
	}
	return e
}

func (h *Hasher) answer(e *Event, r *Result) error {
	r.ID = e.get(AttrID).TextBytes(nil)
	r.Recorded = recordedText(e.get(AttrContentHash))
	if checkEnvelope(e, &h.findings) {
		if err := h.sum(e, r); err != nil {
			return err
		}
	}
	h.compare(e, r)
	if h.opt.Explain && r.Hashed {
		r.Explanation = explain(e, h.canonical.input)
	}
	return nil
}

// sum computes the content hash and, if requested, the envelope digest.
func (h *Hasher) sum(e *Event, r *Result) error {
	input, err := h.canonical.hashInput(e)
	if err != nil {
		return err
	}
	r.Sum, r.Hashed = digest.Of(input), true
	if h.opt.EnvelopeDigest && !e.doc.Wide {
		whole, err := h.canonical.event(e)
		if err != nil {
			return err
		}
		r.Envelope = digest.Of(whole)
	}
	return nil
}

// compare compares the recorded hash, which must equal the text form of the computed one.
func (h *Hasher) compare(e *Event, r *Result) {
	recorded := e.get(AttrContentHash)
	switch {
	case r.Recorded == nil:
		if h.opt.Check {
			h.findings.at(e, e.root(), ruleHashMissing, "/"+recordedName, "no content hash is recorded, expected the member "+recordedName)
		}
	case !r.Hashed:
	case recorded.Is(strictjson.String) && isTextOf(r.Sum, r.Recorded):
		r.Match = Same
	default:
		r.Match = Different
		if f := h.findings.at(e, recorded, ruleMismatch, "/"+recordedName, HashDiffers); f != nil {
			f.Expected, f.Found = preview(r.Recorded), r.Sum.String()
		}
	}
}

// recordedText returns the recorded hash. Only a string can match; other values are for display.
func recordedText(n strictjson.Node) []byte {
	switch {
	case n.Missing():
		return nil
	case n.Is(strictjson.String):
		return n.TextBytes(nil)
	}
	return n.Raw()
}

func isTextOf(sum Sum, text []byte) bool {
	var own [digest.TextLen]byte
	return bytes.Equal(sum.AppendText(own[:0]), text)
}

const HashDiffers = "content hash mismatch: the recorded hash is not the hash of the content"
