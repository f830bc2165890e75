package rules

import "testing"

// TestTable holds that every handle has its row: none is empty, and no id occurs twice.
func TestTable(t *testing.T) {
	seen := map[string]bool{}
	for i, r := range Table {
		if r.ID == "" || r.Title == "" || r.Clause == "" || r.Rationale == "" || seen[r.ID] {
			t.Errorf("row %d is empty or repeated: %+v", i, r)
		}
		seen[r.ID] = true
		if h, ok := Lookup(r.ID); !ok || int(h) != i || h.ID() != r.ID || h.New("m").Severity != r.Severity {
			t.Errorf("%s is found as %d, %v", r.ID, h, ok)
		}
	}
	if h, ok := Lookup("V-000"); ok {
		t.Errorf("V-000 is %s", h.ID())
	}
}

func TestSpecRef(t *testing.T) {
	for h, want := range map[Handle]string{V007: "§11.1.8, §11.1.9", W005: "§7.0", P001: "", S002: ""} {
		if got := h.SpecRef(); got != want {
			t.Errorf("%s rests on %q, not on %q", h.ID(), got, want)
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
	if list := Complete(Table); len(list) != len(Table) || list[V005].Bad == Table[V005].Bad {
		t.Error("the examples of a table stay incomplete")
	}
}
