package jcs

// fewMembers limits the objects that are sorted by insertion and have their order cached: enough for events and
// payloads.
const fewMembers = 24

// orders caches the orders of earlier objects. Producers usually write the members of a kind of
// object in one order; every use is checked.
type orders [64]order

// order lists the source positions of members in sorted order.
type order struct {
	places [fewMembers]uint8
	size   uint8
}

// of returns the cached order for objects with the same member count, first and last member.
func (o *orders) of(list []member) *order {
	h := (list[0].prefix+uint64(len(list)))*0x9e3779b97f4a7c15 + list[len(list)-1].prefix
	return &o[(h^h>>32)*0x9e3779b97f4a7c15>>58]
}

// learn stores the order of sorted members.
func (o *order) learn(list []member) {
	o.size = uint8(len(list))
	for i, m := range list {
		o.places[i] = uint8(m.place)
	}
}
