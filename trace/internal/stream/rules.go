package stream

import (
	"slices"

	"github.com/cupel-dev/cupel/finding"
)

// rule is an index into the rules table.
type rule uint8

const (
	fileEmpty rule = iota
	lineUTF8
	lineBOM
	lineJSON
	lineNotObject
	lineDuplicateKey
	lineLimit
)

// All these rules reject the input.
const (
	severity = finding.Error
	class    = "rejected"
)

var rules = finding.Table{
	fileEmpty: {
		ID: "file.empty", Title: "the file has no content", Severity: severity, Class: class, Clause: "trace format, rejection rules",
		Rationale: "A crash before the first write, or a failed copy, leaves an empty file. It must not pass as a run without faults.",
	},
	lineUTF8: {
		ID: "line.utf8", Title: "the line is not UTF-8", Severity: severity, Class: class, Clause: "RFC 8259 §8.1",
		Rationale: "Two readers that replace bad bytes in different ways see different records, so no hash over them means anything.",
	},
	lineBOM: {
		ID: "line.bom", Title: "the line starts with a byte order mark", Severity: severity, Class: class, Clause: "RFC 8259 §8.1",
		Rationale: "A writer must not add the mark; some readers keep it as part of the first value, others drop it.",
	},
	lineJSON: {
		ID: "line.json", Title: "the line is not one JSON value", Severity: severity, Class: class, Clause: "RFC 8259; trace format, rejection rules",
		Rationale: "A record that cannot be read cannot be verified. A cut last line is the trace of a crash or of a partial copy.",
	},
	lineNotObject: {
		ID: "line.not_object", Title: "the line is JSON but no object", Severity: severity, Class: class, Clause: "trace format, event types",
		Rationale: "Every record is an object with named members.",
	},
	lineDuplicateKey: {
		ID: "line.duplicate_key", Title: "a member name occurs twice in one object", Severity: severity, Class: class, Clause: "RFC 7493 §2.3",
		Rationale: "Readers disagree about which of the two counts, so one record could mean two things. Names are compared after unescaping, at every depth.",
	},
	lineLimit: {
		ID: "line.limit", Title: "the line is beyond a limit", Severity: severity, Class: class, Clause: "limits of trace verify",
		Rationale: "Length, nesting and the numbers of members and values are limited so that a hostile file cannot exhaust memory. The line is skipped.",
		Flags:     "--max-line-bytes --max-depth --max-keys --max-values",
	},
}

// Rules returns the rules on reading, which all families share. Their examples are in package trace.
func Rules() []finding.Rule { return slices.Clone(rules) }
