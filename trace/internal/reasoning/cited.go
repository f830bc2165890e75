package reasoning

import (
	"io"
	"slices"

	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/evidence"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/folder"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/format"
)

// MaxCitedText is the maximum number of cited bytes in a report.
const MaxCitedText = 400

// maxCited limits the bytes held for a citation.
const maxCited = 16 << 20

// citations are a trace's evidence and citations.
type citations struct {
	files Files // nil: no bytes are read
	byID  map[string]*piece
	order []*piece

	failed error // the first of reading
}

type piece struct {
	UnusedEvidence
	path string
	used bool
}

func (r *citations) register(e *format.Event) {
	path, _ := folder.Clean(e.Evidence.Path.String())
	p := &piece{UnusedEvidence: UnusedEvidence{e.ID.String(), e.Evidence.URI.String(), e.Line.Number}, path: path}
	if _, twice := r.byID[p.ID]; !twice {
		r.byID[p.ID] = p
	}
	r.order = append(r.order, p)
}

// cite reads a support and, for evidence, the cited bytes.
func (r *citations) cite(support *format.Support) Citation {
	s := Citation{Kind: support.Kind.String(), Ref: support.Ref.String()}
	if s.Kind == "" {
		s.Kind = "evidence"
	}
	if !support.Span.Sound() {
		return r.unread(s)
	}
	from, to := support.Span.From, support.Span.To
	s.Span = &[2]int64{from, to}
	if s.Kind != "evidence" {
		return s
	}
	if !support.Snippet.Valid {
		return r.unread(s)
	}
	for _, p := range r.meant(s.Ref) {
		bytes, read := r.bytes(p, from, to)
		holds := read && digest.Of(bytes) == support.Snippet.Sum
		if s.Ref == "" && !holds {
			continue
		}
		p.used = true
		if s.Ref = p.ID; read {
			s.Holds, s.Text = &holds, say.Preview(bytes, MaxCitedText)
		}
		return s
	}
	return s
}

// unread returns a citation whose bytes cannot be read. The evidence counts as cited.
func (r *citations) unread(s Citation) Citation {
	if p := r.byID[s.Ref]; p != nil && s.Kind == "evidence" {
		p.used = true
	}
	return s
}

// meant returns the pieces that a support can refer to: the one it names, or the latest ones.
func (r *citations) meant(ref string) []*piece {
	if ref == "" {
		latest := slices.Clone(r.order[max(0, len(r.order)-evidence.MaxSearched):])
		slices.Reverse(latest)
		return latest
	}
	if p := r.byID[ref]; p != nil {
		return []*piece{p}
	}
	return nil
}

func (r *citations) bytes(p *piece, from, to int64) (text []byte, read bool) {
	if r.files == nil || p.path == "" || to-from > maxCited {
		return nil, false
	}
	f, size, fault, err := folder.Open(r.files, p.path)
	if err != nil || fault != nil {
		r.fail(p, err)
		return nil, false
	}
	defer func() { _ = f.Close() }() // opened for reading: nothing can be lost
	if to > size {
		return nil, false
	}
	text, err = io.ReadAll(folder.Range(f, from, to))
	r.fail(p, err)
	return text, err == nil && int64(len(text)) == to-from
}

func (r *citations) fail(p *piece, err error) {
	if err != nil && r.failed == nil {
		r.failed = folder.Unread(p.path, err)
	}
}

// holds reports whether a citation's evidence exists and, if checked, contains the cited bytes.
func (r *citations) holds(s Citation) bool {
	return s.Kind == "evidence" && r.byID[s.Ref] != nil && (s.Holds == nil || *s.Holds)
}

func (r *citations) unused() (list []UnusedEvidence) {
	for _, p := range r.order {
		if !p.used {
			list = append(list, p.UnusedEvidence)
		}
	}
	return list
}
