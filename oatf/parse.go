package oatf

import (
	"github.com/cupel-dev/cupel/oatf/internal/parse"
	"github.com/cupel-dev/cupel/oatf/internal/validate"
	"github.com/cupel-dev/cupel/oatf/internal/yamltext"
)

// ParseOptions configures Parse.
type ParseOptions struct {
	Limits        Limits
	UnknownFields UnknownFields
	Revision      Revision // "": detected from the document
}

// Parse parses a document's YAML text (§3.1). It checks types, required fields and closed enumerations; Validate
// checks the rest.
//
// The text must be YAML 1.2: one UTF-8 document with unique keys and without anchors, aliases, merge keys and
// custom tags. The error is a ParseErrors with all faults and their positions.
//
// If the text is YAML with a mapping at the root, Parse returns a document even with an error. It contains
// everything that could be parsed, for editors and for Validate, which also reports the faults that violate
// conformance rules.
func Parse(input []byte) (*Document, error) { return ParseOptions{}.Parse(input) }

// Parse is [Parse] with options.
func (o ParseOptions) Parse(input []byte) (*Document, error) {
	return parse.Document(input, parse.Options(o))
}

// ParseValue parses YAML or JSON text, such as a captured message, into a Value with ordered members. It accepts the
// YAML that Parse accepts, within the default Limits. The error is a ParseErrors.
func ParseValue(input []byte) (Value, error) {
	source, err := yamltext.ReadAudited(input)
	if err != nil {
		return nil, err
	}
	return yamltext.Value(source.Root), nil
}

// Validate checks a document against the conformance rules and warnings of its revision (§3.2): V-001 to V-043 and
// W-001 to W-005, or V-049 and W-007 in V202603. It returns all violations in source order (§7.4), or by path for a
// document that was not parsed. For a document that Parse returned with an error, violations include the parse
// errors that break rules. Fields of the wrong type are skipped.
func Validate(doc *Document) *ValidationResult { return validate.Document(doc).Result() }
