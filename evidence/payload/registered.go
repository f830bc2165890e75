package payload

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/payload/internal/registry"
	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/jcs"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// mostViolations is how many things that break a schema are reported of one event.
const mostViolations = 20

// registered checks the data of an event by the schema of its type, where the registry has one.
// The types of ADR-006 §3 are not in it: they have rules of their own.
func (c *Checker) registered(eventType []byte) {
	s := registry.Lookup(eventType)
	if s == nil {
		return
	}
	c.facts.eventType = nil // a rule knows it
	data := c.event.Get(evidence.AttrData)
	if !data.Exists() {
		return // the envelope's fault
	}
	broken := s.Check(data.Raw())
	for i, v := range broken {
		if i == mostViolations {
			c.at(dataUnlike, data, fmt.Sprintf("the data break their schema in %d more places", len(broken)-i))
			break
		}
		value, name := data, "the data"
		for _, token := range v.Path {
			value, name = child(value, token), "member "+token
		}
		c.at(dataUnlike, value, name+" "+v.Message)
	}
	if len(broken) == 0 {
		c.mandate(string(eventType), data)
	}
}

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

// mandate compares the id of a mandate, or of its use, with the digest of its content.
func (c *Checker) mandate(eventType string, data evidence.Value) {
	var id evidence.Value
	var content map[string]any
	switch eventType {
	case "assay.mandate.v1":
		id, content = data.Get("mandate_id"), membersWithout(data, "mandate_id", "signature")
	case "assay.mandate.used.v1":
		id, content = data.Get("use_id"), map[string]any{}
		for _, name := range []string{"mandate_id", "tool_call_id", "use_count"} {
			content[name] = json.RawMessage(data.Get(name).Raw())
		}
	default:
		return
	}
	own, ok := digestOf(content)
	recorded, _ := digest.Parse(id.TextBytes(c.scratch))
	if ok && own != recorded {
		f := c.at(mandateID, id, "the id is not the digest of the content that it names")
		f.Expected, f.Found = own.String(), recorded.String()
	}
}

// membersWithout returns an object without some of its members, and its objects without members
// that are false or null: so the reference implementation writes the content of a mandate.
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
