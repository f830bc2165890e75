package tracecmd

import (
	"bufio"
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/app"
	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/internal/report"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/transcript"
	"github.com/cupel-dev/cupel/internal/walk"
	"github.com/cupel-dev/cupel/trace"
)

// folderSchema names the JSON form of `trace report` for several transcripts.
const folderSchema = "cupel.sessions/1"

// folder is the report on several transcripts.
type folder struct {
	sessions []*session
	usage    *trace.FolderUsage
	skipped  int // files that are not transcripts
	operands []string
	sizes    map[string]int64 // of the inputs, in bytes

	turns, answers, subagents int64
	start, end                string
	tools                     []transcript.ToolCount
}

// folderReport sums up transcripts and skips other files.
func folderReport(env cmdline.Env, c *cli.Context, inputs []walk.Input) (grounded, error) {
	jobs, err := app.Jobs(c)
	if err != nil {
		return grounded{}, err
	}
	type seen struct {
		s   *session
		err error
	}
	f := &folder{}
	var ledger trace.UsageLedger
	err = walk.Each(env.Context, jobs, inputs, func(in walk.Input) seen {
		s, err := transcriptOf(env, c, in)
		return seen{s, err}
	}, func(in walk.Input, one seen) error {
		switch {
		case one.err != nil:
			return one.err
		case one.s == nil && in.Explicit:
			return &cmdline.UsageError{Message: fmt.Sprintf("several inputs must be transcripts: there are %d, and %q is not one", len(inputs), in.Name), Hint: "report on that file separately"}
		case one.s == nil:
			f.skipped++
			return nil
		}
		ledger.Add(one.s.TranscriptSummary)
		f.sessions = append(f.sessions, one.s)
		return nil
	})
	if err != nil {
		return grounded{}, err
	}
	if len(f.sessions) == 0 {
		return grounded{}, &cmdline.UsageError{Message: fmt.Sprintf("several inputs must be transcripts: there are %d, none of them a transcript", len(inputs)), Hint: "name one trace"}
	}
	f.usage = ledger.Usage()
	f.sum()
	f.operands, f.sizes = c.Args().Slice(), map[string]int64{}
	for _, in := range inputs {
		f.sizes[in.Name] = in.Size
	}
	if f.bad() > 0 {
		err = cmdline.ErrNo
	}
	return grounded{folder: f}, err
}

// transcriptOf reports on a transcript. It returns nil for other inputs.
func transcriptOf(env cmdline.Env, c *cli.Context, in walk.Input) (*session, error) {
	file, err := in.Open()
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }() // opened for reading: nothing can be lost
	r := bufio.NewReaderSize(file, headBytes)
	if !isTranscript(r) {
		return nil, nil
	}
	return summarized(env, c, in, r)
}

// sum adds a transcript to the totals. A session that repeats another one also repeats its turns and calls.
func (f *folder) sum() {
	slices.SortStableFunc(f.sessions, func(a, b *session) int { return cmp.Compare(a.verdict.Input, b.verdict.Input) })
	tools := map[string]*transcript.ToolCount{}
	for _, s := range f.sessions {
		f.turns += s.Turns
		f.answers += s.Answers
		f.subagents += s.Subagents
		if s.Start != "" && (f.start == "" || s.Start < f.start) {
			f.start = s.Start
		}
		f.end = max(f.end, s.End)
		for _, t := range s.Tools {
			if tools[t.Name] == nil {
				tools[t.Name] = &transcript.ToolCount{Name: t.Name}
			}
			sum := tools[t.Name]
			sum.Calls += t.Calls
			sum.Failed += t.Failed
			sum.Unanswered += t.Unanswered
		}
	}
	f.tools = transcript.SortedTools(tools)
}

// bad counts the inconsistent sessions.
func (f *folder) bad() (n int) {
	for _, s := range f.sessions {
		if s.verdict.Verdict.Bad() {
			n++
		}
	}
	return n
}

func (f *folder) headline() string {
	bad := f.bad()
	return fmt.Sprintf("%s: %d consistent, %d inconsistent", say.Counted(int64(len(f.sessions)), "transcript"), len(f.sessions)-bad, bad)
}

