package capture

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// eventFields are the fields of server-sent events other than data.
var eventFields = [][]byte{[]byte("event:"), []byte("id:"), []byte("retry:"), []byte(":")}

var byteOrderMark = []byte("\ufeff")

// fillText reads lines up to the end of a text and queues its messages.
func (r *Reader) fillText() error {
	blank := r.stats.Blank
	if err := r.nextLine(); err != nil {
		if r.frame.pending {
			r.endFrame("the input ends inside this value")
		}
		return err
	}
	if r.frame.events && r.frame.pending && r.stats.Blank > blank {
		r.endFrame(eventEnds)
	}
	if r.line.Long {
		if r.frame.pending {
			r.endFrame("the next line is too long")
		}
		r.refuse(r.longLine())
		return nil
	}
	text := r.line.Bytes
	if r.line.Number == 1 {
		text = bytes.TrimPrefix(text, byteOrderMark)
	}
	data, isData := bytes.CutPrefix(text, []byte("data:"))
	if isData {
		text = data
	}
	if r.frame.pending && r.goOn(text, isData) {
		return nil
	}
	switch {
	case isData:
		r.found(SSE)
		if string(bytes.TrimSpace(text)) == "[DONE]" {
			return nil
		}
	case r.format == SSE && hasAnyPrefix(text, eventFields):
		return nil
	}
	r.frame.clear()
	r.frame.events = isData
	r.ofText(text, "")
	return nil
}

func hasAnyPrefix(text []byte, prefixes [][]byte) bool {
	for _, p := range prefixes {
		if bytes.HasPrefix(text, p) {
			return true
		}
	}
	return false
}

const eventEnds = "the event ends inside this value"

// goOn adds a line to the pending text. It returns false if the line does not continue it.
func (r *Reader) goOn(text []byte, isData bool) bool {
	f := &r.frame
	if f.events != isData {
		r.endFrame(eventEnds)
		return false
	}
	end, p := f.balance.feed(text)
	switch {
	case p == broken:
		r.endFrame("the value does not go on in the next line")
		return false
	case len(f.text)+len(text) > r.options.Limits.LineBytes:
		f.text = append(f.text[:0], f.text[:min(len(f.text), 64)]...)
		e := &LineError{
			Input: r.input, Line: f.first, Column: 1, Limit: LimitLineBytes,
			Message: "the value is longer than " + say.Counted(r.options.Limits.LineBytes, "byte"),
		}
		r.refuse(e)
		f.clear()
		return true
	}
	f.text = append(append(f.text, '\n'), text...)
	if p == unfinished {
		return true
	}
	f.pending = false
	rest := text[end:]
	r.ofValue(f.text[:len(f.text)-len(rest)], f.prefix, false)
	if len(bytes.TrimSpace(rest)) > 0 {
		f.clear()
		r.ofText(rest, "")
	}
	return true
}

// endFrame drops the pending text.
func (r *Reader) endFrame(why string) {
	f := &r.frame
	r.refuse(&LineError{
		Input: r.input, Line: f.first, Column: 1, Truncated: true,
		Message: "a JSON value begins here and does not end: " + why,
		Hint:    unfinishedHint,
	})
	f.clear()
}

// ofText queues the content of a line, or of the rest of a line after the text before.
func (r *Reader) ofText(text []byte, before string) {
	r.frame.first = r.line.Number
	trimmed := bytes.TrimLeft(text, " \t")
	if len(trimmed) == 0 {
		return
	}
	if before == "" && (trimmed[0] == '{' || trimmed[0] == '[') {
		r.frame.text = text
		if r.ofValue(text, "", trimmed[0] == '[') {
			return
		}
	}
	r.ofLog(text, before)
}

// ofValue parses a text as one value. It returns false for a text that can still contain one; otherwise errors are
// queued.
func (r *Reader) ofValue(text []byte, prefix string, maybe bool) bool {
	r.frame.at, r.frame.line = 0, r.frame.first
	r.frame.text = text
	r.scanner.Trim(keptScan)
	doc, fault := scan(r.scanner, text)
	if fault == nil {
		r.take(doc.Root(), contextOf(prefix))
		return true
	}
	switch {
	case maybe && fault.Code == strictjson.Syntax && fault.Offset < 8:
		return false // bracketed text, as in logs
	case fault.Code == strictjson.Trailing:
		return false
	case fault.Code == strictjson.Truncated && !r.frame.pending:
		return !r.begins(text, prefix)
	}
	r.refuse(r.noValue(fault))
	return true
}

// noValue returns the error for malformed JSON in the frame.
func (r *Reader) noValue(fault *strictjson.Error) *LineError {
	if r.frame.first == r.line.Number {
		return r.noJSON(fault)
	}
	e := textError(r.frame.text, fault)
	e.Input, e.Line = r.input, e.Line+r.frame.first-1
	return e
}

// begins makes the rest of a line pending, to be continued on the next. It returns true if it is not worth waiting,
// so that other text is searched.
func (r *Reader) begins(text []byte, prefix string) bool {
	f := &r.frame
	f.balance = balance{open: f.balance.open[:0]}
	switch _, p := f.balance.feed(text); p {
	case unfinished:
		if !r.line.Terminated && prefix == "" {
			break
		}
		f.text, f.pending, f.prefix = append([]byte(nil), text...), true, prefix
		return false
	case finished:
		return true
	}
	_, fault := scan(r.scanner, text)
	e := r.noJSON(fault)
	r.refuse(e)
	return false
}

