package redact

import (
	"bufio"
	"context"
	"errors"
	"io"
	"slices"
	"strconv"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/bundle"
	"github.com/cupel-dev/cupel/evidence/privacy"
	"github.com/cupel-dev/cupel/internal/jcs"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// Committed is a bundle with commitments instead of values.
type Committed struct {
	*bundle.Sealed // the report is on the committed events: it has the findings of limits alone

	Values   int64 // that the bundle commits to
	Reported int64 // values that stay as they are, although something private was found in them
}

// Commit writes a copy of a valid bundle to w, in which commitments replace all values that are not public under
// the policy. It writes the values and their salts to secrets, a document of SecretsSchema. With any part of the
// secrets, the bundle and its attestation prove the values of that part and reveal nothing about the others.
//
// It commits to the values of subject and data one by one: strings, numbers, true, false and null. Objects and
// arrays are kept, unless a member's name is private; then data is committed to as a whole. Semantic digests are
// removed, because they could be used to test guesses.
//
// The scratch file must be empty. It returns an [EventError], an [evidence.ReadError], or an error of ctx, scratch,
// w or secrets. If the report of the result is not [bundle.Valid], an event exceeds a limit, and the written data
// must be discarded.
func Commit(ctx context.Context, r io.Reader, size int64, name string, scratch bundle.Scratch, w, secrets io.Writer, opt Options) (*Committed, error) {
	opt = opt.withDefaults()
	list := bufio.NewWriter(secrets)
	c := &eventCommitter{
		redactor: privacy.NewRedactor(opt.Policy), hasher: evidence.NewHasher(opt.hashing()), canonical: evidence.NewCanonicalizer(),
		committer: NewCommitter(list), events: bufio.NewWriterSize(scratch, scratchBuffer),
	}
	verifying := opt.verifying()
	verifying.Each = c.event
	verified, err := bundle.Verify(ctx, r, size, name, verifying)
	switch {
	case err != nil:
		return nil, err
	case verified.Kind != bundle.KindBundle || verified.Verdict != bundle.Valid:
		return nil, errors.New("commitments need a valid bundle")
	}
	if err := c.events.Flush(); err != nil {
		return nil, err
	}
	events := io.NewSectionReader(scratch, 0, c.size)
	sealed, err := bundle.Seal(ctx, events, c.size, bundle.EventsName, behind{scratch, c.size}, w, opt.sealing(verified.Manifest))
	if err != nil {
		return nil, err
	}
	sealed.Report.Findings = faultsIn(name, sealed.Report.Findings)
	err = c.committer.Close(&Report{
		Input: name, OutputSHA256: sealed.SHA256,
		Original: Original{RunRoot: verified.RunRoot, BundleID: verified.BundleID},
	})
	return &Committed{sealed, c.values, c.reported}, errors.Join(err, list.Flush())
}

// eventCommitter replaces values by commitments in the events of a bundle.
type eventCommitter struct {
	redactor  *privacy.Redactor
	hasher    *evidence.Hasher
	canonical *evidence.Canonicalizer
	committer *Committer
	events    *bufio.Writer
	size      int64 // written to events
	values    int64
	reported  int64

	parts  map[int]bool // of the current event: the offsets of the values that are committed to
	opened []secretValue
	text   []byte
	failed error // of the source of randomness
}

// event processes the next event of the bundle, whose text is canonical JSON.
func (c *eventCommitter) event(r *evidence.Result) error {
	left, err := c.attempt(r.Event, false)
	if err == nil && left {
		left, err = c.attempt(r.Event, true)
	}
	switch {
	case err != nil:
		return &EventError{r.Line, err}
	case left:
		return &EventError{r.Line, errors.New("the event still has private values after commitments replaced the others")}
	}
	c.size += int64(len(c.text))
	c.values += int64(len(c.opened))
	if _, err := c.events.Write(c.text); err != nil || len(c.opened) == 0 {
		return err
	}
	e := &Event{Line: r.Line, OriginalHash: r.Sum.String()}
	if err := c.committer.begin(e); err != nil {
		return err
	}
	for i := range c.opened {
		if err := c.committer.list.add(&c.opened[i]); err != nil {
			return err
		}
	}
	return c.committer.Event(e)
}

// attempt commits to the values of an event one by one, or to its data as a whole. It reports whether redaction
// would still change the event.
func (c *eventCommitter) attempt(e *evidence.Event, whole bool) (left bool, err error) {
	if err := c.choose(e); err != nil {
		return false, err
	}
	c.text, c.opened = c.text[:0], c.opened[:0]
	before := byte('{')
	for member := range e.Root().Children() {
		switch a := member.Attribute(); a {
		case evidence.AttrContentHash, evidence.AttrSemanticDigest, evidence.AttrDigestProfile:
			continue // sealing hashes the event again, the others are those of the values
		case evidence.AttrSubject, evidence.AttrData:
			c.text = append(c.text, before)
			c.text = append(jcs.AppendText(c.text, member.NameBytes(nil)), ':')
			if whole && a == evidence.AttrData {
				c.commit("/data", member)
			} else {
				c.value("/"+a.String(), member)
			}
		default:
			c.text = c.canonical.AppendMember(c.text, before, member)
		}
		before = ','
	}
	c.text = append(c.text, '}', '\n')
	if c.failed != nil {
		return false, c.failed
	}
	return c.privateLeft()
}

// choose selects the values of an event to commit to.
func (c *eventCommitter) choose(e *evidence.Event) error {
	parts, _, err := c.redactor.Parts(e)
	if err != nil {
		return err
	}
	c.parts = make(map[int]bool)
	for p := range parts {
		if p.Class != privacy.Public && (p.Rule != "" || p.At.Kind() <= evidence.KindString) {
			start, _ := p.At.Span()
			c.parts[start] = true
		}
	}
	return nil
}

func (c *eventCommitter) value(pointer string, v evidence.Value) {
	start, _ := v.Span()
	switch kind := v.Kind(); {
	case c.parts[start]:
		c.commit(pointer, v)
	case kind == evidence.KindObject:
		before := byte('{')
		for child := range v.Children() {
			name := child.NameBytes(nil)
			c.text = append(jcs.AppendText(append(c.text, before), name), ':')
			c.value(pointer+"/"+strictjson.PointerToken(string(name)), child)
			before = ','
		}
		c.close(before, "{}")
	case kind == evidence.KindArray:
		before, position := byte('['), 0
		for child := range v.Children() {
			c.text = append(c.text, before)
			c.value(pointer+"/"+strconv.Itoa(position), child)
			before, position = ',', position+1
		}
		c.close(before, "[]")
	default:
		c.text = v.AppendCanonical(c.text)
	}
}

// close ends an object or array.
func (c *eventCommitter) close(before byte, brackets string) {
	if before != ',' {
		c.text = append(c.text, before)
	}
	c.text = append(c.text, brackets[1])
}

func (c *eventCommitter) commit(pointer string, v evidence.Value) {
	o := secretValue{Pointer: pointer, Value: v.AppendCanonical(nil)}
	if err := c.committer.salt(&o.Salt); err != nil {
		c.failed = err
		return
	}
	c.opened = append(c.opened, o)
	c.text = jcs.AppendText(c.text, evidence.CommitmentText(Commitment(o.Salt, pointer, o.Value)))
}

// privateLeft reports whether redaction would change the event with commitments.
func (c *eventCommitter) privateLeft() (bool, error) {
	r, err := c.hasher.Hash(c.text[:len(c.text)-1])
	if err != nil || r.Event == nil {
		return false, err // it is too long: sealing says so
	}
	_, changes, err := c.redactor.Event(nil, r.Event)
	if err != nil {
		return true, nil //nolint:nilerr // what is found stays in the way of a redaction
	}
	if slices.ContainsFunc(changes, func(c privacy.Change) bool { return !c.Reported }) {
		return true, nil
	}
	c.reported += int64(len(changes))
	return false, nil
}
