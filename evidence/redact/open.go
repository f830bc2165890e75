package redact

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/internal/shape"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// Opener compares a disclosure or file of secrets with the events of a bundle that commits to their values (see
// [Commit]). Pass its Event as bundle.Options.Each.
type Opener struct {
	secrets  *secrets
	hasher   *evidence.Hasher
	next     disclosedEvent // the values of the event that comes next in the document
	more     bool
	begun    bool
	findings []finding.Finding

	Committed int64 // values that the events commit to
	Opened    int64 // of them, those whose value the document discloses
}

// NewOpener returns an opener of a document.
func NewOpener(disclosure io.Reader) *Opener {
	return &Opener{secrets: newSecrets(disclosure), hasher: evidence.NewHasher(evidence.Options{MaxFindings: 1})}
}

// Event checks the values of the next event. It returns a read error of the document.
func (o *Opener) Event(r *evidence.Result) error {
	_, err := o.open(r)
	return err
}

// open checks the values of an event. It returns them by the offset of the commitment.
func (o *Opener) open(r *evidence.Result) (values map[int]*opened, err error) {
	o.advance(r.Line)
	if r.Event == nil {
		return nil, o.secrets.failed
	}
	for v := range r.Event.Root().All() {
		if _, ok := v.Commitment(); ok {
			o.Committed++
		}
	}
	if !o.more || o.next.line != r.Line {
		return nil, o.secrets.failed
	}
	values = make(map[int]*opened, len(o.next.values))
	for i := range o.next.values {
		v := &o.next.values[i]
		at := lookUp(r.Event.Root(), v.pointer)
		start, _ := at.Span()
		if f := check(r.Line, v, at); f != nil {
			o.refuse(f, i)
		} else if values[start] == nil {
			values[start] = v
			o.Opened++
		}
	}
	o.read()
	return values, o.secrets.failed
}

func check(line int, v *opened, at evidence.Value) *finding.Finding {
	sum, ok := at.Commitment()
	switch {
	case !ok:
		return shape.Fault(&rules[ruleDisclosure], "", fmt.Sprintf("the bundle has no commitment at %q of line %d", v.pointer, line))
	case sum != Commitment(v.salt, v.pointer, v.text):
		return shape.Fault(&rules[ruleCommitment], "", fmt.Sprintf("the value at %q of line %d does not match the commitment in the bundle", v.pointer, line))
	}
	return nil
}

// lookUp returns the value at a pointer, or the zero Value.
func lookUp(v evidence.Value, pointer string) evidence.Value {
	if pointer == "" {
		return v
	}
	if pointer[0] != '/' {
		return evidence.Value{}
	}
	for token := range strings.SplitSeq(pointer[1:], "/") {
		switch v.Kind() {
		case evidence.KindObject:
			v = v.Get(strictjson.PointerName(token))
		case evidence.KindArray:
			v = element(v, token)
		default:
			return evidence.Value{}
		}
	}
	return v
}

func element(array evidence.Value, token string) evidence.Value {
	position := 0
	for child := range array.Children() {
		if strconv.Itoa(position) == token {
			return child
		}
		position++
	}
	return evidence.Value{}
}

// advance reads up to the values of an event. Values before it belong to no event.
func (o *Opener) advance(line int) {
	if !o.begun {
		o.begun = true
		o.read()
	}
	for o.more && o.next.line < line {
		o.refuse(shape.Fault(&rules[ruleDisclosure], "", fmt.Sprintf("no event begins on line %d", o.next.line)), -1)
		o.read()
	}
}

func (o *Opener) read() { o.next, o.more = o.secrets.next() }

// refuse records a fault of a value, or of all values of an event, up to a limit.
func (o *Opener) refuse(f *finding.Finding, value int) {
	f.Path = o.secrets.Base
	if value >= 0 {
		f.Path = fmt.Sprintf("%s/values/%d", o.secrets.Base, value)
	}
	if len(o.findings) < mostRefused {
		o.findings = append(o.findings, *f)
	}
}

// mostRefused limits the faults of a disclosure that are kept.
const mostRefused = 1000

// Finish reads the rest of the document and returns its faults: those that Event found, or that it is about another
// bundle. of is the bundle's SHA-256 digest. It returns a read error of the document.
func (o *Opener) Finish(of evidence.Sum) ([]finding.Finding, error) {
	o.advance(maxLine)
	said := o.secrets.output()
	switch {
	case o.secrets.failed != nil:
		return nil, o.secrets.failed
	case o.secrets.Fault != nil:
		return append(o.findings, *o.secrets.Fault), nil
	case said != of:
		return []finding.Finding{*shape.Differs(&rules[ruleDisclosure], "/output_sha256", "the disclosure belongs to another bundle", of.String(), said.String())}, nil
	}
	return o.findings, nil
}

// Reveal checks the values of an event like Event. It returns the event with commitments replaced by values and
// with its content hash. Without disclosed values, it returns the event unchanged.
func (o *Opener) Reveal(r *evidence.Result) ([]byte, error) {
	values, err := o.open(r)
	if err != nil || len(values) == 0 {
		return r.Text(), err
	}
	text := withValues(r.Event.Root(), values)
	again, err := o.hasher.Hash(text)
	switch {
	case err != nil:
		return nil, err
	case !again.Hashed:
		return nil, fmt.Errorf("the event of line %d cannot be hashed with the values: %s", r.Line, again.Findings[0].Message)
	}
	start, end := again.Event.Get(evidence.AttrContentHash).Span()
	return slices.Concat(text[:start], []byte(`"`+again.Sum.String()+`"`), text[end:]), nil
}

// withValues returns the text of an event with commitments replaced by values.
func withValues(event evidence.Value, values map[int]*opened) (dst []byte) {
	text, at := event.Raw(), 0
	offset, _ := event.Span()
	for v := range event.All() {
		from, to := v.Span()
		if known := values[from]; known != nil && v.Kind() == evidence.KindString {
			dst = append(append(dst, text[at:from-offset]...), known.text...)
			at = to - offset
		}
	}
	return append(dst, text[at:]...)
}
