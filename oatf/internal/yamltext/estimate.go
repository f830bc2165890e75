package yamltext

import (
	"bytes"
	"strings"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/oatf/model"
)

// checkDensity rejects a text that would become too many nodes, before the library builds them.
func checkDensity(input []byte, limit int) *model.ParseError {
	if len(input) < limit/8 {
		return nil // impossible: a byte starts at most two nodes, and a line can have a quarter
	}
	e := newEstimate(input, limit)
	e.read()
	switch {
	case e.total+e.line > limit:
		fault := syntaxError(model.Position{}, "the document has more values than the limit of %d", limit)
		fault.Help = say.RaiseHint("--max-nodes")
		return fault
	case e.line > e.lineLimit():
		fault := syntaxError(model.Position{Line: e.number, Column: 1}, "the line has more than %d values, a line's share of the limit of %d", e.lineLimit(), limit)
		fault.Help = "write the values on several lines, or raise the limit by --max-nodes"
		return fault
	}
	return nil
}

// estimate counts the characters that start nodes, outside of scalars and comments. The result is at least half of
// the library's node count. It follows the tokens of the library's scanner. After a doubtful token it counts every
// such character, which overestimates.
type estimate struct {
	flowText
	limit  int
	total  int // up to the line
	line   int // in the line
	number int // of the line

	start   int    // where the line begins
	indents []int  // columns of the block collections around, outermost first
	flow    []byte // brackets that are open
	mayKey  bool   // a key may begin here
	key     int    // where a key began in this line that is not in brackets, or noKey
	closed  int    // where a string in quotes or a flow collection has ended
}

func newEstimate(text []byte, limit int) *estimate {
	e := &estimate{limit: limit, number: 1, total: 1, key: noKey, mayKey: true}
	e.text = string(bytes.TrimPrefix(text, []byte("\ufeff")))
	return e
}

const (
	noKey = -1
	// maxKeyLength is the maximum distance from a colon at which the library looks for its key.
	maxKeyLength = 1000
	// doubtful is a step's result for an unsupported token.
	doubtful = -1
)

// lineLimit limits the nodes of a line, because the library keeps all tokens of a flow collection that could be a
// key.
func (e *estimate) lineLimit() int { return max(1, e.limit/4) }

func (e *estimate) full() bool { return e.line > e.lineLimit() || e.total+e.line > e.limit }

func (e *estimate) read() {
	for _, br := range []string{"\u0085", "\u2028", "\u2029"} { // line breaks of the library alone
		if strings.Contains(e.text, br) {
			e.everything(0)
			return
		}
	}
	for i := 0; i < len(e.text) && !e.full(); {
		next := e.step(i)
		if next == doubtful {
			e.everything(i)
			return
		}
		i = next
	}
}

// everything counts from i on without distinguishing syntax from text.
func (e *estimate) everything(i int) {
	for ; i < len(e.text) && !e.full(); i++ {
		switch e.text[i] {
		case ',', '[', '{':
			e.line++
		case '-', '?':
			if e.blank(i + 1) {
				e.line++
			}
		case ':':
			if e.blank(i+1) || i > 0 && (e.text[i-1] == '"' || e.text[i-1] == '\'') {
				e.line += 2
			}
		case '\n':
			e.newLine(i)
		}
	}
}

// step skips the blank, comment or token at i.
func (e *estimate) step(i int) int {
	switch c := e.text[i]; {
	case isBreak(c):
		e.newLine(i)
		return i + 1
	case c == ' ':
		return i + 1
	case c == '\t':
		if len(e.flow) == 0 && e.mayKey {
			return doubtful
		}
		return i + 1
	case c == '#':
		if i > 0 && !e.blank(i-1) {
			return doubtful
		}
		return e.lineEnd(i)
	}
	if len(e.flow) > 0 {
		return e.inFlow(i)
	}
	for n := len(e.indents); n > 0 && e.indents[n-1] > i-e.start; n-- {
		e.indents = e.indents[:n-1]
	}
	return e.inBlock(i)
}

// inBlock skips a token outside of brackets.
func (e *estimate) inBlock(i int) int {
	switch c := e.text[i]; {
	case i == e.start && c == '%':
		return e.lineEnd(i)
	case e.marker(i):
		e.indents, e.mayKey = e.indents[:0], false
		return i + 3
	case c == '[' || c == '{':
		e.keyBegins(i)
		return e.open(i)
	case c == '|' || c == '>':
		e.key, e.mayKey = noKey, true
		return e.block(i)
	case (c == '-' || c == '?') && e.blank(i+1):
		if !e.mayKey {
			return doubtful
		}
		e.collection(i)
		e.line++
		return i + 1
	case c == ':' && e.blank(i+1):
		return e.colon(i)
	}
	return e.scalar(i)
}

// colon skips the colon after a key outside of brackets, or after a question mark.
func (e *estimate) colon(i int) int {
	switch {
	case e.key != noKey && i-e.key < maxKeyLength:
		e.collection(e.key)
		e.key, e.mayKey = noKey, false
	case e.key == noKey && e.mayKey:
		e.collection(i)
	default:
		return doubtful
	}
	e.line += 2
	return i + 1
}

