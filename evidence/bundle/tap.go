package bundle

import (
	"io"
	"sync"
)

// tap copies data while it is read. It can be closed during reads.
type tap struct {
	mu  sync.Mutex
	w   io.Writer // nil: shut
	err error     // the first one of writing
}

// of returns a reader that copies to the tap. A nil tap copies nothing.
func (t *tap) of(r io.Reader) io.Reader {
	if t == nil {
		return r
	}
	return &tapReader{r, t}
}

type tapReader struct {
	r io.Reader
	t *tap
}

func (t *tapReader) Read(p []byte) (int, error) {
	n, err := t.r.Read(p)
	if failure := t.t.write(p[:n]); failure != nil {
		return 0, failure
	}
	return n, err
}

func (t *tap) write(p []byte) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.w != nil && t.err == nil {
		_, t.err = t.w.Write(p)
	}
	return t.err
}

// shut ends the copying. It returns the first write error.
func (t *tap) shut() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.w = nil
	return t.err
}
