package oatf

import (
	"fmt"
	"strings"
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
		var offered offers
		blocked := "" // the phase that never ends
		for i, ph := range a.phases {
			if blocked != "" {
				c.warning("L-204", ph.at, "the phase is never reached: %s never ends", blocked)
			}
			if ph.State != nil {
				offered = offersOf(ph.State)
			}
			if t := ph.Trigger; t != nil && blocked == "" && lintTrigger(c, t, ph, offered) {
				blocked = fmt.Sprintf("phase %d", i+1)
			}
		}
	}
}

// lintTrigger reports what is odd about a trigger and says whether it never fires.
func lintTrigger(c *checker, t *Trigger, ph phaseView, offered offers) (never bool) {
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
			lintOffer(c, offered[base], qualifier, place)
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

// offer is what an MCP server has of one kind.
type offer struct {
	kind  string // "tool"
	names []string
	known map[string]bool
	any   bool // some name is not known before it is sent
}

// offers are the offers of a state, by the event that asks for one.
type offers map[string]*offer

func offersOf(state Value) offers {
	object, ok := state.(Object)
	if !ok {
		return nil
	}
	return offers{"tools/call": offerOf(object, "tools", "tool"), "prompts/get": offerOf(object, "prompts", "prompt")}
}

func offerOf(state Object, list, kind string) *offer {
	o := &offer{kind: kind, known: map[string]bool{}}
	items, _ := listAt(state, list, nil)
	for _, item := range items {
		object, _ := item.(Object)
		name, ok := memberOf[string](object, "name")
		if !ok || strings.Contains(name, "{{") {
			o.any = true
			continue
		}
		o.known[name] = true
		o.names = append(o.names, name)
	}
	return o
}

// maxCandidates bounds the names among which the one that was meant is looked for.
const maxCandidates = 100

// lintOffer checks that an MCP server offers the tool or prompt that a trigger waits
// for.
func lintOffer(c *checker, o *offer, name string, at *place) {
	if o == nil || name == "" || o.any || o.known[name] {
		return
	}
	names := o.names[:min(len(o.names), maxCandidates)]
	d := c.warning("L-202", at, "the phase offers no %s named %s", o.kind, quoted(name))
	if d.Help = c.hint(name, names); d.Help == "" && len(names) > 0 {
		d.Help = "it offers " + preview(strings.Join(names, ", "))
	}
}
