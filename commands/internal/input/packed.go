package input

import (
	"bytes"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/evidence/bundle"
	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/internal/unpack"
	"github.com/cupel-dev/cupel/internal/walk"
)

// Inputs can be compressed with gzip or zstd, detected by their first bytes. Positions refer to the decompressed
// text.

type packedInput struct {
	env     cmdline.Env
	maxText int64
	bundles bool // gzip can be a bundle, read unchanged
}

// PackedFlag returns the flag for compressed inputs.
func PackedFlag(category string) cli.Flag {
	return &cli.StringFlag{Name: "max-decoded", Category: category, Value: "1TiB", Usage: "decompress at most `SIZE` of an input (1TiB, 100GB, 4096)"}
}

// NewPackedInput reads the flag. It returns nil if the command does not support compressed text.
func NewPackedInput(env cmdline.Env, c *cli.Context, what Reads) (*packedInput, error) {
	if !what.Unpacks {
		return nil, nil
	}
	p := &packedInput{env: env, bundles: slices.Contains(what.Packed, source.Gzip)}
	var err error
	if text := c.String("max-decoded"); text != "" {
		p.maxText, err = cmdline.SizeFlag("max-decoded", text)
	}
	return p, err
}

// Formats returns the compressed formats that the command decompresses itself.
func (p *packedInput) Formats(known []string) []string {
	if p == nil {
		return known
	}
	return unpack.Formats
}

func (p *packedInput) extensions() []string {
	if p == nil {
		return nil
	}
	return unpack.Extensions
}

// Input returns the decompressed input.
func (p *packedInput) Input(in walk.Input) walk.Input {
	if p == nil || in.Empty() {
		return in
	}
	return in.WithOpen(func() (io.ReadCloser, error) {
		r, err := in.Open()
		if err != nil {
			return nil, err
		}
		return p.text(in.Name, r), nil
	})
}

// text returns a decompressing reader. A stream is examined when it is read.
func (p *packedInput) text(name string, r io.ReadCloser) io.ReadCloser {
	file, ok := r.(door.File)
	if !ok {
		return &packedStream{ReadCloser: r, name: name, packed: p}
	}
	found := source.CompressedAt(file, 0)
	if found == nil || p.isBundle(name, found.Format, io.NewSectionReader(file, 0, peekedBytes)) {
		return r
	}
	return p.unpack(name, found.Format, r)
}

func (p *packedInput) unpack(name, format string, r io.ReadCloser) io.ReadCloser {
	return &packedText{Reader: unpack.New(p.env.Context, r, format, p.maxText), name: name, env: p.env}
}

// probe converts a probe of texts to one of compressed files.
func (p *packedInput) probe(of func(io.Reader) walk.Look) func(io.Reader) walk.Look {
	if p == nil || of == nil {
		return of
	}
	return func(r io.Reader) walk.Look {
		text := &packedStream{ReadCloser: lentText{source.NewText(r, unpack.Formats...)}, packed: p}
		defer func() { _ = text.Close() }() // opened for reading: nothing can be lost
		return of(text)
	}
}

// lentText is a stream that the caller closes.
type lentText struct{ *source.Text }

func (lentText) Close() error { return nil }

// peekedBytes limits the compressed bytes examined to detect a bundle.
const peekedBytes = 256 << 10

// Position of a tar archive's magic (POSIX.1-2017, pax, ustar Interchange Format).
const (
	ustar   = "ustar"
	ustarAt = 257
)

// isBundle reports whether compressed data is a bundle. A stream of events starts with an object instead.
func (p *packedInput) isBundle(name, format string, packed io.Reader) bool {
	if !p.bundles || format != source.Gzip {
		return false
	}
	text := unpack.New(p.env.Context, io.NopCloser(packed), format, 0)
	defer func() { _ = text.Close() }() // nothing can be lost
	var head [ustarAt + len(ustar)]byte
	n, _ := io.ReadFull(text, head[:]) // the reader reports errors
	archive := n == len(head) && string(head[ustarAt:]) == ustar
	object := bytes.HasPrefix(bytes.TrimLeft(bytes.TrimPrefix(head[:n], []byte("\ufeff")), " \t\r\n"), []byte("{"))
	return archive || !object || bundle.IsBundle(nil, name)
}

type packedText struct {
	*unpack.Reader
	name string
	env  cmdline.Env
	told bool
}

func (t *packedText) Close() error {
	if t.Swollen() && !t.told {
		t.told = true
		cmdline.Warn(t.env, fmt.Sprintf("%q expands to more than %d times its compressed size", t.name, unpack.Usual))
	}
	return t.Reader.Close()
}

// IsPacked reports whether an input is decompressed while read. Such an input is not seekable and does not grow.
func IsPacked(r io.Reader) bool {
	_, is := r.(*packedText)
	return is
}

// RefusePacked returns the error for a flag that does not support compressed inputs.
func RefusePacked(flag, name string) error {
	return &cmdline.UsageError{Message: fmt.Sprintf("--%s continues where a file ended, but %q is compressed and cannot grow", flag, name), Hint: "leave --" + flag + " out, or unpack the file"}
}

// PackedName reports whether an input has the extension of a compressed file.
func PackedName(in walk.Input) bool {
	return slices.Contains(unpack.Extensions, strings.ToLower(path.Ext(in.Name)))
}

// TextSize returns the size of an opened input's text, or -1.
func TextSize(in walk.Input, r io.Reader) int64 {
	if IsPacked(r) {
		return -1
	}
	return in.Size
}

// packedStream is a pipe or standard input that can be compressed. It can be closed during a Read by an interrupted
// run.
type packedStream struct {
	io.ReadCloser
	name   string
	packed *packedInput

	mu   sync.Mutex
	text io.ReadCloser // nil before the first Read
}

func (s *packedStream) Read(b []byte) (int, error) {
	s.mu.Lock()
	text := s.text
	s.mu.Unlock()
	if text == nil {
		text = s.begin(s.look()) // which may wait
	}
	return text.Read(b)
}

// begin sets the detected stream, unless closed meanwhile.
func (s *packedStream) begin(text io.ReadCloser) io.ReadCloser {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.text = text
	return text
}

func (s *packedStream) look() io.ReadCloser {
	r, ok := s.ReadCloser.(pipedInput)
	if !ok {
		return s.ReadCloser
	}
	format := r.Format()
	if format == "" {
		return s.ReadCloser
	}
	var peeked bytes.Buffer
	if s.packed.isBundle(s.name, format, io.TeeReader(io.LimitReader(s.ReadCloser, peekedBytes), &peeked)) {
		return rejoinedStream{io.MultiReader(&peeked, s.ReadCloser), s.ReadCloser}
	}
	return s.packed.unpack(s.name, format, rejoinedStream{io.MultiReader(&peeked, s.ReadCloser), s.ReadCloser})
}

func (s *packedStream) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.text == nil {
		return s.ReadCloser.Close()
	}
	return s.text.Close()
}

// rejoinedStream is a stream whose start was already read.
type rejoinedStream struct {
	io.Reader
	io.Closer
}
