package evidence

import (
	"slices"

	"github.com/cupel-dev/cupel/internal/strictjson"
)

// mistake is a way in which producers compute the hash input wrongly.
type mistake struct {
	name string // in the case files of the tests
	says string
	axis axis // what it changes: mistakes of one axis are exclusive
	make func(*recipe)
}

type axis uint16

const (
	subjectAxis axis = 1 << iota
	contentTypeAxis
	membersAxis
	orderAxis
	escapeAxis
	layoutAxis
	numberAxis
	formAxis
	endAxis
)

// recipe describes how to compute a hash input from an event.
type recipe struct {
	dialect
	event  strictjson.Node
	fields []field
	bare   bool   // the value of the only field, not an object
	raw    []byte // these bytes and nothing else
	suffix string
	ok     bool // the mistake can be made with this event
}

// Hash inputs many times as long as the event are abandoned, because indenting a deep event can multiply its length
// by hundreds.
const (
	leastPreimage  = 1 << 20
	preimageGrowth = 8
)

// newRecipe applies mistakes to the correct recipe.
func newRecipe(event strictjson.Node, list []mistake) *recipe {
	r := &recipe{event: event, ok: true}
	r.most = max(leastPreimage, preimageGrowth*len(event.Raw()))
	for member := range r.event.Children() {
		switch name := member.Key(); name {
		case "subject", "datacontenttype":
			if !member.Missing() {
				r.set(field{name: name, value: member})
			}
		case "data", "specversion", "type":
			r.set(field{name: name, value: member})
		}
	}
	if !r.has("datacontenttype") {
		r.set(field{name: "datacontenttype", text: `"` + defaultContentType + `"`})
	}
	for _, m := range list {
		m.make(r)
	}
	return r
}

// preimage returns the hash input. ok is false if the recipe cannot be applied to this event.
func (r *recipe) preimage() (text []byte, ok bool) {
	switch {
	case !r.ok:
		return nil, false
	case r.raw != nil:
		text = append(text, r.raw...)
	case r.bare:
		text = r.appendValue(text, r.fields[0].value, 0)
	default:
		text = r.appendFields(text, r.fields)
	}
	return append(text, r.suffix...), !r.over
}

func (r *recipe) has(name string) bool {
	return slices.ContainsFunc(r.fields, func(f field) bool { return f.name == name })
}

func (r *recipe) set(f field) {
	if i := slices.IndexFunc(r.fields, func(g field) bool { return g.name == f.name }); i >= 0 {
		r.fields[i] = f
		return
	}
	r.fields = append(r.fields, f)
}

// drop removes a member. If the event does not have it, the mistake is impossible.
func (r *recipe) drop(name string) {
	r.ok = r.ok && r.has(name)
	r.fields = slices.DeleteFunc(r.fields, func(f field) bool { return f.name == name })
}

// instead replaces a member's value by a text.
func (r *recipe) instead(name, text string) { r.set(field{name: name, text: text}) }

// all takes all members of the event except those named.
func (r *recipe) all(but ...string) {
	r.fields = r.fields[:0]
	for member := range r.event.Children() {
		if name := member.Key(); !slices.Contains(but, name) {
			r.fields = append(r.fields, field{name: name, value: member})
		}
	}
}

