package suite

import _ "embed"

//go:embed suite.schema.json
var schema string

// Schema is the JSON Schema (draft 2020-12) of the suite format, for editors. It
// says what Parse accepts but for what a schema cannot say: that ids are unique
// and that targets, regular expressions and schemas are well-formed.
func Schema() string { return schema }
