package capture

import (
	"io"
	"slices"

	"github.com/cupel-dev/cupel/internal/enum"
	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// Options say how captures are read. The zero value reads any format with the default
// limits, and of a runner's log the incoming lines.
type Options struct {
	Format     Format     // default: told from the first line of each input
	Directions Directions // which messages of a known direction are handed out
	Limits     Limits

	// MaxOpen is how many requests may wait for their answers, default 65,536, and
	// MaxOpenBytes how many bytes are remembered of them, default 32 MiB. Beyond, the oldest
	// is forgotten, and its answer is one of which no method is known.
	MaxOpen      int
	MaxOpenBytes int

	// KeepParams remembers the params of requests for Message.Params of their answers.
	KeepParams bool

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

var directionsNames = [...]string{"incoming", "outgoing", "both"}

// String returns the name of the choice.
func (d Directions) String() string { return enum.Name(directionsNames[:], d) }

// MarshalText returns the name of the choice. The error is that it has none.
func (d Directions) MarshalText() ([]byte, error) { return enum.Text(directionsNames[:], d) }

// UnmarshalText sets the choice to the one that text names.
func (d *Directions) UnmarshalText(text []byte) error {
	return enum.Read("choice", directionsNames[:], d, text)
}

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
	build   builder
	methods methods
	open    requests
	stats   Stats

	input  int
	blocks *source.Blocks
	buf    []byte
	lines  []source.Line // of a block
	at     int           // the next one of them
	line   source.Line   // the one that is being read
	batch  batch         // what is left of it
	format Format        // of the input; Auto until its first message
	index  int           // of the next message
	msg    Message
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
	r.lines, r.at, r.batch = r.lines[:0], 0, batch{}
	r.format = r.options.Format
}

// Next returns the next message, which is valid until the next call. The error is io.EOF
// at the end of the input, a *LineError for a line that is no message, behind which the
// next call goes on, and else why the input could not be read.
func (r *Reader) Next() (*Message, error) {
	for {
		m, bad, err := r.next()
		switch {
		case err != nil:
			return nil, err
		case bad != nil:
			r.stats.BadLines++
			if !r.options.SkipBadLines {
				return nil, bad
			}
		case m == nil:
			r.stats.PassedOver++
		default:
			r.stats.Messages++
			return m, nil
		}
	}
}

// next reads the next message of any direction; nil is one that is not handed out.
func (r *Reader) next() (m *Message, bad *LineError, err error) {
	r.build.reset()
	r.msg.Value = nil // before the next line takes memory
	node, bad, err := r.node()
	if bad != nil || err != nil {
		return nil, bad, err
	}
	r.msg = Message{Index: r.index, Input: r.input, Line: r.line.Number, limits: r.options.Limits}
	value, bad := r.read(node)
	if bad != nil {
		return nil, bad, nil
	}
	r.index++
	if !r.options.Directions.admits(r.msg.Direction) {
		return nil, nil, nil
	}
	r.msg.Value = emptyObject
	if value.Exists() {
		r.msg.Value = r.build.value(value)
	}
	if r.batch.at >= r.batch.end {
		r.scanner.Trim(keptScan) // what is done with the message may take as much
	}
	return &r.msg, nil, nil
}

// read describes the message that a node holds, except for its value, whose node it
// returns: absent where the message has none.
func (r *Reader) read(n strictjson.Node) (value strictjson.Node, bad *LineError) {
	switch r.format {
	case JSONRPC:
		return r.readJSONRPC(n)
	case Runner:
		return r.readRunner(n)
	}
	if other := formatOf(n); other != Plain && r.options.Format == Auto {
		return n, r.notLikeFirst(n, "line of the format "+string(other))
	}
	return n, nil
}

// node returns what holds the next message: a line's value, or an element of a batch.
func (r *Reader) node() (n strictjson.Node, bad *LineError, err error) {
	if n = r.batch.next(); n.Exists() {
		return n, nil, nil
	}
	if err := r.nextLine(); err != nil {
		return n, nil, err
	}
	if r.line.Long {
		return n, r.longLine(), nil
	}
	r.scanner.Trim(keptScan)
	doc, fault := scan(r.scanner, r.line.Bytes)
	if fault != nil {
		return n, r.noJSON(fault), nil
	}
	n = doc.Root()
	if r.format == Auto {
		r.format = formatOf(n)
	}
	if r.format != JSONRPC || !n.Is(strictjson.Array) {
		return n, nil, nil
	}
	if n.Len() == 0 {
		return n, r.bad(n, "batch without a message"), nil
	}
	r.batch = batch{doc, n.Index() + 1, n.Size()}
	return r.batch.next(), nil, nil
}

// batch is what is left of the elements of a line that is a list.
type batch struct {
	doc     *strictjson.Document
	at, end int // indexes of the next element, and behind the last one
}

// next returns the next element, absent at the end.
func (b *batch) next() (n strictjson.Node) {
	if b.at < b.end {
		n = b.doc.Node(b.at)
		b.at += n.Size()
	}
	return n
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
