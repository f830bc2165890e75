package report_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/xeipuuv/gojsonschema"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/report"
	"github.com/cupel-dev/cupel/internal/source"
)

var update = flag.Bool("update", false, "write the golden files anew")

var rules = []finding.Rule{
	{ID: "hash.snippet", Title: "the hash of the cited bytes differs", Severity: finding.Error, Clause: "trace format, supports", Rationale: "A claim rests on the bytes it cites."},
	{ID: "sequence.gap", Title: "an event is missing", Severity: finding.Error, Clause: "log schema, order", Rationale: "A gap hides what happened."},
	{ID: "plan.absent", Title: "no plan beside the trace", Severity: finding.Warning, Clause: "trace format, order", Rationale: "Without a plan only the numbers give the order."},
	{ID: "field.unknown", Title: "an additional member", Severity: finding.Info, Clause: "trace format, members", Rationale: "Additions are allowed and shown."},
}

func run() report.Run {
	return report.Run{Command: "trace verify", Schema: "cupel.trace/1", Lists: []string{"inputs", "notes"}, Rules: func() []finding.Rule { return rules }, Version: "1.2.3"}
}

// at returns a finding at the first occurrence of mark in a line.
func at(f finding.Finding, file string, number int, line, mark string) finding.Finding {
	start := strings.Index(line, mark)
	f.File = file
	source.Point(&f, source.Line{Number: number, Bytes: []byte(line)}, start, start+len(mark))
	return f
}

// findings returns one of every kind: with a comparison, after wide and astral characters, in a line longer than a
// screen, of a whole file, with hostile text, and two that follow from another.
func findings() []finding.Finding {
	index := int64(7)
	long := `{"pad":"` + strings.Repeat("x", 300) + `","kind":"stepp","more":"` + strings.Repeat("y", 300) + `"}`
	return []finding.Finding{
		at(finding.Finding{
			Rule: "hash.snippet", Severity: finding.Error, Message: "the hash of the cited bytes differs",
			Path: "event.claim.supports[0].sha256", Index: &index, Expected: strings.Repeat("ab", 32), Found: strings.Repeat("cd", 32),
			Notes: []string{"it would match as character offsets"}, Help: "cite byte offsets",
		},
			"run one/trace.jsonl", 11, `{"e":"漢字 😀","sha256":"cd"}`, `"cd"`),
		at(finding.Finding{Rule: "field.unknown", Severity: finding.Info, Message: `unknown member "kind"`},
			"run one/trace.jsonl", 12, long, `"stepp"`),
		{Rule: "plan.absent", Severity: finding.Warning, Message: "no plan, order is checked\nby number: 100%, really", File: "run one/trace.jsonl"},
		at(finding.Finding{Rule: "sequence.gap", Severity: finding.Error, Message: "expected 5, found 9 \x1b[31m", Expected: "5", Found: "9"},
			"b.jsonl", 3, "\t{\"n\":\x01 9}", "9"),
		{Rule: "sequence.gap", Severity: finding.Error, Message: "expected 6, found 10", File: "b.jsonl", Line: 4, Column: 6, CausedBy: "sequence.gap@3"},
		{Rule: "other.rule", Severity: finding.Error, Message: "expected 7, found 11", File: "b.jsonl", Line: 5, CausedBy: "sequence.gap@3"},
	}
}

type verdict struct {
	Input    string            `json:"input"`
	Verdict  string            `json:"verdict"`
	Findings []finding.Finding `json:"findings,omitempty"`
}

func (v verdict) Brief() any { return verdict{Input: v.Input, Verdict: v.Verdict} }

