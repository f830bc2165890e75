package oatf

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/internal/suggest"
)

var lintPhaseRules = []lintRule{
	{check: lintTriggers, Rule: Rule{ID: "L-201",
		Title:     "a trigger can never fire",
		Rationale: "Its qualifier or its predicate excludes every event, and no time ends the phase.",
		Bad:       phasesExample("trigger: {event: \"tools/list:calculator\"}"),
		Good:      phasesExample("trigger: {event: \"tools/call:calculator\"}")}},
	{Rule: Rule{ID: "L-202",
		Title:     "a trigger waits for a tool or prompt that the phase does not offer",
		Rationale: "An agent calls what the server lists. A name that is not in the state is most likely a slip.",
		Bad:       phasesExample("trigger: {event: \"tools/call:calc\"}"),
		Good:      phasesExample("trigger: {event: \"tools/call:calculator\"}")}},
	{Rule: Rule{ID: "L-203",
		Title:     "a trigger fires at once",
		Rationale: "A phase that ends after zero time is over before the agent can see it.",
		Bad:       phasesExample("trigger: {after: 0s}"),
		Good:      phasesExample("trigger: {after: 5s}")}},
	{Rule: Rule{ID: "L-204",
		Title:     "a phase is never reached",
		Rationale: "A phase before it has a trigger that can never fire.",
		Bad:       phasesExample("trigger: {event: tools/call, match: {arguments.n: {gt: 9, lt: 1}}}"),
		Good:      phasesExample("trigger: {event: tools/call, match: {arguments.n: {gt: 1, lt: 9}}}")}},
}

// phasesExample is an execution of two phases, of which the first ends by trigger.
func phasesExample(trigger string) string {
	return "execution:\n  mode: mcp_server\n  phases:\n    - name: bait\n      state: {tools: [{name: calculator}]}\n      " + trigger + "\n    - name: switch\n      state: {tools: []}\n"
}

func lintTriggers(c *checker) {
	for _, a := range c.actors {
		var state Value
		blocked := "" // the phase that never ends
		for i, ph := range a.phases {
			if blocked != "" {
				c.warning("L-204", ph.at, "the phase is never reached: %s never ends", blocked)
			}
			if ph.State != nil {
				state = ph.State
			}
			if t := ph.Trigger; t != nil && blocked == "" && lintTrigger(c, t, ph, state) {
				blocked = fmt.Sprintf("phase %d", i+1)
			}
		}
	}
}

// lintTrigger reports what is odd about a trigger and says whether it never fires.
func lintTrigger(c *checker, t *Trigger, ph phaseView, state Value) (never bool) {
	at := ph.at.field("trigger")
	if t.After != nil {
		if d, err := t.After.Duration(); err == nil && d == 0 {
			c.warning("L-203", at.field("after"), "the phase ends as soon as it begins")
		}
	}
	if t.Event == nil {
		return false
	}
	place, why := at.field("event"), ""
	base, qualifier, qualified := ParseEventQualifier(*t.Event)
	if _, modal := modeBit(ph.mode); qualified && modal {
		if _, ok := QualifierPath(ExtractProtocol(ph.mode), base); !ok {
			why = "event " + quoted(base) + " has nothing that a qualifier could match"
		} else if ph.mode == "mcp_server" {
			lintOffer(c, base, qualifier, state, place)
		}
	}
	for i := range t.Match {
		if reason := t.Match[i].neverHolds(); reason != "" && why == "" {
			place, why = at.field("match").field(t.Match[i].Path), "the condition never holds: "+reason
		}
	}
	if why == "" {
		return false
	}
	if t.After != nil {
		c.warning("L-201", place, "only the time ends the phase: %s", why)
		return false
	}
	c.warning("L-201", place, "the trigger never fires: %s", why)
	return true
}

// lintOffer checks that an MCP server offers the tool or prompt that a trigger waits
// for. Names with templates may become anything.
func lintOffer(c *checker, base, name string, state Value, at *place) {
	list := map[string]string{"tools/call": "tools", "prompts/get": "prompts"}[base]
	object, ok := state.(Object)
	if list == "" || name == "" || !ok {
		return
	}
	offers, _ := listAt(object, list, nil)
	var known []string
	for _, offer := range offers {
		o, _ := offer.(Object)
		v, _ := o.Get("name")
		text, ok := v.(string)
		if !ok || strings.Contains(text, "{{") || text == name {
			return
		}
		known = append(known, text)
	}
	d := c.warning("L-202", at, "the phase offers no %s named %s", strings.TrimSuffix(list, "s"), quoted(name))
	if d.Help = suggest.Hint(name, known); d.Help == "" && len(known) > 0 {
		slices.Sort(known)
		d.Help = "it offers " + preview(strings.Join(known, ", "))
	}
}
