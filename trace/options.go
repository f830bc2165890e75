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
	Strict bool   // what is only a warning about a log's form becomes a fault

	// ExpectSHA256 is the digest that the whole input must have: 64 hexadecimal digits,
	// with or without "sha256:". "" asks for nothing.
	ExpectSHA256 string
	// Anchor is what was noted about the log at another time; nil asks for nothing. With BySession
	// it is one of sessions.
	Anchor *Anchor
	// AnchorGrowing says, with BySession, that sessions may have been added since, and may be longer.
	AnchorGrowing bool
	// After is the anchor of a log whose events were retired, and which the input continues: its
	// first event must link to the anchor's head. Nil: the input begins the log.
	After *Anchor
	// Unended says that the log may end anywhere. It is to be sealed, and may go on.
	Unended bool
	// Sum asks for Report.Bytes and Report.SHA256.
	Sum bool

	// Growing says that the log is still being written: a last line without its end is
	// left for later. It wants JSON lines.
	Growing bool
	// Secrets asks for credentials in the texts of a transcript. Records are read one after the
	// other then.
	Secrets bool
	// Resume is where an earlier run with Growing stopped; nil starts afresh. The input
	// then begins at Resume.Start, and the options that can change a verdict must be those
	// of the earlier run; see State.CheckOptions. Growing runs return their own in Report.State.
	Resume *State

	// Follow is what is known about the file of a growing log that is read while it is
	// written; nil when it is read as it stands.
	Follow *Following

	// Diagnose asks for the causes of damage in Report.Damage: encodings, wrappers, torn writes, forks
	// and others that the chain alone does not tell apart. Where a log of at most MaxDiagnosisBytes
	// fails, it is read a second time for that. Logs that grow, that have many sessions or that are
	// in segments are not diagnosed.
	Diagnose bool

	// BySession says that the log holds the events of many sessions, in any order: each is
	// judged by itself, and has its report among Report.Sessions. Lines are told apart by their
	// member session_id.
	BySession bool

	Reasoning ReasoningOptions // for reasoning traces alone
	Session   SessionOptions   // for session logs alone

	// OnFinding, when set, gets every finding as soon as its block is complete, in file
	// order. One whose Detail says Provisional falls away when the input turns out to be
	// rejected.
	OnFinding func(Finding)
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
		return errors.New("an anchor of many sessions is for a log whose sessions are told apart, and the other way round")
	case o.After != nil && (o.BySession || o.growing() || o.Engine.consultsSecond() || o.After.By != ""):
		return errors.New("only one session log that does not grow can be verified after an anchor, by the fast engine")
	}
	return errors.Join(o.Engine.check(), o.Session.check(), o.checkSessions())
}

// growing says whether more of the log is to come.
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

// LimitError is the error of Verify for an input that asks for more than a limit
// allows, so that no answer can be given.
type LimitError struct {
	What  string // what there is too much of
	Limit int
	Flag  string // the flag of `cupel trace verify` that raises the limit
}

func (e *LimitError) Error() string { return (*stream.LimitError)(e).Error() }

// exported turns a family's error into one that callers can tell apart.
func exported(err error) error {
	var limit *stream.LimitError
	if errors.As(err, &limit) {
		return (*LimitError)(limit)
	}
	return err
}

// checkSessions returns an error for options that are about one session, where there are
// many.
func (o *Options) checkSessions() error {
	switch {
	case !o.BySession:
		return nil
	case o.growing():
		return errors.New("sessions are told apart in a log as it stands, not while it grows")
	case o.Engine.consultsSecond():
		return errors.New("the second engine checks one log, not the sessions of one")
	case o.Session.ExpectCount != nil, o.Session.ExpectHead != "":
		return errors.New("a count and a head are about one session, not about many")
	case o.OnFinding != nil:
		return errors.New("the findings of sessions come with their reports")
	}
	return nil
}

// ended is how the log ended, once the input has.
func (o *Options) ended() Ending {
	if o.Follow == nil || o.Follow.Ended == nil {
		return ""
	}
	return o.Follow.Ended()
}

// complete says, once the input has ended, that nothing more belongs to the log.
func (o *Options) complete() bool { return o.ended() == Rotated }