// mistakes are tried in this order, likely ones first.
var mistakes = []mistake{
	{
		"subject-null", `a subject of null kept in the hash input, where it is left out`, subjectAxis,
		func(r *recipe) { r.ok = r.ok && !r.has("subject"); r.instead("subject", "null") },
	},
	{
		"subject-empty", `a missing subject was hashed as an empty string`, subjectAxis,
		func(r *recipe) { r.ok = r.ok && !r.has("subject"); r.instead("subject", `""`) },
	},
	{
		"subject-dropped", `the subject left out of the hash input`, subjectAxis,
		func(r *recipe) { r.drop("subject") },
	},
	{
		"content-type-dropped", `datacontenttype left out of the hash input`, contentTypeAxis,
		func(r *recipe) { r.drop("datacontenttype") },
	},
	{
		"content-type-default", `datacontenttype hashed as "application/json", not with the event's value`, contentTypeAxis,
		func(r *recipe) { r.instead("datacontenttype", `"application/json"`) },
	},
	{
		"content-type-charset", `datacontenttype hashed as "application/json; charset=utf-8"`, contentTypeAxis,
		func(r *recipe) { r.instead("datacontenttype", `"application/json; charset=utf-8"`) },
	},
	{
		"content-type-cloudevents", `datacontenttype hashed as "application/cloudevents+json"`, contentTypeAxis,
		func(r *recipe) { r.instead("datacontenttype", `"application/cloudevents+json"`) },
	},
	{
		"content-type-text", `datacontenttype hashed as "text/json"`, contentTypeAxis,
		func(r *recipe) { r.instead("datacontenttype", `"text/json"`) },
	},
	{
		"content-type-null", `datacontenttype hashed as null`, contentTypeAxis,
		func(r *recipe) { r.instead("datacontenttype", "null") },
	},
	{
		"content-type-empty", `datacontenttype hashed as an empty string`, contentTypeAxis,
		func(r *recipe) { r.instead("datacontenttype", `""`) },
	},

	{
		"data-only", `only data was hashed, without the type and the other members`, membersAxis | subjectAxis | contentTypeAxis,
		func(r *recipe) { r.all(r.names("data")...); r.bare = true; r.ok = r.ok && len(r.fields) == 1 },
	},
	{
		"type-dropped", `type left out of the hash input`, membersAxis,
		func(r *recipe) { r.drop("type") },
	},
	{
		"specversion-dropped", `specversion left out of the hash input`, membersAxis,
		func(r *recipe) { r.drop("specversion") },
	},
	{
		"type-and-data", `only type and data were hashed`, membersAxis | subjectAxis | contentTypeAxis,
		func(r *recipe) { r.all(r.names("type", "data")...) },
	},
	{
		"whole-event", `the whole event was hashed, without the recorded hash`, membersAxis | subjectAxis | contentTypeAxis,
		func(r *recipe) { r.all(recordedName) },
	},
	{
		"whole-event-null-hash", `the whole event was hashed, with null as its recorded hash`, membersAxis | subjectAxis | contentTypeAxis,
		func(r *recipe) { r.all(); r.instead(recordedName, "null") },
	},
	{
		"whole-event-empty-hash", `the whole event was hashed, with an empty recorded hash`, membersAxis | subjectAxis | contentTypeAxis,
		func(r *recipe) { r.all(); r.instead(recordedName, `""`) },
	},

	{
		"byte-order", `member names sorted by their UTF-8 bytes, expected UTF-16 code units`, orderAxis,
		func(r *recipe) { r.order = byBytes },
	},
	{
		"source-order", `members not sorted but in the event's order`, orderAxis,
		func(r *recipe) { r.order = asWritten },
	},

	{
		"html-escapes", `<, >, & (and U+2028, U+2029) written as \u escapes, as for HTML`, escapeAxis,
		func(r *recipe) { r.escapes = forHTML },
	},
	{
		"ascii-escapes", `characters beyond ASCII written as \u escapes`, escapeAxis,
		func(r *recipe) { r.escapes = onlyASCII },
	},
	{
		"slash-escapes", `/ written as \/`, escapeAxis,
		func(r *recipe) { r.escapes = withSlash },
	},
	{
		"normalized", `strings normalised to Unicode form C`, formAxis,
		func(r *recipe) { r.nfc = true },
	},

	{
		"pretty-2", `pretty-printed with an indent of two spaces`, layoutAxis,
		func(r *recipe) { r.indent, r.colon = "  ", ": " },
	},
	{
		"pretty-4", `pretty-printed with an indent of four spaces`, layoutAxis,
		func(r *recipe) { r.indent, r.colon = "    ", ": " },
	},
	{
		"pretty-tab", `pretty-printed with an indent of tabs`, layoutAxis,
		func(r *recipe) { r.indent, r.colon = "\t", ": " },
	},
	{
		"spaced", `a space written after each comma and colon`, layoutAxis,
		func(r *recipe) { r.item, r.colon = ", ", ": " },
	},

	{
		"exact-integers", `integers beyond 2^53 written with all their digits, expected the nearest double`, numberAxis,
		func(r *recipe) { r.numbers = integersExact },
	},
	{
		"python-floats", `floats written as Python's repr (1.0, 1e-07), expected ECMAScript's form`, numberAxis,
		func(r *recipe) { r.numbers = asPython },
	},
	{
		"numbers-as-written", `numbers as the event spells them, expected ECMAScript's form`, numberAxis,
		func(r *recipe) { r.numbers = asSpelled },
	},

	{
		"newline", `a line feed after the hash input`, endAxis,
		func(r *recipe) { r.suffix = "\n" },
	},
	{
		"crlf", `a carriage return and a line feed after the hash input`, endAxis,
		func(r *recipe) { r.suffix = "\r\n" },
	},

	{
		"python-dumps", `written by Python's json.dumps with sorted keys and its other defaults (spaces, ASCII, repr of floats)`,
		layoutAxis | escapeAxis | numberAxis | orderAxis,
		func(r *recipe) {
			r.item, r.colon, r.escapes, r.numbers, r.order = ", ", ": ", onlyASCII, asPython, byBytes
		},
	},
	{
		"python-dumps-compact", `written by Python's json.dumps with sorted keys and no spaces (ASCII, repr of floats)`,
		layoutAxis | escapeAxis | numberAxis | orderAxis,
		func(r *recipe) {
			r.escapes, r.numbers, r.order = onlyASCII, asPython, byBytes
		},
	},
	{
		"event-bytes", `the event's own bytes were hashed, not a canonical form`,
		^endAxis, func(r *recipe) { r.raw = r.event.Raw() },
	},
	{
		"data-bytes", `the bytes of data were hashed as they are in the event`,
		^endAxis, func(r *recipe) { r.raw = r.event.Get("data").Raw() },
	},
}

// names returns the event's member names except those given.
func (r *recipe) names(but ...string) (names []string) {
	for member := range r.event.Children() {
		if name := member.Key(); !slices.Contains(but, name) {
			names = append(names, name)
		}
	}
	return names
}
