package trace_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/trace"
)

// follow verifies a log that is followed, after another one and up to an end.
func follow(t *testing.T, log string, earlier *trace.Earlier, ended trace.EndReason, onFinding func(trace.Finding)) *trace.Report {
	t.Helper()
	return verify(t, []byte(log), trace.Options{Name: "log", Growing: true, OnFinding: onFinding, Follow: &trace.FollowedFile{
		Earlier: earlier, Ended: func() trace.EndReason { return ended },
	}})
}

// TestFollowedEnds checks that the end of a finished log is judged like that of a plain file, and leaves no state;
// every other end is open.
func TestFollowedEnds(t *testing.T) {
	lines := strings.SplitAfter(workingDay(t, 6), "\n")
	for name, log := range map[string]string{
		"whole": strings.Join(lines, ""), "without its end": strings.Join(lines[:4], ""),
		"without its last line end": strings.TrimSuffix(strings.Join(lines, ""), "\n"),
		"half a line":               strings.Join(lines[:4], "") + lines[4][:50],
	} {
		complete := verify(t, []byte(log), trace.Options{Name: "log"})
		open := verify(t, []byte(log), trace.Options{Name: "log", Growing: true})
		for _, ended := range []trace.EndReason{"", trace.Removed, trace.Rewritten, trace.Rotated} {
			r, want := follow(t, log, nil, ended, nil), open
			if ended == trace.Rotated {
				want = complete
			}
			if r.Verdict != want.Verdict || r.Events != want.Events || !slices.Equal(reported(r), reported(want)) || (r.State == nil) != (ended == trace.Rotated) {
				t.Errorf("%s, %q: %s, %d events, %v, state: %v; want %s, %d events, %v", name, ended, r.Verdict, r.Events, reported(r), r.State != nil, want.Verdict, want.Events, reported(want))
			}
			if r.Ended != ended || strings.Contains(string(asJSON(t, r)), `"ended"`) != (ended != "") {
				t.Errorf("%s, %q: ended %q", name, ended, r.Ended)
			}
			removed := slices.ContainsFunc(r.NotCovered, func(s string) bool { return strings.HasPrefix(s, "later events of the log") })
			if behind := slices.ContainsFunc(r.NotCovered, func(s string) bool { return strings.HasPrefix(s, "bytes changed before the reader") }); !behind || removed != (ended == trace.Removed) {
				t.Errorf("%s, %q: not covered: %q", name, ended, r.NotCovered)
			}
		}
	}
}

// TestEarlierLog: what became of the log before is said before the first line is read,
// and the state of a log that was rewritten keeps it.
func TestEarlierLog(t *testing.T) {
	log := workingDay(t, 4)
	for message, c := range map[string]struct {
		earlier trace.Earlier
		verdict trace.Verdict
	}{
		"log.rotated: the log's name now belongs to a different file: the 70 bytes that were read before belong to an earlier log": {trace.Earlier{Ending: trace.Rotated, Bytes: 70}, trace.Valid},
		"log.rewritten: the log no longer has the 70 bytes that were verified: the file was cut to 9 bytes":                        {trace.Earlier{Ending: trace.Rewritten, Bytes: 70, Size: 9}, trace.Invalid},
		"log.rewritten: the log no longer has the 70 bytes that were verified: some of them were changed":                          {trace.Earlier{Ending: trace.Rewritten, Bytes: 70, Size: 70}, trace.Invalid},
	} {
		said := []string{}
		r := follow(t, log, &c.earlier, "", func(f trace.Finding) { said = append(said, f.Rule+": "+f.Message) })
		if r.Verdict != c.verdict || !slices.Equal(said, []string{message}) || r.Findings[0].Rule+": "+r.Findings[0].Message != message {
			t.Errorf("%s: %s, said %q", message, r.Verdict, said)
		}
		if again := grown(t, log, kept(t, r.State)); again.Verdict != c.verdict {
			t.Errorf("%s: the next run says %s", message, again.Verdict)
		}
		said = nil
		reader := &whenRead{func() {
			if !slices.Equal(said, []string{message}) {
				t.Errorf("%s: when the log is read, %q is said", message, said)
			}
		}, strings.NewReader("")}
		opt := trace.Options{Growing: true, OnFinding: func(f trace.Finding) { said = append(said, f.Rule+": "+f.Message) }, Follow: &trace.FollowedFile{Earlier: &c.earlier}}
		if _, err := trace.Verify(t.Context(), reader, opt); err != nil {
			t.Error(err)
		}
	}
}

// whenRead calls a function when it is read.
type whenRead struct {
	do func()
	*strings.Reader
}

func (r *whenRead) Read(p []byte) (int, error) {
	r.do()
	return r.Reader.Read(p)
}

// TestEndIsNotAsked: a verification that is interrupted does not ask how a log has ended
// which is still being read.
func TestEndIsNotAsked(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	opt := trace.Options{Growing: true, Follow: &trace.FollowedFile{Ended: func() trace.EndReason {
		t.Error("the end is asked for")
		return trace.Rotated
	}}}
	released := make(chan struct{})
	defer close(released)
	first := true
	r, err := trace.Verify(ctx, &whenRead{func() {
		if !first {
			cancel()
			<-released
		}
		first = false
	}, strings.NewReader(workingDay(t, 4))}, opt)
	if !errors.Is(err, context.Canceled) || r == nil || !r.Interrupted || r.Ended != "" {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestFollowingGrows: what does not grow cannot be followed.
func TestFollowingGrows(t *testing.T) {
	opt := trace.Options{Follow: &trace.FollowedFile{}}
	if _, err := trace.Verify(t.Context(), strings.NewReader(""), opt); err == nil || err.Error() != "only a growing log can be followed" {
		t.Error(err)
	}
	log := workingDay(t, 4)
	state := kept(t, grown(t, log, nil).State)
	opt.Resume = state
	r := verify(t, []byte(log)[state.Start():], opt)
	if text, err := json.Marshal(r); err != nil || r.Verdict != trace.Valid {
		t.Errorf("%s %v", text, err)
	}
}
