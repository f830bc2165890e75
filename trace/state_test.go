package trace_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/cupel-dev/cupel/trace"
)

// grown verifies what a log holds now, after an earlier run.
func grown(t *testing.T, log string, before *trace.State) *trace.Report {
	t.Helper()
	start := int64(0)
	if before != nil {
		start = before.Start()
	}
	return verify(t, []byte(log)[start:], trace.Options{Growing: true, Resume: before})
}

// kept returns a state as a file keeps it.
func kept(t *testing.T, s *trace.State) *trace.State {
	t.Helper()
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	read := &trace.State{}
	if err := errors.Join(json.Unmarshal(text, read), read.Check()); err != nil {
		t.Fatal(err)
	}
	return read
}

// TestTwoRunsAreOne cuts a log, good or with one line broken, in two at every few bytes:
// the second run ends where one run over all of it does.
func TestTwoRunsAreOne(t *testing.T) {
	good := workingDay(t, 8)
	for name, log := range map[string]string{
		"good": good, "edited": strings.Replace(good, `"order":0`, `"order":9`, 1), "unreadable": strings.Replace(good, `{"event_id"`, `{event_id"`, 3), "blank lines": strings.ReplaceAll(good, "\n", "\n\n"),
	} {
		whole := grown(t, log, nil)
		for cut := 1; cut < len(log); cut += 97 {
			first := grown(t, log[:cut], nil)
			if first.State == nil {
				continue // nothing was readable yet
			}
			second := grown(t, log, kept(t, first.State))
			x, y := *whole.State, *second.State
			if x.Session, y.Session = nil, nil; !bytes.Equal(asJSON(t, x), asJSON(t, y)) {
				t.Fatalf("%s, cut at %d:\n%s\n%s", name, cut, asJSON(t, x), asJSON(t, y))
			}
			if second.Verdict != whole.Verdict || second.Head != whole.Head || second.Events != whole.Events || second.Blank != whole.Blank || second.Unreadable != whole.Unreadable {
				t.Fatalf("%s, cut at %d: %+v, at once %+v", name, cut, second, whole)
			}
			if n := len(second.NotCovered); first.State.Offset > 0 && (n == 0 || !strings.Contains(strings.Join(second.NotCovered, "\n"), "an earlier one verified them")) {
				t.Fatalf("%s, cut at %d: %q", name, cut, second.NotCovered)
			}
		}
	}
}

