package trace

import (
	"bytes"
	"context"
	"errors"
	"io"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/internal/transcript"
	"github.com/cupel-dev/cupel/internal/transcript/check"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// IsTranscript reports whether a file is a transcript of a coding agent, judging by its start, and returns its
// format. whole means that head is the whole file.
func IsTranscript(head []byte, whole bool) (format string, ok bool) {
	kind, _ := transcript.Detect(head, whole, isTrace)
	return string(kind.Format), kind.Format != transcript.None
}

type detection struct {
	input io.Reader // the whole input, its beginning included
	kind  transcript.Kind
}

// peek reads the start of an input. ok is false if ctx ends first, even while a read blocks.
func peek(ctx context.Context, input io.Reader, opt Options) (p detection, ok bool) {
	look := func() detection {
		head, kind, err := transcript.Peek(input, opt.Follow != nil, isTrace)
		rest := input
		if err != nil {
			rest = failed{err}
		}
		return detection{io.MultiReader(bytes.NewReader(head), rest), kind}
	}
	if opt.Inline {
		return look(), true
	}
	done := make(chan detection, 1)
	go func() { done <- look() }()
	select {
	case p := <-done:
		return p, true
	case <-ctx.Done():
		return detection{input: bytes.NewReader(nil)}, false
	}
}

// unprotected is the limitation reported for transcripts.
const unprotected = "whether the file was edited: no hash or signature protects a transcript (`cupel trace seal` makes an anchor of it)"

func (v *verification) transcript(ctx context.Context, p detection) (*Report, error) {
	if v.opt.awaitsEnd() {
		return nil, &TranscriptError{v.opt.Name, string(p.kind.Format), "until-seal"}
	}
	if v.opt.OnTranscript != nil {
		v.opt.OnTranscript()
	}
	sums := newSums(p.input, v.opt.Sum || v.opt.ExpectSHA256 != "", v.opt.Anchor)
	watch, found := v.watch, v.findings.Add
	if v.opt.Strict {
		found = func(f Finding) {
			if f.Severity == finding.Warning {
				f.Severity = finding.Error
			}
			v.findings.Add(f)
		}
	}
	if v.opt.Secrets {
		search, err := newSecretSearch(v.findings.Add)
		if err != nil {
			return nil, err
		}
		watch = func(list string, r *transcript.Record) {
			search.take(list, r)
			if v.watch != nil {
				v.watch(list, r)
			}
		}
	}
	outcome, err := check.Check(ctx, sums.reader, check.Options{
		Kind: p.kind, Line: v.limits.LineBytes, IDs: v.limits.IDs, Jobs: v.opt.Jobs, Inline: v.opt.Inline, Growing: v.opt.growing(),
		Values: strictjson.Limits{Depth: v.limits.Depth, Keys: v.limits.Keys, Values: v.limits.Values},
		Found:  found, Block: v.findings.EndBlock, Observe: watch, Calls: v.watch != nil,
	})
	v.calls, v.totals = outcome.Calls, outcome.Usage
	var limit *check.LimitError
	if errors.As(err, &limit) {
		err = &stream.LimitError{What: "ids of records and calls", Limit: limit.Limit, Flag: "--max-ids"}
	}
	if err != nil && ctx.Err() == nil {
		return nil, err
	}
	counts := stream.Counts{Blank: outcome.Blank, Unreadable: outcome.Unreadable, Readable: outcome.Records}
	report := v.report(Transcript, counts, &stream.Outcome{Events: outcome.Records - outcome.Header, Header: outcome.Header, NotCovered: []string{unprotected}})
	report.Format = string(p.kind.Format)
	if v.opt.Secrets {
		report.NotCovered = append(report.NotCovered, "secrets in images, in other encodings than the scanner knows, and in records that are lost")
	}
	report.Usage = usageOf(&outcome)
	report.Start, report.End, report.Folder = moment(outcome.First), moment(outcome.Last), outcome.Folder
	if v.opt.Engine.consultsSecond() {
		report.NotCovered = append(report.NotCovered, onlyOnce("there is no second implementation for transcripts"))
	}
	if err != nil {
		report.Interrupted = true
		report.NotCovered = append([]string{"everything after the last record that was read: the run was interrupted"}, report.NotCovered...)
		report.judge(v.findings, v.before, false)
		report.transcriptVerdict()
		return report, err
	}
	for _, f := range sums.differ(v.opt.ExpectSHA256, v.opt.Anchor) {
		v.findings.Add(f)
	}
	report.judge(v.findings, v.before, true)
	report.transcriptVerdict()
	report.Bytes, report.SHA256 = sums.whole()
	return report, nil
}

// transcriptVerdict sets the verdict for a format without hashes: consistent or inconsistent.
func (r *Report) transcriptVerdict() {
	switch r.Verdict {
	case Valid:
		r.Verdict = Consistent
	case Invalid:
		r.Verdict = Inconsistent
	}
}
