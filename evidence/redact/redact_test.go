package redact_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/bundle"
	"github.com/cupel-dev/cupel/evidence/redact"
	"github.com/cupel-dev/cupel/internal/bundletest"
)

// run is a stream of events, one of which names a home folder.
func run(events int) string {
	dirty := bundletest.Recipe{Events: events, Set: map[string]json.RawMessage{"1/data": json.RawMessage(`{"path":"/home/bob/x"}`)}}
	return string(dirty.Stream())
}

// TestUnverified: nothing is made of an input with faults, unless that is accepted and every
// byte of it is an event that can be read.
func TestUnverified(t *testing.T) {
	sound := run(3)
	lines := strings.SplitAfter(sound, "\n")
	wrong := strings.Replace(sound, `"hits":2`, `"hits":4`, 1)
	for _, c := range []struct {
		title, text string
		refused     bool // even when it is accepted
	}{
		{title: "a wrong hash", text: wrong},
		{title: "a gap that is none of a stream", text: lines[2] + lines[0] + lines[1]},
		{title: "a blank line", text: lines[0] + "\n" + lines[1] + " \t\r\n"},
		{title: "a line that is no JSON", text: sound + "{", refused: true},
		{title: "a line that is not an event", text: sound + "[]\n", refused: true},
		{title: "an event without type", text: sound + `{"data":"/home/bob"}` + "\n", refused: true},
		{title: "no event", text: "\n", refused: true},
		{title: "another text", text: strings.Repeat("key: value\n", 20), refused: true},
	} {
		t.Run(c.title, func(t *testing.T) {
			report, out := redacted(t, []byte(c.text), redact.Options{})
			if report.Redacted || report.InputVerified || len(out) > 0 || len(report.Findings) == 0 {
				t.Errorf("%+v\n%s", report, out)
			}
			report, out = redacted(t, []byte(c.text), redact.Options{AcceptUnverified: true})
			if report.Redacted == c.refused || report.InputVerified || (len(out) > 0) == c.refused {
				t.Fatalf("accepted: %+v\n%s", report, out)
			}
			if !c.refused && (strings.Contains(string(out), "bob") || strings.Count(string(out), "\n") != strings.Count(c.text, "\n")) {
				t.Errorf("from\n%s\ngot\n%s", c.text, out)
			}
		})
	}
}

// TestUnverifiedBundle: a bundle that is made has right hashes in every event. What is wrong
// with events beyond that leaves no bundle to be made.
func TestUnverifiedBundle(t *testing.T) {
	home := map[string]json.RawMessage{"1/data": json.RawMessage(`{"path":"/home/bob/x"}`)}
	for _, c := range []struct {
		title   string
		recipe  bundletest.Recipe
		refused bool
	}{
		{"a wrong root", bundletest.Recipe{Set: home, Manifest: map[string]json.RawMessage{"run_root": json.RawMessage(`"sha256:00"`)}}, false},
		{"old hashes", bundletest.Recipe{Set: map[string]json.RawMessage{"0/data": json.RawMessage(`1`), "1/data": home["1/data"]}, Stale: true}, false},
		{"more behind it", bundletest.Recipe{Set: home, More: "00"}, false},
		{"a gap", bundletest.Recipe{Set: map[string]json.RawMessage{"2/assayseq": json.RawMessage(`5`), "1/data": home["1/data"]}}, true},
		{"no manifest", bundletest.Recipe{Set: home, Members: []bundletest.Member{{Name: "events.ndjson", Of: "events"}}}, true},
		{"no events", bundletest.Recipe{Members: []bundletest.Member{{Name: "manifest.json", Of: "manifest"}}}, true},
		{"a cut file", bundletest.Recipe{Set: home, Stored: true, Cut: 3000}, true},
	} {
		t.Run(c.title, func(t *testing.T) {
			text := c.recipe.Bundle()
			report, out := redacted(t, text, redact.Options{})
			if report.Redacted || len(out) > 0 {
				t.Errorf("%+v", report)
			}
			report, out = redacted(t, text, redact.Options{AcceptUnverified: true})
			if report.Redacted == c.refused || report.InputVerified || (len(out) > 0) == c.refused || len(report.Findings) == 0 {
				t.Fatalf("accepted: %+v, %d bytes", report, len(out))
			}
			if !c.refused && valid(t, out).BundleID != report.BundleID {
				t.Errorf("%+v", report)
			}
		})
	}
}

