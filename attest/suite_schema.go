package attest

import _ "embed"

//go:embed suite.schema.json
var suiteSchema string

// SuiteSchema is the JSON Schema (draft 2020-12) of the suite format, for editors. It
// says what ParseSuite accepts but for what a schema cannot say: that ids are unique
// and that targets, regular expressions and schemas are well-formed.
func SuiteSchema() string { return suiteSchema }