// write sends the sample run to a writer.
func write(t *testing.T, w report.Writer) {
	t.Helper()
	list := findings()
	check := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	input := func(name string, list []finding.Finding) {
		for _, f := range list {
			check(w.Finding(f))
		}
		check(w.Answer(report.Answer{
			List: "inputs", Value: verdict{name, "invalid", list}, Subject: name,
			Outcome: report.Outcome{Weight: report.Bad, Word: "invalid", Reason: "invalid"}, Findings: list,
		}))
	}
	check(w.Answer(report.Answer{List: "notes", Value: map[string]string{"note": "a later list waits"}}))
	input("run one/trace.jsonl", list[:3])
	input("b.jsonl", list[3:])
	check(w.Answer(report.Answer{
		List: "inputs", Value: verdict{"c.jsonl", "valid", nil}, Subject: "c.jsonl", Outcome: report.Outcome{Weight: report.Good, Word: "valid"},
	}))
	check(w.Fail("cannot open \"d, e.jsonl\": no such file\nor directory"))
	check(w.Close(report.Summary{Value: map[string]int{"inputs": 3, "invalid": 2}, Text: "3 inputs, 2 invalid", Weight: report.Bad, No: true}))
}

func render(t *testing.T, format string, opt report.Options, do func(*testing.T, report.Writer)) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := report.New(format, &b, run(), opt)
	if err != nil {
		t.Fatal(err)
	}
	do(t, w)
	return said(format, b.Bytes())
}

// said is what a format says: a page without its style sheet, its script and their hashes, which
// are not this package's.
func said(format string, text []byte) []byte {
	if format == "html" {
		text = ownParts.ReplaceAll(text, []byte("$1…$2"))
	}
	return text
}

var ownParts = regexp.MustCompile(`(?s)(<style>|<script>|'sha256-).*?(</style>|</script>|')`)

// TestApart checks that a report that is read without standard error contains the errors, and any other one does not.
func TestApart(t *testing.T) {
	for _, format := range []string{"text", "short"} {
		for _, apart := range []bool{false, true} {
			got := string(render(t, format, report.Options{Apart: apart}, func(t *testing.T, w report.Writer) {
				if err := errors.Join(w.Fail("cannot read \"a\nb\""), w.Close(report.Summary{})); err != nil {
					t.Error(err)
				}
			}))
			if want := map[bool]string{true: "cupel: error: cannot read \"a\\u{a}b\"\n"}[apart]; got != want {
				t.Errorf("%s, apart: %v: %q, expected %q", format, apart, got, want)
			}
		}
	}
}

// everySecond returns a clock that goes on by a second whenever somebody looks.
func everySecond() func() time.Time {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	return func() time.Time {
		now = now.Add(time.Second)
		return now
	}
}

// goldens returns every format, and the text format in colour, on a narrow terminal and quiet.
func goldens() map[string]report.Options {
	list := map[string]report.Options{
		"text-color": {Color: true}, "text-narrow": {Width: 60}, "text-quiet": {Quiet: true}, "short-color": {Color: true},
		"text-links": {Links: true}, "short-links": {Color: true, Links: true}, "junit-times": {Now: everySecond()},
	}
	for _, f := range report.Formats() {
		list[f] = report.Options{}
	}
	return list
}

// TestGolden compares each of the goldens with its file.
func TestGolden(t *testing.T) {
	for name, opt := range goldens() {
		format, _, _ := strings.Cut(name, "-")
		compare(t, filepath.Join("testdata", name+".golden"), render(t, format, opt, write))
	}
}

// compare compares what was printed with a file, or writes that with -update.
func compare(t *testing.T, path string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("differs from %s (-want +got):\n%s", path, diff)
	}
}

// endings are the runs that have little to say: every format must still be valid.
var endings = map[string]func(*testing.T, report.Writer){
	"full": write,
	"empty": func(t *testing.T, w report.Writer) {
		closeWith(t, w, report.Summary{Value: map[string]int{"inputs": 0}})
	},
	"failed": func(t *testing.T, w report.Writer) {
		if err := w.Fail("nothing to read"); err != nil {
			t.Fatal(err)
		}
		closeWith(t, w, report.Summary{})
	},
}

func closeWith(t *testing.T, w report.Writer, s report.Summary) {
	t.Helper()
	if err := w.Close(s); err != nil {
		t.Fatal(err)
	}
}

