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
	Revision      Revision // "": told by the marks of the document
}

// Parse turns the YAML text of a document into its model (§3.1). It checks types,
// required fields and closed enumerations; what depends on context is Validate's.
//
// The error, when there is one, is a ParseErrors with every fault that could be
// found, each with its place. The text is YAML 1.2: a UTF-8 stream of one document
// without anchors, aliases, merge keys and custom tags, with unique keys.
//
// When the text is YAML and its root a mapping, the document is returned even beside
// an error: it holds all that could be understood, for editors and for Validate,
// which reports those faults that break a conformance rule too.
func Parse(input []byte) (*Document, error) { return ParseOptions{}.Parse(input) }

// Parse is [Parse] with options.
func (o ParseOptions) Parse(input []byte) (*Document, error) {
	return parse.Document(input, parse.Options(o))
}

// ParseValue turns YAML or JSON text, such as a captured message, into a Value whose
// objects keep the order of their members. It takes the YAML that Parse takes: one
// document, without anchors, aliases, merge keys and custom tags, with unique keys,
// within the default Limits. The error is a ParseErrors.
func ParseValue(input []byte) (Value, error) {
	source, err := yamltext.ReadAudited(input)
	if err != nil {
		return nil, err
	}
	return yamltext.Value(source.Root), nil
}

// Validate checks a document against the conformance rules and the warnings of its
// revision (§3.2): V-001 to V-043 and W-001 to W-005, or V-049 and W-007 in V202603. It
// returns everything it found, in the order of the source (§7.4); a document that was not
// parsed is ordered by path.
//
// A document that Parse returned together with an error may be validated too: faults
// that break a rule are among the violations, and fields of the wrong type are not
// judged any further.
func Validate(doc *Document) *ValidationResult { return validate.Document(doc).Result() }