// inFlow skips a token in brackets.
func (e *estimate) inFlow(i int) int {
	switch c, last := e.text[i], e.flow[len(e.flow)-1]; {
	case e.marker(i):
		return doubtful
	case c == '[' || c == '{':
		return e.open(i)
	case c == ']' || c == '}':
		if c-last != 2 {
			return doubtful
		}
		e.flow, e.mayKey, e.closed = e.flow[:len(e.flow)-1], false, i+1
		return i + 1
	case c == ',':
		e.line++
		return i + 1
	case c == ':' && (e.blank(i+1) || last == '{' && (e.closed == i || e.bracket(i+1))):
		e.line += 2
		return i + 1
	case strings.IndexByte("|>:", c) >= 0, (c == '-' || c == '?') && (e.blank(i+1) || e.bracket(i+1)):
		return doubtful
	}
	return e.scalar(i)
}

func (e *estimate) open(i int) int {
	e.flow = append(e.flow, e.text[i])
	e.line++
	return i + 1
}

// collection records that a block collection can begin at i.
func (e *estimate) collection(i int) {
	if column := i - e.start; column > e.indent() {
		e.indents = append(e.indents, column)
	}
}

// indent returns the column of the block collection around, -1 at the root.
func (e *estimate) indent() int {
	if len(e.indents) == 0 {
		return -1
	}
	return e.indents[len(e.indents)-1]
}

func (e *estimate) keyBegins(i int) {
	if len(e.flow) == 0 && e.mayKey {
		e.key, e.mayKey = i, false
	}
}

// scalar skips a quoted or plain scalar, or a tag of the core schema.
func (e *estimate) scalar(i int) int {
	e.keyBegins(i)
	switch c := e.text[i]; {
	case c == '"' || c == '\'':
		return e.quoted(i)
	case strings.HasPrefix(e.text[i:], "!!"):
		for i += 2; i < len(e.text) && e.text[i] >= 'a' && e.text[i] <= 'z'; i++ {
		}
		if !e.blank(i) {
			return doubtful
		}
		return i
	case strings.IndexByte("!&*@`%,]}", c) >= 0, strings.HasPrefix(e.text[i:], "\ufeff"):
		return doubtful
	}
	return e.plain(i)
}

func (e *estimate) quoted(i int) int {
	e.closed = e.flowText.quoted(i)
	e.mayKey = !e.newLines(i, e.closed) && e.mayKey
	return e.closed
}

// newLines starts the lines of a part of the text, and reports whether there are any.
func (e *estimate) newLines(i, end int) (some bool) {
	for i = nextBreak(e.text, i, end); i < end; i = nextBreak(e.text, i+1, end) {
		e.newLine(i)
		some = true
	}
	return some
}

// plain skips a plain scalar. It continues on lines that are indented further than the surrounding collection.
func (e *estimate) plain(i int) int {
	for i < len(e.text) && e.text[i] != '#' && !e.marker(i) {
		for ; !e.blank(i); i++ {
			if e.text[i] == ':' && e.blank(i+1) || len(e.flow) > 0 && (e.bracket(i) || e.text[i] == ':' && e.bracket(i+1)) {
				return i
			}
		}
		from := i
		for ; i < len(e.text) && e.blank(i); i++ {
		}
		e.newLines(from, i)
		if len(e.flow) == 0 && i-e.start <= e.indent() {
			return i
		}
		e.mayKey = e.mayKey && (i >= len(e.text) || e.text[i] == '#' || e.marker(i))
	}
	return i
}

// block skips a block scalar, which ends at the first line that is less indented than its first line.
func (e *estimate) block(i int) int {
	end := e.lineEnd(i)
	header, _, _ := strings.Cut(e.text[i+1:end], "#")
	header = strings.Trim(header, " \t+-")
	indent := 0
	switch {
	case e.indent() < 0, len(header) > 1:
		return doubtful
	case len(header) == 1 && header[0] >= '1' && header[0] <= '9':
		indent = e.indent() + int(header[0]-'0')
	case len(header) == 1:
		return doubtful
	}
	for i, first := end, indent == 0; ; {
		if i >= len(e.text) {
			return i
		}
		e.newLine(i)
		i++
		text := i
		for text < len(e.text) && e.text[text] == ' ' {
			text++
		}
		empty := text >= len(e.text) || isBreak(e.text[text])
		if first {
			indent, first = max(indent, text-i, e.indent()+1), empty
		}
		if !empty && text-i < indent {
			return i
		}
		i = e.lineEnd(text)
	}
}

// newLine starts a line after the break at i.
func (e *estimate) newLine(i int) {
	if e.text[i] == '\n' {
		e.total, e.line = e.total+e.line, 0
		e.number++
	}
	e.start, e.key, e.mayKey = i+1, noKey, true
}

// marker reports whether the line at i parts documents.
func (e *estimate) marker(i int) bool {
	rest := e.text[i:]
	return i == e.start && (strings.HasPrefix(rest, "---") || strings.HasPrefix(rest, "...")) && e.blank(i+3)
}

func (e *estimate) bracket(i int) bool {
	return i < len(e.text) && strings.IndexByte(",[]{}", e.text[i]) >= 0
}
