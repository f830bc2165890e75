package session

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/cite"
	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/siphash"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// sourceReader compares events with the bytes that they cite.
type sourceReader struct {
	sources Sources
	counts  *citedCounts
	keys    siphash.Key
	scanner *strictjson.Scanner // of cited values
	buf     []byte

	rec   *record
	event *event
}

func newSourceReader(sources Sources, counts *citedCounts, keys siphash.Key) *sourceReader {
	return &sourceReader{sources: sources, counts: counts, keys: keys, scanner: strictjson.NewScanner(strictjson.Limits{
		DuplicateKeys: true, LoneSurrogates: true, WideNumbers: true, TextBytes: maxCitedText + 1,
	})}
}

// maxCitedText limits the bytes of a citation that are held. Longer ones are hashed in pieces.
const maxCitedText = 1 << 20

func (r *sourceReader) read(rec *record, e *event) {
	name, _ := rec.nodes[typeName].Text()
	required, copied := cite.Required(name)
	payload := rec.nodes[payloadMember]
	node := payload.Get(cite.Name)
	r.rec, r.event = rec, e
	if !copied { // these events describe the log
		r.listed(payload.Get(cite.List))
		return
	}
	if node.Missing() {
		r.counts.uncited.Add(1)
		r.fault(ruleSourceUncited, payload, "", "the event cites no source")
		return
	}
	c, why := cite.Read(node)
	if why != "" {
		r.counts.uncited.Add(1)
		r.fault(ruleSourceUncited, node, cite.Name, why)
		return
	}
	r.counts.cited.Add(1)
	for _, name := range required {
		value := payload.Get(name)
		exempt := value.Missing() || value.TextIs(cite.Unknown) && !strings.HasSuffix(name, cite.Hash)
		if _, ok := c.Of(name); !ok && !exempt {
			r.fault(ruleSourceUncited, value, name, fmt.Sprintf("the citation does not give the bytes of %s", name))
		}
	}
	r.compare(&c, payload, node)
}

// listed checks the files that SESSION_START lists, because events need not cite all of them.
func (r *sourceReader) listed(list strictjson.Node) {
	if !list.Is(strictjson.Array) {
		return
	}
	for node := range list.Children() {
		c, why := cite.ReadFile(node)
		if why != "" {
			r.fault(ruleSourceUncited, node, cite.List, why)
			continue
		}
		r.source(&c, node)
	}
}

// source opens a cited file. ok is false if it is not there.
func (r *sourceReader) source(c *cite.Citation, node strictjson.Node) (source Source, ok bool) {
	source, err := r.sources.Source(c.Path, c.Sum)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		r.file(ruleSourceMissing, c, node, "", fmt.Sprintf("the source %q is missing", clip(c.Path)))
		return source, false
	case err != nil:
		r.unreadable(c, err)
		return source, false
	case source.Sum != c.Sum:
		message := fmt.Sprintf("the source %q is not the file that was recorded", clip(c.Path))
		r.file(ruleSourceDigest, c, node, source.Sum.Hex(), message)
	}
	return source, true
}

// compare checks a citation and the values of the payload against the file.
func (r *sourceReader) compare(c *cite.Citation, payload, node strictjson.Node) {
	source, ok := r.source(c, node)
	if !ok {
		return
	}
	if c.Span[1] > source.Size {
		r.beyond("the span", c.Span, source, node.Get("span"), cite.Name+".span")
		return
	}
	text, sum, err := r.cited(source, c.Span)
	switch {
	case err != nil:
		r.unreadable(c, err)
		return
	case sum != c.Snippet:
		r.fault(ruleSourceBytes, node, cite.Name, bytesOf(c, c.Span)+" are not those that were recorded")
		return
	}
	text = slices.Clone(text)
	for _, m := range c.Members {
		r.value(source, c, text, m, payload.Get(m.Name), node)
	}
}

// value compares a payload member with its bytes. text is the record if it was held.
func (r *sourceReader) value(source Source, c *cite.Citation, text []byte, m cite.Member, value, node strictjson.Node) {
	r.counts.values.Add(1)
	switch {
	case !value.Exists():
		r.fault(ruleSourceValue, node, cite.Name+".members",
			fmt.Sprintf("the citation gives bytes for %q, which the payload does not have", clip(m.Name)))
		return
	case m.Span[1] > source.Size:
		r.beyond("the span of "+clip(m.Name), m.Span, source, value, m.Name)
		return
	}
	holds := false
	if from, to := m.Span[0]-c.Span[0], m.Span[1]-c.Span[0]; from >= 0 && to <= int64(len(text)) {
		holds = cite.Holds(r.scanner, m.Name, value, text[from:to])
	} else {
		held, sum, err := r.cited(source, m.Span)
		if err != nil {
			r.unreadable(c, err)
			return
		}
		if holds = strings.HasSuffix(m.Name, cite.Hash) && value.TextIs(sum.Hex()); held != nil {
			holds = cite.Holds(r.scanner, m.Name, value, held)
		}
	}
	if !holds {
		r.fault(ruleSourceValue, value, m.Name, clip(m.Name)+" differs from "+bytesOf(c, m.Span))
	}
}

func bytesOf(c *cite.Citation, s cite.Span) string {
	return fmt.Sprintf("bytes %d to %d of %q", s[0], s[1], clip(c.Path))
}

func (r *sourceReader) beyond(what string, s cite.Span, source Source, at strictjson.Node, path string) {
	r.fault(ruleSourceRange, at, path, fmt.Sprintf("%s ends at byte %d, but the source has %d", what, s[1], source.Size))
}

// cited returns bytes of a file, until the next call, and their digest. Long ranges are not held: text is nil.
func (r *sourceReader) cited(source Source, s cite.Span) (text []byte, sum digest.Sum, err error) {
	n := s[1] - s[0]
	if n > maxCitedText {
		h := sha256.New()
		_, err = io.Copy(h, io.NewSectionReader(source.Text, s[0], n))
		h.Sum(sum[:0])
		return nil, sum, err
	}
	r.buf = slices.Grow(r.buf[:0], int(n))[:n]
	if k, err := source.Text.ReadAt(r.buf, s[0]); k < len(r.buf) {
		return nil, sum, err
	}
	return r.buf, digest.Of(r.buf), nil
}

func (r *sourceReader) unreadable(c *cite.Citation, err error) {
	r.rec.fail(fmt.Errorf("cannot read the source %q: %w", c.Path, err))
}

func (r *sourceReader) fault(id rule, at strictjson.Node, path, message string) {
	p := payloadFault{rule: id, node: at}
	if r.rec.full(finding.Error, p.at()) {
		return
	}
	f := rules[id].New(message)
	if f.Path, f.Index = "payload", r.event.index(); path != "" {
		f.Path += "." + path
	}
	r.rec.add(f, p.at())
}

// file reports a fault of a whole file, once for all events that cite it.
func (r *sourceReader) file(id rule, c *cite.Citation, node strictjson.Node, found, message string) {
	about := noteSubject{id, nil, r.keys.Sum64(append(c.Sum[:], c.Path...))}
	at := node.Get("content_path")
	r.rec.out.notes = append(r.rec.out.notes, note{
		noteSubject: about, event: r.rec.event, name: keySpanOf(at), at: spanOf(at),
		source: &sourceNote{message, c.Sum.Hex(), found},
	})
}
