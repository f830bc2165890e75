package serve

import (
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync/atomic"
	"time"

	"github.com/cupel-dev/cupel/internal/say"
)

const (
	// logLines is the number of buffered log lines. Further lines are dropped.
	logLines = 1024

	// logPatience is how long the program's exit waits for buffered lines. It waits in steps, because without
	// processor time on a busy machine only one step passes.
	logPatience      = 200 * time.Millisecond
	logPatienceSteps = 10

	logTime = "2006-01-02T15:04:05.000Z"
)

// LogLevels returns the values of --log-level (§1.3), from the most to the least talkative.
func LogLevels() []string { return []string{"debug", "info", "warn", "error"} }

// NewLogger returns a logger for the engine's log lines (§1.3) from the given level on:
//
//	{"level":"info","ts":"2026-02-18T10:30:00.000Z","logger":"engine","msg":"evaluation complete","trace_id":"trc_abc123","duration_ms":142}
//
// Logging never blocks on w: lines are written in the background and dropped, with a count, if w is
// slow. stop flushes briefly. The error for an unknown level lists the levels.
func NewLogger(w io.Writer, level string) (log *slog.Logger, stop func(), err error) {
	var least slog.Level
	if err := least.UnmarshalText([]byte(level)); err != nil || strings.ContainsAny(level, "+-") {
		return nil, nil, fmt.Errorf("unknown log level %q, want %s", level, strings.Join(LogLevels(), ", "))
	}
	out := newLossyWriter(w)
	handler := slog.NewJSONHandler(out, &slog.HandlerOptions{Level: least, ReplaceAttr: logKeys})
	return slog.New(handler).With("logger", "engine"), out.stop, nil
}

// logKeys converts the members of a log line to the names and forms of §1.3.
func logKeys(groups []string, a slog.Attr) slog.Attr {
	switch {
	case len(groups) > 0:
	case a.Key == slog.TimeKey:
		return slog.String("ts", a.Value.Time().UTC().Format(logTime))
	case a.Key == slog.LevelKey:
		return slog.String("level", strings.ToLower(a.Value.String()))
	}
	return a
}

// lossyWriter passes lines to a writer that can block at any time. It escapes what terminals interpret.
type lossyWriter struct {
	lines   chan []byte
	dropped atomic.Int64
	done    chan struct{}
}

func newLossyWriter(w io.Writer) *lossyWriter {
	l := &lossyWriter{lines: make(chan []byte, logLines), done: make(chan struct{})}
	go l.run(w)
	return l
}

func (l *lossyWriter) Write(line []byte) (int, error) {
	select {
	case l.lines <- append([]byte(nil), say.JSON(line)...):
	default:
		l.dropped.Add(1)
	}
	return len(line), nil
}

func (l *lossyWriter) run(w io.Writer) {
	defer close(l.done)
	for line := range l.lines {
		if line == nil {
			return
		}
		if n := l.dropped.Swap(0); n > 0 {
			line = fmt.Appendf(line, `{"level":"warn","ts":%q,"logger":"engine","msg":"log lines dropped: nobody read them in time","count":%d}`+"\n",
				time.Now().UTC().Format(logTime), n)
		}
		if _, err := w.Write(line); err != nil {
			return
		}
	}
}

// stop flushes the buffered lines. Later lines are dropped.
func (l *lossyWriter) stop() {
	step := time.NewTimer(logPatience / logPatienceSteps)
	defer step.Stop()
	end := l.lines
	for steps := 0; steps < logPatienceSteps; {
		select {
		case end <- nil:
			end = nil // said once
		case <-l.done:
			return
		case <-step.C:
			steps++
			step.Reset(logPatience / logPatienceSteps)
		}
	}
}
