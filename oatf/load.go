package oatf

// LoadResult is a valid, normalized document (§3.5).
type LoadResult struct {
	Document *Document    // valid and normalized
	Warnings []Diagnostic // what Parse tolerated, then what Validate warned of
}

// Load parses, validates and normalizes a document (§3.5). The error is a ParseErrors if the text cannot be parsed,
// or a ValidationErrors if it violates rules. The members of both are [OATFError] values.
func Load(input []byte) (*LoadResult, error) { return ParseOptions{}.Load(input) }

// Load is [Load] with options.
func (o ParseOptions) Load(input []byte) (*LoadResult, error) {
	doc, err := o.Parse(input)
	if err != nil {
		return nil, err
	}
	result := Validate(doc)
	if !result.Valid() {
		return nil, result.Errors
	}
	return &LoadResult{Document: Normalize(doc), Warnings: append(doc.Warnings(), result.Warnings...)}, nil
}
