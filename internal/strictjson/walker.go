package strictjson

import "math"

// Walker iterates over the outermost object of a JSON text without storing it, for readers that
// need few members of a long text.
//
//	w := strictjson.NewWalker(text)
//	for name, ok := w.Member(); ok; name, ok = w.Member() {
//		start, end := w.Value() // optional: Member and End skip an unread value
//	}
//	err := w.End()
//
// It checks only the grammar of RFC 8259: repeated names, wide numbers and unpaired surrogates are
// accepted. Nesting is unlimited and costs one bit per container.
type Walker struct {
	src    []byte
	at     int
	state  walkerState
	object bool // inside the outermost object
	err    *Error

	depth int      // open containers of the current value
	kinds []uint64 // one bit each: 1 for an object
}

// walkerState is the expected next item.
type walkerState uint8

const (
	atValue    walkerState = iota // a member's value, or the root value
	afterValue                    // text after a member
	atEnd                         // text after the root value
)

// NewWalker returns a walker for a text.
func NewWalker(src []byte) Walker { return Walker{src: src, at: skipSpace(src, 0)} }

// Member advances to the next member and returns its name as written, with quotes. ok is false after the last
// member, for values other than objects and after a syntax error.
func (w *Walker) Member() (name []byte, ok bool) {
	if w.state == atValue && w.object {
		w.Value()
	}
	opening := w.state == atValue
	switch {
	case w.err != nil || w.state == atEnd || opening && (w.at == len(w.src) || w.src[w.at] != '{'):
		return nil, false
	case !opening && (w.at == len(w.src) || w.src[w.at] != ',' && w.src[w.at] != '}'):
		w.err = unexpected(w.src, w.at, goesOn(true))
		return nil, false
	case !opening && w.src[w.at] == '}':
		w.close()
		return nil, false
	}
	w.object = true
	w.at = next(w.src, w.at)
	if opening && w.at < len(w.src) && w.src[w.at] == '}' {
		w.close()
		return nil, false
	}
	return w.name()
}

func (w *Walker) close() { w.at, w.state = next(w.src, w.at), atEnd }

func (w *Walker) name() (name []byte, ok bool) {
	w.state = atValue
	start := w.at
	end, e := walkString(w.src, start, memberName)
	if e == nil {
		w.at, e = walkColon(w.src, end)
	}
	w.err = e
	if e != nil {
		return nil, false
	}
	return w.src[start:end], true
}

// Offset returns the current offset. After Member it is that of the value.
func (w *Walker) Offset() int { return w.at }

// Value skips the current value and returns its byte range, empty if it does not end.
func (w *Walker) Value() (start, end int) {
	if w.err != nil || w.state != atValue {
		return w.at, w.at
	}
	start = w.at
	if end, w.err = w.walk(start); w.err != nil {
		return start, start
	}
	w.at, w.state = skipSpace(w.src, end), atEnd
	if w.object {
		w.state = afterValue
	}
	return start, end
}

// End checks the rest of the text and returns a syntax error or nil.
func (w *Walker) End() *Error {
	for w.err == nil && w.state != atEnd {
		if _, more := w.Member(); !more && w.state == atValue {
			w.Value() // not an object
		}
	}
	if w.err == nil && w.at < len(w.src) {
		w.err = trailing(w.src, w.at)
	}
	return w.err
}

// walk returns the offset after the value at src[i]. It is a state machine: a value is followed by
// closing brackets, or a comma and possibly a name.
func (w *Walker) walk(i int) (end int, e *Error) {
	src := w.src
	w.depth = 0
	for {
		if i == len(src) {
			return i, truncated(i, "a value")
		}
		if c := src[i]; c == '{' || c == '[' {
			w.push(c == '{')
			i = next(src, i)
			if i == len(src) || src[i] != c+2 { // ']' and '}' are their openers plus two
				if c == '{' {
					if i, e = walkName(src, i); e != nil {
						return i, e
					}
				}
				continue
			}
		} else if i, e = walkScalar(src, i); e != nil {
			return i, e
		}
		if i, e = w.after(i); e != nil || w.depth == 0 {
			return i, e
		}
	}
}

// after skips closing brackets, or a comma and the next name.
func (w *Walker) after(i int) (end int, e *Error) {
	src := w.src
	for w.depth > 0 {
		i = skipSpace(src, i)
		object, closer := w.inObject(), byte(']')
		if object {
			closer = '}'
		}
		switch {
		case i < len(src) && src[i] == closer:
			w.depth--
			i++
		case i == len(src) || src[i] != ',':
			return i, unexpected(src, i, goesOn(object))
		case object:
			return walkName(src, next(src, i))
		default:
			return next(src, i), nil
		}
	}
	return i, nil
}

func (w *Walker) push(object bool) {
	word, bit := w.depth/64, uint64(1)<<(w.depth%64)
	if word == len(w.kinds) {
		w.kinds = append(w.kinds, 0)
	}
	w.kinds[word] &^= bit
	if object {
		w.kinds[word] |= bit
	}
	w.depth++
}

func (w *Walker) inObject() bool {
	top := w.depth - 1
	return w.kinds[top/64]>>(top%64)&1 == 1
}

// memberName describes the expected input at a member.
const memberName = "a member name in double quotes"

func walkName(src []byte, i int) (end int, e *Error) {
	if i, e = walkString(src, i, memberName); e != nil {
		return i, e
	}
	return walkColon(src, i)
}

// walkColon skips the colon after a name.
func walkColon(src []byte, i int) (end int, e *Error) {
	if i = skipSpace(src, i); i == len(src) || src[i] != ':' {
		return i, unexpected(src, i, "':'")
	}
	return next(src, i), nil
}

// stringGrammar accepts every RFC 8259 string.
var stringGrammar = Limits{StringChars: math.MaxInt, LoneSurrogates: true}

// walkString skips a string; want describes it in errors.
func walkString(src []byte, i int, want string) (end int, e *Error) {
	if i == len(src) || src[i] != '"' {
		return i, unexpected(src, i, want)
	}
	if end = SkipPlain(src, i+1); end < len(src) && src[end] == '"' {
		return end + 1, nil
	}
	end, _, e = stringGrammar.scanString(src, i+1, end)
	return end + 1, e
}

func walkScalar(src []byte, i int) (end int, e *Error) {
	switch c := src[i]; {
	case c == '"':
		return walkString(src, i, "a value")
	case c == '-' || c-'0' <= 9:
		end, _, _, e = numberGrammar(src, i)
		return end, e
	}
	if kind, size := literal(src[i:]); kind != Absent {
		return i + size, nil
	}
	return i, unexpected(src, i, "a value")
}