// sarifSchema returns the schema of SARIF 2.1.0.
func sarifSchema(t *testing.T) *gojsonschema.Schema {
	t.Helper()
	text, err := os.ReadFile("testdata/sarif-schema-2.1.0.json")
	if err != nil {
		t.Fatal(err)
	}
	schema, err := gojsonschema.NewSchema(gojsonschema.NewBytesLoader(text))
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// validate checks a document against a schema.
func validate(t *testing.T, schema *gojsonschema.Schema, name string, text []byte) {
	t.Helper()
	result, err := schema.Validate(gojsonschema.NewBytesLoader(text))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	for _, e := range result.Errors() {
		t.Errorf("%s: %s", name, e)
	}
}

// TestSARIFSchema validates what the writer prints against the schema of SARIF 2.1.0.
func TestSARIFSchema(t *testing.T) {
	schema := sarifSchema(t)
	for name, ending := range endings {
		validate(t, schema, name, render(t, "sarif", report.Options{}, ending))
	}
	broken, err := schema.Validate(gojsonschema.NewStringLoader(`{"version":"2.1.0","runs":[{"results":[]}]}`))
	if err != nil || broken.Valid() {
		t.Errorf("the schema accepts a run without a tool (%v)", err)
	}
}

// TestSARIFColumns checks that each astral character before a column adds one in UTF-16.
func TestSARIFColumns(t *testing.T) {
	var log struct {
		Runs []struct {
			Results []struct {
				Locations []struct {
					PhysicalLocation struct {
						ArtifactLocation struct{ URI string }
						Region           struct{ StartLine, StartColumn, EndColumn int }
					}
				}
			}
		}
	}
	if err := json.Unmarshal(render(t, "sarif", report.Options{}, write), &log); err != nil {
		t.Fatal(err)
	}
	at := log.Runs[0].Results[0].Locations[0].PhysicalLocation
	f := findings()[0]
	if at.Region.StartColumn != f.Column+1 || at.Region.EndColumn != f.EndColumn+1 || at.Region.StartLine != 11 {
		t.Errorf("region %+v for columns %d to %d", at.Region, f.Column, f.EndColumn)
	}
	if at.ArtifactLocation.URI != "run%20one/trace.jsonl" {
		t.Errorf("uri %q", at.ArtifactLocation.URI)
	}
}

// TestDocumentsStayValid reads back what every machine format printed.
func TestDocumentsStayValid(t *testing.T) {
	for name, ending := range endings {
		var doc struct {
			Schema, Status string
			Errors         []string
			Inputs, Notes  []json.RawMessage
			Summary        map[string]any
		}
		if err := json.Unmarshal(render(t, "json", report.Options{}, ending), &doc); err != nil {
			t.Fatalf("%s: json: %v", name, err)
		}
		wantStatus := map[string]string{"full": "error", "empty": "ok", "failed": "error"}[name]
		if doc.Schema != "cupel.trace/1" || doc.Status != wantStatus || doc.Inputs == nil || doc.Notes == nil || doc.Summary == nil {
			t.Errorf("%s: json: %+v", name, doc)
		}
		if (doc.Status == "error") != (len(doc.Errors) > 0) {
			t.Errorf("%s: status %q with errors %q", name, doc.Status, doc.Errors)
		}
		checkLines(t, name, render(t, "jsonl", report.Options{}, ending))
		checkSuite(t, name, render(t, "junit", report.Options{}, ending))
	}
}

// checkLines wants a JSON object with a type on every line, and the summary on the last alone.
func checkLines(t *testing.T, name string, text []byte) {
	t.Helper()
	summaries := 0
	lines := bufio.NewScanner(bytes.NewReader(text))
	for lines.Scan() {
		if summaries > 0 {
			t.Errorf("%s: jsonl: a line after the summary", name)
		}
		var v any
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Errorf("%s: jsonl: %v in %s", name, err, lines.Text())
		}
		m, _ := v.(map[string]any)
		if kind, _ := m["type"].(string); kind == "" || (kind == "summary") != (m["summary"] != nil) {
			t.Errorf("%s: jsonl: the type is %q in %s", name, kind, lines.Text())
		}
		if m["summary"] != nil {
			summaries++
		}
	}
	if summaries != 1 {
		t.Errorf("%s: jsonl: %d summaries", name, summaries)
	}
}

