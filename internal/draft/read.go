package draft

import "strings"

// maxNodes limits the parsed nodes; the rest is skipped.
const maxNodes = 100_000

// maxDepth limits the nesting of block collections; deeper ones are skipped.
const maxDepth = 256

// maxFlow limits the nesting of brackets.
const maxFlow = 200

func Read(text string) *Node {
	r := &reader{text: text, root: &Node{}, ends: -1}
	r.frames = []frame{{holder: &Node{Children: []*Node{r.root}}, column: -1}}
	if strings.HasPrefix(text, "\ufeff") {
		r.at = len("\ufeff")
	}
	for r.at < len(text) && r.nodes < maxNodes {
		r.line()
	}
	return r.root
}

// reader parses a text line by line.
type reader struct {
	text   string
	at     int // offset of the next byte
	begins int // start of the current line
	ends   int // end of the line that rest last returned
	root   *Node
	frames []frame // open block collections, outermost first
	nodes  int
}

// frame is a block collection with keys or dashes in one column.
type frame struct {
	holder *Node
	column int
	list   bool
}

func (r *reader) line() {
	r.begins = r.at
	r.blanks()
	rest := r.rest()
	switch {
	case strings.TrimSpace(rest) == "", rest[0] == '#':
		r.next()
	case r.at == r.begins && (isMarker(rest, "---") || isMarker(rest, "...")):
		r.frames = r.frames[:1]
		r.at += len("---")
		if r.blanks(); r.rest() != "" {
			r.entry()
		}
		r.next()
	default:
		r.entry()
		r.next()
	}
}

func isMarker(line, marker string) bool {
	rest, is := strings.CutPrefix(line, marker)
	return is && (rest == "" || rest[0] == ' ' || rest[0] == '\t')
}

// rest returns the rest of the line. It caches the line's end, because a line can span the whole text.
func (r *reader) rest() string {
	if r.at > r.ends {
		r.ends = r.at + lineLength(r.text[r.at:])
	}
	return r.text[r.at:r.ends]
}

// lineLength returns the length of the first line without its end.
func lineLength(text string) int {
	if end := strings.IndexAny(text, "\r\n"); end >= 0 {
		return end
	}
	return len(text)
}

func (r *reader) next() {
	r.at += len(r.rest())
	switch {
	case strings.HasPrefix(r.text[r.at:], "\r\n"):
		r.at += 2
	case r.at < len(r.text):
		r.at++
	}
}

func (r *reader) blanks() {
	for r.at < len(r.text) && (r.text[r.at] == ' ' || r.text[r.at] == '\t') {
		r.at++
	}
}

// entry parses an item at a column: a dash and its content, a key and its value, or a lone value.
func (r *reader) entry() {
	for r.nodes < maxNodes {
		column, rest := r.at-r.begins, r.rest()
		if rest == "" || rest[0] == '#' {
			return
		}
		if rest == "-" || strings.HasPrefix(rest, "- ") || strings.HasPrefix(rest, "-\t") {
			r.at++
			r.blanks()
			r.add(r.container(column, true), &Node{Start: r.at, End: r.at})
			continue
		}
		if key, length, ok := keyOf(rest); ok {
			n := &Node{Key: key, KeyStart: r.at, KeyEnd: r.at + length}
			r.add(r.container(column, false), n)
			r.at += length
			r.blanks()
			r.at++
			n.Start, n.End = r.at, r.at
			r.value(n, column)
			return
		}
		r.alone(column, rest)
		return
	}
}

// add appends n to a collection. A scalar that was parsed as the value before its keys appeared becomes a key.
func (r *reader) add(to, n *Node) {
	if to.Kind == Scalar && n.KeyEnd > 0 {
		word := &Node{Key: to.Value, KeyStart: to.Start, KeyEnd: to.End, Start: to.End, End: to.End, Unfinished: true}
		to.Kind, to.Value, to.End = Empty, "", to.Start
		if word.KeyEnd > word.KeyStart {
			r.add(to, word)
		}
	}
	n.Parent = to
	to.Children = append(to.Children, n)
	to.Kind = Mapping
	if n.KeyEnd == 0 {
		to.Kind = List
	}
	r.nodes++
}

// container returns the collection for a key or dash at column.
func (r *reader) container(column int, dash bool) *Node {
	r.close(column, dash)
	top := &r.frames[len(r.frames)-1]
	if top.column == column && top.list == dash {
		return top.holder
	}
	if len(r.frames) == maxDepth {
		return &Node{} // detached
	}
	holder := top.holder.Children[len(top.holder.Children)-1]
	r.frames = append(r.frames, frame{holder, column, dash})
	return holder
}

// close closes the collections that cannot contain an item at column.
func (r *reader) close(column int, dash bool) {
	for {
		top := r.frames[len(r.frames)-1]
		if top.column < column || top.column == column && (dash || !top.list) {
			return
		}
		r.frames = r.frames[:len(r.frames)-1]
	}
}

