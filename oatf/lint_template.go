package oatf

import (
	"slices"
	"strings"
)

var lintTemplateRules = []lintRule{
	{check: lintReferences, Rule: Rule{ID: "L-301",
		Title:     "an extractor is never used",
		Rationale: "Extractors feed templates. One that no template refers to is left over, or its reference is mistyped.",
		Bad:       extractorExample("Done"),
		Good:      extractorExample("Done: {{path}}")}},
	{Rule: Rule{ID: "L-302",
		Title:     "a reference stands before the phase that captures its value",
		Rationale: "A value exists from the phase that captures it. Before that the reference is replaced by nothing.",
		Bad:       "execution:\n  mode: mcp_server\n  phases:\n    - state: {instructions: \"Now {{path}}\"}\n      trigger: {event: tools/call}\n    - extractors: [{name: path, source: request, type: json_path, selector: $.arguments.path}]\n",
		Good:      "execution:\n  mode: mcp_server\n  phases:\n    - state: {instructions: \"Now\"}\n      extractors: [{name: path, source: request, type: json_path, selector: $.arguments.path}]\n      trigger: {event: tools/call}\n    - state: {instructions: \"Now {{path}}\"}\n"}},
	{check: lintRepeatedExtractors, Rule: Rule{ID: "L-303",
		Title:     "a phase declares two extractors of one name",
		Rationale: "The last one that captures something wins, which depends on the messages.",
		Bad:       "execution:\n  mode: mcp_server\n  phases:\n    - state: {instructions: \"{{path}}\"}\n      extractors:\n        - {name: path, source: request, type: json_path, selector: $.arguments.path}\n        - {name: path, source: request, type: json_path, selector: $.arguments.file}\n",
		Good:      "execution:\n  mode: mcp_server\n  phases:\n    - state: {instructions: \"{{path}} {{file}}\"}\n      extractors:\n        - {name: path, source: request, type: json_path, selector: $.arguments.path}\n        - {name: file, source: request, type: json_path, selector: $.arguments.file}\n"}},
}

func extractorExample(instructions string) string {
	return "execution:\n  mode: mcp_server\n  phases:\n    - state: {tools: []}\n      extractors: [{name: path, source: request, type: json_path, selector: $.arguments.path}]\n      trigger: {event: tools/call}\n    - state: {instructions: \"" + instructions + "\"}\n"
}

// lintReferences compares the extractors with the references to them.
func lintReferences(c *checker) {
	used := map[string]bool{} // "actor.extractor"
	captures := c.firstCaptures()
	c.eachTemplate(func(a *actorView, phase int, s string, at *place) {
		references, _ := templateReferences(s)
		for _, ref := range references {
			if strings.Contains(ref, ".") {
				used[ref] = true
				continue
			}
			used[a.name+"."+ref] = true
			if first := captures[a][ref]; first > phase {
				c.warning("L-302", at, "reference %s stands in phase %d, its value is captured from phase %d on", quotedReference(ref), phase+1, first+1)
			}
		}
	})
	c.eachPhase(func(a *actorView, ph phaseView) {
		for i := range ph.Extractors {
			if name := ph.Extractors[i].Name; !used[a.name+"."+name] {
				c.warning("L-301", ph.at.field("extractors").element(i).field("name"), "no template refers to extractor %s", quoted(name)).Help = "remove it, or refer to it as {{" + preview(name) + "}}"
			}
		}
	})
}

// firstCaptures gives per actor and extractor the index of the first phase that
// declares it.
func (c *checker) firstCaptures() map[*actorView]map[string]int {
	captures := map[*actorView]map[string]int{}
	for _, a := range c.actors {
		captures[a] = map[string]int{}
		for i, ph := range slices.Backward(a.phases) {
			for k := range ph.Extractors {
				captures[a][ph.Extractors[k].Name] = i
			}
		}
	}
	return captures
}

// eachTemplate calls do for every string that may hold templates, with the index of
// its phase.
func (c *checker) eachTemplate(do func(a *actorView, phase int, s string, at *place)) {
	for _, a := range c.actors {
		for i, ph := range a.phases {
			text := func(s string, at *place) {
				if strings.Contains(s, "{{") {
					do(a, i, s, at)
				}
			}
			walkStrings(ph.State, ph.at.field("state"), text)
			for k := range ph.OnEnter {
				actionStrings(&ph.OnEnter[k], ph.at.field("on_enter").element(k), text)
			}
		}
	}
}

func lintRepeatedExtractors(c *checker) {
	c.eachPhase(func(_ *actorView, ph phaseView) {
		seen := map[string]bool{}
		for i := range ph.Extractors {
			name := ph.Extractors[i].Name
			if seen[name] {
				c.warning("L-303", ph.at.field("extractors").element(i).field("name"), "extractor %s is declared twice in this phase", quoted(name))
			}
			seen[name] = true
		}
	})
}
