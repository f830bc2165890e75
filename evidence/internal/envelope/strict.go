package envelope

import (
	"strings"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/internal/say"
)

// strict checks what all readers accept but no writer should produce.
func (c *Checker) strict() {
	c.unknownAttributes()
	if !c.view.Canonical {
		f := c.fault(StepBeyond, InvalidEvent, "line.not_canonical", "the event is not written in canonical JSON (RFC 8785)")
		f.Start = c.result.Event.Locate(&f.Finding, c.result.Event.Root())
	}
}

// listed is the number of unknown attributes a message names.
const listed = 8

// unknownAttributes lists the attributes that the contract does not define in one fault, because an event can have
// thousands.
func (c *Checker) unknownAttributes() {
	var first evidence.Value
	var names []string
	count := 0
	for member := range c.result.Event.Root().Children() {
		if evidence.AttributeOf(member.Name()) != evidence.AttrOther {
			continue
		}
		if count++; count == 1 {
			first = member
		}
		if count <= listed {
			names = append(names, quoted([]byte(member.Name())))
		}
	}
	if count == 0 {
		return
	}
	message := "the event has attributes that the contract does not define: " + strings.Join(names, ", ")
	if count > listed {
		message += say.More(count - listed)
	}
	f := c.fault(StepBeyond, InvalidEvent, "attribute.unknown", message)
	c.place(f, first, first.Pointer())
}
