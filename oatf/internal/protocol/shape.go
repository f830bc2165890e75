package protocol

import (
	"maps"
	"slices"
	"strings"
)

// Shape is the shapes that a value can have, in all revisions of its protocol.
type Shape []*Tree

// ShapeAt returns the shape of the values at a dot-path in the payloads of a query. The empty path is the payload.
func ShapeAt(q Query, path string) Shape {
	s := Shape(q.Roots())
	if path == "" {
		return s
	}
	for name := range strings.SplitSeq(path, ".") {
		s = s.Member(name)
	}
	return s
}

// Member returns the shape of a member, empty if no payload has it.
func (s Shape) Member(name string) (next Shape) {
	for _, t := range s {
		for _, one := range t.expand(nil, 0) {
			switch member := one.Members[name]; {
			case member != nil:
				next = append(next, member)
			case one.Map != nil:
				next = append(next, one.Map)
			}
		}
	}
	return next
}

// Items returns the shape of the elements of a list.
func (s Shape) Items() (next Shape) {
	for _, t := range s {
		for _, one := range t.expand(nil, 0) {
			if one.Items != nil {
				next = append(next, one.Items)
			}
		}
	}
	return next
}

// Names returns the members that an object of the shape can have, sorted; nil if it can have any.
func (s Shape) Names() []string {
	names := map[string]bool{}
	for _, t := range s {
		for _, one := range t.expand(nil, 0) {
			if one.anything() || one.Map != nil {
				return nil
			}
			for name := range one.Members {
				names[name] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(names))
}
