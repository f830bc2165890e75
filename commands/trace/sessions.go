package tracecmd

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/report"
	"github.com/cupel-dev/cupel/trace"
)

// sessionFields are the members for --by.
var sessionFields = []string{"session_id"}

// bySessionFlag selects logs with several sessions.
func bySessionFlag() cli.Flag {
	return cmdline.OneOf(&cli.StringFlag{Name: "by", Category: "Session logs", Usage: "verify each session of a log separately, by `MEMBER`: session_id"}, cmdline.WordsOf(sessionFields, map[string]string{"session_id": "the session that an event is of"})...)
}

// notOfSessions are the flags about a single session, with reasons.
var notOfSessions = []struct{ name, why string }{
	{"follow", "follows one log"},
	{"state", "goes on in one log"},
	{"after", "goes on after one session"},
	{"expect-count", "counts the events of one session"},
	{"expect-head", "is the last event of one session"},
	{"sources", "compares the events of one session"},
}

// bySession reads --by and related flags.
func bySession(c *cli.Context, opt *trace.Options) error {
	opt.BySession = c.IsSet("by")
	if !opt.BySession {
		for _, flag := range []string{"max-sessions", "max-ended"} {
			if c.IsSet(flag) {
				return &cmdline.UsageError{Message: fmt.Sprintf("--%s bounds the sessions that --by separates, but --by is missing", flag), Hint: "--by session_id"}
			}
		}
		return nil
	}
	if by := c.String("by"); !slices.Contains(sessionFields, by) {
		return cmdline.BadValue("by", by, sessionFields)
	}
	if err := noSessions(c, "--%s %s, but --by splits the log into sessions"); err != nil {
		return err
	}
	if engine := c.String("engine"); engine != string(trace.Fast) {
		return &cmdline.UsageError{Message: fmt.Sprintf("--engine %s checks one log, but --by splits the log into sessions", engine), Hint: cmdline.LeaveOneHint}
	}
	return nil
}

// noSessions refuses the flags about a single session.
func noSessions(c *cli.Context, format string) error {
	for _, flag := range notOfSessions {
		if c.IsSet(flag.name) {
			return &cmdline.UsageError{Message: fmt.Sprintf(format, flag.name, flag.why), Hint: cmdline.LeaveOneHint}
		}
	}
	return nil
}

// sessionBytes is the approximate memory of a session without its ids, endedBytes that of an ended session.
const (
	sessionBytes = 16 << 10
	endedBytes   = 1 << 10
)

// SessionCounts are the numbers of sessions, as JSON.
type SessionCounts struct {
	Sessions int `json:"sessions"`
	Valid    int `json:"valid"`
	Invalid  int `json:"invalid"`
	Rejected int `json:"rejected"`
}

func (n *SessionCounts) add(verdict trace.Verdict) {
	n.Sessions++
	switch verdict {
	case trace.Valid:
		n.Valid++
	case trace.Invalid:
		n.Invalid++
	case trace.Rejected:
		n.Rejected++
	}
}

// text is the sentence of a summary about them, "" without --by.
func (n *SessionCounts) text() string {
	if n == nil {
		return ""
	}
	return fmt.Sprintf("; %s: %d valid, %d invalid, %d rejected", cmdline.Counted(n.Sessions, "session"), n.Valid, n.Invalid, n.Rejected)
}

// divided reports the verdicts on the sessions of an input, then that on the input.
func (v *LogVerifier) divided(r *trace.Report) error {
	var counts SessionCounts
	var open uncovered
	shown := dividedReport{r, map[int][]finding.Finding{}}
	for s := range r.Sessions {
		if v.Sessions == nil {
			v.Sessions = &SessionCounts{}
		}
		found := len(s.Findings)
		if err := v.session(r.Input, s); err != nil {
			return err
		}
		if len(s.Findings) < found {
			shown.kept[counts.Sessions] = s.Findings
		}
		counts.add(s.Verdict)
		v.Sessions.add(s.Verdict)
		open.add(s.NotCovered)
	}
	a, err := v.judged(r)
	if err != nil {
		return err
	}
	a.Value, a.Total = shown, true
	if a.Scope = []string{fmt.Sprintf("%d events", r.Events), cmdline.Counted(counts.Sessions, "session")}; r.Family != trace.Unknown {
		a.Scope = append([]string{string(r.Family)}, a.Scope...)
	}
	a.Facts = slices.Concat([]report.Fact{{Name: "sessions", Value: fmt.Sprintf("%d valid, %d invalid, %d rejected", counts.Valid, counts.Invalid, counts.Rejected)}}, traceFacts(r))
	a.NotCovered = slices.Concat(r.NotCovered, open.shown())
	return v.out.Answer(a)
}

