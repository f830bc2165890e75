package jcs

// Profile is a canonicalization that real logs were hashed under. Those before the
// adoption of RFC 8785 differ from it in the order of names, in the normalisation of
// strings and in how numbers are spelled.
type Profile struct {
	Name       string
	UTF16Order bool // names sorted by UTF-16 code units; else by code points
	NFC        bool // string values in Unicode normalization form C

	Python       bool   // numbers as Python's repr spells them; else as ECMAScript does
	ExponentPlus bool   // Python: a positive exponent keeps its sign
	Zero         string // Python: the spelling of 0.0
	NegativeZero string // Python: the spelling of -0.0
}

// RFC8785 is the JSON Canonicalization Scheme itself.
var RFC8785 = &Profile{Name: "rfc8785", UTF16Order: true}

// RAR1 is the canonical text of the reasoning trace format, canonicalization
// version 1.
var RAR1 = &Profile{Name: "rar-v1", Python: true, ExponentPlus: true, Zero: "0.0", NegativeZero: "0.0"}

// SessionProfiles are the canonicalizations that session event logs were hashed
// under, in the order in which they are tried: RFC 8785, then by date.
var SessionProfiles = []*Profile{
	RFC8785,
	{Name: "agentops-2026-01-22a", Python: true, Zero: "0", NegativeZero: "-0"},
	{Name: "agentops-2026-01-22b", Python: true, Zero: "0", NegativeZero: "-0", NFC: true},
	{Name: "agentops-2026-01-22c", Python: true, Zero: "0", NegativeZero: "-0", NFC: true, UTF16Order: true},
	{Name: "agentops-2026-01-29a", Python: true, Zero: "0", NegativeZero: "0", NFC: true, UTF16Order: true},
	{Name: "agentops-2026-01-29b", Python: true, Zero: "0", NegativeZero: "0", UTF16Order: true},
}

func (p *Profile) number(dst, raw []byte, integer bool) []byte {
	if p.Python {
		return p.appendPython(dst, raw, integer)
	}
	return appendES6(dst, raw, integer)
}
