package capture

import (
	"io"
	"slices"

	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/oatf/model"
)

// Options say how captures are read. The zero value reads any format with the default
// limits, and of a runner's log the incoming lines.
type Options struct {
	Format     Format     // default: messages are found wherever they are
	Directions Directions // which messages of a known direction are handed out
	Limits     Limits

	// MaxOpen is how many requests may wait for their answers, default 65,536, and
	// MaxOpenBytes how many bytes are remembered of them, default 32 MiB. Beyond, the oldest
	// is forgotten, and its answer is one of which no method is known.
	MaxOpen      int
	MaxOpenBytes int

	// KeepParams remembers the params of requests for Message.Params of their answers.
	KeepParams bool

	// Known leaves out what is no message of a known protocol: JSON-RPC of other protocols, and
	// records that look like no payload. Otherwise each JSON value in which there is no message
	// is one itself.
	Known bool

	// Join hands out the pieces of a stream joined, too, when its end is read.
	Join bool

	// SkipBadLines makes Next go on behind a line that is no message: it is counted, and
	// nothing else is said of it.
	SkipBadLines bool
}

// The default limits of open requests.
const (
	DefaultMaxOpen      = 65_536
	DefaultMaxOpenBytes = 32 << 20
)

// Directions say which messages of a known direction are handed out. Those of an unknown
// one always are.
type Directions uint8

// The choices. The default is what is evaluated offline: what the agent under test sent.
const (
	IncomingOnly Directions = iota
	OutgoingOnly
	BothDirections
)

// admits says whether messages of a direction are handed out.
func (d Directions) admits(of Direction) bool {
	switch of {
	case Incoming:
		return d != OutgoingOnly
	case Outgoing:
		return d != IncomingOnly
	}
	return true
}

// Reader reads the messages of captures one after the other. It is not safe for concurrent
// use.
type Reader struct {
	options Options
	scanner *strictjson.Scanner
	inner   [mostTexts]*strictjson.Scanner // of JSON in strings, by depth
	build   builder
	methods methods
	open    requests
	words   words
	chats   chats
	join    joiner
	stats   Stats

	input  int
	blocks *source.Blocks
	buf    []byte
	lines  []source.Line // of a block
	at     int           // the next one of them
	line   source.Line   // the one that is being read
	frame  frame         // the text that is being read: a line, or several
	format Format        // of the input; Auto until its first message
	ended  bool          // the input has been read to its end
	index  int           // of the next message

	queue []Message // found, and not handed out
	next  int       // of the queue
	msg   Message   // that was handed out last
}

// What a block may have at most: little memory, and enough that cutting it costs nothing
// beside decoding.
const (
	blockBytes = 256 << 10
	blockLines = 1 << 10
)

// keptScan is how many bytes of scanned values are kept for the next line.
const keptScan = 1 << 20

// NewReader returns a Reader of one input. Continue adds others to the same run.
func NewReader(input io.Reader, options Options) *Reader {
	options.Limits = options.Limits.withDefaults()
	r := &Reader{options: options, scanner: options.Limits.scanner(), open: newRequests(options)}
	r.begin(input)
	return r
}

// Continue makes the Reader go on with another input of the same run: its lines count
// from 1, its format is told anew, and responses find the requests of the inputs before.
// What has not been read of the input before is left.
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

// Next returns the next message, which is valid until the next call. The error is io.EOF
// at the end of the input, a *LineError for a line that is no message, behind which the
// next call goes on, and else why the input could not be read.
func (r *Reader) Next() (*Message, error) {
	for {
		for r.next < len(r.queue) {
			r.msg = r.queue[r.next]
			r.queue[r.next] = Message{} // it may be large
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
			r.flush()
		case err != nil:
			return nil, err
		}
	}
}

// fill reads the next text, and queues the messages in it. The error is io.EOF at the end.
func (r *Reader) fill() error {
	if r.options.Format != Auto {
		return r.fillLine()
	}
	return r.fillText()
}

// fillLine reads a line of a format that was asked for: one JSON value, and nothing else.
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
		r.runner(n, c)
	case r.format == JSONRPC && n.Is(strictjson.Array):
		r.rpcBatch(n, c)
	case r.format == JSONRPC:
		r.rpc(n, c)
	default:
		r.plain(n)
	}
	return nil
}

// plain queues a value as a payload.
func (r *Reader) plain(n strictjson.Node) {
	m := r.message(context{node: n})
	m.Value = r.build.value(n)
	r.add(m)
}

// refuse queues the error of what is no message.
func (r *Reader) refuse(e *LineError) { r.queue = append(r.queue, Message{bad: e}) }

// message begins a message that was found in a context.
func (r *Reader) message(c context) Message {
	return Message{
		Input: r.input, Line: r.frame.lineOf(c.place()), Connection: c.connection, Sender: c.sender, Timestamp: c.time,
		limits: r.options.Limits,
	}
}

// add queues a message.
func (r *Reader) add(m Message) {
	if m.Value == nil && m.absent {
		m.Value = emptyObject
	}
	if m.Protocol != "" && !m.Variant {
		r.stats.Recognized++
	}
	switch {
	case m.Variant || m.Marker:
		m.Index = max(0, r.index-1)
	default:
		m.Index = r.index
		r.index++
	}
	r.queue = append(r.queue, m)
}

// found notes the format of the input, of which the first message tells it.
func (r *Reader) found(f Format) {
	if r.format == Auto || r.format == Plain && r.options.Format == Auto {
		r.format = f
	}
}

// nextLine moves on to the next line that is not blank.
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

// Stats returns what the Reader has met so far.
func (r *Reader) Stats() Stats {
	stats := r.stats
	stats.Format = r.format
	r.open.report(&stats)
	return stats
}

// build a value of a node, or the empty object where it is absent.
func (r *Reader) valueOf(n strictjson.Node) model.Value {
	if !n.Exists() {
		return emptyObject
	}
	return r.build.value(n)
}
