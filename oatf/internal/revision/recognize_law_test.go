package revision_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/oatf/internal/revision"
	"github.com/cupel-dev/cupel/oatf/internal/yamltext"
	"github.com/cupel-dev/cupel/oatf/model"
)

// TestRecognitionLaw draws documents with marks of every level and of both revisions, and
// without any. What is recognised is what the table of marks says of the values, whatever the
// order of the keys, the style of the text and its comments.
func TestRecognitionLaw(t *testing.T) {
	drawn := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		attack := drawAttack(t)
		want, both := tabled(attack)
		for range 2 {
			w := &sheet{T: t}
			w.block(model.Object{{Key: "attack", Value: attack}, {Key: "oatf", Value: "0.1"}}, 0)
			text := w.String()
			source, fault := yamltext.Read([]byte(text), model.Limits{})
			if fault != nil {
				t.Fatalf("%v\n%s", fault, text)
			}
			p, signs := revision.Recognize(source.Root)
			if string(p.Revision) != want || (len(signs) == 2) != both {
				t.Fatalf("%s by %v, the table says %s, both: %v\n%s", p.Revision, signs, want, both, text)
			}
			if len(signs) > 0 && signs[0].Revision != p.Revision {
				t.Fatalf("%s by %v\n%s", p.Revision, signs, text)
			}
			for _, s := range signs {
				if !strings.HasPrefix(s.Path, "attack.") || source.Position(s.Path) == source.Position("attack") {
					t.Fatalf("no such place: %v\n%s", s, text)
				}
			}
		}
		if both {
			want = "both"
		}
		drawn[want]++
	})
	t.Log(drawn)
}

// The table of marks, read over values without a thought for speed.

var oldSurfaces = strings.Fields(`
	tool_description tool_title tool_input_schema tool_name tool_annotations tool_output_schema tool_icons tool_response
	tool_structured_response tool_arguments resource_content resource_uri resource_title resource_description
	resource_icons prompt_content prompt_arguments prompt_title prompt_description prompt_icons server_notification
	server_capability server_info server_instructions sampling_request elicitation_request elicitation_response
	mcp_task_status mcp_task_result roots_response agent_card card_name card_description skill_description skill_name
	task_message task_artifact task_status message_history tool_definition tool_result agent_state forwarded_props
	agent_event agent_tool_call`)

var newSurfaces = strings.Fields(`
	initialize ping tools/list tools/call resources/list resources/read resources/templates/list prompts/list prompts/get
	completion/complete sampling/createMessage elicitation/create roots/list tasks/get tasks/result tasks/list tasks/cancel
	notifications/cancelled notifications/progress
	resources/subscribe resources/unsubscribe logging/setLevel notifications/initialized notifications/roots/list_changed
	notifications/message notifications/tools/list_changed notifications/prompts/list_changed
	notifications/resources/list_changed notifications/resources/updated notifications/tasks/status
	notifications/elicitation/complete
	message/send message/stream tasks/resubscribe tasks/pushNotificationConfig/set tasks/pushNotificationConfig/get
	tasks/pushNotificationConfig/list tasks/pushNotificationConfig/delete agent/getAuthenticatedExtendedCard agent_card/get
	task/status task/artifact
	run_agent_input run_started run_finished run_error step_started step_finished text_message_start text_message_content
	text_message_end text_message_chunk tool_call_start tool_call_args tool_call_end tool_call_chunk tool_call_result
	state_snapshot state_delta messages_snapshot activity_snapshot activity_delta reasoning_start reasoning_end
	reasoning_message_start reasoning_message_content reasoning_message_end reasoning_message_chunk
	reasoning_encrypted_value raw custom`)

var verbs = strings.Fields(`list_tools call_tool list_resources read_resource list_prompts get_prompt subscribe_resource
	unsubscribe_resource get_task cancel_task list_tasks complete get_task_result`)

// tabled returns the revision that the table gives an attack, and whether it has marks of both.
func tabled(attack model.Object) (revision string, both bool) {
	newer, older := map[int]bool{}, map[int]bool{}
	for _, ind := range items(attack, "indicators") {
		for _, key := range []string{"target", "actor", "direction", "method", "tier"} {
			if has(ind, key) {
				newer[1] = true
			}
		}
		surface, _ := member(ind, "surface").(string)
		if slices.Contains(newSurfaces, surface) {
			newer[2] = true
		}
		if slices.Contains(oldSurfaces, surface) {
			older[2] = true
		}
	}
	execution := member(attack, "execution")
	phases := items(execution, "phases")
	for _, actor := range items(execution, "actors") {
		phases = append(phases, items(actor, "phases")...)
	}
	states := []model.Value{member(execution, "state")}
	for _, ph := range phases {
		states = append(states, member(ph, "state"))
		tabledPhase(ph, newer, older)
	}
	for _, state := range states {
		tabledState(state, newer, older)
	}
	for level := 1; level <= 4; level++ {
		switch {
		case newer[level]:
			return "2026-03", len(older) > 0
		case older[level]:
			return "sdk-0.1", len(newer) > 0
		}
	}
	return "sdk-0.1", false
}

