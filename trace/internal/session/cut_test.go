package session_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/cupel-dev/cupel/internal/racetest"
	"github.com/cupel-dev/cupel/trace"
)

// TestCutLine ends each line of a good log at every byte, with and without the rest of
// the log, and with lines that are too long or not: a line that was cut is cut damage,
// whichever it is, and the report does not depend on how the bytes are read.
func TestCutLine(t *testing.T) {
	runs, step := 0, 5*racetest.Step(t)
	for _, family := range []string{"session-v0", "session-v1"} {
		good := goodLog(family)
		for i, line := range good {
			before, after := strings.Join(good[:i], "\n"), strings.Join(good[i+1:], "\n")+"\n"
			if i > 0 {
				before += "\n"
			}
			for cut := 1 + i%5; cut < len(line); cut += step {
				want := fmt.Sprintf("cut %d-%d 1", i+1, i+1)
				if i == 0 || i == len(good)-1 {
					runs += cutAt(t, before+line[:cut]+"\n"+after, 0, want)
				}
				if i > 0 {
					runs += cutAt(t, before+line[:cut], 0, want)
				}
			}
			if i == len(good)-1 {
				for more := range 4 {
					long := strings.Repeat(" ", more) + line + strings.Repeat("\t", 2000)
					want := fmt.Sprintf("cut %d-%d 1", i+1, i+1)
					runs += cutAt(t, before+long, 1500, want)
					runs += cutAt(t, before+long+"\r", 1500, want)
					runs += cutAt(t, before+long+"\n", 1500, strings.Replace(want, "cut", "edited", 1))
				}
			}
		}
	}
	t.Logf("%d runs", runs)
}

// cutAt verifies a log in reads of several sizes and returns how many there were.
func cutAt(t *testing.T, log string, limit int, want string) int {
	t.Helper()
	text := []byte(log)
	readers := []io.Reader{
		bytes.NewReader(text),
		iotest.DataErrReader(bytes.NewReader(text)),
		&chunked{bytes.NewReader(text), 1499},
		&chunked{bytes.NewReader(text), 61},
	}
	var first []byte
	for i, r := range readers {
		report, err := trace.Verify(context.Background(), r, trace.Options{Jobs: 1, Limits: trace.Limits{LineBytes: limit}})
		if err != nil {
			t.Fatal(err)
		}
		if damage := damageOf(report); len(damage) != 1 || damage[0] != want {
			t.Fatalf("reader %d: damage %q, want %q, of a log that ends %.60q", i, damage, want, text[max(0, len(text)-60):])
		}
		got, err := json.Marshal(report)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = got
		}
		if !bytes.Equal(first, got) {
			t.Fatalf("reader %d: another report (%s)", i, firstDifference(first, got))
		}
	}
	return len(readers)
}
