// Package trace verifies what an agent wrote down while it worked: reasoning traces
// and session logs. It answers one question, "is this record intact and well
// formed?", with one of three verdicts and a list of findings.
//
//	report, err := trace.Verify(ctx, file, trace.Options{Name: "run/trace.jsonl"})
//
// The input is read once, in blocks, and never held. An error means that the answer
// could not be given (reading failed, the context ended); a bad record is an answer.
package trace

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"strings"

	"github.com/cupel-dev/cupel/internal/finding"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/reasoning"
	"github.com/cupel-dev/cupel/trace/session"
	"github.com/cupel-dev/cupel/trace/stream"
)

// Finding is one fault or note, at one place of the input.
type Finding = finding.Finding

// Limits bound what one input may ask for; zero fields mean the defaults.
type Limits = stream.Limits

// LimitError is the error of Verify for an input that asks for more than a limit
// allows, so that no answer can be given.
type LimitError = stream.LimitError

// Options say how to verify. The zero value verifies by the letter of the formats.
type Options struct {
	Name   string // the input's display name, for findings
	Limits Limits
	Jobs   int    // goroutines that read lines; 0 means one for each core
	Engine Engine // which engine reads the lines; "" is Fast
	Strict bool   // what is only a warning about a log's form becomes a fault

	// ExpectSHA256 is the digest that the whole input must have: 64 hexadecimal digits,
	// with or without "sha256:". "" asks for nothing.
	ExpectSHA256 string
	// Reasoning and Session are the options of one family alone. The session engine is
	// Engine.
	Reasoning reasoning.Options
	Session   session.Options

	// OnFinding, when set, gets every finding as soon as its block is complete, in file
	// order. A provisional one falls away when the input turns out to be rejected.
	OnFinding func(f Finding, provisional bool)
}

// Engine is what reads lines and writes canonical forms.
type Engine string

// The engines.
const (
	Fast      Engine = "fast"      // cupel's own
	Reference Engine = "reference" // independent libraries decide what is readable
	Both      Engine = "both"      // both; a disagreement is an error
)

// Verify reads the input to its end and reports on it.
func Verify(ctx context.Context, input io.Reader, opt Options) (*Report, error) {
	if err := opt.Session.Check(); err != nil {
		return nil, err
	}
	limits := opt.Limits.WithDefaults()
	v := &verification{ctx: ctx, opt: opt, limits: limits, findings: stream.NewFindings(limits.Findings)}
	if opt.OnFinding != nil {
		v.findings.Emit = func(f Finding, provisional bool) {
			f.File = cmp.Or(f.File, opt.Name)
			opt.OnFinding(f, provisional)
		}
	}
	var sum hash.Hash
	if opt.ExpectSHA256 != "" {
		sum = sha256.New()
		input = io.TeeReader(input, sum)
	}
	runner := &stream.Runner{Findings: v.findings, Limits: limits, Jobs: opt.Jobs, Detect: v.detect}
	if err := runner.Run(ctx, stream.Records(input, limits)); err != nil {
		return nil, err
	}
	var outcome stream.Outcome
	if runner.Checker != nil {
		var err error
		if outcome, err = runner.Checker.Finish(); err != nil {
			return nil, err
		}
	}
	if v.family == Unknown {
		outcome.Integrity = string(Rejected)
	}
	if runner.Counts.Readable+runner.Counts.Unreadable == 0 {
		v.findings.Reject(emptyFile(runner.Counts))
	}
	if sum != nil {
		v.checkSum(sum)
	}
	return v.report(runner.Counts, outcome), nil
}

// verification is one call of Verify.
type verification struct {
	ctx      context.Context
	opt      Options
	limits   Limits
	findings *stream.Findings
	family   Family
}

// detect makes the checker of the family that the first record belongs to.
func (v *verification) detect(l stream.Line, root strictjson.Node) stream.Checker {
	v.family = familyOf(root)
	switch v.family {
	case SessionV0, SessionV1, SessionV1B, SessionBare:
		opt := v.opt.Session
		opt.Engine = session.Engine(v.opt.Engine)
		return session.New(v.findings, v.limits, string(v.family), root, opt)
	case Reasoning:
		opt := v.opt.Reasoning
		opt.Strict, opt.Jobs = opt.Strict || v.opt.Strict, v.opt.Jobs
		return reasoning.New(v.ctx, opt, v.limits, v.findings, root)
	default:
		v.family = Unknown
		return &unknown{v.findings, l.Number}
	}
}

func emptyFile(counts stream.Counts) Finding {
	f := Finding{Rule: stream.FileEmpty, Message: "the file has no content"}
	if counts.Blank > 0 {
		f.Message = fmt.Sprintf("the file has no content: %d blank lines", counts.Blank)
	}
	return f
}

func (v *verification) checkSum(sum hash.Hash) {
	want := strings.TrimPrefix(v.opt.ExpectSHA256, "sha256:")
	got := hex.EncodeToString(sum.Sum(nil))
	if got != want {
		v.findings.Add(Finding{
			Rule: "anchor.sha256", Severity: finding.Error,
			Message:  "the file's SHA-256 is not the expected one",
			Expected: want, Found: got,
		})
	}
}