func tabledPhase(ph model.Value, newer, older map[int]bool) {
	for _, action := range items(ph, "on_enter") {
		if has(action, "send") {
			newer[3] = true
		}
		if has(action, "send_notification") || has(action, "send_elicitation") {
			older[3] = true
		}
	}
	trigger := member(ph, "trigger")
	event, _ := member(trigger, "event").(string)
	if strings.HasPrefix(event, "tasks/pushNotificationConfig/") {
		newer[3] = true
	}
	if strings.Contains(event, ":") || strings.HasPrefix(event, "tasks/pushNotification/") || event == "interrupt" {
		older[3] = true
	}
	match, _ := member(trigger, "match").(model.Object)
	for _, m := range match {
		if strings.HasPrefix(m.Key, "params.") {
			older[3] = true
		}
	}
}

func tabledState(state model.Value, newer, older map[int]bool) {
	if has(state, "tool_responses") {
		newer[4] = true
	}
	if has(state, "task_message") || has(state, "elicitation_requests") {
		older[4] = true
	}
	for _, action := range items(state, "actions") {
		if _, word := action.(string); word {
			older[4] = true
		}
		if has(action, "method") {
			newer[4] = true
		}
		for _, verb := range verbs {
			if has(action, verb) {
				older[4] = true
			}
		}
	}
	for _, entry := range items(state, "task_responses") {
		if has(entry, "content") {
			newer[4] = true
		}
		if has(entry, "status") || has(entry, "messages") || has(entry, "artifacts") {
			older[4] = true
		}
	}
	for _, tool := range items(state, "tools") {
		for _, entry := range items(tool, "responses") {
			if _, mapping := member(entry, "content").(model.Object); mapping {
				newer[4] = true
			}
		}
		if has(tool, "response") {
			older[4] = true
		}
	}
	for _, prompt := range items(state, "prompts") {
		if has(prompt, "response") {
			older[4] = true
		}
	}
}

func member(v model.Value, key string) model.Value {
	o, _ := v.(model.Object)
	m, _ := o.Get(key)
	return m
}

func has(v model.Value, key string) bool {
	o, _ := v.(model.Object)
	_, ok := o.Get(key)
	return ok
}

func items(v model.Value, key string) []model.Value {
	list, _ := member(v, key).([]model.Value)
	return list
}

// drawAttack draws an attack of a few parts, usually without marks.
func drawAttack(t *rapid.T) model.Object {
	attack := model.Object{{Key: "name", Value: "a"}}
	if list := drawList(t, drawIndicator); len(list) > 0 {
		attack = append(attack, model.Member{Key: "indicators", Value: list})
	}
	execution := model.Object{{Key: "mode", Value: "mcp_server"}}
	for _, form := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"state", "phases", "actors"}), 0, 2, rapid.ID).Draw(t, "forms") {
		var v model.Value
		switch form {
		case "state":
			v = drawState(t)
		case "phases":
			v = drawList(t, drawPhase)
		default:
			v = drawList(t, func(t *rapid.T) model.Value {
				return model.Object{{Key: "phases", Value: drawList(t, drawPhase)}}
			})
		}
		execution = append(execution, model.Member{Key: form, Value: v})
	}
	return append(attack, model.Member{Key: "execution", Value: execution})
}

func drawList(t *rapid.T, element func(*rapid.T) model.Value) []model.Value {
	list := make([]model.Value, rapid.IntRange(0, 2).Draw(t, "length"))
	for i := range list {
		list[i] = element(t)
	}
	return list
}

// drawMembers draws some of the members that a text of "key" or "key=value" words offers.
func drawMembers(t *rapid.T, words string) model.Value {
	var o model.Object
	for _, word := range rapid.SliceOfN(rapid.SampledFrom(strings.Fields(words)), 0, 3).Draw(t, "members") {
		key, value, _ := strings.Cut(word, "=")
		if !has(o, key) {
			o = append(o, model.Member{Key: key, Value: value})
		}
	}
	return o
}

func drawIndicator(t *rapid.T) model.Value {
	return drawMembers(t, "id description severity confidence pattern expression semantic Target targets protocol x-target "+
		"target actor direction method tier surface=tool_name surface=agent_card surface=tools/call surface=custom surface=tools surface=")
}

