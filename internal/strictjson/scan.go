package strictjson

import (
	"bytes"
	"math"
)

// scan reads the value at src[i]. It is a state machine with an explicit stack and its own depth limit. On error,
// inChild reports whether the position is in a child of the innermost open container or between children. For speed
// (measured), growing slices are local variables until the end, and values are filled in place: a composite literal
// causes store-forwarding stalls.
func (s *Scanner) scan(src []byte, i int) (e *Error, inChild bool) {
	values := s.doc.Values
	var (
		in    = innermost{top: -1}
		end   int
		marks Marks
		shape uint16
		v     *Value
	)

element: // src[i] starts a value without a name
	s.key = keySpan{}

value: // src[i] starts a value
	if len(values) == cap(values) {
		if values, e = s.grow(values, src, i); e != nil {
			inChild = true
			goto done
		}
	}
	values = values[:len(values)+1]
	v = &values[len(values)-1]
	v.KeyStart, v.KeyEnd, v.Next, v.Count, v.shape = s.key.start, s.key.end, int32(len(values)), 0, noShape
	switch c := src[i]; {
	case c == '"':
		if end, marks = SkipPlain(src, i+1), Canonical; !s.limits.endsPlain(src, i, end) {
			if end, marks, e = s.limits.scanString(src, i+1, end); e != nil {
				goto refused
			}
		}
		v.Kind, v.Start, v.End, v.Marks = String, int32(i+1), int32(end), marks|s.key.marks
		i = end + 1
	case c == '{' || c == '[':
		if len(s.stack) >= s.limits.Depth {
			e = limit(Depth, s.limits.Depth, "nested %d levels deep", len(s.stack)+1, i)
			goto refused
		}
		if in.top >= 0 {
			outer := &values[in.top]
			outer.Count, outer.Marks, outer.shape = in.count, outer.Marks&KeyEscaped|in.marks, in.shape
		}
		in.top, in.count, in.object, in.marks, in.shape = int32(len(values)-1), 0, c == '{', Sorted|Canonical, noShape
		s.stack = append(s.stack, in.top)
		v.Kind, v.Start, v.End, v.Marks = Array, int32(i), 0, s.key.marks
		if in.object {
			v.Kind, in.shape = Object, s.fresh
		}
		if i++; i < len(src) && src[i] <= ' ' {
			i = skipSpace(src, i)
			in.marks = Sorted
		}
		switch {
		case i == len(src):
			e = truncated(i, opened(in.object))
			goto done
		case src[i] == c+2: // ']' and '}' are their openers plus two
			goto closing
		case in.object:
			goto member
		}
		goto element
	case c == '-' || c-'0' <= 9:
		if end, marks, e = s.scanNumber(src, i); e != nil {
			goto refused
		}
		v.Kind, v.Start, v.End, v.Marks = Number, int32(i), int32(end), marks|s.key.marks
		i = end
	default:
		kind, size := literal(src[i:])
		if kind == Absent {
			e = unexpected(src, i, "a value")
			goto refused
		}
		marks = Canonical
		v.Kind, v.Start, v.End, v.Marks = kind, int32(i), int32(i+size), marks|s.key.marks
		i += size
	}
	in.last = int32(len(values) - 1)
	in.marks &= marks | ^Canonical

after: // a value ended before src[i]
	if i < len(src) && src[i] <= ' ' {
		i = skipSpace(src, i)
		in.marks &^= Canonical
	}
	if in.top < 0 {
		if i < len(src) {
			e = trailing(src, i)
		}
		goto done
	}
	in.count++
	if i == len(src) {
		e = truncated(i, goesOn(in.object))
		goto done
	}
	if src[i] == ',' {
		if i++; i < len(src) && src[i] <= ' ' {
			i = skipSpace(src, i)
			in.marks &^= Canonical
		}
		if i == len(src) {
			e = truncated(i, opened(in.object))
			goto done
		}
		if !in.object {
			goto element
		}
		if int(in.count) >= s.limits.Keys {
			e = limit(TooManyKeys, s.limits.Keys, "object with more than %d members", s.limits.Keys, i)
			goto done
		}
		goto member
	}
	if src[i] != src[values[in.top].Start]+2 {
		e = unexpected(src, i, goesOn(in.object))
		goto done
	}

closing: // src[i] closes the innermost container
	i++
	v = &values[in.top]
	v.End, v.Next, v.Count = int32(i), int32(len(values)), in.count
	v.shape = in.shape
	if in.marks&Sorted == 0 {
		in.marks = 0
		// Ascending names, and those of a shape, are unique.
		if in.shape == noShape && in.count > 1 && !s.limits.DuplicateKeys {
			if twice := s.names.repeated(src, values, in.top); twice != nil {
				s.key = keySpan{twice.KeyStart, twice.KeyEnd, twice.Marks & KeyEscaped}
				e, inChild = duplicate(src, twice), true
				goto done
			}
		}
	}
	v.Marks = v.Marks&KeyEscaped | in.marks
	in.last, marks = in.top, in.marks
	s.stack = s.stack[:len(s.stack)-1]
	if in.top = -1; len(s.stack) > 0 {
		in.top = s.stack[len(s.stack)-1]
		v = &values[in.top]
		in.count, in.object, in.marks, in.shape = v.Count, v.Kind == Object, v.Marks&(marks&Canonical|Sorted), v.shape
	}
	goto after

member: // src[i] starts a member name
	if src[i] != '"' {
		e = unexpected(src, i, memberName)
		goto done
	}
	if shape, end = s.shapes.follow(in.shape, src, i+1); shape != noShape {
		s.key = keySpan{int32(i + 1), int32(end), 0}
		if in.shape = shape; !s.shapes[shape].sorted {
			in.marks = 0
		}
		goto named
	}
	if end, marks = SkipPlain(src, i+1), 0; !s.limits.endsPlain(src, i, end) {
		if end, marks, e = s.limits.scanString(src, i+1, end); e != nil {
			goto done
		}
	}
	s.key = keySpan{int32(i + 1), int32(end), 0}
	if marks&Escaped != 0 {
		s.key.marks, in.marks = KeyEscaped, 0
	} else if in.marks&Sorted != 0 && in.count > 0 && !ascend(src, &values[in.last], i+1, end) {
		in.marks = 0
	}
	if marks == 0 { // ASCII without escapes
		in.shape = s.shapes.learn(in.shape, src[i+1:end], in.marks&Sorted != 0)
	} else {
		in.shape = noShape
	}

named: // src[end] closes the member name
	if i = end + 1; i < len(src) && src[i] <= ' ' {
		i = skipSpace(src, i)
		in.marks &^= Canonical
	}
	if i == len(src) {
		e = truncated(i, "':'")
		goto done
	}
	if src[i] != ':' {
		e, inChild = unexpected(src, i, "':'"), true
		goto done
	}
	if i++; i < len(src) && src[i] <= ' ' {
		i = skipSpace(src, i)
		in.marks &^= Canonical
	}
	if i < len(src) {
		goto value
	}
	e = truncated(i, "a value")
	goto done

refused: // error in the value at src[i]
	values, inChild = values[:len(values)-1], true

done:
	if in.top >= 0 {
		values[in.top].Count = in.count
	}
	s.doc.Values = values
	return e, inChild
}

