package envelope

import (
	"bytes"
	"strings"
)

// TraceParentFault describes a deviation from a W3C trace parent (Trace Context level 1 §3.2), or
// returns "". A trace parent is version, trace id, parent id and flags in lower-case hexadecimal,
// separated by dashes. Versions above 00 can have more after another dash.
func TraceParentFault(text []byte) string {
	const length = len("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
	if len(text) < length || text[2] != '-' || text[35] != '-' || text[52] != '-' {
		return "is not made of 2, 32, 16 and 2 digits with dashes between them"
	}
	version, trace, parent, flags := text[:2], text[3:35], text[36:52], text[53:length]
	switch {
	case !isHex(version) || !isHex(trace) || !isHex(parent) || !isHex(flags):
		return "has characters other than lower-case hexadecimal digits"
	case string(version) == "ff":
		return "has the version ff, which is invalid"
	case len(text) > length && (string(version) == "00" || text[length] != '-'):
		return "goes on after its flags"
	case isZero(trace):
		return "has a trace id of zeros"
	case isZero(parent):
		return "has a parent id of zeros"
	}
	return ""
}

// otherThanHex is 1 for bytes other than lower-case hexadecimal digits, to avoid mispredicted branches.
var otherThanHex = func() (table [256]byte) {
	for c := range table {
		if strings.IndexByte("0123456789abcdef", byte(c)) < 0 {
			table[c] = 1
		}
	}
	return table
}()

func isHex(digits []byte) bool {
	var other byte
	for _, c := range digits {
		other |= otherThanHex[c]
	}
	return other == 0
}

func isZero(digits []byte) bool { return len(bytes.Trim(digits, "0")) == 0 }
