package bundle

import (
	"bufio"
	"fmt"
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/internal/envelope"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/say"
)

type sealedEvent struct {
	eventResult
	line   []byte // as the bundle holds it; nil when it cannot
	others int    // members that the contract does not name
}

// sealer collects events in any order and checks each like a verifier.
type sealer struct {
	*verifier
	seal    SealOptions
	scratch Scratch
	to      *bufio.Writer // scratch
	size    int64         // written to it
	index   []entry       // of the events, in the order of the input until all are known
	origins origins

	otherEvents int             // events with members that the contract does not name
	otherNames  string          // those of the first such event
	otherAt     finding.Finding // the place of its first one
}

// scratchBuffer is the size of writes to the scratch file.
const scratchBuffer = 256 << 10

func newSealer(in *input, scratch Scratch, opt SealOptions) *sealer {
	return &sealer{
		verifier: newVerifier(in, opt.verifying().withDefaults()), seal: opt,
		scratch: scratch, to: bufio.NewWriterSize(scratch, scratchBuffer),
	}
}

// check creates a worker's check of envelopes, which also writes valid events as lines.
func (s *sealer) check() func(*evidence.Result, *sealedEvent) {
	checker := envelope.NewChecker(envelope.Options{LenientTime: s.opt.LenientTime})
	lines := newLines(s.seal.DropUnknown)
	return func(r *evidence.Result, made *sealedEvent) {
		made.view, made.faults = checker.Check(r)
		made.faults = slices.DeleteFunc(made.faults, hashMissing)
		if r.Event == nil {
			return
		}
		for range unknown(r.Event) {
			made.others++
		}
		if !r.Hashed || !made.view.Timed {
			return // and there is a fault that says so
		}
		if !r.Event.HasCanonicalForm() && !s.seal.DropUnknown {
			f := newFault(r, envelope.StepBeyond, contractInvalidEvent, numberOutsideHash,
				"the lines of a bundle are canonical JSON, but a number beyond a double has no canonical form")
			f.Finding.Help = "use --drop-unknown to remove attributes that the contract does not define"
			made.faults = append(made.faults, f)
			return
		}
		made.line = lines.line(r, &made.view)
		s.hold(r, made, lines.members)
	}
}

// hold checks the written line against the limits, because written-out numbers and defaults can make it longer than
// the event.
func (s *sealer) hold(r *evidence.Result, made *sealedEvent, members int) {
	if most := s.opt.Limits.LineBytes; int64(len(made.line)-1) > most {
		f := newFault(r, envelope.StepBeyond, envelope.LineBytes, "max_line_bytes",
			fmt.Sprintf("the event has %d bytes in a bundle", len(made.line)-1))
		f.Finding.Expected, f.Finding.Help = fmt.Sprintf("at most %d bytes", most), say.LimitsHint("max_line_bytes")
		made.faults = append(made.faults, f)
	}
	if members > evidence.MaxKeys {
		f := newFault(r, envelope.StepBeyond, contractInvalidJSON, "json.limit",
			fmt.Sprintf("the event has %d members in a bundle", members))
		f.Finding.Expected = fmt.Sprintf("at most %d members", evidence.MaxKeys)
		made.faults = append(made.faults, f)
	}
}

func (s *sealer) event(r *evidence.Result, made *sealedEvent) error {
	if r.Alone {
		s.report.Kind = KindEvent
	}
	if over := s.beyond(r); over != nil {
		return s.refuse(r, &made.eventResult, over)
	}
	s.report.Events++
	s.run.take(&made.view)
	faults := s.hashes(made.faults, r)
	slices.SortStableFunc(faults, func(a, b envelope.Fault) int { return int(a.Step) - int(b.Step) })
	for _, f := range faults {
		if err := s.noteEvent(r, &made.eventResult, f); err != nil {
			return err
		}
	}
	s.noteOthers(r, made)
	return s.keep(r, made)
}

// keep writes an event to the scratch file, unless there will be no bundle.
func (s *sealer) keep(r *evidence.Result, made *sealedEvent) error {
	if made.view.Sequenced {
		s.index = append(s.index, entry{
			seq: made.view.Sequence, sum: r.Sum, at: s.size, size: int32(len(made.line)),
			line: r.Line, offset: r.Offset, origin: s.origins.of(&made.view),
		})
	}
	if s.report.Errors > 0 {
		return nil
	}
	if made.line == nil {
		panic("bundle.sealer.keep: an event without faults and without a line")
	}
	s.size += int64(len(made.line))
	if most := s.opt.Limits.EventsBytes; s.size > most {
		f := newFault(r, envelope.StepBeyond, limitFileSize, "max_events_bytes", fmt.Sprintf("the events have more than %d bytes in a bundle", most))
		f.Finding.Help = say.LimitsHint("max_events_bytes")
		return s.noteEvent(r, &made.eventResult, f)
	}
	_, err := s.to.Write(made.line)
	return err
}

// noteOthers records the first members that the contract does not define.
func (s *sealer) noteOthers(r *evidence.Result, made *sealedEvent) {
	if made.others == 0 {
		return
	}
	if s.otherEvents++; s.otherEvents > 1 {
		return
	}
	again, err := evidence.NewHasher(evidence.Options{Limits: s.opt.Limits, MaxFindings: 1}).Hash(r.Text())
	if err != nil || again.Event == nil {
		return // it was read before
	}
	var names []string
	for member := range unknown(again.Event) {
		if len(names) == 0 {
			s.otherAt.Path = member.Pointer()
			again.Event.Locate(&s.otherAt, member)
			s.otherAt.Line += r.Line - 1
			if s.otherAt.EndLine > 0 {
				s.otherAt.EndLine += r.Line - 1
			}
			start, _ := member.Span()
			s.otherAt = s.placed(s.otherAt, "attribute.unknown", r.Offset+int64(start), made.view.Sequence, made.view.Sequenced)
		}
		if len(names) == listedNames {
			break
		}
		names = append(names, say.Quoted(say.Preview(member.Name(), say.Usual)))
	}
	s.otherNames = strings.Join(names, ", ")
	if made.others > listedNames {
		s.otherNames += say.More(made.others - listedNames)
	}
}

// end checks the events as a whole.
func (s *sealer) end(evidence.Total, *contents) error {
	if len(s.index) > 0 {
		s.sort()
		s.sequences()
		s.sameOrigin()
	}
	if s.otherEvents > 0 {
		f := s.otherAt
		f.Rule, f.Severity = contractInvalidEvent, finding.Warning
		f.Message = "keeping attributes that the contract does not define: " + s.otherNames
		f.Notes = []string{"the reference implementation drops these attributes, so its bundle differs; --drop-unknown gives the same bytes"}
		if s.seal.DropUnknown {
			f.Severity, f.Notes = finding.Info, nil
			f.Message = "dropping attributes that the contract does not define: " + s.otherNames
		}
		if s.otherEvents > 1 {
			f.Message += fmt.Sprintf("; %d events have such attributes", s.otherEvents)
		}
		return s.note(f)
	}
	return nil
}

var _ taker[sealedEvent] = (*sealer)(nil)
