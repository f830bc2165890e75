package redact

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"hash"
	"io"
	"path"
	"sync"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/bundle"
	"github.com/cupel-dev/cupel/evidence/privacy"
	"github.com/cupel-dev/cupel/finding"
)

// Redact redacts an input and writes a result of the same kind to w. It first makes all checks of [bundle.Verify];
// on failure it writes nothing (see [Report.Redacted]) unless Options.Staged is set. name is the display name; its
// extension identifies a bundle with a damaged start. size is the input's size in bytes, -1 if unknown.
//
// The scratch file must be empty. It grows to the size of the events, twice that for a bundle, and is not needed
// for a staged stream. Memory is about 100 bytes per event of a bundle. The output depends only on input, policy
// and, because of compression, this package's version.
//
// It returns an [EventError], an [evidence.ReadError], or an error of ctx, scratch, w or a function in opt. After
// an error of w, part of the output was written.
func Redact(ctx context.Context, r io.Reader, size int64, name string, scratch bundle.Scratch, w io.Writer, opt Options) (*Report, error) {
	return newRedaction(r, name, scratch, w, opt).do(ctx, size)
}

func (d *redaction) do(ctx context.Context, size int64) (*Report, error) {
	verified, err := bundle.VerifyBeside(ctx, d.input, size, d.input.name, d.opt.verifying(), bundle.Beside[made]{New: d.worker, Take: d.event, Finish: d.finish})
	if err != nil {
		return nil, err
	}
	d.judge(verified)
	if !d.report.Redacted || d.opt.Check {
		return d.report, nil
	}
	return d.report, d.write(ctx)
}

// EventError reports an event that cannot be redacted, because of a remaining secret ([privacy.SweepError]) or an
// oversized text ([GrownError]).
type EventError struct {
	Line int // it begins on
	Err  error
}

func (e *EventError) Error() string { return fmt.Sprintf("line %d: %v", e.Line, e.Err) }

func (e *EventError) Unwrap() error { return e.Err }

// GrownError reports an event whose text has grown beyond Limits.LineBytes: a replaced text can be shorter than
// three stars.
type GrownError struct {
	Bytes int
	Limit int64
}

func (e *GrownError) Error() string {
	return fmt.Sprintf("after redaction the event has %d bytes, the limit max_line_bytes is %d", e.Bytes, e.Limit)
}

type redaction struct {
	opt     Options
	input   *bufferedStart
	scratch bundle.Scratch
	out     io.Writer
	sum     hash.Hash     // of the written output, or nil
	events  *bufio.Writer // where redacted events go: the scratch file, or out; nil: not known yet
	size    int64         // written to it
	report  *Report
	root    *evidence.Root
	large   *shared
	share   sync.Once // makes it

	redactor func() redactor // makes one

	unread   bool // some line was not an event
	unhashed bool // … or one that is blank
	complete bool // the last event was taken
}

// scratchBuffer is the size of writes to the scratch file.
const scratchBuffer = 256 << 10

func newRedaction(r io.Reader, name string, scratch bundle.Scratch, w io.Writer, opt Options) *redaction {
	opt = opt.withDefaults()
	return &redaction{
		opt: opt, input: newBeginning(r, name, opt.Limits), scratch: scratch, out: w, root: evidence.NewRoot(),
		report:   &Report{Schema: Schema, Input: path.Base(name), Policy: opt.policy()},
		redactor: func() redactor { return privacy.NewRedactor(opt.Policy) },
	}
}

func (d *redaction) worker() func(*evidence.Result, *made) {
	d.share.Do(func() { d.large = &shared{worker: d.newWorker()} })
	w := d.newWorker()
	w.shared = d.large
	return w.event
}

func (d *redaction) newWorker() worker {
	return worker{
		redactor: d.redactor(), hasher: evidence.NewHasher(d.opt.hashing()),
		values: d.opt.OnChange != nil, rehash: d.input.isBundle(), longest: d.opt.Limits.LineBytes,
	}
}

func (d *redaction) event(r *evidence.Result, m *made) ([]finding.Finding, error) {
	if m.err != nil {
		return nil, &EventError{r.Line, m.err}
	}
	d.report.Summary.Events++
	before, after := d.input.around(r)
	switch {
	case m.hashed:
		d.root.Add(m.sum.String())
	case r.Long || len(bytes.TrimSpace(r.Text())) > 0:
		d.unread = true
		return nil, nil
	default:
		d.unhashed = true
	}
	if m.listed() {
		if err := d.list(r, m); err != nil {
			return nil, err
		}
	}
	text := r.Text()
	if m.text != nil {
		text = m.text
	}
	return nil, d.keep(before, text, []byte(r.Ending), after)
}

