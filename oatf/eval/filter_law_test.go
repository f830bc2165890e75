package eval_test

import (
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/capture"
	"github.com/cupel-dev/cupel/oatf/eval"
)

// TestFilterHolds draws documents of the revision 2026-03 and captures, and compares with the procedure of format §6,
// step by step over the lines in order, for any set of documents, also of the other revision, and any order of the
// operands.
func TestFilterHolds(t *testing.T) {
	for range 8 { // streams and answers that fail are drawn seldom
		rapid.Check(t, filterHolds)
	}
}

func filterHolds(t *rapid.T) {
	docs := []*oatf.Document{drawScoped(t), drawScoped(t), drawScoped(t), drawSurfaces(t)}
	lines := slices.Concat(rapid.SliceOfN(rapid.Custom(drawExchange(rapid.Bool().Draw(t, "runner"))), 0, 5).Draw(t, "exchanges")...)
	trace := strings.Join(lines, "\n")
	var alone []eval.AttackVerdict
	all := make([]*eval.Evaluator, len(docs))
	for i, doc := range docs {
		all[i] = scopedEvaluator(t, doc)
		alone = append(alone, batchVerdicts(t, trace, all[i])...)
	}
	if together := batchVerdicts(t, trace, all...); !reflect.DeepEqual(alone, together) {
		t.Fatalf("%s\nalone\n%v\ntogether\n%v", trace, alone, together)
	}
	slices.Reverse(all)
	turned := batchVerdicts(t, trace, all...)
	if slices.Reverse(turned); !reflect.DeepEqual(alone, turned) {
		t.Fatalf("%s\nalone\n%v\nin another order\n%v", trace, alone, turned)
	}
	for i, doc := range docs[:3] {
		for k := range doc.Attack.Indicators {
			want := naiveFilter(doc, &doc.Attack.Indicators[k], lines)
			got := alone[i].IndicatorVerdicts[k].Result
			if want == eval.Skipped && got == eval.NotMatched {
				continue // what a capture covers is another law
			}
			if got != want {
				t.Fatalf("%s\nactors %v\n%s: %s, expected %s: %s", trace, doc.Attack.Execution.Actors, described(&doc.Attack.Indicators[k]), got, want, alone[i].IndicatorVerdicts[k].Evidence)
			}
		}
	}
}

