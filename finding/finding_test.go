package finding_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/finding"
)

func TestJSON(t *testing.T) {
	index := int64(9)
	for _, c := range []struct {
		f    finding.Finding
		want string
	}{
		{
			finding.Finding{Rule: "file.empty", Severity: finding.Error, Message: "the file has no content"},
			`{"rule":"file.empty","severity":"error","index":null,"caused_by":null,"path":"","message":"the file has no content"}`,
		},
		{finding.Finding{
			Rule: "hash.snippet", Severity: finding.Warning, File: "t.jsonl", Line: 3, Column: 5, EndColumn: 6, Path: "claim",
			Index: &index, CausedBy: "hash.evidence@2", Message: "m", Expected: "a", Found: "b", Notes: []string{"n"},
			Source: finding.Snippet{Text: "not for machines"},
		}, `{"rule":"hash.snippet","severity":"warning","file":"t.jsonl","line":3,"column":5,"end_column":6,"index":9,"caused_by":"hash.evidence@2","path":"claim","message":"m","expected":"a","found":"b","notes":["n"]}`},
	} {
		got, err := json.Marshal(c.f)
		if err != nil || string(got) != c.want {
			t.Errorf("%v\n got %s\nwant %s", err, got, c.want)
		}
	}
}

// said is a detail; one without a word adds nothing.
type said struct {
	Word string `json:"word,omitempty"`
}

func (said) Remarks() [][2]string { return nil }

func TestJSONDetail(t *testing.T) {
	for want, f := range map[string]finding.Finding{
		`,"message":"","word":"yes"}`: {Detail: said{"yes"}},
		`,"message":""}`:              {Detail: said{}},
		`,"fix":{"title":"add a comma","edits":[{"start":1,"end":1,"text":","}]},"word":"yes"}`: {
			Detail: said{"yes"}, Fix: &finding.Fix{Title: "add a comma", Edits: []finding.Edit{{Start: 1, End: 1, Text: ","}}},
		},
	} {
		got, err := json.Marshal(f)
		if err != nil || !strings.HasSuffix(string(got), want) || !json.Valid(got) {
			t.Errorf("%s, %v: want the end %s", got, err, want)
		}
	}
}

func TestSort(t *testing.T) {
	list := finding.Sort([]finding.Finding{
		{Line: 2, Rule: "b"}, {Line: 1, Column: 9, Rule: "z"}, {Line: 2, Rule: "a"}, {Line: 1, Column: 2, Rule: "z"}, {Line: 2, Rule: "b"},
	})
	var got string
	for _, f := range list {
		got += f.Rule
	}
	if got != "zzab" || list[0].Column != 2 {
		t.Errorf("%s: %+v", got, list)
	}
}

func TestSeverityText(t *testing.T) {
	for _, s := range []finding.Severity{finding.Info, finding.Warning, finding.Error} {
		var back finding.Severity
		text, _ := s.MarshalText()
		if err := back.UnmarshalText(text); err != nil || back != s {
			t.Errorf("%s becomes %s, %v", s, back, err)
		}
	}
	var s finding.Severity
	if s.UnmarshalText([]byte("fatal")) == nil {
		t.Error("fatal is a severity")
	}
}

// TestJSONComesBack: a finding that is written, read and written again is the same text, with
// what one family alone says of it.
func TestJSONComesBack(t *testing.T) {
	index := int64(-3)
	for _, f := range []finding.Finding{
		{Rule: "file.empty", Severity: finding.Error, Message: "the file <has> no content\u2028"},
		{Rule: "a", Severity: finding.Info, Detail: said{"yes <no>"}},
		{
			Rule: "hash.snippet", Severity: finding.Warning, File: "t.jsonl", Line: 3, Column: 5, EndLine: 4, EndColumn: 6, Path: "claim", Index: &index,
			CausedBy: "hash.evidence@2", Message: "m", Expected: "a", Found: "b", Notes: []string{"n"}, Help: "h",
			Fix: &finding.Fix{Title: "t", Edits: []finding.Edit{{Start: 1, End: 2, Text: "x"}}}, Detail: said{"w"},
		},
	} {
		text, err := json.Marshal(f)
		if err != nil {
			t.Fatal(err)
		}
		var back finding.Finding
		if err := json.Unmarshal(text, &back); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		again, err := json.Marshal(back)
		if err != nil || string(again) != string(text) {
			t.Errorf("%v\n got %s\nwant %s", err, again, text)
		}
	}
	for _, text := range []string{``, `[]`, `{"rule":1}`, `{"severity":"fatal"}`, `"x"`} {
		var f finding.Finding
		if json.Unmarshal([]byte(text), &f) == nil {
			t.Errorf("%q is a finding", text)
		}
	}
}
