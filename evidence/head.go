package evidence

import (
	"bytes"
	"context"
	"errors"
	"io"

	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// head is the start of an input, used to distinguish a single event from a stream. A single event can be
// pretty-printed, and a truncated first line must not make the rest of a stream unreadable:
//
//   - A single nonblank line is one event, and so is one JSON value on several lines.
//   - If the first line ends inside a JSON value that the second one continues without
//     being an object, the input is one event that is malformed or too long.
//   - If the first lines all start unlike an event, the input has none: it is YAML,
//     text in another encoding, or binary.
//   - Everything else is a stream.
type head struct {
	r       io.Reader
	limit   int // bytes of one event
	scanner *strictjson.Scanner

	text  []byte
	ended bool // text is the whole input
}

type kind uint8

const (
	manyEvents kind = iota
	singleEvent
	noEvents
)

// readHead reads the head and detects the kind. If ctx ends, it returns at once, even during a read.
func readHead(ctx context.Context, r io.Reader, limits Limits) (*head, kind, error) {
	type decision struct {
		kind kind
		err  error
	}
	h := &head{limit: int(limits.LineBytes), scanner: limits.scanner()}
	decided := make(chan decision, 1)
	go func() {
		h.r = unbatch(r)
		kind, err := h.decide()
		decided <- decision{kind, err}
	}()
	select {
	case <-ctx.Done():
		return nil, manyEvents, ctx.Err()
	case d := <-decided:
		return h, d.kind, d.err
	}
}

func (h *head) rest() io.Reader {
	if h.ended {
		return bytes.NewReader(h.text)
	}
	return io.MultiReader(bytes.NewReader(h.text), h.r)
}

func (h *head) decide() (kind, error) {
	foreign, err := h.foreign()
	if err != nil || foreign {
		return noEvents, err
	}
	single, err := h.single()
	if err != nil || !single {
		return manyEvents, err
	}
	return singleEvent, nil
}

// foreignLines is how many lines unlike an event are needed to reject the input; fewer can be damage.
const foreignLines = 16

// foreign reads lines until one starts like an event, or until enough do not.
func (h *head) foreign() (bool, error) {
	for {
		unlike, known := h.unlike()
		switch {
		case known:
			return unlike, nil
		case h.ended, h.tooLong():
			return false, nil
		}
		if err := h.grow(); err != nil {
			return false, err
		}
	}
}

// unlike reports whether the lines so far start unlike events. known is false while that is undecided.
func (h *head) unlike() (unlike, known bool) {
	lines := 0
	for rest := h.text; len(rest) > 0; {
		line, after, whole := bytes.Cut(rest, []byte{'\n'})
		begun := bytes.TrimLeft(bytes.TrimPrefix(line, []byte("\ufeff")), space)
		switch {
		case (len(begun) > 1 || whole && len(begun) > 0) && !source.Foreign(line): // two bytes suffice
			return false, true
		case !whole && !h.ended:
			return false, false
		case len(begun) > 0:
			if lines++; lines == foreignLines {
				return true, true
			}
		}
		rest = after
	}
	return lines > 1, h.ended
}

func (h *head) single() (single bool, err error) {
	first, second := h.lines()
	for ; second.empty() && !h.ended && !h.tooLong(); first, second = h.lines() {
		if err := h.grow(); err != nil {
			return false, err
		}
	}
	if second.empty() {
		return h.ended, nil
	}
	if h.code(first) != strictjson.Truncated || !h.goesOn(span{first.start, second.end}) {
		return false, nil
	}
	for !h.ended && !h.tooLong() {
		if err := h.grow(); err != nil {
			return false, err
		}
	}
	return h.code(second) != "" || h.ended && h.code(span{0, len(h.text)}) == "", nil
}

// goesOn reports whether lines are, or can become, one JSON value.
func (h *head) goesOn(lines span) bool {
	code := h.code(lines)
	return code == "" || code == strictjson.Truncated
}

const space = " \t\r\n"

type span struct{ start, end int }

func (s span) empty() bool { return s.start == s.end }

// lines returns the first two complete nonblank lines.
func (h *head) lines() (first, second span) {
	for start := 0; start < len(h.text); {
		end := len(h.text)
		if i := bytes.IndexByte(h.text[start:], '\n'); i >= 0 {
			end = start + i
		} else if !h.ended {
			break
		}
		if len(bytes.TrimLeft(h.text[start:end], " \t\r")) > 0 {
			if !first.empty() {
				return first, span{start, end}
			}
			first = span{start, end}
		}
		start = end + 1
	}
	return first, span{}
}

// code returns why a part is not a JSON value, or "". It ignores a byte order mark, which the hasher reports.
func (h *head) code(part span) strictjson.Code {
	text := bytes.TrimRight(h.text[part.start:part.end], space)
	_, err := h.scanner.Scan(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")))
	if err != nil {
		return refusal(err).Code
	}
	return ""
}

// event returns the single event without surrounding lines, and its offset in the line.
func (h *head) event() (event place, offset int) {
	blank := len(h.text) - len(bytes.TrimLeft(h.text, space))
	offset = bytes.LastIndexByte(h.text[:blank], '\n') + 1
	line := 1 + bytes.Count(h.text[:offset], []byte{'\n'})
	return place{bytes.TrimRight(h.text[offset:], space), line}, offset
}

func (h *head) grow() error {
	const first = 16 << 10 // most single events fit
	if len(h.text) == cap(h.text) {
		h.text = append(make([]byte, 0, max(first, 2*cap(h.text))), h.text...)
	}
	n, err := h.r.Read(h.text[len(h.text):cap(h.text)])
	h.text = h.text[:len(h.text)+n]
	if errors.Is(err, io.EOF) {
		h.ended = true
	}
	return readError(err)
}

func (h *head) tooLong() bool { return len(h.text) > h.limit+len("\r\n") }
