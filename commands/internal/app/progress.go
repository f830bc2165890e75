package app

import (
	"io"
	"strings"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"

	"github.com/cupel-dev/cupel/internal/report"
	"github.com/cupel-dev/cupel/internal/say"
)

// progressAfter is how long work takes before a status line appears.
const progressAfter = time.Second

// Progress is a status line on stderr for long work. It is erased before other output and at the end. A nil
// *Progress does nothing. It is safe for concurrent use.
type Progress struct {
	mu    sync.Mutex
	to    io.Writer
	width func() int // of the terminal in columns; 0: unknown
	label string
	total int64 // bytes; -1 when unknown
	done  int64
	since time.Time
	bar   *progressbar.ProgressBar // nil until the work has lasted
	ended bool
}

func (p *Progress) Add(n int) {
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
		p.bar = p.newBar()
		_ = p.bar.Add64(p.done)
	}
}

// The widths of the parts of the line.
const (
	barFrame    = 10 // the percentage, the ends of the bar and the blanks; a spinner takes less
	barRate     = 13 // "(1023 KiB/s)" at most
	barTimes    = 18 // " [1h10m10s:59m59s]", elapsed and remaining time
	barLeast    = 10 // a bar that still shows something
	rateNeeds   = barFrame + barRate + barLeast + 1
	timesNeed   = rateNeeds + barTimes
	labelLeast  = 8 // a part of the label that still says something
	commonWidth = 80
)

// spinnerCycle is prime: if it divided the buffer size, the spinner would seem to stand still.
const spinnerCycle = 37

// newBar fits the line into the terminal. A narrow one shows no times, then no rate and no label.
func (p *Progress) newBar() *progressbar.ProgressBar {
	columns := p.columns()
	rate, times := columns >= rateNeeds, columns >= timesNeed
	room := columns - 1 - barFrame
	if rate {
		room -= barRate
	}
	if times {
		room -= barTimes
	}
	label := ""
	if part := room - barLeast; part >= labelLeast {
		label = report.Fit(say.Visible(p.label), part)
	}
	bar := max(1, room-report.Columns(label))
	if p.total < 0 {
		bar = spinnerCycle
	}
	return progressbar.NewOptions64(p.total,
		progressbar.OptionSetWriter(oneLine{p.to, p.columns}), progressbar.OptionSetDescription(label),
		progressbar.OptionSetWidth(bar),
		progressbar.OptionShowBytes(rate), progressbar.OptionSetPredictTime(times), progressbar.OptionSetElapsedTime(times),
		progressbar.OptionUseIECUnits(true),
		progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionSetSpinnerChangeInterval(0))
}

// columns returns the width of the terminal now.
func (p *Progress) columns() int {
	if width := p.width(); width > 0 {
		return width
	}
	return commonWidth
}

// oneLine writes to a terminal without reaching the last column, in case the window becomes narrower.
type oneLine struct {
	to      io.Writer
	columns func() int
}

func (l oneLine) Write(b []byte) (int, error) {
	stretches := strings.Split(string(b), "\r")
	for i, s := range stretches {
		stretches[i] = report.Fit(s, l.columns()-1)
	}
	if _, err := io.WriteString(l.to, strings.Join(stretches, "\r")); err != nil {
		return 0, err
	}
	return len(b), nil
}

func (p *Progress) Reader(r io.Reader) io.Reader {
	if p == nil {
		return r
	}
	if text, packed := r.(unpackedText); packed {
		return &packedProgress{text: text, line: p}
	}
	return io.TeeReader(r, p)
}

type unpackedText interface {
	io.Reader
	Packed() int64 // the bytes that it was made of so far
}

// packedProgress counts the bytes of a compressed input before decompression, like its size.
type packedProgress struct {
	text unpackedText
	line *Progress
	seen int64
}

func (p *packedProgress) Read(b []byte) (int, error) {
	n, err := p.text.Read(b)
	now := p.text.Packed()
	p.line.Add(int(now - p.seen))
	p.seen = now
	return n, err
}

func (p *Progress) Write(b []byte) (int, error) {
	p.Add(len(b))
	return len(b), nil
}

// erase removes the line until the next update, for other output.
func (p *Progress) erase() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.bar != nil {
		_ = p.bar.Clear()
	}
}

// End removes the line.
func (p *Progress) End() {
	if p == nil {
		return
	}
	p.erase()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.bar, p.ended = nil, true
}
