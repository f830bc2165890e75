package validate

import (
	"fmt"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/oatf/internal/findings"
	"github.com/cupel-dev/cupel/oatf/internal/place"
	"github.com/cupel-dev/cupel/oatf/internal/rules"
	"github.com/cupel-dev/cupel/oatf/internal/view"
	"github.com/cupel-dev/cupel/oatf/internal/vocabulary"
	"github.com/cupel-dev/cupel/oatf/model"
)

func checkForms(doc *view.Document, out *findings.List) {
	x := &doc.Attack.Execution
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
		out.Lack(place.Execution.Fields("state", "phases", "actors"), rules.OneForm, place.Execution, "the execution has no state, phases or actors").Help = "keep exactly one of them"
	case len(forms) > 1:
		out.Violation(rules.OneForm, place.Execution, "the execution has both %s and %s, expected only one", forms[0], forms[1]).Help = "keep exactly one of state, phases and actors"
	}
	if x.State == nil {
		return
	}
	if x.Mode == nil {
		out.Lack(place.Execution.Fields("mode"), rules.OneForm, place.Execution.Field("mode"), "the execution has a state, but no mode").Help = "add a mode such as mcp_server"
	}
	if _, ok := x.State.(model.Object); !ok {
		out.Violation(rules.OneForm, place.Execution.Field("state"), stateForm, kindOf(x.State))
	}
}

func kindOf(v model.Value) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "a boolean"
	case string:
		return "a string"
	case model.Number:
		return "a number"
	case []model.Value:
		return "a list"
	}
	return "a mapping"
}

func checkPhasesPresent(doc *view.Document, out *findings.List) {
	if p := doc.Attack.Execution.Phases; p != nil && len(p) == 0 {
		out.Violation(rules.SomePhases, place.Execution.Field("phases"), "the list of phases is empty")
	}
	for i, a := range doc.Attack.Execution.Actors {
		if len(a.Phases) == 0 {
			f := out.Violation(rules.SomePhases, place.Execution.Field("actors").Element(i).Field("phases"), "actor %s has no phases", say.Quoted(a.Name))
			out.Also(f, rules.Actors, f.Message)
		}
	}
}

func checkTerminalPhases(doc *view.Document, out *findings.List) {
	for _, a := range doc.Actors {
		terminals := 0
		for i, ph := range a.Phases {
			if ph.Trigger != nil {
				continue
			}
			terminals++
			if i < len(a.Phases)-1 {
				out.Violation(rules.TerminalPhase, ph.At, "a phase without a trigger never ends, but more phases follow").Help = "add a trigger, or move the phase to the end"
			}
		}
		if terminals > 1 {
			out.Violation(rules.TerminalPhase, a.At.Field("phases"), "%d phases have no trigger, expected at most one (the terminal phase)", terminals)
		}
	}
}

func checkFirstState(doc *view.Document, out *findings.List) {
	for _, a := range doc.Actors {
		if a.Single || len(a.Phases) == 0 {
			continue
		}
		if a.Phases[0].State == nil {
			out.Lack(a.Phases[0].At.Fields("state"), rules.FirstState, a.Phases[0].At, "the first phase has no state").Help = "add state: with the data that the actor presents"
		}
		for _, ph := range a.Phases {
			if _, ok := ph.State.(model.Object); !ok && ph.State != nil {
				out.Violation(rules.FirstState, ph.At.Field("state"), stateForm, kindOf(ph.State))
			}
		}
	}
}

func checkPhaseNames(doc *view.Document, out *findings.List) {
	for _, a := range doc.Actors {
		seen := map[string]bool{}
		for _, ph := range a.Phases {
			if ph.Name == nil {
				continue
			}
			if seen[*ph.Name] {
				f := out.Violation(rules.UniquePhaseName, ph.At.Field("name"), "phase name %s is used twice", say.Quoted(*ph.Name))
				if len(doc.Attack.Execution.Actors) > 0 && a.At != place.Execution {
					out.Also(f, rules.Actors, fmt.Sprintf("phase name %s is used twice in actor %s", say.Quoted(*ph.Name), say.Quoted(a.Name)))
				}
			}
			seen[*ph.Name] = true
		}
	}
}

