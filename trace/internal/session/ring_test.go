package session_test

import (
	"context"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/internal/sessiontest"
	"github.com/cupel-dev/cupel/trace"
)

// recentEvents is how far back a repeated event is recognised as one.
const recentEvents = 256

// TestRecentEvents repeats one event at the end of logs that fill the ring of recent events once, exactly and several
// times over. An event that is one of the last 256 is a repetition; an earlier one is an inserted event. The result
// is the same if the log is read in two runs, because the ring is part of the state between them, and if it is
// summarized in ranges.
func TestRecentEvents(t *testing.T) {
	lines := toolCalls(3*recentEvents + 2)
	for _, length := range []int{2, recentEvents - 1, recentEvents, recentEvents + 1, recentEvents + 2, 2*recentEvents - 1, 2 * recentEvents, 2*recentEvents + 1, len(lines)} {
		for _, back := range []int{1, 2, recentEvents - 1, recentEvents, recentEvents + 1, length - 1, length} {
			if back > length {
				continue
			}
			log := strings.Join(lines[:length], "")
			repeated := log + lines[length-back]
			want := "inserted"
			if back <= recentEvents {
				want = "repeated"
			}
			want += " " + jsonInt(int64(length+1)) + "-" + jsonInt(int64(length+1)) + " 1"

			r, err := trace.Verify(context.Background(), strings.NewReader(repeated), trace.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(damageOf(r), ", "); got != want {
				t.Errorf("%d events and the one %d back again: %q, want %q", length, back, got, want)
			}
			last, _ := inParts(t, repeated, []int{len(log), len(repeated)})
			if opt := (trace.Options{Name: "x", Jobs: 1}); length >= recentEvents {
				sameReport(t, want, repeated, []int{len(log) / 3, len(log)}, whole(t, repeated, opt), opt)
			}
			if got := strings.Join(damageOf(last), ", "); got != want {
				t.Errorf("%d events and, in a second run, the one %d back again: %q, want %q", length, back, got, want)
			}
		}
	}
}

// toolCalls returns the lines of a log without an end, each with its line end.
func toolCalls(n int) (lines []string) {
	l := sessiontest.New()
	lines = append(lines, l.Event("SESSION_START", `{"agent_id":"a","environment":"dev","framework":"f","framework_version":"1","sdk_version":"1"}`)+"\n")
	for len(lines) < n {
		lines = append(lines, l.Event("TOOL_CALL", `{"tool_name":"t","args":{"q":"again"}}`)+"\n")
	}
	return lines
}
