package redact_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/evidence/bundle"
	"github.com/cupel-dev/cupel/evidence/privacy"
	"github.com/cupel-dev/cupel/evidence/redact"
	"github.com/cupel-dev/cupel/internal/bundletest"
	"github.com/cupel-dev/cupel/internal/racetest"
)

// reported redacts a text, and writes the report on that.
func reported(t require, text []byte, opt redact.Options) (out []byte, report string) {
	t.Helper()
	var w bytes.Buffer
	document := redact.NewWriter(&w)
	opt.OnEvent = document.Event
	r, out := redacted(t, text, opt)
	if err := document.Close(r); err != nil {
		t.Fatalf("%v", err)
	}
	return out, w.String()
}

// verified compares an original with its redaction.
func verified(t require, original, redacted []byte, report string, opt redact.Options) *redact.Verification {
	t.Helper()
	in := redact.VerifyInput{
		Original: bundle.Input{Name: "original", Size: -1, Reader: bytes.NewReader(original)},
		Redacted: bundle.Input{Name: "redacted", Size: -1, Reader: bytes.NewReader(redacted)},
		Scratch:  func() (bundle.Scratch, error) { return new(memory), nil },
	}
	if report != "" {
		in.Report, in.ReportName = strings.NewReader(report), "report"
	}
	v, err := redact.Verify(context.Background(), in, opt)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return v
}

// found are the findings in short.
func found(v *redact.Verification) (list []string) {
	for _, f := range v.Findings {
		list = append(list, f.Rule+" "+f.File+" "+f.Path)
	}
	return list
}

// TestVerifyIsRedactAgain: an original and another text are taken for a redaction exactly when
// redacting the original gives that text, and the report on it with it.
func TestVerifyIsRedactAgain(t *testing.T) {
	step, drawn := racetest.Step(t), 0
	rapid.Check(t, func(t *rapid.T) {
		if drawn++; drawn%step != 0 {
			return
		}
		original := drawStream(t, 2)
		if rapid.Bool().Draw(t, "bundle") {
			original = sealed(t, original, nil)
		}
		out, report := reported(t, original, redact.Options{})
		other := rapid.SampledFrom([][]byte{out, original, drawStream(t, 2)}).Draw(t, "other")
		if rapid.Bool().Draw(t, "no report") {
			report = ""
		}
		v := verified(t, original, other, report, redact.Options{Jobs: 1})
		if v.Same() != bytes.Equal(other, out) || v.Same() != (len(v.Findings) == 0) {
			t.Fatalf("%s\nbecame\n%s\n%s\nand this is\n%s\n%+v", original, out, report, other, v.Findings)
		}
	})
}

// dirtyRun is a stream of which the second and the fourth event are changed.
func dirtyRun() *bundletest.Recipe {
	return &bundletest.Recipe{Events: 5, Set: map[string]json.RawMessage{
		"1/data": json.RawMessage(`{"hits":3,"list":["a","b"],"path":"/home/bob/x","secret":"xyzzy"}`),
		"3/data": json.RawMessage(`{"args":["x","--password","xyzzy"]}`),
	}}
}