func asJSON(t *testing.T, v any) []byte {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestWaitingLine(t *testing.T) {
	log := strings.TrimSuffix(workingDay(t, 4), "\n")
	r := grown(t, log, nil)
	if r.Events != 3 || !strings.Contains(strings.Join(r.NotCovered, "\n"), "a line that is still being written") {
		t.Errorf("%d events, %q", r.Events, r.NotCovered)
	}
	if r = grown(t, log+"\n", kept(t, r.State)); r.Events != 4 || r.Verdict != trace.Valid {
		t.Errorf("%d events, %s, %v", r.Events, r.Verdict, reported(r))
	}
}

// TestResumeIsGrowing: an input that goes on from a state grows without saying so.
func TestResumeIsGrowing(t *testing.T) {
	log := workingDay(t, 6)
	lines := strings.SplitAfter(log, "\n")
	state := kept(t, grown(t, strings.Join(lines[:2], ""), nil).State)
	r := verify(t, []byte(strings.Join(lines[:3], ""))[state.Start():], trace.Options{Resume: state})
	if r.State == nil || r.Events != 3 || r.Verdict != trace.Valid || len(r.Findings) != 0 { // the call of its last line may still be answered
		t.Errorf("%d events, %s, %v, state: %v", r.Events, r.Verdict, reported(r), r.State != nil)
	}
}

// TestNothingNew goes on with a log that has not grown.
func TestNothingNew(t *testing.T) {
	log := workingDay(t, 4)
	first := grown(t, log, nil)
	second := grown(t, log, kept(t, first.State))
	if second.Family != trace.SessionV0 || second.Events != first.Events || second.Head != first.Head || second.Verdict != trace.Valid {
		t.Errorf("%+v", second)
	}
}

func TestReplacedLog(t *testing.T) {
	log := workingDay(t, 6)
	state := kept(t, grown(t, log, nil).State)
	for name, now := range map[string]string{"cut": log[:len(log)/2], "rewritten": strings.Replace(log, "orders", "ORDERS", 2), "empty": ""} {
		r := verify(t, []byte(now[min(len(now), int(state.Start())):]), trace.Options{Growing: true, Resume: state})
		if r.Verdict != trace.Invalid || r.Integrity != trace.IntegrityInvalid || r.Family != trace.SessionV0 || r.State != nil || len(r.Findings) != 1 || r.Findings[0].Rule != "anchor.prefix" {
			t.Errorf("%s: %s, %v", name, r.Verdict, reported(r))
		}
	}
	if _, err := trace.Verify(t.Context(), iotest.ErrReader(errDisk), trace.Options{Resume: state}); !errors.Is(err, errDisk) {
		t.Errorf("a disk that fails: %v", err)
	}
}

// TestNoState: a reasoning trace has nothing to go on with.
func TestNoState(t *testing.T) {
	if r := grown(t, `{"trace_schema_version":1}`+"\n", nil); r.State != nil || r.Family != trace.Reasoning {
		t.Errorf("%+v", r)
	}
}

func TestStateCheck(t *testing.T) {
	good := kept(t, grown(t, workingDay(t, 4), nil).State)
	for name, spoil := range map[string]func(*trace.State){
		"another schema": func(s *trace.State) { s.Schema = "cupel.state/2" },
		"no session":     func(s *trace.State) { s.Session = nil },
		"a long tail":    func(s *trace.State) { s.Offset = 3 },
		"no line":        func(s *trace.State) { s.Line = 0 },
	} {
		s := *good
		if spoil(&s); s.Check() == nil {
			t.Errorf("%s is accepted", name)
		}
	}
	text := strings.Replace(string(asJSON(t, good)), `"Sums":"`, `"Sums":"AAAA`, 1)
	var broken trace.State
	if err := json.Unmarshal([]byte(text), &broken); err != nil {
		t.Fatal(err)
	}
	if _, err := trace.Verify(t.Context(), strings.NewReader(workingDay(t, 4)), trace.Options{Resume: &broken}); err == nil {
		t.Error("a state with a broken digest is used")
	}
}

// TestUnreadableRunIsNotForgotten: of three runs the second sees only lines that cannot be
// read. What the third says of the chain is what one run says, since the hole is known.
func TestUnreadableRunIsNotForgotten(t *testing.T) {
	lines := strings.SplitAfter(workingDay(t, 6), "\n")
	for name, broken := range map[string]string{"edited": `{event_id"` + "\n", "cut": `{"event_id":"x` + "\n", "no object": "7\n", "two": "7\n{\n"} {
		first, second := strings.Join(lines[:2], ""), strings.Join(lines[:2], "")+broken
		for kind, log := range map[string]string{"replaced": second + strings.Join(lines[3:], ""), "added": second + strings.Join(lines[2:], "")} {
			whole := grown(t, log, nil)
			r := grown(t, first, nil)
			r = grown(t, second, kept(t, r.State))
			r = grown(t, log, kept(t, r.State))
			if diff := cmp.Diff(whole.Damage, r.Damage); diff != "" {
				t.Errorf("%s, %s (-at once +in three runs):\n%s", name, kind, diff)
			}
			if diff := cmp.Diff(whole.State.Session.Memory, r.State.Session.Memory, cmp.Exporter(func(reflect.Type) bool { return true })); diff != "" {
				t.Errorf("%s, %s (-at once +in three runs):\n%s", name, kind, diff)
			}
		}
	}
}

// TestFirstLineIsWaited checks that a growing log whose first line has not ended is not an empty file, and has no
// findings yet. Blank lines before it change nothing.
func TestFirstLineIsWaited(t *testing.T) {
	for _, log := range []string{"{", `{"event_type"`, " ", "\n\n{", strings.TrimSuffix(workingDay(t, 1), "\n")} {
		r := grown(t, log, nil)
		if r.Verdict != "" || r.Integrity != "" || r.State != nil || r.Interrupted || len(r.Findings) != 0 || !strings.Contains(strings.Join(r.NotCovered, "\n"), "a line that is still being written") {
			t.Errorf("%q: %q, %v, %q", log, r.Verdict, reported(r), r.NotCovered)
		}
	}
	for _, log := range []string{"", "\n", " \n\r\n"} {
		if r := grown(t, log, nil); r.Verdict != trace.Rejected || len(r.Findings) != 1 || r.Findings[0].Rule != "file.empty" {
			t.Errorf("%q: %q, %v", log, r.Verdict, reported(r))
		}
	}
}
