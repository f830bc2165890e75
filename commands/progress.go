package commands

import (
	"io"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"

	"github.com/cupel-dev/cupel/internal/say"
)

// progressAfter is how long work must last to be worth a line on the terminal.
const progressAfter = time.Second

// progress is one line on standard error about work that lasts. It is erased before
// anything else is written and at the end, and never matters for the answer. All
// methods do nothing on nil, and may be called from any goroutine.
type progress struct {
	mu    sync.Mutex
	to    io.Writer
	label string
	total int64 // bytes; -1 when unknown
	done  int64
	since time.Time
	bar   *progressbar.ProgressBar // nil until the work has lasted
	ended bool
}

// Add counts n more bytes.
func (p *progress) Add(n int) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done += int64(n)
	switch {
	case p.ended:
	case p.bar != nil:
		_ = p.bar.Add(n)
	case time.Since(p.since) >= progressAfter:
		p.bar = progressbar.NewOptions64(p.total,
			progressbar.OptionSetWriter(p.to), progressbar.OptionSetDescription(say.Visible(p.label)),
			progressbar.OptionShowBytes(true), progressbar.OptionUseIECUnits(true), progressbar.OptionFullWidth(),
			progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionSetSpinnerChangeInterval(0))
		_ = p.bar.Add64(p.done)
	}
}

// Reader counts what is read through it.
func (p *progress) Reader(r io.Reader) io.Reader {
	if p == nil {
		return r
	}
	return io.TeeReader(r, p)
}

// Write counts the bytes that a TeeReader passes by.
func (p *progress) Write(b []byte) (int, error) {
	p.Add(len(b))
	return len(b), nil
}

// erase removes the line until the next step, for other output.
func (p *progress) erase() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.bar != nil {
		_ = p.bar.Clear()
	}
}

// End removes the line for good.
func (p *progress) End() {
	if p == nil {
		return
	}
	p.erase()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.bar, p.ended = nil, true
}
