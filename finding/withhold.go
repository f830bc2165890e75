package finding

import "strings"

// WithholdSource removes the source line, for sensitive inputs.
func (f *Finding) WithholdSource() { f.Source.Text, f.Source.Caret, f.Source.Width = "", 0, 0 }

// WithholdCompared removes expected and found values other than digests and numbers.
func (f *Finding) WithholdCompared() {
	if !Harmless(f.Expected) || !Harmless(f.Found) {
		f.Expected, f.Found = "", ""
	}
}

// Harmless reports whether a text is a digest, a number or empty, so that it cannot contain sensitive data.
func Harmless(text string) bool {
	digits, isDigest := strings.CutPrefix(text, "sha256:")
	if isDigest {
		return len(digits) == 64 && strings.Trim(digits, "0123456789abcdef") == ""
	}
	return len(digits) <= 20 && strings.Trim(digits, "0123456789") == ""
}