func (d *redaction) finish() ([]finding.Finding, error) {
	d.complete = true
	return nil, nil
}

func (d *redaction) list(r *evidence.Result, m *made) error {
	if m.later {
		if err := d.large.changes(r, m); err != nil {
			return err
		}
		defer func() { m.changes = nil }()
	}
	sum := &d.report.Summary
	if m.text != nil {
		sum.Changed++
	}
	e := &Event{Line: r.Line, ID: string(r.ID), Seq: m.seq, ContentHash: m.sum.String(), Changes: make([]Change, len(m.changes)), OriginalHash: r.Sum.String()}
	if d.opt.LinkOriginal {
		e.LinkedHash = e.OriginalHash
	}
	for i := range m.changes {
		c := &m.changes[i]
		sum.count(&c.Change)
		e.Changes[i] = c.Change
		if d.opt.OnChange == nil {
			continue
		}
		if err := d.opt.OnChange(e, &e.Changes[i], c.before, c.after); err != nil {
			return err
		}
	}
	if d.opt.OnEvent != nil {
		return d.opt.OnEvent(e)
	}
	d.report.Events = append(d.report.Events, *e)
	return nil
}

// keep writes parts of the redacted events to their destination.
func (d *redaction) keep(parts ...[]byte) error {
	if d.opt.Check {
		return nil
	}
	if d.events == nil {
		d.begin()
	}
	for _, part := range parts {
		d.size += int64(len(part))
		if _, err := d.events.Write(part); err != nil {
			return err
		}
	}
	return nil
}

// begin sets the destination of the redacted events.
func (d *redaction) begin() {
	to := io.Writer(d.scratch)
	if d.opt.Staged && !d.input.isBundle() {
		to = d.summed()
	}
	d.events = bufio.NewWriterSize(to, scratchBuffer)
}

// summed returns a writer to the output that also computes its digest.
func (d *redaction) summed() io.Writer {
	d.sum = sha256.New()
	return io.MultiWriter(d.out, d.sum)
}

// judge decides whether there can be an output.
func (d *redaction) judge(verified *bundle.Report) {
	r := d.report
	withhold(verified.Findings)
	r.Kind, r.Verified, r.Findings = verified.Kind, verified, verified.Findings
	r.InputVerified = verified.Verdict == bundle.Valid
	r.Redacted = r.InputVerified || d.opt.AcceptUnverified && d.complete && !d.unread
	if r.Redacted && !d.unhashed {
		r.RunRoot = d.root.Sum().String()
	}
	r.NotCovered = notCovered(d.opt.Policy, verified.Kind)
	r.Original = Original{SHA256: verified.SHA256, RunRoot: verified.RunRoot, BundleID: verified.BundleID}
	if d.opt.LinkOriginal {
		r.Linked = &r.Original
	}
}

func (d *redaction) write(ctx context.Context) error {
	if err := d.events.Flush(); err != nil {
		return err
	}
	if d.report.Kind == bundle.KindBundle {
		return d.bundle(ctx)
	}
	if d.sum == nil {
		events := io.NewSectionReader(d.scratch, 0, d.size)
		if _, err := io.CopyBuffer(d.summed(), &untilDone{ctx, events}, make([]byte, scratchBuffer)); err != nil {
			return err
		}
	}
	d.report.OutputSHA256 = evidence.Sum(d.sum.Sum(nil)).String()
	return nil
}

func (d *redaction) bundle(ctx context.Context) error {
	events := io.NewSectionReader(d.scratch, 0, d.size)
	sealed, err := bundle.Seal(ctx, events, d.size, bundle.EventsName, behind{d.scratch, d.size}, d.out, d.opt.sealing(d.report.Verified.Manifest))
	if err != nil {
		return err
	}
	r := d.report
	if sealed.Report.Verdict != bundle.Valid {
		r.Redacted, r.Findings = false, append(r.Findings, faultsIn(d.input.name, sealed.Report.Findings)...)
		return nil
	}
	r.OutputSHA256, r.RunRoot, r.BundleID = sealed.SHA256, sealed.Report.RunRoot, sealed.Report.BundleID
	return nil
}
