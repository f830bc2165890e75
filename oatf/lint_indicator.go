package oatf

import (
	"fmt"
	"strings"
)

var lintIndicatorRules = []lintRule{
	{check: lintPatterns, Rule: Rule{ID: "L-101",
		Title:     "a condition on text looks at a target that holds objects or lists",
		Rationale: "The default target of most surfaces is an object, and string operators never match one: nothing is turned into text for them. Give the pattern a deeper target.",
		Bad:       "indicators:\n  - surface: tool_arguments\n    pattern: {regex: id_rsa}\n",
		Good:      "indicators:\n  - surface: tool_arguments\n    pattern: {target: arguments.path, condition: {regex: id_rsa}}\n"}},
	{Rule: Rule{ID: "L-102",
		Title:     "a condition on numbers or objects looks at a target that holds text",
		Rationale: "Types are never converted: no text is greater than a number or equal to one.",
		Bad:       "execution: {mode: a2a_client, state: {}}\nindicators:\n  - surface: task_status\n    pattern: {gt: 3}\n",
		Good:      "execution: {mode: a2a_client, state: {}}\nindicators:\n  - surface: task_status\n    pattern: {contains: failed}\n"}},
	{Rule: Rule{ID: "L-103",
		Title:     "a pattern with exists: false never matches",
		Rationale: "A pattern is evaluated on the values that its target resolves to; where there is none it does not match. Absence is CEL's business: !has(message.field).",
		Bad:       "indicators:\n  - surface: tool_arguments\n    pattern: {target: arguments.confirm, condition: {exists: false}}\n",
		Good:      "indicators:\n  - surface: tool_arguments\n    expression: {cel: \"!has(message.arguments.confirm)\"}\n"}},
	{Rule: Rule{ID: "L-104",
		Title:     "the operators of a condition exclude each other",
		Rationale: "All operators of a condition must hold for the same value; these never do.",
		Bad:       "indicators:\n  - surface: tool_arguments\n    pattern: {target: arguments.count, condition: {gt: 5, lt: 3}}\n",
		Good:      "indicators:\n  - surface: tool_arguments\n    pattern: {target: arguments.count, condition: {gt: 3, lt: 5}}\n"}},
	{check: lintOwnPayload, Rule: Rule{ID: "L-105",
		Title:     "an indicator only sees what the attacker itself sends",
		Rationale: "An indicator shall tell whether the agent complied. On a surface that only the document's own actors fill it finds the payload, whatever the agent made of it.",
		Bad:       "indicators:\n  - surface: tool_description\n    pattern: {contains: id_rsa}\n",
		Good:      "indicators:\n  - surface: tool_arguments\n    pattern: {target: arguments.path, condition: {contains: id_rsa}}\n"}},
	{check: lintWrappedTargets, Rule: Rule{ID: "L-106",
		Title:     "the surface's default target does not lie in the message itself",
		Rationale: "Indicators see the params or the result of a message, without its envelope. The registry's default target for a few surfaces names the envelope's member, and tools that take it at its word find nothing.",
		Bad:       "execution: {mode: mcp_client, state: {}}\nindicators:\n  - surface: sampling_request\n    pattern: {condition: {exists: true}}\n",
		Good:      "execution: {mode: mcp_client, state: {}}\nindicators:\n  - surface: sampling_request\n    pattern: {target: systemPrompt, condition: {exists: true}}\n"}},
	{check: lintExamples, Rule: Rule{ID: "L-107",
		Title:     "a semantic indicator has fewer than two positive and two negative examples",
		Rationale: "Engines differ; the examples are what they are calibrated with, and one of each side gives no idea of the boundary.",
		Clause:    "OATF SDK specification 0.1, §2.16",
		Bad:       "indicators:\n  - surface: tool_arguments\n    semantic: {intent: Read private keys, examples: {positive: [cat ~/.ssh/id_rsa]}}\n",
		Good:      "indicators:\n  - surface: tool_arguments\n    semantic:\n      intent: Read private keys\n      examples: {positive: [cat ~/.ssh/id_rsa, less server.pem], negative: [cat README, ls ~/.ssh]}\n"}},
	{check: lintGeneratedIDs, always: true, Rule: Rule{ID: "L-108",
		Title:     "an indicator's id is the one that another indicator will be given",
		Rationale: "An indicator without id gets one from its position. When another has that id already, their verdicts cannot be told apart after normalization.",
		Clause:    "OATF SDK specification 0.1, §3.3 (N-003)",
		Bad:       "indicators:\n  - {surface: tool_arguments, pattern: {target: arguments.a, contains: x}}\n  - {id: indicator-01, surface: tool_arguments, pattern: {target: arguments.a, contains: y}}\n",
		Good:      "indicators:\n  - {surface: tool_arguments, pattern: {target: arguments.a, condition: {contains: x}}}\n  - {id: indicator-02, surface: tool_arguments, pattern: {target: arguments.a, condition: {contains: y}}}\n"}},
}

