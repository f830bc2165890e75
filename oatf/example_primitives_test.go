package oatf_test

import (
	"fmt"
	"time"

	"github.com/cupel-dev/cupel/oatf/model"

	"github.com/cupel-dev/cupel/oatf"
)

// parsed returns a message as Value.
func parsed(text string) oatf.Value {
	v, err := oatf.ParseValue([]byte(text))
	if err != nil {
		panic(err)
	}
	return v
}

func ExampleResolveSimplePath() {
	message := parsed(`{"name": "calc", "arguments": {"expression": "2+2", "unit": null}}`)
	for _, path := range []string{"arguments.expression", "arguments.unit", "arguments.none"} {
		v, found := oatf.ResolveSimplePath(path, message)
		fmt.Println(path, v, found)
	}
	// Output:
	// arguments.expression 2+2 true
	// arguments.unit <nil> true
	// arguments.none <nil> false
}

func ExampleResolveWildcardPath() {
	message := parsed(`{"tools": [{"description": "A"}, {"name": "b"}, {"description": "C"}]}`)
	fmt.Println(oatf.ResolveWildcardPath("tools[*].description", message))
	// Output: [A C] <nil>
}

func ExampleEvaluateCondition() {
	condition, err := oatf.ConditionOf(parsed(`{starts_with: /etc/, regex: "passwd|shadow"}`))
	if err != nil {
		panic(err)
	}
	fmt.Println(oatf.EvaluateCondition(condition, "/etc/shadow"))
	fmt.Println(oatf.EvaluateCondition(condition, "/home/shadow"))
	fmt.Println(oatf.EvaluateCondition(condition, oatf.Number("42")))
	// Output:
	// true <nil>
	// false <nil>
	// false <nil>
}

func ExampleEvaluatePredicate() {
	predicate, err := oatf.PredicateOf(parsed(`{name: calc, arguments.count: {gte: 5}, arguments.dry_run: {exists: false}}`))
	if err != nil {
		panic(err)
	}
	fmt.Println(oatf.EvaluatePredicate(predicate, parsed(`{name: calc, arguments: {count: 5.0}}`)))
	fmt.Println(oatf.EvaluatePredicate(predicate, parsed(`{name: calc, arguments: {count: 5, dry_run: null}}`)))
	// Output:
	// true <nil>
	// false <nil>
}

func ExampleInterpolateTemplate() {
	request := parsed(`{"arguments": {"query": "weather", "days": 3}}`)
	text, diagnostics := oatf.InterpolateTemplate(
		`{{user}} asked for {{request.arguments}} ({{nobody}}, \{{literal}})`,
		map[string]string{"user": "{{request.arguments.query}}"}, &request, nil)
	fmt.Println(text)
	for _, d := range diagnostics {
		fmt.Println(d)
	}
	// Output:
	// {{request.arguments.query}} asked for {"query":"weather","days":3} (, {{literal}})
	// reference "{{nobody}}" does not name an extractor with a value [W-004]
}

func ExampleInterpolateValue() {
	content := parsed(`[{type: text, text: "token {{token}}"}]`)
	v, diagnostics := oatf.InterpolateValue(content, map[string]string{"token": "s3cret"}, nil, nil)
	fmt.Println(string(oatf.AppendJSON(nil, v)), len(diagnostics))
	// Output: [{"type":"text","text":"token s3cret"}] 0
}

func ExampleEvaluateExtractor() {
	message := parsed(`{"content": [{"text": "api key=abc123"}], "meta": {"b": 1.0, "a": "<x>"}}`)
	for _, e := range []oatf.Extractor{
		{Name: "meta", Source: model.SourceResponse, Type: model.ExtractorJSONPath, Selector: "$.meta"},
		{Name: "key", Source: model.SourceResponse, Type: model.ExtractorRegex, Selector: "key=([a-z0-9]+)"},
		{Name: "other", Source: model.SourceRequest, Type: model.ExtractorRegex, Selector: "(.*)"},
	} {
		text, ok, err := oatf.EvaluateExtractor(&e, message, model.SourceResponse)
		fmt.Printf("%s: %q %t %v\n", e.Name, text, ok, err)
	}
	// Output:
	// meta: "{\"b\":1.0,\"a\":\"<x>\"}" true <nil>
	// key: "abc123" true <nil>
	// other: "" false <nil>
}

func ExampleSelectResponse() {
	var entries []oatf.ResponseEntry
	for _, text := range []string{`{content: anything else}`, `{when: {name: calc}, content: "4"}`} {
		entry, err := oatf.ResponseOf(parsed(text))
		if err != nil {
			panic(err)
		}
		entries = append(entries, *entry)
	}
	for _, request := range []string{`{name: calc}`, `{name: search}`} {
		entry, err := oatf.SelectResponse(entries, parsed(request))
		fmt.Println(entry.Static, err)
	}
	// Output:
	// [{content 4}] <nil>
	// [{content anything else}] <nil>
}

func ExampleEvaluateTrigger() {
	trigger, err := oatf.TriggerOf(parsed(`{event: "tools/call:calc", count: 2, after: 30s}`))
	if err != nil {
		panic(err)
	}
	event := &oatf.ProtocolEvent{EventType: "tools/call", Content: parsed(`{params: {name: calc}}`)}
	var state oatf.TriggerState
	for _, elapsed := range []time.Duration{time.Second, 2 * time.Second, time.Minute} {
		fmt.Println(oatf.EvaluateTrigger(trigger, event, elapsed, &state, oatf.ExtractProtocol("mcp_server")))
	}
	fmt.Println(state.EventCount)
	// Output:
	// {false } <nil>
	// {true event_matched} <nil>
	// {true timeout} <nil>
	// 2
}

func ExampleResolveEventQualifier() {
	fmt.Println(oatf.ResolveEventQualifier("mcp", "tools/call", parsed(`{params: {name: calculator}}`)))
	fmt.Println(oatf.ResolveEventQualifier("mcp", "resources/read", parsed(`{uri: "file://x"}`)))
	// Output:
	// calculator true
	//  false
}

func ExampleComputeEffectiveState() {
	phases := []oatf.Phase{{State: parsed(`{tools: []}`)}, {}, {State: parsed(`{prompts: []}`)}}
	for i := range phases {
		fmt.Println(oatf.ComputeEffectiveState(phases, i))
	}
	// Output:
	// [{tools []}]
	// [{tools []}]
	// [{prompts []}]
}

func ExampleParseEventQualifier() {
	fmt.Println(oatf.ParseEventQualifier("tools/call:calculator"))
	fmt.Println(oatf.ParseEventQualifier("tools/call"))
	// Output:
	// tools/call calculator true
	// tools/call  false
}

func ExampleExtractProtocol() {
	fmt.Println(oatf.ExtractProtocol("ag_ui_client"))
	// Output: ag_ui
}
