package payload

import (
	"bytes"
	"math"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/internal/say"
)

// dataBase64 is the member that holds the data where they are bytes. It is no attribute.
const dataBase64 = "data_base64"

// isAttributeValue says whether a value is of the type system of CloudEvents, as the JSON format
// writes it; null is an attribute that is not set.
func isAttributeValue(v evidence.Value) bool {
	switch v.Kind() {
	case evidence.KindString, evidence.KindBool, evidence.KindNull:
		return true
	case evidence.KindNumber:
		n, ok := v.Int()
		return ok && math.MinInt32 <= n && n <= math.MaxInt32
	}
	return false
}

// dataSchema checks the attribute dataschema.
func (c *Checker) dataSchema(v evidence.Value) {
	switch {
	case v.Missing():
	case !isText(v):
		c.at(dataSchema, v, "member dataschema is "+say.Article(v.Kind().String())+", expected an absolute URI")
	default:
		if _, ok := uriScheme(v.TextBytes(c.scratch)); !ok {
			c.at(dataSchema, v, "member dataschema is not an absolute URI such as https://example.com/schema")
		}
	}
}

// contentType compares datacontenttype with the data.
func (c *Checker) contentType() {
	v, data := c.event.Get(evidence.AttrContentType), c.event.Get(evidence.AttrData)
	if !isText(v) {
		return
	}
	kind, _, _ := bytes.Cut(v.TextBytes(c.scratch), []byte{';'})
	kind = bytes.TrimSpace(kind)
	main, sub, ok := bytes.Cut(kind, []byte{'/'})
	switch {
	case !ok || !isToken(main) || !isToken(sub):
		c.at(contentType, v, "member datacontenttype is not a media type such as application/json")
	case bytes.EqualFold(sub, []byte("json")) || len(sub) > 5 && bytes.EqualFold(sub[len(sub)-5:], []byte("+json")):
	case !data.Missing() && !isText(data):
		c.at(contentType, v, "member datacontenttype is not JSON, and the data are "+say.Article(data.Kind().String())+", expected a string or data_base64")
	}
}

// isToken says whether a text is a token of RFC 9110 §5.6.2.
func isToken(text []byte) bool {
	for _, c := range text {
		if !isLetter(c) && (c < '0' || c > '9') && bytes.IndexByte([]byte("!#$%&'*+-.^_`|~"), c) < 0 {
			return false
		}
	}
	return len(text) > 0
}

// texts checks the characters of all attributes but the type, which has a rule of its own.
func (c *Checker) texts() {
	var odd nameList
	for v := range c.event.Root().Children() {
		if v.Kind() != evidence.KindString || isPlain(v.Raw()) {
			continue
		}
		if a := v.Attribute(); a == evidence.AttrData || a == evidence.AttrType {
			continue
		}
		if string(v.NameBytes(c.scratch)) != dataBase64 && bytes.ContainsFunc(v.TextBytes(c.scratch), isExcluded) {
			odd.add(v)
		}
	}
	if odd.count > 0 {
		c.at(attributeText, odd.first, "attributes have control characters, or code points that are no characters: "+odd.String())
	}
}

// isPlain says whether a string is written without escapes and in printable ASCII.
func isPlain(raw []byte) bool {
	for _, b := range raw {
		if b < ' ' || b > '~' || b == '\\' {
			return false
		}
	}
	return true
}

// isExcluded says whether the strings of CloudEvents do not have a code point.
func isExcluded(r rune) bool {
	return r < ' ' || 0x7f <= r && r <= 0x9f || 0xfdd0 <= r && r <= 0xfdef || r&0xfffe == 0xfffe
}
