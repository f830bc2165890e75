package oatf

func (x *Execution) tree() Object {
	var f fields
	scalar(&f, "mode", x.Mode)
	f.present("state", x.State)
	sequence(&f, "phases", x.Phases, (*Phase).tree)
	sequence(&f, "actors", x.Actors, (*Actor).tree)
	return f.with(x.Extensions)
}

func (a *Actor) tree() Value {
	var f fields
	f.value("name", a.Name)
	f.value("mode", string(a.Mode))
	sequence(&f, "phases", a.Phases, (*Phase).tree)
	return f.with(a.Extensions)
}

func (p *Phase) tree() Value {
	var f fields
	f.text("name", p.Name)
	f.text("description", p.Description)
	scalar(&f, "mode", p.Mode)
	f.present("state", p.State)
	sequence(&f, "extractors", p.Extractors, (*Extractor).tree)
	sequence(&f, "on_enter", p.OnEnter, (*Action).tree)
	f.present("trigger", p.Trigger.tree())
	return f.with(p.Extensions)
}

func (x *Extractor) tree() Value {
	var f fields
	f.value("name", x.Name)
	f.value("source", string(x.Source))
	f.value("type", string(x.Type))
	f.value("selector", x.Selector)
	return f.list
}

func (a *Action) tree() Value {
	var f fields
	if s := a.SendNotification; s != nil {
		var inner fields
		inner.value("method", s.Method)
		inner.present("params", s.Params)
		f.value("send_notification", inner.list)
	}
	f.present("send_elicitation", a.SendElicitation.tree())
	if l := a.Log; l != nil {
		var inner fields
		inner.value("message", l.Message)
		scalar(&inner, "level", l.Level)
		f.value("log", inner.list)
	}
	f.list = append(f.list, a.Binding...)
	return f.with(a.Extensions)
}

func (s *SendElicitation) tree() Value {
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

func (t *Trigger) tree() Value {
	if t == nil {
		return nil
	}
	var f fields
	f.text("event", t.Event)
	f.integer("count", t.Count)
	if t.Match != nil {
		f.value("match", t.Match.tree())
	}
	scalar(&f, "after", t.After)
	return f.list
}

func (p MatchPredicate) tree() Value {
	object := make(Object, len(p))
	for i := range p {
		object[i] = Member{Key: p[i].Path, Value: p[i].Condition.tree()}
	}
	return object
}

func (c *Condition) tree() Value {
	if c.Operators == nil {
		return c.Value
	}
	var f fields
	c.Operators.addTo(&f)
	return f.list
}

// addTo adds the operators to the object that they stand in: a condition, or the
// pattern itself in shorthand.
func (c *MatchCondition) addTo(f *fields) {
	f.text("contains", c.Contains)
	f.text("starts_with", c.StartsWith)
	f.text("ends_with", c.EndsWith)
	f.text("regex", c.Regex)
	if c.AnyOf != nil {
		f.value("any_of", c.AnyOf)
	}
	for _, bound := range []struct {
		key   string
		value *Number
	}{{"gt", c.GT}, {"lt", c.LT}, {"gte", c.GTE}, {"lte", c.LTE}} {
		if bound.value != nil {
			f.value(bound.key, *bound.value)
		}
	}
	if c.Exists != nil {
		f.value("exists", *c.Exists)
	}
}
