package oatf

func checkPatternRegexes(c *checker) {
	c.eachIndicator(func(ind *Indicator, at *place) {
		if ind.Pattern == nil {
			return
		}
		at = at.field("pattern")
		operatorsRegex(c, ind.Pattern.Shorthand, at)
		if ind.Pattern.Condition != nil {
			operatorsRegex(c, ind.Pattern.Condition.Operators, at.field("condition"))
		}
	})
	c.eachPhase(func(_ *actorView, ph phaseView) {
		if ph.Trigger != nil {
			for i := range ph.Trigger.Match {
				m := &ph.Trigger.Match[i]
				operatorsRegex(c, m.Operators, ph.at.field("trigger").field("match").field(m.Path))
			}
		}
		for i := range ph.Extractors {
			if x := &ph.Extractors[i]; x.Type == ExtractorRegex {
				regex(c, x.Selector, ph.at.field("extractors").element(i).field("selector"))
			}
		}
	})
}

func operatorsRegex(c *checker, operators *MatchCondition, at *place) {
	if operators != nil && operators.Regex != nil {
		regex(c, *operators.Regex, at.field("regex"))
	}
}

func regex(c *checker, expression string, at *place) {
	if !c.affords("V-013", &c.regexes, len(expression), at) {
		return
	}
	if err := checkRegex(expression); err != nil {
		c.violation("V-013", at, "invalid regular expression: %v", err).Help = regexHelp(expression)
	}
}

// affords says whether an expression may still be parsed, and reports the first that
// may not.
func (c *checker) affords(rule string, b *budget, cost int, at *place) bool {
	ok, first := b.spend(cost)
	if first {
		c.violation(rule, at, "the expressions of the document come to more than about %d bytes: from here on they are not checked", maxExpressions)
	}
	return ok
}

func checkExpressions(c *checker) {
	c.eachIndicator(func(ind *Indicator, at *place) {
		x := ind.Expression
		if x == nil {
			return
		}
		at = at.field("expression")
		if c.affords("V-014", &c.cels, len(x.CEL)+celOverhead, at.field("cel")) {
			if err := checkCEL(x.CEL); err != nil {
				c.violation("V-014", at.field("cel"), "invalid CEL expression: %v", err)
			}
		}
		for _, v := range x.Variables {
			variable := at.field("variables").field(v.Name)
			if !CheckSimplePath(v.Path) {
				c.violation("V-026", variable, "%s is not a simple dot-path", quoted(v.Path)).Help = "write names separated by dots, without [*] and indices"
			}
			if !isCELIdentifier(v.Name) {
				c.violationOfKey("V-041", variable, "variable name %s is not a CEL identifier", quoted(v.Name)).Help = "use letters, digits and underscores, and begin with no digit"
			}
		}
	})
}

func checkSelectors(c *checker) {
	c.eachPhase(func(_ *actorView, ph phaseView) {
		for i := range ph.Extractors {
			x := &ph.Extractors[i]
			if x.Type != ExtractorJSONPath {
				continue
			}
			selector := ph.at.field("extractors").element(i).field("selector")
			if !c.affords("V-015", &c.selectors, len(x.Selector), selector) {
				continue
			}
			if err := checkJSONPath(x.Selector); err != nil {
				c.violation("V-015", selector, "invalid JSONPath: %v", err)
			}
		}
	})
}

func checkTargets(c *checker) {
	target := func(path *string, at *place) {
		if path != nil && !CheckWildcardPath(*path) {
			c.violation("V-021", at.field("target"), "%s is not a wildcard dot-path", quoted(*path)).Help = "write names separated by dots, each with an optional [*]; indices such as [0] do not exist"
		}
	}
	c.eachIndicator(func(ind *Indicator, at *place) {
		if ind.Pattern != nil {
			target(ind.Pattern.Target, at.field("pattern"))
		}
		if ind.Semantic != nil {
			target(ind.Semantic.Target, at.field("semantic"))
		}
	})
}

func checkPredicates(c *checker) {
	c.eachPhase(func(_ *actorView, ph phaseView) {
		if ph.Trigger == nil {
			return
		}
		for i := range ph.Trigger.Match {
			predicateKey(c, ph.Trigger.Match[i].Path, ph.at.field("trigger").field("match"))
		}
	})
}

func predicateKey(c *checker, key string, at *place) {
	if !CheckSimplePath(key) {
		c.violationOfKey("V-027", at.field(key), "%s is not a simple dot-path", quoted(key)).Help = "write names separated by dots, without [*] and indices"
	}
}
