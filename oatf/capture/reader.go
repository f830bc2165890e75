package capture

import (
	"io"
	"slices"

	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// Reader reads the messages of captures. It is not safe for concurrent use.
type Reader struct {
	collector

	scanner *strictjson.Scanner
	blocks  *source.Blocks
	buf     []byte
	lines   []source.Line // of a block
	at      int           // the next one of them
	line    source.Line   // the one that is being read
	ended   bool          // the input has been read to its end

	next int     // of the queue
	msg  Message // that was handed out last
}

// Limits of a block, which is small but large enough for fast splitting.
const (
	blockBytes = 256 << 10
	blockLines = 1 << 10
)

// keptScan is the size of parser memory that is kept for the next line.
const keptScan = 1 << 20

// NewReader returns a Reader of an input. Use Continue to add more inputs to the same run.
func NewReader(input io.Reader, options Options) *Reader {
	options.Limits = options.Limits.withDefaults()
	r := &Reader{scanner: options.Limits.scanner(), collector: collector{options: options, open: newRequests(options)}}
	r.search = func(n strictjson.Node, c context) bool { return find(&r.collector, n, c) }
	r.begin(input)
	return r
}

// Continue switches to another input of the same run. Lines restart at 1, the format is detected again, and
// responses can answer requests in earlier inputs. The rest of the previous input is dropped.
func (r *Reader) Continue(next io.Reader) {
	r.input++
	r.begin(next)
}

func (r *Reader) begin(input io.Reader) {
	r.blocks = source.NewBlocks(input, blockBytes, r.options.Limits.LineBytes).AtMost(blockLines)
	r.lines, r.at, r.ended = r.lines[:0], 0, false
	r.queue, r.next = r.queue[:0], 0
	r.frame.clear()
	r.format = r.options.Format
}

// Next returns the next message, valid until the next call. It returns io.EOF at the end, a *LineError for an
// invalid line, after which Next can be called again, or a read error.
func (r *Reader) Next() (*Message, error) {
	for {
		for r.next < len(r.queue) {
			r.msg = r.queue[r.next]
			r.queue[r.next] = Message{} // release large messages
			r.next++
			switch {
			case r.msg.bad != nil:
				r.stats.BadLines++
				if !r.options.SkipBadLines {
					return nil, r.msg.bad
				}
			case !r.options.Directions.admits(r.msg.Direction):
				r.stats.PassedOver += r.msg.own()
			default:
				r.stats.Messages += r.msg.own()
				return &r.msg, nil
			}
		}
		if r.ended {
			return nil, io.EOF
		}
		r.queue, r.next = r.queue[:0], 0
		r.msg = Message{}
		r.build.reset()
		switch err := r.fill(); {
		case err == io.EOF:
			r.ended = true
			flushStreams(&r.collector)
		case err != nil:
			return nil, err
		}
	}
}

// fill reads the next text and queues its messages. It returns io.EOF at the end.
func (r *Reader) fill() error {
	if r.options.Format != Auto {
		return r.fillLine()
	}
	return r.fillText()
}

// fillLine reads a line of a requested format: one JSON value and nothing else.
func (r *Reader) fillLine() error {
	if err := r.nextLine(); err != nil {
		return err
	}
	if r.line.Long {
		r.refuse(r.longLine())
		return nil
	}
	r.frame.ofLine(r.line)
	r.scanner.Trim(keptScan)
	doc, fault := scan(r.scanner, r.line.Bytes)
	if fault != nil {
		r.refuse(r.noJSON(fault))
		return nil
	}
	n := doc.Root()
	c := context{node: n, sure: true}
	switch {
	case r.format == Runner:
		readRunner(&r.collector, n, c)
	case r.format == JSONRPC && n.Is(strictjson.Array):
		rpcBatch(&r.collector, n, c)
	case r.format == JSONRPC:
		readRPC(&r.collector, n, c)
	default:
		addPlain(&r.collector, n)
	}
	return nil
}

func (r *Reader) nextLine() error {
	for {
		if r.at == len(r.lines) {
			block, err := r.blocks.Next(r.buf)
			if err != nil {
				return err
			}
			r.buf = block.Data
			r.lines, r.at = slices.AppendSeq(r.lines[:0], block.Lines()), 0
		}
		r.line = r.lines[r.at]
		r.at++
		r.stats.Lines++
		if !r.line.Blank() {
			return nil
		}
		r.stats.Blank++
	}
}

// Stats returns the statistics so far.
func (r *Reader) Stats() Stats {
	stats := r.stats
	stats.Format = r.format
	r.open.report(&stats)
	return stats
}
