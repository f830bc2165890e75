// Package unpack reads streams compressed with gzip (RFC 1952) or zstd (RFC 8878). Consecutive members or frames
// are one text; other bytes after the last one are an error. The text of an Inspect log (.eval) is the document
// whose parts are in the ZIP archive.
//
// A Reader holds a window of the text (32 KiB for gzip, at most MaxWindow for zstd) and a few buffers. Another
// goroutine fills them, so that unpacking and reading run in parallel.
package unpack

import (
	"bufio"
	"context"
	"io"
	"sync"

	"github.com/cupel-dev/cupel/internal/source"
)

const (
	// DefaultMaxText is the default limit on the text, 1 TiB.
	DefaultMaxText int64 = 1 << 40

	// MaxWindow limits zstd's window. It is enough for all levels without --ultra or --long, and a quarter of a
	// command's memory.
	MaxWindow = 64 << 20

	// Usual is the highest inconspicuous compression ratio; logs have 5 to 50.
	Usual = 1000
)

const (
	remarkable  = 1 << 20   // bytes of text below which the ratio is meaningless
	sourceBytes = 64 << 10  // bytes per read
	alone       = 64 << 10  // bytes of text before another goroutine starts: enough for many small files
	chunkBytes  = 512 << 10 // bytes of text per hand-over
	chunks      = 4         // buffers in use
)

// Formats are the supported formats, as package source names them.
var Formats = []string{source.Gzip, source.Zstd, source.InspectLog}

// Extensions are added to the name of a file that is compressed with gzip or zstd.
var Extensions = []string{".gz", ".zst"}

// Reader reads the text of a compressed stream. Damage is a *DamageError, *LimitError, *WindowError
// or *DictionaryError; read errors are passed on. It is not safe for concurrent use, except that
// Close can be called during a Read.
type Reader struct {
	ctx    context.Context
	src    io.Closer
	from   *decoder
	rest   []byte       // unread part of the last chunk
	whole  []byte       // the whole chunk
	short  bool         // more can take time
	err    error        // after rest
	filled chan chunk   // nil until another goroutine unpacks
	empty  chan []byte  // buffers to fill
	stop   func()       // stops the goroutine
	close  func() error // once

	mu       sync.Mutex // guards the state shared by Read and Close
	now      progress
	decoding bool // a Read is decoding; if closed meanwhile, it closes the decoder
	closed   bool
}

type progress struct{ text, packed int64 }

type chunk struct {
	text  []byte
	short bool // the stream may let its readers wait for more
	err   error
	now   progress
}

// New returns a reader of src in the given format. maxText limits the text; 0 means DefaultMaxText.
// Reading ends with ctx. Close closes src.
func New(ctx context.Context, src io.ReadCloser, format string, maxText int64) *Reader {
	if maxText <= 0 {
		maxText = DefaultMaxText
	}
	ctx, stop := context.WithCancel(ctx)
	in := &countingReader{ctx: ctx, r: src}
	in.buffered = bufio.NewReaderSize(in, sourceBytes)
	return &Reader{
		ctx: ctx, src: src, stop: stop, close: sync.OnceValue(src.Close),
		from: &decoder{format: format, in: in, max: maxText},
	}
}

func (r *Reader) Format() string { return r.from.format }

// Packed returns the number of compressed bytes read so far.
func (r *Reader) Packed() int64 { return r.reached().packed }

// Swollen reports whether the compression ratio so far is unusual.
func (r *Reader) Swollen() bool {
	now := r.reached()
	return now.text >= remarkable && now.text/Usual >= max(now.packed, 1)
}

func (r *Reader) reached() progress {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.now
}

// Read reads text. It returns early if more can take time.
func (r *Reader) Read(p []byte) (n int, err error) {
	for n < len(p) {
		switch {
		case len(r.rest) > 0:
			k := copy(p[n:], r.rest)
			r.rest = r.rest[k:]
			n += k
		case r.err != nil || n > 0 && r.short:
			if n > 0 {
				return n, nil
			}
			return 0, r.err
		case r.filled != nil:
			r.next()
		case r.from.now.text >= alone:
			r.start()
		default:
			if n, r.err = r.decode(p); n > 0 {
				return n, nil
			}
		}
	}
	return n, nil
}

// decode decompresses on the caller's goroutine.
func (r *Reader) decode(p []byte) (n int, err error) {
	r.mu.Lock()
	r.decoding = !r.closed
	r.mu.Unlock()
	if !r.decoding {
		return 0, r.ctx.Err()
	}
	n, err = r.from.Read(p)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.now, r.decoding = r.from.now, false
	if r.closed {
		r.from.close()
	}
	return n, err
}

// start passes the decoder to a goroutine.
func (r *Reader) start() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		r.err = r.ctx.Err()
		return
	}
	r.filled, r.empty = make(chan chunk, chunks), make(chan []byte, chunks)
	for range chunks {
		r.empty <- nil
	}
	go func(ctx context.Context, from *decoder, filled chan<- chunk, empty <-chan []byte) {
		defer from.close()
		for {
			select {
			case buf := <-empty:
				c := from.chunk(buf)
				filled <- c
				if c.err != nil {
					return
				}
			case <-ctx.Done():
				return
			}
		}
	}(r.ctx, r.from, r.filled, r.empty)
}

// next takes the next chunk from the goroutine.
func (r *Reader) next() {
	if r.whole != nil {
		r.empty <- r.whole
		r.whole = nil
	}
	select {
	case c := <-r.filled:
		r.rest, r.whole, r.short, r.err = c.text, c.text, c.short, c.err
		r.mu.Lock()
		r.now = c.now
		r.mu.Unlock()
	case <-r.ctx.Done():
		r.err = r.ctx.Err()
	}
}

func (r *Reader) Close() error {
	r.stop()
	r.mu.Lock()
	r.closed = true
	if r.filled == nil && !r.decoding {
		r.from.close()
	}
	r.mu.Unlock()
	return r.close()
}

type countingReader struct {
	ctx      context.Context
	r        io.Reader
	read     int64
	err      error // of the stream, but its end
	buffered *bufio.Reader
}

func (c *countingReader) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		c.err = err
		return 0, err
	}
	n, err := c.r.Read(p)
	c.read += int64(n)
	if err != io.EOF {
		c.err = err
	}
	return n, err
}

// at returns the place that is read next.
func (c *countingReader) at() int64 { return c.read - int64(c.buffered.Buffered()) }
