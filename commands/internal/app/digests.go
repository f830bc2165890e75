package app

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"maps"
	"slices"
	"sync"

	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/walk"
)

// Digest is the SHA-256 and length of an input as stored, so before decompression.
type Digest struct {
	SHA256 string `json:"sha256"`
	Bytes  int64  `json:"bytes"`
}

type Digested struct {
	Input string `json:"input"`
	*Digest
}

// Digests computes the digests of inputs while they are read. A nil *Digests computes nothing.
type Digests struct {
	ctx  context.Context
	mu   sync.Mutex
	read map[string]*digester // of each name, the latest that was opened
}

// NewDigests returns an empty set. Once ctx ends, files are no longer read to their end.
func NewDigests(ctx context.Context) *Digests {
	return &Digests{ctx: ctx, read: map[string]*digester{}}
}

func (d *Digests) Input(in walk.Input) walk.Input {
	if d == nil || in.Empty() || in.Failed() != nil {
		return in
	}
	return in.WithOpen(func() (io.ReadCloser, error) {
		r, err := in.Open()
		if err != nil {
			return nil, err
		}
		s := &digester{ctx: d.ctx, turn: make(chan struct{}, 1), sum: sha256.New()}
		d.note(in.Name, s)
		switch r := r.(type) {
		case door.File:
			s.rest = r
			return digestedFile{r, s}, nil
		case pipedInput:
			return digestedPipe{r, s}, nil
		}
		return digestedStream{r, s}, nil
	})
}

func (d *Digests) note(name string, s *digester) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.read[name] = s
}

// Of returns the digest of an input, or nil if the input was not read to its end: a followed log, a pipe that was
// closed early, an unreadable input.
func (d *Digests) Of(name string) *Digest {
	if d == nil {
		return nil
	}
	d.mu.Lock()
	s := d.read[name]
	d.mu.Unlock()
	if s == nil {
		return nil
	}
	return s.whole()
}

// Unread returns why an input could not be read to its end, which does not always affect the verdict. It returns
// nil if all could.
func (d *Digests) Unread() error {
	if d == nil {
		return nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, name := range slices.Sorted(maps.Keys(d.read)) {
		s := d.read[name]
		s.mu.Lock()
		err := s.err
		s.mu.Unlock()
		if err != nil {
			return fmt.Errorf("cannot read the rest of %q: %w", name, err)
		}
	}
	return nil
}

// All returns the opened inputs, sorted by name.
func (d *Digests) All() []Digested {
	if d == nil {
		return nil
	}
	d.mu.Lock()
	names := slices.Sorted(maps.Keys(d.read))
	d.mu.Unlock()
	return d.Among(names)
}

// Among returns the opened inputs with the given names, sorted.
func (d *Digests) Among(names []string) (list []Digested) {
	if d == nil {
		return nil
	}
	for _, name := range slices.Compact(slices.Sorted(slices.Values(names))) {
		d.mu.Lock()
		opened := d.read[name] != nil
		d.mu.Unlock()
		if opened {
			list = append(list, Digested{name, d.Of(name)})
		}
	}
	return list
}

// digester is the running digest of one input. It is locked, because the reader of an interrupted run can still be
// reading.
type digester struct {
	ctx   context.Context
	turn  chan struct{} // held while a file is read, so that its bytes are hashed in their order
	mu    sync.Mutex
	sum   hash.Hash
	bytes int64
	rest  io.Reader // a file, whose rest can be read; nil for a pipe and a closed file
	ended bool      // all was read
	err   error     // why it could not be read to its end
	lost  bool      // it was not read from its start to its end
}

func (s *digester) take(p []byte, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sum.Write(p)
	s.bytes += int64(len(p))
	switch {
	case err == nil:
	case errors.Is(err, io.EOF):
		s.ended = true
	case errors.Is(err, fs.ErrClosed): // an abandoned reader, not a fault of the input
		s.lost = !s.ended
	default:
		s.lost, s.err = true, err
	}
}

// whole returns the digest of the whole input. It reads the rest of a file whose verdict was known before the end.
func (s *digester) whole() *Digest {
	s.drain()
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.ended || s.lost {
		return nil
	}
	return &Digest{hex.EncodeToString(s.sum.Sum(nil)), s.bytes}
}

// unread returns the file if a part of it is still unread, else nil.
func (s *digester) unread() io.Reader {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended || s.lost {
		return nil
	}
	return s.rest
}

// drain reads the rest of a file, unless the run was interrupted.
func (s *digester) drain() {
	select {
	case s.turn <- struct{}{}:
		defer func() { <-s.turn }()
	case <-s.ctx.Done():
		return
	}
	var buf []byte
	for rest := s.unread(); rest != nil && s.ctx.Err() == nil; rest = s.unread() {
		if buf == nil {
			buf = make([]byte, 256<<10)
		}
		n, err := rest.Read(buf)
		s.take(buf[:n], err)
	}
}

// close reads the rest of the file and closes it.
func (s *digester) close() {
	s.drain()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lost = s.lost || !s.ended
	s.rest = nil
}

type digestedFile struct {
	door.File
	of *digester
}

func (f digestedFile) Read(p []byte) (int, error) {
	f.of.turn <- struct{}{}
	defer func() { <-f.of.turn }()
	n, err := f.File.Read(p)
	f.of.take(p[:n], err)
	return n, err
}

// Seek implements io.Seeker. After a seek, the digest of the whole input is unknown.
func (f digestedFile) Seek(offset int64, whence int) (int64, error) {
	if offset != 0 || whence != io.SeekCurrent {
		f.of.lose()
	}
	return f.File.Seek(offset, whence)
}

func (f digestedFile) Close() error {
	f.of.close()
	return f.File.Close()
}

func (s *digester) lose() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lost = true
}

// pipedInput is a stream that can be read only once, with a detected compression format.
type pipedInput interface {
	io.ReadCloser
	Format() string
}

type digestedPipe struct {
	pipedInput
	of *digester
}

func (p digestedPipe) Read(b []byte) (int, error) {
	n, err := p.pipedInput.Read(b)
	p.of.take(b[:n], err)
	return n, err
}

type digestedStream struct {
	io.ReadCloser
	of *digester
}

func (s digestedStream) Read(b []byte) (int, error) {
	n, err := s.ReadCloser.Read(b)
	s.of.take(b[:n], err)
	return n, err
}
