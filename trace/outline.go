package trace

import (
	"context"
	"fmt"
	"io"
	"iter"
	"unicode/utf8"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/internal/session"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// Outline describes the content of a log for display: its events in file order, with the findings of a report.
// Memory is bounded. The first MaxOutlined events or steps are listed individually, later ones only if they have
// findings or are next to damage; the rest is counted in blocks. MaxOutlineText limits the quoted content.
// Omissions are stated.
type Outline struct {
	Run    *Run    // of a reasoning trace; nil for other logs
	Chains []Chain // of a session log: one, or one for each of Report.Sessions

	Beyond   int64    // events of sessions that have no chain here, since there are too many
	Segments []string // of a chain of files: their names
	Changed  string   // why the log differs from the report's, or ""
}

// The limits of an outline.
const (
	MaxOutlined    = 2_000   // events, or steps, from a log's beginning that are listed one by one
	MaxOutlineText = 4 << 20 // bytes of their content that are repeated, in all
	maxBeyond      = 500     // listed events after those listed for their faults
	maxBlocks      = 10_000  // blocks of all chains
	maxMarks       = 1_000   // marks of all chains
	MaxChains      = 10_000  // sessions of a log of many; of the others only the events are counted
	maxShown       = 4 << 10 // bytes that are repeated of one value
)

// OutlineLog rereads a verified log from its start and returns its outline. opt must be the options of the
// verification: limits, anchor, BySession and, for cited bytes, the folders of Options.Reasoning. The outline of an
// unknown family is empty. It returns a read error, a *LimitError or ctx's error.
func OutlineLog(ctx context.Context, input io.Reader, report *Report, opt Options) (*Outline, error) {
	return newOutliner(report, opt).log(ctx, input)
}

// OutlineChain is OutlineLog for the segments that VerifyChain has verified.
func OutlineChain(ctx context.Context, segments []Segment, report *Report, opt Options) (*Outline, error) {
	c := &chain{segments: segments}
	defer c.close()
	o := newOutliner(report, opt)
	for _, s := range segments {
		o.out.Segments = append(o.out.Segments, s.Name)
	}
	o.chain = c
	return o.outline(ctx, c.input(c, stream.Limits(opt.Limits).WithDefaults(), 0))
}

type outliner struct {
	opt    Options
	report *Report
	room   *outlineRoom
	chain  *chain      // nil: the log is one file
	dense  func() bool // reports whether lines can have several records; nil: never

	nextSession func() (*Report, bool) // the report on the next of the sessions

	out    *Outline
	strips []*strip
	run    *runOutliner
}

func newOutliner(report *Report, opt Options) *outliner {
	return &outliner{opt: opt, report: report, nextSession: func() (*Report, bool) { return nil, false }, out: &Outline{}, room: &outlineRoom{MaxOutlined, maxBeyond, maxBlocks, maxMarks, MaxOutlineText}}
}

func (o *outliner) log(ctx context.Context, input io.Reader) (*Outline, error) {
	records := stream.Records(input, stream.Limits(o.opt.Limits).WithDefaults(), 0)
	o.dense = records.IsArray
	return o.outline(ctx, records)
}

func (o *outliner) outline(ctx context.Context, records stream.Input) (*Outline, error) {
	limits := stream.Limits(o.opt.Limits).WithDefaults()
	limits.Findings = 1 // none is looked at
	runner := &stream.Runner{
		Findings: stream.NewFindings(1), Limits: limits, Jobs: o.opt.Jobs,
		Detect: func(l stream.Line, root strictjson.Node) stream.Checker { return o.detect(ctx, limits, root) },
	}
	// Steps of a reasoning trace depend on earlier lines, so lines are processed sequentially.
	runner.Inline = o.opt.Inline || o.report.Family == Reasoning
	if o.report.Sessions != nil {
		next, stop := iter.Pull(o.report.Sessions)
		defer stop()
		o.nextSession = next
	}
	if err := runner.Run(ctx, records); err != nil {
		return nil, exported(err)
	}
	for _, s := range o.strips {
		o.out.Chains = append(o.out.Chains, s.close())
	}
	if o.run != nil {
		o.out.Run = o.run.close()
	}
	o.compare(runner.Counts)
	return o.out, nil
}

// detect returns the receiver of the lines, by the first record.
func (o *outliner) detect(ctx context.Context, limits stream.Limits, root strictjson.Node) stream.Checker {
	family := familyOf(root)
	switch {
	case o.opt.BySession:
		return session.NewLookers(limits, sessionFamily, o.session)
	case family == Reasoning && o.report.Family == Reasoning:
		o.run = newRunOutliner(ctx, limits, root, o)
		return o.run
	case family == Reasoning, family == Unknown:
		return ignored{}
	}
	s := o.strip(o.report, family)
	return session.NewLooker(limits, string(family), s.take)
}

func (o *outliner) session(one *session.One) func(session.Seen) {
	if len(o.strips) == MaxChains {
		return func(seen session.Seen) {
			if seen.Lost() == "" {
				o.out.Beyond++
			}
		}
	}
	report, ok := o.nextSession() // both are in the order of their first lines
	if !ok {
		report = &Report{Family: Family(one.Family)}
	}
	s := o.strip(report, Family(one.Family))
	at, file := s.spot(one.Line)
	if s.out.FirstLine, s.out.FirstFile = at.line, file; one.Named {
		s.out.Session = &one.ID
	}
	return s.take
}

// compare sets Outline.Changed if the counts differ from those of the report.
func (o *outliner) compare(counts stream.Counts) {
	was := [2]int64{o.report.Blank, o.report.Unreadable}
	is := [2]int64{counts.Blank, counts.Unreadable}
	switch {
	case o.report.Interrupted:
		o.out.Changed = "the run was interrupted: the report is about a part of the log"
	case was != is, o.out.events() != o.report.Events && o.report.Family != Unknown:
		o.out.Changed = fmt.Sprintf("the log was changed after it was verified: the report is about %s, here are %d", say.Counted(o.report.Events, "event"), o.out.events())
	}
}

func (o *Outline) events() (n int64) {
	n = o.Beyond
	for i := range o.Chains {
		n += o.Chains[i].Events
	}
	if o.Run != nil {
		n += o.Run.Events
	}
	return n
}

type ignored struct{}

func (ignored) Worker() stream.Worker                  { return ignored{} }
func (ignored) Finish() (o stream.Outcome, err error)  { return o, nil }
func (ignored) Line(stream.Line, *strictjson.Document) {}
func (ignored) Unreadable(stream.Lost)                 {}
func (ignored) Flush() func() error                    { return nil }

type outlineRoom struct {
	events, beyond, blocks, marks, text int
}

func take(left *int) bool {
	if *left == 0 {
		return false
	}
	*left--
	return true
}

// show returns up to most bytes of a value and the number of bytes cut.
func (r *outlineRoom) show(value []byte, most int) Excerpt {
	n := min(len(value), most, r.text)
	if n < len(value) {
		n = wholeText(value[:n])
	}
	r.text -= n
	return Excerpt{Text: string(value[:n]), Cut: int64(len(value) - n)}
}

// maxName is the maximum length of a quoted name.
const maxName = 200

func named[T string | []byte](name T) string { return say.Preview(name, maxName) }

// wholeText returns the length of a text without a truncated character at its end.
func wholeText(text []byte) int {
	for i := len(text) - 1; i >= max(0, len(text)-utf8.UTFMax); i-- {
		if utf8.RuneStart(text[i]) {
			if !utf8.FullRune(text[i:]) {
				return i
			}
			break
		}
	}
	return len(text)
}

// Excerpt is a value or the start of it.
type Excerpt struct {
	Text string
	Cut  int64 // bytes that follow
}
