package format

import "github.com/cupel-dev/cupel/internal/strictjson"

// shape is an object's member table. The type parameter prevents mixing up the rows of different objects.
type shape[M ~uint8] []member

// member is a row of an object's table. Mandatory members must exist; for others null means absent, and a wrong
// type is a fault. A row without a name is a member that this object cannot have.
type member struct {
	name  string
	want  want
	must  bool   // mandatory: absent, null or empty is a fault
	alias string // the name that old writers used
}

// maxMembers limits an object's table.
const maxMembers = 12

// members are the known members of an object, by row.
type members[M ~uint8] [maxMembers]strictjson.Node

// at returns a member, or the zero node.
func (m *members[M]) at(which M) strictjson.Node { return m[which] }
