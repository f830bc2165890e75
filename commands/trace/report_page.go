package tracecmd

import (
	"bufio"
	"cmp"
	"fmt"
	"strconv"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/rulelist"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/page"
	"github.com/cupel-dev/cupel/internal/report"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/transcript"
	"github.com/cupel-dev/cupel/trace"
)

// reportRun describes the pages of `trace report`.
var reportRun = report.Run{
	Command: "trace report", Rules: rulelist.TraceVerifyRules,
	NotProved: []string{"whether the record is true: it contains what the agent or the recorder wrote"},
}

// groundingPage returns the function that writes the result as HTML or Markdown.
func groundingPage(format string) func(*bufio.Writer, grounded) error {
	return func(w *bufio.Writer, g grounded) error {
		return app.WriteReport(w, format, reportRun, func(out report.Writer) (report.Summary, error) {
			switch {
			case g.session != nil:
				a := judgedAnswer(g.session.verdict, g.views)
				a.Figures = g.session.figures()
				return closed(g.session.verdict, out, a)
			case g.folder != nil:
				return g.folder.page(out)
			}
			a := judgedAnswer(g.verdict, g.views)
			a.Figures = g.figures()
			return closed(g.verdict, out, a)
		})
	}
}

// closed writes the only answer and returns the summary of the run. The view is the answer here, so that one which
// cannot be made is an error.
func closed(r *trace.Report, out report.Writer, a report.Answer) (report.Summary, error) {
	if a.View != nil {
		view, err := a.View()
		if err != nil {
			return report.Summary{}, err
		}
		a.View = func() (page.View, error) { return view, nil }
	}
	for _, f := range r.Findings {
		if err := out.Finding(f); err != nil {
			return report.Summary{}, err
		}
	}
	text := say.Counted(int64(r.Errors), "error") + ", " + say.Counted(int64(r.Warnings), "warning")
	return report.Summary{Text: text, Weight: a.Weight, No: a.Weight == report.Bad}, out.Answer(a)
}

// judgedAnswer is the answer on an input with its verdict.
func judgedAnswer(r *trace.Report, views *traceViews) report.Answer {
	if views != nil {
		views.whole = r
	}
	a := report.Answer{
		Subject: r.Input, Outcome: report.Outcome{Weight: report.Good, Word: string(r.Verdict)}, NotCovered: r.NotCovered, Findings: r.Findings, View: views.of(r),
	}
	switch r.Family {
	case trace.Unknown:
	case trace.Transcript:
		a.Scope = []string{r.Format + " transcript", say.Counted(r.Events+r.Header, "record")}
	default:
		a.Scope = []string{string(r.Family), say.Counted(r.Events, "event")}
	}
	if r.Verdict.Bad() {
		a.Weight, a.Reason = report.Bad, fmt.Sprintf("the trace is %s", r.Verdict)
	}
	return a
}

// figures are the counts of claims and evidence.
func (g grounded) figures() *report.Figures {
	f, n := &report.Figures{}, g.counts()
	for _, one := range []struct{ name, key string }{
		{"claims", "claims"},
		{"claims without evidence", "without_evidence"},
		{"claims resting only on claims", "only_claims"},
		{"pieces of evidence", "evidence"},
		{"unused pieces of evidence", "unused_evidence"},
		{"broken citations", "broken_citations"},
	} {
		f.Facts = append(f.Facts, report.Fact{Name: one.name, Value: strconv.Itoa(n[one.key])})
	}
	return f
}

// figures are those of the text report, with tables for its lists.
func (s *session) figures() *report.Figures {
	f := &report.Figures{Facts: s.facts()}
	if n := s.verdict.Omitted; n > 0 {
		f.Facts = append(f.Facts, report.Fact{Name: "findings", Value: fmt.Sprintf("%d more are not shown", n)})
	}
	f.Tables = countTable(f.Tables, "Models", "model", "records", s.Models)
	f.Tables = toolTable(f.Tables, s.Tools)
	f.Tables = countTable(f.Tables, "Files", "file", "calls", s.Files)
	return f
}

