package oatfcmd

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/cupel-dev/cupel/internal/page"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/capture"
)

// A message as a page shows it: JSON on several lines, in which what indicators found is marked.

const (
	indented    = 8         // levels that have lines of their own; deeper ones stand on one
	markedBytes = 256 << 10 // of a message as it is shown, which indentation swells
)

// foundMark is the class of what was found.
const foundMark = "found"

// target is where something was found: what is left of the way to it.
type target struct {
	way        []string // names, and numbers of elements
	start, end int      // of a text there; both 0: all of the value
}

// marking writes a value.
type marking struct {
	pieces []page.Piece
	text   []byte // that is in no piece yet
	size   int
}

// markedJSON is a message, as JSON, with the values marked that were found in it.
func markedJSON(text string, list []sighting) []page.Piece {
	limits := capture.Limits{LineBytes: len(text) + 1}
	value, err := capture.Decode([]byte(text), limits)
	if err != nil {
		return []page.Piece{{Text: text}}
	}
	var targets []target
	for _, f := range list {
		targets = append(targets, targetOf(value, f))
	}
	w := &marking{}
	w.value(value, 0, targets)
	w.cut("")
	return w.pieces
}

// targetOf finds the way in a message to what was found. Where the path begins in the
// message's envelope, of which a message is what is inside, the envelope's member is left out.
func targetOf(message oatf.Value, f sighting) target {
	t := target{wayOf(f.note.Path), f.start, f.end}
	object, _ := message.(oatf.Object)
	if len(t.way) > 0 && slices.Contains([]string{"params", "result", "error"}, t.way[0]) {
		if _, own := object.Get(t.way[0]); !own {
			t.way = t.way[1:]
		}
	}
	return t
}

// wayOf takes a resolved path apart: "tools[3].description" is tools, 3, description.
func wayOf(path string) (way []string) {
	if path == "" {
		return nil
	}
	for step := range strings.SplitSeq(path, ".") {
		name, element, is := strings.Cut(step, "[")
		if way = append(way, name); is {
			way = append(way, strings.TrimSuffix(element, "]"))
		}
	}
	return way
}

// through are the targets that lie behind a step, without it.
func through(list []target, step string) (rest []target) {
	for _, t := range list {
		if len(t.way) > 0 && t.way[0] == step {
			rest = append(rest, target{t.way[1:], t.start, t.end})
		}
	}
	return rest
}

// cut ends a piece.
func (w *marking) cut(mark string) {
	if len(w.text) > 0 {
		w.pieces = append(w.pieces, page.Piece{Text: string(w.text), Mark: mark})
		w.text = w.text[:0]
	}
}

// write appends text, as long as there is room.
func (w *marking) write(text string) {
	if w.size > markedBytes {
		return
	}
	if w.size += len(text); w.size > markedBytes {
		text = say.Ellipsis
	}
	w.text = append(w.text, text...)
}

// value writes a value, marked when it is a target itself, and none lies inside of it. All of a
// message is not marked: that it is shown with a find says as much.
func (w *marking) value(v oatf.Value, depth int, targets []target) {
	at := slices.IndexFunc(targets, func(t target) bool { return len(t.way) == 0 })
	inner := slices.DeleteFunc(slices.Clone(targets), func(t target) bool { return len(t.way) == 0 })
	s, isText := v.(string)
	part := at >= 0 && isText && targets[at].within(s)
	if at < 0 || len(inner) > 0 || depth == 0 && !part {
		w.inside(v, depth, inner)
		return
	}
	w.cut("")
	if part {
		w.write(`"` + inQuotes(s[:targets[at].start]))
		w.cut("")
		w.write(inQuotes(s[targets[at].start:targets[at].end]))
		w.cut(foundMark)
		w.write(inQuotes(s[targets[at].end:]) + `"`)
		return
	}
	w.inside(v, depth, nil)
	w.cut(foundMark)
}

// within says whether a target is a part of a text.
func (t target) within(s string) bool {
	return 0 <= t.start && t.start < t.end && t.end <= len(s) && utf8.ValidString(s[:t.start]) && utf8.ValidString(s[t.start:t.end])
}

// inQuotes is a text as JSON, without its quotes.
func inQuotes(s string) string {
	text := oatf.AppendJSON(nil, s)
	return string(text[1 : len(text)-1])
}

// inside writes what a value consists of.
func (w *marking) inside(v oatf.Value, depth int, targets []target) {
	switch v := v.(type) {
	case []oatf.Value:
		w.list("[", "]", len(v), depth, func(i int) { w.value(v[i], depth+1, through(targets, strconv.Itoa(i))) })
	case oatf.Object:
		w.list("{", "}", len(v), depth, func(i int) {
			w.write(string(oatf.AppendJSON(nil, v[i].Key)) + ": ")
			w.value(v[i].Value, depth+1, through(targets, v[i].Key))
		})
	default:
		w.write(string(oatf.AppendJSON(nil, v)))
	}
}

// list writes the elements of a list or the members of an object.
func (w *marking) list(open, end string, size, depth int, element func(int)) {
	w.write(open)
	for i := 0; i < size && w.size <= markedBytes; i++ {
		if i > 0 {
			w.write(",")
		}
		w.line(depth + 1)
		element(i)
	}
	if size > 0 {
		w.line(depth)
	}
	w.write(end)
}

// line begins a line at a depth.
func (w *marking) line(depth int) {
	if depth <= indented {
		w.write("\n" + strings.Repeat("  ", depth))
	}
}
