package envelope

import (
	"bytes"
	"strings"
)

// isTraceParent says whether a text is a W3C trace parent (Trace Context level 1 §3.2):
// version, trace id, parent id and flags in lower-case hexadecimal digits, a dash between
// them. A version above 00 may have more behind another dash.
func isTraceParent(text []byte) bool {
	const length = len("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
	if len(text) < length || text[2] != '-' || text[35] != '-' || text[52] != '-' {
		return false
	}
	version, trace, parent, flags := text[:2], text[3:35], text[36:52], text[53:length]
	if len(text) > length && (string(version) == "00" || text[length] != '-') {
		return false
	}
	return string(version) != "ff" && isHex(version) && isHex(flags) && isTraceID(trace) && isTraceID(parent)
}

// otherThanHex has 1 for each byte that is no lower-case hexadecimal digit. Digits are drawn
// at random, and a branch for each of them is a branch guessed wrong.
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

// isTraceID says whether digits are an id: not all of them zero.
func isTraceID(digits []byte) bool { return isHex(digits) && len(bytes.Trim(digits, "0")) > 0 }
