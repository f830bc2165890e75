package input

import (
	"bytes"
	"errors"
	"io"

	"github.com/cupel-dev/cupel/internal/walk"
)

// Pages show input content. To cost nothing for other formats, the input is reread when the page is written. Small
// inputs that are not seekable are kept.

// maxViewed limits the bytes of a pipe that are kept.
const maxViewed = 16 << 20

var errNotKept = errors.New("the input is a pipe with more than 16 MiB, the limit for a view; name a file instead")

// Reopener opens an input again.
type Reopener struct {
	In     walk.Input
	Packed bool       // its text is compressed
	Kept   *keptInput // of what can be read only once; nil for a file
}

// Reread prepares an opened input to be read again and returns the reader to use instead of text.
func Reread(in walk.Input, r, text io.Reader) (*Reopener, io.Reader) {
	if in.Size >= 0 {
		return &Reopener{In: in, Packed: IsPacked(r)}, text
	}
	again := &Reopener{In: in, Kept: &keptInput{}}
	return again, io.TeeReader(text, again.Kept)
}

// Open opens the input again from its start.
func (r *Reopener) Open() (io.ReadCloser, error) {
	switch {
	case r.Kept == nil:
		return r.In.Open()
	case r.Kept.lost:
		return nil, errNotKept
	}
	return io.NopCloser(bytes.NewReader(r.Kept.text)), nil
}

// Size returns the size of the reread text, or -1.
func (r *Reopener) Size(text io.Reader) int64 {
	if r.Kept != nil {
		return int64(len(r.Kept.text))
	}
	return TextSize(r.In, text)
}

// keptInput keeps an input's data up to a limit.
type keptInput struct {
	text []byte
	lost bool
}

func (k *keptInput) Write(text []byte) (int, error) {
	if k.lost = k.lost || len(k.text)+len(text) > maxViewed; k.lost {
		k.text = nil
	} else {
		k.text = append(k.text, text...)
	}
	return len(text), nil
}
