package format

import "strconv"

// location is the path of an object. It is formatted only for findings.
type location struct {
	base  string
	index int // of an array element; -1 for none
}

// root is the location of the line's object.
var root = location{"", -1}

func (l location) String() string {
	if l.index < 0 {
		return l.base
	}
	return l.base + "[" + strconv.Itoa(l.index) + "]"
}

func (l location) member(name string) string {
	switch base := l.String(); base {
	case "":
		return name
	default:
		return base + "." + name
	}
}
