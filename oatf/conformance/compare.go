package conformance

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/oatf"
)

// compare sets the result of a case whose answer is a document. Fields and values must be equal, in any order.
func (c *Case) compare(want, got *oatf.Document) {
	w, werr := oatf.ParseValue(oatf.Serialize(want))
	g, gerr := oatf.ParseValue(oatf.Serialize(got))
	if werr != nil || gerr != nil {
		c.Expected, c.Got, c.Pass = "two documents that can be read again", fmt.Sprint(werr, gerr), false
		return
	}
	c.Expected, c.Got = difference("", sorted(w), sorted(g))
	if c.Expected == c.Got { // nor does what Serialize leaves out differ
		c.Expected, c.Got = difference("", sorted(modelled(want)), sorted(modelled(got)))
	}
	c.Pass = c.Expected == c.Got
	if c.Pass {
		c.Expected, c.Got = "the same document", "the same document"
	}
}

// sorted returns the value with the members of all objects in the order of their keys.
func sorted(v oatf.Value) oatf.Value {
	switch v := v.(type) {
	case oatf.Object:
		out := slices.Clone(v)
		for i := range out {
			out[i].Value = sorted(out[i].Value)
		}
		slices.SortFunc(out, func(a, b oatf.Member) int { return cmp.Compare(a.Key, b.Key) })
		return out
	case []oatf.Value:
		out := slices.Clone(v)
		for i := range out {
			out[i] = sorted(out[i])
		}
		return out
	}
	return v
}

// difference returns the first differing values of two sorted values, both "" if equal.
func difference(path string, want, got oatf.Value) (string, string) {
	switch w := want.(type) {
	case oatf.Object:
		if g, ok := got.(oatf.Object); ok && slices.EqualFunc(w, g, func(a, b oatf.Member) bool { return a.Key == b.Key }) {
			for i := range w {
				if a, b := difference(path+"."+w[i].Key, w[i].Value, g[i].Value); a != b {
					return a, b
				}
			}
			return "", ""
		}
	case []oatf.Value:
		if g, ok := got.([]oatf.Value); ok && len(w) == len(g) {
			for i := range w {
				if a, b := difference(fmt.Sprintf("%s[%d]", path, i), w[i], g[i]); a != b {
					return a, b
				}
			}
			return "", ""
		}
	}
	a, b := compact(want), compact(got)
	if a == b {
		return "", ""
	}
	path = strings.TrimPrefix(path, ".")
	return path + ": " + a, path + ": " + b
}

// longAnswer limits the shown bytes of an answer, beforeDifference those before the first difference.
const (
	longAnswer       = 4096
	beforeDifference = 256
)

// shortened returns the parts of two answers around their first difference.
func shortened(want, got string) (shortWant, shortGot string) {
	from := 0
	for from < min(len(want), len(got)) && want[from] == got[from] {
		from++
	}
	from = max(0, from-beforeDifference)
	return part(want, from), part(got, from)
}

// part returns the part of a text from an offset, without partial characters.
func part(s string, from int) string {
	if len(s) <= longAnswer {
		return s
	}
	cut := strings.ToValidUTF8(s[from:min(len(s), from+longAnswer)], "")
	if from > 0 {
		cut = "…" + cut
	}
	if from+longAnswer < len(s) {
		cut += "…"
	}
	return cut
}
