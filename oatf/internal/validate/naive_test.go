package validate_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// naive is what the text of the rules says of a drawn attack: "RULE path", sorted.
func naive(attack tree) []string {
	n := &naiveReader{attack: attack, actors: map[string]bool{}, spoken: map[string]bool{}}
	execution := attack["execution"].(tree)
	mode, _ := execution["mode"].(string)
	n.mode = mode
	n.knownMode(mode, "attack.execution.mode")
	switch {
	case execution["state"] != nil:
		n.actors["default"] = true
		n.state(execution["state"].(tree), "attack.execution.state")
	case execution["phases"] != nil:
		n.actors["default"] = true
		n.phases(execution["phases"].(list), mode, "attack.execution.phases")
	default:
		for i, a := range execution["actors"].(list) {
			a, at := a.(tree), fmt.Sprintf("attack.execution.actors[%d]", i)
			n.actors[a["name"].(string)] = true
			n.knownMode(a["mode"].(string), at+".mode")
			n.phases(a["phases"].(list), a["mode"].(string), at+".phases")
		}
	}
	n.envelope()
	for i, ind := range listAt(attack, "indicators") {
		n.indicator(ind.(tree), fmt.Sprintf("attack.indicators[%d]", i))
	}
	slices.Sort(n.found)
	return slices.Compact(n.found)
}

type naiveReader struct {
	attack         tree
	mode           string // of the execution
	actors, spoken map[string]bool
	found          []string
}

func (n *naiveReader) finds(rule, path string) { n.found = append(n.found, rule+" "+path) }

func listAt(o tree, key string) list {
	l, _ := o[key].(list)
	return l
}

func (n *naiveReader) envelope() {
	seen := map[any]bool{}
	for _, impact := range listAt(n.attack, "impact") {
		if seen[impact] {
			n.finds("V-045", "attack.impact")
		}
		seen[impact] = true
	}
	indicators, present := n.attack["indicators"]
	if present && len(indicators.(list)) == 0 {
		n.finds("V-006", "attack.indicators")
	}
	if n.attack["correlation"] != nil && !present {
		n.finds("V-047", "attack.correlation")
	}
}

var protocolOf = map[string]string{"mcp_server": "mcp", "mcp_client": "mcp", "a2a_server": "a2a", "ag_ui_client": "ag_ui"}

func (n *naiveReader) knownMode(mode, path string) {
	if mode == "" {
		return
	}
	protocol, known := protocolOf[mode]
	if !known {
		n.finds("W-002", path)
		protocol = strings.TrimSuffix(mode, "_server")
	}
	n.spoken[protocol] = true
}

// simple and wildcard are the grammars of dot-paths.
var (
	simple   = regexp.MustCompile(`^([A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*)?$`)
	wildcard = regexp.MustCompile(`^([A-Za-z0-9_-]+(\[\*\])?(\.[A-Za-z0-9_-]+(\[\*\])?)*)?$`)
	group    = regexp.MustCompile(`(^|[^\\])\((\?P<|[^?])`)
)

// occurs are the drawn events that the modes have.
var occurs = map[string][]string{
	"mcp_server":   {"tools/call"},
	"mcp_client":   {"tools/call", "notifications/message"},
	"a2a_server":   {"message/send"},
	"ag_ui_client": {"run_started"},
}

func (n *naiveReader) phases(phases list, mode, at string) {
	own := map[string]bool{}
	for i, ph := range phases {
		ph, at := ph.(tree), fmt.Sprintf("%s[%d]", at, i)
		stated, has := ph["mode"].(string)
		n.knownMode(stated, at+".mode")
		switch {
		case mode == "" && !has:
			n.finds("V-028", at+".mode")
		case mode == "":
			own[stated] = true
		case has && stated != mode:
			n.finds("V-044", at+".mode")
		}
		resolved := mode
		if has {
			resolved = stated
		}
		if state, ok := ph["state"].(tree); ok {
			n.state(state, at+".state")
		}
		n.phase(ph, resolved, at)
	}
	if len(own) > 1 {
		n.finds("V-028", at)
	}
}

