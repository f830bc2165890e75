package evidence

import (
	"bytes"
	"context"
	"errors"
	"io"

	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// head is the start of an input, as far as it has to be read to tell one event from a
// stream of them:
//
//   - One line that is not blank is one event, and so is one JSON value over several
//     lines.
//   - When the first line ends inside a JSON value, the second one carries that on and
//     is no object by itself, the input is one event too: one that is broken further
//     on, or beyond the limit.
//   - When the first lines all begin unlike an event, the input holds none: it is YAML,
//     text in another encoding, or no text at all.
//   - Everything else is a stream.
//
// So an event may be pretty-printed, but not in a stream, and a truncated first line
// does not make the rest of a stream unreadable.
type head struct {
	r       io.Reader
	limit   int // bytes of one event
	scanner *strictjson.Scanner

	text  []byte
	ended bool // text is the whole input
}

// kind is what an input is.
type kind uint8

const (
	manyEvents kind = iota
	singleEvent
	noEvents
)

// readHead reads the head and decides. It returns ctx's error at once, even while r
// keeps it waiting.
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

// rest is the whole input again.
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

// foreignLines is how many lines that begin unlike an event show that there will be none:
// fewer may be a damaged beginning.
const foreignLines = 16

// foreign reads until a line begins as an event does, or enough lines, or all of more than
// one, do not.
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

// unlike says whether the lines that have been read begin unlike events, as far as that
// is known.
func (h *head) unlike() (unlike, known bool) {
	lines := 0
	for rest := h.text; len(rest) > 0; {
		line, after, whole := bytes.Cut(rest, []byte{'\n'})
		begun := bytes.TrimLeft(bytes.TrimPrefix(line, []byte("\ufeff")), space)
		switch {
		case (len(begun) > 1 || whole && len(begun) > 0) && !source.Foreign(line): // two bytes tell
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

// goesOn says whether lines are, or can become, one JSON value.
func (h *head) goesOn(lines span) bool {
	code := h.code(lines)
	return code == "" || code == strictjson.Truncated
}

// space is JSON's white space.
const space = " \t\r\n"

// span is a part of head.text.
type span struct{ start, end int }

func (s span) empty() bool { return s.start == s.end }

// lines returns the first two lines that are complete and not blank.
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

// code says why a part of the text is not one JSON value, "" when it is. A byte order
// mark, which the hasher will report, does not change the decision.
func (h *head) code(part span) strictjson.Code {
	text := bytes.TrimRight(h.text[part.start:part.end], space)
	_, err := h.scanner.Scan(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")))
	if err != nil {
		return refusal(err).Code
	}
	return ""
}

// event cuts the single event out of the text, without the lines around it, and says at
// which byte it begins: columns count from the line's own beginning.
func (h *head) event() (event place, offset int) {
	blank := len(h.text) - len(bytes.TrimLeft(h.text, space))
	offset = bytes.LastIndexByte(h.text[:blank], '\n') + 1
	line := 1 + bytes.Count(h.text[:offset], []byte{'\n'})
	return place{bytes.TrimRight(h.text[offset:], space), line}, offset
}

// grow reads once.
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
