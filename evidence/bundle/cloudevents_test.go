package bundle_test

import (
	"bytes"
	"encoding/json"
	"testing"

	cloudevents "github.com/cloudevents/sdk-go/v2/event"
	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/evidence/bundle"
)

// TestCloudEvents: an implementation of CloudEvents reads every event that is written.
func TestCloudEvents(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		list := drawRun(rt)
		for _, e := range list {
			for _, name := range others {
				delete(e, name) // no name of an extension
			}
			e["type"], e["subject"], e["time"] = `"assay.fs.access"`, `"s"`, `"2026-01-02T03:04:05.120+00:00"`
		}
		events := unseal(t, mustSeal(t, spelled(rt, list), bundle.SealOptions{}))
		for line := range bytes.Lines(events) {
			var e cloudevents.Event
			if err := json.Unmarshal(line, &e); err != nil {
				rt.Fatalf("%s: %v", line, err)
			}
			if err := e.Validate(); err != nil {
				rt.Fatalf("%s: %v", line, err)
			}
		}
	})
}
