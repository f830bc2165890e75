// Package evidence verifies evidence files below a folder and the byte ranges cited by claims.
//
// A block's files are read concurrently before its events are processed; then its citations are compared.
package evidence

import (
	"fmt"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/fault"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/format"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/rule"
)

// Options configures how evidence is read.
type Options struct {
	Reader *Reader
	Held   int // references to evidence yet to come that are held in full
	// Read, if set, is called for each file read, with its clean path.
	Read func(path string, sum digest.Sum)
}

// Part verifies evidence and its citations.
type Part struct {
	sink  *fault.Sink
	opt   Options
	state *State
	shelf shelf
	files *Files     // of the block
	cites []citation // of the block
}

// New returns a part that continues from a state and changes it.
func New(sink *fault.Sink, opt Options, state *State) *Part {
	state.ready()
	return &Part{sink: sink, opt: opt, state: state}
}

// IDs returns the number of ids in memory.
func (p *Part) IDs() int { return len(p.state.ByID) + p.state.Cited.Count }

// BeginBlock starts a block and takes ownership of its files.
func (p *Part) BeginBlock(files *Files) { p.files = files }

func (p *Part) Take(e *format.Event) {
	switch e.Kind {
	case format.EvidenceRegistered:
		p.register(e)
	case format.StepFinished:
		for i := range e.Listed {
			p.listed(e, &e.Listed[i])
		}
	case format.ClaimEmitted:
		for i := range e.Claim.Cited {
			if s := &e.Claim.Cited[i]; s.Target == format.CitesEvidence {
				p.cite(e, s)
			}
		}
	}
}

// register processes an evidence event: new id, valid hashes, safe path. The file is checked at the end of the block.
func (p *Part) register(e *format.Event) {
	checkHash(p.sink, e, p.sink.Path("evidence.sha256"), &e.Evidence.SHA256)
	checkHash(p.sink, e, p.sink.Path("evidence.chunk_id"), &e.Evidence.ChunkID)
	if !e.Evidence.Span.Sound() {
		malformed(p.sink, e, p.sink.Path("evidence.span"), e.Evidence.Span)
	}
	file, path := p.files.of(e), e.Evidence.Path
	if file.unsafe != "" {
		p.sink.Event(&e.Where, rule.PathUnsafe, p.sink.Path("evidence.content_path"), path.At, fmt.Sprintf("unsafe content_path %q: %s", fault.Preview(path.Bytes), file.unsafe))
	}
	if _, ok := p.state.ByID[e.ID.Key]; ok {
		p.sink.Event(&e.Where, rule.RefEvidenceDuplicate, p.sink.Path("evidence.id"), e.ID.At, fmt.Sprintf("evidence %q is registered a second time", fault.Preview(e.ID.Bytes)))
		return
	}
	p.state.Cited.Came(p.sink, e.ID.Key, fault.Verdict{Rule: rule.RefEvidenceLater, Message: "evidence %q is registered after the claim that cites it"})
	number := p.state.add(e.ID.Key)
	if file.unsafe == "" && p.bytes() {
		p.files.number(file, number)
	}
}

func (p *Part) bytes() bool { return p.opt.Reader.folder != nil }

// cite finds the evidence of a support and queues the comparison of bytes.
func (p *Part) cite(e *format.Event, s *format.Support) {
	readable, held := s.Span.Sound() && p.bytes(), p.files.quoted(s)
	if len(s.Ref.Bytes) == 0 {
		if readable && s.Comparable() {
			p.cites = append(p.cites, citation{event: e, support: s, bare: true, before: len(p.files.known)})
		}
		return
	}
	number, known := p.state.ByID[s.Ref.Key]
	switch {
	case !known:
		p.state.Cited.Wait(p.sink, s.Ref.Key, p.opt.Held, &e.Where, s.Path(p.sink, "ref_id"), s.RefAt(), s.Ref.Bytes)
	case held != nil && held.known && held.number == number:
	case readable:
		p.cites = append(p.cites, citation{event: e, support: s, number: number})
	}
}

// listed checks that an id in a step's output was registered as evidence before.
func (p *Part) listed(e *format.Event, l *format.Listed) {
	if l.Target != format.CitesEvidence {
		return
	}
	if _, known := p.state.ByID[l.Key]; !known {
		p.sink.Event(&e.Where, rule.RefOutputUnknown, l.Path(p.sink), l.At, fmt.Sprintf("the output names evidence %q, which is not registered before it", fault.Preview(l.Bytes)))
	}
}

// EndBlock reports on the block's files and citations, unless the trace is rejected. The error is a read error or
// ctx's.
func (p *Part) EndBlock() error {
	defer p.clear()
	if p.sink.Rejected() {
		return nil
	}
	readers := p.opt.Reader.readers
	if err := readers.Err(); err != nil {
		return err // and not all files were read
	}
	earlier := len(p.state.Recent)
	if err := p.settle(); err != nil {
		return err
	}
	reader := citationReader{p.sink, p.state, p.files, &p.shelf, p.state.Recent[:earlier]}
	readers.Each(len(p.cites), func(i int) { reader.read(&p.cites[i]) })
	for i := range p.cites {
		if err := p.cites[i].err; err != nil {
			return err
		}
		p.addAll(p.cites[i].findings)
	}
	for _, t := range p.files.known {
		p.shelf.put(t.number, t.content)
	}
	p.state.forget()
	return readers.Err()
}

// settle processes the results of the block's files.
func (p *Part) settle() error {
	for _, t := range p.files.known {
		if t.err != nil {
			return t.err
		}
		p.addAll(t.findings)
		if !t.read {
			continue
		}
		p.state.settle(t)
		if p.opt.Read != nil {
			p.opt.Read(t.path, t.sum)
		}
	}
	return nil
}

func (p *Part) addAll(list []finding.Finding) {
	for _, f := range list {
		p.sink.Add(f)
	}
}

func (p *Part) clear() {
	p.files.release()
	p.files = nil
	clear(p.cites)
	p.cites = p.cites[:0]
}

// Finish reports citations of evidence that was never registered.
func (p *Part) Finish() error {
	p.state.Cited.Never(p.sink, fault.Verdict{Rule: rule.RefEvidenceUnknown, Message: "the claim cites evidence %q, which is never registered"})
	return nil
}
