package profile

// Mark identifies documents of a revision, because all declare the same version.
type Mark struct {
	// Level is the mark's weight: a mark of level 1 decides before any of level 2.
	Level int

	// Path is the position of the mark: a dot-path that starts with attack, phase or state, such as
	// "attack.indicators[].target". [] means each list element, a final * each key of a mapping.
	Path string

	Key     func(key string) bool  // which keys, when the path ends in *
	Text    func(text string) bool // condition on a string value; nil: any value
	Mapping bool                   // the value is a mapping
}

// AnyText accepts every string.
func AnyText(string) bool { return true }
