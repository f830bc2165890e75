package evidencecmd

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/commands/internal/input"
	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/bundle"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/report"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/walk"
)

// hashRun is one run of `cupel evidence hash`.
type hashRun struct {
	env        cmdline.Env
	out        *app.Output
	opt        evidence.Options
	allowEmpty bool
	explain    bool   // --explain: every format explains the hashes, not a page alone
	gather     bool   // nothing but hash lines is shown: they are gathered
	gathered   []byte // … here
	totals     hashTotals
	passed     input.PassedOver
}

type hashTotals struct {
	Inputs     int `json:"inputs"`
	Events     int `json:"events"`
	Hashed     int `json:"hashed"`
	Matched    int `json:"matched"`
	Mismatched int `json:"mismatched"`
	Unrecorded int `json:"unrecorded"`
	Errors     int `json:"errors"`
	Warnings   int `json:"warnings"`
	Infos      int `json:"infos"`
	Omitted    int `json:"findings_omitted"`
	Passed     int `json:"passed_over,omitempty"`

	Unread   int `json:"unread,omitempty"`         // listed hashes of inputs that could not be read
	Unlisted int `json:"unlisted,omitempty"`       // events for which no hash is listed
	Improper int `json:"improper_lines,omitempty"` // lines of the list that are not hashes
}

// input hashes and reports one input. It returns an error that ends the run.
func (h *hashRun) input(in walk.Input) error {
	line := h.out.Progress(in.Name, in.Size)
	defer line.End()
	r, err := in.Open()
	if err != nil {
		return h.out.Fail(err)
	}
	defer r.Close()
	state := &hashedInput{hashRun: h, name: in.Name, encoded: h.out.ValuesOnly(), shown: h.newEventsView()}
	total, err := bundle.CheckEvents(h.env.Context, line.Reader(r), input.TextSize(in, r), in.Name, 0, h.opt, state.encoder, state.event)
	line.End()
	if err := h.flush(); err != nil {
		return err
	}
	if err != nil {
		return h.out.Unread(h.env.Context, in.Name, err)
	}
	if total.Events == 0 && len(total.Findings)+len(total.Faults) == 0 && !h.allowEmpty {
		return h.out.Fail(cmdline.NoEventsIn(in.Name))
	}
	return state.finish(total)
}

type hashedInput struct {
	*hashRun
	name       string
	unrecorded int
	assumed    int         // events whose datacontenttype was assumed
	encoded    bool        // nothing is shown but JSON: the workers encode it
	shown      *eventsView // page view; nil for other formats
}

type eventRecord struct {
	Input          string            `json:"input"`
	Line           int               `json:"line"`
	ID             *string           `json:"id"`
	ContentHash    *string           `json:"content_hash"`
	Recorded       *string           `json:"recorded"`
	Match          *bool             `json:"match"`
	EnvelopeDigest *string           `json:"envelope_digest,omitempty"`
	Explain        *explainRecord    `json:"explain,omitempty"`
	Findings       []finding.Finding `json:"findings"`
}

// encoder returns a worker's function to encode records. It skips events with findings, because which findings are
// kept depends on earlier events.
func (s *hashedInput) encoder() func(*evidence.Result, *report.Encoded) {
	if !s.encoded {
		return func(*evidence.Result, *report.Encoded) {}
	}
	w := &recordEncoder{hashedInput: s}
	return func(e *evidence.Result, to *report.Encoded) {
		if e.Counts == (evidence.Counts{}) {
			*to = w.encode(e)
		}
	}
}

