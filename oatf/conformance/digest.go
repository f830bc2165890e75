package conformance

import (
	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/jcs"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/oatf"
)

// digestOf is the SHA-256 of a case's entry in its file, all members of it, in the canonical
// JSON of RFC 8785, so that neither the style of the YAML nor the order of keys matters. It is
// "" for an entry that JSON cannot say: one with NaN, an infinity, or a number beyond a double.
func digestOf(entry oatf.Value) string {
	doc, err := strictjson.NewScanner(strictjson.Limits{}).Scan([]byte(compact(entry)))
	if err != nil {
		return ""
	}
	return digest.Of(jcs.NewWriter(jcs.RFC8785).Append(nil, doc.Root())).String()
}