func checkInheritance(doc *view.Document, out *findings.List) {
	x := &doc.Attack.Execution
	if x.Mode != nil {
		return
	}
	if x.Actors == nil {
		checkOwnModes(x.Phases, out)
	}
	doc.EachIndicator(func(ind *model.Indicator, at *place.Path) {
		if ind.Protocol == nil {
			out.Lack(at.Fields("protocol"), rules.ModeAndProtocol, at.Field("protocol"), "the indicator has no protocol, and the execution has no mode that implies one").Help = "add protocol: mcp, a2a or ag_ui"
		}
	})
}

// checkOwnModes checks that the phases of an execution without mode all have the same mode.
func checkOwnModes(phases []model.Phase, out *findings.List) {
	list := place.Execution.Field("phases")
	var first *model.Mode
	for i := range phases {
		own := phases[i].Mode
		switch at := list.Element(i); {
		case own == nil:
			out.Lack(at.Fields("mode"), rules.ModeAndProtocol, at.Field("mode"), "neither the phase nor the execution has a mode").Help = "add mode to the phase, or once to the execution"
		case first == nil:
			first = own
		case *own != *first:
			out.Violation(rules.OneMode, list, "the phases have the modes %s and %s", *first, *own).Help = "make them phases of two actors"
		}
	}
}

// checkPhaseModes compares the modes of phases with those of their actors.
func checkPhaseModes(doc *view.Document, out *findings.List) {
	doc.EachPhase(func(a *view.Actor, ph view.Phase) {
		if a.Mode != "" && ph.Mode != a.Mode {
			out.Violation(rules.PhaseMode, ph.At.Field("mode"), "the phase has mode %s, but its actor has mode %s", say.Quoted(string(ph.Mode)), say.Quoted(string(a.Mode))).Help = "make it a phase of another actor"
		}
	})
}

func checkActors(doc *view.Document, out *findings.List) {
	actors := doc.Attack.Execution.Actors
	list := place.Execution.Field("actors")
	if actors != nil && len(actors) == 0 {
		out.Violation(rules.Actors, list, "the list of actors is empty")
	}
	seen := map[string]bool{}
	for i := range actors {
		a, at := &actors[i], list.Element(i)
		if !vocabulary.IsName(a.Name) {
			out.Violation(rules.Actors, at.Field("name"), "actor name %s is not of the form [a-z][a-z0-9_]*", say.Quoted(a.Name))
		}
		if seen[a.Name] {
			out.Violation(rules.Actors, at.Field("name"), "actor name %s is used twice", say.Quoted(a.Name))
		}
		seen[a.Name] = true
		if a.Mode == "" { // the view takes it for one that is inherited
			out.Also(badMode(out, a.Mode, at.Field("mode")), rules.Actors, fmt.Sprintf("actor %s has no mode", say.Quoted(a.Name)))
		}
	}
}

// checkModes checks modes and protocols against their patterns, which V-005 also covers.
func checkModes(doc *view.Document, out *findings.List) {
	doc.EachMode(func(mode model.Mode, at *place.Path) {
		if !vocabulary.IsMode(mode) {
			badMode(out, mode, at)
		}
	})
	doc.EachIndicator(func(ind *model.Indicator, at *place.Path) {
		if ind.Protocol == nil || vocabulary.IsName(string(*ind.Protocol)) {
			return
		}
		f := out.Violation(rules.ModePattern, at.Field("protocol"), "protocol %s is not of the form [a-z][a-z0-9_]*", say.Quoted(string(*ind.Protocol)))
		f.Help = out.Hint(string(*ind.Protocol), vocabulary.Names(vocabulary.KnownProtocols[:]))
		out.Also(f, rules.OpenMember, f.Message)
	})
}

// badMode reports a mode with invalid spelling once.
func badMode(out *findings.List, mode model.Mode, at *place.Path) *finding.Finding {
	f := out.Violation(rules.ModePattern, at, "mode %s is not of the form {protocol}_server or {protocol}_client", say.Quoted(string(mode)))
	f.Help = out.Hint(string(mode), vocabulary.Names(vocabulary.KnownModes[:]))
	out.Also(f, rules.OpenMember, f.Message)
	return f
}

func checkKnownModes(doc *view.Document, out *findings.List) {
	doc.EachMode(func(mode model.Mode, at *place.Path) {
		if vocabulary.IsMode(mode) && !vocabulary.IsKnownMode(mode) {
			out.Warning(rules.KnownMode, at, "mode %s does not belong to an included protocol binding", say.Quoted(string(mode))).Help = out.Hint(string(mode), vocabulary.Names(vocabulary.KnownModes[:]))
		}
	})
}

const stateForm = "state must be a mapping, found %s"