// event reports an event. Its record can already be encoded.
func (s *hashedInput) event(e *evidence.Result, encoded *report.Encoded) error {
	if e.Hashed && e.Recorded == nil {
		s.unrecorded++
	}
	s.shown.take(e)
	if !s.explain {
		e.Explanation = nil
	}
	if s.gather && e.Hashed && e.Counts == (evidence.Counts{}) && e.Explanation == nil {
		return s.gatherLines(e)
	}
	if *encoded != nil {
		return s.out.Answer(report.Answer{List: "events", Value: *encoded, Outcome: report.Outcome{Weight: s.weight(e.Match == evidence.Same)}})
	}
	if err := s.flush(); err != nil {
		return err
	}
	findings, err := s.report(e.Findings)
	if err != nil {
		return err
	}
	return s.out.Answer(s.answer(e, findings))
}

// report passes findings on and returns those that the flags select. An assumed datacontenttype is printed once per
// input, because events of a producer are alike; JSON records have all.
func (s *hashedInput) report(list []finding.Finding) ([]finding.Finding, error) {
	kept := []finding.Finding{}
	for _, f := range list {
		f.File = s.name
		if !s.out.Pass(f) {
			continue
		}
		kept = append(kept, f)
		s.count(f.Severity)
		if f.Rule == evidence.RuleAssumed && f.Severity == finding.Info {
			if s.assumed++; s.assumed > 1 {
				continue
			}
		}
		if err := s.out.Finding(f); err != nil {
			return nil, err
		}
	}
	return kept, nil
}

func (h *hashRun) count(s finding.Severity) {
	switch s {
	case finding.Error:
		h.totals.Errors++
	case finding.Warning:
		h.totals.Warnings++
	default:
		h.totals.Infos++
	}
}

func (s *hashedInput) answer(e *evidence.Result, findings []finding.Finding) report.Answer {
	a := report.Answer{
		List: "events", Subject: s.placeOf(e), Listing: string(s.appendLines(nil, e)),
		Outcome: report.Outcome{Weight: s.weight(e.Match == evidence.Same)}, Facts: explainFacts(e), Findings: findings,
	}
	if !e.Hashed {
		a.Weight = report.Bad
	}
	for _, f := range findings {
		if f.Severity == finding.Error {
			a.Reason = f.Message
		}
	}
	a.Value = s.record(e, findings)
	return a
}

func (s *hashedInput) record(e *evidence.Result, findings []finding.Finding) eventRecord {
	return eventRecord{
		Input: s.name, Line: e.Line, ID: textOf(e.ID), Recorded: textOf(e.Recorded), Match: matchOf(e.Match),
		ContentHash: nonEmpty(e.ContentHash()), EnvelopeDigest: nonEmpty(e.EnvelopeDigest()),
		Explain: newExplainRecord(e), Findings: findings,
	}
}

// gatherSize is the size of the buffer for lines.
const gatherSize = 32 << 10

func (s *hashedInput) gatherLines(e *evidence.Result) error {
	s.gathered = s.appendLines(s.gathered, e)
	if len(s.gathered) < gatherSize {
		return nil
	}
	return s.flush()
}

func (h *hashRun) flush() error {
	if len(h.gathered) == 0 {
		return nil
	}
	text := string(h.gathered)
	h.gathered = h.gathered[:0]
	return h.out.Answer(report.Answer{List: "events", Listing: text, Outcome: report.Outcome{Weight: h.weight(true)}})
}

// weight returns how a hash is displayed: as good or bad only with --check.
func (h *hashRun) weight(good bool) report.Weight {
	switch {
	case !h.opt.Check:
		return report.Plain
	case good:
		return report.Good
	}
	return report.Bad
}

func (s *hashedInput) appendLines(dst []byte, e *evidence.Result) []byte {
	if !e.Hashed {
		return append(append(dst, "no hash  "...), say.Visible(s.placeOf(e))+"\n"...)
	}
	line := s.lineOf(e)
	dst = append(evidence.AppendSum(dst, evidence.EventSum, e.Sum, s.name, line), '\n')
	if e.EnvelopeDigest() != "" {
		dst = append(evidence.AppendSum(dst, evidence.EnvelopeSum, e.Envelope, s.name, line), '\n')
	}
	return dst
}

