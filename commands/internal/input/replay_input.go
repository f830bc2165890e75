package input

import (
	"bytes"
	"errors"
	"io"

	"github.com/cupel-dev/cupel/internal/walk"
)

// A page shows what stands in an input. So that no other format pays for it, the input is read
// again for that, when the page's answer is written; what can be read only once is kept meanwhile,
// as long as it is small.

// maxViewed is how many bytes of a pipe are kept.
const maxViewed = 16 << 20

var errNotKept = errors.New("the input came through a pipe and has more than 16 MiB, which are kept for a view; name a file instead")

// Rereading opens an input once more.
type Rereading struct {
	In     walk.Input
	Packed bool       // its text is compressed
	Kept   *keptInput // of what can be read only once; nil for a file
}

// Reread lets an input be read again. It returns what is to be read now in r's place.
func Reread(in walk.Input, r io.Reader) (*Rereading, io.Reader) {
	if in.Size >= 0 {
		return &Rereading{In: in, Packed: IsPacked(r)}, r
	}
	again := &Rereading{In: in, Kept: &keptInput{}}
	return again, io.TeeReader(r, again.Kept)
}

// Open opens the input from its beginning once more.
func (r *Rereading) Open() (io.ReadCloser, error) {
	switch {
	case r.Kept == nil:
		return r.In.Open()
	case r.Kept.lost:
		return nil, errNotKept
	}
	return io.NopCloser(bytes.NewReader(r.Kept.text)), nil
}

// Size is the length of what is read again, -1 when it is not known beforehand.
func (r *Rereading) Size(text io.Reader) int64 {
	if r.Kept != nil {
		return int64(len(r.Kept.text))
	}
	return TextSize(r.In, text)
}

// keptInput keeps what is read of an input, unless that is too much.
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
