package oatfcmd

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/internal/report"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/oatf/model"
	"github.com/cupel-dev/cupel/oatf/outline"
)

// The outline of an attack as text: a block per phase, in chronological order.

// mostViewed limits the quoted bytes of a text, and mostParts the listed parts.
const (
	mostViewed = 100
	mostParts  = 20
)

func viewScope(o *outline.Outline) (scope []string) {
	for _, word := range []string{o.ID, string(o.Revision), string(o.Severity)} {
		if word != "" {
			scope = append(scope, named(word))
		}
	}
	return append(scope, cmdline.Counted(len(o.Actors), "actor"), cmdline.Counted(phasesOf(o), "phase"), cmdline.Counted(len(o.Indicators), "indicator"))
}

// viewFacts returns the phases, in chronological order, and the indicators.
func viewFacts(o *outline.Outline) (facts []report.Fact) {
	if o.Description != "" {
		facts = append(facts, report.Fact{Value: brief(o.Description)})
	}
	for i := range o.Actors {
		a := &o.Actors[i]
		for k := range a.Phases {
			ph := &a.Phases[k]
			facts = append(facts, report.Fact{
				Name:    fmt.Sprintf("%s (%s), phase %d of %d: %s", named(a.Name), named(string(ph.Mode)), ph.Number, len(a.Phases), named(ph.Name)),
				Members: phaseFacts(ph, a.Name),
			})
		}
	}
	if len(o.Indicators) == 0 {
		return append(facts, report.Fact{Value: "no indicator shows whether an agent complied"})
	}
	list := report.Fact{Name: indicatorsHead(o)}
	for i := range o.Indicators {
		list.Members = append(list.Members, indicatorFacts(&o.Indicators[i])...)
	}
	return append(facts, list)
}

func indicatorsHead(o *outline.Outline) string {
	switch {
	case len(o.Indicators) == 1:
		return "the agent complied if"
	case o.Logic == model.CorrelationAll:
		return "the agent complied if all of"
	}
	return "the agent complied if any of"
}

func phaseFacts(ph *outline.Phase, actor string) (facts []report.Fact) {
	add := func(name, value string) {
		if value != "" {
			facts = append(facts, report.Fact{Name: name, Value: value})
		}
	}
	add("what", brief(ph.Description))
	for _, x := range ph.OnEnter {
		add("begins with", brief(x.Action+" "+x.Text))
	}
	if ph.Inherits {
		add("has", "the state of the phase before it")
	}
	for _, line := range partLines(ph.State) {
		add("has", line)
	}
	for _, u := range ph.Uses {
		name, where := usedValue(u, actor)
		add("uses", brief(name)+", "+brief(where))
	}
	for _, x := range ph.Extractors {
		add("captures", extractorText(x))
	}
	add("until", cmp.Or(brief(ph.Trigger.String()), "the end: nothing ends the phase"))
	return facts
}

// partLines lists the parts of a state, with those of a member on one line.
func partLines(parts []outline.Part) (lines []string) {
	for start := 0; start < len(parts); {
		end := start
		for end < len(parts) && parts[end].Key == parts[start].Key {
			end++
		}
		lines = append(lines, partLine(parts[start:end]))
		start = end
	}
	return lines
}

func partLine(parts []outline.Part) string {
	var names []string
	for i, p := range parts {
		if i == mostParts {
			names = append(names, fmt.Sprintf("and %d more", len(parts)-i))
			break
		}
		name := brief(cmp.Or(p.Name, p.Text))
		if p.Change != "" && p.Change != outline.Same {
			name += " (" + strings.TrimSuffix(string(p.Change)+": "+brief(strings.Join(p.Differs, ", ")), ": ") + ")"
		}
		names = append(names, name)
	}
	return brief(parts[0].Key) + ": " + strings.Join(names, ", ")
}

// usedValue returns the name of a captured value as the phase sees it, and where it is captured.
func usedValue(u outline.Use, actor string) (name, where string) {
	name = u.Name
	if u.Actor != actor {
		name = u.Actor + "." + name
	}
	if u.Phase == "" {
		return name, "which no phase captures"
	}
	return name, "captured in " + u.Phase
}

func extractorText(x outline.Extractor) string {
	text := fmt.Sprintf("%s from the %s: %s", brief(x.Name), x.Source, brief(x.Selector))
	if !x.Used {
		text += " (nothing uses it)"
	}
	return text
}

// indicatorFacts describes an indicator: condition, position and meaning.
func indicatorFacts(x *outline.Indicator) []report.Fact {
	facts := []report.Fact{{Name: named(x.ID), Value: brief(watchedPlace(x)) + ": " + brief(x.Looks)}}
	if x.Description != "" {
		facts = append(facts, report.Fact{Value: "  " + brief(x.Description)})
	}
	return facts
}

// watchedPlace describes the messages that an indicator examines.
func watchedPlace(x *outline.Indicator) string {
	words := []string{string(x.Protocol), string(x.Surface), string(x.Direction)}
	if x.Actor != "" {
		words = append(words, "at", x.Actor)
	}
	return strings.Join(slices.DeleteFunc(words, func(w string) bool { return w == "" }), " ")
}

func named(name string) string { return say.Visible(brief(name)) }

// brief returns a shortened text of the document on one line.
func brief(text string) string {
	return say.Preview(strings.Join(strings.Fields(text), " "), mostViewed)
}
