package tracecmd

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/internal/report"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/transcript"
	"github.com/cupel-dev/cupel/internal/walk"
	"github.com/cupel-dev/cupel/trace"
)

// sessionSchema names the JSON form of `trace report` for a transcript.
const sessionSchema = "cupel.session/1"

// session is the report on a transcript of a coding agent.
type session struct {
	*trace.TranscriptSummary
	verdict *trace.Report
}

// summarized is the report on an input that is a transcript.
func summarized(env cmdline.Env, c *cli.Context, in walk.Input, r io.Reader) (*session, error) {
	opt := trace.Options{Name: in.Name, OnTranscript: app.TightHeap}
	verdict, sum, err := trace.SummarizeTranscript(env.Context, r, opt)
	refused := ""
	switch {
	case c.IsSet("evidence-root"):
		refused = "evidence-root"
	case c.String("format") == "dot":
		refused = "format dot"
	}
	switch {
	case err == nil && refused != "":
		return nil, &cmdline.Hinted{Err: &trace.TranscriptError{Input: in.Name, Format: verdict.Format, Flag: refused}, Hint: transcriptHint}
	case env.Context.Err() != nil:
		return nil, env.Context.Err()
	case err != nil:
		return nil, explained(in, err)
	}
	return &session{sum, verdict}, nil
}

func (s *session) text(w *bufio.Writer) {
	v, name := s.verdict, say.Visible(s.verdict.Input)
	fmt.Fprintf(w, "%s: %s (%s transcript, %s)\n", name, v.Verdict, v.Format, say.Counted(v.Events+v.Header, "record"))
	line := func(what, format string, args ...any) {
		fmt.Fprintf(w, "  %-11s %s\n", what, say.Visible(fmt.Sprintf(format, args...)))
	}
	for _, f := range s.facts() {
		line(f.Name, "%s", f.Value)
	}
	for i, m := range s.Models {
		line(first(i, "models"), "%s (%s)", m.Name, say.Counted(m.Count, "record"))
	}
	for i, t := range s.Tools {
		line(first(i, "tools"), "%s", toolText(&t))
	}
	for i, f := range s.Files {
		if i == maxFilesShown {
			line("", "and %d more", len(s.Files)-i)
			break
		}
		line(first(i, "files"), "%s (%s)", f.Name, say.Counted(f.Count, "call"))
	}
	for _, f := range v.Findings {
		fmt.Fprintf(w, "%s:%d: %s: %s [%s]\n", name, f.Line, f.Severity, say.Visible(f.Message), f.Rule)
	}
	fmt.Fprintf(w, "not verified: %s\n", strings.Join(v.NotCovered, "; "))
}

// facts are the figures without the lists.
func (s *session) facts() (list []report.Fact) {
	add := func(name, value string) { list = append(list, report.Fact{Name: name, Value: value}) }
	if s.Start != "" {
		add("time", fmt.Sprintf("%s to %s (%s)", s.Start, s.End, (time.Duration(s.DurationMS)*time.Millisecond).Round(time.Second)))
	}
	if s.Folder != "" {
		add("folder", s.Folder)
	}
	add("turns", turnsText(s.Turns, s.Answers))
	if s.Subagents > 0 {
		add("subagents", strconv.FormatInt(s.Subagents, 10))
	}
	add("tokens", usageText(s.verdict.Usage))
	return list
}

// toolText describes the calls of a tool.
func toolText(t *transcript.ToolCount) string {
	says := fmt.Sprintf("%s: %s", t.Name, say.Counted(t.Calls, "call"))
	if t.Failed > 0 {
		says += fmt.Sprintf(", %d failed", t.Failed)
	}
	if t.Unanswered > 0 {
		says += fmt.Sprintf(", %d without result", t.Unanswered)
	}
	return says
}

// maxFilesShown is how many files the text form lists.
const maxFilesShown = 20

func first(i int, what string) string {
	if i > 0 {
		return ""
	}
	return what
}

// usageText describes a session's usage.
func usageText(u *trace.TranscriptUsage) string {
	switch {
	case u == nil:
		return ""
	case u.Unknown != "" && u.Total == 0:
		return "unknown: " + u.Unknown
	}
	says := tokensText(u.Total, u.Calls, u.Input, u.CacheRead, u.CacheWrite, u.Output)
	if u.MainTotal != u.Total {
		says += fmt.Sprintf(", %d of them in the main thread", u.MainTotal)
	}
	if u.Cost > 0 {
		says += fmt.Sprintf(", $%.4f as the file states it", u.Cost)
	}
	if u.EachRecord > u.Total {
		says += fmt.Sprintf("; adding up every record would give %d", u.EachRecord)
	}
	if u.Unknown != "" {
		says += "; not a total: " + u.Unknown
	}
	return says
}

func (s *session) json(w *bufio.Writer) error {
	return app.WriteJSON(w, struct {
		Schema  string        `json:"schema"`
		Status  string        `json:"status"`
		Input   string        `json:"input"`
		Format  string        `json:"format"`
		Verdict trace.Verdict `json:"verdict"`
		*trace.TranscriptSummary
		Usage      *trace.TranscriptUsage `json:"usage"`
		Findings   []trace.Finding        `json:"findings"`
		NotCovered []string               `json:"not_covered"`
	}{sessionSchema, "ok", s.verdict.Input, s.verdict.Format, s.verdict.Verdict, s.TranscriptSummary, s.verdict.Usage, append([]trace.Finding{}, s.verdict.Findings...), s.verdict.NotCovered})
}

// turnsText describes the number of turns of a session or folder.
func turnsText(turns, answers int64) string {
	return fmt.Sprintf("%d, with %s of the model", turns, say.Counted(answers, "response"))
}

// tokensText describes counted tokens by kind.
func tokensText(total, calls, input, cacheRead, cacheWrite, output int64) string {
	return fmt.Sprintf("%d in %s (input %d, cache read %d, cache write %d, output %d)", total, say.Counted(calls, "model call"), input, cacheRead, cacheWrite, output)
}
