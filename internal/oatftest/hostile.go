package oatftest

import (
	"fmt"
	"strings"
)

const hostileHead = "oatf: \"0.1\"\nattack:\n  execution: {mode: mcp_server, state: {}}\n"

func repeated(n int, line func(int) string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(line(i))
	}
	return b.String()
}

func same(s string) func(int) string { return func(int) string { return s } }

// wording is how a revision writes an indicator's target, and the rule that finds a plain indicator of it.
type wording struct{ where, beside, finds string }

// wordings maps revisions to their wording.
var wordings = map[string]wording{
	"sdk-0.1": {where: "surface: tool_name", finds: "L-105"},
	"2026-03": {where: "target: name", beside: "target: name, "},
}

func (w wording) indicators(n int, inside string) string {
	return hostileHead + "  indicators:\n" + repeated(n, same("  - {"+w.where+", "+inside+"}\n"))
}

// HostileDocument is a text that would cost a naive parser minutes or gigabytes, and the rule that rejects it, or
// "" if it is only large.
type HostileDocument struct{ Name, Text, Rule string }

// HostileDocuments returns the texts that every command for a revision must survive.
func HostileDocuments(revision string) []HostileDocument {
	w := wordings[revision]
	documents := []HostileDocument{
		{"billion laughs", "oatf: \"0.1\"\nattack:\n  x-a: &a [lol]\n" + repeated(25, func(i int) string {
			return fmt.Sprintf("  x-%c: &%c [%s]\n", 'b'+i, 'b'+i, strings.Repeat(fmt.Sprintf("*%c, ", 'a'+i), 10))
		}) + "  execution: {mode: mcp_server, state: {}}\n", "V-020"},
		{"200,000 open brackets", strings.Repeat("[", 200_000), "P-001"},
		{"200,000 open brackets on many lines", strings.Repeat("[\n", 200_000), "P-001"},
		{"200,000 nested lists", strings.Repeat("- ", 200_000), "P-001"},
		{"2,000 nested mappings", repeated(2000, func(i int) string { return strings.Repeat(" ", i) + "a:\n" }), "P-001"},
		{"100,000 keys in state", strings.Replace(hostileHead, "state: {}", "state: {\n"+repeated(100_000, func(i int) string { return fmt.Sprintf("    k%d: 1,\n", i) })+"    }", 1), ""},
		{"100,000 lines of a list that are too far left", hostileHead + "  x-a: [\n" + strings.Repeat("b,\n", 100_000) + "]\n", "P-001"},
		{"100,000 strings that go on too far left", hostileHead + "  x-a:\n" + strings.Repeat("    - 'b\nc'\n", 100_000), "P-001"},
		{"a million blank lines in a string", hostileHead + "  x-a: \"b\n" + strings.Repeat("\t\n", 1_000_000) + "    c\"\n", "P-001"},
		{"strings of a million commas and brackets", hostileHead + "  name: \"" + strings.Repeat(",[{", 500_000) + "\"\n  description: a" + strings.Repeat(",[{", 500_000) + " # " + strings.Repeat(",", 500_000) + "\n", ""},
		{"a string of a million lines", hostileHead + "  name: \"b\n" + strings.Repeat("    c\n", 1_000_000) + "    d\"\n", ""},
		{"100,000 blocks of text", hostileHead + "  x-a:\n" + strings.Repeat("    - |\n      b\n\n", 100_000), ""},
		{"a million line ends of old machines", strings.ReplaceAll(hostileHead, "\n", "\r") + strings.Repeat("# b\r", 1_000_000), ""},
		{"100,000 unknown keys", hostileHead + repeated(100_000, func(i int) string { return fmt.Sprintf("  k%d: 1\n", i) }), "P-002"},
		{"100,000 unknown keys of an indicator", hostileHead + "  indicators:\n  -\n" + repeated(100_000, func(i int) string { return fmt.Sprintf("    descriptio%d: 1\n", i) }), "P-002"},
		{"100,000 times one key", hostileHead + strings.Repeat("  name: x\n", 100_000), "P-001"},
		{"a scalar of 50 MB", hostileHead + "  name: " + strings.Repeat("x", 50_000_000) + "\n", "P-001"},
		{"a key of 4 MB", hostileHead + "  x-a:\n    ? " + strings.Repeat("k", 4_000_000) + "\n    : 1\n", "P-001"},
		{"100,000 tag directives", repeated(100_000, func(i int) string { return fmt.Sprintf("%%TAG !t%d! tag:x,2000:\n", i) }) + "---\n" + hostileHead, "P-001"},
		{"a document of one line", `{oatf: "0.1", attack: {execution: {mode: mcp_server, state: {}}, indicators: [` + strings.Repeat("{surface: é, "+w.beside+"pattern: {contains: a}},", 7_000) + "]}}", "V-018"},
		{"four million values", "[" + strings.Repeat("1,\n", 2_000_000) + "1]", "P-001"},
		{"four million line ends", hostileHead + strings.Repeat("\n", 4_000_000), ""},
		{"100,000 suppressions", hostileHead + strings.Repeat("# cupel:ignore V-001 x\n", 100_000), "S-002"},
		{"20,000 unknown surfaces", hostileHead + "  indicators:\n" + repeated(20_000, func(i int) string {
			return fmt.Sprintf("  - {surface: tool_descriptio%d, %spattern: {contains: a}}\n", i, w.beside)
		}), "V-018"},
		{"an exponential regular expression", w.indicators(1, `pattern: {regex: "`+strings.Repeat("(x+x+)+", 2000)+`y"}`), w.finds},
		{"a regular expression of nested repetitions", w.indicators(1, `pattern: {regex: "((((a{1,100}){1,100}){1,100}){1,100})"}`), "V-013"},
		{"a deep regular expression", w.indicators(1, `pattern: {regex: "`+strings.Repeat("(", 5000)+strings.Repeat(")", 5000)+`"}`), "V-013"},
		{"a megabyte of regular expression", w.indicators(1, `pattern: {regex: "`+strings.Repeat("a", 1<<20)+`"}`), "V-013"},
		{"enormous CEL", w.indicators(1, `expression: {cel: "`+strings.Repeat("a+", 2_000_000)+`a"}`), "V-014"},
		{"deep CEL", w.indicators(1, `expression: {cel: "`+strings.Repeat("(", 8000)+"a"+strings.Repeat(")", 8000)+`"}`), "V-014"},
		{"30,000 CEL expressions", w.indicators(30_000, `expression: {cel: "message.a.exists(t, t > 1)"}`), "V-014"},
		{"deep JSONPath", strings.Replace(hostileHead, "state: {}", `phases: [{state: {}, extractors: [{name: a, source: request, type: json_path, selector: "$[?`+strings.Repeat("(", 30_000)+`"}]}]`, 1), "V-015"},
		{"40,000 templates", strings.Replace(hostileHead, "state: {}", `state: {a: "`+repeated(40_000, func(i int) string { return fmt.Sprintf("{{x%d}}", i) })+`"}`, 1), "W-004"},
		{"a number of a megabyte", hostileHead + "  version: " + strings.Repeat("9", 1<<20) + "\n", "P-002"},
		{"an exponent out of this world", w.indicators(1, "semantic: {intent: i, threshold: 1e999999999}"), "P-002"},
		{"30,000 responses", strings.Replace(hostileHead, "state: {}", "state: {tools: [{name: t, responses: [\n"+repeated(30_000, func(i int) string { return fmt.Sprintf("    {when: {a: x%d}},\n", i) })+"    {when: {a: x1}}]}]}", 1), "L-401"},
		{"NUL", "oatf: \"0.1\"\n\x00", "P-001"},
		{"UTF-16", "\xff\xfeo\x00a\x00", "P-001"},
		{"a response of 30,000 unknown keys", strings.Replace(hostileHead, "state: {}", "state: {tools: [{name: t, responses: [{\n"+repeated(30_000, func(i int) string { return fmt.Sprintf("    match%d: 1,\n", i) })+"    content: []}]}]}", 1), "L-405"},
		{"30,000 phases with the names of others", strings.Replace(hostileHead, "state: {}", "phases: [{state: {}},\n"+repeated(30_000, func(i int) string { return fmt.Sprintf("    {}, {name: phase-%d},\n", 2*i+2) })+"    {}]", 1), "L-205"},
		{"an alias to nothing", hostileHead + "  name: *nothing\n", "P-001"},
		{"an anchor that contains itself", "oatf: \"0.1\"\nattack: &a\n  x-a: *a\n", "V-020"},
		{"100,000 kinds of impact", hostileHead + "  impact: [\n" + repeated(100_000, func(i int) string { return fmt.Sprintf("    data_exfiltratio%d,\n", i) }) + "    ]\n", "P-003"},
	}
	if revision == "2026-03" {
		documents = append(documents, laterDocuments()...)
	}
	return documents
}

