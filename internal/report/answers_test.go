package report_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/report"
)

// dataRun is one run of testdata/answers.json.
type dataRun struct {
	Name            string
	Command, Schema string
	Lists, Outcomes []string
	Rules           []finding.Rule
	Steps           []struct {
		Finding *dataFinding
		Answer  *dataAnswer
		Fail    string
	}
	Summary struct {
		Value        any
		Text, Weight string
		Figures      *report.Figures
	}
}

type dataFinding struct {
	finding.Finding
	Elements []finding.Finding // apart from the finding itself
	Remarks  [][2]string       // of its detail

	Fingerprint string
	Revision    string
	Part        string
}

// bare is a finding by its fields alone, those included that its JSON form leaves out.
type bare finding.Finding

// UnmarshalJSON reads the fields.
func (d *dataFinding) UnmarshalJSON(text []byte) error {
	var own struct {
		Elements                    []bare
		Remarks                     [][2]string
		Fingerprint, Revision, Part string
	}
	if err := errors.Join(json.Unmarshal(text, (*bare)(&d.Finding)), json.Unmarshal(text, &own)); err != nil {
		return err
	}
	for _, e := range own.Elements {
		d.Elements = append(d.Elements, finding.Finding(e))
	}
	d.Remarks, d.Fingerprint, d.Revision, d.Part = own.Remarks, own.Fingerprint, own.Revision, own.Part
	return nil
}

// several is the detail of a finding that breaks several rules.
type several struct {
	others  []finding.Finding
	remarks [][2]string
}

func (s several) Remarks() [][2]string { return s.remarks }

func (several) MarshalJSON() ([]byte, error) { return []byte("{}"), nil }

func (s several) Elements(f finding.Finding) []finding.Finding {
	return append([]finding.Finding{f}, s.others...)
}

// printed is the detail of a finding that is known by a fingerprint.
type printed string

func (printed) Remarks() [][2]string { return nil }

func (p printed) Fingerprint() string { return string(p) }

func (p printed) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Fingerprint string `json:"fingerprint"`
	}{string(p)})
}

// revised is the detail of a finding that rests on a revision of its specification.
type revised string

func (revised) Remarks() [][2]string { return nil }

func (r revised) SpecRevision() string { return string(r) }

func (r revised) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Revision string `json:"revision"`
	}{string(r)})
}

// parted is the detail of a finding about a part of its file.
type parted string

func (parted) Remarks() [][2]string { return nil }

func (p parted) Part() string { return string(p) }

func (p parted) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Part string `json:"part_of_file"`
	}{string(p)})
}

type dataAnswer struct {
	report.Answer
	Weight   string
	Brief    any
	Elements []any // of a value that is written in parts
}

// long is a briefed value that is written in parts.
type long struct {
	briefed
	elements []any
}

func (l long) Long() report.Long {
	return report.Long{Head: l.briefed, Lists: []report.LongList{{Member: "sessions", Elements: slices.Values(l.elements)}}}
}

// briefed is a value with a brief form.
type briefed struct{ whole, brief any }

func (b briefed) Brief() any                   { return b.brief }
func (b briefed) MarshalJSON() ([]byte, error) { return json.Marshal(b.whole) }

var weights = []string{report.Plain: "", report.Good: "good", report.Bad: "bad", report.Caution: "caution", report.Unanswered: "unanswered"}

func weight(t *testing.T, name string) report.Weight {
	t.Helper()
	i := slices.Index(weights, name)
	if i < 0 {
		t.Fatalf("no weight %q", name)
	}
	return report.Weight(i)
}

func dataRuns(t *testing.T) (runs []dataRun) {
	t.Helper()
	text, err := os.ReadFile("testdata/answers.json")
	if err != nil {
		t.Fatal(err)
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&runs); err != nil {
		t.Fatal(err)
	}
	if len(runs) == 0 {
		t.Fatal("no runs")
	}
	return runs
}

