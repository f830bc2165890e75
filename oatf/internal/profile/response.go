package profile

import "github.com/cupel-dev/cupel/oatf/model"

// ResponsePlace is a place of responses in the protocol state: a member of the state, or of each element of one of
// its lists.
type ResponsePlace struct {
	Protocol model.Protocol
	List     string   // list with the elements that contain the member; "" for the state
	Member   string   // what holds the entries, or is the only one
	Static   []string // the keys that exclude synthesize
	Keys     []string // all keys that the binding gives an entry; nil when they are not checked
	Earlier  []Earlier
	Single   bool // the member is one entry, not a list of them
	Matched  bool // entries are chosen by their when
	Loose    bool // the conformance rules do not name it
}

// Enumeration is a closed enumeration inside state: a key of the objects of a list.
type Enumeration struct {
	Mode    model.Mode // "": whatever the mode of the phase
	List    string
	Key     string
	Members []string
}
