package tracecmd

import (
	"bufio"
	"errors"
	"io"

	"github.com/cupel-dev/cupel/internal/walk"
	"github.com/cupel-dev/cupel/trace"
)

// continued reports whether the inputs are files of `cupel record`, each of which is a session that continues the one
// before. A pipe is not read for that.
func continued(inputs []walk.Input) (bool, error) {
	for _, in := range inputs[1:] {
		if in.Size < 0 {
			continue
		}
		r, err := in.Open()
		if err != nil {
			return false, err
		}
		first, err := bufio.NewReaderSize(r, headBytes).ReadSlice('\n')
		_ = r.Close() // opened for reading: nothing can be lost
		if err == nil && trace.Continues(first) {
			return true, nil
		}
	}
	return false, nil
}

// reopen opens a segment that was read, which a pipe does not allow.
func reopen(in walk.Input) (io.ReadCloser, error) {
	if in.Size < 0 {
		return nil, errors.ErrUnsupported
	}
	return in.Open()
}

// unopenedError is the error of opening a segment.
type unopenedError struct{ error }

func (e *unopenedError) Unwrap() error { return e.error }

// segmentsOf returns the inputs as segments. first wraps each segment's reader when it is read for the first time, not
// for a diagnosis.
func segmentsOf(inputs []walk.Input, first func(io.Reader) io.Reader) []trace.Segment {
	segments := make([]trace.Segment, len(inputs))
	for i, in := range inputs {
		opened := false
		segments[i] = trace.Segment{Name: in.Name, Open: func() (io.ReadCloser, error) {
			if opened {
				return reopen(in)
			}
			opened = true
			r, err := in.Open()
			if err != nil {
				return nil, &unopenedError{err}
			}
			return shownReader{first(r), r}, nil
		}}
	}
	return segments
}

// chainName returns the name of a chain: that of its only segment, or of the first and last.
func chainName(inputs []walk.Input) string {
	first, last := inputs[0].Name, inputs[len(inputs)-1].Name
	if len(inputs) == 1 {
		return first
	}
	return first + " … " + last
}

// shownReader is a reader that shows progress.
type shownReader struct {
	io.Reader
	io.Closer
}

// sizeOf returns the total size of inputs, or -1 if one is unknown.
func sizeOf(inputs []walk.Input) (n int64) {
	for _, in := range inputs {
		if in.Size < 0 {
			return -1
		}
		n += in.Size
	}
	return n
}
