package trace

import "io"

// MaxDiagnosisBytes is the longest log whose damage is diagnosed, see Options.Diagnose. The text of
// the log is held then, and 64 bytes for each event.
const MaxDiagnosisBytes = 32 << 20

// input reads an input, and keeps what is needed to read it once more: nothing of one that can be
// read at any offset, the bytes of another.
type input struct {
	from  io.Reader
	at    io.ReaderAt // nil: it cannot be read again
	start int64
	text  []byte
	more  bool // there is more than is kept
}

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
	switch {
	case s.at != nil || s.more:
	case len(s.text)+n > MaxDiagnosisBytes:
		s.text, s.more = nil, true
	default:
		s.text = append(s.text, p[:n]...)
	}
	return n, err
}

// whole returns the text that was read; ok is false where that is too long, or has changed.
func (s *input) whole() (text []byte, ok bool) {
	if s.at == nil {
		return s.text, !s.more
	}
	text, err := io.ReadAll(io.NewSectionReader(s.at, s.start, MaxDiagnosisBytes+1))
	return text, err == nil && len(text) <= MaxDiagnosisBytes
}

// linked says whether the events of a family name the event before by its hash.
func linked(f Family) bool { return f == SessionV0 || f == SessionV1 || f == SessionV1B }