// facts are the sums without the lists.
func (f *folder) facts() (list []report.Fact) {
	add := func(name, value string) { list = append(list, report.Fact{Name: name, Value: value}) }
	if f.start != "" {
		add("time", f.start+" to "+f.end)
	}
	add("turns", turnsText(f.turns, f.answers))
	if f.subagents > 0 {
		add("subagents", strconv.FormatInt(f.subagents, 10))
	}
	add("tokens", modelText(&f.usage.ModelUsage))
	return list
}

// unsure says why the tokens are not a total, or is "".
func (f *folder) unsure() string {
	if f.usage.Unsure == 0 {
		return ""
	}
	return fmt.Sprintf("not a total: %s with calls that are not counted, or that may repeat a session outside these files", say.Counted(int64(f.usage.Unsure), "session"))
}

func (f *folder) others() string {
	return fmt.Sprintf("%s of another format", say.Counted(int64(f.skipped), "file"))
}

func (f *folder) text(w *bufio.Writer) {
	fmt.Fprintln(w, f.headline())
	line := func(what, format string, args ...any) {
		fmt.Fprintf(w, "  %-11s %s\n", what, say.Visible(fmt.Sprintf(format, args...)))
	}
	for _, one := range f.facts() {
		line(one.Name, "%s", one.Value)
	}
	u := f.usage
	for i := range u.Models {
		line(first(i, "models"), "%s: %s", cmp.Or(u.Models[i].Model, "unknown"), modelText(&u.Models[i]))
	}
	if unsure := f.unsure(); unsure != "" {
		line("", "%s", unsure)
	}
	for i := range f.tools {
		line(first(i, "tools"), "%s", toolText(&f.tools[i]))
	}
	if f.skipped > 0 {
		line("skipped", "%s", f.others())
	}
	shown := slices.Clone(f.sessions)
	slices.SortStableFunc(shown, func(a, b *session) int { return cmp.Compare(b.verdict.Usage.Total, a.verdict.Usage.Total) })
	for i, s := range shown {
		if i == maxFilesShown {
			line("", "and %d more", len(shown)-i)
			break
		}
		line(first(i, "sessions"), "%s: %s in %s", s.verdict.Input, say.Counted(s.verdict.Usage.Total, "token"), say.Counted(s.verdict.Usage.Calls, "model call"))
	}
	for _, s := range f.sessions {
		if s.verdict.Verdict.Bad() {
			fmt.Fprintf(w, "%s: %s, %s\n", say.Visible(s.verdict.Input), s.verdict.Verdict, say.Counted(int64(s.verdict.Errors), "error"))
		}
	}
}

// modelText describes the usage of a model, or of all.
func modelText(u *trace.ModelUsage) string {
	says := tokensText(u.Total, u.Calls, u.Input, u.CacheRead, u.CacheWrite, u.Output)
	if u.Cost > 0 {
		says += fmt.Sprintf(", $%.4f as the files state it", u.Cost)
	}
	if u.Repeated > 0 {
		says += fmt.Sprintf("; adding up the files would count %d twice and give %d", u.Repeated, u.EachFile)
	}
	return says
}

func (f *folder) json(w *bufio.Writer) error {
	type one struct {
		Input   string        `json:"input"`
		Format  string        `json:"format"`
		Verdict trace.Verdict `json:"verdict"`
		*trace.TranscriptSummary
		Usage    *trace.TranscriptUsage `json:"usage"`
		Errors   int                    `json:"errors"`
		Warnings int                    `json:"warnings"`
	}
	sessions := []one{}
	for _, s := range f.sessions {
		v := s.verdict
		sessions = append(sessions, one{v.Input, v.Format, v.Verdict, s.TranscriptSummary, v.Usage, v.Errors, v.Warnings})
	}
	return app.WriteJSON(w, struct {
		Schema    string                 `json:"schema"`
		Status    string                 `json:"status"`
		Turns     int64                  `json:"turns"`
		Answers   int64                  `json:"model_responses"`
		Subagents int64                  `json:"subagents"`
		Start     string                 `json:"start,omitempty"`
		End       string                 `json:"end,omitempty"`
		Tools     []transcript.ToolCount `json:"tools"`
		Usage     *trace.FolderUsage     `json:"usage"`
		Skipped   int                    `json:"skipped"`
		Sessions  []one                  `json:"sessions"`
	}{folderSchema, "ok", f.turns, f.answers, f.subagents, f.start, f.end, append([]transcript.ToolCount{}, f.tools...), f.usage, f.skipped, sessions})
}
