//go:build pages

package browser

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// hostileAttack is a valid document that says an attack wherever an author may say anything.
const hostileAttack = `oatf: "0.1"
attack:
  name: %[1]s
  description: %[1]s
  execution:
    mode: mcp_server
    phases:
      - name: %[1]s
        description: %[1]s
        state: {tools: [{name: %[1]s, description: %[1]s, responses: [{content: [{type: text, text: %[1]s}]}]}], %[1]s: %[1]s}
        on_enter: [log: {message: %[1]s}]
        trigger: {event: "tools/call", match: {name: %[1]s}, after: 10m}
      - name: %[2]s
  indicators:
    - {surface: tool_arguments, description: %[1]s, pattern: {target: arguments.a, condition: %[1]s}}
    - {surface: tool_arguments, description: %[1]s, pattern: {target: arguments.a, contains: %[1]s}}
`

// TestHostileAttacks checks that texts of documents and captures stay text, also on the pages of attacks in time and
// of verdicts.
func TestHostileAttacks(t *testing.T) {
	dir := t.TempDir()
	var documents []string
	var capture strings.Builder
	for i, attack := range attacks {
		if strings.Contains(attack, "{{") {
			continue // a template, which a document may not have of this form
		}
		name := fmt.Sprintf("%d.yaml", i)
		text := fmt.Sprintf(hostileAttack, fmt.Sprintf("%q", attack), fmt.Sprintf("%q", attack+" 2"))
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		documents = append(documents, name)
		fmt.Fprintf(&capture, `{"seq":%[2]d,"timestamp":"2026-11-23T00:00:00Z","actor":%[1]q,"phase":%[1]q,"direction":"incoming","method":"tools/call","content":{%[1]q:1,"name":%[1]q,"arguments":{"a":%[1]q}}}`+"\n", attack, i+1)
	}
	if err := os.WriteFile(filepath.Join(dir, "run.jsonl"), []byte(capture.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		code int
		args []string
		has  string
	}{
		{0, append([]string{"oatf", "view"}, documents...), ".timeline .lane"},
		{1, append([]string{"oatf", "eval", "--trace", "run.jsonl"}, documents...), ".messages .noted mark"},
		{1, append([]string{"oatf", "eval", "--trace", "run.jsonl"}, documents[0]), ".messages .noted mark"},
	} {
		file, code := written(t, dir, c.args...)
		if code != c.code {
			t.Errorf("%v: exit code %d, expected %d", c.args[:2], code, c.code)
		}
		o := open(t, file)
		o.whole(t)
		o.holds(t, c.has)
		o.harmless(t)
	}
}
