package attest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// The error codes of the protocol (§5) and those of JSON-RPC 2.0.
const (
	CodeParse          = -32700 // a line that is not JSON
	CodeInvalidRequest = -32600 // JSON, but no request
	CodeMethodNotFound = -32601
	CodeInvalidParams  = -32602
	CodeInvalidTrace   = 1001
	CodeAssertion      = 1002
	CodeProvider       = 2001
	CodeEngine         = 3001
	CodeTimeout        = 3002
	CodeSession        = 3003
)

// errorTypes holds the name of every code and whether a client may simply try again.
var errorTypes = map[int]struct {
	name      string
	retryable bool
}{
	CodeParse:          {"PARSE_ERROR", false},
	CodeInvalidRequest: {"INVALID_REQUEST", false},
	CodeMethodNotFound: {"METHOD_NOT_FOUND", false},
	CodeInvalidParams:  {"INVALID_PARAMS", false},
	CodeInvalidTrace:   {"INVALID_TRACE", false},
	CodeAssertion:      {"ASSERTION_ERROR", false},
	CodeProvider:       {"PROVIDER_ERROR", true},
	CodeEngine:         {"ENGINE_ERROR", false},
	CodeTimeout:        {"TIMEOUT", true},
	CodeSession:        {"SESSION_ERROR", false},
}

// Error is the error object of an answer (§5): the engine could not evaluate.
type Error struct {
	Code    int       `json:"code"`
	Message string    `json:"message"`
	Data    ErrorData `json:"data"`

	// Offset is the byte in the scanned text that the error is about.
	Offset int `json:"-"`

	inSubTrace bool // the message names the sub-trace already
}

// ErrorData tells a client what to do about an Error.
type ErrorData struct {
	ErrorType string `json:"error_type"` // the code's name in §5
	Retryable bool   `json:"retryable"`
	Detail    string `json:"detail"` // actionable guidance for the developer
}

// Error returns the message; the guidance is in Data.Detail.
func (e *Error) Error() string { return e.Message }

// NewError returns the error of a code with its name and retryability filled in.
func NewError(code int, message, detail string) *Error {
	t := errorTypes[code]
	return &Error{Code: code, Message: message,
		Data: ErrorData{ErrorType: t.name, Retryable: t.retryable, Detail: detail}}
}

// invalidTrace is a 1001.
func invalidTrace(detail, format string, args ...any) *Error {
	return NewError(CodeInvalidTrace, fmt.Sprintf(format, args...), detail)
}

// timedOut is a 3002, in the words of §5.
func timedOut(milliseconds int64) *Error {
	return NewError(CodeTimeout, fmt.Sprintf("evaluation timed out after %dms", milliseconds),
		"LLM-backed assertions (layers 5-6) can be slow. Reduce batch size or increase the engine timeout via --eval-timeout flag.")
}

// cutShort is a 3002 for an evaluation whose context has ended: its time is over, or
// nobody waits for it any more.
func (e *Engine) cutShort(ctx context.Context) *Error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return timedOut(e.opt.Timeout.Milliseconds())
	}
	return NewError(CodeTimeout, "evaluation was cancelled before it was done",
		"Send shutdown when every request is answered, or send this request to another engine.")
}

// AppendJSON appends the error object as the wire carries it.
func (e *Error) AppendJSON(dst []byte) []byte {
	dst = fmt.Appendf(dst, `{"code":%d,"message":`, e.Code)
	dst = appendQuoted(dst, e.Message)
	dst = append(dst, `,"data":{"error_type":`...)
	dst = appendQuoted(dst, e.Data.ErrorType)
	dst = fmt.Appendf(dst, `,"retryable":%t,"detail":`, e.Data.Retryable)
	dst = appendQuoted(dst, e.Data.Detail)
	return append(dst, "}}"...)
}

// appendQuoted appends s as a JSON string. Invalid UTF-8 becomes U+FFFD.
func appendQuoted(dst []byte, s string) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "\uFFFD")
	}
	start := 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		if !escaped[c] {
			continue
		}
		dst = append(dst, s[start:i]...)
		start = i + 1
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\n':
			dst = append(dst, `\n`...)
		case '\t':
			dst = append(dst, `\t`...)
		default:
			dst = append(dst, `\u00`...)
			dst = append(dst, hex[c>>4], hex[c&15])
		}
	}
	dst = append(dst, s[start:]...)
	return append(dst, '"')
}

// escaped marks the bytes that a JSON string holds as escapes only.
var escaped = func() (marks [256]bool) {
	for c := range ' ' {
		marks[c] = true
	}
	marks['"'], marks['\\'] = true, true
	return marks
}()
