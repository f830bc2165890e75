package suite

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/attest/internal/decimal"
)

// selector selects traces; all its members must match. The zero selector selects none by itself.
type selector struct {
	given    bool
	path     string            // glob of the file's path, or of its end
	id       string            // glob of trace_id
	tags     []string          // in the list metadata.tags
	metadata map[string]string // scalars of metadata, in their canonical form
}

var selectorKeys = []string{"path", "trace_id", "tags", "metadata"}

// scalar returns the canonical form of a scalar: numbers by value, strings with one spelling.
func scalar(raw []byte) string {
	var text string
	switch {
	case len(raw) > 0 && raw[0] == '"' && json.Unmarshal(raw, &text) == nil:
		return `"` + text
	case len(raw) > 0 && (raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9'):
		return string(decimal.AppendValue(nil, raw))
	}
	return string(raw)
}

// described is the part of a trace that selectors look at.
type described struct {
	path     string
	TraceID  string                     `json:"trace_id"`
	Metadata map[string]json.RawMessage `json:"metadata"`
}

// describe reads that part of a trace. A trace that cannot be read has none; the engine says what is wrong with it.
func describe(name string, text attest.TraceText) (d described) {
	_ = json.Unmarshal(text.Raw, &d)
	d.path = strings.TrimPrefix(path.Clean(strings.ReplaceAll(name, `\`, "/")), "./")
	return d
}

// selects reports whether a trace matches.
func (s *selector) selects(d *described) bool {
	if s.path != "" && !pathMatches(s.path, d.path) {
		return false
	}
	if ok, _ := path.Match(s.id, d.TraceID); s.id != "" && !ok {
		return false
	}
	var tags []string
	if len(s.tags) > 0 && json.Unmarshal(d.Metadata["tags"], &tags) != nil {
		return false
	}
	for _, tag := range s.tags {
		if !slices.Contains(tags, tag) {
			return false
		}
	}
	for key, want := range s.metadata {
		if raw, ok := d.Metadata[key]; !ok || scalar(raw) != want {
			return false
		}
	}
	return s.given
}

// pathMatches reports whether a glob matches a path, or the end of it that begins after a slash. The label of a trace
// in a file with several, such as ":3", may be missing in the glob.
func pathMatches(glob, name string) bool {
	file, _, _ := strings.Cut(name, "#")
	if i := strings.LastIndexByte(file, ':'); i > 0 && strings.Trim(file[i+1:], "0123456789") == "" {
		file = file[:i]
	}
	glob = strings.TrimPrefix(glob, "./")
	for _, candidate := range []string{name, file} {
		for rest := candidate; ; {
			if ok, _ := path.Match(glob, rest); ok {
				return true
			}
			_, after, more := strings.Cut(rest, "/")
			if !more {
				break
			}
			rest = after
		}
	}
	return false
}
