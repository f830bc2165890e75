package trace_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cupel-dev/cupel/internal/sessiontest"
	"github.com/cupel-dev/cupel/trace"
)

// workingDays returns an interleaved log of that many sessions and events per session.
func workingDays(tb testing.TB, events, sessions int) string {
	tb.Helper()
	var log bytes.Buffer
	if err := sessiontest.WorkingDays(&log, events, sessions); err != nil {
		tb.Fatal(err)
	}
	return log.String()
}

// How many workers there are, and where blocks end, changes nothing of the report; nor how
// many findings there are room for, except those that are kept.
func TestSessionsWithLittleRoom(t *testing.T) {
	random := rand.New(rand.NewPCG(18, 4))
	var logs [][]string
	for i := range 30 {
		log := sessiontest.Arbitrary(random, sessiontest.Families[i%4], fmt.Sprint("s", i))
		logs = append(logs, sessiontest.Damage(random, log, logs0(logs)))
	}
	log := strings.Join(interleaved(random, logs), "\n")
	opt := trace.Options{Name: "log", BySession: true}
	whole, err := trace.Verify(t.Context(), strings.NewReader(log), opt)
	if err != nil {
		t.Fatal(err)
	}
	for _, most := range []int{1, 3, 20} {
		opt.Limits.Findings = most
		var first string
		for range 4 {
			opt.Jobs = 1 + random.IntN(4)
			got, err := trace.VerifyInBlocks(t.Context(), strings.NewReader(log), opt, 100+random.IntN(30_000))
			if err != nil {
				t.Fatal(err)
			}
			kept, text := 0, alone(t, got)
			if first == "" {
				first = text
			}
			if text != first {
				t.Fatalf("at most %d findings: one run\n%s\nanother\n%s", most, first, text)
			}
			want := slices.Collect(whole.Sessions)
			for i, s := range slices.Collect(got.Sessions) {
				w := want[i]
				if kept += len(s.Findings); s.Verdict != w.Verdict || s.Errors != w.Errors || s.Warnings != w.Warnings || s.Omitted+len(s.Findings) != w.Errors+w.Warnings+w.Infos {
					t.Errorf("at most %d findings: session %d is %s with %d errors, want %s with %d", most, i, s.Verdict, s.Errors, w.Verdict, w.Errors)
				}
			}
			if kept > 4*most {
				t.Errorf("%d findings are kept, %d were allowed", kept, most)
			}
		}
	}
}

func logs0(logs [][]string) []string {
	if len(logs) == 0 {
		return nil
	}
	return logs[0]
}

// TestFindingsOfAllSessions: in JSON an input has the findings of all its sessions, after those of none.
func TestFindingsOfAllSessions(t *testing.T) {
	lines := strings.SplitAfter(workingDays(t, 20, 5), "\n")
	log := strings.Join(append(slices.Delete(lines, 30, 33), "{\n"), "")
	r, err := trace.Verify(t.Context(), strings.NewReader(log), trace.Options{Name: "log", BySession: true})
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	type list []struct {
		Rule    string
		Line    int
		Session *string
	}
	var doc struct {
		Findings list
		Sessions []struct {
			ID       string `json:"session_id"`
			Findings list
		}
	}
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	all := slices.Clone(doc.Findings[:1])
	if all[0].Rule != "line.json" || all[0].Session != nil {
		t.Errorf("the finding of no session is not the first: %s", text)
	}
	for _, s := range doc.Sessions {
		for _, f := range s.Findings {
			if f.Session == nil || *f.Session != s.ID {
				t.Errorf("session %s has a finding of another: %+v", s.ID, f)
			}
		}
		all = append(all, s.Findings...)
	}
	if diff := cmp.Diff(all, doc.Findings); diff != "" || r.Errors+r.Warnings+r.Infos != len(all) || r.Errors < 4 {
		t.Errorf("%d errors; (-of the sessions +of the input):\n%s", r.Errors, diff)
	}
}

