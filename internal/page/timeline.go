package page

import "strings"

// Timeline is the view of an attack: a lane per actor with its phases.
type Timeline struct {
	Description string
	Lanes       []Lane
	Watches     []Watch
	Complied    string // how the indicators combine: "any of", "all of", or "" for fewer than two

	MoreLanes, MoreWatches int // not shown
}

// Lane is one actor.
type Lane struct {
	Name, Mode string
	Line       int // line in the document
	Stops      []Stop
	More       int // phases not shown
}

// Stop is one phase of an actor.
type Stop struct {
	Number      int
	Name        string
	Mode        string // if it differs from the actor's
	Line        int
	Description string
	Begins      []Named // entry actions
	Inherits    bool    // keeps the previous phase's state
	Has         []Thing
	Uses        []Named // captured values and their origin
	Captures    []Named // values and their extractors
	Until       string  // condition that ends it, or ""
	More        int     // items not shown
}

// Named is a name and its description. Odd highlights it.
type Named struct {
	Name, Text string
	Odd        bool
}

// Thing is an item of a phase's state.
type Thing struct {
	Kind, Name, Text string
	Change           string   // "new", "changed", "removed" or ""
	Differs          []string // members that changed
	Answers          []string // responses as JSON
}

// Watch is an indicator.
type Watch struct {
	ID, Where, Looks, Description string
	Line                          int
}

// Sign returns the icon of a change.
func (t Thing) Sign() string {
	return map[string]string{"new": "+", "changed": "△", "removed": "−"}[t.Change]
}

// Says describes a change.
func (t Thing) Says() string {
	if len(t.Differs) == 0 {
		return t.Change
	}
	return t.Change + ": " + strings.Join(t.Differs, ", ")
}

func (*Timeline) Kind() string { return "timeline" }

// TellsFacts implements [Teller].
func (*Timeline) TellsFacts() {}
