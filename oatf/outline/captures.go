package outline

import (
	"strings"

	"github.com/cupel-dev/cupel/oatf/model"

	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/internal/view"
	"github.com/cupel-dev/cupel/oatf/internal/vocabulary"
)

// Extractor is a value that a phase captures from messages (§2.9).
type Extractor struct {
	Name     string               `json:"name"`
	Source   oatf.ExtractorSource `json:"source"`
	Type     model.ExtractorType  `json:"type"`
	Selector string               `json:"selector"`
	Used     bool                 `json:"used"` // used by a template of the document
}

// Use is a captured value that the templates of a phase have.
type Use struct {
	Actor string `json:"actor"` // who captures it
	Name  string `json:"name"`
	Phase string `json:"phase,omitempty"` // the first of that actor's that does; "" when none does
}

type capture struct{ actor, name string }

func (o *Outline) follow(doc *view.Document) {
	first := map[capture]string{} // the phase that captures it first
	index := map[*view.Actor]int{}
	for i, a := range doc.Actors {
		index[a] = i
		for name, phase := range a.FirstCaptures() {
			first[capture{a.Name, name}] = o.Actors[i].Phases[phase].Name
		}
	}
	type place struct {
		capture
		actor, phase int
	}
	used, noted := map[capture]bool{}, map[place]bool{}
	doc.EachTemplate(func(t view.Template) {
		references, _ := vocabulary.References(t.Text)
		for _, ref := range references {
			v, ok := referredTo(ref, t.Actor.Name)
			at := place{v, index[t.Actor], t.Phase}
			if !ok || noted[at] {
				continue
			}
			used[v], noted[at] = true, true
			phase := &o.Actors[at.actor].Phases[at.phase]
			phase.Uses = append(phase.Uses, Use{cut(v.actor), cut(v.name), first[v]})
		}
	})
	for _, a := range o.Actors {
		for _, ph := range a.Phases {
			for i := range ph.Extractors {
				ph.Extractors[i].Used = used[capture{a.Name, ph.Extractors[i].Name}]
			}
		}
	}
}

// referredTo returns the captured value of a template reference (§5.5); ok is false for references to the message.
func referredTo(ref, actor string) (v capture, ok bool) {
	first, rest, dotted := strings.Cut(ref, ".")
	switch {
	case !dotted:
		return capture{actor, ref}, true
	case first == "request" || first == "response":
		return v, false
	}
	return capture{first, rest}, true
}
