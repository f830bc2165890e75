package page

import "strings"

// Timeline is an attack in time: a lane for each actor, with its phases one after the other.
type Timeline struct {
	Description string
	Lanes       []Lane
	Watches     []Watch
	Complied    string // what it takes of the watches: "any of", "all of"; "" where there is one, or none

	MoreLanes, MoreWatches int // that are not shown
}

// Lane is one actor.
type Lane struct {
	Name, Mode string
	Line       int // of the document
	Stops      []Stop
	More       int // phases that are not shown
}

// Stop is one phase of an actor.
type Stop struct {
	Number      int
	Name        string
	Mode        string // where it is not the actor's
	Line        int
	Description string
	Begins      []Named // what it does when it begins
	Inherits    bool    // it has the state of the phase before it
	Has         []Thing
	Uses        []Named // captured values, and where they are captured
	Captures    []Named // values, and how
	Until       string  // what ends it; "" for nothing
	More        int     // things, actions and values that are not shown
}

// Named is a name with what there is to say about it. Odd says that a reader should look twice.
type Named struct {
	Name, Text string
	Odd        bool
}

// Thing is a part of what a phase has.
type Thing struct {
	Kind, Name, Text string
	Change           string   // "new", "changed", "removed"; "" for what is as it was
	Differs          []string // the members of a changed one that do
	Answers          []string // what it answers, as JSON
}

// Watch is an indicator: what betrays that the agent complied.
type Watch struct {
	ID, Where, Looks, Description string
	Line                          int
}

// Sign is the icon of a change.
func (t Thing) Sign() string {
	return map[string]string{"new": "+", "changed": "△", "removed": "−"}[t.Change]
}

// Says is a change in words.
func (t Thing) Says() string {
	if len(t.Differs) == 0 {
		return t.Change
	}
	return t.Change + ": " + strings.Join(t.Differs, ", ")
}

// Kind implements [View].
func (*Timeline) Kind() string { return "timeline" }

// TellsFacts implements [Teller].
func (*Timeline) TellsFacts() {}
