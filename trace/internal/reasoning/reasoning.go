// Package reasoning verifies reasoning traces: JSON lines of an agent's steps, registered evidence and claims that
// cite it.
//
// A trace is a run's events in order. In the wrapped shape, line 1 is a header and events are in "event":
//
//	{"record":"trace_header","schema_version":1,"plan_id":"p1"}
//	{"record":"trace_event","event":{"idx":0,"kind":"step_started","step_id":"s1"}}
//
// In the flat shape, lines are events and the header is optional:
//
//	{"trace_schema_version":1}
//	{"idx":0,"kind":"step_started","step_id":"s1"}
//
// An evidence event names a file below the trace's folder and its SHA-256. A support cites a byte range [b0, b1) of
// it and the hash of the range.
//
// A trace is valid, invalid (order, links, spans or hashes fail) or rejected (unknown kinds, missing fields,
// unsupported versions, unreadable lines).
//
// Package format reads lines. The checker consists of independent parts that receive the events in file order.
package reasoning

import (
	"io"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/folder"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/rule"
)

// Files opens files below a folder by clean, slash-separated names. Implementations must not follow links out of
// the folder, and Open must not block on pipes or devices.
type Files = folder.Files

// Options configures the verification.
type Options struct {
	SchemaVersions []int64 // accepted trace_schema_version values; nil means 1 alone
	Strict         bool    // a trace that states no version is rejected
	Contiguous     bool    // idx must run 0, 1, 2, …
	AcceptAliases  bool    // read the alternative member names of old writers

	Evidence Files     // where content_path leads; nil: no evidence bytes are checked
	Plan     io.Reader // the plan, or nil
	PlanName string    // the plan's display name

	Run          Files  // the folder of the trace, for its manifest, or nil
	ManifestName string // the manifest's display name

	Input Input // about the trace's own file

	CheckIDs bool // a trace id that does not fit the content is an error
	Manifest bool // a manifest that does not fit the files is an error
	Jobs     int  // files that are read at a time; 0 means one for each core
}

// Input identifies the trace as a file below Run. The zero Input means unknown.
type Input struct {
	Path string // clean
	// Digest, if set, returns the digest and size of the input at its end; ok is false unless all of it was hashed.
	Digest func() (sum digest.Sum, size int64, ok bool)
}

func (o *Options) versions() []int64 {
	if o.SchemaVersions == nil {
		return []int64{1}
	}
	return o.SchemaVersions
}

func Rules() []finding.Rule { return rule.All() }
