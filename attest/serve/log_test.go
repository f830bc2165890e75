package serve

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode"
)

func TestLogLines(t *testing.T) {
	var out bytes.Buffer
	log, stop, err := NewLogger(&out, "info")
	if err != nil {
		t.Fatal(err)
	}
	log.Debug("not at this level")
	log.Info("evaluation complete", "trace_id", "trc_abc123", "duration_ms", 142)
	log.Error("panic")
	stop()
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 2 {
		t.Fatalf("%d lines, want 2: %q", len(lines), lines)
	}
	var line map[string]any
	if err := json.Unmarshal([]byte(lines[0]), &line); err != nil {
		t.Fatal(err)
	}
	if ts, _ := line["ts"].(string); len(ts) != len(logTime) || !strings.HasSuffix(ts, "Z") {
		t.Errorf("ts is %v", line["ts"])
	}
	delete(line, "ts")
	got, err := json.Marshal(line)
	const want = `{"duration_ms":142,"level":"info","logger":"engine","msg":"evaluation complete","trace_id":"trc_abc123"}`
	if err != nil || string(got) != want {
		t.Errorf("line is %s, want %s (%v)", got, want, err)
	}
	if !strings.Contains(lines[1], `"level":"error"`) {
		t.Errorf("line is %s", lines[1])
	}
}

// TestLogIsHarmless: what a client sends does nothing to the terminal that shows the log.
func TestLogIsHarmless(t *testing.T) {
	const name = "a\n::error::x\x1b[2J\a\r\x7f\u009b1m\u202e\u2028\u200b##[stop-commands]"
	var out bytes.Buffer
	log, stop, err := NewLogger(&out, "info")
	if err != nil {
		t.Fatal(err)
	}
	log.Info("session established", "sdk_name", name)
	stop()
	var line struct {
		Name string `json:"sdk_name"`
	}
	text, ended := strings.CutSuffix(out.String(), "\n")
	if err := json.Unmarshal([]byte(text), &line); err != nil || line.Name != name || !ended {
		t.Errorf("%v: %q for %q", err, line.Name, name)
	}
	if strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) || strings.Contains(text, "##[") {
		t.Errorf("raw in the log: %q", text)
	}
}

func TestLogLevels(t *testing.T) {
	for _, level := range append(LogLevels(), "WARN") {
		_, stop, err := NewLogger(io.Discard, level)
		if err != nil {
			t.Errorf("%s: %v", level, err)
			continue
		}
		stop()
	}
	for _, level := range []string{"", "loud", "warn+1", "info-4"} {
		if _, _, err := NewLogger(io.Discard, level); err == nil {
			t.Errorf("%q is a level", level)
		}
	}
}

// TestLogNeverWaits writes far more lines than anyone reads; when somebody reads
// again, the log says how many are missing.
func TestLogNeverWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, w := io.Pipe()
		log, stop, err := NewLogger(w, "info")
		if err != nil {
			t.Fatal(err)
		}
		for range 10 * logLines {
			log.Info("nobody reads this")
		}
		read := make(chan string)
		go func() {
			text, err := io.ReadAll(r)
			if err != nil {
				t.Error(err)
			}
			read <- string(text)
		}()
		stop()
		log.Info("too late, and no harm")
		_ = w.Close()
		text := <-read
		if lines := strings.Count(text, "\n"); lines > 2*logLines || !strings.Contains(text, `"msg":"log lines dropped: nobody read them in time","count":`) {
			t.Errorf("%d lines, the last is %s", lines, text[strings.LastIndex(strings.TrimSpace(text), "\n")+1:])
		}
	})
}

// TestLogStops ends a log that is not read, and one whose reader has exited.
func TestLogStops(t *testing.T) {
	r, w := io.Pipe()
	log, stop, err := NewLogger(w, "info")
	if err != nil {
		t.Fatal(err)
	}
	for range 2 * logLines {
		log.Info("nobody reads this")
	}
	stopped := make(chan struct{})
	go func() { stop(); close(stopped) }()
	select {
	case <-stopped:
	case <-time.After(10 * time.Second):
		t.Error("stop waits for a reader")
	}
	_ = r.CloseWithError(errors.New("gone"))

	log, stop, err = NewLogger(w, "info")
	if err != nil {
		t.Fatal(err)
	}
	log.Info("the reader is gone")
	stop()
}
