package input

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"sync"

	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/internal/unpack"
	"github.com/cupel-dev/cupel/internal/walk"
)

// beginning is how the text of an input begins, as far as a look at it goes.
type beginning struct {
	text []byte
	cut  bool // the input may go on
}

// headBytes are looked at of an input in which nothing can be read.
const headBytes = 64 << 10

// BeginningOf is that of a text.
func BeginningOf(text []byte) beginning {
	return beginning{text[:min(len(text), headBytes)], len(text) > headBytes}
}

// readBeginning reads it, unpacked. The reader need not care for errors.
func readBeginning(ctx context.Context, r io.Reader) beginning {
	text := source.NewText(r, unpack.Formats...)
	var from io.Reader = text
	if format := text.Format(); format != "" {
		packed := unpack.New(ctx, io.NopCloser(text), format, 0)
		defer func() { _ = packed.Close() }() // opened for reading: nothing can be lost
		from = packed
	}
	head, _ := io.ReadAll(io.LimitReader(from, headBytes+1))
	return BeginningOf(head)
}

// HeadOf is how a file begins. What is no regular file is not read twice.
func HeadOf(ctx context.Context, in walk.Input) (head beginning) {
	if in.Size >= 0 && in.Path != "" {
		_ = in.Packed(unpack.Formats...).Peek(func(r io.Reader) { // the run has said what is wrong with reading it
			head = readBeginning(ctx, r)
		})
	}
	return head
}

// pipedInput is one that can be read only once. It tells its compressed format, as package door
// says.
type pipedInput interface {
	io.ReadCloser
	Format() string
}

// streamHead is what a run has read first of a stream.
type streamHead struct {
	mu    sync.Mutex // an interrupted run leaves its reader behind
	text  []byte
	ended bool
}

// beginning is what was kept, unpacked.
func (h *streamHead) beginning(ctx context.Context) beginning {
	h.mu.Lock()
	defer h.mu.Unlock()
	head := readBeginning(ctx, bytes.NewReader(h.text))
	head.cut = head.cut || !h.ended
	return head
}

func (h *streamHead) note(text []byte, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.text = append(h.text, text[:min(len(text), headBytes+1-len(h.text))]...)
	h.ended = h.ended || err == io.EOF
}

// headedStream is a stream whose beginning is kept while it is read.
type headedStream struct {
	pipedInput
	head *streamHead
}

func (s headedStream) Read(p []byte) (int, error) {
	n, err := s.pipedInput.Read(p)
	s.head.note(p[:n], err)
	return n, err
}

// value is the object that the text begins with, or that an array does which it begins with, and
// what is behind it. Where the text is cut in the object, what is there of it is closed. is is
// false where there is no such value without a fault.
func (b beginning) value() (first, rest []byte, is bool) {
	text := trimmed(b.text)
	if first, rest, is = firstValue(text); is || !b.cut {
		return first, rest, is
	}
	if text, is = allClosed(text, true); is {
		first, _, is = firstValue(text)
	}
	return first, nil, is
}

func firstValue(text []byte) (first, rest []byte, is bool) {
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

// trimmed is a text without what may stand before its first value.
func trimmed(text []byte) []byte {
	return bytes.TrimLeft(bytes.TrimPrefix(text, []byte("\ufeff")), " \t\r\n")
}

// spread is how the values of the text lie, the first of which was found in it. All of it must be
// JSON: damaged lines are no layout.
func (b beginning) spread(first, rest []byte) spread {
	text := trimmed(b.text)
	_, well := allClosed(text, b.cut)
	switch {
	case !well:
		return onLines
	case text[0] == '[':
		return inArray
	case !bytes.Contains(first, []byte("\n")):
		return onLines
	case len(trimmed(rest)) > 0:
		return severalSpread
	}
	return oneSpread
}

// allClosed is a text of JSON values that may be cut, with an end to each that is open: without the
// member or the element that the cut is in. well is false where it is no JSON up to there.
func allClosed(text []byte, cut bool) (whole []byte, well bool) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	var open []byte // the ends of what is open, the outermost first
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
