package session_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/internal/racetest"
	"github.com/cupel-dev/cupel/internal/sessiontest"
	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/internal/session"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// within takes lines of many sessions of a family, each as a block, within limits. A line ""
// puts all sessions away. The error is that of a limit.
func within(t rapid.TB, limits stream.Limits, family string, lines ...string) (*session.Sessions, *stream.LimitError) {
	t.Helper()
	limits = limits.WithDefaults()
	all := session.NewSessions(limits, session.Options{Keys: fixedKeys}, func(strictjson.Node) string { return family })
	for i, text := range lines {
		if text == "" {
			if err := all.PutAllAway(); err != nil {
				t.Fatal(err)
			}
			continue
		}
		doc, err := limits.Scanner().Scan([]byte(text))
		if err != nil || !doc.Root().Is(strictjson.Object) {
			continue // of no session
		}
		w := all.Worker()
		w.Line(source.Line{Number: i + 1, Bytes: []byte(text), Size: int64(len(text)), Terminated: true}, doc)
		if err := w.Flush()(); err != nil {
			limit, ok := errors.AsType[*stream.LimitError](err)
			if !ok {
				t.Fatal(err)
			}
			return all, limit
		}
	}
	return all, nil
}

// plainEvent returns an event of a session whose hashes are not checked, with that many unknown members.
func plainEvent(session, id, kind, tool string, strange int) string {
	payload := ""
	for i := range strange {
		payload += fmt.Sprintf(`,"m%d":1`, i)
	}
	return fmt.Sprintf(`{"event_id":%q,"session_id":%q,"sequence_number":0,"timestamp_wall":"2026-03-01T00:00:00Z","event_type":%q,"schema_ver":"v0.6",`+
		`"payload":{"tool_name":"t","tool_id":%q,"args":{}%s},"payload_hash":"x","prev_event_hash":"y","event_hash":"z","chain_authority":"sdk"}`, id, session, kind, tool, payload)
}

// lapseOf is what a report on a session says of what was forgotten, "" for nothing.
func lapseOf(said string) string {
	_, text, found := strings.Cut(said, "ids, tool calls and repetitions of the first ")
	if !found {
		return ""
	}
	events, _, _ := strings.Cut(text, ":")
	return events
}

// TestSessionsForgetWhenTheyMust: what a session that has ended remembers of single events is
// forgotten when all sessions together remember more than may be, of ids, of tool calls or of
// notes, and not one sooner.
func TestSessionsForgetWhenTheyMust(t *testing.T) {
	for kind, c := range map[string]struct {
		event func(session string, i int) string
		all   int // that the sessions remember: for each its end and the members of every event in addition to the twenty
	}{
		"ids":        {func(s string, i int) string { return plainEvent(s, fmt.Sprint(s, i), "TOOL_CALL", "i", 0) }, 42},
		"tool calls": {func(s string, i int) string { return plainEvent(s, s, "TOOL_CALL", fmt.Sprint(s, i), 0) }, 40},
		"notes":      {func(s string, i int) string { return plainEvent(s, s, "TOOL_CALL", "i", i+1) }, 46},
	} {
		var lines []string
		for _, s := range []string{"a", "b"} {
			for i := range 20 {
				lines = append(lines, c.event(s, i))
			}
			lines = append(lines, plainEvent(s, s, "SESSION_END", "i", 0))
		}
		lines = append(lines, lines[0])
		for limit, want := range map[int]string{c.all: "", c.all - 1: "21 events"} {
			all, err := within(t, stream.Limits{IDs: limit}, session.V0, lines...)
			if err != nil {
				t.Fatalf("%s, limit %d: %v", kind, limit, err)
			}
			if said := reported(t, all); lapseOf(said[0]) != want || lapseOf(said[1]) != "" {
				t.Errorf("%s, limit %d: forgotten of %q, want of %q\n%q", kind, limit, lapseOf(said[0]), want, said)
			}
		}
	}
	_, err := within(t, stream.Limits{IDs: 2}, session.V0, plainEvent("a", "1", "TOOL_CALL", "i", 0), plainEvent("b", "2", "TOOL_CALL", "i", 0), plainEvent("c", "3", "TOOL_CALL", "i", 0))
	if err == nil || err.Flag != "--max-ids" {
		t.Errorf("where no session has ended: %v", err)
	}
}

