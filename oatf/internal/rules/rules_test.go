package rules

import "testing"

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
	table := Common("the book, ").With(Set{Version: {ID: "V-001"}}).Table()
	if list := Complete(table); len(list) != len(table) || list[2].Bad == table[2].Bad {
		t.Error("the examples of a table stay incomplete")
	}
}
