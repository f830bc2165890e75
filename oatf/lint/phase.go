package lint

import (
	"fmt"
	"strings"

	"github.com/cupel-dev/cupel/oatf/internal/rules"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/oatf/internal/place"
	"github.com/cupel-dev/cupel/oatf/internal/profile"
	"github.com/cupel-dev/cupel/oatf/internal/view"
	"github.com/cupel-dev/cupel/oatf/internal/vocabulary"
	"github.com/cupel-dev/cupel/oatf/model"
)

// lintGeneratedNames finds explicit names that equal the generated name (N-001) of another phase.
func lintGeneratedNames(doc *view.Document, out *reporter) {
	for _, a := range doc.Actors {
		generated := map[string]int{}
		for i, ph := range a.Phases {
			if ph.Name == nil {
				generated[vocabulary.PhaseName(i+1)] = i + 1
			}
		}
		for _, ph := range a.Phases {
			if ph.Name == nil {
				continue
			}
			if number := generated[*ph.Name]; number > 0 {
				out.warn(rules.GivenName, ph.At.Field("name"), "the name %s equals the default name of phase %d", say.Quoted(*ph.Name), number).Help = fmt.Sprintf("give phase %d a unique name", number)
			}
		}
	}
}

func lintTriggers(doc *view.Document, out *reporter) {
	for _, a := range doc.Actors {
		var offered offers
		blocked := "" // the phase that never ends
		for i, ph := range a.Phases {
			if blocked != "" {
				out.warn(rules.ReachedPhase, ph.At, "the phase is never reached: %s never ends", blocked)
			}
			if ph.State != nil {
				offered = offersOf(ph.State)
			}
			if t := ph.Trigger; t != nil && blocked == "" && lintTrigger(doc.Profile, out, t, ph, offered) {
				blocked = fmt.Sprintf("phase %d", i+1)
			}
		}
	}
}

// lintTrigger reports faults of a trigger, and whether it never fires.
func lintTrigger(p *profile.Profile, out *reporter, t *model.Trigger, ph view.Phase, offered offers) (never bool) {
	at := ph.At.Field("trigger")
	if t.After != nil {
		if d, err := t.After.Duration(); err == nil && d == 0 {
			out.warn(rules.TriggerWaits, at.Field("after"), "the phase ends as soon as it begins")
		}
	}
	if t.Event == nil {
		return false
	}
	place, why := at.Field("event"), ""
	base, qualifier, qualified := p.SplitEvent(*t.Event)
	if qualified && vocabulary.IsKnownMode(ph.Mode) {
		if _, ok := p.QualifierPath(vocabulary.ExtractProtocol(ph.Mode), base); !ok {
			why = "event " + say.Quoted(base) + " has no value that a qualifier could match"
		} else if ph.Mode == "mcp_server" {
			lintOffer(out, offered[base], qualifier, place)
		}
	}
	if path, ok := p.MatchPath(base, ph.Mode); ok && ph.Mode == "mcp_server" {
		lintMatchedOffer(out, offered[base], t.Match, path, at.Field("match"))
	}
	for i := range t.Match {
		if reason := neverHolds(p, &t.Match[i].Condition); reason != "" && why == "" {
			place, why = at.Field("match").Field(t.Match[i].Path), "the condition never holds: "+reason
		}
	}
	if why == "" {
		return false
	}
	if t.After != nil {
		out.warn(rules.TriggerFires, place, "only time can end the phase: %s", why)
		return false
	}
	out.warn(rules.TriggerFires, place, "the trigger never fires: %s", why)
	return true
}

// offer is a kind of thing that an MCP server offers, such as tools.
type offer struct {
	kind  string // "tool"
	names []string
	known map[string]bool
	any   bool // some name is not known before it is sent
}

// offers maps request events to the offers of a state.
type offers map[string]*offer

func offersOf(state model.Value) offers {
	object, ok := state.(model.Object)
	if !ok {
		return nil
	}
	return offers{"tools/call": offerOf(object, "tools", "tool"), "prompts/get": offerOf(object, "prompts", "prompt")}
}

func offerOf(state model.Object, list, kind string) *offer {
	o := &offer{kind: kind, known: map[string]bool{}}
	items, _ := view.ListAt(state, list, nil)
	for _, item := range items {
		object, _ := item.(model.Object)
		name, ok := view.MemberOf[string](object, "name")
		if !ok || strings.Contains(name, "{{") {
			o.any = true
			continue
		}
		o.known[name] = true
		o.names = append(o.names, name)
	}
	return o
}

// maxCandidates limits the names searched for suggestions.
const maxCandidates = 100

// lintMatchedOffer checks the name that a trigger matches under a path.
func lintMatchedOffer(out *reporter, o *offer, match model.MatchPredicate, path string, at *place.Path) {
	for i := range match {
		if name, ok := match[i].Value.(string); ok && match[i].Path == path && match[i].Operators == nil {
			lintOffer(out, o, name, at.Field(path))
		}
	}
}

// lintOffer checks that an MCP server offers the tool or prompt that a trigger waits for.
func lintOffer(out *reporter, o *offer, name string, at *place.Path) {
	if o == nil || name == "" || o.any || o.known[name] {
		return
	}
	names := o.names[:min(len(o.names), maxCandidates)]
	d := out.warn(rules.OfferedName, at, "the phase offers no %s named %s", o.kind, say.Quoted(name))
	if d.Help = out.Hint(name, names); d.Help == "" && len(names) > 0 {
		d.Help = "use one of those that it offers: " + say.Preview(strings.Join(names, ", "), say.Usual)
	}
}
