package oatfcmd

import (
	"cmp"
	"strings"

	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/report"
	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/eval"
	"github.com/cupel-dev/cupel/oatf/outline"
)

// described adds the document's description of an indicator, and the messages around a match, to a finding's
// detail.
func described(a *oatf.Attack, ind *oatf.Indicator, around []contextMessage, x *eval.IndicatorVerdict, about eval.Detail) eval.Detail {
	shown := outline.IndicatorOf(ind)
	about.Severity, about.Looks = severityOf(a, shown), shown.Looks
	about.Title, about.Taxa = cmp.Or(shown.Description, shown.Looks), taxaOf(a)
	if len(around) > 0 {
		about.Context = contextText(around, x.Place.MessageIndex)
	}
	return about
}

// severityOf returns the severity of an indicator, or else of its attack, or "".
func severityOf(a *oatf.Attack, ind outline.Indicator) string {
	if ind.Severity == "" && a.Severity != nil {
		return string(a.Severity.Level)
	}
	return string(ind.Severity)
}

// taxaOf returns the framework entries to which a document maps its attack.
func taxaOf(a *oatf.Attack) (list []finding.Taxon) {
	if a.Classification == nil {
		return nil
	}
	for _, m := range a.Classification.Mappings {
		t := finding.Taxon{Framework: string(m.Framework), ID: m.ID}
		if m.Name != nil {
			t.Name = *m.Name
		}
		if m.URL != nil {
			t.URL = *m.URL
		}
		if m.Relationship != nil {
			t.Relationship = string(*m.Relationship)
		}
		list = append(list, t)
	}
	return list
}

func attackFacts(a *oatf.Attack, complied bool) (facts []report.Fact) {
	if !complied {
		return nil
	}
	add := func(name, value string) {
		if value != "" {
			facts = append(facts, report.Fact{Name: name, Value: cmdline.Clipped(value)})
		}
	}
	if a.Name != nil {
		add("attack", *a.Name)
	}
	add("severity", severityOf(a, outline.Indicator{}))
	var mappings []string
	for _, t := range taxaOf(a) {
		text := t.Framework + " " + t.ID
		if t.Name != "" {
			text += " (" + t.Name + ")"
		}
		mappings = append(mappings, text)
	}
	add("mappings", strings.Join(mappings, ", "))
	return facts
}
