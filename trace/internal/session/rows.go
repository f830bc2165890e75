package session

import "github.com/cupel-dev/cupel/internal/strictjson"

// rowMemory caches the table rows of objects by shape: objects with the same members in the same order share them.
type rowMemory struct {
	known   []rowsOfShape // a slot per shape, while there are few
	scratch []byte        // a name under comparison
	rows    []int8        // of an object whose shape is not known
}

// rowsOfShape maps the members of a shape to rows of a table, -1 for unknown members.
type rowsOfShape struct {
	shape *strictjson.Shape
	table *table
	rows  []int8
}

// of returns the table row of each member of an object, -1 for unknown members. The result is valid until the next
// call.
func (m *rowMemory) of(n strictjson.Node, t *table) []int8 {
	shape := n.Shape()
	if shape == nil {
		m.rows = m.find(m.rows[:0], n, t)
		return m.rows
	}
	if m.known == nil {
		m.known = make([]rowsOfShape, 64)
	}
	k := &m.known[shape.Index()%len(m.known)]
	if k.shape != shape || k.table != t {
		k.shape, k.table, k.rows = shape, t, m.find(k.rows[:0], n, t)
	}
	return k.rows
}

func (m *rowMemory) find(rows []int8, n strictjson.Node, t *table) []int8 {
	for child := range n.Children() {
		name := child.KeyBytes(m.scratch)
		if child.KeyEscaped() {
			m.scratch = name
		}
		rows = append(rows, int8(t.find(name)))
	}
	return rows
}
