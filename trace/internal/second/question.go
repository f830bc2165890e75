package second

import (
	"crypto/ed25519"
	"io/fs"
)

// MaxBytes limits logs, plans and manifests, which are copied several times in memory.
const MaxBytes = 1 << 20

// Files opens the files of a folder, like trace.Files.
type Files interface {
	Open(name string) (fs.File, error)
	Lstat(name string) (fs.FileInfo, error)
}

// Question is a log, its companion files and the options that affect the result.
type Question struct {
	Log                    []byte // at most MaxBytes
	LineBytes, Depth, Keys int    // limits of a line
	Expected               Expected
	Reasoning              ReasoningQuestion
	Session                SessionQuestion
}

// Expected is external knowledge about a log. Zero fields are unknown.
type Expected struct {
	SHA256 string // of the log; 64 lower-case digits
	Prefix *Prefix
	Count  *int64 // of a session log's events
	Head   string // hash of a session log's last event
}

// Prefix is the state of the log at another time.
type Prefix struct {
	Bytes  int64
	SHA256 string
	Events int64  // of a session log
	Head   string // of a session log
}

// ReasoningQuestion has the fields for reasoning traces.
type ReasoningQuestion struct {
	Versions   []int64 // accepted schema versions
	Strict     bool
	Contiguous bool
	Aliases    bool
	CheckIDs   bool
	Manifest   bool // a manifest that is missing or does not fit is an error

	Plan     []byte // or nil
	Run      Files  // contains the manifest and its files; nil: not read
	Evidence Files  // nil: not read
}

// SessionQuestion has the fields for session logs.
type SessionQuestion struct {
	IntegrityOnly    bool
	StrictPayload    bool
	Canonicalization string
	HMACKey          []byte
	TrustedKeys      []ed25519.PublicKey
}

// Answer is the result for a log.
type Answer struct {
	Family     string
	Verdict    string // "" for session logs, whose payloads are not covered
	Integrity  string // of session logs
	Class      string // of session logs, or ""
	Rules      []string
	Statements []Statement // those on Rules that hold, in the order of lines
	Unable     string      // why the answer is missing, or ""
}

// Statement is a finding without its message.
type Statement struct {
	Rule     string // Line for every rule of reading a line
	Severity string
	Line     int // 0 for the whole log and companion files
}

// Line replaces the rules for the syntax of a line, because parsers find different faults first.
const Line = "line"
