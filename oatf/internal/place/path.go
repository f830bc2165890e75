package place

import (
	"slices"
	"strconv"
	"strings"
)

// Places that many rules use.
var (
	Root      *Path
	Attack    = &Path{key: "attack", index: -1}
	Execution = &Path{parent: Attack, key: "execution", index: -1}
)

// Path is a path on the way down; it becomes text only for a fault. The nil place is the root.
type Path struct {
	parent *Path
	key    string
	index  int // of a list's element when key is ""
}

// String spells the path: "attack.indicators[0].surface".
func (at *Path) String() string {
	if at == nil {
		return ""
	}
	var steps []*Path
	for p := at; p != nil; p = p.parent {
		steps = append(steps, p)
	}
	var b strings.Builder
	for _, p := range slices.Backward(steps) {
		if p.key == "" && p.index >= 0 {
			b.WriteString("[" + strconv.Itoa(p.index) + "]")
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('.')
		}
		b.WriteString(p.key)
	}
	return b.String()
}

// Field returns the place of a member.
func (at *Path) Field(key string) *Path { return &Path{parent: at, key: key, index: -1} }

// Key returns the name of the member that a place is, "" for a list's element.
func (at *Path) Key() string { return at.key }

// Fields returns the places of several members.
func (at *Path) Fields(keys ...string) []*Path {
	list := make([]*Path, len(keys))
	for i, key := range keys {
		list[i] = at.Field(key)
	}
	return list
}

// Element returns the place of a list's element, counted from 0.
func (at *Path) Element(index int) *Path { return &Path{parent: at, index: index} }
