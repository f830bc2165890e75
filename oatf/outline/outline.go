// Package outline describes an attack in time: its actors in parallel, their phases in sequence,
// and each phase's state, entry actions, captured and used values, and trigger.
//
//	loaded, err := oatf.Parse(text)      // a document that oatf.Validate accepts
//	for _, actor := range outline.Of(loaded).Actors {
//		for _, phase := range actor.Phases {
//			fmt.Println(actor.Name, phase.Name, phase.Trigger)
//		}
//	}
//
// An outline is a summary of the canonical form (SDK specification §3.3), for either revision.
package outline

import (
	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/internal/view"
	"github.com/cupel-dev/cupel/oatf/model"
)

// Outline describes an attack over time. Its JSON form is a document of `cupel oatf view`.
type Outline struct {
	Revision    oatf.Revision          `json:"revision"`
	ID          string                 `json:"attack_id,omitempty"`
	Name        string                 `json:"name"`
	Description string                 `json:"description,omitempty"`
	Severity    model.SeverityLevel    `json:"severity,omitempty"`
	Impact      []model.Impact         `json:"impact,omitempty"`
	Actors      []Actor                `json:"actors"`
	Indicators  []Indicator            `json:"indicators"`
	Logic       model.CorrelationLogic `json:"logic,omitempty"` // how the indicators combine; "" without any
}

// Actor is one of the concurrent attackers (§2.6a).
type Actor struct {
	Name   string    `json:"name"`
	Mode   oatf.Mode `json:"mode"`
	Line   int       `json:"line,omitempty"` // of the document, from 1; 0: of a document that was not parsed
	Phases []Phase   `json:"phases"`
}

// Phase is one step of an actor (§2.7).
type Phase struct {
	Name        string      `json:"name"`
	Number      int         `json:"number"` // from 1
	Line        int         `json:"line,omitempty"`
	Mode        oatf.Mode   `json:"mode"`
	Description string      `json:"description,omitempty"`
	OnEnter     []Action    `json:"on_enter"`
	Inherits    bool        `json:"inherits,omitempty"` // it has the state of the phase before it (§5.11)
	State       []Part      `json:"state"`              // the phase's own state
	Extractors  []Extractor `json:"extractors"`
	Uses        []Use       `json:"uses"`    // captured values that its templates have
	Trigger     *Trigger    `json:"trigger"` // nil: the phase lasts to the end
}

// Action is an entry action (§2.7a).
type Action struct {
	Action string `json:"action"` // its key: "send", "log"
	Text   string `json:"text"`   // the method with its parameters, the message, or all of it as JSON
}

// Of returns a document's outline. Line numbers require a document from Parse, because Normalize drops them. An
// invalid document has a partial outline.
func Of(doc *oatf.Document) *Outline {
	canonical := oatf.Normalize(doc)
	a := &canonical.Attack
	o := &Outline{
		Revision: canonical.Revision, ID: text(a.ID), Name: text(a.Name), Description: text(a.Description), Impact: a.Impact,
		Actors: []Actor{}, Indicators: []Indicator{},
	}
	if a.Severity != nil {
		o.Severity = a.Severity.Level
	}
	if a.Correlation != nil && a.Correlation.Logic != nil {
		o.Logic = *a.Correlation.Logic
	}
	shown, written := view.Of(canonical), view.Of(doc)
	for i, from := range shown.Actors {
		actor := Actor{Name: from.Name, Mode: from.Mode, Phases: []Phase{}}
		var phases []view.Phase
		if i < len(written.Actors) {
			phases = written.Actors[i].Phases
			actor.Line = doc.Position(written.Actors[i].At.String()).Line
		}
		var state model.Object
		for k, ph := range from.Phases {
			phase := phaseOf(ph, state)
			phase.Number = k + 1
			if k < len(phases) {
				phase.Line = doc.Position(phases[k].At.String()).Line
			}
			if own, ok := ph.State.(model.Object); ok {
				state = own
			}
			actor.Phases = append(actor.Phases, phase)
		}
		o.Actors = append(o.Actors, actor)
	}
	o.follow(shown)
	for i := range a.Indicators {
		indicator := IndicatorOf(&a.Indicators[i])
		indicator.Line = doc.Position(indicatorPath(i)).Line
		o.Indicators = append(o.Indicators, indicator)
	}
	return o
}

// phaseOf returns the outline of a phase. before is the state of the previous phase, or nil.
func phaseOf(ph view.Phase, before model.Object) Phase {
	phase := Phase{
		Name: text(ph.Name), Mode: ph.Mode, Description: text(ph.Description), Trigger: triggerOf(ph.Trigger),
		OnEnter: []Action{}, State: []Part{}, Extractors: []Extractor{}, Uses: []Use{},
	}
	for i := range ph.OnEnter {
		for _, key := range ph.OnEnter[i].Keys() {
			phase.OnEnter = append(phase.OnEnter, Action{key, actionText(&ph.OnEnter[i], key)})
		}
	}
	if own, ok := ph.State.(model.Object); ok {
		phase.State = partsOf(own, before)
	} else {
		phase.Inherits = before != nil
	}
	for _, x := range ph.Extractors {
		phase.Extractors = append(phase.Extractors, Extractor{Name: x.Name, Source: x.Source, Type: x.Type, Selector: cut(x.Selector)})
	}
	return phase
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return cut(*s)
}
