package trace

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/internal/reasoning"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/format"
	"github.com/cupel-dev/cupel/trace/internal/session"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// Prologue is the data needed to read any range of a log: its first record and the options. Send it as JSON to
// every process that summarizes a range.
type Prologue struct {
	Family    Family            `json:"family"`
	Key       ed25519.PublicKey `json:"key,omitempty"`   // that a session log brings for its signatures
	Shape     *format.Shape     `json:"shape,omitempty"` // of a reasoning trace; its form is its own
	Beginning stream.LogStart   `json:"beginning"`       // position of the first record
	Hashes    bool              `json:"hashes"`          // columns keep the hashes of all events of a session log: its end asks for them
	Terms     Terms             `json:"terms"`           // the options that the lines are read under
}

// ErrArray is returned for a log that is or contains a JSON array, which cannot be split at lines.
var ErrArray = errors.New("the log is one array, which cannot be cut: verify it as a whole")

// Open reads a log up to its first record and returns what Summarize needs. If r is an [io.ReaderAt] of known
// length, it also reads the end: columns are far smaller if no event there needs all hashes. It returns a read
// error, ErrArray, or an error for options that summaries do not support.
func Open(r io.Reader, opt Options) (Prologue, error) {
	if err := opt.checkSummary(); err != nil {
		return Prologue{}, err
	}
	limits := stream.Limits(opt.Limits).WithDefaults()
	records := stream.Records(r, limits, 0)
	p := Prologue{Terms: summaryTerms(&opt)}
	begins, err := stream.ReadLogStart(records, limits, p.take)
	if err != nil {
		return Prologue{}, err
	}
	if records.IsArray() {
		return Prologue{}, ErrArray
	}
	p.Beginning = begins
	if p.Family.session() {
		if p.Hashes, err = p.ask(r, limits); err != nil {
			return Prologue{}, err
		}
	}
	return p, nil
}

// endBytes is how much of the log's end Open reads.
const endBytes = 64 << 10

// ask reports whether an event at the end of the log needs the hashes of all events.
func (p *Prologue) ask(r io.Reader, limits stream.Limits) (bool, error) {
	src, ok := r.(io.ReaderAt)
	if !ok {
		return true, nil
	}
	size, err := sizeOf(src)
	if err != nil {
		return true, nil // neither can it be summarized, but that is for Summarize to say
	}
	whole, _, err := wholeLines(src, Range{max(0, size-endBytes), size})
	if err != nil {
		return false, err
	}
	lines, err := readAgain(src, whole.Start, int(whole.End-whole.Start))
	return session.Ask(string(p.Family), limits, lines), err
}

func (p *Prologue) take(record strictjson.Node) {
	switch p.Family = familyOf(record); {
	case p.Family == Reasoning:
		shape := format.ShapeOf(record)
		p.Shape = &shape
	case p.Family.session():
		p.Key = session.KeyOf(record)
	}
}

// checkSummary returns an error for options that require reading the log at once.
func (o *Options) checkSummary() error {
	var names []string
	for name, set := range map[string]bool{
		"Engine": o.Engine.consultsSecond(), "Growing": o.Growing, "Resume": o.Resume != nil, "Follow": o.Follow != nil,
		"ExpectSHA256": o.ExpectSHA256 != "", "Anchor": o.Anchor != nil, "After": o.After != nil, "Unended": o.Unended, "Sum": o.Sum, "OnFinding": o.OnFinding != nil,
		"BySession": o.BySession,
	} {
		if set {
			names = append(names, name)
		}
	}
	if len(names) > 0 {
		return fmt.Errorf("a summary of a part of a log cannot be made with %s: verify the log as a whole", strings.Join(slices.Sorted(slices.Values(names)), ", "))
	}
	return o.check()
}

// summaryTerms returns the terms for reading a range, without requirements on the whole log.
func summaryTerms(o *Options) Terms {
	terms := termsOf(o)
	delete(terms, "--hmac-key-file")
	delete(terms, "--engine")
	limits := stream.Limits(o.Limits).WithDefaults()
	terms.add("--max-findings", limits.Findings)
	terms.add("--schema-versions", o.Reasoning.SchemaVersions)
	terms.add("--accept-aliases", o.Reasoning.AcceptAliases)
	return terms
}

// fits returns an error if the options differ from those of Open.
func (p *Prologue) fits(opt *Options) error {
	if err := opt.checkSummary(); err != nil {
		return err
	}
	if p.Family == Reasoning && p.Shape == nil {
		return errors.New("the prologue does not name the shape of the trace's lines: make it with Open")
	}
	if differ := p.Terms.differ(summaryTerms(opt)); len(differ) > 0 {
		return fmt.Errorf("the log was opened under %s", others(differ))
	}
	return nil
}

func (p *Prologue) summarizer(findings *stream.Findings, limits stream.Limits, opt *Options) (stream.Summarizer, error) {
	switch p.Family {
	case Reasoning:
		return reasoning.NewSummarizer(opt.Reasoning.internal(&companions{}), limits, findings, *p.Shape), nil
	case Unknown:
		return unread{&unknownChecker{}}, nil
	case SessionV0, SessionV1, SessionV1B, SessionBare:
		return session.NewSummarizer(findings, limits, string(p.Family), p.Key, p.Hashes, opt.Session.internal(opt.Engine, nil, false, nil, nil))
	default:
		return nil, p.uncut()
	}
}

func (p *Prologue) replayer(ctx context.Context, v *verification) (familyChecker, error) {
	switch p.Family {
	case Reasoning:
		opt, beside, err := v.openReasoning()
		if err != nil {
			return familyChecker{}, err
		}
		checker, err := reasoning.NewReplayer(ctx, opt, v.limits, v.findings, *p.Shape)
		return familyChecker{checker, Reasoning, beside}, err
	case Unknown:
		return familyChecker{unread{&unknownChecker{v.findings, p.Beginning.Line}}, Unknown, nil}, nil
	case SessionV0, SessionV1, SessionV1B, SessionBare:
		checker, err := session.NewReplayer(v.findings, v.limits, string(p.Family), p.Key, v.opt.Session.internal(v.opt.Engine, nil, false, nil, nil))
		return familyChecker{checker, p.Family, nil}, err
	default:
		return familyChecker{}, p.uncut()
	}
}

func (p *Prologue) uncut() error {
	return fmt.Errorf("a log of the family %s cannot be summarized in parts", p.Family)
}
