package importer_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/attest/importer"
)

// exports are files of spans: the project's own, and those of CUPEL_VECTORS.
func exports(t *testing.T) map[string][]byte {
	t.Helper()
	list := map[string][]byte{}
	for name, p := range programs {
		list[name] = otlp(p)
	}
	var folders []string
	if vectors := os.Getenv("CUPEL_VECTORS"); vectors != "" {
		folders = append(folders, filepath.Join(vectors, "imports"))
	} else {
		t.Log("CUPEL_VECTORS is not set: the project's own programs alone")
	}
	for _, folder := range folders {
		files, _ := filepath.Glob(filepath.Join(folder, "*.json"))
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if bytes.Contains(text, []byte(`"resourceSpans"`)) {
				list[filepath.Base(file)] = text
			}
		}
	}
	if len(list) == 0 {
		t.Fatal("no exports")
	}
	return list
}

// statuses evaluates assertions on all traces of an input: the worst status of each.
func statuses(t *testing.T, text []byte, assertions []attest.Assertion) (worst map[string]attest.Status, names []string) {
	t.Helper()
	engine := attest.NewEngine(attest.Options{})
	var prepared []attest.Prepared
	for _, a := range assertions {
		p, err := engine.Prepare(a)
		if err != nil {
			t.Fatal(err)
		}
		prepared = append(prepared, p)
	}
	order := []attest.Status{attest.Pass, attest.Unanswerable, attest.HardFail}
	worst = map[string]attest.Status{}
	for trace, err := range importer.Traces(engine, bytes.NewReader(text), importer.Options{}) {
		if err != nil || trace.Refused != nil {
			return nil, nil // nothing passes
		}
		var made attest.Trace
		if err := json.Unmarshal(trace.Raw, &made); err != nil {
			t.Fatal(err)
		}
		names = append(names, toolsOf(made)...)
		results, err := engine.EvaluatePrepared(context.Background(), trace.TraceText, prepared)
		if err != nil {
			return nil, nil
		}
		for _, r := range results {
			if slices.Index(order, r.Status) >= slices.Index(order, worst[r.AssertionID]) {
				worst[r.AssertionID] = r.Status
			}
		}
	}
	return worst, names
}

func toolsOf(trace attest.Trace) (names []string) {
	for _, s := range trace.Steps {
		if s.Type == attest.StepToolCall && !slices.Contains(names, s.Name) {
			names = append(names, s.Name)
		}
		if s.SubTrace != nil {
			names = append(names, toolsOf(*s.SubTrace)...)
		}
	}
	return names
}

// TestLossLaw: whatever attribute or span is deleted, or renamed, no assertion that failed passes.
func TestLossLaw(t *testing.T) {
	for name, text := range exports(t) {
		_, tools := statuses(t, text, nil)
		assertions := []attest.Assertion{{AssertionID: "once", Type: attest.TypeTrace, Spec: map[string]any{"check": "no_duplicates"}}}
		for _, tool := range tools {
			assertions = append(assertions,
				attest.Assertion{AssertionID: "never " + tool, Type: attest.TypeTrace, Spec: map[string]any{"check": "forbidden_tools", "tools": []any{tool}}},
				attest.Assertion{AssertionID: "loop " + tool, Type: attest.TypeTrace, Spec: map[string]any{"check": "loop_detection", "tool": tool, "max_repetitions": 0}})
		}
		assertions = append(assertions, attest.Assertion{AssertionID: "tokens", Type: attest.TypeConstraint, Spec: map[string]any{"field": "metadata.total_tokens", "operator": "lte", "value": 100}})
		before, _ := statuses(t, text, assertions)
		changes := 0
		for what, changed := range mutations(t, text, tools, programs[name].first.name != "") {
			changes++
			after, _ := statuses(t, changed.text, assertions)
			for id, was := range before {
				if slices.ContainsFunc(changed.gone, func(tool string) bool { return strings.HasSuffix(id, " "+tool) }) {
					continue
				}
				if was == attest.HardFail && after[id] == attest.Pass {
					t.Errorf("%s: %s: %s passes", name, what, id)
				}
			}
		}
		if changes == 0 {
			t.Errorf("%s: no changes", name)
		}
	}
}

