package jcs

// Profile is a canonicalization that logs were hashed under. Those older than RFC 8785 differ in
// name order, string normalization and number spelling. Each log format defines its own.
type Profile struct {
	Name       string
	UTF16Order bool // sort names by UTF-16 code units; else by code points
	NFC        bool // normalize string values to NFC

	Python       bool   // spell numbers as Python's repr; else as ECMAScript
	ExponentPlus bool   // Python: keep the sign of a positive exponent
	Zero         string // Python: spelling of 0.0
	NegativeZero string // Python: spelling of -0.0
}

// RFC8785 is the JSON Canonicalization Scheme.
var RFC8785 = &Profile{Name: "rfc8785", UTF16Order: true}

// asIs reports whether values that a scan marked as canonical are canonical in this profile. Marked names are in
// every profile's order. Marked numbers are short and without exponent, which Python writes the same.
func (p *Profile) asIs() bool { return !p.NFC }

func (p *Profile) number(dst, raw []byte, integer bool) []byte {
	if p.Python {
		return p.appendPython(dst, raw, integer)
	}
	return appendES6(dst, raw)
}
