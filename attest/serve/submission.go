package serve

import (
	"slices"
	"strconv"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/attest/internal/wording"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// maxCost exceeds any real cost; maxDurationMS is the largest integer that every client can read.
const (
	maxCost       = 1_000_000
	maxDurationMS = 1 << 53
)

// pluginSubmission is the params of submit_plugin_result.
type pluginSubmission struct {
	traceID, plugin string
	result          attest.Result
}

// readPluginSubmission reads the params of submit_plugin_result (§2.4).
func readPluginSubmission(params strictjson.Node) (p pluginSubmission, err error) {
	f := fields{node: params, method: methodPlugin}
	p.traceID = f.name("trace_id")
	p.plugin = f.name("plugin_name")
	p.result.AssertionID = f.name("assertion_id")
	result := f.object("result")
	result.path = "result."
	p.result.Status = attest.Status(result.text("status"))
	p.result.Score = result.score("score")
	p.result.Explanation = result.text("explanation")
	p.result.Scored = true
	p.result.Cost = result.amount("cost", maxCost)
	p.result.DurationMS = int64(result.amount("duration_ms", maxDurationMS))
	if metadata := result.node.Last("metadata"); metadata.Is(strictjson.Object) {
		p.result.Metadata = string(metadata.Raw())
	} else if !metadata.Missing() {
		result.wrong("metadata", "an object", metadata)
	}
	if !slices.Contains([]attest.Status{attest.Pass, attest.SoftFail, attest.HardFail}, p.result.Status) {
		result.fail("field \"result.status\" must be pass, soft_fail or hard_fail, got " + strconv.Quote(wording.Preview(string(p.result.Status))))
	}
	if result.problem != "" {
		return p, attest.NewError(attest.CodeAssertion, result.problem,
			"submit_plugin_result needs trace_id, plugin_name and assertion_id (non-empty strings) and result with status (pass, soft_fail or hard_fail), score (0.0 to 1.0) and explanation (string). Optional in result: cost and duration_ms (numbers), metadata (object).")
	}
	return p, nil
}
