// Package jcs writes canonical JSON: the JSON Canonicalization Scheme of RFC 8785,
// and the named profiles of it that real logs were hashed under.
//
// A Writer copies straight from the source bytes of a scanned document, so that
// canonicalising an event costs no allocation when the buffer is reused:
//
//	doc, err := scanner.Scan(line)
//	buf = w.Append(buf[:0], doc.Root())
//
// The recipe, for a document whose members are in order already:
//
//	printf '{"a":1,"b":[true,"é"]}' | sha256sum
package jcs

import "github.com/cupel-dev/cupel/internal/strictjson"

// Writer writes canonical forms under one profile and reuses its memory. It is not
// safe for concurrent use.
type Writer struct {
	profile *Profile
}

// NewWriter returns a writer for a profile; nil means RFC8785.
func NewWriter(p *Profile) *Writer {
	if p == nil {
		p = RFC8785
	}
	return &Writer{profile: p}
}

// Append appends the canonical form of the value n to dst.
func (w *Writer) Append(dst []byte, n strictjson.Node) []byte { return dst }

// AppendObject appends the canonical form of an object that consists of exactly the
// given members, which may come from any place of one document and in any order.
func (w *Writer) AppendObject(dst []byte, members []strictjson.Node) []byte { return dst }

// Profile is a canonicalization that real logs were hashed under.
type Profile struct {
	Name string
}

// RFC8785 is the JSON Canonicalization Scheme itself.
var RFC8785 = &Profile{Name: "rfc8785"}
