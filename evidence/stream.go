package evidence

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/cupel-dev/cupel/internal/ordered"
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
// that may stand on several lines. The content decides: an input that is one JSON
// value is one event, and so is one whose first line ends inside a value that the
// second line carries on. It calls each for every event in the input's order, whatever
// the number of workers; the event is valid until each returns.
//
// A line that cannot be hashed is an event too, with findings instead of a hash. The
// error is a [ReadError], or that of ctx or of each, or says that the engines disagree;
// the total then holds what was done before.
//
// When the error is ctx's, a worker may still be waiting for r.
func HashStream(ctx context.Context, r io.Reader, opt Options, each func(*Event) error) (Total, error) {
	s := &stream{opt: opt.withDefaults(), each: each, root: NewRoot()}
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
		event = h.tooLong(text[:min(len(text), head.limit)], line, "event")
	}
	if err != nil {
		return err
	}
	event.Alone, event.end = true, s.total.Bytes
	return s.emit(&event)
}

// hashLines hashes blocks of lines on several workers and emits in order.
func (s *stream) hashLines(ctx context.Context, r io.Reader) error {
	blocks := source.NewBlocks(r, blockBytes, int(s.opt.Limits.LineBytes))
	err := ordered.Pipeline[*batch, error]{
		Jobs: s.opt.Jobs,
		Read: func(used *batch) (*batch, error) {
			if used == nil {
				used = new(batch)
			}
			var err error
			if used.block, err = blocks.Next(used.block.Data); err != nil && err != io.EOF {
				err = &ReadError{err}
			}
			return used, err
		},
		NewWorker: func() func(*batch) error { return NewHasher(s.opt).hashBlock },
		Deliver:   s.emitBatch,
	}.Run(ctx)
	if errors.Is(err, errFull) {
		return nil
	}
	return err
}

// errFull ends an input that has passed a limit of the whole of it.
var errFull = errors.New("a limit of the input was passed")

// batch is a block with the answers for its lines. A batch is used again.
type batch struct {
	block  source.Block
	events []Event
}

// hashBlock hashes the lines of a block. The error is that of the engines at the line
// after the last event.
func (h *Hasher) hashBlock(b *batch) error {
	h.room = h.opt.MaxFindings
	b.events = b.events[:0]
	for line := range b.block.Lines() {
		event, err := h.hashLine(line)
		if err != nil {
			return err
		}
		event.end = line.Offset + line.Size
		b.events = append(b.events, event)
	}
	return nil
}

func (h *Hasher) hashLine(line source.Line) (Event, error) {
	if line.Long {
		return h.tooLong(line.Bytes, line.Number, "line"), nil
	}
	return h.hashAt(line.Bytes, line.Number)
}

func (s *stream) emitBatch(b *batch, failure error) error {
	for i := range b.events {
		if err := s.emit(&b.events[i]); err != nil {
			return err
		}
		if s.full {
			return errFull
		}
	}
	s.total.Bytes = b.block.Offset + int64(len(b.block.Data))
	return failure
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
