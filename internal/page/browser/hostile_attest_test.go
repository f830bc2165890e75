//go:build pages

package browser

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// hostileAssertions are assertions whose names and values are an attack, of each kind that needs
// no model; what they find in a trace is another.
const hostileAssertions = `  - {assertion_id: %[1]s, type: content, tags: [%[1]s], spec: {target: output.message, check: contains, value: %[2]s}}
  - {assertion_id: %[2]s, type: content, spec: {target: output.message, check: forbidden, values: [%[1]s]}}
  - {assertion_id: %[3]s, type: schema, spec: {target: output.structured, schema: {type: object, required: [%[2]s], properties: {value: {const: %[2]s}}}}}
  - {assertion_id: %[4]s, type: trace, spec: {check: contains_in_order, tools: [%[2]s, %[1]s]}}
  - {assertion_id: %[5]s, type: constraint, spec: {field: metadata.latency_ms, operator: lte, value: 1, soft: true}}
`

const hostileDialog = `{"schema_version":1,"trace_id":%[1]s,"agent_id":%[1]s,"input":{"user_message":%[1]s},"steps":[{"type":"tool_call","name":%[1]s,"args":{%[1]s:%[1]s},"result":{%[1]s:%[1]s}}],` +
	`"output":{"message":%[1]s,"structured":{"value":%[1]s}},"metadata":{"latency_ms":5,"model":%[1]s}}`

// hostileSuite writes a suite, its traces and a cupel.yaml that pairs them into a folder, and
// returns the names of the traces.
func hostileSuite(t *testing.T, dir string) (traces []string) {
	t.Helper()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var suite strings.Builder
	for i, attack := range attacks {
		quoted := func(more string) string { return fmt.Sprintf("%q", attack+more) }
		if i == 0 {
			fmt.Fprintf(&suite, "name: %s\nassertions:\n", quoted(""))
		}
		fmt.Fprintf(&suite, hostileAssertions, quoted(""), quoted(" 2"), quoted(" 3"), quoted(" 4"), quoted(" 5"))
		if i%7 == 0 {
			name := fmt.Sprintf("trace %d %s.json", i, strings.ReplaceAll(attack, "/", "\u2215"))
			write(name, fmt.Sprintf(hostileDialog, quoted("")))
			traces = append(traces, name)
		}
	}
	write("suite.yaml", suite.String())
	write("cupel.yaml", "attest:\n  pairs:\n    - {suite: suite.yaml, traces: ['trace *.json']}\n")
	return traces
}

// TestHostileSuites: what suites and traces say is text on the pages of their results, and of a
// check that evaluates them.
func TestHostileSuites(t *testing.T) {
	dir := t.TempDir()
	traces := hostileSuite(t, dir)
	for name, args := range map[string][]string{
		"attest-eval": append([]string{"attest", "eval", "--assertions", "suite.yaml"}, traces...),
		"check-pairs": {"check"},
	} {
		t.Run(name, func(t *testing.T) {
			file, code := written(t, dir, args...)
			if code != 1 {
				t.Errorf("exit code %d, expected 1", code)
			}
			o := open(t, file)
			o.whole(t)
			o.holds(t, ".matrix .cell.bad .open")
			o.holds(t, ".matrix .detail.bad .comparison")
			o.harmless(t)
			o.walk(t)
			keep(t, "hostile-"+name+".png", run(t, o, chromedp.CaptureScreenshot()))
		})
	}
}
