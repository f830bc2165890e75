package oatf

func checkForms(c *checker) {
	x := &c.Attack.Execution
	var forms []string
	for _, form := range []struct {
		key     string
		present bool
	}{{"state", x.State != nil}, {"phases", x.Phases != nil}, {"actors", x.Actors != nil}} {
		if form.present {
			forms = append(forms, form.key)
		}
	}
	switch {
	case len(forms) == 0:
		c.violation("V-030", executionPlace, "execution has neither state nor phases nor actors").Help = "give it exactly one of them"
	case len(forms) > 1:
		c.violation("V-030", executionPlace, "execution has both %s and %s", forms[0], forms[1]).Help = "keep exactly one of state, phases and actors"
	}
	if x.State == nil {
		return
	}
	if x.Mode == nil {
		c.violation("V-030", executionPlace.field("mode"), "execution has state but no mode").Help = "add a mode such as mcp_server"
	}
	if _, ok := x.State.(Object); !ok {
		c.violation("V-030", executionPlace.field("state"), "state must be a mapping, found %s", kindOf(x.State))
	}
}

// kindOf names the type of a value.
func kindOf(v Value) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "a boolean"
	case string:
		return "a string"
	case Number:
		return "a number"
	case []Value:
		return "a list"
	}
	return "a mapping"
}

func checkPhasesPresent(c *checker) {
	if p := c.Attack.Execution.Phases; p != nil && len(p) == 0 {
		c.violation("V-007", executionPlace.field("phases"), "the list of phases is empty")
	}
	for i, a := range c.Attack.Execution.Actors {
		if len(a.Phases) == 0 {
			c.violation("V-007", executionPlace.field("actors").element(i).field("phases"), "actor %s has no phases", quoted(a.Name))
		}
	}
}

func checkTerminalPhases(c *checker) {
	for _, a := range c.actors {
		terminals := 0
		for i, ph := range a.phases {
			if ph.Trigger != nil {
				continue
			}
			terminals++
			if i < len(a.phases)-1 {
				c.violation("V-008", ph.at, "a phase without trigger never ends, and more phases follow it").Help = "add a trigger, or move the phase to the end"
			}
		}
		if terminals > 1 {
			c.violation("V-008", a.at.field("phases"), "%d phases have no trigger; at most one may be terminal", terminals)
		}
	}
}

func checkFirstState(c *checker) {
	for _, a := range c.actors {
		if a.single || len(a.phases) == 0 {
			continue
		}
		if a.phases[0].State == nil {
			c.violation("V-009", a.phases[0].at, "the first phase has no state to start from").Help = "add state: with what the actor presents"
		}
		for _, ph := range a.phases {
			if _, ok := ph.State.(Object); !ok && ph.State != nil {
				c.violation("V-009", ph.at.field("state"), "state must be a mapping, found %s", kindOf(ph.State))
			}
		}
	}
}

func checkPhaseNames(c *checker) {
	for _, a := range c.actors {
		seen := map[string]bool{}
		for _, ph := range a.phases {
			if ph.Name == nil {
				continue
			}
			if seen[*ph.Name] {
				c.violation("V-011", ph.at.field("name"), "phase name %s is used twice", quoted(*ph.Name))
				if len(c.Attack.Execution.Actors) > 0 && a.at != executionPlace {
					c.violation("V-031", ph.at.field("name"), "phase name %s is used twice in actor %s", quoted(*ph.Name), quoted(a.name))
				}
			}
			seen[*ph.Name] = true
		}
	}
}

func checkInheritance(c *checker) {
	x := &c.Attack.Execution
	if x.Mode != nil {
		return
	}
	if x.Actors == nil {
		for i := range x.Phases {
			if x.Phases[i].Mode == nil {
				c.violation("V-028", executionPlace.field("phases").element(i).field("mode"), "the phase has no mode, and neither has the execution").Help = "add mode to the phase, or once to the execution"
			}
		}
	}
	c.eachIndicator(func(ind *Indicator, at *place) {
		if ind.Protocol == nil {
			c.violation("V-028", at.field("protocol"), "the indicator has no protocol, and the execution has no mode to take it from").Help = "add protocol: mcp, a2a or ag_ui"
		}
	})
}

func checkActors(c *checker) {
	actors := c.Attack.Execution.Actors
	list := executionPlace.field("actors")
	if actors != nil && len(actors) == 0 {
		c.violation("V-031", list, "the list of actors is empty")
	}
	seen := map[string]bool{}
	for i := range actors {
		a, at := &actors[i], list.element(i)
		if !isName(a.Name) {
			c.violation("V-031", at.field("name"), "actor name %s is not of the form [a-z][a-z0-9_]*", quoted(a.Name))
		}
		if seen[a.Name] {
			c.violation("V-031", at.field("name"), "actor name %s is used twice", quoted(a.Name))
		}
		seen[a.Name] = true
		if a.Mode == "" {
			c.violation("V-031", at.field("mode"), "actor %s has no mode", quoted(a.Name))
		}
		if len(a.Phases) == 0 {
			c.violation("V-031", at.field("phases"), "actor %s has no phases", quoted(a.Name))
		}
	}
}

// checkModes holds every mode and protocol to its pattern. The patterns of open
// enumerations are V-005's business too.
func checkModes(c *checker) {
	c.eachMode(func(mode Mode, at *place) {
		if isMode(mode) {
			return
		}
		for _, rule := range []string{"V-036", "V-005"} {
			c.violation(rule, at, "mode %s is not of the form {protocol}_server or {protocol}_client", quoted(string(mode))).Help = c.hint(string(mode), names(knownModes[:]))
		}
	})
	c.eachIndicator(func(ind *Indicator, at *place) {
		if ind.Protocol == nil || isName(string(*ind.Protocol)) {
			return
		}
		for _, rule := range []string{"V-036", "V-005"} {
			c.violation(rule, at.field("protocol"), "protocol %s is not of the form [a-z][a-z0-9_]*", quoted(string(*ind.Protocol))).Help = c.hint(string(*ind.Protocol), names(knownProtocols[:]))
		}
	})
}

// eachMode calls do for every mode that the author wrote.
func (c *checker) eachMode(do func(Mode, *place)) {
	if m := c.Attack.Execution.Mode; m != nil {
		do(*m, executionPlace.field("mode"))
	}
	for i := range c.Attack.Execution.Actors {
		if m := c.Attack.Execution.Actors[i].Mode; m != "" {
			do(m, executionPlace.field("actors").element(i).field("mode"))
		}
	}
	c.eachPhase(func(_ *actorView, ph phaseView) {
		if ph.Mode != nil {
			do(*ph.Mode, ph.at.field("mode"))
		}
	})
}

func checkKnownModes(c *checker) {
	c.eachMode(func(mode Mode, at *place) {
		if _, known := modeBit(mode); isMode(mode) && !known {
			c.warning("W-002", at, "mode %s belongs to no included protocol binding", quoted(string(mode))).Help = c.hint(string(mode), names(knownModes[:]))
		}
	})
}
