package evidence

import (
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// Explanation describes what a content hash covers.
type Explanation struct {
	Input      []byte    // the canonical hash input: Sum is its SHA-256
	Covered    [5]Member // the five members, in their order in Input
	NotCovered []string  // names of the event's other members, in the event's order
}

type Member struct {
	Name                 string
	Start, End           int    // bytes of the value in the event's text; both 0 when it is not there
	InputStart, InputEnd int    // bytes of the value in Explanation.Input; both 0 when it is left out
	Note                 string // why event and input differ: "absent", "null", "assumed"; else ""
}

// explain describes the hash input of an event. It copies the input, which is only valid until the next event.
func explain(e *Event, input []byte) *Explanation {
	x := &Explanation{Input: append([]byte(nil), input...)}
	hashed := readInput(x.Input)
	for i, a := range covered {
		x.Covered[i] = newMember(a, e.get(a), hashed.get(a))
	}
	for member := range e.root().Children() {
		if name := member.Key(); !AttributeOf(name).Covered() {
			x.NotCovered = append(x.NotCovered, name)
		}
	}
	return x
}

func readInput(input []byte) *Event {
	widest := &reader{scanner: strictjson.NewScanner(strictjson.Limits{Depth: maxDepth, Keys: MaxKeys})}
	e, fault := widest.read(place{input, 1})
	if fault != nil {
		panic("evidence.readInput: canonical form is not strict JSON: " + fault.Error())
	}
	return e
}

func newMember(a Attribute, event, input strictjson.Node) Member {
	m := Member{Name: a.String()}
	m.Start, m.End = event.Span()
	m.InputStart, m.InputEnd = input.Span()
	switch {
	case event.Missing() && a == AttrData:
	case event.Missing() && input.Exists():
		m.Note = "assumed"
	case !event.Exists():
		m.Note = "absent"
	case event.Is(strictjson.Null):
		m.Note = "null"
	}
	return m
}
