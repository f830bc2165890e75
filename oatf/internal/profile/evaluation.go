package profile

// Evaluation says how a revision evaluates conditions and indicators.
type Evaluation struct {
	// Texts is what the operators that compare strings make of values that are none.
	Texts Texts
}

// Texts is what contains, starts_with, ends_with and regex see.
type Texts uint8

// What they see of a value that is no string.
const (
	StringsAlone Texts = iota // nothing: they do not hold for it
	CompactJSON               // its compact JSON with the keys sorted by code point, the numbers as they are written
)
