package migrate

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/capture"
	"github.com/cupel-dev/cupel/oatf/eval"
)

// TestVerdictLaw draws indicators of the earlier revision and logs of a runner. An indicator
// about which the migration says nothing has the same result under both revisions.
func TestVerdictLaw(t *testing.T) {
	same, matched := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		g := &generator{T: t}
		mode := g.one("mode", "mcp_server", "mcp_client")
		text := "oatf: \"0.1\"\nattack:\n  execution: {mode: " + mode + ", state: {}}\n  indicators:\n"
		var drawn []string
		for range 4 {
			drawn = append(drawn, g.one("surface", "tool_arguments", "tool_response", "tool_name", "tool_description", "prompt_arguments", "elicitation_response", "sampling_request", "roots_response"))
			text += "    - surface: " + drawn[len(drawn)-1] + "\n" +
				"      pattern: {" + g.one("target", "", "", "target: arguments.a, ", "target: \"tools[*].name\", ", "target: a, ") + "condition: " +
				g.one("condition", "{contains: b}", "{regex: \"^a\"}", "b", "{any_of: [a, 1]}", "{gt: 0}", "{starts_with: \"{\"}", "{exists: true}", "{a: b}") + "}\n"
		}
		log := ""
		for i := range 4 {
			method := g.one("method", "tools/call", "tools/list", "prompts/get", "elicitation/create", "sampling/createMessage", "roots/list")
			value := g.one("value", `"a"`, `"ab"`, `"b"`, "1", "null", `{"a":"b"}`, `["b"]`, "true")
			shape := g.one("content", `{"arguments":%s}`, `{"arguments":{"a":%s}}`, `{"tools":[{"name":%s,"description":"b"}]}`, `{"content":[%s]}`, `{"a":%s}`, `{"roots":[%s]}`)
			if fit, ok := shapes[drawn[i]]; ok && g.yes("fits") {
				method, shape = fit[0], fit[1]
			}
			content := fmt.Sprintf(shape, value)
			log += fmt.Sprintf(`{"seq":%d,"timestamp":"2026-01-01T00:00:00Z","actor":"default","phase":"phase-1","direction":"incoming","method":%q,"content":%s}`+"\n", i, method, content)
		}
		result, err := Options{From: oatf.SDK01, To: oatf.V202603}.Migrate([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		noted := map[string]bool{}
		for _, n := range result.Notes {
			noted[n.Path] = true
		}
		there := apply(t, text, result)
		before, after := resultsOf(t, text, oatf.SDK01, log), resultsOf(t, there, oatf.V202603, log)
		for i := range before {
			if noted[fmt.Sprintf("attack.indicators[%d]", i)] {
				continue
			}
			if same++; before[i] == eval.Matched {
				matched++
			}
			if before[i] != after[i] {
				t.Fatalf("indicator %d: %s, then %s\n%s\n%s\n%s", i, before[i], after[i], text, there, log)
			}
		}
	})
	t.Logf("%d results are the same, %d of them matched", same, matched)
	if same == 0 {
		t.Error("nothing was compared")
	}
}

// shapes are messages that show a surface.
var shapes = map[string][2]string{
	"tool_arguments":   {"tools/call", `{"arguments":%s}`},
	"tool_response":    {"tools/call", `{"content":[%s]}`},
	"tool_name":        {"tools/list", `{"tools":[{"name":%s}]}`},
	"prompt_arguments": {"prompts/get", `{"arguments":%s}`},
}

func resultsOf(t *rapid.T, text string, r oatf.Revision, log string) []eval.IndicatorResult {
	loaded, err := oatf.ParseOptions{Revision: r}.Load([]byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	evaluator, err := eval.NewEvaluator(loaded.Document, eval.Options{})
	if err != nil {
		t.Fatal(err)
	}
	run := evaluator.Start()
	reader := capture.NewReader(strings.NewReader(log), evaluator.Reading(capture.Options{}))
	for {
		message, err := reader.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil {
			err = run.Take(context.Background(), message)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	var results []eval.IndicatorResult
	for _, v := range run.Finish().IndicatorVerdicts {
		results = append(results, v.Result)
	}
	return results
}
