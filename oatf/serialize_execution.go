package oatf

import "github.com/cupel-dev/cupel/oatf/model"

func executionTree(x *model.Execution) model.Object {
	var f fields
	scalar(&f, "mode", x.Mode)
	f.present("state", x.State)
	sequence(&f, "phases", x.Phases, phaseTree)
	sequence(&f, "actors", x.Actors, actorTree)
	return f.with(x.Extensions)
}

func actorTree(a *model.Actor) model.Value {
	var f fields
	f.value("name", a.Name)
	f.value("mode", string(a.Mode))
	sequence(&f, "phases", a.Phases, phaseTree)
	return f.with(a.Extensions)
}

func phaseTree(p *model.Phase) model.Value {
	var f fields
	f.text("name", p.Name)
	f.text("description", p.Description)
	scalar(&f, "mode", p.Mode)
	f.present("state", p.State)
	sequence(&f, "extractors", p.Extractors, extractorTree)
	sequence(&f, "on_enter", p.OnEnter, actionTree)
	f.present("trigger", triggerTree(p.Trigger))
	return f.with(p.Extensions)
}

func extractorTree(x *model.Extractor) model.Value {
	var f fields
	f.value("name", x.Name)
	f.value("source", string(x.Source))
	f.value("type", string(x.Type))
	f.value("selector", x.Selector)
	return f.list
}

func actionTree(a *model.Action) model.Value {
	var f fields
	if s := a.SendNotification; s != nil {
		var inner fields
		inner.value("method", s.Method)
		inner.present("params", s.Params)
		f.value("send_notification", inner.list)
	}
	f.present("send_elicitation", sendElicitationTree(a.SendElicitation))
	if s := a.Send; s != nil {
		var inner fields
		inner.value("method", s.Method)
		inner.present("params", s.Params)
		f.value("send", inner.list)
	}
	if l := a.Log; l != nil {
		var inner fields
		inner.value("message", l.Message)
		scalar(&inner, "level", l.Level)
		f.value("log", inner.list)
	}
	f.list = append(f.list, a.Binding...)
	return f.with(a.Extensions)
}

func sendElicitationTree(s *model.SendElicitation) model.Value {
	if s == nil {
		return nil
	}
	var f fields
	f.value("message", s.Message)
	scalar(&f, "mode", s.Mode)
	f.present("requestedSchema", s.RequestedSchema)
	f.text("elicitationId", s.ElicitationID)
	f.text("url", s.URL)
	return f.list
}

func triggerTree(t *model.Trigger) model.Value {
	if t == nil {
		return nil
	}
	var f fields
	f.text("event", t.Event)
	f.integer("count", t.Count)
	if t.Match != nil {
		f.value("match", matchPredicateTree(t.Match))
	}
	scalar(&f, "after", t.After)
	return f.list
}

func matchPredicateTree(p model.MatchPredicate) model.Value {
	object := make(model.Object, len(p))
	for i := range p {
		object[i] = model.Member{Key: p[i].Path, Value: conditionTree(&p[i].Condition)}
	}
	return object
}

func conditionTree(c *model.Condition) model.Value {
	if c.Operators == nil {
		return c.Value
	}
	var f fields
	addOperators(&f, c.Operators)
	return f.list
}

// addOperators adds operators to a condition, or to the pattern in shorthand.
func addOperators(f *fields, c *model.MatchCondition) {
	f.text("contains", c.Contains)
	f.text("starts_with", c.StartsWith)
	f.text("ends_with", c.EndsWith)
	f.text("regex", c.Regex)
	if c.AnyOf != nil {
		f.value("any_of", c.AnyOf)
	}
	for _, bound := range []struct {
		key   string
		value *model.Number
	}{{"gt", c.GT}, {"lt", c.LT}, {"gte", c.GTE}, {"lte", c.LTE}} {
		if bound.value != nil {
			f.value(bound.key, *bound.value)
		}
	}
	if c.Exists != nil {
		f.value("exists", *c.Exists)
	}
}
