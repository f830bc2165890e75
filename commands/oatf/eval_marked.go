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

// A message on a page: multi-line JSON with highlighted matches.

const (
	indented    = 8         // levels on separate lines; deeper ones are on one line
	markedBytes = 256 << 10 // of a message as it is shown, which indentation swells
)

// foundMark is the CSS class of matches.
const foundMark = "found"

// target is the rest of a path to a match.
type target struct {
	way        []string // names, and numbers of elements
	start, end int      // of a text there; both 0: all of the value
}

type markedWriter struct {
	pieces []page.Piece
	text   []byte // that is in no piece yet
	size   int
}

// markedJSON returns a message as JSON with matched values marked. parts means that a part of a text can be marked,
// because no secret is hidden.
func markedJSON(text string, list []indicatorMatch, parts bool) []page.Piece {
	limits := capture.Limits{LineBytes: len(text) + 1}
	value, err := capture.Decode([]byte(text), limits)
	if err != nil {
		return []page.Piece{{Text: text}}
	}
	var targets []target
	for _, f := range list {
		if !parts {
			f.start, f.end = 0, 0
		}
		targets = append(targets, targetOf(value, f))
	}
	w := &markedWriter{}
	w.value(value, 0, targets)
	w.cut("")
	return w.pieces
}

// targetOf returns a match's path in a message without envelope.
func targetOf(message oatf.Value, f indicatorMatch) target {
	t := target{wayOf(f.note.Path), f.start, f.end}
	object, _ := message.(oatf.Object)
	if len(t.way) > 0 && slices.Contains([]string{"params", "result", "error"}, t.way[0]) {
		if _, own := object.Get(t.way[0]); !own {
			t.way = t.way[1:]
		}
	}
	return t
}

// wayOf splits a path: "tools[3].description" is tools, 3, description.
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

// through returns the targets that start with a step, without the step.
func through(list []target, step string) (rest []target) {
	for _, t := range list {
		if len(t.way) > 0 && t.way[0] == step {
			rest = append(rest, target{t.way[1:], t.start, t.end})
		}
	}
	return rest
}

// cut ends the current piece.
func (w *markedWriter) cut(mark string) {
	if len(w.text) > 0 {
		w.pieces = append(w.pieces, page.Piece{Text: string(w.text), Mark: mark})
		w.text = w.text[:0]
	}
}

// write appends text up to the limit.
func (w *markedWriter) write(text string) {
	if w.size > markedBytes {
		return
	}
	if w.size += len(text); w.size > markedBytes {
		text = say.Ellipsis
	}
	w.text = append(w.text, text...)
}

// value writes a value. It is marked if it is a target without inner targets, unless it is the whole message.
func (w *markedWriter) value(v oatf.Value, depth int, targets []target) {
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

func (t target) within(s string) bool {
	return 0 <= t.start && t.start < t.end && t.end <= len(s) && utf8.ValidString(s[:t.start]) && utf8.ValidString(s[t.start:t.end])
}

// inQuotes returns a text as JSON without quotes.
func inQuotes(s string) string {
	text := oatf.AppendJSON(nil, s)
	return string(text[1 : len(text)-1])
}

func (w *markedWriter) inside(v oatf.Value, depth int, targets []target) {
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

// list writes the elements of an array or members of an object.
func (w *markedWriter) list(open, end string, size, depth int, element func(int)) {
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

func (w *markedWriter) line(depth int) {
	if depth <= indented {
		w.write("\n" + strings.Repeat("  ", depth))
	}
}
