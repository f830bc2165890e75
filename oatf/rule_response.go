package oatf

import "slices"

// responsePlace is where protocol state may hold responses: a member of the state,
// or of each element of one of its lists.
type responsePlace struct {
	protocol Protocol
	list     string   // the list in whose elements the member stands; "" for the state itself
	member   string   // what holds the entries, or is the only one
	static   []string // the keys that exclude synthesize
	single   bool     // the member is one entry, not a list of them
	matched  bool     // entries are chosen by their when
}

// responsePlaces follows the state structures of the protocol bindings. Nothing else
// is searched: a JSON Schema may have properties called when and synthesize.
var responsePlaces = []responsePlace{
	{protocol: "mcp", list: "tools", member: "responses", static: []string{"content"}, matched: true},
	{protocol: "mcp", list: "tools", member: "response", static: []string{"content"}, matched: true, single: true},
	{protocol: "mcp", list: "prompts", member: "responses", static: []string{"messages"}, matched: true},
	{protocol: "mcp", list: "prompts", member: "response", static: []string{"messages"}, matched: true, single: true},
	{protocol: "mcp", member: "sampling_responses", static: []string{"content"}, matched: true},
	{protocol: "mcp", member: "elicitation_responses", static: []string{"content"}, matched: true},
	{protocol: "a2a", member: "task_responses", static: []string{"messages", "artifacts"}, matched: true},
	{protocol: "ag_ui", member: "run_agent_input", static: []string{"messages"}, single: true},
}

func checkResponses(c *checker) {
	c.eachResponseOwner(responsePlaces, func(where *responsePlace, owner Object, at *place) { where.check(c, owner, at) })
	c.eachPhase(func(_ *actorView, ph phaseView) {
		if state, ok := ph.State.(Object); ok && ph.mode == "mcp_client" {
			checkElicitationOutcomes(c, state, ph.at.field("state"))
		}
	})
}

// eachResponseOwner calls do for every object that may hold responses: the states
// themselves, and the elements of their lists.
func (c *checker) eachResponseOwner(places []responsePlace, do func(where *responsePlace, owner Object, at *place)) {
	c.eachPhase(func(_ *actorView, ph phaseView) {
		state, ok := ph.State.(Object)
		if !ok {
			return
		}
		at := ph.at.field("state")
		for i := range places {
			where := &places[i]
			if ph.mode != "" && where.protocol != ExtractProtocol(ph.mode) {
				continue
			}
			if where.list == "" {
				do(where, state, at)
				continue
			}
			owners, at := listAt(state, where.list, at)
			for k := range owners {
				if owner, ok := owners[k].(Object); ok {
					do(where, owner, at.element(k))
				}
			}
		}
	})
}

func listAt(o Object, key string, at *place) ([]Value, *place) {
	v, _ := o.Get(key)
	list, _ := v.([]Value)
	return list, at.field(key)
}

// check looks at the entries that one owner holds.
func (where *responsePlace) check(c *checker, owner Object, at *place) {
	if where.single {
		if v, _ := owner.Get(where.member); v != nil {
			where.checkEntry(c, v, at.field(where.member))
		}
		return
	}
	list, at := listAt(owner, where.member, at)
	defaults := 0
	for i, v := range list {
		where.checkEntry(c, v, at.element(i))
		if entry, ok := v.(Object); ok && !present(entry, "when") {
			defaults++
		}
	}
	if defaults > 1 {
		c.violation("V-034", at, "%d entries have no when; at most one may be the default", defaults).Help = "give all but one a when: predicate"
	}
}

func present(o Object, key string) bool {
	v, _ := o.Get(key)
	return v != nil
}

func (where *responsePlace) checkEntry(c *checker, v Value, at *place) {
	entry, ok := v.(Object)
	if !ok {
		return
	}
	if where.matched {
		checkWhen(c, entry, at.field("when"))
	}
	synthesize, _ := entry.Get("synthesize")
	if synthesize == nil {
		return
	}
	if i := slices.IndexFunc(where.static, func(key string) bool { return present(entry, key) }); i >= 0 {
		c.violation("V-033", at, "the entry has both %s and synthesize", where.static[i]).Help = "keep the fixed content, or generate it"
	}
	block, _ := synthesize.(Object)
	if prompt, _ := block.Get("prompt"); prompt == nil || prompt == "" {
		c.violation("V-035", at.field("synthesize").field("prompt"), "synthesize has no prompt")
	} else if _, text := prompt.(string); !text {
		c.violation("V-035", at.field("synthesize").field("prompt"), "the prompt must be a string, found %s", kindOf(prompt))
	}
}

// checkWhen checks a predicate inside free-form state: its keys are dot-paths, its
// regular expressions RE2.
func checkWhen(c *checker, entry Object, at *place) {
	v, _ := entry.Get("when")
	predicate, _ := v.(Object)
	for _, m := range predicate {
		predicateKey(c, m.Key, at)
		if condition, ok := m.Value.(Object); ok {
			if expression, _ := condition.Get("regex"); expression != nil {
				if text, ok := expression.(string); ok {
					regex(c, text, at.field(m.Key).field("regex"))
				}
			}
		}
	}
}

// checkElicitationOutcomes holds the answers of an MCP client to the protocol's enum.
func checkElicitationOutcomes(c *checker, state Object, at *place) {
	list, at := listAt(state, "elicitation_responses", at)
	for i := range list {
		entry, _ := list[i].(Object)
		outcome, _ := entry.Get("action")
		if outcome == nil {
			continue
		}
		text, _ := outcome.(string)
		enum(c, at.element(i).field("action"), &text, elicitationOutcomes)
	}
}
