package lint_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/bundle"
	"github.com/cupel-dev/cupel/evidence/lint"
	"github.com/cupel-dev/cupel/evidence/payload"
	"github.com/cupel-dev/cupel/evidence/privacy"
	"github.com/cupel-dev/cupel/evidence/redact"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/bundletest"
)

// secret is a part of every private value below: no finding may show it.
const secret = "7Hq2Zr9Lm4Xw8Kc1"

// The parts of events.
var (
	texts = []string{
		"plain", "", "~/**/src", "/home/" + secret + "/x", "see /Users/" + secret + "/y and C:\\\\Users\\\\" + secret + "\\\\z",
		"AKIA" + strings.ToUpper(secret), "key AKIA" + strings.ToUpper(secret) + " refused", "--token=" + secret, "Authorization: Bearer " + secret + secret,
		"https://bob:" + secret + "@example.org/x", "token=***", "sha256:" + strings.Repeat("a", 64),
	}
	keys = []string{"plain", "AKIA" + strings.ToUpper(secret), "key AKIA" + strings.ToUpper(secret) + " refused"}
	data = []string{ // %s is any text, %k one for what the policy calls public unless it has a secret
		`{"hits":3}`, `{"hits":"%k"}`, `{"hits":3,"file":"%s","password":"%s"}`, `{"mode":"strict","passed_keys":["PATH=%s"],"dropped_keys":[],"counters":{"passed":2,"dropped":0}}`,
		`{"tool":"%k","decision":"%k","reason_code":"x"}`, `{"tool":"t","decision":"allow","reason_code":"x","args_schema_hash":"%k","delegated_from":"%s"}`,
		`{"deep":[{"a":["%s",1,null,{"b":"%s"}]},"%s"]}`, `"%s"`, `[]`, `9007199254740993`,
	}
	types      = []string{"assay.fs.access", "assay.tool.decision", "assay.env.filtered", "assay.profile.started", "assay.profile.finished", "assay.other", "assay.fs.access.v2"}
	attributes = []struct {
		name   string
		values []string
	}{
		{"assaysecrets", []string{"false", "true", "null"}},
		{"assaypii", []string{"false", "true"}},
		{"subject", []string{`"%s"`, "null"}},
		{"source", []string{`"urn:x"`, `"https://u:%s@h/"`, `"none"`}},
		{"traceparent", []string{"null", `"00-0"`}},
		{"tracestate", []string{`"a=%s"`}},
		{"time", []string{`"2026-03-02T08:00:00Z"`, `"2026-03-02T10:00:00+02:00"`}},
		{"assaycontenthash", []string{`"sha256:x"`}},
		{"comment", []string{`"%s"`}},
		{"assaysemanticdigest", []string{`"sha256:` + strings.Repeat("b", 64) + `"`}},
		{"assayseq", []string{"7", `"7"`}},
	}
)

// recipe draws a run of events, right ones and wrong ones.
func recipe(t *rapid.T) *bundletest.Recipe {
	r := &bundletest.Recipe{Events: rapid.IntRange(1, 6).Draw(t, "events"), Set: map[string]json.RawMessage{}}
	draw := func(list []string, what string) json.RawMessage {
		value := rapid.SampledFrom(list).Draw(t, what)
		for _, kind := range []struct {
			mark  string
			texts []string
		}{{"%s", texts}, {"%k", keys}} {
			for strings.Contains(value, kind.mark) {
				value = strings.Replace(value, kind.mark, rapid.SampledFrom(kind.texts).Draw(t, "text"), 1)
			}
		}
		return json.RawMessage(value)
	}
	for i := range r.Events {
		at := fmt.Sprint(i, "/")
		r.Set[at+"type"] = json.RawMessage(fmt.Sprintf("%q", rapid.SampledFrom(types).Draw(t, "type")))
		r.Set[at+"data"] = draw(data, "data")
		for _, a := range attributes {
			if rapid.IntRange(0, 9).Draw(t, a.name) == 0 {
				r.Set[at+a.name] = draw(a.values, a.name)
			}
		}
		if rapid.IntRange(0, 9).Draw(t, "unreadable") == 0 {
			for j := range r.Events {
				line := fmt.Sprint("=", j)
				if j == i {
					line = rapid.SampledFrom([]string{`{"data":"/home/` + secret, ``, `[]`, `{"a":"` + secret + `","a":2}`}).Draw(t, "line")
				}
				r.Lines = append(r.Lines, line)
			}
			return r
		}
	}
	return r
}

