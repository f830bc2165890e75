package suite

import _ "embed"

//go:embed suite.schema.json
var schema string

// Schema returns the JSON Schema (draft 2020-12) of suites, for editors. It cannot express that ids
// are unique and that targets, regular expressions and schemas are valid.
func Schema() string { return schema }
