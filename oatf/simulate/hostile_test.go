package simulate_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/oatf/model"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/simulate"
)

// stateKeys are the members of states that mean something to a simulation, in any revision.
var stateKeys = []string{
	"protocol_version", "server_info", "instructions", "capabilities", "tools", "resources", "resource_templates", "prompts", "elicitations",
	"actions", "sampling_responses", "elicitation_responses", "roots", "agent_card", "task_responses", "task_message", "run_agent_input", "tool_responses",
}

// drawValue draws what a state may hold: what has a meaning at some place, at any place.
func drawValue(t *rapid.T, depth int) oatf.Value {
	most := 8
	if depth == 0 {
		most = 5
	}
	switch rapid.IntRange(0, most).Draw(t, "kind") {
	case 0:
		return nil
	case 1:
		return true
	case 2:
		return oatf.Number("1.0")
	case 3, 4, 5:
		return rapid.SampledFrom([]string{"", "a", "{{x}}", "{{request.name}}", `\{{`, "method", "url"}).Draw(t, "text")
	case 6:
		list := []oatf.Value{}
		for range rapid.IntRange(0, 2).Draw(t, "elements") {
			list = append(list, drawValue(t, depth-1))
		}
		return list
	}
	object := oatf.Object{}
	keys := []string{"name", "uri", "when", "content", "messages", "responses", "response", "synthesize", "prompt", "method", "params", "mode", "toolCallId", "a"}
	for range rapid.IntRange(0, 4).Draw(t, "members") {
		key := rapid.SampledFrom(keys).Draw(t, "key")
		if _, there := object.Get(key); !there {
			object = append(object, oatf.Member{Key: key, Value: drawValue(t, depth-1)})
		}
	}
	return object
}

// TestAnyState: whatever a valid document has in its state, a run ends with an answer or an
// error, and again with the same one.
func TestAnyState(t *testing.T) {
	runs := 0
	rapid.Check(t, func(t *rapid.T) {
		r := rapid.SampledFrom(oatf.Revisions()).Draw(t, "revision")
		mode := rapid.SampledFrom(oatf.KnownModes()).Draw(t, "mode")
		state := oatf.Object{}
		for _, key := range stateKeys {
			if rapid.Bool().Draw(t, key) {
				state = append(state, oatf.Member{Key: key, Value: drawValue(t, 4)})
			}
		}
		own := "run_agent_input"
		doc := &oatf.Document{OATF: "0.1", Revision: r, Attack: oatf.Attack{Execution: oatf.Execution{Mode: &mode, Phases: []oatf.Phase{
			{State: state, Trigger: &oatf.Trigger{Event: &own}}, {},
		}}}}
		if rapid.Bool().Draw(t, "one phase") || r == oatf.SDK01 {
			doc.Attack.Execution.Phases = []oatf.Phase{{State: state}}
		}
		if !oatf.Validate(doc).Valid() {
			return
		}
		runs++
		var events []simulate.Event
		for _, name := range append(oatf.Under(r).Events(mode), "vendor/method") {
			events = append(events, simulate.Event{Type: name, Content: drawValue(t, 2)})
		}
		if first, again := steps(t, doc, events), steps(t, doc, events); first != again {
			t.Errorf("one run\n%sanother\n%s", first, again)
		}
	})
	if runs == 0 {
		t.Error("no document was valid")
	}
}

// steps returns the steps of a run, one per line, with the error that ended it.
func steps(t *rapid.T, doc *oatf.Document, events []simulate.Event) string {
	var b strings.Builder
	sim, err := simulate.New(doc, simulate.Options{Each: func(s *simulate.Step) error {
		b.WriteString(stepLine(s))
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	err = sim.Begin(t.Context())
	for i := range events {
		if err == nil {
			err = sim.Take(t.Context(), &events[i])
		}
	}
	if err != nil {
		b.WriteString(err.Error())
		if _, known := errors.AsType[*model.GenerationError](err); !known && !strings.Contains(err.Error(), "state.") {
			t.Errorf("the error does not say where: %v", err)
		}
	}
	return b.String()
}
