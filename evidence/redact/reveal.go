package redact

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/internal/shape"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/jcs"
)

// Disclosed is a disclosed value and the result of checking it.
type Disclosed struct {
	Line    int              // of the event, in the output
	Pointer string           // RFC 6901, of the original event
	Value   []byte           // in canonical JSON, valid until the next one
	Fault   *finding.Finding // nil: it is the value that was redacted
}

// Reveal checks the values of a disclosure or file of secrets against a report's commitments and passes each with
// its result to each. It holds one event of each document in memory. Findings are the first fault of each document,
// or that they belong to different redactions. It returns an error of a reader or of each.
func Reveal(report, disclosure io.Reader, each func(Disclosed) error) (findings []finding.Finding, err error) {
	committed := newListing(report)
	secrets := newSecrets(disclosure)
	for {
		e, ok := secrets.next()
		if !ok {
			break
		}
		committed.seek(e.line)
		for i, v := range e.values {
			d := Disclosed{Line: e.line, Pointer: v.pointer, Value: v.text}
			if d.Fault = committed.check(e.line, &v); d.Fault != nil {
				d.Fault.Path = fmt.Sprintf("%s/values/%d", secrets.Base, i)
			}
			if err := each(d); err != nil {
				return nil, err
			}
		}
	}
	about, of := committed.output(), secrets.output()
	for _, d := range []*document{committed.document, secrets.document} {
		switch {
		case d.failed != nil:
			return nil, d.failed
		case d.Fault != nil:
			findings = append(findings, *d.Fault)
		}
	}
	if len(findings) == 0 && about != of {
		findings = append(findings, *shape.Differs(&rules[ruleDisclosure], "/output_sha256", "the disclosure belongs to another redaction than the report", about.String(), of.String()))
	}
	return findings, nil
}

type reportEvents struct {
	*document
	event Event // the last one that was read
	more  bool  // there was one
	line  int   // its line

	indexed   int              // the line of the event that is in committed
	committed map[promise]bool // and with no digest: there is one for this pointer
}

// promise is a commitment. Its pointer can be shortened and then ambiguous.
type promise struct{ pointer, commitment string }

// index stores the commitments of the current event.
func (c *reportEvents) index() {
	if c.indexed == c.event.Line {
		return
	}
	c.indexed, c.committed = c.event.Line, make(map[promise]bool, 2*len(c.event.Changes))
	for _, change := range c.event.Changes {
		if change.Commitment != "" {
			c.committed[promise{change.Pointer, change.Commitment}] = true
			c.committed[promise{change.Pointer, ""}] = true
		}
	}
}

func newListing(report io.Reader) *reportEvents {
	return &reportEvents{document: newDocument(report, &rules[ruleReport], notReport)}
}

func (c *reportEvents) following() {
	n, ok := c.element()
	if c.more = ok; !ok {
		return
	}
	c.event = readEvent(&c.Reader, n, &c.line)
	c.more = c.Fault == nil
}

// seek reads up to the event on a line or the first one after it.
func (c *reportEvents) seek(line int) {
	for c.event.Line < line {
		if c.following(); !c.more {
			return
		}
	}
}

// output reads the rest of the report and returns the digest of the redacted file.
func (c *reportEvents) output() (sum evidence.Sum) {
	c.seek(math.MaxInt)
	root, ok := c.end()
	if !ok {
		return sum
	}
	c.Fixed(root, "schema", Schema)
	return c.Sum(root, "output_sha256")
}

// check compares a disclosed value with its commitment.
func (c *reportEvents) check(line int, v *opened) *finding.Finding {
	if c.event.Line == line {
		c.index()
	}
	switch {
	case c.event.Line == line && (c.committed[promise{v.pointer, Commitment(v.salt, v.pointer, v.text).String()}] || c.committed[promise{v.pointer, earlierCommitment(v.salt, v.text).String()}]):
		return nil
	case c.event.Line == line && c.committed[promise{v.pointer, ""}]:
		return shape.Fault(&rules[ruleCommitment], "", fmt.Sprintf("the value at %q of line %d is not the redacted value", v.pointer, line))
	}
	return shape.Fault(&rules[ruleDisclosure], "", fmt.Sprintf("the report has no commitment at %q of line %d", v.pointer, line))
}

// Value identifies values of a redaction or of a bundle with commitments.
type Value struct {
	Line    int    // of their event; 0: of every event
	Pointer string // of the value in the original event, and of those below it
}

func (v Value) names(line int, pointer string) bool {
	below, ok := strings.CutPrefix(pointer, v.Pointer)
	return ok && (below == "" || below[0] == '/') && (v.Line == 0 || v.Line == line)
}

// Disclose writes a document of DisclosureSchema with some values of a file of secrets and their salts, which opens
// their commitments. missing are the values that the file does not contain. fault is set if it is not a file of
// secrets; err is an error of secrets or w.
func Disclose(secrets io.Reader, w io.Writer, values []Value) (missing []Value, fault *finding.Finding, err error) {
	found := make([]bool, len(values))
	s, list := newSecrets(secrets), listWriter{w: w, schema: DisclosureSchema}
	for {
		e, ok := s.next()
		if !ok {
			break
		}
		begun := false
		for _, v := range e.values {
			wanted := false
			for i := range values {
				if values[i].names(e.line, v.pointer) {
					found[i], wanted = true, true
				}
			}
			if !wanted {
				continue
			}
			if !begun {
				_ = list.begin(secretEvent{Line: e.line}, valuesName) // close has its error
				begun = true
			}
			_ = list.add(secretValue{v.pointer, v.salt, v.text})
		}
		if begun {
			_ = list.end()
		}
	}
	of := s.output()
	if s.failed != nil || s.Fault != nil {
		return nil, s.Fault, s.failed
	}
	for i, v := range values {
		if !found[i] {
			missing = append(missing, v)
		}
	}
	return missing, nil, list.close(struct {
		OutputSHA256 string `json:"output_sha256"`
	}{of.String()})
}

// secrets reads a file of secrets or disclosure.
type secrets struct {
	*document
	writer *jcs.Writer
	line   int
}

type disclosedEvent struct {
	line   int
	values []opened
}

type opened struct {
	pointer string
	salt    Salt
	text    []byte // in canonical JSON
}

func newSecrets(r io.Reader) *secrets {
	d := newDocument(r, &rules[ruleDisclosure], "the file is not a disclosure of a redaction")
	d.Secret = true
	return &secrets{document: d, writer: jcs.NewWriter(nil)}
}

// next returns the values of the next event; ok is false after the last one and after a fault.
func (s *secrets) next() (e disclosedEvent, ok bool) {
	n, ok := s.element()
	if !ok {
		return e, false
	}
	e.line = readLine(&s.Reader, n, &s.line)
	for v := range s.Elements(n, valuesName) {
		value := v.Get("value")
		if !value.Exists() {
			s.Refuse(v, "value", "a value")
			break
		}
		e.values = append(e.values, opened{s.Text(v, "pointer"), Salt(s.Hex(v, "salt")), s.writer.Append(nil, value)})
	}
	return e, s.Fault == nil
}

// output reads the rest of the document and returns the digest of the redacted file.
func (s *secrets) output() (sum evidence.Sum) {
	root, ok := s.end()
	if !ok {
		return sum
	}
	if !root.Get("schema").TextIs(SecretsSchema) {
		s.Fixed(root, "schema", DisclosureSchema)
	}
	return s.Sum(root, "output_sha256")
}
