package oatf

import (
	"github.com/cupel-dev/cupel/oatf/internal/parse"
	"github.com/cupel-dev/cupel/oatf/internal/validate"
	"github.com/cupel-dev/cupel/oatf/internal/yamltext"
)

// ParseOptions tune Parse.
type ParseOptions struct {
	Limits        Limits
	UnknownFields UnknownFields
	Revision      Revision // "": detected from the document
}

// Parse parses a document's YAML text (§3.1). It checks types, required fields and closed
// enumerations; Validate checks the rest.
//
// The error is a ParseErrors with all faults found and their positions. The text is YAML 1.2: one
// UTF-8 document with unique keys and without anchors, aliases, merge keys and custom tags.
//
// If the text is YAML with a mapping at the root, the document is returned even with an error: it has everything
// understood, for editors and for Validate, which also reports the faults that break conformance rules.
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

// Validate checks the conformance rules and warnings of a document's revision (§3.2): V-001 to
// V-043 and W-001 to W-005, or V-049 and W-007 in V202603. It returns all violations in source
// order (§7.4), or by path for a document that was not parsed.
//
// It can validate a document that Parse returned with an error: the violations then include the faults that break
// rules, and fields of the wrong type are skipped.
func Validate(doc *Document) *ValidationResult { return validate.Document(doc).Result() }
