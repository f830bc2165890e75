// Package yamltext is the YAML of OATF documents: it reads a text into nodes within
// limits, refuses what the format does not allow, gives scalars their types by the core
// schema of YAML 1.2, and writes Values as text.
//
// What every reader takes for a string and what only some do is decided here, for the
// writer of documents and for the formatter of an author's own file alike.
package yamltext
