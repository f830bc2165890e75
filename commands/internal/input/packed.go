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

// JSON lines may be compressed with gzip or zstd. That is told by their first bytes and not by
// their names, and what is read, judged and pointed into is their text.

// packedInput is how a command reads compressed inputs.
type packedInput struct {
	env     cmdline.Env
	maxText int64
	bundles bool // gzip may be a bundle, which is read as it is
}

// PackedFlag is that of the commands whose inputs may be compressed.
func PackedFlag(category string) cli.Flag {
	return &cli.StringFlag{Name: "max-decoded", Category: category, Value: "1TiB", Usage: "decompress at most `SIZE` of an input (1TiB, 100GB, 4096)"}
}

// NewPackedInput reads the flag; nil: the command knows no compressed text.
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

// Formats are the compressed formats that a walk leaves to the command.
func (p *packedInput) Formats(known []string) []string {
	if p == nil {
		return known
	}
	return unpack.Formats
}

// extensions are those of the files that a walk picks besides.
func (p *packedInput) extensions() []string {
	if p == nil {
		return nil
	}
	return unpack.Extensions
}

// Input is the input as its text.
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

// text is what a file or stream has, unpacked where it is compressed. A stream is looked at
// when it is read: it may take its time.
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

// probe makes a probe of texts one of what may be compressed.
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

// lentText is a stream that somebody else closes.
type lentText struct{ *source.Text }

// Close does nothing.
func (lentText) Close() error { return nil }

// peekedBytes are of a compressed stream and tell whether it is a bundle.
const peekedBytes = 256 << 10

// Where a tar archive says that it is one (POSIX.1-2017, pax, ustar Interchange Format).
const (
	ustar   = "ustar"
	ustarAt = 257
)

// isBundle says whether what begins so is a bundle, which is read as it is. Events alone begin
// with an object and no archive does.
func (p *packedInput) isBundle(name, format string, packed io.Reader) bool {
	if !p.bundles || format != source.Gzip {
		return false
	}
	text := unpack.New(p.env.Context, io.NopCloser(packed), format, 0)
	defer func() { _ = text.Close() }() // nothing can be lost
	var head [ustarAt + len(ustar)]byte
	n, _ := io.ReadFull(text, head[:]) // reading it will say what is wrong
	archive := n == len(head) && string(head[ustarAt:]) == ustar
	object := bytes.HasPrefix(bytes.TrimLeft(bytes.TrimPrefix(head[:n], []byte("\ufeff")), " \t\r\n"), []byte("{"))
	return archive || !object || bundle.IsBundle(nil, name)
}

// packedText is the text of a compressed input.
type packedText struct {
	*unpack.Reader
	name string
	env  cmdline.Env
	told bool
}

// Close says what is odd about the text, and ends the reading.
func (t *packedText) Close() error {
	if t.Swollen() && !t.told {
		t.told = true
		cmdline.Warn(t.env, fmt.Sprintf("%q is unpacked to more than %d times its size", t.name, unpack.Usual))
	}
	return t.Reader.Close()
}

// IsPacked says whether what was opened is unpacked while it is read: it cannot be read from
// another place, and does not grow.
func IsPacked(r io.Reader) bool {
	_, is := r.(*packedText)
	return is
}

// RefusePacked is the mistake of giving a flag that is about a file which grows.
func RefusePacked(flag, name string) error {
	return &cmdline.UsageError{Message: fmt.Sprintf("--%s goes on where a file ended before, and %q is compressed, which grows no more", flag, name), Hint: "leave --" + flag + " out, or unpack the file"}
}

// PackedName says whether an input has the name of a compressed one.
func PackedName(in walk.Input) bool {
	return slices.Contains(unpack.Extensions, strings.ToLower(path.Ext(in.Name)))
}

// TextSize is how many bytes an input that was opened has; -1 where that is not known.
func TextSize(in walk.Input, r io.Reader) int64 {
	if IsPacked(r) {
		return -1
	}
	return in.Size
}

// packedStream is a pipe or standard input, which may be compressed. It may be closed while a
// Read waits for it: an interrupted run leaves its reader behind.
type packedStream struct {
	io.ReadCloser
	name   string
	packed *packedInput

	mu   sync.Mutex
	text io.ReadCloser // nil before the first Read
}

// Read looks at what it reads first.
func (s *packedStream) Read(b []byte) (int, error) {
	s.mu.Lock()
	text := s.text
	s.mu.Unlock()
	if text == nil {
		text = s.begin(s.look()) // which may wait
	}
	return text.Read(b)
}

// begin notes what the stream turned out to be. Where it was closed meanwhile, there is
// nothing to read of it.
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
		return rejoined{io.MultiReader(&peeked, s.ReadCloser), s.ReadCloser}
	}
	return s.packed.unpack(s.name, format, rejoined{io.MultiReader(&peeked, s.ReadCloser), s.ReadCloser})
}

// Close ends the reading.
func (s *packedStream) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.text == nil {
		return s.ReadCloser.Close()
	}
	return s.text.Close()
}

// rejoined is a stream of which the beginning was read.
type rejoined struct {
	io.Reader
	io.Closer
}
