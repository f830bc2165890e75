package rules

import (
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/finding"
)

func TestSpecRef(t *testing.T) {
	set := Set{TerminalPhase: {ID: "V-008", Clause: "the book, §1, §2"}, Syntax: {ID: "P-001", Clause: "the book, §3"}}
	for h, want := range map[Handle]string{TerminalPhase: "§1, §2", SpokenProtocol: "", Syntax: "", Needed: ""} {
		if got := set.SpecRef(h); got != want {
			t.Errorf("%d rests on %q, not on %q", h, got, want)
		}
	}
}

func TestComplete(t *testing.T) {
	for example, want := range map[string]string{
		"":                       "",
		"oatf: x\nattack: {}\n":  "oatf: x\nattack: {}\n",
		"\nid: A\n":              "oatf: \"0.1\"\nattack:\n  execution: {mode: mcp_server, state: {tools: []}}\n  id: A\n",
		"execution: {}\nid: A\n": "oatf: \"0.1\"\nattack:\n  execution: {}\n  id: A\n",
	} {
		if got := WholeDocument(example); got != want {
			t.Errorf("%q becomes %q", example, got)
		}
	}
	table := Set{Version: {ID: "V-001"}}.Full("the book, ", "target: name").Table()
	if list := Complete(table); len(list) != len(table) || list[2].Bad == table[2].Bad {
		t.Error("the examples of a table stay incomplete")
	}
}

// TestTold fills a row with what all revisions say, and leaves alone what the revision says.
func TestTold(t *testing.T) {
	set := Set{
		UniqueIndicatorID: {ID: "V-010", Clause: "the book, §1"},
		KnownEvent:        {ID: "V-029", Title: "own", Severity: finding.Warning},
		NameLength:        {ID: "L-512", Clause: "the book, §2"},
		GivenID:           {ID: "L-108", Bad: "own", Good: "own"},
	}.Full("the book, ", "target: name")
	if r := set[UniqueIndicatorID]; r.Severity != finding.Error || r.Class != "non-conforming" || r.Clause != "the book, §1" || r.Title != texts[UniqueIndicatorID].Title || !strings.Contains(r.Bad, "{id: first, target: name, pattern") {
		t.Errorf("%+v", r)
	}
	if r := set[KnownEvent]; r.Severity != finding.Warning || r.Class != "" || r.Title != "own" || r.Good == "" {
		t.Errorf("%+v", r)
	}
	if r := set[NameLength]; r.Clause != "the book, §2" || r.Flags != "--strict" || r.Severity != finding.Warning {
		t.Errorf("%+v", r)
	}
	if r := set[GivenID]; r.Bad != "own" || r.Title == "" {
		t.Errorf("%+v", r)
	}
	if r := set[Syntax]; r.ID != SyntaxID || r.Clause != "the book, §3.1 (syntax)" || set.Has(Version) || set[Version].Title != "" {
		t.Errorf("%+v", r)
	}
}

// TestTable lists a rule of several checks once, in the order of the ids.
func TestTable(t *testing.T) {
	set := Set{GracePeriod: {ID: "V-038"}, DurationSyntax: {ID: "V-038"}, NameLength: {ID: "L-512"}, FirstKeyAdvice: {ID: "W-001"}, Version: {ID: "V-001"}}
	var ids []string
	for _, r := range set.Table() {
		ids = append(ids, r.ID)
	}
	if got := strings.Join(ids, " "); got != "V-001 V-038 W-001 L-512" {
		t.Error(got)
	}
}
