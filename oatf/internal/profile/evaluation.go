package profile

import (
	"cmp"
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/oatf/internal/vocabulary"
	"github.com/cupel-dev/cupel/oatf/model"
)

// Evaluation defines how a revision evaluates conditions and indicators.
type Evaluation struct {
	// Texts defines how string operators read values that are not strings.
	Texts Texts

	// Absence means that a lone "exists: false" in a pattern matches an unresolved target.
	Absence bool

	// StrictMissing means that an expression fails if it selects a key that the message lacks. Otherwise the caller
	// decides.
	StrictMissing bool

	// Operations means that a surface is an operation, and indicators examine the messages of both sides. Otherwise
	// they examine the message kinds of their surface, and the capture determines the side.
	Operations bool

	// Failures means that indicators see the error object of a failed answer. Otherwise they see nothing.
	Failures bool

	// AsTriggers means that indicators see an answer to a client as triggers do (Simulation.Seen). Otherwise they
	// see only the result.
	AsTriggers bool

	// Streams lists the methods answered by a stream of items. Items maps an item's member kind to its event.
	Streams []string
	Items   map[string]string
}

// Texts is the text that contains, starts_with, ends_with and regex are applied to.
type Texts uint8

// Text of a non-string value.
const (
	StringsAlone Texts = iota // nothing: they do not hold for it
	CompactJSON               // its compact JSON with the keys sorted by code point, the numbers as they are written
)

// ProtocolOf returns the protocol of a method or event, or "" if none or several have it.
func (v *Vocabulary) ProtocolOf(method string) model.Protocol {
	if strings.HasPrefix(method, "notifications/") {
		return "mcp"
	}
	var protocol model.Protocol
	for _, mode := range v.ModesOf(cmp.Or(v.Renamed[method], method)) {
		of := vocabulary.ExtractProtocol(mode)
		if protocol != "" && protocol != of {
			return ""
		}
		protocol = of
	}
	return protocol
}

// ItemOf returns the event of a stream item, or "" if the method has no stream or the item is unknown.
func (e *Evaluation) ItemOf(method string, item model.Value) string {
	if !slices.Contains(e.Streams, method) {
		return ""
	}
	object, _ := item.(model.Object)
	kind, _ := object.Get("kind")
	name, _ := kind.(string)
	return e.Items[name]
}
