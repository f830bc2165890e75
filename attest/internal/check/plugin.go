package check

import (
	"context"
	"fmt"

	"github.com/cupel-dev/cupel/attest/internal/wording"
)

// pluginCheck returns the result that a client submitted for the trace, the assertion and the plugin.
type pluginCheck struct {
	store       *PluginStore
	plugin      string
	assertionID string // set when the assertion is evaluated
}

func compilePlugin(s *spec) Check {
	return pluginCheck{store: &s.resources.plugins, plugin: s.need("plugin_id")}
}

func (c pluginCheck) evaluate(_ context.Context, s *Subject) Verdict {
	r, ok := c.store.get(s.Trace.ID, c.assertionID, c.plugin)
	if !ok {
		v := Verdict{outcome: violated, Fleeting: true, Explanation: fmt.Sprintf(
			"Not evaluated: plugin %s submitted no result for this trace and assertion; send submit_plugin_result first.", wording.Quote(c.plugin))}
		return v.because(noSubmission, wording.Quote(c.plugin), "")
	}
	return Verdict{status: r.Status, Score: r.Score, Cost: r.Cost, Explanation: r.Explanation, Plugin: &r}
}