// checkSuite wants the counts of a JUnit suite to be those of its cases.
func checkSuite(t *testing.T, name string, text []byte) {
	t.Helper()
	var all struct {
		Suites []struct {
			Tests    int `xml:"tests,attr"`
			Failures int `xml:"failures,attr"`
			Errors   int `xml:"errors,attr"`
			Cases    []struct {
				Failure *struct{} `xml:"failure"`
				Error   *struct{} `xml:"error"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	if err := xml.Unmarshal(text, &all); err != nil {
		t.Fatalf("%s: junit: %v", name, err)
	}
	s := all.Suites[0]
	failures, errors := 0, 0
	for _, c := range s.Cases {
		if c.Failure != nil {
			failures++
		}
		if c.Error != nil {
			errors++
		}
	}
	if s.Tests != len(s.Cases) || s.Failures != failures || s.Errors != errors {
		t.Errorf("%s: junit: %+v", name, s)
	}
}

// TestNoEscapeReachesATerminal: uncoloured output holds no control character but the
// line end, whatever the findings say.
func TestNoEscapeReachesATerminal(t *testing.T) {
	for _, format := range []string{"text", "short"} {
		for _, r := range string(render(t, format, report.Options{}, write)) {
			if r < 0x20 && r != '\n' || r == 0x7f {
				t.Fatalf("%s: control character %U", format, r)
			}
		}
	}
}

// TestRepeatedLineRules checks that a rule of reading is shown five times for each file, with the number of further
// violations. Other rules, and the other formats, show all.
func TestRepeatedLineRules(t *testing.T) {
	for _, c := range []struct {
		format, rule string
		files        int
		times        int
		shown        int
		says         string
	}{
		{"text", "line.json", 1, 5, 5, ""},
		{"text", "line.json", 1, 6, 5, "… 1 more [line.json]"},
		{"text", "line.json", 3, 50, 15, "… 45 more [line.json]"},
		{"text", "json.utf8", 1, 1000, 5, "… 995 more [json.utf8]"},
		{"text", "sequence.gap", 1, 50, 50, ""},
		{"short", "line.json", 1, 50, 50, ""},
		{"jsonl", "line.json", 1, 50, 50, ""},
	} {
		var out bytes.Buffer
		w, err := report.New(c.format, &out, report.Run{Command: "trace verify", Schema: "cupel.trace/1", Lists: []string{"inputs"}}, report.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for file := range c.files {
			name := fmt.Sprintf("f%d.jsonl", file)
			for line := range c.times {
				if err := w.Finding(finding.Finding{Rule: c.rule, File: name, Line: line + 1, Message: "broken", Severity: finding.Error}); err != nil {
					t.Fatal(err)
				}
			}
			if err := w.Answer(report.Answer{List: "inputs", Value: 1, Subject: name, Outcome: report.Outcome{Weight: report.Bad, Word: "rejected"}}); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(report.Summary{}); err != nil {
			t.Fatal(err)
		}
		if shown := strings.Count(out.String(), "broken"); shown != c.shown {
			t.Errorf("%s, %d times %s: shown %d times, expected %d", c.format, c.times, c.rule, shown, c.shown)
		}
		if told := strings.Count(out.String(), "more ["); (told > 0) != (c.says != "") || c.says != "" && strings.Count(out.String(), c.says) != c.files {
			t.Errorf("%s, %d times %s: %q is not said once for each file: %s", c.format, c.times, c.rule, c.says, out.String())
		}
	}
}

func TestUnknownFormat(t *testing.T) {
	if _, err := report.New("yaml", &bytes.Buffer{}, run(), report.Options{}); err == nil {
		t.Error("accepted")
	}
}
