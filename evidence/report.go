package evidence

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/cupel-dev/cupel/internal/finding"
	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// reportNode notes a finding at a value; see report.
func (h *Hasher) reportNode(rule *Rule, path string, at strictjson.Node, message string) *Finding {
	start, end := at.Span()
	if at.Is(strictjson.Object) || at.Is(strictjson.Array) {
		end = start + 1 // a container as a whole: its first byte is place enough
	}
	return h.report(rule, path, start, end, message)
}

// report notes a finding at the bytes [start, end) of the event. It returns the
// finding so that the caller can add to it, nil when it is counted only.
func (h *Hasher) report(rule *Rule, path string, start, end int, message string) *Finding {
	severity := h.severity(rule)
	h.event.Counts.add(severity)
	if h.room == 0 {
		h.event.Counts.Omitted++
		return nil
	}
	h.room-- // below zero: all are kept
	f := Finding{Rule: rule.ID, Severity: severity, Message: message, Path: path}
	point(&f, h.event.text, h.line, start, end)
	h.event.Findings = append(h.event.Findings, f)
	return &h.event.Findings[len(h.event.Findings)-1]
}

// severity is the rule's own unless an option raises it.
func (h *Hasher) severity(rule *Rule) finding.Severity {
	switch {
	case rule == ruleMismatch && h.opt.Check,
		rule == ruleAssumed && h.opt.Strict,
		rule == ruleUnsafe && h.opt.ExactIntegers:
		return finding.Error
	}
	return rule.Severity
}

// point fills in a finding's place within a text that begins on the given line and
// may hold several.
func point(f *Finding, text []byte, line, start, end int) {
	start = min(start, len(text))
	from := bytes.LastIndexByte(text[:start], '\n') + 1
	to := len(text)
	if i := bytes.IndexByte(text[start:], '\n'); i >= 0 {
		to = start + i
	}
	number := line + bytes.Count(text[:from], []byte{'\n'})
	source.Point(f, source.Line{Number: number, Bytes: text[from:to]}, start-from, min(end, to)-from)
}

// refusal returns the scanner's error as what it always is.
func refusal(err error) (refused *strictjson.Error) {
	if !errors.As(err, &refused) {
		panic("evidence.refusal: " + err.Error())
	}
	return refused
}

// refuse reports a text that is not strict JSON, or beyond a limit.
func (h *Hasher) refuse(e *strictjson.Error) {
	rule := ruleSyntax
	switch e.Code {
	case strictjson.UTF8:
		rule = ruleUTF8
	case strictjson.Surrogate:
		rule = ruleSurrogate
	case strictjson.DuplicateKey:
		rule = ruleDuplicate
	case strictjson.NumberRange:
		rule = ruleNumberRange
	case strictjson.Depth:
		rule = ruleDepth
	case strictjson.TooManyKeys, strictjson.StringLength, strictjson.TextLength:
		rule = ruleLimit
	}
	message := e.Message
	if e.Code == strictjson.Empty {
		message = "blank line, expected an event"
	}
	if f := h.report(rule, e.Pointer, e.Offset, e.Offset, message); f != nil {
		f.Help = h.advice(e)
	}
}

// advice says what to do about a text that was refused, where that is not plain.
func (h *Hasher) advice(e *strictjson.Error) string {
	text := h.event.text
	switch {
	case bytes.HasPrefix(text, []byte("\x1f\x8b")):
		return "this is gzip data; of a bundle, hash the events: tar -xzOf FILE events.ndjson | cupel evidence hash -"
	case bytes.HasPrefix(text, []byte("\xff\xfe")), bytes.HasPrefix(text, []byte("\xfe\xff")):
		return "this looks like UTF-16; evidence is UTF-8"
	case e.Code == strictjson.Empty:
		return "a stream has one event on each line, blank lines are refused"
	case e.Code == strictjson.Trailing:
		return "a stream has one event on each line, without line breaks inside it"
	case e.Code == strictjson.Depth:
		return "raise it with --limits '{\"max_json_depth\":N}'"
	case e.Code == strictjson.TextLength:
		return "raise it with --limits '{\"max_line_bytes\":N}'"
	case e.Code == strictjson.ByteOrder:
		return "remove the three bytes EF BB BF at the start"
	}
	return ""
}

// tooLong reports a line, or an event over several lines, of which only the start
// was read.
func (h *Hasher) tooLong(start []byte, line int, what string) Event {
	h.line = line
	h.event = Event{Line: line, text: start}
	h.refuse(&strictjson.Error{
		Code: strictjson.TextLength, Offset: len(start), Limit: int(h.opt.Limits.LineBytes),
		Message: fmt.Sprintf("%s of more than %d bytes", what, h.opt.Limits.LineBytes),
	})
	return h.event
}

// previewBytes is how much of a long value a message repeats.
const previewBytes = 80

// preview shortens a value for a message.
func preview(value []byte) string {
	if len(value) <= previewBytes {
		return strings.ToValidUTF8(string(value), "\uFFFD")
	}
	return strings.ToValidUTF8(string(value[:previewBytes]), "") + "…"
}
