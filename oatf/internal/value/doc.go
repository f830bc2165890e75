// Package value compares the values of documents and messages, and writes them as text, as
// the SDK specification does (§5.3, §5.5).
package value
