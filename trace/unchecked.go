package trace

import (
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

type unknownChecker struct {
	findings *stream.Findings
	line     int
}

func (u *unknownChecker) Worker() stream.Worker { return ignore{} }

func (u *unknownChecker) Finish() (stream.Outcome, error) {
	u.reject()
	return stream.Outcome{}, nil
}

func (u *unknownChecker) reject() {
	f := rules[familyUnknown].New("the first record is neither of a reasoning trace nor of a session log")
	f.Line = u.line
	f.Help = "a reasoning trace has \"record\" or \"kind\", a session log \"event_type\" and \"payload\""
	u.findings.Reject(f)
}

// unread is a summarizer for logs of an unknown family. Its summaries are empty.
type unread struct{ *unknownChecker }

func (unread) Summary() (core, column []byte, err error) { return nil, nil, nil }

func (unread) Expect([]byte) error { return nil }

func (unread) Replay(stream.Replay) error { return nil }

type ignore struct{}

func (ignore) Line(stream.Line, *strictjson.Document) {}
func (ignore) Unreadable(stream.Lost)                 {}
func (ignore) Flush() func() error                    { return nil }

// broken is a checker that only returns an error.
type broken struct{ err error }

func (b broken) Worker() stream.Worker { return uncheckedReader{err: b.err} }

// uncheckedReader stops the run after the first block of a growing log, because there is nothing to wait for.
type uncheckedReader struct {
	ignore
	err error
}

func (u uncheckedReader) Flush() func() error { return func() error { return u.err } }

func (b broken) Finish() (stream.Outcome, error) { return stream.Outcome{}, b.err }
