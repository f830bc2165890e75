package parse

import (
	"github.com/cupel-dev/cupel/oatf/internal/rules"
	"github.com/cupel-dev/cupel/oatf/internal/vocabulary"
	"github.com/cupel-dev/cupel/oatf/model"
)

func readExecution(attack *object) model.Execution {
	n := attack.take("execution")
	if !n.isThere() {
		attack.missing("execution", rules.HasExecution)
		return model.Execution{}
	}
	before := len(n.faults.All())
	o := n.object()
	if faults := n.faults.All(); !o.isThere() && len(faults) > before {
		faults[before].Rule = n.profile.Rules.ID(rules.HasExecution)
	}
	x := model.Execution{
		Mode:   named[model.Mode](o.take("mode")),
		State:  o.take("state").value(), // any type: Validate reports other values than mappings
		Phases: list(o.take("phases"), readPhase),
		Actors: list(o.take("actors"), readActor),
	}
	x.Extensions = o.extensions()
	return x
}

func readActor(n node) model.Actor {
	o := n.object()
	a := model.Actor{Name: o.required("name", rules.Actors), Mode: model.Mode(o.required("mode", rules.Actors))}
	phases := o.take("phases")
	if a.Phases = list(phases, readPhase); !phases.isThere() {
		o.missing("phases", rules.Actors)
	}
	a.Extensions = o.extensions()
	return a
}

func readPhase(n node) model.Phase {
	o := n.object()
	ph := model.Phase{
		Name:        o.take("name").optionalText(),
		Description: o.take("description").optionalText(),
		Mode:        named[model.Mode](o.take("mode")),
		State:       o.take("state").value(),
		Extractors:  list(o.take("extractors"), readExtractor),
		OnEnter:     list(o.take("on_enter"), readAction),
		Trigger:     optional(o.take("trigger"), readTrigger),
	}
	ph.Extensions = o.extensions()
	return ph
}

func readExtractor(n node) model.Extractor {
	o := n.object()
	x := model.Extractor{
		Name:     o.required("name"),
		Source:   requiredMember(o, "source", vocabulary.ExtractorSources),
		Type:     requiredMember(o, "type", vocabulary.ExtractorTypes),
		Selector: o.required("selector"),
	}
	o.close()
	return x
}

// readAction parses an entry action. Every key without "x-" counts as an action; Validate checks
// that there is exactly one.
func readAction(n node) model.Action {
	o := n.object().without(n.profile.Keys.ActionLacks)
	a := model.Action{
		SendNotification: optional(o.take("send_notification"), readSendNotification),
		Log:              optional(o.take("log"), readLog),
		SendElicitation:  optional(o.take("send_elicitation"), readSendElicitation),
		Send:             optional(o.take("send"), readSend),
		Binding:          o.rest(),
	}
	a.Extensions = o.extensions()
	return a
}

func readSendNotification(n node) model.SendNotification {
	o := n.object()
	s := model.SendNotification{Method: o.required("method"), Params: o.take("params").mapping()}
	o.close()
	return s
}

func readSend(n node) model.Send {
	o := n.object()
	s := model.Send{Method: o.required("method"), Params: o.take("params").value()}
	o.close()
	return s
}

func readLog(n node) model.Log {
	o := n.object()
	l := model.Log{Message: o.required("message"), Level: member(o.take("level"), vocabulary.LogLevels)}
	o.close()
	return l
}

func readSendElicitation(n node) model.SendElicitation {
	o := n.object()
	s := model.SendElicitation{
		Message:         o.required("message"),
		Mode:            member(o.take("mode"), vocabulary.ElicitationModes),
		RequestedSchema: o.take("requestedSchema").mapping(),
		ElicitationID:   o.take("elicitationId").optionalText(),
		URL:             o.take("url").optionalText(),
	}
	o.close()
	return s
}

func readTrigger(n node) model.Trigger {
	o := n.object()
	t := model.Trigger{Event: o.take("event").optionalText(), Count: o.take("count").integer(), After: named[model.Duration](o.take("after"))}
	if match := o.take("match"); match.isThere() {
		t.Match = readPredicate(match)
	}
	o.close()
	return t
}
