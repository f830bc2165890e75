package evidence

import (
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// recordedName is the member that records the content hash.
const recordedName = "assaycontenthash"

// defaultContentType stands for a datacontenttype that is absent or null: the default
// of CloudEvents' JSON format.
const defaultContentType = "application/json"

// specVersion is the only version of the envelope.
const specVersion = "1.0"

// members are the parts of an event that hashing looks at.
type members struct {
	data, contentType, specVersion, subject, eventType strictjson.Node // the hash input, in canonical order

	id, recorded strictjson.Node
}

// selectMembers finds them by their exact names in one pass over the event.
func selectMembers(event strictjson.Node) (m members) {
	for member := range event.Children() {
		switch string(nameOf(member)) {
		case "data":
			m.data = member
		case "datacontenttype":
			m.contentType = member
		case "specversion":
			m.specVersion = member
		case "subject":
			m.subject = member
		case "type":
			m.eventType = member
		case "id":
			m.id = member
		case recordedName:
			m.recorded = member
		}
	}
	return m
}

// nameOf returns a member's name; without escapes it is the source's own bytes.
func nameOf(member strictjson.Node) []byte {
	doc := member.Document()
	v := &doc.Values[member.Index()]
	raw := doc.Source[v.KeyStart:v.KeyEnd]
	if !v.KeyEscaped {
		return raw
	}
	return strictjson.AppendUnescaped(nil, raw)
}

// check reports what keeps the event from being hashed, and says whether nothing does.
func (h *Hasher) check(event strictjson.Node, m members) bool {
	before := h.event.Counts.Errors
	if !m.data.Exists() {
		h.reportNode(ruleDataMissing, "/data", event, "member data is missing")
	}
	if !m.eventType.Is(strictjson.String) {
		h.reportNode(ruleTypeMissing, "/type", orElse(m.eventType, event), stringWanted("type", m.eventType))
	}
	if !m.specVersion.TextIs(specVersion) {
		h.reportNode(ruleSpecVersion, "/specversion", orElse(m.specVersion, event), specVersionMessage(m.specVersion))
	}
	if !m.subject.Missing() && !m.subject.Is(strictjson.String) {
		h.reportNode(ruleSubject, "/subject", m.subject, stringWanted("subject", m.subject)+" or null")
	}
	if !m.contentType.Missing() && !m.contentType.Is(strictjson.String) {
		h.reportNode(ruleContentType, "/datacontenttype", m.contentType, stringWanted("datacontenttype", m.contentType))
	}
	h.checkIntegers(m.data)
	hashable := h.event.Counts.Errors == before
	if m.contentType.Missing() {
		h.reportNode(ruleAssumed, "/datacontenttype", orElse(m.contentType, event),
			"member datacontenttype is "+absence(m.contentType)+", hashed as "+defaultContentType)
	}
	return hashable
}

// maxExact is the largest power of two up to which every integer is a double.
const maxExact = 1 << 53

// checkIntegers reports the integers of the data that a double cannot tell from
// their neighbours.
func (h *Hasher) checkIntegers(data strictjson.Node) {
	if !data.Exists() {
		return
	}
	doc := data.Document()
	const shortest = len("9007199254740993")
	first := data.Index()
	for i := first; i < int(doc.Values[first].Next); i++ {
		v := &doc.Values[i]
		if v.Kind != strictjson.Number || !v.Integer || int(v.End-v.Start) < shortest {
			continue
		}
		n := doc.Node(i)
		if f, _ := n.Float(); f > maxExact || f < -maxExact || isRounded(n, f) {
			h.reportNode(ruleUnsafe, doc.Pointer(i), n,
				"integer "+preview(n.Raw())+" is beyond 2^53, RFC 8785 hashes it as "+string(h.writer.Append(nil, n)))
		}
	}
}

// isRounded finds the two integers next to ±2^53 that a double rounds back to it.
func isRounded(n strictjson.Node, f float64) bool {
	i, ok := n.Int()
	return ok && float64(i) == f && (i > maxExact || i < -maxExact)
}

func orElse(n, otherwise strictjson.Node) strictjson.Node {
	if n.Exists() {
		return n
	}
	return otherwise
}

func absence(n strictjson.Node) string {
	if n.Exists() {
		return "null"
	}
	return "missing"
}

func stringWanted(name string, n strictjson.Node) string {
	if !n.Exists() {
		return "member " + name + " is missing"
	}
	return "member " + name + " is " + article(n.Kind()) + ", expected a string"
}

func article(k strictjson.Kind) string {
	switch k {
	case strictjson.Null:
		return "null"
	case strictjson.Array, strictjson.Object:
		return "an " + k.String()
	}
	return "a " + k.String()
}

func specVersionMessage(n strictjson.Node) string {
	if !n.Exists() {
		return `member specversion is missing, expected "1.0"`
	}
	return "member specversion is " + preview(n.Raw()) + `, expected the string "1.0"`
}
