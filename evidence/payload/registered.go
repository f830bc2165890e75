package payload

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/jcs"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// child returns the member or element of a value that a token of a pointer names.
func child(v evidence.Value, token string) evidence.Value {
	at, err := strconv.Atoi(token)
	if v.Kind() != evidence.KindArray || err != nil {
		return v.Get(token)
	}
	for element := range v.Children() {
		if at == 0 {
			return element
		}
		at--
	}
	return evidence.Value{}
}

// membersWithout returns an object without some members, and nested objects without false and null
// members, as the reference implementation writes mandates.
func membersWithout(v evidence.Value, names ...string) map[string]any {
	content := map[string]any{}
	for m := range v.Children() {
		name := m.Name()
		flag, isFlag := m.Bool()
		switch {
		case m.Missing(), isFlag && !flag:
		case slices.Contains(names, name):
		case m.Kind() == evidence.KindObject:
			content[name] = membersWithout(m)
		default:
			content[name] = json.RawMessage(m.Raw())
		}
	}
	return content
}

// digestOf is the digest of the canonical form of an object.
func digestOf(content map[string]any) (sum digest.Sum, ok bool) {
	text, err := json.Marshal(content)
	if err != nil {
		return sum, false
	}
	doc, err := strictjson.NewScanner(strictjson.Limits{}).Scan(text)
	if err != nil {
		return sum, false
	}
	return digest.Of(jcs.NewWriter(nil).Append(nil, doc.Root())), true
}
