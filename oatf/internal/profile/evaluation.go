package profile

import (
	"cmp"
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/oatf/internal/vocabulary"
	"github.com/cupel-dev/cupel/oatf/model"
)

// Evaluation says how a revision evaluates conditions and indicators.
type Evaluation struct {
	// Texts is the text that string operators see of other values.
	Texts Texts

	// Absence: in a pattern, "exists: false" alone matches an unresolved target. Otherwise it never matches.
	Absence bool

	// StrictMissing: an expression that selects a key which the message lacks is an error.
	// Otherwise that is the caller's choice.
	StrictMissing bool

	// Operations: a surface is an operation, and indicators examine both sides, including the tool's own messages.
	// Otherwise they examine the kinds of messages of their surface, and the capture determines the side.
	Operations bool

	// Failures: of an answer that failed, indicators see the error object. Otherwise nothing.
	Failures bool

	// AsTriggers: for answers to a client, indicators see the same as triggers (Simulation.Seen).
	// Otherwise only the result.
	AsTriggers bool

	// Streams are the methods that are answered by a stream of items, and Items the events
	// that items are, by their member kind.
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

// ProtocolOf returns the protocol of a method or event; "" if several bindings or none have it.
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

// ItemOf returns the event of a stream's item, or "" if the method has no stream or the item is unknown.
func (e *Evaluation) ItemOf(method string, item model.Value) string {
	if !slices.Contains(e.Streams, method) {
		return ""
	}
	object, _ := item.(model.Object)
	kind, _ := object.Get("kind")
	name, _ := kind.(string)
	return e.Items[name]
}