// run lints what a reader has.
func run(t rapid.TB, r io.Reader, size int, opt lint.Options) *lint.Report {
	t.Helper()
	report, err := lint.Lint(context.Background(), r, int64(size), "x", opt)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// shown is all that a report shows of its findings.
func shown(t rapid.TB, list []finding.Finding) string {
	t.Helper()
	var b strings.Builder
	for _, f := range list {
		text, err := json.Marshal(f)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "%s | %s", text, f.Source.Text)
		if f.Detail != nil {
			fmt.Fprint(&b, " | ", f.Detail.Remarks())
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// TestWaysToRead: whether an input is a file or a pipe, the pieces in which it comes and the
// number of workers never matter.
func TestWaysToRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := recipe(t).Stream()
		opt := lint.Options{NoVerify: rapid.Bool().Draw(t, "no verify")}
		opt.Verify.Jobs = 1
		want := run(t, bytes.NewReader(text), len(text), opt)
		for i, r := range []io.Reader{iotest.OneByteReader(bytes.NewReader(text)), iotest.DataErrReader(bytes.NewReader(text))} {
			opt.Verify.Jobs = 2 + i
			got := run(t, r, -1, opt)
			if a, b := shown(t, got.Findings), shown(t, want.Findings); a != b {
				t.Fatalf("%d jobs:\n%s\nnot\n%s", opt.Verify.Jobs, a, b)
			}
			got.Findings, got.Integrity = want.Findings, want.Integrity
			if fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", want) {
				t.Fatalf("%+v, not %+v", got, want)
			}
		}
	})
}

// ofEvents are the findings about the content of events, by what they are known by.
func ofEvents(list []finding.Finding) (known []string) {
	for _, f := range list {
		if strings.HasPrefix(f.Rule, "EV-") && !ofRun(f.Rule) {
			known = append(known, f.Rule+" "+f.Path+" "+f.Fingerprint())
		}
	}
	return known
}

// TestBundleAndStream: what is found in the events of a bundle is what is found in the stream
// that it was made of; and whether the integrity is looked at never changes it.
func TestBundleAndStream(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := recipe(t)
		stream, packed := r.Stream(), r.Bundle()
		want := ofEvents(run(t, bytes.NewReader(stream), len(stream), lint.Options{NoVerify: true}).Findings)
		for name, text := range map[string][]byte{"stream": stream, "bundle": packed} {
			for _, skip := range []bool{false, true} {
				got := run(t, bytes.NewReader(text), len(text), lint.Options{NoVerify: skip})
				if !slices.Equal(ofEvents(got.Findings), want) {
					t.Fatalf("%s, no verify %v: %q, expected %q", name, skip, ofEvents(got.Findings), want)
				}
			}
		}
	})
}

// TestNaive: the findings of the linter are those of its two packages, asked for each line by
// itself, and the verification's errors are verify's own.
func TestNaive(t *testing.T) {
	found := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		text := recipe(t).Stream()
		report := run(t, bytes.NewReader(text), -1, lint.Options{})
		got := map[string]int{}
		for _, f := range report.Findings {
			found[f.Rule]++
			if ofRun(f.Rule) {
				continue
			}
			got[fmt.Sprint(f.Line, f.Rule[:4], f.Path, f.Severity)]++
		}
		want := map[string]int{}
		verdict, err := bundle.Verify(context.Background(), bytes.NewReader(text), -1, "x", bundle.Options{All: true})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range verdict.Findings {
			if f.Severity == finding.Error && !covered(f) {
				want[fmt.Sprint(f.Line, f.Rule[:4], f.Path, f.Severity)]++
			}
		}
		if report.Integrity.Code != verdict.Code || report.Integrity.Verdict != verdict.Verdict {
			t.Fatalf("%s %s, expected %s %s", report.Integrity.Verdict, report.Integrity.Code, verdict.Verdict, verdict.Code)
		}
		for i, line := range bytes.Split(bytes.TrimSuffix(text, []byte{'\n'}), []byte{'\n'}) {
			for _, key := range naive(t, line) {
				want[fmt.Sprint(i+1, key)]++
			}
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("%v\nexpected\n%v\n%s", got, want, text)
		}
	})
	t.Log(found)
	if len(found) < 10 {
		t.Error("too few rules are broken")
	}
}

