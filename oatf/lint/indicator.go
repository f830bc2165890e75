package lint

import (
	"fmt"
	"strings"

	"github.com/cupel-dev/cupel/oatf/internal/rules"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/oatf/internal/place"
	"github.com/cupel-dev/cupel/oatf/internal/profile"
	"github.com/cupel-dev/cupel/oatf/internal/view"
	"github.com/cupel-dev/cupel/oatf/internal/vocabulary"
	"github.com/cupel-dev/cupel/oatf/model"
)

// lintPatterns finds patterns that can match nothing.
func lintPatterns(doc *view.Document, out *reporter) {
	doc.EachIndicator(func(ind *model.Indicator, at *place.Path) {
		p := ind.Pattern
		if p == nil || (p.Condition == nil) == (p.Shorthand == nil) {
			return
		}
		condition, at := p.Condition, at.Field("pattern")
		if condition == nil {
			condition = &model.Condition{Operators: p.Shorthand}
		} else {
			at = at.Field("condition")
		}
		switch why := neverHolds(condition); {
		case why != "":
			out.warn(rules.Contradiction, at, "the condition never holds: %s", why)
		case onlyAbsence(condition):
			out.warn(rules.AbsencePattern, at, "a pattern never matches what is absent").Help = "use an expression: !has(message.…)"
		default:
			lintTargetKind(doc, out, ind, condition, at)
		}
	})
}

// lintTargetKind compares what a condition can match with what the surface's default
// target holds. What deeper targets hold is not known.
func lintTargetKind(doc *view.Document, out *reporter, ind *model.Indicator, condition *model.Condition, at *place.Path) {
	row, known := doc.Surface(ind)
	if !known || ind.Pattern.Target != nil && *ind.Pattern.Target != row.Target {
		return
	}
	admitted := admits(condition)
	switch {
	case row.Text && admitted&kindText == 0:
		out.warn(rules.TextTarget, at, "the condition never matches: the target %s of surface %s holds text", say.Quoted(row.Target), row.Surface)
	case !row.Text && admitted&kindStructure == 0:
		out.warn(rules.StructureTarget, at, "the condition never matches: the target %s of surface %s holds objects or lists", say.Quoted(row.Target), row.Surface).Help = deeperTarget(row)
	}
}

func deeperTarget(row model.SurfaceInfo) string {
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
var senders = map[model.Surface]sender{
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
func lintOwnPayload(doc *view.Document, out *reporter) {
	sides := map[model.Protocol]map[sender]bool{}
	doc.EachPhase(func(_ *view.Actor, ph view.Phase) {
		protocol := vocabulary.ExtractProtocol(ph.Mode)
		if sides[protocol] == nil {
			sides[protocol] = map[sender]bool{}
		}
		side := clientSide
		if strings.HasSuffix(string(ph.Mode), "_server") {
			side = serverSide
		}
		sides[protocol][side] = true
	})
	doc.EachIndicator(func(ind *model.Indicator, at *place.Path) {
		row, known := doc.Surface(ind)
		own, fills := sides[row.Protocol], senders[row.Surface]
		if !known || fills == eitherSide || !own[fills] || len(own) > 1 {
			return
		}
		d := out.warn(rules.OwnPayload, at.Field("surface"), "surface %s is what the attacker itself sends: a match shows the payload, not that the agent complied", ind.Surface)
		d.Help = "look at what the agent sends: " + strings.Join(surfacesOf(doc.Profile, row.Protocol, fills), ", ")
	})
}

// surfacesOf lists the surfaces of a protocol that the other side than mine may fill.
func surfacesOf(p *profile.Profile, protocol model.Protocol, mine sender) (list []string) {
	for _, row := range p.Surfaces {
		if row.Protocol == protocol && senders[row.Surface] != mine {
			list = append(list, string(row.Surface))
		}
	}
	return list
}

// lintWrappedTargets finds indicators that rely on a default target of the envelope.
func lintWrappedTargets(doc *view.Document, out *reporter) {
	doc.EachIndicator(func(ind *model.Indicator, at *place.Path) {
		row, known := doc.Surface(ind)
		if !known || row.Target != "params" && row.Target != "result" {
			return
		}
		defaulted := func(target *string) bool { return target == nil || *target == row.Target }
		if p := ind.Pattern; p != nil && defaulted(p.Target) || ind.Semantic != nil && defaulted(ind.Semantic.Target) {
			out.warn(rules.EnvelopeTarget, at.Field("surface"), "the default target %s of surface %s is not part of the message that indicators see", say.Quoted(row.Target), row.Surface).Help = `give a target inside it, or "" for all of it`
		}
	})
}

func lintExamples(doc *view.Document, out *reporter) {
	doc.EachIndicator(func(ind *model.Indicator, at *place.Path) {
		if ind.Semantic == nil {
			return
		}
		positive, negative, at := 0, 0, at.Field("semantic")
		if e := ind.Semantic.Examples; e != nil {
			positive, negative, at = len(e.Positive), len(e.Negative), at.Field("examples")
		}
		if positive < 2 || negative < 2 {
			out.warn(rules.EnoughExamples, at, "%d positive and %d negative examples; engines need two of each", positive, negative)
		}
	})
}

// lintGeneratedIDs finds explicit ids that N-003 gives to another indicator.
func lintGeneratedIDs(doc *view.Document, out *reporter) {
	prefix := "indicator"
	if doc.Attack.ID != nil {
		prefix = *doc.Attack.ID
	}
	generated := map[string]int{}
	for i := range doc.Attack.Indicators {
		if doc.Attack.Indicators[i].ID == nil {
			generated[vocabulary.IndicatorID(prefix, i+1)] = i + 1
		}
	}
	doc.EachIndicator(func(ind *model.Indicator, at *place.Path) {
		if ind.ID == nil {
			return
		}
		if number := generated[*ind.ID]; number > 0 {
			out.warn(rules.GivenID, at.Field("id"), "the id %s is the one that indicator %d will be given, which has none", say.Quoted(*ind.ID), number).Help = fmt.Sprintf("give indicator %d an id of its own", number)
		}
	})
}
