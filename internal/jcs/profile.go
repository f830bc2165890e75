package jcs

// Profile is a canonicalization that logs were hashed under. Those older than RFC 8785
// differ from it in the order of names, in the normalisation of strings and in how
// numbers are spelled. Each log format defines its own and hands them in.
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

// asIs says whether what a scan marks as canonical is so by the profile, too. The marks are
// given to what is canonical by RFC 8785 beyond doubt: names that are in order whatever they
// are sorted by, and numbers of few digits and no exponent, which Python spells alike.
func (p *Profile) asIs() bool { return !p.NFC }

func (p *Profile) number(dst, raw []byte, integer bool) []byte {
	if p.Python {
		return p.appendPython(dst, raw, integer)
	}
	return appendES6(dst, raw)
}
