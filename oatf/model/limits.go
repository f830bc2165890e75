package model

import "github.com/cupel-dev/cupel/internal/enum"

// Limits limits the input of Parse. A zero field means its default.
type Limits struct {
	Bytes  int // size of the document; default DefaultMaxBytes
	Nodes  int // mappings, sequences, scalars, as estimated before reading, a quarter of them on one line; default DefaultMaxNodes
	Depth  int // nesting of mappings and sequences; default DefaultMaxDepth
	Key    int // length of one mapping key in bytes; default DefaultMaxKey
	Errors int // faults or violations that are reported; default DefaultMaxErrors
}

// The default limits.
const (
	// DefaultMaxBytes exceeds the largest useful documents many times, and limits the memory for a hostile one.
	DefaultMaxBytes = 8 << 20
	// DefaultMaxNodes suffices for a document of DefaultMaxBytes with average density. Its YAML nodes take about
	// 200 MB.
	DefaultMaxNodes = 450_000
	// DefaultMaxDepth is beyond the JSON Schemas of any protocol and safe for recursion.
	DefaultMaxDepth = 128
	// DefaultMaxKey is YAML's limit for one-line keys. Long keys are expensive, because paths repeat them.
	DefaultMaxKey = 1024
	// DefaultMaxErrors is more than anybody fixes at once. The last error counts the omitted ones.
	DefaultMaxErrors = 1000
)

func (l Limits) WithDefaults() Limits {
	for _, d := range []struct {
		field *int
		value int
	}{{&l.Bytes, DefaultMaxBytes}, {&l.Nodes, DefaultMaxNodes}, {&l.Depth, DefaultMaxDepth}, {&l.Key, DefaultMaxKey}, {&l.Errors, DefaultMaxErrors}} {
		if *d.field <= 0 {
			*d.field = d.value
		}
	}
	return l
}

// UnknownFields defines how Parse treats unknown keys without the prefix "x-".
type UnknownFields uint8

// The treatments of unknown keys.
const (
	RejectUnknown UnknownFields = iota // each is a ParseError of kind type_mismatch
	WarnUnknown                        // each is a Diagnostic of Document.Warnings; its value is dropped
)

var treatmentNames = [...]string{"reject", "warn"}

// String returns the name of the treatment.
func (u UnknownFields) String() string { return enum.Name(treatmentNames[:], u) }

// MarshalText returns the treatment's name, or an error.
func (u UnknownFields) MarshalText() ([]byte, error) { return enum.Text(treatmentNames[:], u) }

// UnmarshalText parses the name of a treatment.
func (u *UnknownFields) UnmarshalText(text []byte) error {
	return enum.Read("treatment", treatmentNames[:], u, text)
}
