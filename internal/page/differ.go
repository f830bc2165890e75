package page

import "unicode/utf8"

// Difference is a value split around the part that differs from another value.
type Difference struct{ Same, Differs, Rest string }

// Any reports whether the value is not empty.
func (d Difference) Any() bool { return d != Difference{} }

// differ splits two values at their common prefix and suffix if that makes them easier to compare.
func differ(a, b string) [2]Difference {
	a, b = value(a), value(b)
	if a == "" || b == "" { // nothing to compare
		return [2]Difference{{Same: a}, {Same: b}}
	}
	from := 0
	for from < len(a) && from < len(b) && a[from] == b[from] {
		from++
	}
	for from > 0 && !(startsAt(a, from) && startsAt(b, from)) {
		from--
	}
	end := 0
	for end < len(a)-from && end < len(b)-from && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	for end > 0 && !(startsAt(a, len(a)-end) && startsAt(b, len(b)-end)) {
		end--
	}
	part := func(s string) Difference { return Difference{s[:from], s[from : len(s)-end], s[len(s)-end:]} }
	return [2]Difference{part(a), part(b)}
}

// startsAt reports whether at is a code point boundary.
func startsAt(s string, at int) bool { return at == len(s) || utf8.RuneStart(s[at]) }
