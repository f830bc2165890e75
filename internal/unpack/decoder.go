package unpack

import (
	"bytes"
	"errors"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/cupel-dev/cupel/internal/source"
)

type decoder struct {
	format string
	in     *countingReader
	max    int64
	now    progress
	text   io.Reader // nil before the first Read
	closed bool
}

// Read reads the text. An error comes alone, or with the last bytes before it.
func (d *decoder) Read(p []byte) (int, error) {
	if d.text == nil {
		d.open()
	}
	n, err := d.text.Read(p)
	if room := d.max - d.now.text; int64(n) > room {
		n, err = int(room), &LimitError{d.format, d.max}
	}
	d.now.text += int64(n)
	d.now.packed = d.in.at()
	return n, d.sort(err)
}

var zstdOptions = []zstd.DOption{zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(MaxWindow)}

func (d *decoder) open() {
	switch d.format {
	case source.Gzip:
		d.text = &members{in: d.in}
		return
	case source.InspectLog:
		d.text = &inspectLog{in: d.in}
		return
	}
	frames, err := zstd.NewReader(d.in.buffered, zstdOptions...)
	if err != nil {
		panic("unpack: " + err.Error()) // the options are constants
	}
	d.text = frames
}

// chunk fills a buffer, allocated if nil. It returns available text instead of waiting for more.
func (d *decoder) chunk(buf []byte) (c chunk) {
	if cap(buf) == 0 {
		buf = make([]byte, chunkBytes)
	}
	buf = buf[:cap(buf)]
	n := 0
	for n < len(buf) && c.err == nil && (n == 0 || d.in.buffered.Buffered() > 0) {
		var k int
		k, c.err = d.Read(buf[n:])
		n += k
	}
	c.text, c.short, c.now = buf[:n], n < len(buf), d.now
	return c
}

func (d *decoder) close() {
	if frames, ok := d.text.(*zstd.Decoder); ok && !d.closed {
		frames.Close()
	}
	d.closed = true
}

// sort distinguishes damage from read errors.
func (d *decoder) sort(err error) error {
	fault := func(what damage) error { return &DamageError{d.format, what, d.in.at(), d.now.text} }
	var known *LimitError
	switch {
	case err == nil || err == io.EOF || errors.As(err, &known):
		return err
	case d.in.err != nil:
		return d.in.err
	case errors.Is(err, io.ErrUnexpectedEOF):
		return fault(cut)
	case errors.Is(err, errFollowed), errors.Is(err, zstd.ErrMagicMismatch):
		return fault(followed)
	case errors.Is(err, zstd.ErrWindowSizeExceeded), errors.Is(err, zstd.ErrDecoderSizeExceeded):
		return &WindowError{}
	case errors.Is(err, zstd.ErrUnknownDictionary):
		return &DictionaryError{}
	}
	return fault(damaged)
}

// members reads consecutive gzip members.
type members struct {
	in *countingReader
	z  *gzip.Reader // nil before the first
}

var errFollowed = errors.New("no further member")

func (m *members) Read(p []byte) (int, error) {
	if m.z == nil {
		if err := m.next(); err != nil {
			return 0, err
		}
	}
	for {
		n, err := m.z.Read(p)
		if err == io.EOF {
			err = m.next()
		}
		if n > 0 || err != nil {
			return n, err
		}
	}
}

// next starts the next member. The error is io.EOF at the end of the stream.
func (m *members) next() error {
	head, err := m.in.buffered.Peek(len(gzipMagic))
	switch {
	case len(head) == 0:
		return err
	case !bytes.HasPrefix([]byte(gzipMagic), head):
		return errFollowed
	case m.z == nil:
		m.z, err = gzip.NewReader(m.in.buffered)
	default:
		err = m.z.Reset(m.in.buffered)
	}
	if err == io.EOF {
		err = io.ErrUnexpectedEOF // in the middle of a header
	}
	if err == nil {
		m.z.Multistream(false)
	}
	return err
}

const gzipMagic = "\x1f\x8b"
