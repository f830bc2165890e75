package reasoning

import (
	"context"

	"github.com/cupel-dev/cupel/internal/siphash"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/format"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// Seen is an event for display, valid during the call.
type Seen struct {
	*format.Event
	Root   strictjson.Node // the event's own object
	Object strictjson.Node // object of the event's kind, such as its call; can be absent
}

// Looker passes the events of a trace to show, in file order, and other lines to lost. It verifies nothing. Its
// only worker must run on one goroutine. An error of show ends the run.
type Looker struct {
	ctx    context.Context
	reader *format.Reader
	blocks *format.Blocks
	nested bool // events are in "event"
	show   func(Seen) error
	lost   func(stream.Line)
	failed error
}

// NewLooker returns a Looker for a trace with the given first record. aliases accepts member names of earlier
// versions.
func NewLooker(ctx context.Context, limits stream.Limits, aliases bool, first strictjson.Node, show func(Seen) error, lost func(stream.Line)) *Looker {
	blocks, shape := format.NewBlocks(limits.Findings), format.ShapeOf(first)
	reader := format.NewReader(format.Options{Shape: format.Shape{Wrapped: shape.Wrapped}, Aliases: aliases, Keys: siphash.NewKey()}, blocks)
	return &Looker{ctx: ctx, reader: reader, blocks: blocks, nested: shape.Wrapped, show: show, lost: lost}
}

func (l *Looker) Worker() stream.Worker { return l }

func (l *Looker) Finish() (o stream.Outcome, err error) { return o, nil }

func (l *Looker) Line(line stream.Line, doc *strictjson.Document) {
	if l.failed != nil {
		return
	}
	l.reader.Line(line, doc.Root())
	record, event := l.reader.Last()
	switch {
	case record.Role == format.IsMisfit:
		l.lost(line)
	case event != nil:
		root := doc.Root()
		if l.nested {
			root = root.Get("event")
		}
		l.failed = l.show(Seen{event, root, l.reader.Object(event.Kind, root)})
	}
}

func (l *Looker) Unreadable(lost stream.Lost) { l.lost(lost.Line) }

func (l *Looker) Flush() func() error {
	if b := l.reader.Flush(); b != nil {
		l.blocks.Put(b)
	}
	return func() error {
		if l.failed != nil {
			return l.failed
		}
		return l.ctx.Err()
	}
}
