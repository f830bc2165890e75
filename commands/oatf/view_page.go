package oatfcmd

import (
	"fmt"
	"strings"

	"github.com/cupel-dev/cupel/internal/page"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/oatf/outline"
)

// Limits of an attack's page.
const (
	mostLanes   = 100
	mostStops   = 1_000 // of all actors
	mostThings  = 50    // of each kind, in a phase
	mostWatches = 500
	mostSaid    = 600 // bytes of a text
)

func timelineOf(o *outline.Outline) *page.Timeline {
	t := &page.Timeline{Description: o.Description}
	stops := mostStops
	for i := range o.Actors {
		if i == mostLanes {
			t.MoreLanes = len(o.Actors) - i
			break
		}
		lane := laneOf(&o.Actors[i], stops)
		stops -= len(lane.Stops)
		t.Lanes = append(t.Lanes, lane)
	}
	for i := range o.Indicators {
		if i == mostWatches {
			t.MoreWatches = len(o.Indicators) - i
			break
		}
		x := &o.Indicators[i]
		t.Watches = append(t.Watches, page.Watch{ID: x.ID, Line: x.Line, Where: watchedPlace(x), Looks: said(x.Looks), Description: said(x.Description)})
	}
	if len(o.Indicators) > 1 {
		t.Complied = string(o.Logic) + " of"
	}
	return t
}

func laneOf(a *outline.Actor, most int) page.Lane {
	lane := page.Lane{Name: a.Name, Mode: string(a.Mode), Line: a.Line}
	for i := range a.Phases {
		if i == most {
			lane.More = len(a.Phases) - i
			break
		}
		lane.Stops = append(lane.Stops, stopOf(&a.Phases[i], a))
	}
	return lane
}

func stopOf(ph *outline.Phase, a *outline.Actor) page.Stop {
	s := page.Stop{
		Number: ph.Number, Name: ph.Name, Line: ph.Line, Description: said(ph.Description), Inherits: ph.Inherits, Until: said(ph.Trigger.String()),
		More: max(0, len(ph.OnEnter)-mostThings) + max(0, len(ph.State)-mostThings) + max(0, len(ph.Uses)-mostThings) + max(0, len(ph.Extractors)-mostThings),
	}
	if ph.Mode != a.Mode {
		s.Mode = string(ph.Mode)
	}
	for _, x := range first(ph.OnEnter) {
		s.Begins = append(s.Begins, page.Named{Name: x.Action, Text: said(x.Text)})
	}
	for _, p := range first(ph.State) {
		thing := page.Thing{Kind: p.Key, Name: said(p.Name), Text: said(p.Text)}
		for _, answer := range first(p.Answers) {
			thing.Answers = append(thing.Answers, said(answer))
		}
		if p.Change != outline.Same {
			thing.Change, thing.Differs = string(p.Change), first(p.Differs)
		}
		s.Has = append(s.Has, thing)
	}
	for _, u := range first(ph.Uses) {
		name, where := usedValue(u, a.Name)
		s.Uses = append(s.Uses, page.Named{Name: name, Text: where})
	}
	for _, x := range first(ph.Extractors) {
		s.Captures = append(s.Captures, page.Named{Name: x.Name, Text: fmt.Sprintf("from the %s: %s", x.Source, said(x.Selector)), Odd: !x.Used})
	}
	return s
}

// first returns the elements of a list that a page shows.
func first[T any](list []T) []T { return list[:min(len(list), mostThings)] }

// said returns the part of a text that a page shows.
func said(text string) string { return strings.TrimSpace(say.Preview(text, mostSaid)) }