func (v *LogVerifier) session(input string, s *trace.Report) error {
	a, err := v.judged(s)
	if err != nil {
		return err
	}
	a.List, a.Type, a.Value, a.Subject = "", "session", sessionLine{input, s}, input+": "+sessionName(s)
	a.NotCovered = nil // the input's answer says it for all
	return v.out.Answer(a)
}

// sessionName names a session for a person.
func sessionName(s *trace.Report) string {
	if s.Session == nil {
		return "lines without a session_id"
	}
	return fmt.Sprintf("session %q", *s.Session)
}

// shownUncovered limits the different remarks on open sessions in the text report.
const shownUncovered = 20

// uncovered collects the distinct limitations of session verdicts.
type uncovered struct {
	said map[string]bool
	list []string // the first of them
}

func (u *uncovered) add(remarks []string) {
	if u.said == nil {
		u.said = map[string]bool{}
	}
	for _, what := range remarks {
		if !u.said[what] && len(u.list) < shownUncovered {
			u.list = append(u.list, what)
		}
		u.said[what] = true
	}
}

// shown returns the remarks for the text report.
func (u *uncovered) shown() []string {
	if more := len(u.said) - len(u.list); more > 0 {
		return append(u.list, fmt.Sprintf("%d more left open; --format json lists them", more))
	}
	return u.list
}

// sessionLine is a session's standalone report.
type sessionLine struct {
	input string
	*trace.Report
}

// Brief is the report without the findings.
func (s sessionLine) Brief() any {
	brief := *s.Report
	brief.Findings = nil
	return sessionLine{s.input, &brief}
}

// MarshalJSON writes the input before the report.
func (s sessionLine) MarshalJSON() ([]byte, error) {
	name, err := json.Marshal(s.input)
	text, bad := json.Marshal(s.Report)
	if err := errors.Join(err, bad); err != nil {
		return nil, err
	}
	return slices.Concat([]byte(`{"input":`), name, []byte{','}, text[1:]), nil
}

// dividedReport is the report on an input after the reports on its sessions.
type dividedReport struct {
	*trace.Report
	kept map[int][]finding.Finding // of sessions, by their place, where flags leave some out
}

// Brief is the report without the findings and the sessions.
func (r dividedReport) Brief() any {
	brief := *r.Report
	brief.Findings, brief.Sessions = nil, nil
	return &brief
}

// Long is the report with all findings: those without a session first, then by session.
func (r dividedReport) Long() report.Long {
	head := *r.Report
	head.Findings, head.Sessions = nil, nil
	return report.Long{Head: unlisted{&head}, Lists: []report.LongList{
		{Member: "findings", Elements: func(yield func(any) bool) {
			for _, f := range r.Findings {
				if !yield(f) {
					return
				}
			}
			for s := range r.sessions {
				for _, f := range s.Findings {
					if !yield(f) {
						return
					}
				}
			}
		}},
		{Member: "sessions", Elements: func(yield func(any) bool) {
			for s := range r.sessions {
				if !yield(s) {
					return
				}
			}
		}},
	}}
}

// sessions yields the sessions' reports with the findings that the flags leave.
func (r dividedReport) sessions(yield func(*trace.Report) bool) {
	i := 0
	for s := range r.Sessions {
		if kept, some := r.kept[i]; some {
			s.Findings = kept
		}
		if i++; !yield(s) {
			return
		}
	}
}

// unlisted is a report without findings. The list follows it.
type unlisted struct{ *trace.Report }

// MarshalJSON omits the empty list. No text before the list can contain it, because its quotes would be escaped.
func (r unlisted) MarshalJSON() ([]byte, error) {
	text, err := json.Marshal(r.Report)
	return bytes.Replace(text, []byte(`"findings":[],`), nil, 1), err
}
