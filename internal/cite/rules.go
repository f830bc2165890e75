package cite

import "github.com/cupel-dev/cupel/finding"

// Fault is what is wrong with a citation.
type Fault uint8

// The faults, in the order of their rules.
const (
	Missing Fault = iota
	Digest
	Range
	Bytes
	Value
	Uncited
)

const flags = "--sources"

// Rules has the rules of the comparison, by their faults.
var Rules = [...]finding.Rule{
	Missing: {
		ID: "source.missing", Title: "a cited source file is missing", Severity: finding.Error, Class: "invalid", Clause: flags, Flags: flags,
		Rationale: "The event says that it was copied from this file. Without the file, nothing shows that the copy is right. One finding covers all events that cite the file.",
	},
	Digest: {
		ID: "source.digest", Title: "a source file is not the one that was recorded", Severity: finding.Error, Class: "invalid", Clause: flags, Flags: flags,
		Rationale: "The SHA-256 of the file differs from the one in the citation: the file changed, in a part that an event cites or in another one. One finding covers all events that cite the file.",
	},
	Range: {
		ID: "source.range", Title: "a cited range is outside the source file", Severity: finding.Error, Class: "invalid", Clause: flags, Flags: flags,
		Rationale: "The file is shorter than the citation says, so the bytes that the event was copied from are not there.",
	},
	Bytes: {
		ID: "source.bytes", Title: "the cited bytes are not the recorded ones", Severity: finding.Error, Class: "invalid", Clause: flags, Flags: flags,
		Rationale: "The citation has the SHA-256 of the record that the event was made of. The bytes at its place have another one: the source or the citation was changed.",
	},
	Value: {
		ID: "source.value", Title: "a value of the event differs from its source", Severity: finding.Error, Class: "invalid", Clause: flags, Flags: flags,
		Rationale: "A hash in the payload must be the SHA-256 of the cited bytes, and a name or time must be the text in them. The event does not say what its source says.",
	},
	Uncited: {
		ID: "source.uncited", Title: "an event or value cites no source", Severity: finding.Error, Class: "invalid", Clause: flags, Flags: flags,
		Rationale: "Nothing shows where the event comes from. It is an error, because a wrong event would otherwise pass by leaving out its citation. Only the value \"unknown\" needs no citation.",
	},
}
