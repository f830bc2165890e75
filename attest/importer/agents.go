package importer

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/internal/transcript"
	"github.com/cupel-dev/cupel/internal/transcript/check"
)

// Package internal/transcript reads transcripts. This file collects their records; agents_steps.go builds steps
// from them and agents_write.go writes the trace.

func agentFormats() (names []Format) {
	for _, f := range transcript.Formats() {
		names = append(names, Format(f))
	}
	return names
}

type session struct {
	im      *streamImporter
	kind    transcript.Kind
	kept    []kept
	size    int
	full    bool
	outcome check.Outcome
	losses  []finding.Finding // missing data, by the transcript rules

	id     strictjson.Node
	model  strictjson.Node
	main   *thread
	subs   map[string]*thread // subagents by key
	left   int                // subagent records without a call
	rolled int                // undone turns and messages
	parts  []part
}

// kept is a record with its source bytes.
type kept struct {
	transcript.Record
	list string
	part int // index in the origin's parts
}

// transcripts imports a stream that can be a transcript. If it is not, ok is false and rest is the whole stream.
func (im *streamImporter) transcripts(r io.Reader) (rest io.Reader, ok bool) {
	named := slices.Contains(agentFormats(), im.opt.From)
	if im.opt.From != "" && im.opt.From != Auto && !named {
		return r, false
	}
	head, kind, err := transcript.Peek(r, false, func(root strictjson.Node) bool {
		return !named && slices.ContainsFunc(formats, func(f format) bool { return f.fits(root) })
	})
	if err != nil {
		im.yield(Trace{}, err)
		return nil, true
	}
	r = io.MultiReader(bytes.NewReader(head), r)
	switch {
	case kind.Format == transcript.None && !named:
		return r, false
	case named && Format(kind.Format) != im.opt.From:
		what := "the input has no readable record"
		if kind.Format != transcript.None {
			what = "the records have the format " + string(kind.Format)
		}
		im.yield(Trace{}, fmt.Errorf("the input is not a transcript of the format %s: %s", im.opt.From, what))
		return nil, true
	}
	s := &session{im: im, kind: kind}
	im.format.name = Format(kind.Format)
	if err := s.read(r); err != nil {
		im.yield(Trace{}, err)
		return nil, true
	}
	for _, one := range s.conversations() {
		one.arrange()
		if !im.yield(one.trace(), nil) {
			break
		}
	}
	return nil, true
}

// conversations returns the conversations of a file: one, or one per sample for an Inspect log.
func (s *session) conversations() (list []*session) {
	if s.kind.Format != transcript.Inspect {
		return []*session{s}
	}
	var run []kept
	for i := range s.kept {
		if s.kept[i].list != "samples" {
			run = append(run, s.kept[i])
		}
	}
	for i := range s.kept {
		k := &s.kept[i]
		if k.list != "samples" {
			continue
		}
		one := *s
		one.kept = append(slices.Clip(run), *k)
		one.size = len(k.Text)
		one.id = cmp.Or(k.ID, s.id)
		one.outcome.Usage.All, one.outcome.Usage.Main = k.Usage, k.Usage
		list = append(list, &one)
	}
	if list == nil {
		return []*session{s}
	}
	return list
}

func (s *session) read(r io.Reader) error {
	var err error
	s.outcome, err = check.Check(context.Background(), r, check.Options{
		Kind: s.kind, Values: strictjson.Limits{Depth: s.im.limits.JSONDepth, Values: s.im.limits.Values},
		Found: s.found, Observe: s.observe,
	})
	if err != nil {
		return err
	}
	if s.full {
		return fmt.Errorf("the conversation needs more than %d bytes of memory: %s", s.im.gathered.most, s.im.gathered.advice("split it"))
	}
	return nil
}

func (s *session) found(f finding.Finding) {
	if check.Loses(f) && len(s.losses) < maxLosses { // so assertions cannot be answered
		s.losses = append(s.losses, f)
	}
}

const maxLosses = 100

func (s *session) observe(list string, r *transcript.Record) {
	if r.Has(transcript.Header) && s.id.Missing() {
		s.keep(list, r)
		s.id = s.kept[len(s.kept)-1].Session
		return
	}
	if r.Has(transcript.Metadata) && r.Rewind.Missing() && !r.Messages.Exists() && list != "agent" {
		return
	}
	tells := len(r.Parts) > 0 || r.Back > 0 || !r.Rewind.Missing() || r.Messages.Exists() || r.Flags&(transcript.Compacted|transcript.Abort) != 0 ||
		!r.Model.Missing() || r.Role != transcript.NoRole
	if tells {
		s.keep(list, r)
	}
}

func (s *session) keep(list string, r *transcript.Record) {
	doc := r.Root.Document()
	if s.size += len(r.Text) + len(doc.Values)*strictjson.ValueBytes; s.full || s.size > s.im.gathered.most {
		s.full, s.kept = true, nil
		s.keepNothing(list, r)
		return
	}
	source := bytes.Clone(doc.Source)
	held, _ := doc.Copy(nil)
	held.Source = source
	k := kept{list: list, part: len(s.parts)}
	k.Place = r.Place
	k.Text = source
	transcript.Read(s.kind.Format, list, held.Root(), &k.Record)
	s.parts = append(s.parts, part{value: &value{text: source, line: r.Line, index: len(s.parts)}, end: len(source), pointer: s.pointer(list)})
	s.kept = append(s.kept, k)
}

// keepNothing replaces the kept records by an empty one, for a header.
func (s *session) keepNothing(list string, r *transcript.Record) {
	s.kept = append(s.kept[:0], kept{list: list})
	_ = r
}

// pointer returns the JSON pointer of the next record.
func (s *session) pointer(list string) string {
	if list == "" {
		return "/" + strconv.Itoa(len(s.parts))
	}
	n := 0
	for _, k := range s.kept {
		if k.list == list {
			n++
		}
	}
	return "/" + strictjson.PointerToken(list) + "/" + strconv.Itoa(n)
}

// lost returns why assertions cannot be answered, or nil.
func (s *session) lost() *attest.Error {
	if len(s.losses) == 0 {
		return nil
	}
	slices.SortStableFunc(s.losses, finding.Compare)
	first := s.losses[0]
	where := ""
	if first.Line > 0 {
		where = fmt.Sprintf("line %d: ", first.Line)
	}
	more := ""
	if n := len(s.losses) - 1; n > 0 {
		more = fmt.Sprintf(" (and %d more)", n)
	}
	return attest.NewError(attest.CodeInvalidTrace,
		"the transcript is incomplete, so assertions about it cannot be answered: "+where+first.Message+more,
		"cupel trace verify shows every fault of the file. attest validate --print shows the steps that could be recovered.")
}
