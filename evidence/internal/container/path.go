package container

import (
	"bytes"

	"github.com/cupel-dev/cupel/evidence"
)

// The two members of a bundle, in their order.
const (
	Manifest = "manifest.json"
	Events   = "events.ndjson"
)

// listed are the members of a bundle.
var listed = []struct {
	name, limit string
	most        func(evidence.Limits) int64
}{
	{Manifest, "max_manifest_bytes", func(l evidence.Limits) int64 { return l.ManifestBytes }},
	{Events, "max_events_bytes", func(l evidence.Limits) int64 { return l.EventsBytes }},
}

func listedAt(name []byte) (int, bool) {
	for i, l := range listed {
		if string(name) == l.name {
			return i, true
		}
	}
	return 0, false
}

// leaves reports whether a path can leave the extraction folder on any system: a root, a drive, or a ".." component.
func leaves(path []byte) bool {
	if len(path) > 1 && path[1] == ':' && isLetter(path[0]) {
		return true
	}
	if len(path) > 0 && isSeparator(rune(path[0])) {
		return true
	}
	for _, part := range bytes.FieldsFunc(path, isSeparator) {
		if string(part) == ".." {
			return true
		}
	}
	return false
}

func isSeparator(c rune) bool { return c == '/' || c == '\\' }

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
