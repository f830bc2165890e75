// Package transcript reads session files of coding agents: Claude Code, Codex, Gemini CLI,
// OpenCode, Copilot CLI, ATIF (Harbor) and Inspect.
//
// Each format has one reader that determines a record's kind, ids and parts (text, call, result).
// Package trace's rules, the import into attest traces, usage and pages are based on it.
//
// A file is JSON lines, or one JSON document with records as list elements. Both are streamed; see
// Lines and Document.
package transcript

import (
	"time"

	"github.com/cupel-dev/cupel/internal/strictjson"
)

// Format names the program that wrote a transcript.
type Format string

// The formats. None means that a file is not a transcript.
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

// Flags describe a record.
type Flags uint32

const (
	Known     Flags = 1 << iota // the type is in the format's table
	Chained                     // has an id and a parent, or is a root
	MayRoot                     // can lack a parent even if other records precede it
	Side                        // belongs to a subagent
	Header                      // describes the session
	Copied                      // copied from another session
	Prompt                      // starts a turn with a user's text
	Abort                       // interrupts the turn: open calls stay open
	Synthetic                   // written by the agent in place of the model
	Model                       // written by the model
	Forked                      // header of a session that continues another one
	Paginated                   // header of a session with numbered records
	Compacted                   // history summarized here
	Resumed                     // session resumed here
	Ended                       // session or segment closed here
	NoTime                      // time does not match the file order
	Metadata                    // describes the session, not part of the conversation
	Update                      // can replace an earlier record with its id
)

// Role is the speaker of a record.
type Role uint8

const (
	NoRole Role = iota
	User
	Assistant
	System
)

// PartKind is the kind of a part.
type PartKind uint8

const (
	Text    PartKind = iota + 1
	Thought          // model reasoning
	Call             // tool call
	Result           // result of a call
	Media            // image, file or other attachment
	Begin            // start of a model response inside a record
	Finish           // its end, with usage
	Turn             // a prompt of the user begins here, inside its record
)

// Part is a piece of a record.
type Part struct {
	Kind    PartKind
	Node    strictjson.Node // the whole part
	ID      strictjson.Node // id that pairs a call and its result
	Own     strictjson.Node // the part's separate id, if any
	Session strictjson.Node // session that the part refers to
	Name    strictjson.Node // tool of a call
	As      string          // tool name, if no node contains it
	Value   strictjson.Node // text, arguments or result
	Error   strictjson.Node // of a failed result: true or a message
	Time    strictjson.Node
	Usage   Usage
	Open    bool // a call marked as unfinished
	Echo    bool // a call that an earlier record announced
	Server  bool // executed by the provider: no result in the file
	NoPair  bool // a result that legitimately names no call
	Cut     bool // output truncated by the agent
	Empty   bool // attachment without data
	Sub     bool // starts a subagent
}

// Record is a parsed record.
type Record struct {
	Place
	Type  string // for display: "assistant", "response_item/function_call"
	Flags Flags
	Role  Role
	Root  strictjson.Node

	ID       strictjson.Node // unique in the file
	Parent   strictjson.Node // ID of another record; absent if the format has no links
	Session  strictjson.Node
	Agent    strictjson.Node // subagent of the record
	Time     strictjson.Node
	Ordinal  strictjson.Node // sequence number
	Response strictjson.Node // records with the same value form one model response
	Request  strictjson.Node // combined with Response for usage
	Model    strictjson.Node
	Folder   strictjson.Node // working directory

	Parts  []Part
	Usage  Usage       // of this model call
	Sum    Usage       // of the session so far
	Models []ModelCall // parts of one of them, by model; nil if it is of Model
	Faults []Fault

	Rewind   strictjson.Node // ID from which records are undone
	Back     int64           // number of undone turns
	Messages strictjson.Node // list of records that replaces all previous ones
}

// Has reports whether all given flags are set.
func (r *Record) Has(f Flags) bool { return r.Flags&f == f }

func (r *Record) set(f Flags, on bool) {
	if on {
		r.Flags |= f
	}
}

// Failed reports whether a result of the record is that of a failed call.
func (r *Record) Failed(p *Part) bool {
	if p.Error.Is(strictjson.False) {
		return r.Type == "tool.execution_complete" // its "success"
	}
	return !p.Error.Missing()
}

func (r *Record) reset() {
	parts, faults := r.Parts[:0], r.Faults[:0]
	*r = Record{Parts: parts, Faults: faults}
}

// part adds the usage of a model, a member of an object.
func (r *Record) part(model strictjson.Node, u Usage) {
	u.Node = strictjson.Node{}
	r.Models = append(r.Models, ModelCall{Model: string(model.KeyBytes(nil)), Usage: u})
}

// Place is the position of a record in its file.
type Place struct {
	Line   int
	Column int   // code points before it on its line
	Offset int64 // of the first byte
	Text   []byte
}

// LineAt returns the line number of a byte of the record.
func (p Place) LineAt(offset int) int {
	line := p.Line
	for _, c := range p.Text[:min(offset, len(p.Text))] {
		if c == '\n' {
			line++
		}
	}
	return line
}

// LineOf returns the line number of a node's start.
func (p Place) LineOf(n strictjson.Node) int {
	if !n.Exists() {
		return p.Line
	}
	start, _ := n.Span()
	return p.LineAt(start)
}

// Fault is damage in a record or in the file.
type Fault struct {
	Rule    string // without prefix "transcript."
	Line    int
	Lines   int // number of lines; 0 means 1
	Column  int
	Offset  int64
	Message string
	Help    string
	Type    string   // of the record
	IDs     []string // ids concerned
	Lost    bool     // a record or part of it is lost
	Mild    bool     // nothing is lost: a warning instead of an error
	Known   bool     // information only
}

// Millis returns a node's time in Unix milliseconds, from RFC 3339 or a number of milliseconds; ok
// is false otherwise.
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

// Limits relaxes scanner limits to what the agents' readers accept.
func Limits(l strictjson.Limits) strictjson.Limits {
	l.DuplicateKeys, l.LoneSurrogates, l.WideNumbers = true, true, true
	return l
}

func text(n strictjson.Node) string {
	s, _ := n.Text()
	return s
}

func isString(n strictjson.Node) bool { return n.Is(strictjson.String) }
func isObject(n strictjson.Node) bool { return n.Is(strictjson.Object) }

func isTrue(n strictjson.Node) bool { b, _ := n.Bool(); return b }