func countTable(tables []report.Table, title, what, number string, list []transcript.Count) []report.Table {
	if len(list) == 0 {
		return tables
	}
	t := report.Table{Title: title, Columns: []report.Column{{Name: what}, {Name: number, Right: true}}}
	for _, c := range list {
		t.Rows = append(t.Rows, []string{c.Name, strconv.FormatInt(c.Count, 10)})
	}
	return append(tables, t)
}

func toolTable(tables []report.Table, tools []transcript.ToolCount) []report.Table {
	if len(tools) == 0 {
		return tables
	}
	t := report.Table{Title: "Tools", Columns: numbers("tool", "calls", "failed", "without result")}
	for _, c := range tools {
		t.Rows = append(t.Rows, cells(c.Name, c.Calls, c.Failed, c.Unanswered))
	}
	return append(tables, t)
}

// numbers are a column of names and columns of numbers.
func numbers(what string, names ...string) []report.Column {
	list := []report.Column{{Name: what}}
	for _, name := range names {
		list = append(list, report.Column{Name: name, Right: true})
	}
	return list
}

func cells(name string, counts ...int64) []string {
	list := []string{name}
	for _, n := range counts {
		list = append(list, strconv.FormatInt(n, 10))
	}
	return list
}

// figures are the sums over the sessions.
func (f *folder) figures() *report.Figures {
	all := &report.Figures{Facts: f.facts()}
	if unsure := f.unsure(); unsure != "" {
		all.Facts = append(all.Facts, report.Fact{Name: "limit", Value: unsure})
	}
	if f.skipped > 0 {
		all.Facts = append(all.Facts, report.Fact{Name: "skipped", Value: f.others()})
	}
	if len(f.usage.Models) > 0 {
		t := report.Table{Title: "Models", Columns: numbers("model", "tokens", "model calls", "input", "cache read", "cache write", "output", "counted twice by a plain sum")}
		for _, m := range f.usage.Models {
			t.Rows = append(t.Rows, cells(cmp.Or(m.Model, "unknown"), m.Total, m.Calls, m.Input, m.CacheRead, m.CacheWrite, m.Output, m.Repeated))
		}
		all.Tables = append(all.Tables, t)
	}
	all.Tables = toolTable(all.Tables, f.tools)
	return all
}

// page writes an answer for each session. As in the report of a folder by `trace verify`, notes are left out.
func (f *folder) page(out report.Writer) (report.Summary, error) {
	for _, s := range f.sessions {
		v := *s.verdict
		v.Findings = nil
		for _, one := range s.verdict.Findings {
			if one.Severity == finding.Info {
				continue
			}
			if v.Findings = append(v.Findings, one); out.Finding(one) != nil {
				break // Answer returns the error
			}
		}
		a := judgedAnswer(&v, nil)
		a.Figures = s.figures()
		a.Transcript = (&traceViews{bytes: f.sizes[v.Input]}).indexed(&v, f.operands, v.Errors, v.Warnings)
		a.Transcript.Figures = s.indexed()
		if err := out.Answer(a); err != nil {
			return report.Summary{}, err
		}
	}
	s := report.Summary{Text: f.headline() + "; `cupel trace report --format html FILE` shows a conversation", Weight: report.Good, Figures: f.figures()}
	if f.bad() > 0 {
		s.Weight, s.No = report.Bad, true
	}
	return s, nil
}

// indexed are the figures for the index of sessions.
func (s *session) indexed() *page.Figures {
	f := &page.Figures{Turns: s.Turns}
	for _, t := range s.Tools {
		f.Calls += t.Calls
		f.Failed += t.Failed
	}
	if u := s.verdict.Usage; u != nil {
		f.Tokens, f.Unknown = u.Total, u.Total == 0 && u.Unknown != ""
	}
	return f
}
