// Package segments compares the files of a log that `cupel record` continued in a new file: each names the one before,
// its number of events and its digest.
package segments

import (
	"crypto/sha256"
	"fmt"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/say"
)

// Before is what a file says about the one before.
type Before struct {
	Log    string // id of the first file
	ID     string
	Head   string // its digest
	Events int64
}

// File is what a file is.
type File struct {
	Noun   string // of its id: "session" or "run"
	ID     string
	Head   string
	Events int64
	Before *Before // nil: it continues no other
}

// Files has the files so far. The zero value is ready for use.
type Files struct {
	ends map[[sha256.Size]byte]end  // by their ids
	logs map[[sha256.Size]byte]bool // by the ids of their first files
}

type end struct {
	head   string
	events int64
}

// TypeContinued is the type of the event of an evidence stream that links its run to the one before.
const TypeContinued = "cupel.record.continued"

const clause = "payload of SESSION_START, continues; data of " + TypeContinued

// The rules.
var (
	Broken = finding.Rule{
		ID: "segment.broken", Title: "the file before does not end as the log says", Severity: finding.Error, Class: "invalid", Clause: clause,
		Rationale: "A recorder that continues a log in a new file writes the number of events and the head or run root of the file before. That file was cut, extended or rewritten since, even if its own hashes match.",
	}
	Missing = finding.Rule{
		ID: "segment.missing", Title: "the file before is missing", Severity: finding.Warning, Clause: clause,
		Rationale: "The log continues a file that is not among the inputs before it. The oldest files can be archived. Between two given files of a log, a missing one is an error. Name the files in order, oldest first.",
	}
)

// Check compares a file with those before it. alone means that there is no other input: notCovered then names the file
// before, unless an older part of the log is there.
func (l *Files) Check(f *File, alone bool) (found []finding.Finding, notCovered string) {
	if l.ends == nil {
		l.ends, l.logs = map[[sha256.Size]byte]end{}, map[[sha256.Size]byte]bool{}
	}
	log := sha256.Sum256([]byte(f.ID))
	if b := f.Before; b != nil {
		log = sha256.Sum256([]byte(b.Log))
		last, known := l.ends[sha256.Sum256([]byte(b.ID))]
		name := f.Noun + " " + say.Quoted(b.ID)
		switch {
		case known && last.head == "": // its own report says why
		case known && (last.head != b.Head || last.events != b.Events):
			broken := Broken.New("the " + name + " did not end as the link says")
			broken.Expected, broken.Found = shown(b.Events, b.Head), shown(last.events, last.head)
			found = append(found, broken)
		case known:
		case alone && !l.logs[log]:
			notCovered = "the files before this one: the log continues " + name + "; verify them together, oldest first"
		default:
			missing := Missing.New("the log continues " + name + ", which is not among the inputs before it")
			if l.logs[log] {
				missing.Severity, missing.Message = finding.Error, missing.Message+", but an older part of the log is"
			}
			found = append(found, missing)
		}
	}
	l.logs[log] = true
	l.ends[sha256.Sum256([]byte(f.ID))] = end{f.Head, f.Events}
	return found, notCovered
}

func shown(events int64, head string) string {
	return fmt.Sprintf("%s, head %s", say.Counted(events, "event"), say.Preview(head, 80))
}
