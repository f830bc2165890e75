package lint

import (
	"errors"
	"math"
	"strconv"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/bundle"
	"github.com/cupel-dev/cupel/evidence/payload"
	"github.com/cupel-dev/cupel/evidence/privacy"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/digest"
)

// linter checks events in sequence. Workers only count findings. Findings are created when they are reported, from
// the event's text, to save memory.
type linter struct {
	wanted   func(rule string) bool
	payload  *payload.Checker
	redactor redactor
	strict   bool

	event   *evidence.Result
	list    []finding.Finding // what package payload found in it
	changes []privacy.Change  // what redaction would change in it
	swept   *privacy.SweepError
	denials []denial

	text []byte // scratch
}

type redactor interface {
	Event(dst []byte, e *evidence.Event) (out []byte, changes []privacy.Change, err error)
	Trim()
}

func newLinter(opt *Options) *linter {
	return &linter{wanted: opt.Wanted, payload: payload.NewChecker(opt.Payload), redactor: opt.redactor(), strict: opt.Payload.Strict}
}

// look finds an event's faults. It returns an error if the engines disagree.
func (l *linter) look(r *evidence.Result) (err error) {
	l.event, l.list, l.changes, l.denials, l.swept = r, l.list[:0], nil, l.denials[:0], nil
	if r.Event == nil {
		return nil // its reader says why
	}
	if l.list, err = l.payload.Event(l.list, r); err != nil {
		return err
	}
	l.text, l.changes, err = l.redactor.Event(l.text[:0], r.Event)
	if err != nil && !errors.As(err, &l.swept) {
		return err
	}
	l.denials = appendDenials(l.denials, r.Event, l.changes)
	return nil
}

// done releases a large event's memory.
func (l *linter) done() {
	l.changes = nil
	l.redactor.Trim()
}

// private reports whether the event contains a value that should not be shared.
func (l *linter) private() bool { return len(l.changes) > 0 || l.swept != nil }

// found is a finding of the event that is not created yet.
type found struct {
	rule     string
	severity finding.Severity

	payload *finding.Finding // … by package payload
	change  *privacy.Change
	denial  *denial
	row     rule
}

// all yields every wanted finding of the event.
func (l *linter) all(yield func(found) bool) {
	for i := range l.list {
		if f := &l.list[i]; l.wanted(f.Rule) && !yield(found{rule: f.Rule, severity: f.Severity, payload: f}) {
			return
		}
	}
	for i := range l.changes {
		if f := l.row(ruleOf(&l.changes[i])); l.wanted(f.rule) {
			if f.change = &l.changes[i]; !yield(f) {
				return
			}
		}
	}
	for i := range l.denials {
		if f := l.row(l.denials[i].row); l.wanted(f.rule) {
			if f.denial = &l.denials[i]; !yield(f) {
				return
			}
		}
	}
	if f := l.row(uncleaned); l.swept != nil && l.wanted(f.rule) {
		yield(f)
	}
}

func (l *linter) row(r rule) found {
	f := found{rule: rules[r].ID, severity: rules[r].Severity, row: r}
	if l.strict && (r == personalData || r == homePath) {
		f.severity = finding.Error
	}
	return f
}

// make creates a finding of the current event.
func (l *linter) make(f found) finding.Finding {
	made := finding.Finding{Rule: f.rule, Severity: f.severity}
	detail := Detail{}
	switch {
	case f.payload != nil:
		made = *f.payload
	case f.change != nil:
		c := f.change
		made.Message, made.Path = sentence(f.row, c), c.Pointer
		l.event.Event.Locate(&made, c.At)
		detail.Class, detail.Secret = c.Class.String(), c.Rule
		if !c.Reported {
			detail.Action = string(c.Action)
		}
	case f.denial != nil:
		made.Message, made.Path = f.denial.message, f.denial.at.Pointer()
		l.event.Event.Locate(&made, f.denial.at)
	default:
		made.Message, made.Path = l.swept.Pointer+" "+words[uncleaned]+" ("+privacy.Forbidden.String()+", "+l.swept.Rule+")", l.swept.Pointer
		l.event.Event.Locate(&made, l.event.Event.Root())
		detail.Class, detail.Secret = privacy.Forbidden.String(), l.swept.Rule
	}
	if l.private() {
		l.hide(&made)
	}
	r := l.event
	if made.Line > 0 {
		made.Line += r.Line - 1
	}
	if made.EndLine > 0 {
		made.EndLine += r.Line - 1
	}
	return l.detailed(made, detail)
}

// complete completes a finding that refers to other events.
func (l *linter) complete(f finding.Finding) finding.Finding {
	if l.private() {
		l.hide(&f)
	}
	return l.detailed(f, Detail{})
}

func (l *linter) detailed(f finding.Finding, detail Detail) finding.Finding {
	detail.Pointer = f.Path
	detail.Print = fingerprint(f.Rule, known(l.event), f.Path)
	if detail.Seq = sequence(l.event); detail.Seq != nil && *detail.Seq <= math.MaxInt64 {
		index := int64(*detail.Seq)
		f.Index = &index
	}
	f.Detail = detail
	return f
}

// known returns an event's content hash, or the digest of its text.
func known(r *evidence.Result) string {
	if r.Hashed {
		return r.ContentHash()
	}
	return digest.Of(r.Text()).String()
}

// sequence returns an event's sequence number, or nil.
func sequence(r *evidence.Result) *uint64 {
	if r.Event == nil {
		return nil
	}
	n, err := strconv.ParseUint(string(r.Event.Get(evidence.AttrSequence).Raw()), 10, 64)
	if err != nil {
		return nil
	}
	return &n
}

// about adds the linter's details to a finding of the verification, which can refer to earlier, private events.
func (l *linter) about(f finding.Finding, private bool) finding.Finding {
	detail := Detail{}
	detail.Detail, _ = f.Detail.(bundle.Detail)
	detail.Print = fingerprint(f.Rule, known(l.event), f.Path)
	if l.private() || l.event.Event == nil {
		l.hide(&f)
	} else if private {
		f.WithholdCompared()
	}
	f.Detail = detail
	return f
}
