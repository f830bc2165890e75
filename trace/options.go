package trace

import (
	"errors"
	"fmt"

	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// Options configures verification. The zero value applies the formats strictly.
type Options struct {
	Name   string // the input's display name, for findings
	Limits Limits
	Jobs   int    // goroutines that read lines, all of the work but reading ahead when there is one; 0 means one for each core
	Inline bool   // lines are read on the caller's goroutine instead: for many short logs; a Read that never returns keeps Verify
	Engine Engine // which engine reads the lines; "" is Fast
	Strict bool   // warnings about a log's form, and all of a transcript's, become errors

	// ExpectSHA256 is the expected digest of the input: 64 hexadecimal digits, optionally after "sha256:". It is
	// not checked if empty.
	ExpectSHA256 string
	// Anchor is the state of the log at an earlier time, or nil. With BySession, it is an anchor of sessions.
	Anchor *Anchor
	// AnchorGrowing allows new and longer sessions, with BySession.
	AnchorGrowing bool
	// After is the anchor of an archived log that the input continues: the first event must link to the anchor's
	// head. nil means that the input starts a log.
	After *Anchor
	// Unended allows a log without an end, because more events will follow.
	Unended bool
	// Sum asks for Report.Bytes and Report.SHA256.
	Sum bool

	// Growing means that the log is still being written: an unterminated last line is left for the next run. The
	// input must be JSON lines.
	Growing bool
	// Secrets searches the texts of a transcript for credentials. Records are then processed sequentially.
	Secrets bool
	// Resume is the state of an earlier run with Growing, or nil. The input then starts at Resume.Start, and
	// options that affect the verdict must be unchanged (see State.CheckOptions). The next state is in
	// Report.State.
	Resume *State

	// Follow describes the file of a growing log, or nil.
	Follow *FollowedFile

	// Diagnose adds the causes of damage to Report.Damage, such as encodings, wrappers, torn writes and forks. It
	// takes 8 bytes per event, plus up to 64 if the log fails, and rereads wrong lines. An input that implements
	// io.Seeker and io.ReaderAt can have up to Limits.IDs lines; other inputs, chains and logs of sessions are
	// limited to MaxDiagnosisBytes. If a failed log is not diagnosed, Report.Undiagnosed says why.
	Diagnose bool

	// BySession means that the log has many sessions in any order, identified by session_id. Each is judged
	// separately, and its report is in Report.Sessions.
	BySession bool

	Reasoning ReasoningOptions // for reasoning traces alone
	Session   SessionOptions   // for session logs alone

	// OnFinding, if set, is called for every finding in file order, when its block is complete. A Provisional
	// finding is dropped later if the input is rejected.
	OnFinding func(Finding)

	// OnTranscript, if set, is called when the input is recognized as a transcript, on any goroutine.
	OnTranscript func()
}

func (o *Options) check() error {
	if o.Follow != nil && !o.growing() {
		return errors.New("only a growing log can be followed")
	}
	if o.Growing && o.Anchor != nil {
		return errors.New("a growing log is compared with its own state, not with an anchor")
	}
	if o.Resume != nil {
		if err := o.Resume.CheckOptions(*o); err != nil {
			return err
		}
	}
	switch {
	case o.Anchor != nil && o.BySession != (o.Anchor.By != ""):
		return errors.New("an anchor of many sessions needs --by, and --by needs such an anchor")
	case o.After != nil && (o.BySession || o.growing() || o.Engine.consultsSecond() || o.After.By != ""):
		return errors.New("verifying after an anchor needs a single session log that does not grow, and the fast engine")
	}
	return errors.Join(o.Engine.check(), o.Session.check(), o.checkSessions())
}

// growing reports whether the log can continue after this run.
func (o *Options) growing() bool { return o.Growing || o.Resume != nil }

// Limits limits the resources that one input can use. Zero means the default.
type Limits struct {
	LineBytes int // the longest line; default 16 MiB
	Depth     int // nested containers of a line; default 128
	Keys      int // members of one object; default 100,000
	Values    int // values of one line, nested ones too; default 1,000,000, at 28 bytes each
	Findings  int // errors, and as many notes, that are kept; the rest is counted; default 1,000
	IDs       int // distinct ids that are remembered, at 32 bytes each; default 4,000,000
	Sessions  int // of one input that are open at a time, with Options.BySession; default 10,000
	Ended     int // … that have ended, at about 1 KiB each; default 100,000
}

// LimitError is returned by Verify for an input that exceeds a limit.
type LimitError struct {
	What  string // what exceeds the limit
	Limit int
	Flag  string // the flag of `cupel trace verify` that raises the limit
}

func (e *LimitError) Error() string { return (*stream.LimitError)(e).Error() }

// TranscriptError is the error of an option that does not apply to transcripts.
type TranscriptError struct {
	Input, Format string
	Flag          string // of `cupel trace verify`
}

func (e *TranscriptError) Error() string {
	return fmt.Sprintf("--%s does not apply to transcripts, but %q is one (%s)", e.Flag, e.Input, e.Format)
}

// exported converts an internal error to an exported type.
func exported(err error) error {
	var limit *stream.LimitError
	if errors.As(err, &limit) {
		return (*LimitError)(limit)
	}
	return err
}

// checkSessions returns an error if BySession is combined with options for a single session.
func (o *Options) checkSessions() error {
	switch {
	case !o.BySession:
		return nil
	case o.growing():
		return errors.New("--by cannot separate the sessions of a growing log")
	case o.Engine.consultsSecond():
		return errors.New("the second engine checks one log, not the sessions of one")
	case o.Session.ExpectCount != nil, o.Session.ExpectHead != "":
		return errors.New("an expected count or head applies to one session, not to several")
	case o.Session.Sources != nil:
		return errors.New("with --by, the sources of events are not compared: give the log of one session")
	case o.OnFinding != nil:
		return errors.New("with --by, findings are only in the reports of the sessions")
	}
	return nil
}

// ended returns why the log ended, at the end of the input.
func (o *Options) ended() EndReason {
	if o.Follow == nil || o.Follow.Ended == nil {
		return ""
	}
	return o.Follow.Ended()
}

// complete reports whether the followed log has ended.
func (o *Options) complete() bool { return o.ended() == Rotated || o.ended() == Finished }

// awaitsEnd reports whether the caller waits for the end of a session log.
func (o *Options) awaitsEnd() bool { return o.Follow != nil && o.Follow.OnEnd != nil }
