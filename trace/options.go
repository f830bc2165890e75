package trace

import (
	"errors"

	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// Options say how to verify. The zero value verifies by the letter of the formats.
type Options struct {
	Name   string // the input's display name, for findings
	Limits Limits
	Jobs   int    // goroutines that read lines, all of the work but reading ahead when there is one; 0 means one for each core
	Inline bool   // lines are read on the caller's goroutine instead: for many short logs; a Read that never returns keeps Verify
	Engine Engine // which engine reads the lines; "" is Fast
	Strict bool   // warnings about a log's form become errors

	// ExpectSHA256 is the required digest of the whole input: 64 hexadecimal digits, with or
	// without "sha256:", or "".
	ExpectSHA256 string
	// Anchor is the state of the log at an earlier time, or nil. With BySession it is one of sessions.
	Anchor *Anchor
	// AnchorGrowing allows, with BySession, added and longer sessions.
	AnchorGrowing bool
	// After is the anchor of a log whose retired events the input continues: its first event must
	// link to the anchor's head. Nil: the input starts the log.
	After *Anchor
	// Unended says that the log may end anywhere. It is to be sealed, and may go on.
	Unended bool
	// Sum asks for Report.Bytes and Report.SHA256.
	Sum bool

	// Growing says that the log is still being written: a last line without its end is
	// left for later. It wants JSON lines.
	Growing bool
	// Secrets asks for credentials in the texts of a transcript. Records are read one after the other then.
	Secrets bool
	// Resume is the state of an earlier run with Growing, or nil. The input then starts at Resume.Start, and options
	// that affect the verdict must be equal; see State.CheckOptions. Growing runs return theirs in Report.State.
	Resume *State

	// Follow describes the file of a growing log that is being written, or nil.
	Follow *FollowedFile

	// Diagnose requests causes of damage in Report.Damage, such as encodings, wrappers, torn writes and forks. It
	// takes 8 bytes per event, and at most 64 more if the log fails; wrong lines are read again. An input that
	// implements io.Seeker and io.ReaderAt can have any length with up to Limits.IDs lines; of others, chains and
	// sessions there is a diagnosis up to MaxDiagnosisBytes. Report.Undiagnosed says why another failed log is not
	// diagnosed: it is longer, still grows, is checked in ranges, or has a segment that cannot be opened twice.
	Diagnose bool

	// BySession means that the log contains many sessions in any order, identified by session_id.
	// Each is judged separately, with its report in Report.Sessions.
	BySession bool

	Reasoning ReasoningOptions // for reasoning traces alone
	Session   SessionOptions   // for session logs alone

	// OnFinding, if set, receives every finding when its block is complete, in file order. A
	// Provisional one is dropped if the input is rejected.
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

// growing reports whether more of the log is to come.
func (o *Options) growing() bool { return o.Growing || o.Resume != nil }

// Limits bound what one input may ask for. Zero fields mean the defaults.
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

// LimitError is Verify's error for an input that exceeds a limit and cannot be judged.
type LimitError struct {
	What  string // what exceeds the limit
	Limit int
	Flag  string // the flag of `cupel trace verify` that raises the limit
}

func (e *LimitError) Error() string { return (*stream.LimitError)(e).Error() }

// exported converts a family's error to an exported type.
func exported(err error) error {
	var limit *stream.LimitError
	if errors.As(err, &limit) {
		return (*LimitError)(limit)
	}
	return err
}

// checkSessions returns an error for options that are about one session, where there are many.
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
	case o.OnFinding != nil:
		return errors.New("with --by, findings are only in the reports of the sessions")
	}
	return nil
}

// ended returns how the log ended, after the end of the input.
func (o *Options) ended() EndReason {
	if o.Follow == nil || o.Follow.Ended == nil {
		return ""
	}
	return o.Follow.Ended()
}

// complete says, once the input has ended, that nothing more belongs to the log.
func (o *Options) complete() bool { return o.ended() == Rotated || o.ended() == Finished }

// awaitsEnd says that the end of a session log is waited for.
func (o *Options) awaitsEnd() bool { return o.Follow != nil && o.Follow.OnEnd != nil }