// covered says whether a rule of package payload says what the verification found, so that
// the linter leaves it out.
func covered(f finding.Finding) bool {
	detail, ok := f.Detail.(bundle.Detail)
	if ok {
		_, ok = payload.Covers(detail.Detail, detail.Pointer)
	}
	return ok
}

// ofRun says whether a rule is about an event after those before it, or about the whole.
func ofRun(rule string) bool {
	return strings.HasPrefix(rule, "EV-5") && rule != "EV-531" || slices.Contains([]string{"EV-135", "EV-201", "EV-202"}, rule)
}

// naive is what is wrong with one line.
func naive(t *rapid.T, line []byte) (keys []string) {
	r, err := evidence.NewHasher(evidence.Options{}).Hash(line)
	if err != nil {
		t.Fatal(err)
	}
	if r.Event == nil {
		return nil
	}
	list, err := payload.NewChecker(payload.Options{}).Event(nil, &r)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range list {
		keys = append(keys, fmt.Sprint(f.Rule[:4], f.Path, f.Severity))
	}
	_, changes, err := privacy.NewRedactor(privacy.Default()).Event(nil, r.Event)
	if err != nil {
		t.Fatal(err)
	}
	paths, secrets := false, false
	for _, c := range changes {
		severity := map[privacy.Class]string{privacy.Public: "info", privacy.Sensitive: "warning", privacy.Forbidden: "error"}[c.Class]
		if c.Rule == "env-value" {
			severity = "error"
		}
		keys = append(keys, "EV-4"+c.Pointer+severity)
		paths = paths || c.Rule == "home-path"
		secrets = secrets || c.Rule != "home-path" && c.Class != privacy.Public
	}
	for name, wrong := range map[string]bool{"assaypii": paths, "assaysecrets": secrets} {
		if wrong && string(r.Event.Root().Get(name).Raw()) == "false" {
			keys = append(keys, "EV-4/"+name+"warning")
		}
	}
	return keys
}

// TestNothingIsShown checks that no finding shows a value that should not be shared, or the text next to it.
func TestNothingIsShown(t *testing.T) {
	private := 0
	rapid.Check(t, func(t *rapid.T) {
		text := recipe(t).Stream()
		report := run(t, bytes.NewReader(text), -1, lint.Options{NoVerify: rapid.Bool().Draw(t, "no verify")})
		all := shown(t, report.Findings)
		if i := strings.Index(strings.ToUpper(all), strings.ToUpper(secret)); i >= 0 {
			t.Fatalf("%s\nof\n%s", all[max(0, i-200):], text)
		}
		private += strings.Count(all, `"class":"`)
	})
	if private == 0 {
		t.Error("no private value was found")
	}
}

// TestFirstFindings: of more findings than are kept, the first are, the rest is counted, and
// nothing else changes; what is not wanted takes no room.
func TestFirstFindings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := recipe(t).Stream()
		opt := lint.Options{NoVerify: true}
		all := run(t, bytes.NewReader(text), -1, opt)
		unwanted := rapid.SampledFrom([]string{"EV-1", "EV-2", "EV-4", "EV-41", "none"}).Draw(t, "unwanted")
		wanted := func(rule string) bool { return !strings.HasPrefix(rule, unwanted) }
		if rapid.Bool().Draw(t, "by rule") {
			opt.Wanted = wanted
		} else {
			opt.Keep = func(f finding.Finding) bool { return wanted(f.Rule) }
		}
		opt.Verify.MaxFindings = rapid.IntRange(1, 8).Draw(t, "most")
		got := run(t, bytes.NewReader(text), -1, opt)
		own, others := 0, 0
		var want []string
		for _, f := range all.Findings {
			switch {
			case !wanted(f.Rule):
			case !strings.HasPrefix(f.Rule, "EV-"):
				others++
			case own < opt.Verify.MaxFindings:
				own++
				want = append(want, f.Rule+" "+f.Fingerprint())
			default:
				own++
			}
		}
		var kept []string
		for _, f := range got.Findings {
			if strings.HasPrefix(f.Rule, "EV-") {
				kept = append(kept, f.Rule+" "+f.Fingerprint())
			}
		}
		slices.Sort(want)
		slices.Sort(kept)
		if len(kept) != len(want) || own <= opt.Verify.MaxFindings && !slices.Equal(kept, want) {
			t.Fatalf("%q, expected %q", kept, want)
		}
		if opt.Wanted == nil {
			return // unwanted findings are counted
		}
		if total := got.Errors + got.Warnings + got.Infos; total != own+others || got.Omitted != total-len(got.Findings) {
			t.Fatalf("%d of %d+%d, %d omitted, %d kept", total, own, others, got.Omitted, len(got.Findings))
		}
	})
}

