package capture

// balance counts the brackets of a JSON text that can span lines. It finds the end of the text, or lines that
// cannot continue it, without parsing.
type balance struct {
	open   []byte // the brackets that are open
	quoted bool   // inside of a string
	last   byte   // last non-white-space byte, '"' for a string; 0 initially
}

// progress is the state of the text after a line.
type progress uint8

const (
	unfinished progress = iota // the text goes on in the next line
	finished                   // the text ends in this line
	broken                     // no JSON text goes on like this
)

// feed processes a line. end is the offset after the text's last byte, if it is complete.
func (b *balance) feed(line []byte) (end int, p progress) {
	for i := 0; i < len(line); i++ {
		c := line[i]
		switch {
		case b.quoted && c == '\\':
			i++
		case b.quoted && c == '"':
			b.quoted, b.last = false, '"'
		case b.quoted || c == ' ' || c == '\t' || c == '\r':
		case !b.follows(c):
			return 0, broken
		default:
			if b.take(c); len(b.open) == 0 && (c == '}' || c == ']') {
				return i + 1, finished
			}
		}
	}
	if b.quoted { // strings do not span lines
		return 0, broken
	}
	return 0, unfinished
}

func (b *balance) take(c byte) {
	switch c {
	case '{', '[':
		b.open = append(b.open, c)
	case '}', ']':
		b.open = b.open[:len(b.open)-1]
	case '"':
		b.quoted = true
	}
	b.last = c
}

// follows reports whether a byte can follow the last one in JSON.
func (b *balance) follows(c byte) bool {
	if len(b.open) == 0 {
		return b.last == 0 && (c == '{' || c == '[')
	}
	inObject := b.open[len(b.open)-1] == '{'
	switch c {
	case '}':
		return inObject && b.last != ':'
	case ']':
		return !inObject && b.last != ':'
	case '{', '[':
		return b.last == ':' || !inObject && (b.last == ',' || b.last == '[')
	case '"':
		return b.last == ':' || b.last == ',' || b.last == '{' || b.last == '['
	}
	return true
}
