package evidence

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"

	"github.com/cupel-dev/cupel/internal/source"
)

// Total is the answer for one input.
type Total struct {
	Events    int   // events, hashed or not; a blank line of a stream counts, because it keeps its place
	Bytes     int64 // of the input, as far as it was read
	Alone     bool  // the input is one event, not a stream
	Hashed    int
	Matched   int  // recorded and computed hash are the same
	Differing int  // … are not
	Rooted    bool // every event has a content hash: RunRoot is over all of them, in the input's order
	RunRoot   Sum

	Counts   Counts    // of all findings, those of the events too
	Findings []Finding // of the input as a whole
}

// blockBytes is the work of one worker at a time: small enough that two blocks for
// each of 64 workers stay below 64 MiB, answers included.
const blockBytes = 128 << 10

// HashStream hashes the events of r: a stream of one event on each line, or one event
// that may stand on several lines. The content decides, as described at head, above all by its first line
// Single. It calls each for every event in the input's order, whatever the number of
// workers; the event is valid until each returns.
//
// A line that cannot be hashed is an event too, with findings instead of a hash. The
// error is a [ReadError], or that of ctx or of each, or says that the engines disagree;
// the total then holds what was done before.
//
// When the error is ctx's, a worker may still be waiting for r.
func HashStream(ctx context.Context, r io.Reader, opt Options, each func(*Event) error) (Total, error) {
	s := &stream{opt: opt.withDefaults(), each: each, root: NewRoot()}
	if s.opt.Jobs <= 0 {
		s.opt.Jobs = runtime.GOMAXPROCS(0)
	}
	head, single, err := readHead(ctx, r, s.opt.Limits)
	switch {
	case err != nil:
	case single:
		err = s.hashSingle(head)
	default:
		err = s.hashLines(ctx, head.rest())
	}
	return s.finish(), err
}

// stream is the state of one input while its events are emitted in order.
type stream struct {
	opt    Options
	each   func(*Event) error
	root   *Root
	total  Total
	kept   int // findings
	doctor *doctor
	full   bool // a limit of the whole input was passed: reading has stopped
}

func (s *stream) hashSingle(head *head) error {
	s.total.Alone, s.total.Bytes = true, int64(len(head.text))
	text, line := head.event()
	if len(text) == 0 {
		return nil
	}
	h := NewHasher(s.opt)
	h.room = s.opt.MaxFindings
	var event Event
	var err error
	if head.ended {
		event, err = h.hashAt(text, line)
	} else {
		event = h.tooLong(text, line, "event")
	}
	if err != nil {
		return err
	}
	event.Alone, event.end = true, s.total.Bytes
	return s.emit(&event)
}

// hashLines hashes blocks of lines on several workers and emits in order. Blocks wait
// for their turn in the channel turns; a worker fills its batch's answers and then
// closes done. The number of batches bounds the memory.
func (s *stream) hashLines(ctx context.Context, r io.Reader) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	turns := make(chan *batch, 2*s.opt.Jobs)
	p := &pipeline{
		opt: s.opt, blocks: source.NewBlocks(r, blockBytes, int(s.opt.Limits.LineBytes)),
		work: make(chan *batch), turns: turns, free: make(chan *batch, 2*s.opt.Jobs+2),
	}
	go p.read(ctx)
	for {
		var b *batch
		select {
		case <-ctx.Done():
			return ctx.Err()
		case b = <-turns:
		}
		if b.end != nil {
			return readError(b.end)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-b.done:
		}
		if err := s.emitBatch(b); err != nil || s.full {
			return err
		}
		p.free <- b
	}
}

// batch is one block on its way from the reader over a worker to its turn.
type batch struct {
	block  source.Block
	buf    []byte
	events []Event
	err    error // of the engines, after the events before it
	end    error // no block but the end of the input: io.EOF or a read error
	done   chan struct{}
}

// pipeline reads blocks and hands them to workers, which start as they are needed.
type pipeline struct {
	opt    Options
	blocks *source.Blocks
	work   chan *batch
	turns  chan<- *batch
	free   chan *batch
	jobs   int // workers started
	made   int // batches made
}

func (p *pipeline) read(ctx context.Context) {
	defer close(p.work)
	for {
		b := p.batch(ctx)
		if b == nil {
			return
		}
		b.block, b.end = p.blocks.Next(b.buf)
		b.done = make(chan struct{})
		if b.end == nil {
			b.buf = b.block.Data
			if !p.hand(ctx, b) {
				return
			}
		}
		select {
		case <-ctx.Done():
			return
		case p.turns <- b:
		}
		if b.end != nil {
			return
		}
	}
}