// TestVerifyFindsChanges names the place of every change that the policy does not make, and of
// every one that was not made.
func TestVerifyFindsChanges(t *testing.T) {
	original := dirtyRun().Stream()
	out, report := reported(t, original, redact.Options{})
	lines := strings.SplitAfter(string(out), "\n")
	before := strings.SplitAfter(string(original), "\n")
	for _, c := range []struct {
		title string
		text  string
		want  []string
	}{
		{"nothing", string(out), nil},
		{"a number", strings.Replace(string(out), `"hits":3,`, `"hits":4,`, 1), []string{"RedactionEvent redacted /data/hits"}},
		{"a value that the policy changes", strings.Replace(string(out), `~/**/x`, `~/**/y`, 1), []string{"RedactionEvent redacted /data/path"}},
		{"an element that is gone", strings.Replace(string(out), `["a","b"]`, `["a"]`, 1), []string{"RedactionEvent redacted /data/list/1"}},
		{"an element more", strings.Replace(string(out), `["a","b"]`, `["a","b",1]`, 1), []string{"RedactionEvent redacted /data/list/2"}},
		{"a member more", strings.Replace(string(out), `"hits":3,`, `"hits":3,"x":1,`, 1), []string{"RedactionEvent redacted /data/x"}},
		{"a member that is gone", strings.Replace(string(out), `"hits":3,`, ``, 1), []string{"RedactionEvent redacted /data/hits"}},
		{"another spelling", strings.Replace(string(out), `"hits":3,`, `"hits": 3,`, 1), []string{"RedactionEvent redacted "}},
		{"another line end", strings.Replace(string(out), "\n", "\r\n", 1), []string{"RedactionEvent redacted "}},
		{"a line less", strings.Join(lines[:4], ""), []string{"RedactionEvent redacted "}},
		{"a line more", string(out) + lines[4], []string{"RedactionEvent redacted "}},
		{"no JSON", lines[0] + "{\n" + strings.Join(lines[2:], ""), []string{"RedactionEvent redacted "}},
		{"an event of the original", lines[0] + before[1] + strings.Join(lines[2:], ""), []string{"RedactionEvent redacted /assaycontenthash", "RedactionEvent redacted /data/path", "RedactionEvent redacted /data/secret"}},
		{"nothing at all", "", []string{"RedactionEvent redacted "}},
	} {
		v := verified(t, original, []byte(c.text), "", redact.Options{})
		got := found(v)
		slices.Sort(got)
		if !slices.Equal(got, c.want) || v.Same() != (c.want == nil) {
			t.Errorf("%s: %q, want %q", c.title, got, c.want)
		}
		for _, f := range v.Findings {
			if text, err := json.Marshal(f); err != nil || strings.Contains(string(text), "xyzzy") || strings.Contains(string(text), "bob") {
				t.Errorf("%s: %v %s", c.title, err, text)
			}
		}
		if v := verified(t, original, []byte(c.text), report, redact.Options{}); v.Same() != (c.want == nil) || len(v.Findings) > 0 && !slices.Contains(found(v), "RedactionOutput report /output_sha256") {
			t.Errorf("%s, by the report: %q", c.title, found(v))
		}
	}
}

// TestVerifyReport names what a report says otherwise than the policy does.
func TestVerifyReport(t *testing.T) {
	original := dirtyRun().Stream()
	out, report := reported(t, original, redact.Options{})
	lines := strings.SplitAfter(report, "\n")
	if len(lines) != 5 {
		t.Fatalf("%q", lines)
	}
	change := func(from, to string) string {
		t.Helper()
		if !strings.Contains(report, from) {
			t.Fatalf("no %s in %s", from, report)
		}
		return strings.Replace(report, from, to, 1)
	}
	for _, c := range []struct{ title, report, want string }{
		{"as it was written", report, ""},
		{"with commitments", change(`"action":"removed"`, `"action":"removed","commitment":"sha256:0"`), ""},
		{"another rule", change(`"action":"removed"`, `"action":"cut"`), "RedactionChange report /events/0"},
		{"another pointer", change(`/data/secret`, `/data/secrets`), "RedactionChange report /events/0"},
		{"another hash", change(`"content_hash":"sha256:`, `"content_hash":"sha256:0`), "RedactionChange report /events/0"},
		{"another line", change(`"line":4`, `"line":5`), "RedactionChange report /events/1 RedactionChange report /events/1"},
		{"an event less", lines[0] + strings.TrimSuffix(lines[1], ",\n") + "\n" + lines[3], "RedactionChange report "},
		{"no event", lines[0] + lines[3], "RedactionChange report  RedactionChange report "},
		{"an event more", lines[0] + `{"line":1,"content_hash":"","changes":[]},` + strings.Join(lines[1:], ""), "RedactionChange report /events/0"},
		{"another number", change(`"changed":2`, `"changed":3`), "RedactionChange report "},
		{"another root", change(`"run_root":"sha256:`, `"run_root":"sha256:`+strings.Repeat("0", 64)+`","was":"`), "RedactionOutput report /run_root"},
		{"no report", change(`"schema":"cupel.redaction/1"`, `"schema":"x"`), "RedactionReport report /schema"},
		{"unverified", change(`"input_verified":true`, `"input_verified":false`), "RedactionUnverified report /input_verified RedactionChange report "},
	} {
		v := verified(t, original, out, c.report, redact.Options{})
		if got := strings.Join(found(v), " "); got != c.want || v.Same() != (c.want == "") {
			t.Errorf("%s: %q, want %q", c.title, got, c.want)
		}
	}
}