// TestSessionsRemainForgetful checks that a session that continues after its memory was dropped reports that at its
// end, even if it is evicted again; and that single events and calls with unknown results do so as well.
func TestSessionsRemainForgetful(t *testing.T) {
	end := func(s string) string { return plainEvent(s, s+"-end", "SESSION_END", "i", 0) }
	call := func(s, id string) string { return plainEvent(s, s+id, "TOOL_CALL", id, 0) }
	for name, c := range map[string]struct {
		lines         []string
		events, calls string
	}{
		"of one event":        {[]string{end("a"), end("b"), end("a")}, "event", ""},
		"of calls":            {[]string{call("a", "1"), call("a", "2"), end("a"), end("b"), end("a")}, "3 events", `without a result: 2"`},
		"put away again":      {[]string{call("a", "1"), end("a"), end("b"), end("a"), "", end("a")}, "2 events", `without a result: 1"`},
		"without more events": {[]string{call("a", "1"), end("a"), end("b")}, "", `without a result: 1"`},
	} {
		all, err := within(t, stream.Limits{IDs: max(1, len(c.lines)-3)}, session.V0, c.lines...)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		said := reported(t, all)
		if got := lapseOf(said[0]); got != c.events || !strings.Contains(said[0], c.calls) || c.calls == "" && strings.Contains(said[0], "without a result") {
			t.Errorf("%s: forgotten of %q, want of %q and calls %q\n%s", name, got, c.events, c.calls, said[0])
		}
	}
}

// TestSessionsRest: of the sessions that have ended 256 wait for a seal, and take none of the room
// of those that are put away.
func TestSessionsRest(t *testing.T) {
	var lines []string
	for i := range 259 {
		lines = append(lines, plainEvent(fmt.Sprint(i), "e", "SESSION_END", "i", 0))
	}
	for room, ended := range map[int]int{1: 257, 2: 258} {
		if _, err := within(t, stream.Limits{Ended: room}, session.V0, lines[:ended]...); err != nil {
			t.Errorf("room for %d, %d have ended: %v", room, ended, err)
		}
		if _, err := within(t, stream.Limits{Ended: room}, session.V0, lines[:ended+1]...); err == nil || err.Flag != "--max-ended" {
			t.Errorf("room for %d, %d have ended: %v", room, ended+1, err)
		}
	}
}

// TestSessionsInLittleRoom: sessions one after another, with late events of some, are judged with
// as little room for them as there can be as with much.
func TestSessionsInLittleRoom(t *testing.T) {
	spared := 0
	for i := range 40 / racetest.Step(t) {
		random := rand.New(rand.NewPCG(uint64(i), 12))
		family := sessiontest.Families[i%2] // whose events name their session
		var lines, late []string
		for n := range 5 {
			log := toolLog(family, fmt.Sprint("5e55101", n), 4+random.IntN(12))
			cut := len(log) - random.IntN(3)
			lines, late = append(lines, log[:cut]...), append(late, log[cut:]...)
		}
		random.Shuffle(len(late), func(i, k int) { late[i], late[k] = late[k], late[i] })
		lines = append(lines, late...)
		much, err := within(t, stream.Limits{}, family, lines...)
		if err != nil {
			t.Fatal(err)
		}
		want := reported(t, much)
		for room := 1; ; room++ {
			little, err := within(t, stream.Limits{Sessions: room}, family, lines...)
			if err != nil && err.Flag == "--max-sessions" {
				continue
			}
			if diff := cmp.Diff(want, reported(t, little)); err != nil || diff != "" {
				t.Fatalf("%s, log %d, with room for %d: %v (-much -little):\n%.3000s", family, i, room, err, diff)
			}
			spared += len(want) - room
			break
		}
	}
	if spared == 0 {
		t.Error("no room was spared")
	}
}
