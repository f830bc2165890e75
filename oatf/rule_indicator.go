package oatf

import (
	"strings"
)

func checkIndicatorIDs(c *checker) {
	seen := map[string]bool{}
	c.eachIndicator(func(ind *Indicator, at *place) {
		if ind.ID == nil {
			return
		}
		if seen[*ind.ID] {
			c.violation("V-010", at.field("id"), "indicator id %s is used twice", quoted(*ind.ID))
		}
		seen[*ind.ID] = true
		if id := c.Attack.ID; id != nil && !isIndicatorID(*ind.ID, *id) {
			e := c.violation("V-024", at.field("id"), "indicator id %s is not the attack's id with a number of two digits or more", quoted(*ind.ID))
			if isAttackID(*id) {
				e.Help = "write it like " + preview(*id) + "-01"
			}
		}
	})
}

func checkDetectionKeys(c *checker) {
	c.eachIndicator(func(ind *Indicator, at *place) {
		var keys []string
		if ind.Pattern != nil {
			keys = append(keys, "pattern")
		}
		if ind.Expression != nil {
			keys = append(keys, "expression")
		}
		if ind.Semantic != nil {
			keys = append(keys, "semantic")
		}
		switch {
		case len(keys) == 0:
			c.violation("V-012", at, "the indicator has no detection key").Help = "add exactly one of pattern, expression and semantic"
		case len(keys) > 1:
			c.violation("V-012", at, "the indicator has %s", strings.Join(keys, " and ")).Help = "keep exactly one of pattern, expression and semantic"
		}
		if p := ind.Pattern; p != nil && (p.Condition == nil) == (p.Shorthand == nil) {
			checkPatternForm(c, p, at.field("pattern"))
		}
	})
}

// checkPatternForm reports a pattern that has neither form, or both.
func checkPatternForm(c *checker, p *PatternMatch, at *place) {
	if p.Condition == nil {
		c.violation("V-012", at, "the pattern has no condition").Help = "add condition:, or one operator such as contains:"
		return
	}
	c.violation("V-012", at, "the pattern has both a condition and an operator beside it").Help = "move the operator into the condition"
}

func checkSurfaces(c *checker) {
	c.eachIndicator(func(ind *Indicator, at *place) {
		protocol := c.indicatorProtocol(ind)
		if !isMember(protocol, knownProtocols[:]) || c.later() && (ind.Surface == "" || isOperation(ind.Surface)) {
			return
		}
		row, known := LookupSurface(ind.Surface)
		if known && row.Protocol == protocol {
			return
		}
		surface := at.field("surface")
		if known {
			c.violation("V-018", surface, "surface %s belongs to protocol %s, not %s", quoted(string(ind.Surface)), row.Protocol, protocol)
			return
		}
		hint := c.surfaceHint(ind.Surface, protocol)
		c.violation("V-018", surface, "surface %s does not exist in protocol %s", quoted(string(ind.Surface)), protocol).Help = hint
		c.violation("V-005", surface, "surface %s is in no protocol binding", quoted(string(ind.Surface))).Help = hint
	})
}

func (c *checker) surfaceHint(s Surface, protocol Protocol) string {
	var candidates []string
	for _, row := range surfaces {
		if row.Protocol == protocol {
			candidates = append(candidates, string(row.Surface))
		}
	}
	return c.hint(string(s), candidates)
}

func checkKnownProtocols(c *checker) {
	c.eachIndicator(func(ind *Indicator, at *place) {
		if p := ind.Protocol; p != nil && isName(string(*p)) && !isMember(*p, knownProtocols[:]) {
			c.warning("W-003", at.field("protocol"), "protocol %s belongs to no included protocol binding", quoted(string(*p))).Help = c.hint(string(*p), names(knownProtocols[:]))
		}
	})
}

// checkProtocolActors warns of indicators that nobody's traffic can match: no mode
// anywhere in the execution speaks their protocol.
func checkProtocolActors(c *checker) {
	spoken := map[Protocol]bool{}
	c.eachMode(func(mode Mode, _ *place) { spoken[ExtractProtocol(mode)] = true })
	if len(spoken) == 0 {
		return
	}
	c.eachIndicator(func(ind *Indicator, at *place) {
		p := c.indicatorProtocol(ind)
		if isMember(p, knownProtocols[:]) && !spoken[p] {
			c.warning("W-005", at.field("protocol"), "no actor speaks protocol %s", quoted(string(p)))
		}
	})
}
