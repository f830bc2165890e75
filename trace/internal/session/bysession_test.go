package session_test

import (
	"testing"

	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/internal/session"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// What a worker finds that does not know a session's first record yet, and takes it for one of
// another family, is in no report: neither in the session's nor, by memory that is used again, in
// that of another.
func TestSessionsForgetGuesses(t *testing.T) {
	limits := stream.Limits{}.WithDefaults()
	all := session.NewSessions(limits, session.Options{}, func(record strictjson.Node) string {
		if record.Get("prev_hash").Exists() {
			return session.V1B
		}
		return ""
	})
	number := 0
	read := func(line string) func() error {
		number++
		doc, err := limits.Scanner().Scan([]byte(line))
		if err != nil {
			t.Fatal(err)
		}
		w := all.Worker()
		w.Line(source.Line{Number: number, Bytes: []byte(line), Size: int64(len(line)), Terminated: true}, doc)
		return w.Flush()
	}
	event := func(session, kind string) string {
		return `{"session_id":"` + session + `","event_id":"e","event_type":"` + kind + `","timestamp":"","payload":{},"prev_hash":"","event_hash":""}`
	}
	first, second := read(`{"session_id":"a"}`), read(event("a", "LOG_DROP"))
	for _, deliver := range []func() error{first, second} {
		if err := deliver(); err != nil {
			t.Fatal(err)
		}
	}
	if err := read(event("b", "SESSION_START"))(); err != nil {
		t.Fatal(err)
	}
	for _, one := range all.List() {
		list, _, _, _ := one.Findings.Close()
		for _, f := range list {
			if one.ID == "a" || f.Rule == "log_drop" {
				t.Errorf("session %s: %s on line %d", one.ID, f.Rule, f.Line)
			}
		}
	}
}
