package commands

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

// rereading opens an input once more.
type rereading struct {
	in     walk.Input
	packed bool       // its text is compressed
	kept   *keptInput // of what can be read only once; nil for a file
}

// reread lets an input be read again. It returns what is to be read now in r's place.
func reread(in walk.Input, r io.Reader) (*rereading, io.Reader) {
	if in.Size >= 0 {
		return &rereading{in: in, packed: isPacked(r)}, r
	}
	again := &rereading{in: in, kept: &keptInput{}}
	return again, io.TeeReader(r, again.kept)
}

func (r *rereading) open() (io.ReadCloser, error) {
	switch {
	case r.kept == nil:
		return r.in.Open()
	case r.kept.lost:
		return nil, errNotKept
	}
	return io.NopCloser(bytes.NewReader(r.kept.text)), nil
}

// size is the length of what is read again, -1 when it is not known beforehand.
func (r *rereading) size(text io.Reader) int64 {
	if r.kept != nil {
		return int64(len(r.kept.text))
	}
	return textSize(r.in, text)
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