func scopedEvaluator(t *rapid.T, doc *oatf.Document) *eval.Evaluator {
	e, err := eval.NewEvaluator(doc, eval.Options{CEL: eval.NewCEL(eval.CELOptions{}), Clock: midnight})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// batchVerdicts reads the lines once for all documents.
func batchVerdicts(t *rapid.T, trace string, evaluators ...*eval.Evaluator) []eval.AttackVerdict {
	batch := eval.NewBatch(evaluators...)
	run := batch.Start()
	r := capture.NewReader(strings.NewReader(trace), batch.Reading(capture.Options{}))
	for {
		m, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := run.Take(t.Context(), m); err != nil {
			t.Fatal(err)
		}
	}
	return run.Finish()
}

// What is drawn from: methods with the protocol that has them alone, or "".
var (
	drawnMethods = []string{"tools/call", "tools/list", "tasks/get", "message/stream", "tasks/sendSubscribe", "notifications/message", "tool_call_end", "none/such"}
	drawnScopes  = []string{"", "tools/call", "tools/list", "tasks/get", "message/stream", "task/status", "tool_call_end", "notifications/message", "tasks/sendSubscribe"}
	protocolsOf  = map[string]string{
		"tools/call": "mcp", "tools/list": "mcp", "message/stream": "a2a", "tasks/sendSubscribe": "a2a", "notifications/message": "mcp", "tool_call_end": "ag_ui",
	}
	drawnActors = []string{"one", "two", "three"}
	drawnModes  = []oatf.Mode{"mcp_server", "mcp_client", "a2a_server", "a2a_client", "ag_ui_client", "acme_server"}
)

func drawScoped(t *rapid.T) *oatf.Document {
	doc := &oatf.Document{Revision: oatf.V202603}
	for _, name := range drawnActors[:rapid.IntRange(1, 2).Draw(t, "actors")] {
		actor := oatf.Actor{Name: name, Mode: rapid.SampledFrom(drawnModes).Draw(t, "mode"), Phases: []oatf.Phase{{}}}
		doc.Attack.Execution.Actors = append(doc.Attack.Execution.Actors, actor)
	}
	for range rapid.IntRange(0, 8).Draw(t, "indicators") {
		i := oatf.Indicator{
			Protocol: new(rapid.SampledFrom([]oatf.Protocol{"mcp", "a2a", "ag_ui", "acme"}).Draw(t, "protocol")),
			Target:   new(rapid.SampledFrom([]string{"", "note", "params", "params.note", "note.a"}).Draw(t, "target")),
		}
		if rapid.IntRange(0, 8).Draw(t, "one operation") > 0 {
			i.Surface = new(oatf.Surface(rapid.SampledFrom(drawnScopes).Draw(t, "surface")))
		}
		if rapid.IntRange(0, 2).Draw(t, "one actor") == 0 {
			i.Actor = new(rapid.SampledFrom(drawnActors).Draw(t, "actor"))
		}
		if rapid.Bool().Draw(t, "one direction") {
			i.Direction = new(rapid.SampledFrom([]oatf.Direction{oatf.DirectionRequest, oatf.DirectionResponse}).Draw(t, "direction"))
		}
		switch rapid.IntRange(0, 3).Draw(t, "way") {
		case 0:
			i.Pattern = &oatf.PatternMatch{Condition: &oatf.Condition{Operators: &oatf.MatchCondition{Exists: new(false)}}}
		case 1:
			i.Expression = &oatf.ExpressionMatch{CEL: "message.note == 'x'"}
		default:
			i.Pattern = &oatf.PatternMatch{Shorthand: &oatf.MatchCondition{Contains: new(rapid.SampledFrom([]string{"x", `"a":1`, `"b":2`, `"note":{"a"`}).Draw(t, "needle"))}}
		}
		doc.Attack.Indicators = append(doc.Attack.Indicators, i)
	}
	return doc
}

// drawSurfaces returns a document of the earlier revision, for company.
func drawSurfaces(t *rapid.T) *oatf.Document {
	doc := &oatf.Document{Attack: oatf.Attack{Execution: oatf.Execution{Actors: []oatf.Actor{{Name: "one", Mode: "mcp_server", Phases: []oatf.Phase{{}}}}}}}
	for range rapid.IntRange(0, 3).Draw(t, "others") {
		doc.Attack.Indicators = append(doc.Attack.Indicators, oatf.Indicator{
			Surface: new(rapid.SampledFrom([]oatf.Surface{"tool_arguments", "tool_response", "task_status", "server_notification"}).Draw(t, "surface")),
			Pattern: &oatf.PatternMatch{
				Target:    new(rapid.SampledFrom([]string{"", "note", "params", "note.a"}).Draw(t, "target")),
				Shorthand: &oatf.MatchCondition{Contains: new("x")},
			},
		})
	}
	return doc
}

// drawExchange draws some lines about one method: of a runner's log, or of JSON-RPC.
// Each exchange has an id of its own: two of one id at a time are ambiguous.
func drawExchange(runner bool) func(*rapid.T) []string {
	id := 0
	return func(t *rapid.T) (lines []string) {
		method := rapid.SampledFrom(drawnMethods).Draw(t, "method")
		actor := rapid.SampledFrom(append(drawnActors, "one", "")).Draw(t, "actor")
		id++
		ask := rapid.SampledFrom([]string{"outgoing", "incoming"}).Draw(t, "asked")
		for _, form := range rapid.SampledFrom([]string{"?!", "?!", "?e", "?!!", "!", "e", "n", "?"}).Draw(t, "forms") {
			lines = append(lines, drawLine(t, runner, id, method, actor, ask, form))
		}
		return lines
	}
}

// drawLine draws a request (?), a result (!), an error (e) or a notification (n).
func drawLine(t *rapid.T, runner bool, id int, method, actor, ask string, form rune) string {
	value := rapid.SampledFrom([]string{
		`{"note":"x"}`, `{"note":{"b":2,"a":1}}`, `{"note":{"a":1}}`, `{}`, `{"params":"x"}`, `{"kind":"status-update","note":"x"}`, `["x"]`,
	}).Draw(t, "value")
	message := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, id, method, value)
	direction := ask
	switch form {
	case 'n':
		message = fmt.Sprintf(`{"jsonrpc":"2.0","method":%q,"params":%s}`, method, value)
	case '!':
		message, direction = fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":%s}`, id, value), other[ask]
	case 'e':
		message, direction = fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"error":%s}`, id, value), other[ask]
	}
	if !runner {
		return message
	}
	if rapid.Bool().Draw(t, "bare") {
		message = value
	}
	return fmt.Sprintf(`{"actor":%q,"direction":%q,"method":%q,"content":%s}`, actor, direction, method, message)
}

var other = map[string]string{"outgoing": "incoming", "incoming": "outgoing"}

// naiveMessage is what a line says of its message; what it does not say is empty.
type naiveMessage struct {
	protocol, actor, side string
	operations            []string
	value                 any
	failed                bool
	event                 bool // it is not an answer
}

// naiveFilter is format §6: the five steps, one after the other, and the rule for runs.
func naiveFilter(doc *oatf.Document, i *oatf.Indicator, lines []string) eval.IndicatorResult {
	messages := naiveMessages(doc, lines)
	keep := func(holds func(m naiveMessage) bool) {
		messages = slices.DeleteFunc(messages, func(m naiveMessage) bool { return !holds(m) })
	}
	keep(func(m naiveMessage) bool { return m.protocol == "" || m.protocol == string(*i.Protocol) })
	if i.Surface != nil {
		keep(func(m naiveMessage) bool {
			return m.operations == nil || slices.Contains(m.operations, strings.Replace(string(*i.Surface), "tasks/sendSubscribe", "message/stream", 1))
		})
	}
	if i.Actor != nil {
		keep(func(m naiveMessage) bool { return m.actor == "" || m.actor == *i.Actor })
	}
	if i.Direction != nil {
		keep(func(m naiveMessage) bool { return m.side == "" || m.side == string(*i.Direction) })
	}
	seen := map[eval.IndicatorResult]bool{}
	for _, m := range messages {
		seen[naiveAnswer(i, m.value)] = true
	}
	for _, r := range []eval.IndicatorResult{eval.Matched, eval.Error, eval.NotMatched} {
		if seen[r] {
			return r
		}
	}
	return eval.Skipped
}

// naiveAnswer is SDK §4.4 for one message.
func naiveAnswer(i *oatf.Indicator, v any) eval.IndicatorResult {
	found, there := v, true
	if i.Expression == nil && *i.Target != "" {
		for _, name := range strings.Split(*i.Target, ".") {
			object, _ := found.(map[string]any)
			if found, there = object[name]; !there {
				break
			}
		}
	}
	text, _ := json.Marshal(found) // which sorts keys
	if s, is := found.(string); is {
		text = []byte(s)
	}
	matched := false
	switch {
	case i.Expression != nil:
		object, _ := v.(map[string]any)
		note, has := object["note"]
		if !has {
			return eval.Error
		}
		matched = note == "x"
	case i.Pattern.Condition != nil:
		matched = !there
	default:
		matched = there && strings.Contains(string(text), *i.Pattern.Shorthand.Contains)
	}
	if matched {
		return eval.Matched
	}
	return eval.NotMatched
}

// naiveMessages reads the lines.
func naiveMessages(doc *oatf.Document, lines []string) (list []naiveMessage) {
	open := map[string][]map[string]any{} // requests by id, the last one at the end
	sent := map[string][]any{}            // by actor and method, the last one at the end
	for _, line := range lines {
		var l map[string]any
		_ = json.Unmarshal([]byte(line), &l) // drawn
		if l["direction"] == nil {
			if m := naiveJSONRPC(doc, l, open); m.operations == nil || m.operations[0] != "none/such" {
				_, isObject := m.value.(map[string]any)
				if _, call := l["method"]; call || isObject || m.operations != nil {
					list = append(list, m)
				}
			}
		} else {
			m := naiveRunner(doc, l, sent)
			if _, isList := l["content"].([]any); isList && l["method"] == "tools/list" && l["direction"] == "incoming" {
				continue // a line that the runner itself makes
			}
			list = append(list, m)
		}
	}
	return list
}

func naiveJSONRPC(doc *oatf.Document, l map[string]any, open map[string][]map[string]any) naiveMessage {
	id := fmt.Sprint(l["id"])
	method, isCall := l["method"].(string)
	m := naiveMessage{value: l["params"], side: "request"}
	var request map[string]any
	if !isCall {
		m.side = "response"
		if m.value = l["result"]; m.value == nil {
			m.value, m.failed = l["error"], true
		}
		if waiting := open[id]; len(waiting) > 0 {
			at := naiveAnswered(waiting, m)
			request = waiting[at]
			if method = request["method"].(string); method != "message/stream" && method != "tasks/sendSubscribe" {
				open[id] = slices.Delete(slices.Clone(waiting), at, at+1)
			}
		}
	} else if l["id"] != nil {
		open[id] = append(open[id], l)
	}
	m.name(method, protocolsOf[method])
	var modes []oatf.Mode
	for _, a := range doc.Attack.Execution.Actors {
		if string(oatf.ExtractProtocol(a.Mode)) == m.protocol && !slices.Contains(modes, a.Mode) {
			modes = append(modes, a.Mode)
		}
	}
	if request != nil && len(modes) == 1 {
		m.enrich(modes[0], request["params"])
	}
	return m
}

// naiveAnswered returns the request of an answer: a result of these shapes does not belong to tools/call and
// tools/list, so other requests come first, and of these the last.
func naiveAnswered(waiting []map[string]any, m naiveMessage) (at int) {
	for i, request := range waiting {
		known := request["method"] == "tools/call" || request["method"] == "tools/list"
		before := waiting[at]["method"] == "tools/call" || waiting[at]["method"] == "tools/list"
		if m.failed || !known || before {
			at = i
		}
	}
	return at
}

func naiveRunner(doc *oatf.Document, l map[string]any, sent map[string][]any) naiveMessage {
	actor, method, incoming := l["actor"].(string), l["method"].(string), l["direction"] == "incoming"
	m := naiveMessage{actor: actor, value: l["content"]}
	var mode oatf.Mode
	named := false
	actors := doc.Attack.Execution.Actors
	for _, a := range actors {
		if a.Name == actor || len(actors) == 1 {
			mode, named = a.Mode, a.Name == actor
		}
	}
	protocol := protocolsOf[method]
	if mode != "" && (named || protocol == "") {
		protocol = string(oatf.ExtractProtocol(mode))
	}
	if mode != "" {
		m.side = "response"
		if strings.HasSuffix(string(mode), "_server") == incoming {
			m.side = "request"
		}
	}
	m.event = method == "tool_call_end" || method == "notifications/message" || mode == "ag_ui_client" && protocolsOf[method] == ""
	if content, is := m.value.(map[string]any); is && content["jsonrpc"] != nil {
		m.event = false
		m.side, m.value = "request", content["params"]
		if content["method"] == nil {
			m.side, m.value = "response", content["result"]
			if m.value == nil {
				m.value, m.failed = content["error"], true
			}
		}
	}
	m.name(method, protocol)
	name := strings.Replace(method, "tasks/sendSubscribe", "message/stream", 1)
	if key := actor + " " + name; !incoming {
		sent[key] = append(sent[key], m.value)
	} else if last := len(sent[key]) - 1; last >= 0 {
		m.enrich(mode, sent[key][last])
		if name != "message/stream" {
			sent[key] = sent[key][:last]
		}
	}
	return m
}

// name gives the message its operations, once the side is known.
func (m *naiveMessage) name(method, protocol string) {
	m.protocol = protocol
	if method == "" {
		return
	}
	m.operations = []string{method, strings.Replace(method, "tasks/sendSubscribe", "message/stream", 1)}
	if protocol == "a2a" && method == "tools/call" {
		m.operations = append(m.operations, "message/send")
	}
	object, _ := m.value.(map[string]any)
	if m.operations[1] == "message/stream" && m.side != "request" && object["kind"] == "status-update" {
		m.operations = append(m.operations, "task/status")
	}
}

// enrich adds the params of the request to the result that a client was given.
func (m *naiveMessage) enrich(mode oatf.Mode, params any) {
	object, is := m.value.(map[string]any)
	if !is || m.event || m.side != "response" || m.failed || !strings.HasSuffix(string(mode), "_client") {
		return
	}
	if _, has := object["params"]; has {
		return
	}
	enriched := map[string]any{"params": params}
	for key, value := range object {
		enriched[key] = value
	}
	m.value = enriched
}

func described(i *oatf.Indicator) string {
	text, _ := json.Marshal(i) // drawn
	return string(text)
}