// alone parses a value on its own line or after a dash: the value of the last key further left, or
// a word that can become a key.
func (r *reader) alone(column int, rest string) {
	r.close(column, false)
	top := r.frames[len(r.frames)-1]
	if top.column < column {
		holder := top.holder.Children[len(top.holder.Children)-1]
		if holder.Kind == Empty {
			holder.Start, holder.End = r.at, r.at
			r.value(holder, top.column)
			return
		}
		if holder.Kind == Scalar {
			holder.End = r.at + len(strings.TrimRight(rest, " \t")) // multi-line scalar
			r.at = holder.End
			return
		}
		top.holder = holder
	}
	if rest[0] == '{' || rest[0] == '[' || rest[0] == '"' && top.holder == r.frames[0].holder {
		return
	}
	word := plain(rest)
	n := &Node{Key: word, KeyStart: r.at, KeyEnd: r.at + len(word), Start: r.at + len(word), End: r.at + len(word), Unfinished: true}
	if top.holder.Kind != List {
		r.add(top.holder, n)
	}
}

// value parses the value of n from this line on. Lines indented beyond column can belong to it.
func (r *reader) value(n *Node, column int) {
	r.blanks()
	rest := r.rest()
	if rest == "" || rest[0] == '#' {
		return
	}
	n.Start = r.at
	n.End = r.at
	switch rest[0] {
	case '{', '[':
		r.flow(n, column, 0)
	case '|', '>':
		r.block(n, column)
	case '"', '\'':
		r.quoted(n, column)
	default:
		word := plain(rest)
		n.Kind, n.Value, n.End = Scalar, word, r.at+len(word)
		r.at = n.End
	}
}

// plain returns the unquoted text of a line, without a comment.
func plain(rest string) string {
	if at := strings.Index(rest, " #"); at >= 0 {
		rest = rest[:at]
	}
	return strings.TrimRight(rest, " \t")
}

// block parses a block scalar: the lines indented beyond column.
func (r *reader) block(n *Node, column int) {
	n.Kind = Scalar
	r.next()
	start := r.at
	for r.at < len(r.text) {
		line := r.rest()
		body := strings.TrimLeft(line, " ")
		if body != "" && len(line)-len(body) <= column {
			break
		}
		if r.at += len(line); body != "" {
			n.End = r.at
		}
		r.next()
	}
	if n.End > start {
		n.Value = r.text[start:n.End]
	}
	r.at, r.ends = max(start, n.End), -1
	if r.at == start {
		r.at-- // back to the end of the header line
	}
}

// quoted parses a quoted text up to the closing quote, or to the last line that can belong to it.
func (r *reader) quoted(n *Node, column int) {
	end := r.quotedEnd(column)
	n.Kind, n.End = Scalar, end
	n.Value = unquoted(r.text[n.Start:end])
	r.at = end
}

func (r *reader) quotedEnd(column int) int {
	quote := r.text[r.at]
	line := r.at + len(r.rest())
	for i := r.at + 1; i < len(r.text); i++ {
		switch c := r.text[i]; {
		case c == '\\' && quote == '"':
			i++
		case c == quote && quote == '\'' && i+1 < len(r.text) && r.text[i+1] == quote:
			i++
		case c == quote:
			return i + 1
		case (c == '\n' || c == '\r') && !r.goesOn(i+1, column):
			return line
		}
	}
	return line
}

// goesOn reports whether a line can belong to an item at column.
func (r *reader) goesOn(at, column int) bool {
	line := r.text[at : at+lineLength(r.text[at:])]
	body := strings.TrimLeft(line, " \t")
	return body == "" || len(line)-len(body) > column
}

// unquoted returns a quoted text's content. It decodes only escaped quotes and backslashes.
func unquoted(text string) string {
	quote := text[:1]
	text = text[1:]
	if len(text) > 0 && strings.HasSuffix(text, quote) {
		text = text[:len(text)-1]
	}
	if quote == "'" {
		return strings.ReplaceAll(text, "''", "'")
	}
	if !strings.Contains(text, `\`) {
		return text
	}
	return strings.NewReplacer(`\"`, `"`, `\\`, `\`, `\/`, "/").Replace(text)
}

// keyOf returns the key at the start of a line and its length with quotes.
func keyOf(line string) (key string, length int, ok bool) {
	if line[0] == '"' || line[0] == '\'' {
		r := &reader{text: line, ends: -1}
		length = r.quotedEnd(len(line))
		rest := strings.TrimLeft(line[length:], " \t")
		return unquoted(line[:length]), length, length > 1 && (rest == ":" || strings.HasPrefix(rest, ": ") || strings.HasPrefix(rest, ":\t"))
	}
	if strings.ContainsRune("{[|>*&@`%!,]}", rune(line[0])) {
		return "", 0, false
	}
	for i := range len(line) {
		switch {
		case line[i] == '#' && i > 0 && line[i-1] == ' ':
			return "", 0, false
		case line[i] == ':' && (i+1 == len(line) || line[i+1] == ' ' || line[i+1] == '\t'):
			key = strings.TrimRight(line[:i], " \t")
			return key, len(key), key != ""
		}
	}
	return "", 0, false
}
