package session_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/internal/sessiontest"
	"github.com/cupel-dev/cupel/trace/internal/session"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// roomLedger says in the words of the help which sessions a log has room for: the naive
// count that Sessions is held to.
type roomLedger struct {
	limits   stream.Limits
	sessions []*ledgerRow // by their first events
	number   int          // of events
}

type ledgerRow struct {
	name               string
	there, away, ended bool
	ids, events, last  int // that are remembered; so far; the last one's number
	forgot             int // events before the last one that came after the ids were forgotten
}

func (l *roomLedger) count(is func(*ledgerRow) bool) (n int) {
	for _, row := range l.sessions {
		if is(row) {
			n++
		}
	}
	return n
}

// longest returns the session of a kind that has been without an event longest, nil for none.
func (l *roomLedger) longest(is func(*ledgerRow) bool) (found *ledgerRow) {
	for _, row := range l.sessions {
		if is(row) && (found == nil || row.last < found.last) {
			found = row
		}
	}
	return found
}

// putAway returns the flag of the limit that is passed by that, "" for none.
func (l *roomLedger) putAway(row *ledgerRow) string {
	row.there, row.away = false, true
	if l.count(func(r *ledgerRow) bool { return r.away }) > l.limits.Ended {
		return "--max-ended"
	}
	return ""
}

// event takes an event of a session and returns the flag of the limit that it passes, "" for none.
func (l *roomLedger) event(name string, end bool) string {
	i := slices.IndexFunc(l.sessions, func(r *ledgerRow) bool { return r.name == name })
	if i < 0 {
		i = len(l.sessions)
		l.sessions = append(l.sessions, &ledgerRow{name: name})
	}
	one := l.sessions[i]
	if flag := l.open(one); flag != "" {
		return flag
	}
	l.number++
	one.last, one.events, one.ids = l.number, one.events+1, min(one.ids+1, l.limits.IDs)
	for l.ids() > l.limits.IDs {
		old := l.longest(func(r *ledgerRow) bool { return r != one && r.ended && r.ids > 0 })
		if old == nil {
			return "--max-ids"
		}
		if old.there {
			if flag := l.putAway(old); flag != "" {
				return flag
			}
		}
		old.ids = 0
	}
	one.ended = one.ended || end
	return ""
}

func (l *roomLedger) ids() (n int) {
	for _, row := range l.sessions {
		n += row.ids
	}
	return n
}

// open adds a session, and replaces an ended one if the store is full.
func (l *roomLedger) open(one *ledgerRow) string {
	if one.there {
		return ""
	}
	if l.count(func(r *ledgerRow) bool { return r.there }) == l.limits.Sessions {
		old := l.longest(func(r *ledgerRow) bool { return r.there && r.ended })
		if old == nil {
			return "--max-sessions"
		}
		if flag := l.putAway(old); flag != "" {
			return flag
		}
	}
	if one.away && one.ids == 0 {
		one.forgot = one.events
	}
	one.there, one.away = true, false
	return ""
}

// lapses are what the reports on all sessions say of what was forgotten.
func (l *roomLedger) lapses() (list []string) {
	for _, row := range l.sessions {
		said := ""
		switch {
		case row.forgot == 1:
			said = "event"
		case row.forgot > 1:
			said = fmt.Sprintf("%d events", row.forgot)
		}
		list = append(list, said)
	}
	return list
}

// TestRoomOfSessions: which session forgets what when, and which limit a log passes by which event,
// is what a naive count says.
func TestRoomOfSessions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ledger := &roomLedger{limits: stream.Limits{
			Sessions: rapid.IntRange(1, 4).Draw(t, "sessions"), Ended: rapid.IntRange(1, 4).Draw(t, "ended"), IDs: rapid.IntRange(1, 12).Draw(t, "ids"),
		}}
		logs := map[string]*sessiontest.Log{}
		var lines []string
		flag, want := "", []string(nil)
		for range rapid.IntRange(1, 25).Draw(t, "events") {
			name, kind := rapid.SampledFrom([]string{"a", "b", "c", "d", "e", "f"}).Draw(t, "session"), rapid.SampledFrom([]string{"TOOL_CALL", "SESSION_END", "SESSION_END"}).Draw(t, "type")
			log := logs[name]
			if log == nil {
				log = sessiontest.New()
				log.Session, logs[name] = name, log
			}
			lines = append(lines, log.Event(kind, map[string]string{"TOOL_CALL": `{"tool_name":"t","tool_id":"i","args":{}}`, "SESSION_END": `{"status":"success","duration_ms":9}`}[kind]))
			want = ledger.lapses()
			if flag = ledger.event(name, kind == "SESSION_END"); flag != "" {
				break
			}
		}
		if flag == "" {
			want = ledger.lapses()
		} else {
			_, err := within(t, ledger.limits, session.V0, lines...)
			if err == nil || err.Flag != flag {
				t.Fatalf("%v, want %s", err, flag)
			}
			lines = lines[:len(lines)-1]
		}
		all, err := within(t, ledger.limits, session.V0, lines...)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, said := range reported(t, all) {
			got = append(got, lapseOf(said))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("forgotten (-naive +got):\n%s", diff)
		}
	})
}
