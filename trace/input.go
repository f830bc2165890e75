package trace

import (
	"fmt"
	"io"
)

// MaxDiagnosisBytes limits how much of an unseekable input is kept for a diagnosis (see Options.Diagnose), and how
// much of a log with many sessions or segments is reread for it.
const MaxDiagnosisBytes = 32 << 20

// tooLong is the reason for not diagnosing a longer log.
var tooLong = fmt.Sprintf("that is only done for logs of at most %d MiB", MaxDiagnosisBytes>>20)

// cannotReopen is the reason for not diagnosing a long log from a pipe.
var cannotReopen = fmt.Sprintf("the log cannot be read twice, and that is only done for at most %d MiB of it: give it as a file",
	MaxDiagnosisBytes>>20)

// input reads an input and keeps what a second read needs: nothing if it supports ReadAt, otherwise its bytes.
type input struct {
	from  io.Reader
	at    io.ReaderAt // nil: it cannot be read again
	start int64
	size  int      // of what was read
	text  [][]byte // in chunks, because a growing buffer wastes memory
	kept  int
	more  bool // there is more than is kept
}

// pieceBytes is the allocation size for kept text.
const pieceBytes = 256 << 10

func newInput(from io.Reader) *input {
	s := &input{from: from}
	if file, ok := from.(interface {
		io.ReaderAt
		io.Seeker
	}); ok {
		if start, err := file.Seek(0, io.SeekCurrent); err == nil {
			s.at, s.start = file, start
		}
	}
	return s
}

func (s *input) Read(p []byte) (int, error) {
	n, err := s.from.Read(p)
	s.size += n
	switch {
	case s.at != nil || s.more:
	case s.kept+n > MaxDiagnosisBytes:
		s.text, s.more = nil, true
	default:
		s.keep(p[:n])
	}
	return n, err
}

// forget frees the kept text, because a diagnosis is not needed.
func (s *input) forget() {
	if s != nil {
		s.text, s.more = nil, true
	}
}

func (s *input) keep(p []byte) {
	s.kept += len(p)
	for len(p) > 0 {
		last := len(s.text) - 1
		if last < 0 || len(s.text[last]) == cap(s.text[last]) {
			size := pieceBytes
			if last < 0 {
				size = min(len(p), pieceBytes) // most logs are small
			}
			s.text = append(s.text, make([]byte, 0, size))
			last++
		}
		piece := s.text[last]
		n := min(len(p), cap(piece)-len(piece))
		s.text[last], p = append(piece, p[:n]...), p[n:]
	}
}

// again returns the text for a second read, or why that is impossible.
func (s *input) again() (text *io.SectionReader, why string) {
	switch {
	case s.at != nil:
		return io.NewSectionReader(s.at, s.start, int64(s.size)), ""
	case s.more:
		return nil, cannotReopen
	}
	return io.NewSectionReader(chunks(s.text), 0, int64(s.kept)), ""
}

type chunks [][]byte

func (c chunks) ReadAt(p []byte, off int64) (n int, err error) {
	for _, piece := range c {
		if off >= int64(len(piece)) {
			off -= int64(len(piece))
			continue
		}
		if n += copy(p[n:], piece[off:]); n == len(p) {
			return n, nil
		}
		off = 0
	}
	return n, io.EOF
}

// linked reports whether the events of a family contain the hash of the previous event.
func linked(f Family) bool { return f == SessionV0 || f == SessionV1 || f == SessionV1B }