// batch returns a free batch, nil when the run was cancelled.
func (p *pipeline) batch(ctx context.Context) *batch {
	if p.made < cap(p.free) {
		select {
		case b := <-p.free:
			return b
		default:
			p.made++
			return &batch{}
		}
	}
	select {
	case <-ctx.Done():
		return nil
	case b := <-p.free:
		return b
	}
}

// hand gives a block to a worker that waits, or to a new one.
func (p *pipeline) hand(ctx context.Context, b *batch) bool {
	select {
	case p.work <- b:
		return true
	default:
	}
	if p.jobs < p.opt.Jobs {
		p.jobs++
		go p.worker(b)
		return true
	}
	select {
	case <-ctx.Done():
		return false
	case p.work <- b:
		return true
	}
}

func (p *pipeline) worker(first *batch) {
	h := NewHasher(p.opt)
	h.hashBlock(first)
	for b := range p.work {
		h.hashBlock(b)
	}
}

// hashBlock hashes the lines of a block.
func (h *Hasher) hashBlock(b *batch) {
	defer close(b.done)
	h.room = h.opt.MaxFindings
	b.events, b.err = b.events[:0], nil
	for line := range b.block.Lines() {
		var event Event
		if line.Long {
			event = h.tooLong(line.Bytes, line.Number, "line")
		} else if event, b.err = h.hashAt(line.Bytes, line.Number); b.err != nil {
			return
		}
		event.end = line.Offset + line.Size
		b.events = append(b.events, event)
	}
}

func (s *stream) emitBatch(b *batch) error {
	for i := range b.events {
		if err := s.emit(&b.events[i]); err != nil || s.full {
			return err
		}
	}
	s.total.Bytes = b.block.Offset + int64(len(b.block.Data))
	return b.err
}

// emit counts an event, adds what a mismatch may come from, and hands it on.
func (s *stream) emit(event *Event) error {
	if s.pastLimit(event) {
		return nil
	}
	s.total.Events++
	if event.Hashed {
		s.total.Hashed++
		s.root.addSum(event.Sum)
	}
	switch event.Match {
	case Same:
		s.total.Matched++
	case Different:
		s.total.Differing++
	}
	if len(event.Findings) > 0 {
		s.trim(event)
		s.diagnose(event)
	}
	s.total.Counts.addAll(event.Counts)
	return s.each(event)
}

// trim keeps the findings of the whole input below their number; workers count for
// each block alone.
func (s *stream) trim(event *Event) {
	if most := s.opt.MaxFindings; most >= 0 && s.kept+len(event.Findings) > most {
		event.Counts.Omitted += s.kept + len(event.Findings) - most
		event.Findings = event.Findings[:most-s.kept]
	}
	s.kept += len(event.Findings)
}

// diagnose adds the doctor's notes to a mismatch.
func (s *stream) diagnose(event *Event) {
	for i := range event.Findings {
		if f := &event.Findings[i]; f.Rule == ruleMismatch.ID {
			if s.doctor == nil {
				s.doctor = newDoctor(s.opt.Limits)
			}
			f.Notes = s.doctor.notes(event.text, event.Recorded, event.Sum)
		}
	}
}

// pastLimit stops the input at the limits of the whole of it.
func (s *stream) pastLimit(event *Event) bool {
	rule, flag, message := ruleTotalEvents, "max_events", ""
	switch limits := s.opt.Limits; {
	case int64(s.total.Events) >= limits.Events:
		message = fmt.Sprintf("more than %d events, the rest was not read", limits.Events)
	case event.end > limits.EventsBytes:
		rule, flag = ruleFileSize, "max_events_bytes"
		message = fmt.Sprintf("more than %d bytes, the rest was not read", limits.EventsBytes)
	default:
		return false
	}
	s.full = true
	s.total.Counts.add(rule.Severity)
	s.total.Findings = append(s.total.Findings, Finding{
		Rule: rule.ID, Severity: rule.Severity, Line: event.Line, Column: 1, Message: message,
		Help: "raise it with --limits '{\"" + flag + "\":N}'",
	})
	return true
}

func (s *stream) finish() Total {
	if s.total.Hashed == s.total.Events && !s.full {
		s.total.Rooted, s.total.RunRoot = true, s.root.Sum()
	}
	return s.total
}

// ReadError is what HashStream returns when its reader fails.
type ReadError struct{ Err error }

func (e *ReadError) Error() string { return e.Err.Error() }

// Unwrap returns the reader's error.
func (e *ReadError) Unwrap() error { return e.Err }

// readError returns what ended an input as an error of HashStream.
func readError(err error) error {
	if err == nil || errors.Is(err, io.EOF) {
		return nil
	}
	return &ReadError{err}
}