// lintPatterns finds patterns that can match nothing.
func lintPatterns(c *checker) {
	c.eachIndicator(func(ind *Indicator, at *place) {
		p := ind.Pattern
		if p == nil || (p.Condition == nil) == (p.Shorthand == nil) {
			return
		}
		condition, at := p.Condition, at.field("pattern")
		if condition == nil {
			condition = &Condition{Operators: p.Shorthand}
		} else {
			at = at.field("condition")
		}
		switch why := condition.neverHolds(); {
		case why != "":
			c.warning("L-104", at, "the condition never holds: %s", why)
		case condition.onlyAbsence():
			c.warning("L-103", at, "a pattern never matches what is absent").Help = "use an expression: !has(message.…)"
		default:
			lintTargetKind(c, ind, condition, at)
		}
	})
}

// lintTargetKind compares what a condition can match with what the surface's default
// target holds. What deeper targets hold is not known.
func lintTargetKind(c *checker, ind *Indicator, condition *Condition, at *place) {
	row, known := c.surfaceOf(ind)
	if !known || ind.Pattern.Target != nil && *ind.Pattern.Target != row.Target {
		return
	}
	admitted := condition.admits()
	switch {
	case row.Text && admitted&kindText == 0:
		c.warning("L-102", at, "the condition never matches: the target %s of surface %s holds text", quoted(row.Target), row.Surface)
	case !row.Text && admitted&kindStructure == 0:
		c.warning("L-101", at, "the condition never matches: the target %s of surface %s holds objects or lists", quoted(row.Target), row.Surface).Help = deeperTarget(row)
	}
}

// surfaceOf returns the registry's row for an indicator's surface, if the surface is
// one of its protocol.
func (c *checker) surfaceOf(ind *Indicator) (SurfaceInfo, bool) {
	row, known := LookupSurface(ind.Surface)
	return row, known && row.Protocol == c.indicatorProtocol(ind)
}

func deeperTarget(row SurfaceInfo) string {
	switch row.Target {
	case "":
		return "give the pattern a target, such as description"
	case "arguments":
		return "give the pattern a target such as arguments.path, or use an expression"
	case "content[*]", "contents[*]":
		return "give the pattern the target " + row.Target + ".text"
	}
	return "give the pattern a target below " + row.Target
}

// sender is the side that fills a surface.
type sender uint8

const (
	eitherSide sender = iota
	serverSide
	clientSide
)

// senders are the surfaces that only one side fills.
var senders = map[Surface]sender{
	"tool_description": serverSide, "tool_title": serverSide, "tool_input_schema": serverSide, "tool_name": serverSide,
	"tool_annotations": serverSide, "tool_output_schema": serverSide, "tool_icons": serverSide, "tool_response": serverSide,
	"tool_structured_response": serverSide, "resource_content": serverSide, "resource_uri": serverSide, "resource_title": serverSide,
	"resource_description": serverSide, "resource_icons": serverSide, "prompt_content": serverSide, "prompt_title": serverSide,
	"prompt_description": serverSide, "prompt_icons": serverSide, "server_notification": serverSide, "server_capability": serverSide,
	"server_info": serverSide, "server_instructions": serverSide, "sampling_request": serverSide, "elicitation_request": serverSide,
	"mcp_task_status": serverSide, "mcp_task_result": serverSide,
	"tool_arguments": clientSide, "prompt_arguments": clientSide, "elicitation_response": clientSide, "roots_response": clientSide,
	"agent_card": serverSide, "card_name": serverSide, "card_description": serverSide, "skill_description": serverSide, "skill_name": serverSide,
	"task_artifact": serverSide, "task_status": serverSide,
	"message_history": clientSide, "tool_definition": clientSide, "tool_result": clientSide, "forwarded_props": clientSide,
	"agent_event": serverSide, "agent_tool_call": serverSide,
}

