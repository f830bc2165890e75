package finding

import "github.com/cupel-dev/cupel/internal/enum"

// Severity is the severity of a finding. Only Error affects a verdict.
type Severity uint8

// The severities, from the least to the most serious.
const (
	Info Severity = iota
	Warning
	Error
)

var severityNames = [...]string{Info: "info", Warning: "warning", Error: "error"}

// String returns the name of the severity.
func (s Severity) String() string { return enum.Name(severityNames[:], s) }

// MarshalText returns the severity's name, or an error for an invalid one.
func (s Severity) MarshalText() ([]byte, error) { return enum.Text(severityNames[:], s) }

// UnmarshalText sets the severity to the one with the name text.
func (s *Severity) UnmarshalText(text []byte) error {
	return enum.Read("severity", severityNames[:], s, text)
}
