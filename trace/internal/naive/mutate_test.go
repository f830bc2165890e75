package naive_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
)

// damaged returns a log with up to three changes: lines gone, repeated or swapped, and
// members of any depth gone, doubled, cut or of another type.
func damaged(r *rand.Rand, log []byte) []byte {
	lines := bytes.Split(bytes.TrimSpace(log), []byte("\n"))
	for range 1 + r.IntN(3) {
		i, j := r.IntN(len(lines)), r.IntN(len(lines))
		switch r.IntN(8) {
		case 0:
			lines[i], lines[j] = lines[j], lines[i]
		case 1:
			lines = slices.Insert(lines, i, lines[j])
		case 2:
			if len(lines) > 1 {
				lines = slices.Delete(slices.Clone(lines), i, i+1)
			}
		case 3:
			lines[i] = mismarked(r, lines[i])
		default:
			lines[i] = changed(r, lines[i])
		}
	}
	return bytes.Join(lines, []byte("\n"))
}

// markers are citations in a text, their ids and all else apart.
var markers = regexp.MustCompile(`(\[evidence:[^\]:]*)([^\]]*)\]`)

// mismarked returns a line with each marker changed after its id: cut short or without one character, in upper case,
// prolonged, or with a prefix before the hash.
func mismarked(r *rand.Rand, line []byte) []byte {
	return markers.ReplaceAllFunc(line, func(marker []byte) []byte {
		parts := markers.FindSubmatch(marker)
		id, rest := string(parts[1]), string(parts[2])
		at := r.IntN(len(rest) + 1)
		switch r.IntN(5) {
		case 0:
			rest = rest[:at]
		case 1:
			rest = rest[:max(0, len(rest)-1)]
		case 2:
			rest = strings.ToUpper(rest)
		case 3:
			rest = rest[:at] + string("0g:-]"[r.IntN(5)]) + rest[at:]
		case 4:
			i := strings.LastIndexByte(rest, ':') + 1
			rest = rest[:i] + "sha256:" + rest[i:]
		}
		return []byte(id + rest + "]")
	})
}

// others are values that a member may be replaced by.
var others = []any{
	nil, 7, -1, 1.5, true, "", "x", "v0.6", "server", "sdk", "claim", "tool_call", "evidence", "observed", "../x", "[REDACTED]",
	[]any{},
	[]any{0, 5},
	[]any{3, 2},
	[]any{0, 100000},
	map[string]any{},
}

// changed returns a line with one member of one of its objects changed.
func changed(r *rand.Rand, line []byte) []byte {
	value := decoded(line)
	objects := objectsOf(value)
	if len(objects) == 0 {
		return line
	}
	at := objects[r.IntN(len(objects))]
	name := slices.Sorted(maps.Keys(at))[r.IntN(len(at))]
	switch v := at[name]; r.IntN(5) {
	case 0:
		delete(at, name)
	case 1, 2:
		at[name] = others[r.IntN(len(others))]
	case 3:
		at["more"] = v
	case 4:
		if s, ok := v.(string); ok && len(s) > 1 {
			at[name] = s[:len(s)-1]
		} else if s, ok := v.([]any); ok && len(s) == 2 {
			at[name] = []any{s[0], json.Number("9")}
		}
	}
	out, err := json.Marshal(value)
	if err != nil {
		panic(err) // a decoded value marshals
	}
	return out
}

func decoded(line []byte) (value any) {
	d := json.NewDecoder(bytes.NewReader(line))
	d.UseNumber()
	if d.Decode(&value) != nil {
		return nil
	}
	return value
}

// objectsOf returns all objects of a value that have members.
func objectsOf(v any) (list []map[string]any) {
	switch v := v.(type) {
	case map[string]any:
		if len(v) > 0 {
			list = append(list, v)
		}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			list = append(list, objectsOf(v[name])...)
		}
	case []any:
		for _, e := range v {
			list = append(list, objectsOf(e)...)
		}
	}
	return list
}

// respelled returns a log that says the same in another spelling: characters escaped,
// members in another order, white space between tokens, lines that end in CR LF.
func respelled(r *rand.Rand, log []byte) []byte {
	lines := bytes.Split(log, []byte("\n"))
	for i, line := range lines {
		if !json.Valid(line) {
			continue
		}
		lines[i] = spell(r, nil, json.RawMessage(line))
		if r.IntN(2) == 0 && i < len(lines)-1 {
			lines[i] = append(lines[i], '\r')
		}
	}
	return bytes.Join(lines, []byte("\n"))
}

// spell rewrites a value. Numbers keep their spelling, and an object with a repeated member stays as it is.
func spell(r *rand.Rand, out []byte, raw json.RawMessage) []byte {
	raw = bytes.TrimSpace(raw)
	space := func() {
		out = append(out, []string{"", "", " ", "\t"}[r.IntN(4)]...)
	}
	switch raw[0] {
	case '"':
		return respellText(r, out, raw)
	case '[':
		var list []json.RawMessage
		_ = json.Unmarshal(raw, &list) // it is valid
		out = append(out, '[')
		for i, e := range list {
			if i > 0 {
				out = append(out, ',')
			}
			space()
			out = spell(r, out, e)
		}
		return append(out, ']')
	case '{':
		members, names := membersOf(raw)
		if names == nil {
			return append(out, raw...)
		}
		r.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
		out = append(out, '{')
		for i, name := range names {
			if i > 0 {
				out = append(out, ',')
			}
			space()
			out = respellText(r, out, name)
			space()
			out = append(out, ':')
			out = spell(r, out, members[string(name)])
		}
		return append(out, '}')
	}
	return append(out, raw...)
}

// membersOf returns an object's members by their names as they are spelled; nil when one
// occurs twice.
func membersOf(raw json.RawMessage) (members map[string]json.RawMessage, names []json.RawMessage) {
	members, names = map[string]json.RawMessage{}, []json.RawMessage{}
	d := json.NewDecoder(bytes.NewReader(raw))
	_, _ = d.Token() // the brace
	decodedNames := map[string]bool{}
	for d.More() {
		from := d.InputOffset()
		name, _ := d.Token()
		text, _ := name.(string)
		spelled := bytes.TrimLeft(raw[from:d.InputOffset()], ", \t\r\n")
		var value json.RawMessage
		_ = d.Decode(&value)
		if decodedNames[text] {
			return nil, nil
		}
		decodedNames[text] = true
		members[string(spelled)] = value
		names = append(names, spelled)
	}
	return members, names
}

// respellText escapes some of a string's characters.
func respellText(r *rand.Rand, out []byte, quoted []byte) []byte {
	for i := 0; i < len(quoted); i++ {
		switch c := quoted[i]; {
		case c == '\\' && quoted[i+1] == 'u':
			out = append(out, quoted[i:i+6]...)
			i += 5
		case c == '\\':
			out = append(out, c, quoted[i+1])
			i++
		case c == '/' && r.IntN(2) == 0:
			out = append(out, `\/`...)
		case c >= ' ' && c < 0x7f && c != '"' && r.IntN(9) == 0:
			out = fmt.Appendf(out, []string{`\u%04x`, `\u%04X`}[r.IntN(2)], c)
		default:
			out = append(out, c)
		}
	}
	return out
}

// isArray reports whether a log is one JSON array, or an object around one, which the
// checkers read as such and the naive ones do not.
func isArray(log []byte) bool {
	text := strings.TrimLeft(string(log), "\ufeff \t\r\n")
	return strings.HasPrefix(text, "[") || strings.Contains(text, "events")
}