// phased returns a document with one actor and the phases of a flow list.
func phased(phases string) string {
	return strings.Replace(hostileHead, "state: {}", "phases: ["+phases+"]", 1)
}

// laterDocuments target features of the later revision.
func laterDocuments() []HostileDocument {
	return []HostileDocument{
		{"30,000 actions of the earlier revision", strings.Replace(strings.Replace(hostileHead, "mcp_server", "mcp_client", 1), "state: {}", "state: {actions: [\n"+strings.Repeat("    list_tools, {call_tool: {name: a}},\n", 15_000)+"    ]}", 1), "L-406"},
		{"30,000 predicates that begin with params", phased("{state: {}, trigger: {event: tools/call, match: {\n" + repeated(30_000, func(i int) string { return fmt.Sprintf("    params.k%d: 1,\n", i) }) + "    }}}"), "L-406"},
		{"100,000 keys of a state, nearly right", strings.Replace(hostileHead, "state: {}", "state: {\n"+repeated(100_000, func(i int) string { return fmt.Sprintf("    tool%d: 1,\n", i) })+"    }", 1), "L-407"},
		{"100,000 tools without names", strings.Replace(hostileHead, "state: {}", "state: {tools: [\n"+strings.Repeat("    {},\n", 100_000)+"    ]}", 1), "L-408"},
		{"8,000 indicators of as many actors", strings.Replace(hostileHead, "{mode: mcp_server, state: {}}", "{actors: [\n"+repeated(8_000, func(i int) string {
			return fmt.Sprintf("    {name: a%d, mode: mcp_server, phases: [{state: {}}]},\n", i)
		})+"    ]}", 1) + "  indicators:\n" + repeated(8_000, func(i int) string {
			return fmt.Sprintf("  - {protocol: mcp, actor: b%d, surface: tools/list, direction: response, tier: t%d, target: result.a, pattern: {contains: a}}\n", i, i)
		}), "V-048"},
		{"25,000 phases of other modes", phased(repeated(25_000, func(i int) string {
			return fmt.Sprintf("{mode: x%d_server, state: {}, trigger: {event: \"tools/call:%d\"}},\n    ", i, i)
		})), "V-044"},
		{"20,000 events that were qualified", phased(repeated(20_000, func(i int) string { return fmt.Sprintf("{state: {}, trigger: {event: \"tools/call:%d\"}},\n    ", i) })), "V-029"},
		{"30,000 selectors without a group", phased("{state: {}, extractors: [\n" + strings.Repeat("    {name: a, source: request, type: regex, selector: a},\n", 30_000) + "    ]}"), "V-042"},
		{"30,000 synthesize blocks", strings.Replace(hostileHead, "state: {}", "state: {tool_responses: [\n"+strings.Repeat("    {when: {a: 1}, synthesize: {}},\n", 30_000)+"    ]}", 1), "W-006"},
	}
}