// lintOwnPayload finds indicators on surfaces that only the document's own actors
// fill: all actors of the protocol stand on the side that sends them.
func lintOwnPayload(c *checker) {
	sides := map[Protocol]map[sender]bool{}
	c.eachPhase(func(_ *actorView, ph phaseView) {
		protocol := ExtractProtocol(ph.mode)
		if sides[protocol] == nil {
			sides[protocol] = map[sender]bool{}
		}
		side := clientSide
		if strings.HasSuffix(string(ph.mode), "_server") {
			side = serverSide
		}
		sides[protocol][side] = true
	})
	c.eachIndicator(func(ind *Indicator, at *place) {
		row, known := c.surfaceOf(ind)
		own, fills := sides[row.Protocol], senders[row.Surface]
		if !known || fills == eitherSide || !own[fills] || len(own) > 1 {
			return
		}
		d := c.warning("L-105", at.field("surface"), "surface %s is what the attacker itself sends: a match shows the payload, not that the agent complied", ind.Surface)
		d.Help = "look at what the agent sends: " + strings.Join(surfacesOf(row.Protocol, fills), ", ")
	})
}

// surfacesOf lists the surfaces of a protocol that the other side than mine may fill.
func surfacesOf(protocol Protocol, mine sender) (list []string) {
	for _, row := range surfaces {
		if row.Protocol == protocol && senders[row.Surface] != mine {
			list = append(list, string(row.Surface))
		}
	}
	return list
}

// lintWrappedTargets finds indicators that rely on a default target of the envelope.
func lintWrappedTargets(c *checker) {
	c.eachIndicator(func(ind *Indicator, at *place) {
		row, known := c.surfaceOf(ind)
		if !known || row.Target != "params" && row.Target != "result" {
			return
		}
		defaulted := func(target *string) bool { return target == nil || *target == row.Target }
		if p := ind.Pattern; p != nil && defaulted(p.Target) || ind.Semantic != nil && defaulted(ind.Semantic.Target) {
			c.warning("L-106", at.field("surface"), "the default target %s of surface %s is not part of the message that indicators see", quoted(row.Target), row.Surface).Help = `give a target inside it, or "" for all of it`
		}
	})
}

func lintExamples(c *checker) {
	c.eachIndicator(func(ind *Indicator, at *place) {
		if ind.Semantic == nil {
			return
		}
		positive, negative, at := 0, 0, at.field("semantic")
		if e := ind.Semantic.Examples; e != nil {
			positive, negative, at = len(e.Positive), len(e.Negative), at.field("examples")
		}
		if positive < 2 || negative < 2 {
			c.warning("L-107", at, "%d positive and %d negative examples; engines need two of each", positive, negative)
		}
	})
}

// lintGeneratedIDs finds explicit ids that N-003 gives to another indicator.
func lintGeneratedIDs(c *checker) {
	prefix := "indicator"
	if c.Attack.ID != nil {
		prefix = *c.Attack.ID
	}
	generated := map[string]int{}
	c.eachIndicator(func(ind *Indicator, at *place) {
		if ind.ID == nil {
			generated[indicatorID(prefix, at.index+1)] = at.index + 1
		}
	})
	c.eachIndicator(func(ind *Indicator, at *place) {
		if number := generated[deref(ind.ID)]; number > 0 {
			c.warning("L-108", at.field("id"), "the id %s is the one that indicator %d will be given, which has none", quoted(*ind.ID), number).Help = fmt.Sprintf("give indicator %d an id of its own", number)
		}
	})
}
