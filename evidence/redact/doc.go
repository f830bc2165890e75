// Package redact makes a copy of evidence that can be shared: what a policy calls sensitive
// is generalized and what it calls forbidden is gone, while everything else stays as it is.
//
// A stream stays a stream in which only the changed members of the changed events are written
// anew, byte for byte as the rest stands there, with their content hashes; a lone event stays
// one. A bundle becomes another bundle, with another id: earlier attestations do not hold for
// it. What was changed, and by which rule, is listed in a [Report] that says nothing of the
// values. What the classes are, and what becomes of a value, is package privacy's.
package redact
