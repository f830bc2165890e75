// Package transcript reads the files in which coding agents keep their sessions: Claude Code,
// Codex, Gemini CLI, OpenCode, Copilot CLI, ATIF (Harbor) and Inspect.
//
// Each format is one reader: a function that says of one record what kind of record it is,
// which ids it has and which parts (text, call, result). Everything else hangs on that one
// reading: the rules of package trace, the import into traces of the attest protocol, the
// usage numbers and the pages.
//
// A file is JSON lines, one record on each line, or one JSON document whose records are the
// elements of a list. Both are read as a stream; see Lines and Document.
package transcript

import (
	"time"

	"github.com/cupel-dev/cupel/internal/strictjson"
)

// Format names the program that wrote a transcript.
type Format string

// The formats. None is the format of a file that is not a transcript.
const (
	None       Format = ""
	ClaudeCode Format = "claude-code"
	Codex      Format = "codex"
	Gemini     Format = "gemini"
	OpenCode   Format = "opencode"
	Copilot    Format = "copilot"
	ATIF       Format = "atif"
	Inspect    Format = "inspect"
)

// Flags say what a record is, as bits.
type Flags uint32

// The flags.
const (
	Known     Flags = 1 << iota // its type is one that the format's table lists
	Chained                     // it has an id and names a parent, or is a root
	MayRoot                     // it may have no parent though others come before it
	Side                        // it belongs to a subagent, not to the main thread
	Header                      // it describes the session
	Copied                      // its content was copied from another session
	Prompt                      // it begins a turn with the words of a user
	Abort                       // the turn was interrupted here: open calls stay open
	Synthetic                   // the agent wrote it in the model's place
	Model                       // the model wrote it
	Forked                      // a header that says that the session continues another one
	Paginated                   // a header that says that records are numbered
	Compacted                   // the history was summarized here
	Resumed                     // the session was taken up again here
	Ended                       // the session, or its segment, was closed here
	NoTime                      // its time is not its place in the file
	Metadata                    // it describes the session, has no place in the conversation
	Update                      // it may replace an earlier record with its id
)

// Role says whose words a record has.
type Role uint8

// The roles.
const (
	NoRole Role = iota
	User
	Assistant
	System
)

// PartKind says what a part of a record is.
type PartKind uint8

// The kinds of parts.
const (
	Text    PartKind = iota + 1
	Thought          // reasoning of the model
	Call             // of a tool
	Result           // of a call
	Media            // an image, a file or another attachment
	Begin            // a response of the model begins here, inside its record
	Finish           // … and ends here, with its usage
	Turn             // a prompt of the user begins here, inside its record
)

// Part is one piece of a record.
type Part struct {
	Kind    PartKind
	Node    strictjson.Node // all of it
	ID      strictjson.Node // of a call or a result: the id that pairs them
	Own     strictjson.Node // the part's own id, where the format gives it one
	Session strictjson.Node // … and the session that it names
	Name    strictjson.Node // of a call: the tool
	As      string          // the tool's name where no node has it
	Value   strictjson.Node // the text, the arguments or the result
	Error   strictjson.Node // of a failed result: true, or what went wrong
	Time    strictjson.Node
	Usage   Usage
	Open    bool // a call whose own state says that it never ended
	Echo    bool // a call that another record has announced
	Server  bool // a call that the provider carries out: its result is not in the file
	NoPair  bool // a result that names no call, which the format allows
	Cut     bool // the agent itself shortened the output
	Empty   bool // an attachment without its data
	Sub     bool // a call that starts a subagent
}

// Usage is what a model call took, as one record states it.
type Usage struct {
	Known bool
	Node  strictjson.Node
	Input, CacheRead, CacheWrite, Output,
	Reasoning, Total int64
	Cost float64 // in US dollars; 0 where it is not stated
}

// Record is what a reader says of one record.
type Record struct {
	Place
	Type  string // for people: "assistant", "response_item/function_call"
	Flags Flags
	Role  Role
	Root  strictjson.Node

	ID       strictjson.Node // unique in the file
	Parent   strictjson.Node // the ID of another record; absent where the format has no links
	Session  strictjson.Node
	Agent    strictjson.Node // the subagent whose record it is
	Time     strictjson.Node
	Ordinal  strictjson.Node // the record's number
	Response strictjson.Node // records with the same one are one response of the model
	Request  strictjson.Node // … together with this one, for usage
	Model    strictjson.Node
	Folder   strictjson.Node // where the agent worked

	Parts  []Part
	Usage  Usage // of this model call
	Sum    Usage // of the session so far
	Faults []Fault

	Rewind   strictjson.Node // the ID from which on records are taken back
	Back     int64           // turns that are taken back
	Messages strictjson.Node // a list of records that replaces all before it
}