// The segments of a log may hold the events of many sessions.
func TestSessionsOfAChain(t *testing.T) {
	log := workingDays(t, 5, 3)
	lines := strings.SplitAfter(log, "\n")
	opt := trace.Options{Name: "log", BySession: true}
	r, err := trace.VerifyChain(t.Context(), segmentsOf(strings.Join(lines[:2], ""), strings.Join(lines[2:8], ""), strings.Join(lines[9:], "")), opt)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for s := range r.Sessions {
		got = append(got, fmt.Sprintf("%s:%d %s", s.FirstFile, s.FirstLine, s.Verdict))
		for _, f := range s.Findings {
			if f.Severity == trace.SeverityError {
				got = append(got, fmt.Sprintf("%s:%d %s: %s", f.File, f.Line, f.Rule, f.Message))
			}
		}
	}
	want := []string{
		"log.1:1 valid", "log.1:2 valid", "log.2:1 invalid",
		`log.3:3 sequence.gap: number 3 is above the expected 2: it follows line 4 of "log.2", and a segment between the two may be missing`,
		`log.3:3 chain.broken: prev_event_hash is not the hash of the event before, on line 4 of "log.2"`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
}

func TestSessionLimits(t *testing.T) {
	log := workingDays(t, 10, 5)
	for flag, limits := range map[string]trace.Limits{"--max-sessions": {Sessions: 4}, "--max-ids": {IDs: 39}} {
		_, err := trace.Verify(t.Context(), strings.NewReader(log), trace.Options{BySession: true, Limits: limits})
		if limit, ok := errors.AsType[*trace.LimitError](err); !ok || limit.Flag != flag {
			t.Errorf("%s: %v", flag, err)
		}
	}
	r, err := trace.Verify(t.Context(), strings.NewReader(log), trace.Options{BySession: true, Limits: trace.Limits{Sessions: 5, IDs: 45}})
	if err != nil || r.Verdict != trace.Valid || len(slices.Collect(r.Sessions)) != 5 {
		t.Errorf("within the limits: %v, %+v", err, r)
	}
}

// A run that is interrupted reports on what it has read of each session.
func TestSessionsInterrupted(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	log := workingDays(t, 10, 3)
	ends := readerFunc(func([]byte) (int, error) { stop(); return 0, ctx.Err() })
	r, err := trace.Verify(ctx, io.MultiReader(strings.NewReader(log), ends), trace.Options{BySession: true})
	if err == nil || r == nil || !r.Interrupted {
		t.Fatalf("%v, %+v", err, r)
	}
	for s := range r.Sessions {
		if s.Verdict != "" || !s.Interrupted {
			t.Errorf("session %s is %q", *s.Session, s.Verdict)
		}
	}
}

func TestOptionsOfSessions(t *testing.T) {
	count := int64(3)
	for name, opt := range map[string]trace.Options{
		"growing": {Growing: true}, "engine": {Engine: trace.Both}, "anchor": {Anchor: &trace.Anchor{}}, "count": {Session: trace.SessionOptions{ExpectCount: &count}},
		"head": {Session: trace.SessionOptions{ExpectHead: strings.Repeat("0", 64)}}, "live": {OnFinding: func(trace.Finding) {}},
	} {
		opt.BySession = true
		if _, err := trace.Verify(t.Context(), strings.NewReader("{}"), opt); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// inTurnDays are working days one after another.
func inTurnDays(tb testing.TB, events, sessions int) string {
	tb.Helper()
	var log bytes.Buffer
	if err := sessiontest.WorkingDaysInTurn(&log, events, sessions, 1); err != nil {
		tb.Fatal(err)
	}
	return log.String()
}

// Sessions that have ended take no room of those that are open, nor do their ids: many are
// verified with room for one. Only if more of a session comes whose ids were forgotten, its
// report says so.
func TestSessionsEnd(t *testing.T) {
	log := inTurnDays(t, 10, 300)
	first, _, _ := strings.Cut(log, "\n")
	verify := func(log string, limits trace.Limits) *trace.Report {
		t.Helper()
		r, err := trace.VerifyInBlocks(t.Context(), strings.NewReader(log), trace.Options{Name: "log", BySession: true, Limits: limits}, 10_000)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	text := func(r *trace.Report) string { return alone(t, r) }
	want := verify(log, trace.Limits{})
	if got := verify(log, trace.Limits{Sessions: 1, IDs: 11}); text(got) != text(want) || got.Verdict != trace.Valid {
		t.Errorf("with little room:\n%.2000s\nwith much\n%.2000s", text(got), text(want))
	}
	late := log + first + "\n"
	whole, scarce := slices.Collect(verify(late, trace.Limits{Sessions: 1}).Sessions)[0], slices.Collect(verify(late, trace.Limits{IDs: 1000}).Sessions)[0]
	if whole.Warnings != 2 || whole.Damage[0].Kind != trace.DamageRepeated {
		t.Errorf("an event of a session that had ended: %d warnings, %v", whole.Warnings, whole.Damage)
	}
	const lapse = "ids, tool calls and repetitions of the first 10 events: "
	said := func(r *trace.Report) bool {
		return slices.ContainsFunc(r.NotCovered, func(what string) bool { return strings.HasPrefix(what, lapse) })
	}
	if said(whole) || !said(scarce) || scarce.Warnings != 1 || scarce.Errors != whole.Errors {
		t.Errorf("where ids were forgotten: %d errors, want %d; %d warnings; %q", scarce.Errors, whole.Errors, scarce.Warnings, scarce.NotCovered)
	}
	for _, limits := range []trace.Limits{{Sessions: 1, Ended: 299}, {Sessions: 1, Ended: 298}} {
		_, err := trace.Verify(t.Context(), strings.NewReader(log), trace.Options{BySession: true, Limits: limits})
		limit, _ := errors.AsType[*trace.LimitError](err)
		if few := limits.Ended < 299; few != (limit != nil && limit.Flag == "--max-ended") || !few && err != nil {
			t.Errorf("room for %d that have ended: %v", limits.Ended, err)
		}
	}
}
