package place

import (
	"slices"
	"strconv"
	"strings"
)

// Paths used by many rules.
var (
	Root      *Path
	Attack    = &Path{key: "attack", index: -1}
	Execution = &Path{parent: Attack, key: "execution", index: -1}
)

// Path is a path in a document. It is formatted only for findings. The nil Path is the root.
type Path struct {
	parent *Path
	key    string
	index  int // of a list's element when key is ""
}

// String formats the path: "attack.indicators[0].surface".
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

// Field returns the path of a member.
func (at *Path) Field(key string) *Path { return &Path{parent: at, key: key, index: -1} }

// Key returns the name of the member, "" for a list element.
func (at *Path) Key() string { return at.key }

// Fields returns the paths of several members.
func (at *Path) Fields(keys ...string) []*Path {
	list := make([]*Path, len(keys))
	for i, key := range keys {
		list[i] = at.Field(key)
	}
	return list
}

// Element returns the path of a list element, from 0.
func (at *Path) Element(index int) *Path { return &Path{parent: at, index: index} }
