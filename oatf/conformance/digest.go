package conformance

import (
	"encoding/json"
	"strings"

	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/jcs"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/oatf"
)

// digestOf returns the SHA-256 of a case's whole entry as canonical JSON (RFC 8785), independent of
// YAML style and key order; "" for NaN, infinities and numbers outside of a double's range.
func digestOf(entry oatf.Value) string {
	doc, err := strictjson.NewScanner(strictjson.Limits{}).Scan([]byte(compact(entry)))
	if err != nil {
		return ""
	}
	return digest.Of(jcs.NewWriter(jcs.RFC8785).Append(nil, doc.Root())).String()
}

// compact formats a value as JSON on one line, with members in order.
func compact(v oatf.Value) string {
	var b strings.Builder
	writeCompact(&b, v)
	return b.String()
}

func writeCompact(b *strings.Builder, v oatf.Value) {
	switch v := v.(type) {
	case oatf.Object:
		b.WriteByte('{')
		for i, m := range v {
			if i > 0 {
				b.WriteByte(',')
			}
			writeCompact(b, m.Key)
			b.WriteByte(':')
			writeCompact(b, m.Value)
		}
		b.WriteByte('}')
	case []oatf.Value:
		b.WriteByte('[')
		for i, item := range v {
			if i > 0 {
				b.WriteByte(',')
			}
			writeCompact(b, item)
		}
		b.WriteByte(']')
	case oatf.Number:
		b.WriteString(string(v))
	default:
		var text strings.Builder
		encoder := json.NewEncoder(&text)
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(v); err != nil { // a string, a boolean or null: it cannot fail
			panic("conformance.writeCompact: " + err.Error())
		}
		b.WriteString(strings.TrimSuffix(text.String(), "\n"))
	}
}
