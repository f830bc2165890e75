package strictjson

import (
	"bytes"
	"math"
)

// scan reads the value at src[i] and what it contains. It is a state machine without
// recursion: containers wait on a stack, so that nesting costs no goroutine stack and
// has its own limit. When it refuses, inChild says whether the offence lies in a child
// of the innermost open container, or between its children.
//
// Two habits of this function are for speed, measured: the growing slices are local
// variables until it is done, and a value is filled in place, because a composite
// literal would be built in small stores and copied in wide loads, which stalls.
func (s *Scanner) scan(src []byte, i int) (e *Error, inChild bool) {
	values, stack := s.doc.Values, s.stack
	var (
		top     int32   = -1 // the innermost open container
		count   int32        // its children so far; those of the outer ones are in their values
		object  bool         // it is an object, not an array
		key     keySpan      // the name of the member whose value is next
		end     int
		escaped bool
		integer bool
	)

value: // src[i] is the first byte of a value
	if len(values) == cap(values) {
		if values, e = s.grow(values, src, i); e != nil {
			inChild = true
			goto done
		}
	}
	switch c := src[i]; {
	case c == '"':
		if end, escaped = SkipPlain(src, i+1), false; !s.limits.endsPlain(src, i, end) {
			if end, escaped, e = s.limits.scanString(src, i+1, end); e != nil {
				inChild = true
				goto done
			}
		}
		values = append(values, Value{})
		v := &values[len(values)-1]
		v.Kind, v.Start, v.End, v.Escaped = String, int32(i+1), int32(end), escaped
		v.KeyStart, v.KeyEnd, v.KeyEscaped, v.Next = key.start, key.end, key.escaped, int32(len(values))
		i = end + 1
	case c == '{' || c == '[':
		if len(stack) >= s.limits.Depth {
			e, inChild = limit(Depth, s.limits.Depth, "nested %d levels deep", len(stack)+1, i), true
			goto done
		}
		if top >= 0 {
			values[top].Count = count
		}
		top, count, object = int32(len(values)), 0, c == '{'
		stack = append(stack, top)
		values = append(values, Value{})
		v := &values[top]
		v.Kind, v.Start = Array, int32(i)
		if object {
			v.Kind = Object
		}
		v.KeyStart, v.KeyEnd, v.KeyEscaped = key.start, key.end, key.escaped
		i = next(src, i)
		switch {
		case i == len(src):
			e = truncated(i, opened(object))
			goto done
		case src[i] == c+2: // ']' and '}' follow their openers by two
			goto closing
		case object:
			goto member
		}
		goto value
	case c == '-' || c-'0' <= 9:
		if end, integer, e = s.scanNumber(src, i); e != nil {
			inChild = true
			goto done
		}
		values = append(values, Value{})
		v := &values[len(values)-1]
		v.Kind, v.Start, v.End, v.Integer = Number, int32(i), int32(end), integer
		v.KeyStart, v.KeyEnd, v.KeyEscaped, v.Next = key.start, key.end, key.escaped, int32(len(values))
		i = end
	default:
		kind, size := literal(src[i:])
		if kind == Absent {
			e, inChild = unexpected(src, i, "a value"), true
			goto done
		}
		values = append(values, Value{})
		v := &values[len(values)-1]
		v.Kind, v.Start, v.End = kind, int32(i), int32(i+size)
		v.KeyStart, v.KeyEnd, v.KeyEscaped, v.Next = key.start, key.end, key.escaped, int32(len(values))
		i += size
	}

after: // a value has ended before src[i]
	if i < len(src) && src[i] <= ' ' {
		i = skipSpace(src, i)
	}
	if top < 0 {
		if i < len(src) {
			e = trailing(src, i)
		}
		goto done
	}
	count++
	if i == len(src) {
		e = truncated(i, goesOn(object))
		goto done
	}
	if src[i] == ',' {
		if i = next(src, i); i == len(src) {
			e = truncated(i, opened(object))
			goto done
		}
		if !object {
			goto value
		}
		if int(count) >= s.limits.Keys {
			e = limit(TooManyKeys, s.limits.Keys, "object with more than %d members", s.limits.Keys, i)
			goto done
		}
		goto member
	}
	if src[i] != src[values[top].Start]+2 {
		e = unexpected(src, i, goesOn(object))
		goto done
	}

closing: // src[i] closes the innermost container
	i++
	values[top].End, values[top].Next, values[top].Count = int32(i), int32(len(values)), count
	if object && count > 1 && !s.limits.DuplicateKeys {
		if twice := s.names.repeated(src, values, top); twice != nil {
			key = keySpan{twice.KeyStart, twice.KeyEnd, twice.KeyEscaped}
			e, inChild = duplicate(src, twice), true
			goto done
		}
	}
	stack = stack[:len(stack)-1]
	if top = -1; len(stack) > 0 {
		top = stack[len(stack)-1]
		count, object = values[top].Count, values[top].Kind == Object
	}
	goto after

member: // src[i] is the first byte of a member name
	if src[i] != '"' {
		e = unexpected(src, i, memberName)
		goto done
	}
	if end, escaped = SkipPlain(src, i+1), false; !s.limits.endsPlain(src, i, end) {
		if end, escaped, e = s.limits.scanString(src, i+1, end); e != nil {
			goto done
		}
	}
	key.start, key.end, key.escaped = int32(i+1), int32(end), escaped
	if i = next(src, end); i == len(src) {
		e = truncated(i, "':'")
		goto done
	}
	if src[i] != ':' {
		e, inChild = unexpected(src, i, "':'"), true
		goto done
	}
	if i = next(src, i); i < len(src) {
		goto value
	}
	e = truncated(i, "a value")

done:
	if top >= 0 {
		values[top].Count = count
	}
	s.doc.Values, s.stack, s.key = values, stack, key
	return e, inChild
}

// grow makes room for the value at src[i]. The room is never more than the limit on values:
// where that is full, there are too many. Of a long text it grows once or twice, because
// copying a list of values keeps both alive.
func (s *Scanner) grow(values []Value, src []byte, i int) ([]Value, *Error) {
	if len(values) >= s.limits.Values {
		return values, limit(TooManyValues, s.limits.Values, "more than %d values", s.limits.Values, i)
	}
	room := max(16, 2*len(values))
	if s.limits.Values < math.MaxInt32 && len(values) >= fewValues {
		room = len(values) + MaxValues(src[i:])
	}
	room = min(room, s.limits.Values)
	return append(make([]Value, 0, room), values...), nil
}

// fewValues is how many values a list may have that grows as lists do.
const fewValues = 1 << 12

// MaxValues returns a number that the values of a JSON text do not exceed: what looks like
// the start of one counts, also in strings.
func MaxValues(text []byte) int {
	return 1 + bytes.Count(text, []byte{','}) + bytes.Count(text, []byte{'['}) + bytes.Count(text, []byte{'{'})
}

// opened says what stands where a child of a container begins.
func opened(object bool) string {
	if object {
		return memberName
	}
	return "a value"
}

// goesOn says what comes after a child of a container.
func goesOn(object bool) string {
	if object {
		return "',' or '}'"
	}
	return "',' or ']'"
}

// next returns the offset of the first byte after src[i] that is not white space.
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

// literal recognises null, true and false at the start of b.
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
