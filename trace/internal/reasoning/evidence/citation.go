package evidence

import (
	"fmt"
	"iter"
	"slices"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/fault"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/format"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/rule"
)

// citation is a support whose bytes are compared.
type citation struct {
	event   *format.Event
	support *format.Support
	number  uint32 // of the evidence
	bare    bool   // it names none
	before  int    // number of evidence files in the block before a bare one

	findings []finding.Finding
	err      error
}

// citationReader compares cited bytes. Its methods are safe for concurrent use.
type citationReader struct {
	sink    *fault.Sink
	state   *State   // which it only reads
	files   *Files   // of the block
	shelf   *shelf   // of the blocks before
	earlier []recent // the latest evidence of the blocks before
}

// read compares the bytes that a support cites with its hash.
func (r *citationReader) read(c *citation) {
	if c.bare {
		c.err = r.search(c)
		return
	}
	from, to, ok := r.state.usable(c.number)
	if !ok {
		return // said where the evidence was registered
	}
	s := c.support
	if s.Span.From < from || s.Span.To > to {
		f := r.finding(c, rule.SpanOutOfBytes, "span", s.Span.At, fmt.Sprintf("span [%d,%d] reaches outside the evidence's bytes", s.Span.From, s.Span.To))
		f.Expected, f.Found = fmt.Sprintf("within [%d,%d]", from, to), fmt.Sprintf("[%d,%d]", s.Span.From, s.Span.To)
		f.Notes = r.explain(c)
		c.findings = append(c.findings, f)
		return
	}
	if s.Comparable() {
		c.err = r.compare(c)
	}
}

// compare compares the hash of a support with its bytes.
func (r *citationReader) compare(c *citation) error {
	s := c.support
	id := s.Ref.String()
	got, read, err := r.span(c.number, r.state.path(c.number, id), s.Span)
	if err != nil || read && got.Equal(s.Snippet.Sum) {
		return err
	}
	f := r.finding(c, rule.HashSnippet, "", s.Snippet.At, fmt.Sprintf("the bytes [%d,%d] of evidence %q have another SHA-256", s.Span.From, s.Span.To, fault.Preview(id)))
	f.Notes = r.explain(c)
	if read {
		f.Expected, f.Found = s.Snippet.Sum.Hex(), got.Hex()
	}
	c.findings = append(c.findings, f)
	return nil
}

// span hashes a range of an evidence file. read is false if the file is now shorter.
func (r *citationReader) span(number uint32, path string, s format.Span) (sum digest.Sum, read bool, err error) {
	if c := r.content(number); c != nil {
		if sum, known := c.span(s); known {
			return sum, true, nil
		}
	}
	return r.files.reader.span(path, s)
}

// content returns a file's cached content, or nil.
func (r *citationReader) content(number uint32) *content {
	if t := r.files.numbered(number); t != nil && t.read {
		return &t.content
	}
	return r.shelf.numbered(number)
}

// finding returns a finding about a support's member. A damaged file is reported as the cause.
func (r *citationReader) finding(c *citation, id rule.ID, member string, at fault.Place, message string) finding.Finding {
	f := r.sink.Finding(&c.event.Where, id, c.support.Path(r.sink, member), at, message)
	if !c.bare {
		f.CausedBy = r.state.Damaged[c.number]
	}
	return f
}

// explain suggests what a failed support meant.
func (r *citationReader) explain(c *citation) []string {
	if !c.support.Comparable() {
		return nil
	}
	data := r.files.reader.content(r.state.path(c.number, c.support.Ref.String()))
	return explainSpan(data, c.support.Span, c.support.Snippet.Sum)
}

// search finds the evidence of a support without reference: the latest with matching bytes at the span.
func (r *citationReader) search(c *citation) error {
	s := c.support
	searched := 0
	for candidate := range r.candidates(c.before) {
		if searched++; searched > MaxSearched {
			break
		}
		from, to, ok := r.state.usable(candidate.Number)
		if !ok || s.Span.From < from || s.Span.To > to {
			continue
		}
		if err := r.files.reader.readers.Err(); err != nil {
			return err
		}
		sum, read, err := r.span(candidate.Number, candidate.Path, s.Span)
		if err != nil {
			return err
		}
		if read && sum.Equal(s.Snippet.Sum) {
			c.findings = append(c.findings, r.finding(c, rule.SupportFoundByHash, "", s.At, fmt.Sprintf("the support names no evidence; its bytes are those of %q", fault.Preview(candidate.ID))))
			return nil
		}
	}
	f := r.finding(c, rule.HashSnippet, "", s.Snippet.At, fmt.Sprintf("no evidence before the claim has these bytes at [%d,%d]", s.Span.From, s.Span.To))
	f.Expected = s.Snippet.Sum.Hex()
	f.Notes = []string{"the support names no evidence"}
	if searched > MaxSearched {
		f.Notes = append(f.Notes, fmt.Sprintf("only the latest %d evidence files were searched: name the evidence with \"ref_id\"", MaxSearched))
	}
	c.findings = append(c.findings, f)
	return nil
}

// candidates yields possible evidence, latest first: the block's first readable files, then earlier blocks'.
func (r *citationReader) candidates(files int) iter.Seq[recent] {
	return func(yield func(recent) bool) {
		for i := files - 1; i >= 0; i-- {
			if t := r.files.known[i]; t.read && !yield(recent{t.number, t.event.ID.String(), t.path}) {
				return
			}
		}
		for _, e := range slices.Backward(r.earlier) {
			if !yield(e) {
				return
			}
		}
	}
}
