// Package yamltext handles the YAML of OATF documents: it parses within limits, rejects what the
// format forbids, types scalars by the YAML 1.2 core schema, and writes Values.
//
// It decides when strings need quotes, for both the writer and the formatter.
package yamltext