// mutated is an export that was changed.
type mutated struct {
	text []byte
	gone []string
}

// mutations returns the exports in which one attribute, or one span, is deleted or renamed.
func mutations(t *testing.T, text []byte, tools []string, rename bool) func(yield func(string, mutated) bool) {
	return func(yield func(string, mutated) bool) {
		d := json.NewDecoder(bytes.NewReader(text))
		d.UseNumber()
		var doc map[string]any
		if err := d.Decode(&doc); err != nil {
			t.Fatal(err)
		}
		var gone []string // tools without a trace in the export
		emit := func(what string) bool {
			out, _ := json.Marshal(doc)
			return yield(what, mutated{out, gone})
		}
		for _, resource := range listOf(doc["resourceSpans"]) {
			for _, scope := range listOf(resource.(map[string]any)["scopeSpans"]) {
				in := scope.(map[string]any)
				spans := listOf(in["spans"])
				for i, one := range spans {
					span := one.(map[string]any)
					label := fmt.Sprintf("span %d (%v)", i, span["name"])
					gone = onlyHere(doc, span, tools)
					in["spans"] = append(slices.Clone(spans[:i]), spans[i+1:]...)
					if !emit(label + " deleted") {
						return
					}
					in["spans"], gone = spans, nil
					name := span["name"]
					span["name"] = "work"
					if rename && !emit(label+" renamed") {
						return
					}
					span["name"] = name
					holders := []map[string]any{span}
					for _, e := range listOf(span["events"]) {
						holders = append(holders, e.(map[string]any))
					}
					for _, holder := range holders {
						attributes := listOf(holder["attributes"])
						for k, one := range attributes {
							attribute := one.(map[string]any)
							key := attribute["key"].(string)
							holder["attributes"] = append(slices.Clone(attributes[:k]), attributes[k+1:]...)
							if !emit(label + ": " + key + " deleted") {
								return
							}
							holder["attributes"] = attributes
							attribute["key"] = "x." + key
							if rename && !emit(label+": "+key+" renamed") {
								return
							}
							attribute["key"] = key
						}
					}
				}
			}
		}
	}
}

// onlyHere lists the tools that only one span of an export names, apart from definitions of tools: when the span is
// deleted, their calls are lost.
func onlyHere(doc map[string]any, span map[string]any, tools []string) (only []string) {
	here, elsewhere := "", ""
	walkSpans(doc, func(other map[string]any) {
		text := callsTold(other)
		if fmt.Sprint(other["spanId"]) == fmt.Sprint(span["spanId"]) {
			here += text
		} else {
			elsewhere += text
		}
	})
	for _, tool := range tools {
		if strings.Contains(here, tool) && !strings.Contains(elsewhere, tool) {
			only = append(only, tool)
		}
	}
	return only
}

func walkSpans(doc map[string]any, visit func(map[string]any)) {
	for _, resource := range listOf(doc["resourceSpans"]) {
		for _, scope := range listOf(resource.(map[string]any)["scopeSpans"]) {
			for _, one := range listOf(scope.(map[string]any)["spans"]) {
				visit(one.(map[string]any))
			}
		}
	}
}

func listOf(v any) []any { l, _ := v.([]any); return l }

// callsTold returns a span's account of calls.
func callsTold(span map[string]any) string {
	kept := map[string]any{"name": span["name"], "events": span["events"]}
	var attributes []any
	for _, one := range listOf(span["attributes"]) {
		key := fmt.Sprint(one.(map[string]any)["key"])
		if !strings.Contains(key, "definitions") && !strings.Contains(key, "tools") && !strings.Contains(key, "functions") && key != "input.value" && key != "llm.invocation_parameters" {
			attributes = append(attributes, one)
		}
	}
	kept["attributes"] = attributes
	out, _ := json.Marshal(kept)
	return string(out)
}
