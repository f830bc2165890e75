package lint

import (
	"strings"

	"github.com/cupel-dev/cupel/oatf/internal/rules"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/oatf/internal/view"
	"github.com/cupel-dev/cupel/oatf/internal/vocabulary"
)

// lintReferences compares the extractors with the references to them.
func lintReferences(doc *view.Document, out *reporter) {
	used := map[string]bool{} // "actor.extractor"
	captures := map[*view.Actor]map[string]int{}
	for _, a := range doc.Actors {
		captures[a] = a.FirstCaptures()
	}
	doc.EachTemplate(func(t view.Template) {
		references, _ := vocabulary.References(t.Text)
		for _, ref := range references {
			if strings.Contains(ref, ".") {
				used[ref] = true
				continue
			}
			used[t.Actor.Name+"."+ref] = true
			if first := captures[t.Actor][ref]; first > t.Phase {
				out.warn(rules.CapturedValue, t.At, "reference %s is in phase %d, but its value is captured only from phase %d on", vocabulary.QuotedReference(ref), t.Phase+1, first+1)
			}
		}
	})
	doc.EachPhase(func(a *view.Actor, ph view.Phase) {
		for i := range ph.Extractors {
			if name := ph.Extractors[i].Name; !used[a.Name+"."+name] {
				out.warn(rules.UsedExtractor, ph.At.Field("extractors").Element(i).Field("name"), "no template refers to extractor %s", say.Quoted(name)).Help = "remove it, or refer to it as {{" + say.Preview(name, say.Usual) + "}}"
			}
		}
	})
}

func lintRepeatedExtractors(doc *view.Document, out *reporter) {
	doc.EachPhase(func(_ *view.Actor, ph view.Phase) {
		seen := map[string]bool{}
		for i := range ph.Extractors {
			name := ph.Extractors[i].Name
			if seen[name] {
				out.warn(rules.UniqueExtractor, ph.At.Field("extractors").Element(i).Field("name"), "extractor %s is declared twice in this phase", say.Quoted(name))
			}
			seen[name] = true
		}
	})
}
