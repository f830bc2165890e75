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

// Member is one of the five members of the hash input.
type Member struct {
	Name                 string
	Start, End           int    // bytes of the value in the event's text; both 0 when it is not there
	InputStart, InputEnd int    // bytes of the value in Explanation.Input; both 0 when it is left out
	Note                 string // why event and input differ: "absent", "null", "assumed"; else ""
}

func (h *Hasher) explain(event strictjson.Node, m members) *Explanation {
	e := &Explanation{Input: append([]byte(nil), h.input...)}
	input := inputMembers(e.Input)
	e.Covered = [5]Member{
		newMember("data", m.data, input.data),
		newMember("datacontenttype", m.contentType, input.contentType),
		newMember("specversion", m.specVersion, input.specVersion),
		newMember("subject", m.subject, input.subject),
		newMember("type", m.eventType, input.eventType),
	}
	for member := range event.Children() {
		switch name := string(nameOf(member)); name {
		case "data", "datacontenttype", "specversion", "subject", "type":
		default:
			e.NotCovered = append(e.NotCovered, name)
		}
	}
	return e
}

// inputMembers finds the members in the hash input itself, whose depth and sizes are
// the event's.
func inputMembers(input []byte) members {
	doc, err := strictjson.NewScanner(strictjson.Limits{Depth: maxDepth, Keys: MaxKeys}).Scan(input)
	if err != nil {
		panic("evidence.inputMembers: canonical form is not strict JSON: " + err.Error())
	}
	return selectMembers(doc.Root())
}

func newMember(name string, event, input strictjson.Node) Member {
	m := Member{Name: name}
	m.Start, m.End = event.Span()
	m.InputStart, m.InputEnd = input.Span()
	switch {
	case event.Missing() && name == "data":
	case event.Missing() && input.Exists():
		m.Note = "assumed"
	case !event.Exists():
		m.Note = "absent"
	case event.Is(strictjson.Null):
		m.Note = "null"
	}
	return m
}