// lineOf returns an event's number in its input, 0 for a single event.
func (s *hashedInput) lineOf(e *evidence.Result) int {
	if e.Alone {
		return 0
	}
	return e.Line
}

func (s *hashedInput) placeOf(e *evidence.Result) string {
	if e.Alone {
		return s.name
	}
	return s.name + ":" + strconv.Itoa(e.Line)
}

type inputRecord struct {
	Input    string            `json:"input"`
	Events   int               `json:"events"`
	RunRoot  *string           `json:"run_root"`
	Recorded *string           `json:"recorded,omitempty"` // listed by --check-sums
	Match    *bool             `json:"match,omitempty"`
	Findings []finding.Finding `json:"findings"`
}

func (s *hashedInput) finish(total bundle.Total) error {
	findings, err := s.report(slices.Concat(total.Findings, total.Faults))
	if err != nil {
		return err
	}
	// The flags can drop findings, but not the result.
	wrong := total.Hashed < total.Events || s.opt.Check && total.Differing > 0
	if wrong || len(total.Faults) > 0 || total.Counts.Omitted > 0 && total.Counts.Errors > 0 {
		s.out.No()
	}
	t := &s.totals
	t.Inputs++
	t.Events += total.Events
	t.Hashed += total.Hashed
	t.Matched += total.Matched
	t.Mismatched += total.Differing
	t.Unrecorded += s.unrecorded
	t.Omitted += total.Counts.Omitted
	a := report.Answer{
		List: "inputs", Subject: s.name, Outcome: report.Outcome{Weight: s.weight(total.Matched == total.Events)},
		Remarks: s.remarks(total), Findings: findings, Total: true,
	}
	element := inputRecord{Input: s.name, Events: total.Events, Findings: findings}
	if total.Rooted {
		element.RunRoot = nonEmpty(total.RunRoot.String())
	}
	if total.Rooted && !total.Alone {
		a.Listing = string(evidence.AppendSum(nil, evidence.RunRootSum, total.RunRoot, s.name, 0))
	}
	a.Value = element
	if s.shown != nil && len(s.shown.view.Events) > 0 {
		a.View = s.shown.page
	}
	return s.out.Answer(a)
}

func (s *hashedInput) remarks(total bundle.Total) (lines []string) {
	if s.assumed > 1 {
		lines = append(lines, fmt.Sprintf("note: %d events of %s have no datacontenttype and were hashed as application/json", s.assumed, s.name))
	}
	if n := total.Counts.Omitted; n > 0 {
		lines = append(lines, fmt.Sprintf("note: findings in %s beyond --max-findings: %d", s.name, n))
	}
	switch {
	case len(total.Findings) > 0, len(total.Faults) > 0 && !total.Rooted:
		lines = append(lines, fmt.Sprintf("no run root: %s was not read to its end", s.name))
	case !total.Rooted:
		lines = append(lines, fmt.Sprintf("no run root: %s has events without a hash", s.name))
	}
	return lines
}

// summary closes the report. Without a check, text output does not have a summary.
func (h *hashRun) summary() report.Summary {
	t := h.totals
	t.Passed = len(h.passed.Files)
	sum := report.Summary{Value: t}
	if h.opt.Check {
		sum.Text = fmt.Sprintf("events checked: %d (%d match, %d differ, %d record no hash, %d cannot be hashed)",
			t.Events, t.Matched, t.Mismatched, t.Unrecorded, t.Events-t.Hashed) + h.passed.Text()
		sum.Weight = report.Good
		if t.Matched < t.Events {
			sum.Weight = report.Bad
		}
	}
	return sum
}

func textOf(text []byte) *string {
	if text == nil {
		return nil
	}
	s := string(text)
	return &s
}

func nonEmpty(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func matchOf(m evidence.Match) *bool {
	if m == evidence.Unknown {
		return nil
	}
	same := m == evidence.Same
	return &same
}
