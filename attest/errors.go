package attest

import (
	"errors"
	"fmt"
	"time"

	"github.com/cupel-dev/cupel/attest/internal/check"
	"github.com/cupel-dev/cupel/attest/internal/scan"
	"github.com/cupel-dev/cupel/attest/internal/trace"
	"github.com/cupel-dev/cupel/attest/internal/wording"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

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

// errorTypes maps codes to names and to whether clients can retry.
var errorTypes = [...]struct {
	code      int
	name      string
	retryable bool
}{
	{CodeParse, "PARSE_ERROR", false},
	{CodeInvalidRequest, "INVALID_REQUEST", false},
	{CodeMethodNotFound, "METHOD_NOT_FOUND", false},
	{CodeInvalidParams, "INVALID_PARAMS", false},
	{CodeInvalidTrace, "INVALID_TRACE", false},
	{CodeAssertion, "ASSERTION_ERROR", false},
	{CodeProvider, "PROVIDER_ERROR", true},
	{CodeEngine, "ENGINE_ERROR", false},
	{CodeTimeout, "TIMEOUT", true},
	{CodeSession, "SESSION_ERROR", false},
}

// Error is the error object of an answer (§5).
type Error struct {
	Code    int       `json:"code"`
	Message string    `json:"message"`
	Data    ErrorData `json:"data"`

	// Offset is the byte position of the error in the parsed text.
	Offset int `json:"-"`

	// Meant is a suggestion for the string at Offset, or "".
	Meant string `json:"-"`
}

// ErrorData helps clients handle an Error.
type ErrorData struct {
	ErrorType string `json:"error_type"` // the code's name in §5
	Retryable bool   `json:"retryable"`
	Detail    string `json:"detail"` // actionable guidance for the developer
}

// Error returns the message; the guidance is in Data.Detail.
func (e *Error) Error() string { return e.Message }

// NewError returns an error with the name and retryability of its code.
func NewError(code int, message, detail string) *Error {
	e := &Error{Code: code, Message: message, Data: ErrorData{Detail: detail}}
	for _, t := range errorTypes {
		if t.code == code {
			e.Data.ErrorType, e.Data.Retryable = t.name, t.retryable
		}
	}
	return e
}

func at(n strictjson.Node, err *Error) *Error {
	if n.Exists() {
		err.Offset, _ = n.Span()
	}
	return err
}

// scanError returns the error for malformed JSON.
func scanError(r scan.Refusal) *Error {
	code := CodeParse
	switch r.Part {
	case scan.InTrace:
		code = CodeInvalidTrace
	case scan.InAssertions:
		code = CodeAssertion
	}
	err := NewError(code, r.Message, r.Detail)
	err.Offset = r.Offset
	return err
}

func traceError(bad *trace.Invalid) *Error {
	return at(bad.Node, NewError(CodeInvalidTrace, bad.Message, bad.Detail))
}

// assertionError returns error 1002 about assertion i.
func assertionError(id string, i int, p *check.Problem) *Error {
	name := fmt.Sprintf("assertion '%s'", say.Clip(wording.OneLine(id), 64))
	if id == "" {
		name = fmt.Sprintf("assertion at index %d", i)
	}
	err := at(p.Node, NewError(CodeAssertion, name+" failed: "+p.Reason, p.Detail))
	err.Meant = p.Meant
	return err
}

// TimedOut returns error 3002 for a timeout, worded as in §5.
func TimedOut(limit time.Duration) *Error {
	return NewError(CodeTimeout, fmt.Sprintf("evaluation timed out after %dms", limit.Milliseconds()),
		"LLM-backed assertions (layers 5-6) can be slow. Reduce batch size or increase the engine timeout via --eval-timeout flag.")
}

// CutShort returns error 3002 for an engine that is shutting down.
func CutShort() *Error {
	return NewError(CodeTimeout, "evaluation was cancelled before it finished",
		"Send shutdown after every request is answered, or send this request to another engine.")
}

// providerError wraps an error in a 2001, unless it is an *Error.
func providerError(err error) error {
	if own := (*Error)(nil); errors.As(err, &own) {
		return own
	}
	detail := "Wait and retry; see the log of the provider for details."
	if guide := (interface{ Detail() string })(nil); errors.As(err, &guide) {
		detail = guide.Detail()
	}
	return NewError(CodeProvider, wording.OneLine(err.Error()), detail)
}

// MarshalJSON returns the protocol's error object.
func (e *Error) MarshalJSON() ([]byte, error) { return e.AppendJSON(nil), nil }

// AppendJSON appends the protocol's error object.
func (e *Error) AppendJSON(dst []byte) []byte {
	dst = fmt.Appendf(dst, `{"code":%d,"message":`, e.Code)
	dst = wording.AppendQuoted(dst, e.Message)
	dst = append(dst, `,"data":{"error_type":`...)
	dst = wording.AppendQuoted(dst, e.Data.ErrorType)
	dst = fmt.Appendf(dst, `,"retryable":%t,"detail":`, e.Data.Retryable)
	dst = wording.AppendQuoted(dst, e.Data.Detail)
	return append(dst, "}}"...)
}