// TestAround checks that text around a lone event stays, and that an event over several lines is one event.
func TestAround(t *testing.T) {
	event := strings.TrimSuffix(run(1), "\n")
	event = strings.Replace(event, "/file-0", "/home", 1)
	event = strings.Replace(event, `{"`, "{\n  \"", 1)
	hash, err := evidence.ContentHash([]byte(event))
	if err != nil {
		t.Fatal(err)
	}
	r, err := evidence.NewHasher(evidence.Options{}).Hash([]byte(event))
	if err != nil {
		t.Fatal(err)
	}
	event = strings.Replace(event, string(r.Recorded), hash, 1)
	for _, around := range [][2]string{{"", ""}, {"", "\n"}, {"\n \r\n", "\r\n\n \t"}, {"  ", " "}} {
		text := around[0] + event + around[1]
		report, out := redacted(t, []byte(text), redact.Options{})
		if !report.Redacted || report.Kind != bundle.KindEvent || string(out) != text {
			t.Errorf("%+v\n%q became\n%q", report, text, out)
		}
	}
}

// TestErrors: the errors of what is read and written are the caller's to see.
func TestErrors(t *testing.T) {
	broken := errors.New("broken")
	text := run(3)
	canceled, cancel := context.WithCancel(context.Background())
	cancel()
	for _, c := range []struct {
		title string
		ctx   context.Context
		r     io.Reader
		w     io.Writer
		s     bundle.Scratch
		opt   redact.Options
		want  error
	}{
		{title: "of reading", r: io.MultiReader(strings.NewReader(text), failing{broken}), want: broken},
		{title: "of writing", w: failing{broken}, want: broken},
		{title: "of writing at once", w: failing{broken}, opt: redact.Options{Staged: true}, want: broken},
		{title: "of scratch", s: failing{broken}, want: broken},
		{title: "of the context", ctx: canceled, want: context.Canceled},
		{title: "of a change", opt: redact.Options{OnChange: func(*redact.Event, *redact.Change, []byte, []byte) error { return broken }}, want: broken},
		{title: "of an event", opt: redact.Options{OnEvent: func(*redact.Event) error { return broken }}, want: broken},
	} {
		t.Run(c.title, func(t *testing.T) {
			if c.ctx == nil {
				c.ctx = context.Background()
			}
			if c.r == nil {
				c.r = strings.NewReader(text)
			}
			if c.w == nil {
				c.w = io.Discard
			}
			if c.s == nil {
				c.s = new(memory)
			}
			if _, err := redact.Redact(c.ctx, c.r, -1, "", c.s, c.w, c.opt); !errors.Is(err, c.want) {
				t.Errorf("%v", err)
			}
		})
	}
}

// failing is a file that fails.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error)          { return 0, f.err }
func (f failing) Write([]byte) (int, error)         { return 0, f.err }
func (f failing) ReadAt([]byte, int64) (int, error) { return 0, f.err }

// TestOnChange: a change comes with its values, before its event, and can be given a
// commitment.
func TestOnChange(t *testing.T) {
	var seen bytes.Buffer
	report, _ := redacted(t, []byte(run(3)), redact.Options{OnChange: func(e *redact.Event, c *redact.Change, before, after []byte) error {
		seen.WriteString(e.ID + " " + c.Pointer + " " + string(before) + " " + string(after) + "\n")
		c.Commitment = "of it"
		return nil
	}})
	if got, want := seen.String(), "run_a:1 /data/path \"/home/bob/x\" \"~/**/x\"\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if len(report.Events) != 1 || report.Events[0].Changes[0].Commitment != "of it" {
		t.Errorf("%+v", report.Events)
	}
}

// TestTooLong checks that an event that becomes longer than its limit is an error, and not part of an output.
func TestTooLong(t *testing.T) {
	r := bundletest.Recipe{Events: 1, Set: map[string]json.RawMessage{"0/data": json.RawMessage(`"--token=a"`)}}
	text := r.Stream()
	for _, c := range []struct {
		most int64
		good bool
	}{{int64(len(text) - 1), false}, {int64(len(text) + 1), true}} {
		var out bytes.Buffer
		_, err := redact.Redact(context.Background(), bytes.NewReader(text), -1, "", new(memory), &out, redact.Options{Limits: evidence.Limits{LineBytes: c.most}})
		var event *redact.EventError
		var grown *redact.GrownError
		if c.good != (err == nil) || !c.good && (!errors.As(err, &event) || event.Line != 1 || out.Len() > 0 || !errors.As(err, &grown) || grown.Limit != c.most || !strings.Contains(err.Error(), "max_line_bytes")) {
			t.Errorf("at most %d bytes: %v\n%s", c.most, err, out.Bytes())
		}
	}
}
