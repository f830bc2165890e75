package commands

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"time"
)

// TestProgress: nothing for short work; a line for work that lasts, erased before
// other output and at the end.
func TestProgress(t *testing.T) {
	var screen bytes.Buffer
	p := &progress{to: &screen, label: "reading", total: 100, since: time.Now()}
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

// lastLine is what stands on the screen's line after the last carriage return.
func lastLine(s string) string {
	return strings.TrimSpace(s[strings.LastIndexByte(s, '\r')+1:])
}

// TestNoProgress: a stream that is no terminal never sees a line.
func TestNoProgress(t *testing.T) {
	s := &screen{env: Env{Stderr: &bytes.Buffer{}, Getenv: func(string) string { return "" }}}
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
