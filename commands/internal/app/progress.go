package app

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"

	"github.com/cupel-dev/cupel/internal/report"
	"github.com/cupel-dev/cupel/internal/say"
)

// progressAfter is how long work takes before a status line appears, and progressEvery how often it changes.
const (
	progressAfter = time.Second
	progressEvery = 100 * time.Millisecond
)

// statusLine shows on stderr how far long work is. It is erased before other output and at the end. A nil *statusLine
// does nothing. It is safe for concurrent use.
type statusLine struct {
	mu    sync.Mutex
	to    io.Writer
	width func() int // of the terminal in columns; 0: unknown
	label string     // for work that does not count files
	files int        // that the run reads; 0: the work does not count them
	total int64      // bytes; -1 when unknown
	since time.Time

	bar   *progressbar.ProgressBar
	read  int       // of files
	next  int64     // what the bar does not count yet
	last  time.Time // when the bar changed
	room  int       // columns for the name
	still bool      // the bar is not written
	shown bool      // since it was erased last
	ended bool
}

// add moves the line by bytes that were read, and by files that are finished.
func (l *statusLine) add(bytes int64, files int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended {
		return
	}
	if l.bar == nil {
		l.bar = l.newBar()
	}
	files = min(files, l.files-l.read)
	l.read += files
	if l.files > 0 && l.total < 0 {
		bytes = fileUnits * int64(files)
	}
	l.next += bytes
	if time.Since(l.last) < progressEvery {
		return
	}
	if l.files > 0 {
		l.still = true // one line for both
		l.bar.Describe(l.name())
		_ = l.bar.Add64(l.next)
		l.still = false
		_ = l.bar.RenderBlank()
	} else {
		_ = l.bar.Add64(l.next)
	}
	l.next, l.last = 0, time.Now()
}

// name returns the text before the percentage, if there is room. That of files keeps its width.
func (l *statusLine) name() string {
	name := l.label
	if l.files > 0 {
		name = fmt.Sprintf("%*d of %s", len(strconv.Itoa(l.files)), l.read, say.Counted(l.files, "file"))
	}
	if l.room < labelLeast {
		return ""
	}
	return report.Fit(say.Visible(name), l.room)
}

// Write passes what the bar writes to the terminal, once the work has lasted.
func (l *statusLine) Write(b []byte) (int, error) {
	if l.still || time.Since(l.since) < progressAfter {
		return len(b), nil
	}
	l.shown = true
	return oneLine{l.to, l.columns}.Write(b)
}

// erase removes the line until the next update, for other output.
func (l *statusLine) erase() {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.shown {
		_ = l.bar.Clear()
		l.shown = false
	}
}

// end removes the line.
func (l *statusLine) end() {
	if l == nil {
		return
	}
	l.erase()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ended = true
}

// Progress is a part of the work of a run, such as the reading of an input. A nil *Progress does nothing. It is safe
// for concurrent use.
type Progress struct {
	line  *statusLine
	files int // that End counts as finished

	mu   sync.Mutex
	left int64 // bytes of it that the line still expects; -1 when unknown
}

// Add counts bytes that were read.
func (p *Progress) Add(n int) {
	if p == nil {
		return
	}
	p.mu.Lock()
	size := int64(n)
	if p.left >= 0 {
		size = min(size, p.left)
		p.left -= size
	}
	p.mu.Unlock()
	p.line.add(size, 0)
}

// FileDone counts a finished file with its bytes.
func (p *Progress) FileDone(size int64) {
	if p != nil {
		p.line.add(max(size, 0), 1)
	}
}

// End counts what is left of the work as done.
func (p *Progress) End() {
	if p == nil {
		return
	}
	p.mu.Lock()
	left, files := max(p.left, 0), p.files
	p.left, p.files = 0, 0
	p.mu.Unlock()
	if p.line.files == 0 {
		p.line.end()
	} else {
		p.line.add(left, files)
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

// fileUnits is how much a file counts if its size is unknown.
const fileUnits = 1 << 10

// spinnerCycle is prime: if it divided the buffer size, the spinner would seem to stand still.
const spinnerCycle = 37

// newBar fits the line into the terminal. A narrow one shows no times, then no rate and no label.
func (l *statusLine) newBar() *progressbar.ProgressBar {
	columns := l.columns()
	rate, times := columns >= rateNeeds, columns >= timesNeed
	room := columns - 1 - barFrame
	if rate {
		room -= barRate
	}
	if times {
		room -= barTimes
	}
	l.room = room - barLeast
	label := l.name()
	bar := max(1, room-report.Columns(label))
	total, countsBytes := l.total, l.total >= 0 || l.files == 0
	switch {
	case !countsBytes:
		total = fileUnits*int64(l.files) + 1 // a bar that is full does not change anymore
	case total < 0:
		bar = spinnerCycle
	case l.files > 0:
		total++
	}
	return progressbar.NewOptions64(total,
		progressbar.OptionSetWriter(l), progressbar.OptionSetDescription(label),
		progressbar.OptionSetWidth(bar),
		progressbar.OptionShowBytes(rate && countsBytes), progressbar.OptionSetPredictTime(times), progressbar.OptionSetElapsedTime(times),
		progressbar.OptionUseIECUnits(true),
		progressbar.OptionSetSpinnerChangeInterval(0))
}

// columns returns the width of the terminal now.
func (l *statusLine) columns() int {
	if width := l.width(); width > 0 {
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
