package payload

import (
	"fmt"
	"math/bits"
	"strings"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/payload/internal/second"
)

// referencePackage is the import path of the second engine.
const referencePackage = "github.com/cupel-dev/cupel/evidence/payload/reference"

// secondOpinion gets the faulty members from the second engine, if selected. With evidence.Both it must agree; with
// evidence.Reference its result is reported.
func (c *Checker) secondOpinion(s *shape, data evidence.Value) error {
	if c.opt.Engine == evidence.Fast {
		return nil
	}
	engine := second.Linked()
	if engine == nil {
		return fmt.Errorf("the reference engine is not part of this program: import _ %q", referencePackage)
	}
	c.canonical = data.AppendCanonical(c.canonical[:0])
	names, err := engine.Faulty(s.eventType, c.canonical)
	if err != nil {
		return fmt.Errorf("the reference engine refuses a line that the strict reader accepts: %w", err)
	}
	theirs, err := s.set(names)
	if err != nil {
		return err
	}
	if c.opt.Engine == evidence.Both && theirs != c.faulty {
		var f evidence.Finding
		c.event.Locate(&f, data)
		return fmt.Errorf("line %d: the engines disagree about the data of %s: the fast one finds faults in %s; the reference engine in %s",
			f.Line, s.eventType, s.list(c.faulty), s.list(theirs))
	}
	if c.opt.Engine == evidence.Reference {
		c.adopt(s, theirs, data)
	}
	return nil
}

// set returns the set of members with the given names; "" means the data as a whole.
func (s *shape) set(names []string) (members uint32, err error) {
	for _, name := range names {
		i := s.index([]byte(name), 0)
		switch {
		case name == "":
			members |= wholeData
		case i < 0:
			return 0, fmt.Errorf("the reference engine reports a member of %s without a rule: %q", s.eventType, name)
		default:
			members |= 1 << i
		}
	}
	return members, nil
}

func (s *shape) list(members uint32) string {
	if members == 0 {
		return "none"
	}
	var names []string
	for i, m := range s.members {
		if members&(1<<i) != 0 {
			names = append(names, m.name)
		}
	}
	if members&wholeData != 0 {
		names = append(names, "the data as a whole")
	}
	return strings.Join(names, ", ")
}

// adopt reports the reference engine's result.
func (c *Checker) adopt(s *shape, faulty uint32, data evidence.Value) {
	for ; faulty != 0; faulty &= faulty - 1 {
		i := bits.TrailingZeros32(faulty)
		switch {
		case 1<<i == wholeData:
			c.at(dataType, data, "the data do not match the schema of "+s.eventType)
		case c.values[i].Missing():
			c.at(s.missing, data, "member "+s.members[i].name+" is missing, by the schema of "+s.eventType).Path = "/data/" + s.members[i].name
		default:
			c.at(s.wrong, c.values[i], "member "+s.members[i].name+" does not match the schema of "+s.eventType)
		}
	}
}