// TestVerifyPayloads: a verification that asks for the content has the errors of both, and its
// first fault is the first of them.
func TestVerifyPayloads(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := recipe(t).Stream()
		linted := run(t, bytes.NewReader(text), -1, lint.Options{})
		var want []string
		for _, f := range linted.Findings {
			if f.Severity == finding.Error {
				want = append(want, fmt.Sprint(f.Rule, f.Line, f.Path))
			}
		}
		for _, all := range []bool{true, false} {
			got, err := lint.Verify(context.Background(), bytes.NewReader(text), -1, "x", lint.Options{Verify: bundle.Options{All: all}})
			if err != nil {
				t.Fatal(err)
			}
			var errors []string
			for _, f := range got.Findings {
				if f.Severity == finding.Error && !covered(f) {
					errors = append(errors, fmt.Sprint(f.Rule, f.Line, f.Path))
				}
			}
			switch {
			case (got.Verdict == bundle.Valid) != (len(want) == 0):
				t.Fatalf("%s, expected %q", got.Verdict, want)
			case len(errors) > 0 && errors[0] != want[0]:
				t.Fatalf("%q comes first, expected %q", errors[0], want[0])
			case all && !slices.Equal(errors, want):
				t.Fatalf("%q, expected %q", errors, want)
			}
		}
	})
}

// memory is a scratch file.
type memory struct{ bytes.Buffer }

func (m *memory) ReadAt(p []byte, at int64) (int, error) {
	return bytes.NewReader(m.Bytes()).ReadAt(p, at)
}

// TestRedactChanges: what the linter finds private is what redaction changes, drops or
// reports, place by place; and of what redaction made it finds nothing but what is reported.
func TestRedactChanges(t *testing.T) {
	changed := 0
	rapid.Check(t, func(t *rapid.T) {
		text := recipe(t).Stream()
		var redacted bytes.Buffer
		report, err := redact.Redact(context.Background(), bytes.NewReader(text), -1, "x", &memory{}, &redacted, redact.Options{AcceptUnverified: true})
		if err != nil {
			t.Fatal(err)
		}
		if !report.Redacted {
			return // an event cannot be read
		}
		var want []string
		left := map[string]int{}
		for _, e := range report.Events {
			for _, c := range e.Changes {
				changed++
				want = append(want, fmt.Sprint(e.Line, c.Pointer, c.Class, c.Rule))
				if c.Reported {
					left[fmt.Sprint(e.Line, c.Pointer, c.Class, c.Rule)]++
				}
			}
		}
		private := func(text []byte) (list []string) {
			for _, f := range run(t, bytes.NewReader(text), -1, lint.Options{NoVerify: true}).Findings {
				if d, ok := f.Detail.(lint.Detail); ok && d.Class != "" {
					list = append(list, fmt.Sprint(f.Line, f.Path, d.Class, d.Secret))
				}
			}
			return list
		}
		got := private(text)
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Fatalf("%q, redaction %q", got, want)
		}
		for _, f := range private(redacted.Bytes()) {
			if left[f]--; left[f] < 0 {
				t.Fatalf("%s is left in\n%s", f, redacted.Bytes())
			}
		}
	})
	if changed == 0 {
		t.Error("nothing was changed")
	}
}
