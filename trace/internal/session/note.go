package session

import (
	"fmt"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// batchFindings holds what the readers found in a batch.
type batchFindings struct {
	findings *stream.Findings
	notes    []note // possibly new kinds
	broken   int64  // findings that touch integrity
	err      error  // the first, which ends the run
}

// note is a finding reported once for all of its kind. Its message is built only if a report keeps it.
type note struct {
	noteSubject
	event int   // of the batch
	name  span  // of the member, with its quotes
	at    span  // where it points
	where place // the object of the payload that the member belongs to

	source *sourceNote // of a finding about a source
}

// noteSubject identifies a kind of notes by rule and member.
type noteSubject struct {
	rule  rule
	table *table // of the object that the member belongs to; nil for the envelope
	name  uint64 // key of the member's name
}

func (n *note) explain(e *event) finding.Finding {
	name := string(n.text(e))
	f := rules[n.rule].New("")
	switch n.rule {
	case ruleSourceMissing, ruleSourceDigest:
		n.source.explain(&f)
		f.Index = e.index()
	case rulePayloadUnknown:
		f.Message, f.Path, f.Index = unknownMember(name), n.where.path(name), e.index()
	case rulePayloadNullOptional:
		f.Message, f.Path, f.Index = say.NullIsAbsent(name), n.where.path(name), e.index()
	default:
		f.Message, f.Path = fmt.Sprintf("member %q is not part of the envelope", clip(name)), clip(name)
	}
	source.Point(&f, e.line, int(n.at.start), int(n.at.end))
	return f
}

func (n *note) text(e *event) []byte {
	return strictjson.AppendUnescaped(nil, e.line.Bytes[n.name.start+1:n.name.end-1])
}

func unknownMember(name string) string {
	return fmt.Sprintf("member %q is not in the payload table", clip(name))
}

// sourceNote is the content of a finding about a file.
type sourceNote struct{ path, message, expected, found, help string }

func (s *sourceNote) explain(f *finding.Finding) {
	f.Path, f.Message, f.Expected, f.Found, f.Help = "payload."+s.path, s.message, s.expected, s.found, s.help
}
