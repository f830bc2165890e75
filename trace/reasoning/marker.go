package reasoning

import (
	"bytes"
	"strconv"

	"github.com/cupel-dev/cupel/internal/digest"
)

// markerForm tells a full marker, [evidence:ID:START-END:SHA256], from what looks
// like one.
type markerForm uint8

const (
	fullMarker   markerForm = iota
	legacyMarker            // without a hash: [evidence:ID], [evidence:ID:START-END]
	brokenMarker            // something else
)

// marker is a citation in a claim's text.
type marker struct {
	form    markerForm
	text    []byte
	at      place
	support support // of a full marker
}

var markerStart = []byte("[evidence:")

// findMarkers appends the markers of a text, in order.
func findMarkers(list []marker, t text) []marker {
	rest := t.bytes
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
		m.at = placeWithin(t, len(t.bytes)-len(rest), end+1)
		m.support.index = -1
		m.support.at, m.support.ref.at, m.support.span.at, m.support.snippet.at = m.at, m.at, m.at, m.at
		list = append(list, m)
		rest = rest[end+1:]
	}
}

func readMarker(b []byte) marker {
	m := marker{form: brokenMarker, text: b}
	inner := b[len(markerStart) : len(b)-1]
	parts := bytes.Split(inner, []byte{':'})
	if len(parts) <= 2 {
		m.form = legacyMarker
		return m
	}
	first, last, ok := bytes.Cut(parts[1], []byte{'-'})
	from, errFrom := strconv.ParseUint(string(first), 10, 63)
	to, errTo := strconv.ParseUint(string(last), 10, 63)
	if len(parts) != 3 || !ok || errFrom != nil || errTo != nil || !digest.IsHex(parts[2]) || len(parts[0]) == 0 {
		return m
	}
	m.form = fullMarker
	m.support.ref.bytes, m.support.snippet.bytes = parts[0], parts[2]
	m.support.span.from, m.support.span.to = int64(from), int64(to)
	return m
}

// placeWithin points at a part of a text. Behind an escape offsets in the text are
// not those of the line; then the whole text is the place.
func placeWithin(t text, offset, size int) place {
	if t.at.end-t.at.start-2 != len(t.bytes) {
		return t.at
	}
	start := t.at.start + 1 + offset
	return place{start, start + size}
}
