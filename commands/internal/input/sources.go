package input

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"sync"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/internal/cite"
	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/unpack"
	"github.com/cupel-dev/cupel/trace"
)

// HeldSource is a source of events whose bytes can be read in any order. A compressed file and a stream are copied
// to a temporary file, decompressed.
type HeldSource struct {
	trace.Source
	closers []io.Closer
}

// HoldSource reads a source to its end. It takes over r.
func HoldSource(r io.ReadCloser) (*HeldSource, error) {
	h := &HeldSource{closers: []io.Closer{r}}
	var err error
	if file, ok := r.(door.File); ok {
		h.Text = file
		h.Size, h.Sum, err = sumOf(io.NewSectionReader(file, 0, 1<<62), io.Discard)
	} else {
		err = h.copy(r)
	}
	if err != nil {
		h.Close()
		return nil, err
	}
	return h, nil
}

func (h *HeldSource) copy(r io.Reader) error {
	temp, err := NewTempFile()
	if err != nil {
		return err
	}
	h.Text, h.closers = temp, append(h.closers, temp)
	h.Size, h.Sum, err = sumOf(r, temp)
	return err
}

func sumOf(r io.Reader, to io.Writer) (size int64, sum digest.Sum, err error) {
	hash := sha256.New()
	size, err = io.Copy(io.MultiWriter(hash, to), r)
	hash.Sum(sum[:0])
	return size, sum, err
}

// Close closes the source's files.
func (h *HeldSource) Close() {
	for _, c := range h.closers {
		_ = c.Close() // opened for reading, or temporary: nothing can be lost
	}
}

// SourcesFlag returns the flag for the files that a log cites.
func SourcesFlag(category string) cli.Flag {
	return &cli.StringFlag{Name: "sources", Category: category, Usage: "compare each event with the bytes that it cites, in a file below `PATH` or in this file (for logs of cupel record --from)"}
}

// CitedText describes the citations of a log, or returns "".
func CitedText(c *cite.Counts) string {
	if c == nil {
		return ""
	}
	return fmt.Sprintf("cited by %d of %s, with %s", c.Events, say.Counted(c.Events+c.Uncited, "copied event"), say.Counted(c.Values, "value"))
}

// Sources are the files that a log cites: those below a folder, or a single file.
type Sources struct {
	folder *door.Folder // nil for a single file
	file   string       // its path
	packed *packedInput

	mu   sync.Mutex
	held map[string]*openedSource
}

type openedSource struct {
	*HeldSource
	err error
}

// OpenSources opens the folder or file of a flag.
func OpenSources(env cmdline.Env, flag, name string) (*Sources, error) {
	s := &Sources{packed: &packedInput{env: env}, held: map[string]*openedSource{}}
	info, err := door.Stat(name)
	if err == nil && info.IsDir() {
		s.folder, err = door.Open(name)
	}
	if err == nil && s.folder == nil {
		s.file = name
		o := &openedSource{}
		o.HeldSource, err = s.open(name)
		s.held[name] = o
	}
	if err != nil {
		if at, ok := errors.AsType[*fs.PathError](err); ok {
			err = at.Err // the message names the file
		}
		return nil, fmt.Errorf("cannot read --%s %q: %w", flag, name, err)
	}
	return s, nil
}

// Source returns a cited file. A single file is the one with the cited digest or name, and any stream.
func (s *Sources) Source(name string, sum digest.Sum) (trace.Source, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := name
	if s.folder == nil {
		key = s.file
	}
	o := s.held[key]
	if o == nil {
		o = &openedSource{}
		o.HeldSource, o.err = s.open(key)
		s.held[key] = o
	}
	switch {
	case o.err != nil:
		return trace.Source{}, o.err
	case s.folder == nil && o.Sum != sum && name != cite.Stream && path.Base(name) != filepath.Base(s.file):
		return trace.Source{}, fs.ErrNotExist
	}
	return o.Source, nil
}

func (s *Sources) open(name string) (*HeldSource, error) {
	var f door.File
	var err error
	if s.folder == nil {
		f, err = door.NamedFileOr(s.packed.env.Context, name, unpack.Formats...)
	} else {
		f, err = s.folder.TextOr(name, unpack.Formats...)
	}
	if err != nil {
		return nil, err
	}
	return HoldSource(s.packed.text(name, f))
}

// Close closes all files.
func (s *Sources) Close() {
	for _, o := range s.held {
		if o.HeldSource != nil {
			o.HeldSource.Close()
		}
	}
	if s.folder != nil {
		_ = s.folder.Close() // opened for reading: nothing can be lost
	}
}