// Has says whether all the given flags are set.
func (r *Record) Has(f Flags) bool { return r.Flags&f == f }

func (r *Record) set(f Flags, on bool) {
	if on {
		r.Flags |= f
	}
}

func (r *Record) reset() {
	parts, faults := r.Parts[:0], r.Faults[:0]
	*r = Record{Parts: parts, Faults: faults}
}

// Place is where a record is in its file.
type Place struct {
	Line   int   // 1-based
	Column int   // code points before it on its line
	Offset int64 // of its first byte
	Text   []byte
}

// LineAt returns the line of a byte of the record's text.
func (p Place) LineAt(offset int) int {
	line := p.Line
	for _, c := range p.Text[:min(offset, len(p.Text))] {
		if c == '\n' {
			line++
		}
	}
	return line
}

// LineOf returns the line on which a node of the record begins.
func (p Place) LineOf(n strictjson.Node) int {
	if !n.Exists() {
		return p.Line
	}
	start, _ := n.Span()
	return p.LineAt(start)
}

// Fault is something that is wrong with a record, or with the bytes of the file.
type Fault struct {
	Rule    string // without the prefix "transcript."
	Line    int
	Lines   int // how many lines it covers; 0 is one
	Column  int
	Offset  int64
	Message string
	Help    string
	Type    string   // of the record
	IDs     []string // that the fault is about
	Lost    bool     // a record, or a part of one, is lost
	Mild    bool     // nothing is lost: a warning where the rule is an error
	Known   bool     // information only
}

// Millis returns the time that a node states, in milliseconds since 1970; ok is false where
// it states none. It reads texts of RFC 3339 and numbers of milliseconds.
func Millis(n strictjson.Node) (ms int64, ok bool) {
	if ms, ok := n.Int(); ok {
		return ms, ms > 0
	}
	text, ok := n.Text()
	if !ok {
		return 0, false
	}
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		if t, err = time.Parse("2006-01-02T15:04:05.999999999", text); err != nil {
			return 0, false
		}
	}
	return t.UnixMilli(), true
}

// Limits are the scanner limits of transcripts: what the agents' own readers accept, within
// the given bounds.
func Limits(l strictjson.Limits) strictjson.Limits {
	l.DuplicateKeys, l.LoneSurrogates, l.WideNumbers = true, true, true
	return l
}

// text returns the text of a node, "" for anything but a string.
func text(n strictjson.Node) string {
	s, _ := n.Text()
	return s
}

func isString(n strictjson.Node) bool { return n.Is(strictjson.String) }
func isObject(n strictjson.Node) bool { return n.Is(strictjson.Object) }

// isTrue says whether a node is true.
func isTrue(n strictjson.Node) bool { b, _ := n.Bool(); return b }

// count adds the named counters of an object; ok is false when one is not a natural number.
func count(n strictjson.Node, names ...string) (sum int64, ok bool) {
	ok = true
	for _, name := range names {
		m := n.Last(name)
		if m.Missing() {
			continue
		}
		v, is := m.Int()
		if !is {
			f, isFloat := m.Float()
			if is = isFloat && f >= 0 && f < maxTokens && f == float64(int64(f)); is {
				v = int64(f)
			}
		}
		if !is || v < 0 || v > maxTokens {
			return 0, false
		}
		sum += v
	}
	return sum, ok
}

// maxTokens is more than anything takes, so that sums cannot overflow.
const maxTokens = 1 << 46

// usage reads counters under their names; a name "" is absent.
func usage(n strictjson.Node, input, read, write, output, reasoning, total string) Usage {
	u := Usage{Node: n, Known: isObject(n)}
	for _, c := range []struct {
		into *int64
		name string
	}{{&u.Input, input}, {&u.CacheRead, read}, {&u.CacheWrite, write}, {&u.Output, output}, {&u.Reasoning, reasoning}, {&u.Total, total}} {
		v, ok := count(n, c.name)
		*c.into, u.Known = v, u.Known && ok
	}
	return u
}