// TestVerifyAnotherPolicy checks that the error names both policies.
func TestVerifyAnotherPolicy(t *testing.T) {
	original := dirtyRun().Stream()
	_, report := reported(t, original, redact.Options{})
	in := redact.VerifyInput{
		Original: bundle.Input{Size: -1, Reader: bytes.NewReader(original)}, Redacted: bundle.Input{Size: -1, Reader: bytes.NewReader(original)},
		Report: strings.NewReader(report), Scratch: func() (bundle.Scratch, error) { return new(memory), nil },
	}
	_, err := redact.Verify(t.Context(), in, redact.Options{Policy: privacy.Upstream()})
	var other *redact.PolicyError
	if !errors.As(err, &other) || other.Report.Profile != "default" || other.Own.Profile != "adr006-upstream" || other.Report.Digest == other.Own.Digest {
		t.Error(err)
	}
}

// TestVerifyUnverified: an original with faults is redacted again where that was accepted, as
// the report says.
func TestVerifyUnverified(t *testing.T) {
	sound := dirtyRun().Stream()
	original := bytes.Replace(sound, []byte(`"hits":3,`), []byte(`"hits":4,`), 1)
	accepting := redact.Options{AcceptUnverified: true}
	out, report := reported(t, original, accepting)
	if v := verified(t, original, out, "", redact.Options{}); v.Same() || !slices.Contains(found(v), "IntegrityEventHash original ") && !slices.Contains(found(v), "IntegrityEventHash original /assaycontenthash") {
		t.Errorf("%q", found(v))
	}
	if v := verified(t, original, out, "", accepting); !v.Same() {
		t.Errorf("%q", found(v))
	}
	if v := verified(t, original, out, report, redact.Options{}); !v.Same() || !slices.Equal(found(v), []string{"RedactionUnverified report /input_verified"}) {
		t.Errorf("%q", found(v))
	}
}

// TestVerifyBundle checks that the events and the manifest of a bundle are compared, and not its compression or other
// files.
func TestVerifyBundle(t *testing.T) {
	original := dirtyRun().Bundle()
	out, report := reported(t, original, redact.Options{Level: bundle.MaxLevel})
	other, _ := reported(t, original, redact.Options{Level: bundle.MinLevel})
	if bytes.Equal(out, other) {
		t.Fatal("two levels give the same bytes")
	}
	for _, c := range []struct {
		title, report string
		text          []byte
		want          string
	}{
		{"itself", report, out, ""},
		{"another compression", "", other, ""},
		{"another compression, by the report", report, other, "RedactionOutput report /output_sha256"},
		{"the original", "", original, "RedactionEvent redacted /assaycontenthash RedactionEvent redacted /data/path RedactionEvent redacted /data/secret RedactionEvent redacted /assaycontenthash RedactionEvent redacted /data/args/2"},
		{"a stream", "", dirtyRun().Stream(), "RedactionOutput redacted "},
		{"a cut bundle", "", out[:len(out)/2], "IntegrityIo redacted "},
	} {
		v := verified(t, original, c.text, c.report, redact.Options{Level: bundle.MaxLevel})
		if got := strings.Join(found(v), " "); got != c.want || v.Same() != (c.want == "") {
			t.Errorf("%s: %q, want %q", c.title, got, c.want)
		}
	}
	manifest := dirtyRun()
	manifest.Manifest = map[string]json.RawMessage{"producer": json.RawMessage(`{"name":"other","version":"1"}`)}
	renamed, _ := reported(t, manifest.Bundle(), redact.Options{})
	if v := verified(t, original, renamed, "", redact.Options{}); strings.Join(found(v), " ") != "RedactionOutput redacted " {
		t.Errorf("another manifest: %q", found(v))
	}
}

