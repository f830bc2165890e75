package trace

import (
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// unknownChecker is the checker of a log of unknownChecker family.
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

// unread makes, and takes, the summaries of such a log: there is nothing to remember.
type unread struct{ *unknownChecker }

func (unread) Summary() (core, column []byte, err error) { return nil, nil, nil }

func (unread) Expect([]byte) error { return nil }

func (unread) Replay(stream.Replay) error { return nil }

type ignore struct{}

func (ignore) Line(stream.Line, *strictjson.Document) {}
func (ignore) Unreadable(stream.Lost)                 {}
func (ignore) Flush() func() error                    { return nil }

// broken is the checker of a log that cannot be checked for want of something else.
type broken struct{ err error }

func (b broken) Worker() stream.Worker { return uncheckedReader{err: b.err} }

// uncheckedReader ends the run with the first block: a log that grows has no end to wait for.
type uncheckedReader struct {
	ignore
	err error
}

func (u uncheckedReader) Flush() func() error { return func() error { return u.err } }

func (b broken) Finish() (stream.Outcome, error) { return stream.Outcome{}, b.err }
