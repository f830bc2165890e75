package reasoning

import (
	"context"
	"slices"

	"github.com/cupel-dev/cupel/internal/siphash"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/evidence"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/fault"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/folder"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/format"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// Checker verifies one trace.
type Checker struct {
	ctx     context.Context // of this one verification
	opt     Options
	limits  stream.Limits
	sink    fault.Sink
	blocks  *format.Blocks
	readers *folder.Readers  // of the files that the trace leads to
	files   *evidence.Reader // those that its events register
	state   *Snapshot        // all that the parts know
	parts   *parts           // nil before the first block
	failed  error            // why nothing can be said of a trace that is not rejected; nil: nothing
}

// New returns the checker for a trace with the given first record.
func New(ctx context.Context, opt Options, limits stream.Limits, findings *stream.Findings, first strictjson.Node) *Checker {
	return Resume(ctx, opt, limits, findings, &Snapshot{Shape: format.ShapeOf(first), Keys: siphash.NewKey()})
}

// Resume returns a checker that continues from a snapshot, which it owns afterwards. It does not repeat earlier
// findings.
func Resume(ctx context.Context, opt Options, limits stream.Limits, findings *stream.Findings, s *Snapshot) *Checker {
	readers := folder.NewReaders(ctx, opt.Jobs)
	if s.Rejected {
		readers.Stop()
	}
	log := &fault.Log{Prefix: s.Shape.Prefix()}
	return &Checker{
		ctx: ctx, opt: opt, limits: limits, state: s, blocks: format.NewBlocks(limits.Findings),
		sink:    fault.Sink{Findings: findings, Log: log, Before: s.Rejected},
		readers: readers, files: evidence.NewReader(opt.Evidence, log, readers),
	}
}

func (c *Checker) Worker() stream.Worker {
	return newWorker(&c.opt, c.limits, c.state.Shape, c.state.Keys, c.blocks, func(b *format.Block) func() error {
		files := c.files.Read(b)
		return func() error { return c.apply(b, files) }
	})
}

// newWorker returns a worker that takes blocks from a store and reads lines with the given keys. Its Flush calls
// flush.
func newWorker(opt *Options, limits stream.Limits, shape format.Shape, keys siphash.Key, blocks *format.Blocks, flush func(*format.Block) func() error) *worker {
	read := format.Options{
		Shape: shape, Versions: opt.versions(), Aliases: opt.AcceptAliases,
		Additive: limits.Findings, Keys: keys,
	}
	if shape.HasID {
		read.Canonical = Profile
	}
	return &worker{format.NewReader(read, blocks), flush}
}

type worker struct {
	reader *format.Reader
	flush  func(*format.Block) func() error
}

func (w *worker) Line(l stream.Line, doc *strictjson.Document) { w.reader.Line(l, doc.Root()) }

func (w *worker) Unreadable(l stream.Lost) { w.reader.Unreadable(l.Line) }

func (w *worker) Flush() func() error {
	b := w.reader.Flush()
	if b == nil {
		return nil
	}
	return w.flush(b)
}

// start reads the trace's companions. It runs before the first record, on the goroutine that owns the findings.
func (c *Checker) start() (err error) {
	if c.parts == nil {
		c.parts, err = newParts(c.readers, c.files, &c.opt, c.limits, &c.sink, c.state)
		c.state.Started = true
	}
	return err
}

// apply processes a block's records in file order. After a rejection, it only checks for structural faults.
func (c *Checker) apply(b *format.Block, files *evidence.Files) error {
	defer c.blocks.Put(b)
	if err := c.start(); err != nil {
		return err
	}
	c.sink.Merge(b.Faults)
	c.state.Counts.take(b)
	c.state.Scope.take(b)
	return c.takeAll(b, files)
}

func (c *Checker) takeAll(b *format.Block, files *evidence.Files) error {
	c.parts.additive.take(b)
	c.parts.evidence.BeginBlock(files)
	for i := range b.Records {
		c.take(b, &b.Records[i])
	}
	if err := c.parts.evidence.EndBlock(); err != nil {
		c.failed = err // from an event before the one with too many ids
	}
	if c.sink.Rejected() {
		c.readers.Stop()
	}
	return c.ctx.Err()
}

func (c *Checker) take(b *format.Block, r *format.Record) {
	switch r.Role {
	case format.IsBroken, format.IsMisfit:
		c.parts.head.unreadable()
	case format.IsHeader:
		if h := b.Header(r); c.parts.head.header(r, h) {
			c.parts.header(r, h)
		}
	case format.IsEvent:
		c.event(r, b.Event(r))
	}
}

// event processes an event. Too many ids do not end the check, because structural faults in later lines must still
// be found.
func (c *Checker) event(r *format.Record, e *format.Event) {
	c.parts.head.event(r, e)
	if e.Broken || c.failed != nil || c.sink.Rejected() {
		return
	}
	c.parts.event(e)
	if c.parts.ids() > c.limits.IDs {
		c.failed = &stream.LimitError{What: "distinct ids", Limit: c.limits.IDs, Flag: "--max-ids"}
	}
}

func (c *Checker) Finish() (stream.Outcome, error) {
	if err := c.start(); err != nil {
		return stream.Outcome{}, err
	}
	c.parts.head.finish()
	switch {
	case c.sink.Rejected():
		return c.Partial(), nil
	case c.failed != nil:
		return stream.Outcome{}, c.failed
	}
	if err := c.parts.finish(); err != nil {
		return stream.Outcome{}, err
	}
	return c.Partial(), nil
}

// Partial returns the outcome so far.
func (c *Checker) Partial() stream.Outcome {
	counts := c.state.Counts
	out := stream.Outcome{Events: counts.Events, Header: counts.Headers, Misfits: counts.Misfits}
	if c.parts == nil {
		out.NotCovered = notCovered(c.opt.Evidence, nil)
		return out
	}
	out.NotCovered = slices.Concat(notCovered(c.opt.Evidence, c.parts.plan), c.state.Scope.notCovered(c.parts.plan), c.parts.additive.notCovered())
	if c.parts.traceID.matches {
		out.Canonicalization = []string{Profile.Name}
	}
	return out
}

// Snapshot returns the checker's state, valid until the next block.
func (c *Checker) Snapshot() (*Snapshot, error) {
	if c.failed != nil {
		return nil, c.failed
	}
	c.state.Rejected = c.sink.Rejected()
	if c.parts != nil {
		c.parts.manifest.save()
		if err := c.parts.traceID.save(); err != nil {
			return nil, err
		}
	}
	return c.state, nil
}
