package evidence

import (
	"bytes"
	"context"
	"errors"
	"io"

	"github.com/cupel-dev/cupel/internal/ordered"
	"github.com/cupel-dev/cupel/internal/source"
)

// HashStream hashes the events of r: a stream of one event per line, a JSON array of events (its elements count as
// lines), or a single event on one or several lines, as detected from the content. It calls each for every event in
// order; the result is valid until each returns.
//
// A line that cannot be hashed is an event with findings. If the first lines all start unlike an event, as in YAML
// or UTF-16, the input is one such event and not read further. It returns a [ReadError], ctx's error or each's, or
// an error if the engines disagree; the total then covers the events before. After ctx ends, a worker can still be
// reading r.
func HashStream(ctx context.Context, r io.Reader, opt Options, each func(*Result) error) (Total, error) {
	type nothing struct{}
	return CheckStream(ctx, r, opt,
		func() func(*Result, *nothing) { return func(*Result, *nothing) {} },
		func(r *Result, _ *nothing) error { return each(r) })
}

// CheckStream is HashStream with a concurrent check of each event. newCheck creates a worker's check. A check
// receives a result with its Event and sets the T, which is zero before. Results are passed to each in order.
func CheckStream[T any](ctx context.Context, r io.Reader, opt Options, newCheck func() func(*Result, *T), each func(*Result, *T) error) (Total, error) {
	s := &stream[T]{opt: opt.withDefaults(), newCheck: newCheck, each: each}
	s.tally = newTally(s.opt)
	err := s.read(ctx, r)
	return s.tally.sum(), err
}

// stream processes one input and returns its results in order.
type stream[T any] struct {
	opt      Options
	newCheck func() func(*Result, *T)
	each     func(*Result, *T) error
	tally    *tally
}

func (s *stream[T]) read(ctx context.Context, r io.Reader) error {
	if s.opt.Lines {
		return s.hashLines(ctx, r)
	}
	head, kind, err := readHead(ctx, r, s.opt.Limits)
	switch {
	case err != nil:
		return err
	case kind == singleEvent:
		return s.hashSingle(head)
	case kind == noEvents:
		return s.refuseInput(head)
	}
	return s.hashLines(ctx, head.rest())
}

func (s *stream[T]) hashSingle(head *head) error {
	s.tally.total.Alone, s.tally.total.Bytes = true, int64(len(head.text))
	event, offset := head.event()
	if len(event.text) == 0 {
		return nil
	}
	h := NewHasher(s.opt)
	var result Result
	if head.ended {
		if err := h.hash(event, &result); err != nil {
			return err
		}
	} else {
		event.text = event.text[:min(len(event.text), head.limit)]
		h.refuse(event, "event", &result)
	}
	result.Alone, result.Offset, result.end = true, int64(offset), s.tally.total.Bytes
	return s.emitAlone(&result)
}

// emitAlone checks and emits the single event of an input.
func (s *stream[T]) emitAlone(r *Result) error {
	var said T
	s.newCheck()(r, &said)
	if !s.opt.Events {
		r.Event = nil
	}
	return s.emit(r, &said)
}

// refuseInput reports the first line of an input without events.
func (s *stream[T]) refuseInput(head *head) error {
	first, _ := head.lines()
	text := bytes.TrimRight(head.text[first.start:first.end], space)
	result := Result{Alone: true, Offset: int64(first.start), end: int64(len(head.text))}
	number := 1 + bytes.Count(head.text[:first.start], []byte{'\n'})
	if err := NewHasher(s.opt).hash(place{text, number}, &result); err != nil {
		return err
	}
	for i := range result.Findings {
		result.Findings[i].Notes = append(result.Findings[i].Notes, "none of the first lines looks like an event; the rest was not read")
	}
	s.tally.total.Alone, s.tally.total.Bytes = true, result.end
	return s.emitAlone(&result)
}

// blockBytes is the block size of a worker. Two blocks for each of 64 workers take less than 64 MiB with results.
const blockBytes = 128 << 10

// hashLines hashes blocks of lines concurrently and emits results in order.
func (s *stream[T]) hashLines(ctx context.Context, r io.Reader) error {
	blocks := source.NewBlocks(r, blockBytes, int(s.opt.Limits.LineBytes)).AtMost(blockLines)
	err := ordered.Pipeline[*batch[T], error]{
		Jobs:   s.opt.Jobs,
		Weight: (*batch[T]).weight,
		Read: func(used *batch[T]) (*batch[T], error) {
			if used == nil {
				used = new(batch[T])
			}
			return used, used.read(blocks)
		},
		NewWorker: func() func(*batch[T]) error {
			h, check := NewHasher(s.opt), s.newCheck()
			h.findings.spent = &s.tally.spent
			return func(b *batch[T]) error { return b.hash(h, check) }
		},
		Deliver: s.emitBatch,
	}.Run(ctx)
	if errors.Is(err, errFull) {
		return nil
	}
	return err
}

// errFull ends an input that exceeds a limit on all its events.
var errFull = errors.New("the input exceeds a limit")

func (s *stream[T]) emitBatch(b *batch[T], failure error) error {
	for i := range b.results {
		if err := s.emit(&b.results[i], &b.checked[i]); err != nil {
			return err
		}
		if s.tally.full {
			return errFull
		}
	}
	s.tally.total.Bytes = b.block.Offset + int64(len(b.block.Data))
	return failure
}

// emit counts a result and passes it to each, unless the input exceeds its limits.
func (s *stream[T]) emit(r *Result, said *T) error {
	if !s.tally.add(r) {
		return nil
	}
	return s.each(r, said)
}
