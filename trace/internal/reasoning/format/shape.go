package format

import "github.com/cupel-dev/cupel/internal/strictjson"

// shape is the table of an object's members. Its rows are indexed by constants of a type
// of the object's own, so that nobody asks one object for a member of another.
type shape[M ~uint8] []member

// member is one row of an object's table. Mandatory are the members that the format
// demands; the others are optional, null counts as absent for them, and a wrong type is a
// fault all the same. A row without a name is a member that this object cannot have.
type member struct {
	name  string
	want  want
	must  bool   // mandatory: absent, null or empty is a fault
	alias string // the name that old writers used
}

// maxMembers bounds an object's table.
const maxMembers = 12

// members are the members of an object that its table knows, by row.
type members[M ~uint8] [maxMembers]strictjson.Node

// at returns a member, the zero node when the object does not have it.
func (m *members[M]) at(which M) strictjson.Node { return m[which] }
