package bundle

import (
	"bufio"
	"io"
)

// Spill is a temporary file. It is deleted after use.
type Spill interface {
	Scratch
	io.Closer
}

// heldBytes is how much a store holds in memory before it writes to the spill.
const heldBytes = 8 << 20

// store keeps texts that can be needed again, in memory or a spill.
type store struct {
	make func() (Spill, error) // nil: all are held
	held []byte
	file Spill // nil: not needed yet
	out  *bufio.Writer
	size int64 // of all that is kept
	text []byte
}

func (s *store) add(text []byte) (at int64, err error) {
	at = s.size
	s.size += int64(len(text))
	if s.make == nil || s.file == nil && s.size <= heldBytes {
		s.held = append(s.held, text...)
		return at, nil
	}
	if s.file == nil {
		if s.file, err = s.make(); err != nil {
			return 0, err
		}
		s.out = bufio.NewWriterSize(s.file, 256<<10)
	}
	_, err = s.out.Write(text)
	return at, err
}

// get returns a text, valid until the next call.
func (s *store) get(at int64, size int) ([]byte, error) {
	if at < int64(len(s.held)) {
		return s.held[at : at+int64(size)], nil
	}
	if err := s.out.Flush(); err != nil {
		return nil, err
	}
	if cap(s.text) < size {
		s.text = make([]byte, size)
	}
	s.text = s.text[:size]
	_, err := s.file.ReadAt(s.text, at-int64(len(s.held)))
	return s.text, err
}

func (s *store) close() error {
	if s.file == nil {
		return nil
	}
	return s.file.Close()
}