// innermost is the innermost open container. Its fields are too many for registers, which the scan needs otherwise.
type innermost struct {
	top    int32  // -1: none
	count  int32  // children so far; outer counts are in their values
	last   int32  // last child
	marks  Marks  // Sorted and Canonical while they hold, also for the outer containers
	object bool   // object, not array
	shape  uint16 // shape of the members so far
}

// grow makes room for another value, up to the limit. For long texts it grows a few times only, because copying keeps
// both lists alive: the rest of the text is expected to have as many values per byte as the part before src[i].
func (s *Scanner) grow(values []Value, src []byte, i int) ([]Value, *Error) {
	if len(values) >= s.limits.Values {
		return values, limit(TooManyValues, s.limits.Values, "more than %d values", s.limits.Values, i)
	}
	room := max(16, 2*len(values))
	if s.limits.Values < math.MaxInt32 && len(values) >= fewValues {
		room = int(int64(len(values)) * int64(len(src)) / int64(i))
		room = min(max(room+room/16, 2*len(values)), 16*len(values))
		if room > manyValues {
			room = min(room, len(values)+MaxValues(src[i:]))
		}
	}
	room = min(room, s.limits.Values)
	return append(make([]Value, 0, room), values...), nil
}

// fewValues is the size up to which the list grows normally.
const fewValues = 1 << 12

// manyValues is the size from which clearing too much memory takes longer than counting what the text can hold.
const manyValues = 1 << 17

// MaxValues returns an upper bound on the number of values in a JSON text.
func MaxValues(text []byte) int {
	return 1 + bytes.Count(text, []byte{','}) + bytes.Count(text, []byte{'['}) + bytes.Count(text, []byte{'{'})
}

// opened describes the expected input after an opening bracket.
func opened(object bool) string {
	if object {
		return memberName
	}
	return "a value"
}

// goesOn describes the expected input after a child.
func goesOn(object bool) string {
	if object {
		return "',' or '}'"
	}
	return "',' or ']'"
}

// next returns the offset of the first non-white-space byte after src[i].
func next(src []byte, i int) int {
	if i++; i < len(src) && src[i] <= ' ' {
		return skipSpace(src, i)
	}
	return i
}

func skipSpace(src []byte, i int) int {
	for i < len(src) && (src[i] == ' ' || src[i] == '\n' || src[i] == '\t' || src[i] == '\r') {
		i++
	}
	return i
}

// literal recognizes null, true and false at the start of b.
func literal(b []byte) (Kind, int) {
	switch {
	case bytes.HasPrefix(b, []byte("null")):
		return Null, 4
	case bytes.HasPrefix(b, []byte("true")):
		return True, 4
	case bytes.HasPrefix(b, []byte("false")):
		return False, 5
	}
	return Absent, 0
}
