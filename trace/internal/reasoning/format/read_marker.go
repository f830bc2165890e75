package format

import (
	"bytes"
	"strconv"

	"github.com/cupel-dev/cupel/trace/internal/reasoning/fault"
)

// markerForm distinguishes full markers, [evidence:ID:START-END:SHA256], from similar texts.
type markerForm uint8

const (
	fullMarker   markerForm = iota
	legacyMarker            // without a whole hash: [evidence:ID], [evidence:ID:START-END], a hash of 63 digits
	brokenMarker            // something else
)

// marker is a citation in a claim's text.
type marker struct {
	form    markerForm
	text    []byte
	lacks   string  // what a legacy marker lacks
	support Support // of a full marker; its place is the marker's
}

var markerStart = []byte("[evidence:")

// findMarkers appends the markers of a text, in order.
func findMarkers(list []marker, t Text) []marker {
	rest := t.Bytes
	for {
		start := bytes.Index(rest, markerStart)
		if start < 0 {
			return list
		}
		rest = rest[start:]
		end := bytes.IndexByte(rest, ']')
		if end < 0 {
			return list
		}
		m := readMarker(rest[:end+1])
		at := placeWithin(t, len(t.Bytes)-len(rest), end+1)
		m.support.Index = -1
		m.support.At, m.support.Ref.At, m.support.Span.At, m.support.Snippet.At = at, at, at, at
		list = append(list, m)
		rest = rest[end+1:]
	}
}

func readMarker(b []byte) marker {
	m := marker{form: brokenMarker, text: b}
	id, rest, _ := bytes.Cut(b[len(markerStart):len(b)-1], []byte{':'})
	bounds, digits, behind := bytes.Cut(rest, []byte{':'})
	from, to, spanned := readBounds(bounds)
	hash := hashOf(Text{Bytes: digits})
	switch {
	case hash.Valid && spanned && len(id) > 0:
		m.form = fullMarker
		m.support.Ref.Bytes, m.support.Snippet = id, hash
		m.support.Span.From, m.support.Span.To = from, to
	case hash.Valid:
	case !behind, spanned, bytes.IndexByte(digits, ':') < 0:
		m.form, m.lacks = legacyMarker, lacking(bounds, digits, spanned)
	}
	return m
}

// readBounds parses a marker's span, START-END.
func readBounds(b []byte) (from, to int64, ok bool) {
	first, last, cut := bytes.Cut(b, []byte{'-'})
	start, errStart := strconv.ParseUint(string(first), 10, 63)
	end, errEnd := strconv.ParseUint(string(last), 10, 63)
	return int64(start), int64(end), cut && errStart == nil && errEnd == nil
}

// lacking describes what a marker without a complete hash lacks.
func lacking(bounds, digits []byte, spanned bool) string {
	switch {
	case len(digits) > 0:
		return "no hash of 64 lower-case hexadecimal digits"
	case spanned:
		return "no hash"
	case hashOf(Text{Bytes: bounds}).Valid:
		return "no span"
	}
	return "no span and no hash"
}

// placeWithin returns the position of a part of a text, or of the whole text if escapes precede the part.
func placeWithin(t Text, offset, size int) fault.Place {
	if int(t.At.End-t.At.Start)-2 != len(t.Bytes) {
		return t.At
	}
	start := t.At.Start + 1 + int32(offset)
	return fault.Place{Start: start, End: start + int32(size)}
}
