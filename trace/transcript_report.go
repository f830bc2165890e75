package trace

import (
	"bytes"
	"context"
	"errors"
	"io"
	"iter"
	"time"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/internal/transcript"
	"github.com/cupel-dev/cupel/internal/transcript/check"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// ErrNoTranscript is returned for an input that is not a transcript of a coding agent.
var ErrNoTranscript = errors.New("this is not a transcript of a coding agent")

// TranscriptSummary describes what happened in a session.
type TranscriptSummary struct {
	Turns      int64                  `json:"turns"`            // prompts of users
	Answers    int64                  `json:"model_responses"`  // subagents included
	Subagents  int64                  `json:"subagents"`        // with records in the file
	Start      string                 `json:"start,omitempty"`  // RFC 3339, UTC
	End        string                 `json:"end,omitempty"`    // … of the latest record
	DurationMS int64                  `json:"duration_ms"`      // between them
	Folder     string                 `json:"folder,omitempty"` // where the agent worked
	Tools      []transcript.ToolCount `json:"tools"`            // the most used first
	Models     []transcript.Count     `json:"models"`           // with their records
	Files      []transcript.Count     `json:"files"`            // that the arguments of calls name

	calls  iter.Seq[transcript.ModelCall]
	totals transcript.Totals
}

// SummarizeTranscript verifies a transcript and summarizes it. It returns ErrNoTranscript or an error of Verify.
func SummarizeTranscript(ctx context.Context, input io.Reader, opt Options) (*Report, *TranscriptSummary, error) {
	s := transcript.NewSummary("")
	v, report, err := watchTranscript(ctx, input, opt, func(kind transcript.Kind) func(string, *transcript.Record) {
		s = transcript.NewSummary(kind.Format)
		return s.Add
	})
	if err != nil {
		return nil, nil, err
	}
	sum := &TranscriptSummary{
		Turns: s.Turns, Answers: s.Answers, Subagents: s.Subagents, Start: instant(report.Start), End: instant(report.End), DurationMS: report.End.Sub(report.Start).Milliseconds(),
		Folder: report.Folder, Tools: orEmpty(s.Tools()), Models: orEmpty(s.Models()), Files: orEmpty(s.Files()),
		calls: v.calls, totals: v.totals,
	}
	return report, sum, nil
}

func moment(ms int64) (t time.Time) {
	if ms != 0 {
		t = time.UnixMilli(ms).UTC()
	}
	return t
}

// watchTranscript verifies a transcript and passes each record to the function that watch returns for its kind.
func watchTranscript(ctx context.Context, input io.Reader, opt Options, watch func(transcript.Kind) func(string, *transcript.Record)) (*verification, *Report, error) {
	v := newVerification(opt)
	p, ok := peek(ctx, input, opt)
	if !ok {
		return nil, nil, ctx.Err()
	}
	if p.kind.Format == transcript.None {
		return nil, nil, ErrNoTranscript
	}
	v.watch = watch(p.kind)
	report, err := v.transcript(ctx, p)
	return v, report, exported(err)
}

// Repaired is the result of a transcript's repair.
type Repaired struct {
	Format    string    `json:"format"`
	Records   int64     `json:"records"`   // that the copy has
	Recovered int64     `json:"recovered"` // of those, records without a separate line
	Bytes     int64     `json:"bytes"`     // of the copy
	Findings  []Finding `json:"findings"`  // repaired or dropped
	Omitted   int       `json:"findings_omitted,omitempty"`
	Verdict   Verdict   `json:"verdict"`              // on the copy; empty if it could not be verified
	Left      int       `json:"errors_left"`          // in the copy
	FirstLeft *Finding  `json:"first_left,omitempty"` // the first of them
}

// RepairTranscript copies a transcript without truncated records, NUL bytes, other programs' lines and byte order
// marks. Intact records keep their bytes. Contradictions remain, such as a result without a call. open is called up
// to three times. It returns ErrNoTranscript, a read error or a write error.
func RepairTranscript(ctx context.Context, open func() (io.ReadCloser, error), w io.Writer, opt Options) (*Repaired, error) {
	r, copied := io.Pipe()
	verdict := make(chan *Report, 1)
	go func() {
		report, err := Verify(ctx, r, Options{Limits: opt.Limits, Inline: true})
		if err != nil {
			report = &Report{}
		}
		_, _ = io.Copy(io.Discard, r) // after an error: the copy goes on
		verdict <- report
	}()
	done, err := repairTranscript(ctx, open, io.MultiWriter(w, copied), opt)
	_ = copied.Close() // a pipe's has no error
	report := <-verdict
	if err != nil {
		return nil, err
	}
	done.Verdict, done.Left = report.Verdict, report.Errors
	for _, f := range report.Findings {
		if f.Severity == finding.Error {
			done.FirstLeft = &f
			break
		}
	}
	return done, nil
}

func repairTranscript(ctx context.Context, open func() (io.ReadCloser, error), w io.Writer, opt Options) (*Repaired, error) {
	in, err := open()
	if err != nil {
		return nil, err
	}
	defer func() { _ = in.Close() }() // opened for reading: nothing can be lost
	head, kind, err := transcript.Peek(in, false, isTrace)
	if err != nil {
		return nil, err
	}
	if kind.Format == transcript.None {
		return nil, ErrNoTranscript
	}
	limits := stream.Limits(opt.Limits).WithDefaults()
	var done transcript.Repaired
	if kind.Document {
		done, err = transcript.RepairDocument(open, w, limits.LineBytes)
	} else {
		rest := io.MultiReader(bytes.NewReader(head), in)
		done, err = transcript.Repair(contextReader{ctx, rest}, w, kind.Format, strictjson.Limits{TextBytes: limits.LineBytes, Depth: limits.Depth, Keys: limits.Keys, Values: limits.Values})
	}
	if err != nil {
		return nil, err
	}
	r := &Repaired{Format: string(kind.Format), Records: done.Records, Recovered: done.Recovered, Bytes: done.Bytes, Findings: []Finding{}, Omitted: done.Omitted}
	for _, f := range done.Faults {
		found := check.Finding(f)
		found.File = opt.Name
		r.Findings = append(r.Findings, found)
	}
	finding.Sort(r.Findings)
	return r, nil
}

// contextReader returns an error once its context has ended.
type contextReader struct {
	ctx context.Context
	r   io.Reader
}

func (c contextReader) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(p)
}
