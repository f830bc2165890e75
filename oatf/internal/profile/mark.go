package profile

// Mark is something by which documents of a revision are told from those of the others,
// since all declare the same version of the format.
type Mark struct {
	// Level is how much the mark weighs: one of level 1 decides before any of level 2.
	Level int

	// Path is where the mark stands, as a dot-path that begins with attack, or with phase or
	// state for every phase and every state of the document: "attack.indicators[].target".
	// [] is each element of a list, a last * each key of a mapping.
	Path string

	Key     func(key string) bool  // which keys, when the path ends in *
	Text    func(text string) bool // the value is a string of which this holds; nil: any value will do
	Mapping bool                   // the value is a mapping
}

// AnyText holds of every string.
func AnyText(string) bool { return true }
