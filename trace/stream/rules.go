package stream

import "github.com/cupel-dev/cupel/internal/finding"

// Rules returns the rules of reading that every family shares. Their examples are files
// of the package trace.
func Rules() []finding.Rule {
	rules := []finding.Rule{
		{ID: FileEmpty, Title: "the file has no content", Clause: "trace format, rejection rules",
			Rationale: "An empty file is what a crash before the first write, or a failed copy, leaves behind. It must never pass for a run without faults."},
		{ID: LineUTF8, Title: "the line is not UTF-8", Clause: "RFC 8259 §8.1",
			Rationale: "Two readers that replace bad bytes in different ways see different records, so no hash over them means anything."},
		{ID: LineBOM, Title: "the line starts with a byte order mark", Clause: "RFC 8259 §8.1",
			Rationale: "A writer must not add the mark; some readers keep it as part of the first value, others drop it."},
		{ID: LineJSON, Title: "the line is not one JSON value", Clause: "RFC 8259; trace format, rejection rules",
			Rationale: "A record that cannot be read cannot be verified. A cut last line is the trace of a crash or of a partial copy."},
		{ID: LineNotObject, Title: "the line is JSON but no object", Clause: "trace format, event types",
			Rationale: "Every record is an object with named members."},
		{ID: LineDuplicateKey, Title: "a member name occurs twice in one object", Clause: "RFC 7493 §2.3",
			Rationale: "Readers disagree about which of the two counts, so one record could mean two things. Names are compared after unescaping, at every depth."},
		{ID: LineLimit, Title: "the line is beyond a limit", Clause: "limits of trace verify",
			Rationale: "Length, nesting and the number of members are bounded so that a hostile file cannot exhaust the reader. The line is skipped without being held.",
			Flags:     "--max-line-bytes --max-depth --max-keys"},
	}
	for i := range rules {
		rules[i].Severity, rules[i].Class = finding.Error, "rejected"
	}
	return rules
}
