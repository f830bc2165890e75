// Package model contains the Go types of OATF documents (SDK specification 0.1, §2) and errors (§7). It is
// independent of YAML and rules. Package oatf aliases the types.
package model

import (
	"fmt"
	"time"

	"github.com/cupel-dev/cupel/internal/say"
)

// Document is a parsed OATF document (SDK specification §2.2). In all types, a nil pointer, slice, Value or
// interface is an absent or null field; an empty slice is an empty list. Required fields are not pointers. They are
// empty only in documents returned with an error.
type Document struct {
	OATF   string  `yaml:"oatf"`
	Schema *string `yaml:"$schema"`
	Attack Attack  `yaml:"attack"`

	// Revision is the document's revision; "" is the oldest. It is detected, because all documents declare version
	// 0.1.
	Revision Revision `yaml:"-"`

	// Origin is the text of a parsed document, or nil.
	Origin Origin `yaml:"-"`
}

// Origin links a parsed document to its text. Parse sets it.
type Origin interface {
	// Position is the place of the value at a dot-path.
	Position(path string) Position
	// Warnings are the unknown keys that Parse tolerated, in the order of the source.
	Warnings() []Diagnostic
}

// Position returns the position of the value at a dot-path, such as "attack.indicators[0].surface". A missing field
// has the position of its nearest parent. A document that was not parsed has no positions.
func (d *Document) Position(path string) Position {
	if d.Origin == nil {
		return Position{}
	}
	return d.Origin.Position(path)
}

// Warnings returns the unknown fields that WarnUnknown tolerated, in source order, with code "P-002".
func (d *Document) Warnings() []Diagnostic {
	if d.Origin == nil {
		return nil
	}
	return d.Origin.Warnings()
}

// Attack is the attack envelope (§2.3).
type Attack struct {
	ID             *string         `yaml:"id"`
	Name           *string         `yaml:"name"`
	Version        *int64          `yaml:"version"`
	Status         *Status         `yaml:"status"`
	Created        *DateTime       `yaml:"created"`
	Modified       *DateTime       `yaml:"modified"`
	Author         *string         `yaml:"author"`
	Description    *string         `yaml:"description"`
	GracePeriod    *Duration       `yaml:"grace_period"`
	Severity       *Severity       `yaml:"severity"`
	Impact         []Impact        `yaml:"impact"`
	Classification *Classification `yaml:"classification"`
	References     []Reference     `yaml:"references"`
	Execution      Execution       `yaml:"execution"`
	Indicators     []Indicator     `yaml:"indicators"`
	Correlation    *Correlation    `yaml:"correlation"`
	Extensions     Extensions      `yaml:"-"`
}

// Correlation defines how indicator verdicts are combined (§2.3a).
type Correlation struct {
	Logic *CorrelationLogic `yaml:"logic"`
}

// Severity is the author's rating of the attack (§2.4).
type Severity struct {
	Level      SeverityLevel `yaml:"level"`
	Confidence *int64        `yaml:"confidence"` // 0 to 100

	// Scalar means that the document has only the level (`severity: high`). Normalize clears it.
	Scalar bool `yaml:"-"`
}

// Classification assigns the attack to taxonomies (§2.5).
type Classification struct {
	Category *Category          `yaml:"category"`
	Mappings []FrameworkMapping `yaml:"mappings"`
	Tags     []string           `yaml:"tags"`
}

// Reference is an external reference (§2.17).
type Reference struct {
	URL         string  `yaml:"url"`
	Title       *string `yaml:"title"`
	Description *string `yaml:"description"`
}

// FrameworkMapping links the attack to an entry of another framework (§2.18).
type FrameworkMapping struct {
	Framework    Framework     `yaml:"framework"`
	ID           string        `yaml:"id"`
	Name         *string       `yaml:"name"`
	URL          *string       `yaml:"url"`
	Relationship *Relationship `yaml:"relationship"`
}

// DateTime is an ISO 8601 date-time with zone, or a date, as written.
type DateTime string

// Time returns the instant; a bare date is midnight UTC.
func (d DateTime) Time() (time.Time, error) {
	for _, layout := range []string{time.RFC3339Nano, time.DateOnly} {
		if t, err := time.Parse(layout, string(d)); err == nil {
			return t, nil
		}
	}
	return time.Time{}, fmt.Errorf("%q is neither a date (2026-02-15) nor a date-time with zone (2026-02-15T10:30:00Z)", say.Preview(string(d), say.Usual))
}

// Duration is a duration as written, in shorthand (30s) or ISO 8601 (PT30S).
type Duration string

// Duration returns the span, or the error of [ParseDuration].
func (d Duration) Duration() (time.Duration, error) { return ParseDuration(string(d)) }