// TestVerifyErrors: the errors of what is read and written are the caller's to see.
func TestVerifyErrors(t *testing.T) {
	broken := errors.New("broken")
	original := dirtyRun().Stream()
	out, report := reported(t, original, redact.Options{})
	for title, change := range map[string]func(*redact.VerifyInput){
		"original": func(in *redact.VerifyInput) { in.Original.Reader = failing{broken} },
		"redacted": func(in *redact.VerifyInput) { in.Redacted.Reader = failing{broken} },
		"report":   func(in *redact.VerifyInput) { in.Report = failing{broken} },
		"scratch":  func(in *redact.VerifyInput) { in.Scratch = func() (bundle.Scratch, error) { return nil, broken } },
		"disk": func(in *redact.VerifyInput) {
			in.Scratch = func() (bundle.Scratch, error) { return failing{broken}, nil }
		},
	} {
		in := redact.VerifyInput{
			Original: bundle.Input{Name: "original", Size: -1, Reader: bytes.NewReader(original)}, Redacted: bundle.Input{Name: "redacted", Size: -1, Reader: bytes.NewReader(out)},
			Report: strings.NewReader(report), Scratch: func() (bundle.Scratch, error) { return new(memory), nil },
		}
		change(&in)
		if _, err := redact.Verify(t.Context(), in, redact.Options{}); !errors.Is(err, broken) {
			t.Errorf("%s: %v", title, err)
		}
	}
}

// TestOtherValuesSameReport checks that originals that differ only in redacted values have the same output and the
// same report, byte for byte. A report that commits differs only in the commitments.
func TestOtherValuesSameReport(t *testing.T) {
	step, drawn := 5*racetest.Step(t), 0
	rapid.Check(t, func(t *rapid.T) {
		if drawn++; drawn%step != 0 {
			return
		}
		value := rapid.StringMatching(`[a-z]{1,4}[0-9]{1,4}[a-z]{1,4}`)
		packed := rapid.Bool().Draw(t, "bundle")
		first, firstReport, firstCommitted := redactedValues(t, packed, value.Draw(t, "token"), value.Draw(t, "user"), value.Draw(t, "flag"))
		other, otherReport, otherCommitted := redactedValues(t, packed, value.Draw(t, "other token"), value.Draw(t, "other user"), value.Draw(t, "other flag"))
		if !bytes.Equal(first, other) || firstReport != otherReport {
			t.Fatalf("%s\n%s\n%s\n%s", first, other, firstReport, otherReport)
		}
		if blot := commitment.ReplaceAllString; blot(firstCommitted, "") != blot(otherCommitted, "") || blot(firstCommitted, "") != firstReport {
			t.Fatalf("%s\n%s\n%s", firstCommitted, otherCommitted, firstReport)
		}
	})
}

var commitment = regexp.MustCompile(`,"commitment":"sha256:[0-9a-f]{64}"`)

// redactedValues redacts a run with some values, without and with commitments.
func redactedValues(t *rapid.T, packed bool, token, user, flag string) (out []byte, report, committed string) {
	run := &bundletest.Recipe{Events: 3, Set: map[string]json.RawMessage{
		"1/data": json.RawMessage(`{"args":["x","--password","` + flag + `"],"path":"/home/` + user + `/x","secret":"` + token + `"}`),
	}}
	original := run.Stream()
	if packed {
		original = run.Bundle()
	}
	out, report = reported(t, original, redact.Options{})
	var w bytes.Buffer
	document, committer := redact.NewWriter(&w), redact.NewCommitter(io.Discard)
	r, again := redacted(t, original, redact.Options{OnChange: committer.Change, OnEvent: func(e *redact.Event) error {
		return errors.Join(committer.Event(e), document.Event(e))
	}})
	if err := document.Close(r); err != nil || !bytes.Equal(again, out) {
		t.Fatalf("%v\n%s\n%s", err, out, again)
	}
	return out, report, w.String()
}
