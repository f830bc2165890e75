package app

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/internal/report"
)

// lineTo returns a status line on a terminal of 80 columns that has begun long ago.
func lineTo(to io.Writer, label string, files int, total int64) *statusLine {
	return &statusLine{to: to, width: func() int { return 80 }, label: label, files: files, total: total, since: time.Now().Add(-progressAfter)}
}

// TestProgress: nothing for short work; a line for work that lasts, erased before
// other output and at the end.
func TestProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var screen bytes.Buffer
		line := lineTo(&screen, "reading", 0, 100)
		line.since = time.Now()
		p := &Progress{line: line, files: 1, left: 100}
		if _, err := io.Copy(io.Discard, p.Reader(strings.NewReader("short"))); err != nil {
			t.Fatal(err)
		}
		if screen.Len() > 0 {
			t.Errorf("a line at once: %q", screen.String())
		}
		time.Sleep(progressAfter)
		p.Add(10)
		if !strings.Contains(screen.String(), "reading  15% |") {
			t.Errorf("no line: %q", screen.String())
		}
		line.erase()
		if shown := lastLine(screen.String()); shown != "" {
			t.Errorf("not erased: %q", shown)
		}
		p.Add(10)
		p.End()
		p.Add(10)
		if shown := lastLine(screen.String()); shown != "" {
			t.Errorf("left at the end: %q", shown)
		}
	})
}

// TestProgressOfFiles reads files of one size, one per second, by several workers and in several parts, and compares
// each line with what was done.
func TestProgressOfFiles(t *testing.T) {
	for _, files := range []int{2, 9, 48, 1000} {
		for _, size := range []int64{-1, 1 << 20} {
			for _, parts := range []int{1, 3} {
				t.Run(fmt.Sprintf("%d files of %d bytes in %d parts", files, size, parts), func(t *testing.T) {
					synctest.Test(t, func(t *testing.T) { progressOfFiles(t, files, size, parts, time.Sleep) })
				})
			}
		}
	}
}

func progressOfFiles(t *testing.T, files int, size int64, parts int, pass func(time.Duration)) {
	var screen bytes.Buffer
	line := lineTo(&screen, "", files, max(size*int64(files), -1))
	lines := regexp.MustCompile(`^ *(\d+) of (\d+) files +(\d+)% \|[█ ]*\| +(?:\(([0-9.]+) [KM]iB/s\))? *\[([0-9hms]+):([0-9hms]+)\]$`)
	began := time.Now()
	for done := range files {
		pass(time.Second / 2)
		screen.Reset()
		p := &Progress{line: line, files: 1, left: size}
		var read sync.WaitGroup
		for range parts {
			read.Go(func() { p.Add(int(size) / parts) })
		}
		read.Wait()
		pass(progressEvery)
		p.End()
		p.End()
		pass(time.Until(began.Add(time.Duration(done+1) * time.Second)))
		shown := lastLine(screen.String())
		m := lines.FindStringSubmatch(shown)
		if m == nil {
			t.Fatalf("after %d files: %q", done+1, screen.String())
		}
		percent, _ := strconv.Atoi(m[3])
		if m[1] != strconv.Itoa(done+1) || m[2] != strconv.Itoa(files) || percent < 100*(done+1)/files-1 || percent > 100*(done+1)/files {
			t.Fatalf("it says %q, expected %d of %d", shown, done+1, files)
		}
		left, err := time.ParseDuration(m[6])
		if wrong := (left - time.Duration(files-done-1)*time.Second).Abs(); done > 20 && (err != nil || wrong > 2*time.Second+left/5 || size > 0 && m[4][:1] != "1") {
			t.Fatalf("it says %q: the rate is 1.0 MiB/s, and %d s are left", shown, files-done-1)
		}
	}
	line.end()
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
					shown += checkOneLine(t, label, 0, total, width, later)
				}
			}
		}
		shown += checkOneLine(t, "", 12_345, 5<<30-16, width, 20)
		shown += checkOneLine(t, "", 12_345, -1, width, 20)
	}
	t.Logf("%d lines", shown)
}

// checkOneLine shows progress on a terminal that becomes later columns wide, and returns
// the number of lines that were checked.
func checkOneLine(t *testing.T, label string, files int, total int64, width, later int) (lines int) {
	t.Helper()
	var screen bytes.Buffer
	now := width
	l := lineTo(&screen, label, files, total)
	l.width = func() int { return now }
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
	show(func() { l.add(3<<29, min(files, 3_704)) })
	if total > 0 && !strings.Contains(screen.String(), "30% |") {
		t.Fatalf("a terminal of %d columns shows %q", width, screen.String())
	}
	if last := strings.TrimSpace(screen.String()); total > 0 && strings.HasSuffix(last, "…") {
		t.Fatalf("a terminal of %d columns shows a line that was cut: %q", width, last)
	}
	if width >= 80 && (label == "linting" || files > 0) && !strings.Contains(screen.String(), l.name()) {
		t.Fatalf("a terminal of %d columns shows %q", width, screen.String())
	}
	now = later
	show(func() { _ = l.bar.RenderBlank() })
	show(l.erase)
	show(l.end)
	return lines
}

// lastLine returns the text after the last carriage return.
func lastLine(s string) string {
	return strings.TrimSpace(s[strings.LastIndexByte(s, '\r')+1:])
}

// TestNoProgress checks that a stream that is not a terminal gets no progress line.
func TestNoProgress(t *testing.T) {
	s := &screen{env: cmdline.Env{Stderr: &bytes.Buffer{}, Getenv: func(string) string { return "" }}}
	s.plan(2, 5)
	p := s.begin("reading", 1, -1)
	if p != nil || s.line != nil {
		t.Fatal("a line for no terminal")
	}
	p.Add(1)
	p.FileDone(1)
	s.line.erase()
	p.End()
	s.end()
	if r := strings.NewReader(""); p.Reader(r) != r {
		t.Error("reads through nothing")
	}
}
