package trace

import (
	"bytes"
	"fmt"
	"io"
)

// MaxDiagnosisBytes bounds logs with a diagnosis (see Options.Diagnose), which holds the text and
// 64 bytes per event.
const MaxDiagnosisBytes = 32 << 20

// tooLong is why a longer log has no diagnosis.
var tooLong = fmt.Sprintf("that is only done for logs of at most %d MiB", MaxDiagnosisBytes>>20)

// input reads an input and keeps what a second read needs: nothing if it supports ReadAt, otherwise
// its bytes.
type input struct {
	from  io.Reader
	at    io.ReaderAt // nil: it cannot be read again
	start int64
	size  int      // of what was read
	text  [][]byte // in chunks, because a growing buffer wastes memory
	kept  int
	more  bool // there is more than is kept
}

// pieceBytes is the size of a piece of kept text.
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

// Read implements io.Reader.
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

// whole returns the text that was read; ok is false where that is too long, or has changed.
func (s *input) whole() (text []byte, ok bool) {
	if s.at == nil {
		return bytes.Join(s.text, nil), !s.more
	}
	if s.size > MaxDiagnosisBytes {
		return nil, false
	}
	text = make([]byte, s.size)
	_, err := io.ReadFull(io.NewSectionReader(s.at, s.start, int64(s.size)), text)
	return text, err == nil
}

// linked says whether the events of a family name the event before by its hash.
func linked(f Family) bool { return f == SessionV0 || f == SessionV1 || f == SessionV1B }
