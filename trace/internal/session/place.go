package session

import "strconv"

// place is where an object is: the payload, a group, or an array element.
type place struct {
	member  string
	element int // 1-based; 0 for a group
}

func (p place) path(name string) string {
	path := "payload"
	if p.member != "" {
		path += "." + p.member
	}
	if p.element > 0 {
		path += "[" + strconv.Itoa(p.element-1) + "]"
	}
	if name == "" {
		return path
	}
	return path + "." + name
}
