package privacy

import "github.com/cupel-dev/cupel/internal/enum"

// Class is a privacy class of the contract (ADR-006 §2).
type Class uint8

// The classes.
const (
	Public    Class = iota // metadata, hashes, timestamps: logged as it is
	Sensitive              // arguments, paths, output: generalized where a rule finds something
	Forbidden              // secrets, tokens: dropped
)

var classNames = [...]string{"public", "sensitive", "forbidden"}

// String returns the class's name in the contract's words.
func (c Class) String() string { return classNames[min(int(c), len(classNames)-1)] }

// MarshalText returns the class's name, or an error.
func (c Class) MarshalText() ([]byte, error) { return enum.Text(classNames[:], c) }

// UnmarshalText sets the class to the one with the name text.
func (c *Class) UnmarshalText(text []byte) error { return enum.Read("class", classNames[:], c, text) }

func parseClass(name string) (c Class, ok bool) {
	for i, known := range classNames {
		if name == known {
			return Class(i), true
		}
	}
	return Public, false
}
