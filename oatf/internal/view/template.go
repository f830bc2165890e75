package view

import (
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/oatf/internal/place"
	"github.com/cupel-dev/cupel/oatf/model"
)

// Template is a string that can contain references.
type Template struct {
	Text  string
	At    *place.Path
	Actor *Actor
	Phase int // its index in the actor
}

// EachTemplate calls do for every string in state and on_enter that contains "{{", except keys and schema names.
func (d *Document) EachTemplate(do func(Template)) {
	for _, a := range d.Actors {
		for i, ph := range a.Phases {
			text := func(s string, at *place.Path) {
				if strings.Contains(s, "{{") {
					do(Template{s, at, a, i})
				}
			}
			walkStrings(ph.State, ph.At.Field("state"), text)
			for k := range ph.OnEnter {
				actionStrings(&ph.OnEnter[k], ph.At.Field("on_enter").Element(k), text)
			}
		}
	}
}

// walkStrings calls do for every string inside a value.
func walkStrings(v model.Value, at *place.Path, do func(string, *place.Path)) {
	switch v := v.(type) {
	case string:
		do(v, at)
	case []model.Value:
		for i := range v {
			walkStrings(v[i], at.Element(i), do)
		}
	case model.Object:
		for i := range v {
			walkStrings(v[i].Value, at.Field(v[i].Key), do)
		}
	}
}

func actionStrings(a *model.Action, at *place.Path, do func(string, *place.Path)) {
	optional := func(s *string, at *place.Path) {
		if s != nil {
			do(*s, at)
		}
	}
	if s := a.SendNotification; s != nil {
		at := at.Field("send_notification")
		do(s.Method, at.Field("method"))
		walkStrings(s.Params, at.Field("params"), do)
	}
	if s := a.Send; s != nil {
		at := at.Field("send")
		do(s.Method, at.Field("method"))
		walkStrings(s.Params, at.Field("params"), do)
	}
	if a.Log != nil {
		do(a.Log.Message, at.Field("log").Field("message"))
	}
	if s := a.SendElicitation; s != nil {
		at := at.Field("send_elicitation")
		do(s.Message, at.Field("message"))
		walkStrings(s.RequestedSchema, at.Field("requestedSchema"), do)
		optional(s.ElicitationID, at.Field("elicitationId"))
		optional(s.URL, at.Field("url"))
	}
	for _, m := range a.Binding {
		walkStrings(m.Value, at.Field(m.Key), do)
	}
}

// Extractors returns the extractor names per actor, including later phases'.
func (d *Document) Extractors() map[string]map[string]bool {
	declared := map[string]map[string]bool{}
	for _, a := range d.Actors {
		declared[a.Name] = map[string]bool{}
	}
	d.EachPhase(func(a *Actor, ph Phase) {
		for i := range ph.Extractors {
			declared[a.Name][ph.Extractors[i].Name] = true
		}
	})
	return declared
}

// FirstCaptures maps an actor's extractors to the index of the first phase that declares them.
func (a *Actor) FirstCaptures() map[string]int {
	first := map[string]int{}
	for i, ph := range slices.Backward(a.Phases) {
		for k := range ph.Extractors {
			first[ph.Extractors[k].Name] = i
		}
	}
	return first
}
