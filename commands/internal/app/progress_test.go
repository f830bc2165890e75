package app

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/internal/report"
)

// TestProgress: nothing for short work; a line for work that lasts, erased before
// other output and at the end.
func TestProgress(t *testing.T) {
	var screen bytes.Buffer
	p := &Progress{to: &screen, width: func() int { return 80 }, label: "reading", total: 100, since: time.Now()}
	if _, err := io.Copy(io.Discard, p.Reader(strings.NewReader("short"))); err != nil {
		t.Fatal(err)
	}
	if screen.Len() > 0 {
		t.Errorf("a line at once: %q", screen.String())
	}
	p.since = time.Now().Add(-progressAfter)
	p.Add(10)
	if !strings.Contains(screen.String(), "reading") {
		t.Errorf("no line: %q", screen.String())
	}
	p.erase()
	if shown := lastLine(screen.String()); shown != "" {
		t.Errorf("not erased: %q", shown)
	}
	p.Add(10)
	p.End()
	p.Add(10)
	if shown := lastLine(screen.String()); shown != "" {
		t.Errorf("left at the end: %q", shown)
	}
}

// TestProgressOneLine checks that the progress line is never empty and stays below the last column, whatever the
// width of the terminal, even if it changes meanwhile.
func TestProgressOneLine(t *testing.T) {
	labels := []string{"", "linting", "verifying " + strings.Repeat("deep/er/", 40) + "trace.jsonl", "verifying 記録記録記録記録記録記録記録記録記録記録.jsonl"}
	shown := 0
	for width := 20; width <= 200; width++ {
		for _, label := range labels {
			for _, total := range []int64{-1, 5 << 30} {
				for _, later := range []int{width, 20} {
					shown += checkOneLine(t, label, total, width, later)
				}
			}
		}
	}
	t.Logf("%d lines", shown)
}

// checkOneLine shows progress on a terminal that becomes later columns wide, and returns
// the number of lines that were checked.
func checkOneLine(t *testing.T, label string, total int64, width, later int) (lines int) {
	t.Helper()
	var screen bytes.Buffer
	now := width
	p := &Progress{to: &screen, width: func() int { return now }, label: label, total: total, since: time.Now().Add(-progressAfter)}
	show := func(step func()) {
		screen.Reset()
		step()
		for _, stretch := range strings.Split(screen.String(), "\r") {
			lines++
			if n := report.Columns(stretch); n >= now {
				t.Fatalf("%d columns on a terminal of %d: %q", n, now, stretch)
			}
		}
	}
	show(func() { p.Add(3 << 29) })
	if total > 0 && !strings.Contains(screen.String(), "30% |") {
		t.Fatalf("a terminal of %d columns shows %q", width, screen.String())
	}
	if last := strings.TrimSpace(screen.String()); total > 0 && strings.HasSuffix(last, "…") {
		t.Fatalf("a terminal of %d columns shows a line that was cut: %q", width, last)
	}
	if width >= 80 && label == "linting" && !strings.Contains(screen.String(), label) {
		t.Fatalf("a terminal of %d columns shows %q", width, screen.String())
	}
	now = later
	show(func() { _ = p.bar.RenderBlank() })
	show(p.erase)
	show(p.End)
	return lines
}

// lastLine returns the text after the last carriage return.
func lastLine(s string) string {
	return strings.TrimSpace(s[strings.LastIndexByte(s, '\r')+1:])
}

// TestNoProgress checks that a stream that is not a terminal gets no progress line.
func TestNoProgress(t *testing.T) {
	s := &screen{env: cmdline.Env{Stderr: &bytes.Buffer{}, Getenv: func(string) string { return "" }}}
	p := s.begin("reading", -1)
	if p != nil {
		t.Fatal("a line for no terminal")
	}
	p.Add(1)
	p.erase()
	p.End()
	if r := strings.NewReader(""); p.Reader(r) != r {
		t.Error("reads through nothing")
	}
}
