package jcs

// fewMembers is the size up to which an object is sorted by insertion, and its order
// remembered: that of the events and payloads that logs are made of.
const fewMembers = 24

// orders are the orders that objects were put into before. Producers write the members of
// each kind of object in one order, so that what sorted the last one sorts the next; whether
// it does is looked at each time.
type orders [64]order

// order is where the members of an object stood that come first, second and so on.
type order struct {
	places [fewMembers]uint8
	size   uint8
}

// of returns what is known about objects that look like one with these members: as many, and
// the same first and last ones.
func (o *orders) of(list []member) *order {
	h := (list[0].prefix+uint64(len(list)))*0x9e3779b97f4a7c15 + list[len(list)-1].prefix
	return &o[(h^h>>32)*0x9e3779b97f4a7c15>>58]
}

// learn remembers the order of members that are sorted now.
func (o *order) learn(list []member) {
	o.size = uint8(len(list))
	for i, m := range list {
		o.places[i] = uint8(m.place)
	}
}
