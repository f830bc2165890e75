package recognize

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
)

// Layout says how JSON values are arranged on lines.
type Layout int

// The layouts.
const (
	OnLines       Layout = iota // one value per line, or the text is not JSON
	OneValue                    // one value over several lines
	SeveralValues               // several values, the first multi-line
	InArray                     // one array
)

// first returns the first JSON object in the head (also inside a top-level array) and the bytes after it. An object
// cut by the head's end is closed, and rest is nil. whole is false if the object is missing or malformed.
func (h Head) first() (first, rest []byte, whole bool) {
	text := trimStart(h.Text)
	if first, rest, whole = firstValue(text); whole || !h.Cut {
		return first, rest, whole
	}
	if first, whole = closeAll(text, true); whole && text[0] == '[' {
		first, _, whole = firstValue(first)
	}
	return first, nil, whole
}

func firstValue(text []byte) (first, rest []byte, whole bool) {
	if len(text) == 0 || text[0] != '{' && text[0] != '[' {
		return nil, nil, false
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	if text[0] == '[' {
		if _, err := decoder.Token(); err != nil || !decoder.More() {
			return nil, nil, false
		}
	}
	var value json.RawMessage
	if err := decoder.Decode(&value); err != nil || value[0] != '{' {
		return nil, nil, false
	}
	return value, text[decoder.InputOffset():], true
}

// layout returns the layout of the head's values, given the first object and the rest. Malformed
// text counts as lines.
func (h Head) layout(first, rest []byte) Layout {
	text := trimStart(h.Text)
	well := rest == nil // the object was closed, so the head is well-formed
	if !well {
		_, well = closeAll(text, h.Cut)
	}
	switch {
	case !well:
		return OnLines
	case text[0] == '[':
		return InArray
	case !bytes.Contains(first, []byte("\n")):
		return OnLines
	case len(trimStart(rest)) > 0:
		return SeveralValues
	}
	return OneValue
}

// closeAll closes the open containers of truncated JSON, without an incomplete member or element. well is false for
// malformed text.
func closeAll(text []byte, cut bool) (whole []byte, well bool) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	var open []byte // the missing ends, the outermost first
	end, named := int64(0), false
	for {
		token, err := decoder.Token()
		switch {
		case err == io.EOF || cut && errors.Is(err, io.ErrUnexpectedEOF):
			whole = append(bytes.Clone(text[:end]), open...)
			slices.Reverse(whole[end:])
			return whole, len(open) == 0 || cut
		case err != nil:
			return nil, false
		}
		name := len(open) > 0 && open[len(open)-1] == '}' && !named
		switch token {
		case json.Delim('{'):
			open = append(open, '}')
		case json.Delim('['):
			open = append(open, ']')
		case json.Delim('}'), json.Delim(']'):
			open, name = open[:len(open)-1], false
		}
		if _, text := token.(string); name && text {
			named = true
			continue
		}
		named, end = false, decoder.InputOffset()
	}
}
