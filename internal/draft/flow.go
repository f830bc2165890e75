package draft

import "strings"

// flow parses a bracketed collection. Continuation lines must be indented beyond column.
func (r *reader) flow(n *Node, column, depth int) {
	open := r.text[r.at]
	closing := byte('}')
	n.Kind, n.Flow = Mapping, true
	if open == '[' {
		n.Kind, closing = List, ']'
	}
	r.at++
	for r.space(column) && r.nodes < maxNodes {
		n.End = r.at
		switch r.text[r.at] {
		case closing:
			r.at++
			n.End = r.at
			return
		case '}', ']':
			return // ends the parent
		case ',', ':':
			r.at++
		default:
			r.flowPart(n, column, depth)
		}
	}
	n.End = max(n.End, min(r.at, len(r.text)))
}

// flowPart parses a pair of a mapping or an element of a list.
func (r *reader) flowPart(n *Node, column, depth int) {
	if n.Kind == Mapping {
		r.flowPair(n, column, depth)
		return
	}
	e := &Node{Start: r.at, End: r.at, Flow: true}
	r.add(n, e)
	r.flowValue(e, column, depth)
}

// space skips blanks, line ends and comments. It returns false at the end of a line if the next one
// cannot belong to brackets opened at column.
func (r *reader) space(column int) bool {
	for r.at < len(r.text) {
		switch r.text[r.at] {
		case ' ', '\t':
			r.at++
		case '#':
			r.at += len(r.rest())
		case '\r', '\n':
			before, begins := r.at, r.begins
			r.next()
			r.begins = r.at
			if !r.inBrackets(column) {
				r.at, r.begins, r.ends = before, begins, before
				return false
			}
		default:
			return true
		}
	}
	return false
}

// inBrackets reports whether a line can belong to brackets opened at column: it is indented
// further, or starts with a bracket, quote or comma.
func (r *reader) inBrackets(column int) bool {
	line := r.rest()
	body := strings.TrimLeft(line, " \t")
	return body == "" || len(line)-len(body) > column || strings.ContainsRune("}],{[\"", rune(body[0]))
}

// flowPair parses a key in braces and its value, if any.
func (r *reader) flowPair(n *Node, column, depth int) {
	c := &Node{KeyStart: r.at, Flow: true, Unfinished: true}
	c.Key, c.KeyEnd = r.flowScalar(column)
	if c.KeyEnd == c.KeyStart {
		r.at++ // cannot start a key
		return
	}
	r.add(n, c)
	c.Start, c.End = r.at, r.at
	if !r.space(column) || r.text[r.at] != ':' {
		return
	}
	c.Unfinished = false
	r.at++
	c.Start, c.End = r.at, r.at
	if r.space(column) && !strings.ContainsRune(",}]", rune(r.text[r.at])) {
		c.Start, c.End = r.at, r.at
		r.flowValue(c, column, depth)
	}
}

func (r *reader) flowValue(n *Node, column, depth int) {
	if c := r.text[r.at]; (c == '{' || c == '[') && depth < maxFlow {
		r.flow(n, column, depth+1)
		return
	}
	n.Start = r.at
	n.Value, n.End = r.flowScalar(column)
	n.Kind = Scalar
	if n.End == n.Start {
		r.at++ // too deep
	}
}

func (r *reader) flowScalar(column int) (value string, end int) {
	start := r.at
	if c := r.text[start]; c == '"' || c == '\'' {
		r.at = r.quotedEnd(column)
		return unquoted(r.text[start:r.at]), r.at
	}
	line := r.rest()
	length := len(line)
	for i := range len(line) {
		c := line[i]
		if strings.ContainsRune(",{}[]", rune(c)) || c == ':' && (i+1 == len(line) || strings.ContainsRune(" \t,{}[]", rune(line[i+1]))) ||
			c == '#' && i > 0 && line[i-1] == ' ' {
			length = i
			break
		}
	}
	value = strings.TrimRight(line[:length], " \t")
	r.at = start + len(value)
	return value, r.at
}
