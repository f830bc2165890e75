// Package view presents a document to the rules: actors in any form, phases with resolved modes, indicators with
// protocols, template strings and responses, each with its place.
package view

import (
	"github.com/cupel-dev/cupel/oatf/internal/place"
	"github.com/cupel-dev/cupel/oatf/internal/profile"
	"github.com/cupel-dev/cupel/oatf/internal/revision"
	"github.com/cupel-dev/cupel/oatf/internal/vocabulary"
	"github.com/cupel-dev/cupel/oatf/model"
)

// DefaultActor is the name of the only actor of the single-phase and multi-phase forms.
const DefaultActor = "default"

// Document is a document with its actors.
type Document struct {
	*model.Document
	Profile *profile.Profile
	Actors  []*Actor
}

// Actor is an actor in whatever form the author chose.
type Actor struct {
	Name   string
	Mode   model.Mode  // or ""
	At     *place.Path // the actor, or the execution
	Phases []Phase
	Single bool // the phase of the single-phase form, without a separate place
}

// Phase is a phase with its place and its resolved mode.
type Phase struct {
	*model.Phase
	At   *place.Path
	Mode model.Mode // own, else the actor's, else ""
}

// Of lists the actors of all existing forms; several forms are an error, but each is checked.
func Of(doc *model.Document) *Document {
	d := &Document{Document: doc, Profile: revision.Of(doc.Revision)}
	x := &doc.Attack.Execution
	mode := model.Mode("")
	if x.Mode != nil {
		mode = *x.Mode
	}
	if x.State != nil {
		only := newActor(DefaultActor, mode, place.Execution, []model.Phase{{State: x.State}})
		only.Single = true
		only.Phases[0].At = place.Execution
		d.Actors = append(d.Actors, only)
	}
	if x.Phases != nil {
		d.Actors = append(d.Actors, newActor(DefaultActor, mode, place.Execution, x.Phases))
	}
	for i := range x.Actors {
		a := &x.Actors[i]
		own := a.Mode
		if own == "" {
			own = mode
		}
		d.Actors = append(d.Actors, newActor(a.Name, own, place.Execution.Field("actors").Element(i), a.Phases))
	}
	return d
}

func newActor(name string, mode model.Mode, at *place.Path, phases []model.Phase) *Actor {
	a := &Actor{Name: name, Mode: mode, At: at, Phases: make([]Phase, len(phases))}
	list := at.Field("phases")
	for i := range phases {
		resolved := mode
		if phases[i].Mode != nil {
			resolved = *phases[i].Mode
		}
		a.Phases[i] = Phase{Phase: &phases[i], At: list.Element(i), Mode: resolved}
	}
	return a
}

// EachPhase calls do for every phase of every actor.
func (d *Document) EachPhase(do func(*Actor, Phase)) {
	for _, a := range d.Actors {
		for _, ph := range a.Phases {
			do(a, ph)
		}
	}
}

// EachIndicator calls do for every indicator with its place.
func (d *Document) EachIndicator(do func(*model.Indicator, *place.Path)) {
	list := place.Attack.Field("indicators")
	for i := range d.Attack.Indicators {
		do(&d.Attack.Indicators[i], list.Element(i))
	}
}

// EachMode calls do for every mode that the author wrote.
func (d *Document) EachMode(do func(model.Mode, *place.Path)) {
	x := &d.Attack.Execution
	if x.Mode != nil {
		do(*x.Mode, place.Execution.Field("mode"))
	}
	for i := range x.Actors {
		if m := x.Actors[i].Mode; m != "" {
			do(m, place.Execution.Field("actors").Element(i).Field("mode"))
		}
	}
	d.EachPhase(func(_ *Actor, ph Phase) {
		if own := ph.Phase.Mode; own != nil {
			do(*own, ph.At.Field("mode"))
		}
	})
}

// Protocol returns the protocol of an indicator, or else of execution.mode, or "".
func (d *Document) Protocol(ind *model.Indicator) model.Protocol {
	switch {
	case ind.Protocol != nil:
		return *ind.Protocol
	case d.Attack.Execution.Mode != nil:
		return vocabulary.ExtractProtocol(*d.Attack.Execution.Mode)
	}
	return ""
}

// Surface returns the registry's row for an indicator's surface, if its protocol has the surface.
func (d *Document) Surface(ind *model.Indicator) (model.SurfaceInfo, bool) {
	row, known := d.Profile.LookupSurface(ind.SurfaceName())
	return row, known && row.Protocol == d.Protocol(ind)
}