// mostStarts limits the attempts to find a value in one line.
const mostStarts = 16

func (r *Reader) ofLog(line []byte, before string) {
	found := false
	rest := line
	for range mostStarts {
		start := bytes.IndexAny(rest, "{[")
		if start < 0 {
			break
		}
		prefix := before + string(rest[:start])
		text := rest[start:]
		var b balance
		end, p := b.feed(text)
		if part, known := r.ofPart(text[:end], prefix, p); part {
			found, rest, before = found || known, text[end:], ""
			continue
		}
		if p == unfinished && text[0] == '{' && likeMessage(text) && r.line.Terminated {
			r.begins(text, prefix)
			return
		}
		if p != finished && text[0] == '{' && likeMessage(text) {
			r.refuse(&LineError{
				Input: r.input, Line: r.line.Number, Column: source.Column(line, len(line)-len(text)), Truncated: true,
				Message: "a JSON value begins here and does not end", Hint: unfinishedHint,
			})
			return
		}
		before, rest = prefix+string(text[:1]), text[1:]
	}
	if found {
		return
	}
	if likeMessage(line) {
		r.refuse(&LineError{
			Input: r.input, Line: r.line.Number, Column: 1,
			Message: "the line has fields of a message, but no message", Hint: "check whether the start of the line was cut off",
		})
		return
	}
	if source.IsEncoding(source.Likeness(line)) || !utf8.Valid(line) || bytes.IndexByte(line, 0) >= 0 {
		_, fault := scan(r.scanner, line)
		r.refuse(r.noJSON(fault))
		return
	}
	r.unknown("lines of text")
}

// ofPart tries to read a part of a line as a value. part reports whether it is one, known whether it is of a known
// kind.
func (r *Reader) ofPart(text []byte, prefix string, p progress) (part, known bool) {
	if p != finished {
		return false, false
	}
	doc, fault := scan(r.scanner, text)
	if fault != nil {
		return false, false
	}
	r.frame.text, r.frame.at, r.frame.line = text, 0, r.frame.first
	return true, r.take(doc.Root(), contextOf(prefix))
}

func likeMessage(text []byte) bool {
	return bytes.Contains(text, []byte(`"jsonrpc"`)) || bytes.Contains(text, []byte(`"method"`))
}

func (r *collector) unknown(looks string) {
	r.stats.Unknown++
	if r.stats.Looks == "" {
		r.stats.Looks = looks
	}
}

// take queues a value's messages and reports whether its kind is known.
func (r *Reader) take(n strictjson.Node, c context) bool {
	c.node = n
	before := len(r.queue)
	known := find(&r.collector, n, c)
	switch {
	case known || len(r.queue) > before:
		return true
	case c.wrapped: // in a line of text
		return false
	case !r.options.Known:
		r.found(Plain)
		addPlain(&r.collector, n)
	case r.format == Runner && (n.Get("direction").Exists() || n.Get("content").Exists()):
		readRunner(&r.collector, n, c) // reports missing members
	default:
		addPayload(&r.collector, n)
	}
	return true
}

// looksLike returns the first member names of a record.
func looksLike(n strictjson.Node) string {
	if !n.Is(strictjson.Object) {
		return "JSON, each value " + article(n)
	}
	var names []string
	for member := range n.Children() {
		if names = append(names, say.Quoted(member.Key())); len(names) == 4 {
			break
		}
	}
	if len(names) == 0 {
		return "JSON, empty objects"
	}
	return "JSON objects with " + strings.Join(names, ", ")
}

const unfinishedHint = "wait until the writer has finished, or copy the whole file"

// noJSON returns the error for malformed JSON in a line.
func (r *Reader) noJSON(fault *strictjson.Error) *LineError {
	e := textError(r.line.Bytes, fault)
	e.Truncated = !r.line.Terminated && endsInside(r.line.Bytes, fault)
	switch {
	case e.Truncated:
		e.Message += ": the input ends inside this line"
		e.Hint = unfinishedHint
	case e.Hint != "" || e.Limit != "":
	case r.line.Number == 1 && source.IsEncoding(source.Likeness(r.line.Bytes)):
		e.Hint = source.EncodingHint(source.Likeness(r.line.Bytes))
	case fault.Code == strictjson.Truncated:
		e.Hint = "a message takes exactly one line: `jq -c .` writes it so"
	}
	e.Input, e.Line = r.input, r.line.Number
	return e
}

func (r *Reader) longLine() *LineError {
	message := source.TooLong(r.line.Size, r.options.Limits.LineBytes)
	return r.fault(&LineError{Message: message, Limit: LimitLineBytes}, 0)
}

// fault sets the position of an error to a byte of the line.
func (r *Reader) fault(e *LineError, offset int) *LineError {
	e.Input, e.Line = r.input, r.line.Number
	e.Column = source.Column(r.line.Bytes, offset)
	return e
}
