package oatf

import "go.yaml.in/yaml/v4"

func (o *object) execution() Execution {
	n := o.take("execution")
	if n == nil {
		o.missing("execution", ruleExecution)
		return Execution{}
	}
	before := len(o.faults)
	e := o.object(n, o.at.field("execution"))
	if e.node == nil && len(o.faults) > before {
		o.faults[before].Rule = ruleExecution
	}
	x := Execution{
		Mode:   named[Mode](e, "mode"),
		State:  e.state(),
		Phases: list(e, "phases", (*parser).phase),
		Actors: list(e, "actors", (*parser).actor),
	}
	x.Extensions = e.extensions()
	return x
}

// state reads protocol state of any type: Validate tells what is wrong with one that
// is not a mapping.
func (o *object) state() Value {
	if n := o.take("state"); n != nil {
		return o.value(n)
	}
	return nil
}

func (p *parser) actor(n *yaml.Node, at *place) Actor {
	o := p.object(n, at)
	a := Actor{Name: o.required("name", ruleActor), Mode: Mode(o.required("mode", ruleActor))}
	if a.Phases = list(o, "phases", (*parser).phase); o.absent("phases") {
		o.missing("phases", ruleActor)
	}
	a.Extensions = o.extensions()
	return a
}

func (p *parser) phase(n *yaml.Node, at *place) Phase {
	o := p.object(n, at)
	ph := Phase{
		Name:        o.text("name"),
		Description: o.text("description"),
		Mode:        named[Mode](o, "mode"),
		State:       o.state(),
		Extractors:  list(o, "extractors", (*parser).extractor),
		OnEnter:     list(o, "on_enter", (*parser).action),
	}
	if n := o.take("trigger"); n != nil {
		ph.Trigger = p.trigger(n, at.field("trigger"))
	}
	ph.Extensions = o.extensions()
	return ph
}

func (p *parser) extractor(n *yaml.Node, at *place) Extractor {
	o := p.object(n, at)
	x := Extractor{
		Name:     o.required("name", ""),
		Source:   requiredMember(o, "source", extractorSources),
		Type:     requiredMember(o, "type", extractorTypes),
		Selector: o.required("selector", ""),
	}
	o.close()
	return x
}

// action reads an entry action. Every key without "x-" counts as an action: that
// there is exactly one is Validate's business.
func (p *parser) action(n *yaml.Node, at *place) Action {
	o := p.object(n, at)
	var a Action
	if n := o.take("send_notification"); n != nil {
		s := p.object(n, at.field("send_notification"))
		a.SendNotification = &SendNotification{Method: s.required("method", ""), Params: s.mapping("params")}
		s.close()
	}
	if n := o.take("log"); n != nil {
		s := p.object(n, at.field("log"))
		a.Log = &Log{Message: s.required("message", ""), Level: member(s, "level", logLevels)}
		s.close()
	}
	if n := o.take("send_elicitation"); n != nil {
		a.SendElicitation = p.sendElicitation(n, at.field("send_elicitation"))
	}
	for i, key := range o.keys {
		if !o.taken[i] && key.Kind == yaml.ScalarNode && !isExtension(key.Value) && !isMergeKey(key) {
			o.taken[i] = true
			a.Binding = append(a.Binding, Member{Key: key.Value, Value: p.value(n.Content[2*i+1])})
		}
	}
	a.Extensions = o.extensions()
	return a
}

func (p *parser) sendElicitation(n *yaml.Node, at *place) *SendElicitation {
	o := p.object(n, at)
	s := &SendElicitation{
		Message:         o.required("message", ""),
		Mode:            member(o, "mode", elicitationModes),
		RequestedSchema: o.mapping("requestedSchema"),
		ElicitationID:   o.text("elicitationId"),
		URL:             o.text("url"),
	}
	o.close()
	return s
}

func (p *parser) trigger(n *yaml.Node, at *place) *Trigger {
	o := p.object(n, at)
	t := &Trigger{Event: o.text("event"), Count: o.integer("count"), After: named[Duration](o, "after")}
	if n := o.take("match"); n != nil {
		t.Match = p.predicate(n, at.field("match"))
	}
	o.close()
	return t
}
