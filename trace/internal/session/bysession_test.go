package session_test

import (
	"fmt"
	"strings"
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
	deliver := func(blocks ...func() error) {
		t.Helper()
		for _, block := range blocks {
			if err := block(); err != nil {
				t.Fatal(err)
			}
		}
	}
	for i := range 20 {
		a := fmt.Sprint("a", i)
		first, second := read(`{"session_id":"`+a+`"}`), read(event(a, "LOG_DROP"))
		deliver(first, second)
		c := fmt.Sprint("c", i) // its second block is read under a key that the first does not bring
		first, second = read(event(c, "ERROR")), read(strings.Replace(event(c, "SESSION_START"), `{}`, `{"sdk_public_key":"`+strings.Repeat("A", 43)+`="}`, 1))
		deliver(first, second)
		var blocks []func() error // all memory that is used again is among theirs
		for k := range 10 {
			blocks = append(blocks, read(event(fmt.Sprint("b", i, k), "SESSION_START")))
		}
		deliver(blocks...)
	}
	for _, one := range all.List() {
		err := all.Visit(one, func() {
			list, _, _, _ := one.Findings.Close()
			for _, f := range list {
				if one.ID[0] == 'a' || one.ID[0] == 'b' && f.Line > 0 && f.Line != one.Line {
					t.Errorf("session %s: %s on line %d", one.ID, f.Rule, f.Line)
				}
			}
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
