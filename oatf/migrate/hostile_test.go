package migrate

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/oatftest"
	"github.com/cupel-dev/cupel/internal/racetest"
	"github.com/cupel-dev/cupel/oatf"
)

// TestHostileDocuments migrates documents that cost a careless reader minutes or gigabytes. Each is refused, or its
// result is of proportionate size.
func TestHostileDocuments(t *testing.T) {
	for _, d := range racetest.Large(t, 4, append(oatftest.HostileDocuments(string(oatf.SDK01)), manyChanges()...)) {
		result, err := Options{From: oatf.SDK01}.Migrate([]byte(d.Text))
		if err != nil {
			if d.Rule == "changes" {
				t.Errorf("%s: %v", d.Name, err)
			}
			continue
		}
		out, err := finding.Apply([]byte(d.Text), result.Edits)
		if err != nil || len(out) > 4*len(d.Text)+1_000_000 {
			t.Errorf("%s: %d bytes, %v", d.Name, len(out), err)
		}
		if d.Rule == "changes" && len(result.Edits) == 0 {
			t.Errorf("%s: nothing changes", d.Name)
		}
	}
}

// manyChanges are documents with far more changes than a person writes.
func manyChanges() (documents []oatftest.HostileDocument) {
	const head = "oatf: \"0.1\"\nattack:\n  execution:\n    mode: %s\n"
	many := func(n int, line string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, line, i)
		}
		return b.String()
	}
	server, client := fmt.Sprintf(head, "mcp_server"), fmt.Sprintf(head, "mcp_client")
	for _, d := range [][2]string{
		{"20,000 responses", server + "    state:\n      tools:\n        - name: a\n          responses:\n" + many(20_000, "            - content: [] # %d\n")},
		{"20,000 triggers", server + "    phases:\n      - state: {}\n        trigger: {after: 1s}\n" + many(20_000, "      - trigger: {event: \"tools/call:a%d\"}\n")},
		{"40,000 conditions", server + "    phases:\n      - state: {}\n        trigger:\n          event: tools/call\n          match:\n" + many(40_000, "            params.a%d: 1\n")},
		{"20,000 extractors without a group", server + "    phases:\n      - state: {}\n        extractors:\n" + many(20_000, "          - {name: a%d, source: request, type: regex, selector: a}\n")},
		{"40,000 verbs", client + "    state:\n      actions:\n" + many(40_000, "        - list_tools # %d\n")},
		{"20,000 single responses", server + "    state:\n      tools:\n" + many(20_000, "        - {name: a%d, response: {content: []}}\n")},
		{"20,000 indicators", server + "    state: {}\n  indicators:\n" + many(20_000, "    - surface: tool_arguments # %d\n      pattern: {target: arguments.a, contains: a}\n")},
	} {
		documents = append(documents, oatftest.HostileDocument{Name: d[0], Text: d[1], Rule: "changes"})
	}
	return documents
}
