package validate

import (
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/oatf/internal/findings"
	"github.com/cupel-dev/cupel/oatf/internal/place"
	"github.com/cupel-dev/cupel/oatf/internal/profile"
	"github.com/cupel-dev/cupel/oatf/internal/rules"
	"github.com/cupel-dev/cupel/oatf/internal/view"
	"github.com/cupel-dev/cupel/oatf/model"
)

func checkResponses(doc *view.Document, out *findings.List) {
	checkResponsesIn(doc.Profile.Responses, doc, out)
	doc.EachPhase(func(_ *view.Actor, ph view.Phase) {
		state, _ := ph.State.(model.Object)
		for i := range doc.Profile.Enumerations {
			if e := &doc.Profile.Enumerations[i]; e.Mode == "" || e.Mode == ph.Mode {
				checkEnumeration(out, e, state, ph.At.Field("state"))
			}
		}
	})
}

// Loose runs the response rules on other places and returns the findings.
func Loose(doc *view.Document, out *findings.List) []finding.Finding {
	checkResponsesIn(doc.Profile.Loose, doc, out)
	newExpressions(out).whens(doc.Profile.Loose, doc)
	return out.Violations()
}

func checkResponsesIn(places []profile.ResponsePlace, doc *view.Document, out *findings.List) {
	doc.EachResponses(places, func(r *view.Responses) {
		for i, v := range r.Entries {
			if entry, ok := v.(model.Object); ok {
				checkSynthesize(out, r, entry, r.Entry(i))
			}
		}
		checkDefaults(out, r)
	})
}

// checkDefaults allows one response without predicate. A misspelled when is reported only here, not by the lint rule.
func checkDefaults(out *findings.List, r *view.Responses) {
	defaults := r.Defaults()
	if defaults < 2 {
		return
	}
	f := out.Violation(rules.OneDefault, r.At(), "%d entries have no when, expected at most one (the default)", defaults)
	f.Help = "give all but one a when: predicate"
	var meant []*place.Path
	for i, v := range r.Entries {
		entry, _ := v.(model.Object)
		if key := r.MeantWhen(entry); key != "" {
			meant = append(meant, r.Entry(i).Field(key))
			if len(meant) == 1 {
				f.Help = `did you mean "when" by ` + say.Quoted(key) + "?"
			}
		}
	}
	out.RenameKeys(f, meant, "when")
	findings.Guess(f)
}

func checkSynthesize(out *findings.List, where *view.Responses, entry model.Object, at *place.Path) {
	synthesize, _ := entry.Get("synthesize")
	if synthesize == nil {
		return
	}
	out.Warning(rules.Synthesized, at.Field("synthesize"), "synthesize is reserved: the format does not define its effect").Help = "write the content in full"
	if key, ok := view.HasAny(entry, where.Static...); ok {
		out.Violation(rules.StaticOrGenerated, at, "the entry has both %s and synthesize, expected only one", key).Help = "keep the fixed content, or generate it"
	}
	block, _ := synthesize.(model.Object)
	if prompt, _ := block.Get("prompt"); prompt == nil || prompt == "" {
		out.Lack(at.Field("synthesize").Fields("prompt"), rules.Prompt, at.Field("synthesize").Field("prompt"), "synthesize has no prompt")
	} else if _, text := prompt.(string); !text {
		out.Violation(rules.Prompt, at.Field("synthesize").Field("prompt"), "the prompt must be a string, found %s", kindOf(prompt))
	}
}

// checkEnumeration checks that the words under a key of a list's objects are in the protocol's enumeration.
func checkEnumeration(out *findings.List, e *profile.Enumeration, state model.Object, at *place.Path) {
	list, at := view.ListAt(state, e.List, at)
	for i := range list {
		entry, _ := list[i].(model.Object)
		word, _ := entry.Get(e.Key)
		if word == nil {
			continue
		}
		text, _ := word.(string)
		enum(out, at.Element(i).Field(e.Key), &text, e.Members)
	}
}