func (r dataRun) render(t *testing.T, format string, opt report.Options) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := report.New(format, &b, report.Run{Command: r.Command, Schema: r.Schema, Lists: r.Lists, Outcomes: r.Outcomes, Rules: func() []finding.Rule { return r.Rules }, Version: "1.2.3"}, opt)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range r.Steps {
		var err error
		switch {
		case s.Finding != nil && s.Finding.Elements != nil:
			s.Finding.Detail = several{s.Finding.Elements, s.Finding.Remarks}
			err = w.Finding(s.Finding.Finding)
		case s.Finding != nil && s.Finding.Fingerprint != "":
			s.Finding.Detail = printed(s.Finding.Fingerprint)
			err = w.Finding(s.Finding.Finding)
		case s.Finding != nil && s.Finding.Revision != "":
			s.Finding.Detail = revised(s.Finding.Revision)
			err = w.Finding(s.Finding.Finding)
		case s.Finding != nil && s.Finding.Part != "":
			s.Finding.Detail = parted(s.Finding.Part)
			err = w.Finding(s.Finding.Finding)
		case s.Finding != nil:
			err = w.Finding(s.Finding.Finding)
		case s.Answer != nil:
			a := s.Answer.Answer
			a.Outcome.Weight = weight(t, s.Answer.Weight)
			if s.Answer.Brief != nil {
				a.Value = briefed{a.Value, s.Answer.Brief}
			}
			if s.Answer.Elements != nil {
				a.Value = long{briefed{s.Answer.Value, s.Answer.Brief}, s.Answer.Elements}
			}
			err = w.Answer(a)
		default:
			err = w.Fail(s.Fail)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(report.Summary{Value: r.Summary.Value, Text: r.Summary.Text, Weight: weight(t, r.Summary.Weight), No: r.Summary.Weight == "bad", Figures: r.Summary.Figures}); err != nil {
		t.Fatal(err)
	}
	return said(format, b.Bytes())
}

// checkNoneIsLost wants every finding of the run in its text, however answers come between.
func (r dataRun) checkNoneIsLost(t *testing.T, text []byte) {
	t.Helper()
	want := map[string]int{}
	for _, s := range r.Steps {
		if s.Finding != nil {
			want[" ["+s.Finding.Rule+"]"]++
		}
	}
	for rule, n := range want {
		if got := strings.Count(string(text), rule); got < n {
			t.Errorf("%s: %d of %d findings%s are there", r.Name, got, n, rule)
		}
	}
}

// TestAnswers compares what each of the goldens prints of every kind of answer with its
// file, and reads the machine formats back.
func TestAnswers(t *testing.T) {
	runs, schema := dataRuns(t), sarifSchema(t)
	for name, opt := range goldens() {
		format, _, _ := strings.Cut(name, "-")
		var all bytes.Buffer
		for _, r := range runs {
			text := r.render(t, format, opt)
			all.WriteString("==== " + r.Name + "\n" + string(text))
			switch format {
			case "json":
				if !json.Valid(text) {
					t.Errorf("%s: no JSON", r.Name)
				}
			case "jsonl":
				checkLines(t, r.Name, text)
			case "sarif":
				validate(t, schema, r.Name, text)
			case "junit":
				checkSuite(t, r.Name, text)
				r.checkNoneIsLost(t, text)
			}
		}
		compare(t, filepath.Join("testdata", "answers", name+".golden"), all.Bytes())
	}
}

// TestSARIFFixes carries out a fix as SARIF says it.
func TestSARIFFixes(t *testing.T) {
	var log struct {
		Runs []struct {
			Results []struct {
				Fixes []struct {
					Description     struct{ Text string }
					ArtifactChanges []struct {
						ArtifactLocation struct{ URI string }
						Replacements     []struct {
							DeletedRegion   struct{ ByteOffset, ByteLength int }
							InsertedContent struct{ Binary []byte }
						}
					}
				}
			}
		}
	}
	const source, want = "[one two, three]", "[one, two three]"
	fix := finding.Fix{Title: "move the comma", Edits: []finding.Edit{{Start: 4, End: 4, Text: ","}, {Start: 8, End: 9}}}
	text := render(t, "sarif", report.Options{}, func(t *testing.T, w report.Writer) {
		if err := w.Finding(finding.Finding{Rule: "L-001", File: "a.yaml", Message: "m", Fix: &fix}); err != nil {
			t.Fatal(err)
		}
		closeWith(t, w, report.Summary{})
	})
	validate(t, sarifSchema(t), "a fix", text)
	if err := json.Unmarshal(text, &log); err != nil {
		t.Fatal(err)
	}
	read := log.Runs[0].Results[0].Fixes[0]
	var edits []finding.Edit
	for _, r := range read.ArtifactChanges[0].Replacements {
		edits = append(edits, finding.Edit{Start: r.DeletedRegion.ByteOffset, End: r.DeletedRegion.ByteOffset + r.DeletedRegion.ByteLength, Text: string(r.InsertedContent.Binary)})
	}
	got, err := finding.Apply([]byte(source), edits)
	if err != nil || string(got) != want || read.Description.Text != fix.Title || read.ArtifactChanges[0].ArtifactLocation.URI != "a.yaml" {
		t.Errorf("%q, %v from %+v", got, err, read)
	}
}

// TestListingOnly: only the text format gathers lines.
func TestListingOnly(t *testing.T) {
	for _, f := range report.Formats() {
		if got := report.ListingOnly([]string{"text", f}); got != (f == "text") {
			t.Errorf("%s: %v", f, got)
		}
	}
}

// brokenStream refuses to be written.
type brokenStream struct{}

var errBroken = errors.New("no room")

func (brokenStream) Write([]byte) (int, error) { return 0, errBroken }

// TestBrokenStream: every writer passes on the error of its stream, and several writers
// go on with the others.
func TestBrokenStream(t *testing.T) {
	for _, f := range report.Formats() {
		broken, err := report.New(f, brokenStream{}, run(), report.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		whole, err := report.New(f, &b, run(), report.Options{})
		if err != nil {
			t.Fatal(err)
		}
		both := report.Several{broken, whole}
		err = errors.Join(
			both.Finding(findings()[0]), both.Answer(report.Answer{List: "inputs", Value: 1, Subject: "a", Outcome: report.Outcome{Word: "valid"}}),
			both.Fail("cannot read b"), both.Close(report.Summary{Text: "done"}))
		if !errors.Is(err, errBroken) || b.Len() == 0 {
			t.Errorf("%s: %v, %d bytes beside it", f, err, b.Len())
		}
	}
}