func (n *naiveReader) phase(ph tree, mode, at string) {
	if l, present := ph["extractors"]; present && len(l.(list)) == 0 {
		n.finds("V-038", at+".extractors")
	}
	for i, x := range listAt(ph, "extractors") {
		if x := x.(tree); x["type"] == "regex" && !group.MatchString(x["selector"].(string)) {
			n.finds("V-042", fmt.Sprintf("%s.extractors[%d].selector", at, i))
		}
	}
	if l, present := ph["on_enter"]; present && len(l.(list)) == 0 {
		n.finds("V-043", at+".on_enter")
	}
	for i, action := range listAt(ph, "on_enter") {
		keys := 0
		for key := range action.(tree) {
			if !strings.HasPrefix(key, "x-") {
				keys++
			}
		}
		if keys != 1 {
			n.finds("V-041", fmt.Sprintf("%s.on_enter[%d]", at, i))
		}
	}
	if trigger, ok := ph["trigger"].(tree); ok {
		n.trigger(trigger, mode, at+".trigger")
	}
}

func (n *naiveReader) trigger(trigger tree, mode, at string) {
	event, has := trigger["event"].(string)
	_, counts := trigger["count"]
	match, matches := trigger["match"].(tree)
	if !has && (counts || matches) {
		n.finds("V-019", at)
	}
	if !has && trigger["after"] == nil {
		n.finds("V-040", at)
	}
	if names, known := occurs[mode]; has && known && !slices.Contains(names, event) {
		n.finds("V-029", at+".event")
	}
	n.predicate(match, at+".match")
}

func (n *naiveReader) predicate(match tree, at string) {
	for key := range match {
		if !simple.MatchString(key) {
			n.finds("V-027", at+"."+key)
		}
	}
}

func (n *naiveReader) state(state tree, at string) {
	for _, owner := range []string{"tools", "prompts"} {
		for i, o := range listAt(state, owner) {
			n.responses(o.(tree), "responses", fmt.Sprintf("%s.%s[%d]", at, owner, i))
		}
	}
	for _, key := range []string{"sampling_responses", "elicitation_responses", "task_responses", "tool_responses"} {
		n.responses(state, key, at)
	}
	if input, _ := state["run_agent_input"].(tree); input["synthesize"] != nil {
		n.finds("W-006", at+".run_agent_input.synthesize")
	}
}

func (n *naiveReader) responses(owner tree, key, at string) {
	defaults := 0
	for i, e := range listAt(owner, key) {
		entry, at := e.(tree), fmt.Sprintf("%s.%s[%d]", at, key, i)
		when, chosen := entry["when"].(tree)
		if !chosen {
			defaults++
		}
		n.predicate(when, at+".when")
		if entry["synthesize"] != nil {
			n.finds("W-006", at+".synthesize")
		}
	}
	if defaults > 1 {
		n.finds("V-033", at+"."+key)
	}
}

// operations are the drawn surfaces that the protocols have.
var operations = map[string][]string{"mcp": {"tools/call", "tasks/get"}, "a2a": {"message/send", "tasks/get"}, "ag_ui": {"run_started"}}

func (n *naiveReader) indicator(ind tree, at string) {
	protocol, has := ind["protocol"].(string)
	if !has && n.mode != "" {
		protocol, has = protocolOf[n.mode], true
	}
	names, known := operations[protocol]
	switch {
	case !has:
		n.finds("V-028", at+".protocol")
	case !known && ind["protocol"] != nil:
		n.finds("W-003", at+".protocol")
	case known && !n.spoken[protocol] && len(n.spoken) > 0:
		n.finds("W-005", at+".protocol")
	}
	if surface, some := ind["surface"].(string); known && some && !slices.Contains(names, surface) {
		n.finds("V-018", at+".surface")
	}
	if actor, ok := ind["actor"].(string); ok && !n.actors[actor] {
		n.finds("V-048", at+".actor")
	}
	n.target(ind, at)
	keys := 0
	for _, key := range []string{"pattern", "expression", "semantic"} {
		if inside, ok := ind[key].(tree); ok {
			keys++
			n.target(inside, at+"."+key)
		}
	}
	if keys != 1 {
		n.finds("V-012", at)
	}
	if method, ok := ind["method"].(string); ok && ind[method] == nil {
		n.finds("V-049", at+".method")
	}
	if ind["semantic"] != nil {
		n.finds("W-007", at+".semantic")
	}
}

func (n *naiveReader) target(o tree, at string) {
	if target, ok := o["target"].(string); ok && !wildcard.MatchString(target) {
		n.finds("V-021", at+".target")
	}
}
