package trace

import (
	"fmt"
	"io"
	"slices"

	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/internal/session"
	"github.com/cupel-dev/cupel/trace/internal/session/diagnosis"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// MaxDiagnosisBytes is the longest log whose damage is diagnosed, see Options.Diagnose. The text of
// the log is held then, and 64 bytes for each event.
const MaxDiagnosisBytes = 32 << 20

// input reads an input, and keeps what is needed to read it once more: nothing of one that can be
// read at any offset, the bytes of another.
type input struct {
	from  io.Reader
	at    io.ReaderAt // nil: it cannot be read again
	start int64
	text  []byte
	more  bool // there is more than is kept
}

func newInput(from io.Reader) *input {
	s := &input{from: from}
	if file, ok := from.(interface {
		io.ReaderAt
		io.Seeker
	}); ok {
		if start, err := file.Seek(0, io.SeekCurrent); err == nil {
			s.at, s.start = file, start
		}
	}
	return s
}

// Read implements io.Reader.
func (s *input) Read(p []byte) (int, error) {
	n, err := s.from.Read(p)
	switch {
	case s.at != nil || s.more:
	case len(s.text)+n > MaxDiagnosisBytes:
		s.text, s.more = nil, true
	default:
		s.text = append(s.text, p[:n]...)
	}
	return n, err
}

// whole returns the text that was read; ok is false where that is too long, or has changed.
func (s *input) whole() (text []byte, ok bool) {
	if s.at == nil {
		return s.text, !s.more
	}
	text, err := io.ReadAll(io.NewSectionReader(s.at, s.start, MaxDiagnosisBytes+1))
	return text, err == nil && len(text) <= MaxDiagnosisBytes
}

// linked says whether the events of a family name the event before by its hash.
func linked(f Family) bool { return f == SessionV0 || f == SessionV1 || f == SessionV1B }

// exchanged notes evidence files that have each other's bytes, or those of one that is damaged itself.
func exchanged(findings []Finding) {
	recorded := map[string]int{} // by digest the finding on the file that must have it, and 1
	for i, f := range findings {
		if f.Rule == "hash.evidence" {
			recorded[f.Expected] = i + 1
		}
	}
	for i := range findings {
		f := &findings[i]
		at := recorded[f.Found] - 1
		switch {
		case f.Rule != "hash.evidence" || at < 0 || at == i:
		case findings[at].Found == f.Expected:
			f.Notes = []string{fmt.Sprintf("the file was swapped with that of the evidence on line %d: each has the other's bytes", findings[at].Line)}
		default:
			f.Notes = []string{fmt.Sprintf("the file has the bytes of the evidence on line %d", findings[at].Line)}
		}
	}
}

// diagnose names the damage of a log that failed by its causes. A log that is wrapped has one
// finding, since all others would be about what is around its records.
func (v *verification) diagnose(r *Report, short []stream.Damage) {
	switch {
	case v.source == nil, r.Verdict == Valid, r.Verdict == "":
		return
	case r.Family != Unknown && !linked(r.Family), r.Integrity == IntegrityValid:
		return
	}
	text, ok := v.source.whole()
	if !ok {
		r.NotCovered = append(r.NotCovered, fmt.Sprintf("the causes of damage: they are only looked for in logs of at most %d MiB", MaxDiagnosisBytes>>20))
		return
	}
	opt := diagnosis.Options{
		Family: func(record strictjson.Node) string { return string(familyOf(record)) }, Limits: v.limits,
		Session: session.Options{Canonicalization: v.opt.Session.Canonicalization},
	}
	if v.opt.After != nil {
		opt.After = v.opt.After.Head
	}
	story, ok := diagnosis.Of(text, opt)
	if !ok {
		return
	}
	r.Damage = damages(slices.Concat(story.Damage, short))
	if w := story.Wrap; w != nil {
		f := rules[logWrapped].New("the log is wrapped by " + w.Name)
		f.File, f.Line, f.Help = r.Input, w.Line, w.Help
		r.Findings, r.Errors, r.Warnings, r.Infos, r.Omitted = []Finding{f}, 1, 0, 0, 0
		r.Verdict, r.Integrity, r.EvidenceClass = Rejected, IntegrityRejected, ""
	}
}
