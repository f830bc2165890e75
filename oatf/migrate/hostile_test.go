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

// TestHostileDocuments carries what is made to cost a careless reader minutes or gigabytes
// to the other revision: it is refused, or comes out in proportion.
func TestHostileDocuments(t *testing.T) {
	for _, way := range [][2]oatf.Revision{{oatf.SDK01, oatf.V202603}, {oatf.V202603, oatf.SDK01}} {
		for _, d := range racetest.Large(t, 4, append(oatftest.HostileDocuments(string(way[0])), manyChanges(way[0])...)) {
			result, err := Options{From: way[0], To: way[1]}.Migrate([]byte(d.Text))
			if err != nil {
				if d.Rule == "changes" {
					t.Errorf("%s to %s: %v", d.Name, way[1], err)
				}
				continue
			}
			out, err := finding.Apply([]byte(d.Text), result.Edits)
			if err != nil || len(out) > 4*len(d.Text)+1_000_000 {
				t.Errorf("%s to %s: %d bytes, %v", d.Name, way[1], len(out), err)
			}
			if d.Rule == "changes" && len(result.Edits) == 0 {
				t.Errorf("%s to %s: nothing changes", d.Name, way[1])
			}
		}
	}
}

// manyChanges are documents in which far more changes than in any that a person writes.
func manyChanges(r oatf.Revision) []oatftest.HostileDocument {
	const head = "oatf: \"0.1\"\nattack:\n  execution:\n    mode: %s\n"
	many := func(n int, line string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, line, i)
		}
		return b.String()
	}
	server, client := fmt.Sprintf(head, "mcp_server"), fmt.Sprintf(head, "mcp_client")
	list := map[oatf.Revision][][2]string{
		oatf.SDK01: {
			{"20,000 responses", server + "    state:\n      tools:\n        - name: a\n          responses:\n" + many(20_000, "            - content: [] # %d\n")},
			{"20,000 triggers", server + "    phases:\n      - state: {}\n        trigger: {after: 1s}\n" + many(20_000, "      - trigger: {event: \"tools/call:a%d\"}\n")},
			{"40,000 conditions", server + "    phases:\n      - state: {}\n        trigger:\n          event: tools/call\n          match:\n" + many(40_000, "            params.a%d: 1\n")},
			{"20,000 extractors without a group", server + "    phases:\n      - state: {}\n        extractors:\n" + many(20_000, "          - {name: a%d, source: request, type: regex, selector: a}\n")},
			{"40,000 verbs", client + "    state:\n      actions:\n" + many(40_000, "        - list_tools # %d\n")},
			{"20,000 single responses", server + "    state:\n      tools:\n" + many(20_000, "        - {name: a%d, response: {content: []}}\n")},
			{"20,000 indicators", server + "    state: {}\n  indicators:\n" + many(20_000, "    - surface: tool_arguments # %d\n      pattern: {target: arguments.a, contains: a}\n")},
		},
		oatf.V202603: {
			{"40,000 members of an answer", server + "    state:\n      tools:\n        - name: a\n          responses:\n            - content:\n" + many(40_000, "                a%d: 1\n")},
			{"20,000 answers", server + "    state:\n      tools:\n        - name: a\n          responses:\n" + many(20_000, "            - content: # %d\n                isError: true\n")},
			{"40,000 conditions", server + "    phases:\n      - state: {}\n        trigger:\n          event: tools/call\n          match:\n" + many(40_000, "            a%d: 1\n")},
			{"20,000 methods", client + "    state:\n      actions:\n" + many(20_000, "        - {method: tools/list} # %d\n")},
			{"20,000 indicators", server + "    state: {}\n  indicators:\n" + many(20_000, "    - tier: a%d\n      target: arguments.a\n      pattern: {contains: a}\n")},
			{"20,000 kept extractors", server + "    phases:\n      - state: {}\n" + many(20_000, "        x-cupel-extractors.%d: {name: a, source: request, type: regex, selector: a}\n")},
		},
	}
	var documents []oatftest.HostileDocument
	for _, d := range list[r] {
		documents = append(documents, oatftest.HostileDocument{Name: d[0], Text: d[1], Rule: "changes"})
	}
	return documents
}
