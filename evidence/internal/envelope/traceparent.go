package envelope

import "bytes"

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

func isHex(digits []byte) bool {
	for _, c := range digits {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

// isTraceID says whether digits are an id: not all of them zero.
func isTraceID(digits []byte) bool { return isHex(digits) && len(bytes.Trim(digits, "0")) > 0 }