func drawPhase(t *rapid.T) model.Value {
	trigger := drawMembers(t, "event=tools/call event=custom event=tools/call:a event=tasks/pushNotificationConfig/set "+
		"event=tasks/pushNotification/get event=interrupt event=interrupts after count").(model.Object)
	trigger = append(trigger, model.Member{Key: "match", Value: drawMembers(t, "name params params.name arguments.a status.state")})
	return model.Object{
		{Key: "on_enter", Value: drawList(t, func(t *rapid.T) model.Value {
			return drawMembers(t, "log delay_ms x-send sent send send_notification send_elicitation")
		})},
		{Key: "state", Value: drawState(t)},
		{Key: "trigger", Value: trigger},
	}
}

func drawState(t *rapid.T) model.Value {
	state, _ := drawMembers(t, "behavior capabilities responses server_info tool_responses task_message elicitation_requests").(model.Object)
	add := func(key string, element func(*rapid.T) model.Value) {
		if list := drawList(t, element); len(list) > 0 {
			state = append(state, model.Member{Key: key, Value: list})
		}
	}
	add("actions", func(t *rapid.T) model.Value {
		if rapid.IntRange(0, 4).Draw(t, "word") == 0 {
			return "list_tools"
		}
		return drawMembers(t, "params name call_tool complete method methods call_tools")
	})
	add("task_responses", func(t *rapid.T) model.Value {
		return drawMembers(t, "when synthesize x-status history content status messages artifacts")
	})
	offer := func(t *rapid.T) model.Value {
		o, _ := drawMembers(t, "name description inputSchema response").(model.Object)
		return append(o, model.Member{Key: "responses", Value: drawList(t, func(t *rapid.T) model.Value {
			entry, _ := drawMembers(t, "when messages isError").(model.Object)
			switch rapid.IntRange(0, 3).Draw(t, "content") {
			case 0:
				entry = append(entry, model.Member{Key: "content", Value: drawMembers(t, "content isError")})
			case 1:
				entry = append(entry, model.Member{Key: "content", Value: []model.Value{"a"}})
			}
			return entry
		})})
	}
	add("tools", offer)
	add("prompts", offer)
	return state
}

// sheet writes a value as YAML of any style.
type sheet struct {
	*rapid.T
	strings.Builder
}

func (w *sheet) dice(n int) int { return rapid.IntRange(0, n-1).Draw(w.T, "dice") }

// block writes a value on lines of its own.
func (w *sheet) block(v model.Value, indent int) {
	margin := strings.Repeat(" ", indent)
	switch v := v.(type) {
	case model.Object:
		for _, m := range rapid.Permutation(v).Draw(w.T, "order") {
			if w.dice(6) == 0 {
				w.WriteString(margin + "# target: a\n")
			}
			w.WriteString(margin + w.word(m.Key) + ":")
			w.below(m.Value, indent)
		}
	case []model.Value:
		for _, item := range v {
			w.WriteString(margin + "-")
			w.below(item, indent)
		}
	}
}

// below writes the value after a key or a dash.
func (w *sheet) below(v model.Value, indent int) {
	switch size := sizeOf(v); {
	case size > 0 && w.dice(3) > 0:
		w.WriteString("\n")
		w.block(v, indent+2)
	case size < 0 && w.dice(6) == 0 && v != "":
		w.WriteString(" >-\n" + strings.Repeat(" ", indent+2) + v.(string) + "\n")
	default:
		w.WriteString(" ")
		w.flow(v)
		w.WriteString("\n")
	}
}

// sizeOf returns how many members or elements a value has, -1 of one that has none.
func sizeOf(v model.Value) int {
	switch v := v.(type) {
	case model.Object:
		return len(v)
	case []model.Value:
		return len(v)
	}
	return -1
}

// flow writes a value in brackets.
func (w *sheet) flow(v model.Value) {
	switch v := v.(type) {
	case model.Object:
		w.WriteString("{")
		for i, m := range rapid.Permutation(v).Draw(w.T, "order") {
			if i > 0 {
				w.WriteString(", ")
			}
			w.WriteString(w.word(m.Key) + ": ")
			w.flow(m.Value)
		}
		w.WriteString("}")
	case []model.Value:
		w.WriteString("[")
		for i, item := range v {
			if i > 0 {
				w.WriteString(", ")
			}
			w.flow(item)
		}
		w.WriteString("]")
	case string:
		w.WriteString(w.word(v))
	}
}

// word writes a string in one of the styles; a plain one when that is what it stays.
func (w *sheet) word(s string) string {
	switch w.dice(4) {
	case 0:
		return "'" + s + "'"
	case 1:
		return `"` + s + `"`
	case 2:
		return `!!str "` + s + `"`
	}
	if s == "" {
		return `""`
	}
	return s
}
