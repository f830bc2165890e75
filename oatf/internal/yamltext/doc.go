// Package yamltext parses the YAML of OATF documents within limits, rejects what the format forbids, types scalars
// by the YAML 1.2 core schema, and writes Values.
//
// The writer and the formatter share its rules for quotes.
package yamltext
