package privacy

import "bytes"

// where is a list of nodes at which a value is, and what the policy says there. It remembers the names of members,
// which recur from event to event.
type where struct {
	nodes    []*places
	handling Handling
	class    Class
	patterns []*pattern

	longer  map[*places]*where // by the node that follows in the list
	members map[string]*member
	order   []*member // by their positions in the objects before
	element *where    // of the elements of an array
}

// member is what a name says of a value.
type member struct {
	name   []byte
	at     *where
	value  bool   // a neighbor can name the value
	worth  bool   // the name itself is looked at
	known  bool   // plain is known
	plain  bool   // it says nothing of the value
	before []byte // the last text in which nothing was found
}

// Limits of what is remembered.
const (
	mostWheres  = 1 << 12
	mostOrdered = 64 // members of an object
)

// wheres are the lists of nodes in use.
type wheres struct {
	policy  *Policy
	none    *where
	count   int       // of lists
	named   int       // of members
	rare    member    // one that is not remembered
	typ     []byte    // of the event before
	entered *where    // at events of that type
	nodes   []*places // reused memory
}

func newWheres(p *Policy) wheres {
	return wheres{policy: p, none: p.where(nil)}
}

// where returns what the policy says at a list of nodes: the last row of them applies.
func (p *Policy) where(nodes []*places) *where {
	w, last := &where{nodes: nodes, handling: Keeps, class: Sensitive}, 0 // for a profile that says nothing of it
	for _, at := range nodes {
		last = max(last, at.row)
		for _, row := range at.patterns {
			w.patterns = append(w.patterns, p.patterns[row])
		}
	}
	if last > 0 {
		w.handling, w.class = p.rows[last-1].Handling, p.rows[last-1].Class
	}
	return w
}

// of returns the where of a list of nodes.
func (ws *wheres) of(nodes []*places) *where {
	w := ws.none
	for i, node := range nodes {
		next := w.longer[node]
		if next == nil {
			next = ws.policy.where(append([]*places(nil), nodes[:i+1]...))
			if ws.count < mostWheres {
				ws.count++
				if w.longer == nil {
					w.longer = map[*places]*where{}
				}
				w.longer[node] = next
			}
		}
		w = next
	}
	return w
}

// enter returns where the members of an event of a type are.
func (ws *wheres) enter(typ []byte) *where {
	if ws.entered == nil || !bytes.Equal(ws.typ, typ) {
		ws.nodes = ws.policy.places.enter(ws.nodes[:0], typ)
		ws.typ, ws.entered = append(ws.typ[:0], typ...), ws.of(ws.nodes)
	}
	return ws.entered
}

// elements returns where the elements of an array are.
func (ws *wheres) elements(w *where) *where {
	if w.element == nil {
		w.element = ws.child(w, nil, false)
	}
	return w.element
}

// child returns where a member or an element is.
func (ws *wheres) child(w *where, name []byte, named bool) *where {
	ws.nodes = ws.nodes[:0]
	for _, at := range w.nodes {
		ws.nodes = at.step(ws.nodes, 0, name, named)
	}
	return ws.of(ws.nodes)
}

// member returns what the name of a member at a position says, valid until the next call.
func (ws *wheres) member(w *where, name []byte, position int) *member {
	if position < len(w.order) && bytes.Equal(w.order[position].name, name) {
		return w.order[position]
	}
	m := w.members[string(name)]
	if m == nil {
		m = &ws.rare
		rarely := ws.named == mostRemembered || len(name) > mostBytes
		if !rarely {
			m = new(member)
		}
		m.name, m.before, m.at = append(m.name[:0], name...), m.before[:0], ws.child(w, name, true)
		m.value, m.worth, m.known = valueName(name), worthLook(name), false
		if rarely {
			return m
		}
		ws.named++
		if w.members == nil {
			w.members = map[string]*member{}
		}
		w.members[string(name)] = m
	}
	switch {
	case position < len(w.order):
		w.order[position] = m
	case position == len(w.order) && position < mostOrdered:
		w.order = append(w.order, m)
	}
	return m
}
