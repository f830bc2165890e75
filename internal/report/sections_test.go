package report_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/report"
)

// wholeRun is a run whose report has those of other commands in it.
var wholeRun = report.Run{Command: "check", Schema: "cupel.check/1", Lists: []string{"documents", "findings"}}

// told writes a report on two files, one of them unreadable.
func told(t *testing.T, w report.Several) {
	t.Helper()
	f := finding.Finding{Rule: "a.b", Severity: finding.Error, Message: "fault", File: "x", Line: 3}
	for _, err := range []error{
		w.Finding(f),
		w.Answer(report.Answer{List: "inputs", Value: map[string]int{"n": 1}, Subject: "x", Outcome: report.Outcome{Weight: report.Bad, Word: "invalid", Reason: "no"}, Findings: []finding.Finding{f}, NotCovered: []string{"who wrote it"}}),
		w.Fail("cannot read y"),
		w.Close(report.Summary{Value: map[string]int{"inputs": 1}, Text: "1 input"}),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
}

func open(t *testing.T, format string, out *bytes.Buffer, run report.Run) report.Several {
	t.Helper()
	w, err := report.New(format, out, run, report.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return report.Several{w}
}

// TestSections checks that in every format the report of the whole contains that of a command: the same JSON and
// lines, and a suite in XML. An error of a section is an error of the whole.
func TestSections(t *testing.T) {
	alike := run()
	for _, format := range report.Formats() {
		var alone, whole bytes.Buffer
		told(t, open(t, format, &alone, alike))
		w := open(t, format, &whole, wholeRun)
		for range 2 {
			told(t, w.Section(alike))
		}
		if err := w.Close(report.Summary{Value: map[string]int{"files": 2}, Text: "2 files"}); err != nil {
			t.Fatal(err)
		}
		text := whole.String()
		switch format {
		case "json":
			var doc struct {
				Documents []json.RawMessage
				Status    string
				Errors    []string
			}
			if err := json.Unmarshal(whole.Bytes(), &doc); err != nil || len(doc.Documents) != 2 || doc.Status != "error" || len(doc.Errors) != 2 {
				t.Fatalf("%v in\n%s", err, text)
			}
			var one, other bytes.Buffer
			if json.Compact(&one, doc.Documents[1]) != nil || json.Compact(&other, alone.Bytes()) != nil || one.String() != other.String() {
				t.Errorf("a section is\n%s\nalone it is\n%s", &one, &other)
			}
		case "jsonl":
			if !strings.HasPrefix(text, alone.String()+alone.String()+`{"type":"summary","schema":"cupel.check/1","status":"error","errors":["cannot read y","cannot read y"]`) {
				t.Errorf("%s", text)
			}
		case "junit":
			if strings.Count(text, `<testsuite name="cupel trace verify"`) != 2 || strings.Contains(text, `"cupel check"`) {
				t.Errorf("%s", text)
			}
		case "text":
			if strings.Contains(text, "1 input") || !strings.HasSuffix(text, "not verified: 1 point, see --not-verified\n2 files\n") {
				t.Errorf("%s", text)
			}
		default:
			if strings.Count(text, "fault") < 2 {
				t.Errorf("%s: %s", format, text)
			}
		}
	}
}
