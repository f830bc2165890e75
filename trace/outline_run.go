package trace

import (
	"context"
	"unicode/utf8"

	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/internal/reasoning"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/format"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// Run is the outline of a reasoning trace: its steps in order of their first events, with the events of each.
type Run struct {
	Steps  []Step
	Events int64 // all events of the trace
	Lost   []LostLine
	Rest   int64 // further lines that are not events
}

// Step is a step of a run, or a range of the trace whose events are only counted.
type Step struct {
	ID       string
	Kind     string // what its output is: "gather", "derive", …; "" for a step without one
	Started  bool   // it has a step_started
	Finished bool   // it has a step_finished

	Line, EndLine int   // of its first and its last event
	From, To      int64 // positions in all events, from 1
	Events        []RunEvent
	Unlisted      int64 // of its events, those that are counted alone
	Steps         int64 // of a stretch: how many steps start in it; 0 for a step

	Wrong  int // findings about it
	Errors int // … that are errors
}

type RunEvent struct {
	Line int
	Nth  int64 // position in all events, from 1
	Idx  int64
	Kind string
	ID   string  // of the call, the evidence or the claim
	Name string  // of the tool; of evidence, where it is from
	Text Excerpt // a claim's statement; the JSON of arguments, results and outputs

	Claim    *ClaimSeen    // of a claim_emitted
	Evidence *EvidenceSeen // of an evidence_registered
	Wrong    int           // findings about it
	Errors   int           // … that are errors
}

// ClaimSeen is a claim and its citations.
type ClaimSeen struct {
	Type     string // "derived", "observed" or "assumed"
	Quotes   []Quote
	Unlisted int // further citations
}

type EvidenceSeen struct {
	Path  string
	Span  *[2]int64 // of its bytes in the document that they are from
	Size  int64     // of the file
	Begin Excerpt   // of the file
	Why   string    // why the file is not shown

	Recorded, Actual string // the SHA-256 that the trace states, and that of the file, where they differ
	Meant            *Meant // original of the recorded hash, or nil
}

// Quote is one citation of a claim and the cited bytes.
type Quote struct {
	Citation
	Fails   bool   // the bytes differ or are missing
	Suspect bool   // an error is about the evidence as a whole
	Marker  bool   // it is one of the statement's, and no support states it
	Path    string // of the evidence file; "" where none is known
	Line    int    // where the evidence is registered
	Size    int64  // of the file

	Before, After string  // context of the cited bytes
	Cited         Excerpt // the cited bytes, whatever they are
	Why           string  // why bytes or verdict are missing

	Recorded, Actual string // the SHA-256 that the claim states, and that of the bytes, where they differ
	Meant            *Meant // original of the recorded hash, or nil
}

// Meant is how the hashed original of a mismatched hash differs, without the common prefix and suffix.
type Meant struct {
	Note            string // where that is known from, such as "would match as character offsets…"
	At              int64  // where the difference begins
	Before, After   string // context in both
	Expected, Found Excerpt
}

// LostLine is a line that is not an event.
type LostLine struct {
	Line int
	Text Excerpt
}

const (
	maxQuotes      = 5_000 // citations
	maxClaimQuotes = 50    // … of one claim
	maxLost        = 100
	maxBegin       = 600 // bytes of an evidence file
	aroundMeant    = 100 // bytes around a difference
)

type runOutliner struct {
	*reasoning.Looker
	of     *outliner
	wrong  map[int]lineFindings
	quotes *reasoning.Quotes
	left   int // citations
	out    Run
	steps  []*Step
	byID   map[uint64]*Step // the latest of those that are listed, by the keys of their ids
}

type lineFindings struct{ all, errors int }

func newRunOutliner(ctx context.Context, limits stream.Limits, first strictjson.Node, o *outliner) *runOutliner {
	r := &runOutliner{of: o, wrong: map[int]lineFindings{}, left: maxQuotes, byID: map[uint64]*Step{}}
	r.Looker = reasoning.NewLooker(ctx, limits, o.opt.Reasoning.AcceptAliases, first, r.take, r.lose)
	r.quotes = reasoning.NewQuotes(evidenceFolder(&o.opt.Reasoning, folderOf(o.opt.Reasoning.Run)))
	for _, f := range o.report.Findings {
		if f.Line == 0 || f.File != "" && f.File != o.report.Input {
			continue
		}
		l := r.wrong[f.Line]
		if l.all++; f.Severity == SeverityError {
			l.errors++
		}
		r.wrong[f.Line] = l
	}
	return r
}

func (r *runOutliner) lose(l stream.Line) {
	if len(r.out.Lost) == maxLost {
		r.out.Rest++
		return
	}
	r.out.Lost = append(r.out.Lost, LostLine{l.Number, r.of.room.show(l.Bytes, maxShown)})
}

func (r *runOutliner) take(seen reasoning.Seen) error {
	r.out.Events++
	r.remember(seen)
	found := r.wrong[seen.Line.Number]
	s := r.step(seen, found)
	s.EndLine, s.To = seen.Line.Number, r.out.Events
	s.Wrong += found.all
	s.Errors += found.errors
	switch seen.Kind {
	case format.StepStarted:
		s.Started = true
	case format.StepFinished:
		if s.Steps == 0 {
			s.Finished, s.Kind = true, named(format.OutputKind(seen.Object))
		}
	}
	if s.Steps > 0 || !r.listed(found) {
		s.Unlisted++
		return nil
	}
	e, err := r.event(seen, found)
	s.Events = append(s.Events, e)
	return err
}

// remember stores evidence that later claims can cite.
func (r *runOutliner) remember(seen reasoning.Seen) {
	switch seen.Kind {
	case format.EvidenceRegistered:
		r.quotes.Register(seen.Event)
	case format.ToolReturned:
		r.quotes.Returned(seen.Line.Number, seen.Object.Get("result"))
	}
}

func (r *runOutliner) listed(found lineFindings) bool {
	return take(&r.of.room.events) || found.errors > 0 && take(&r.of.room.beyond)
}

// step returns an event's step: the latest one with its id, a new one, or a range of counted events beyond the
// limit of listed steps.
func (r *runOutliner) step(seen reasoning.Seen, found lineFindings) *Step {
	if s := r.byID[seen.Step.Key]; s != nil && (seen.Kind != format.StepStarted || !s.Started) {
		return s
	}
	room := r.of.room
	begun := Step{Line: seen.Line.Number, From: r.out.Events}
	if room.events == 0 && (found.errors == 0 || room.beyond == 0) {
		starts := int64(0)
		if seen.Kind == format.StepStarted {
			starts = 1
		}
		if n := len(r.steps); n > 0 && r.steps[n-1].Steps > 0 {
			r.steps[n-1].Steps += starts
			return r.steps[n-1]
		}
		begun.Steps = max(starts, 1)
	} else {
		begun.ID = named(seen.Step.Bytes)
		r.byID[seen.Step.Key] = &begun
	}
	r.steps = append(r.steps, &begun)
	return &begun
}

func (r *runOutliner) event(seen reasoning.Seen, found lineFindings) (e RunEvent, err error) {
	e = RunEvent{Line: seen.Line.Number, Nth: r.out.Events, Idx: seen.Idx, Kind: seen.Kind.String(), Wrong: found.all, Errors: found.errors, ID: named(seen.ID.Bytes)}
	room := r.of.room
	switch seen.Kind {
	case format.StepStarted:
	case format.NoKind:
		kind, _ := seen.Root.Get("kind").Text()
		e.Kind, e.Text = named(kind), room.show(seen.Root.Raw(), maxShown)
	case format.ToolCalled:
		tool, _ := seen.Object.Get("tool_name").Text()
		e.Name, e.Text = named(tool), room.show(seen.Object.Get("arguments").Raw(), maxShown)
	case format.EvidenceRegistered:
		e.Name, e.Evidence = named(seen.Evidence.URI.Bytes), r.evidence(seen.Event, found)
	case format.ClaimEmitted:
		e.Text = room.show(seen.Claim.Statement.Bytes, maxShown)
		e.Claim, err = r.claim(seen.Event)
	default:
		e.Text = room.show(seen.Object.Raw(), maxShown)
	}
	return e, err
}

// evidence returns a piece of evidence with the start of its file.
func (r *runOutliner) evidence(e *format.Event, found lineFindings) *EvidenceSeen {
	out := &EvidenceSeen{Path: named(e.Evidence.Path.Bytes)}
	if s := e.Evidence.Span; s.Sound() {
		out.Span = &[2]int64{s.From, s.To}
	}
	var text []byte
	text, out.Size, out.Why = r.quotes.Beginning(e, maxBegin)
	out.Begin = r.of.room.show(text, maxBegin)
	out.Begin.Cut = max(0, out.Size-int64(len(out.Begin.Text)))
	if found.errors == 0 {
		return out
	}
	actual, was := r.quotes.Original(e)
	if out.Actual, out.Meant = actual, r.meant(was); actual != "" {
		out.Recorded = e.Evidence.SHA256.Sum.Hex()
	}
	return out
}

func (r *runOutliner) claim(e *format.Event) (*ClaimSeen, error) {
	c := &ClaimSeen{Type: named(e.Claim.Type.Bytes)}
	if c.Type == "" {
		c.Type = "derived"
	}
	for i := range e.Claim.Cited {
		if i >= maxClaimQuotes || !take(&r.left) {
			c.Unlisted = len(e.Claim.Cited) - i
			break
		}
		q, err := r.quotes.Of(&e.Claim.Cited[i])
		if err != nil {
			return c, err
		}
		c.Quotes = append(c.Quotes, r.quote(&q, e.Claim.Cited[i].Index < 0))
	}
	return c, nil
}

func (r *runOutliner) quote(q *reasoning.Quote, marker bool) Quote {
	out := Quote{Citation: Citation(q.Citation), Fails: q.Fails, Suspect: r.wrong[q.Line].errors > 0, Marker: marker, Path: named(q.Path), Line: q.Line, Size: q.Size, Why: q.Why, Recorded: q.Recorded, Actual: q.Actual}
	out.Ref, out.Kind = named(out.Ref), named(out.Kind)
	out.Text = ""
	room := r.of.room
	out.Cited = room.raw(q.Bytes)
	out.Cited.Cut += q.Cut
	if out.Cited.Cut == q.Cut {
		out.Before, out.After = room.raw(q.Before).Text, room.raw(q.After).Text
	}
	out.Meant = r.meant(q.Meant)
	return out
}

func (r *runOutliner) meant(m *reasoning.Meant) *Meant {
	if m == nil {
		return nil
	}
	a, b := m.Expected, m.Found
	from := 0
	for from < min(len(a), len(b)) && a[from] == b[from] {
		from++
	}
	for from > 0 && (from < len(a) && !utf8.RuneStart(a[from]) || from < len(b) && !utf8.RuneStart(b[from])) {
		from-- // no code point is parted, where it is text
	}
	end := 0
	for end < min(len(a), len(b))-from && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	for end > 0 && !utf8.RuneStart(a[len(a)-end]) {
		end--
	}
	room := r.of.room
	before, after := a[max(0, from-aroundMeant):from], a[len(a)-end:]
	return &Meant{
		Note: m.Note, At: int64(from),
		Before: room.raw(before).Text, After: room.raw(after[:min(len(after), aroundMeant)]).Text,
		Expected: room.clip(a[from : len(a)-end]), Found: room.clip(b[from : len(b)-end]),
	}
}

func (r *outlineRoom) raw(value []byte) Excerpt {
	n := min(len(value), r.text)
	r.text -= n
	return Excerpt{string(value[:n]), int64(len(value) - n)}
}

func (r *outlineRoom) clip(value []byte) Excerpt {
	e := r.raw(value[:min(len(value), maxShown)])
	e.Cut = int64(len(value) - len(e.Text))
	return e
}

func (r *runOutliner) close() *Run {
	for _, s := range r.steps {
		r.out.Steps = append(r.out.Steps, *s)
	}
	return &r.out
}
