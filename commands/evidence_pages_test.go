package commands

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

// TestPagesHideValues checks that no page or summary has a value that redaction would change, where the command does not
// exist to show it.
func TestPagesHideValues(t *testing.T) {
	t.Chdir("../testdata/examples/evidence")
	env, out := testEnv(t)
	env.Stderr = &bytes.Buffer{}
	run := func(args string) string {
		t.Helper()
		out.Reset()
		if Main(env, append([]string{"cupel"}, strings.Fields(args)...)) == 2 {
			t.Fatalf("%s: %s%s", args, out, env.Stderr)
		}
		return out.String()
	}
	for _, name := range []string{"private.ndjson", "leaky.ndjson"} {
		var changed struct {
			Changes []struct{ Before json.RawMessage }
		}
		if err := json.Unmarshal([]byte(run("evidence redact --diff --format json "+name)), &changed); err != nil || len(changed.Changes) < 5 {
			t.Fatalf("%d changes: %v", len(changed.Changes), err)
		}
		for _, args := range []string{
			"evidence show " + name, "evidence redact --diff " + name, "evidence redact --check " + name,
			"evidence diff run.ndjson " + name, "evidence diff " + name + " run.ndjson", "evidence diff leaky.ndjson private.ndjson", "evidence diff private.ndjson leaky.ndjson",
		} {
			for _, format := range []string{"html", "markdown"} {
				page := strings.NewReplacer("&#34;", `"`, "&#61;", "=", "&#95;", "_", "&#58;", ":", "&#64;<wbr>", "@").Replace(run(args + " --format " + format))
				if !strings.Contains(page, "this does not prove") {
					t.Errorf("%s: no page: %.200s", args, page)
				}
				for _, c := range changed.Changes {
					var value string
					if json.Unmarshal(c.Before, &value) == nil && strings.Contains(page, value) {
						t.Errorf("%s --format %s has %q", args, format, value)
					}
				}
			}
		}
	}
}
