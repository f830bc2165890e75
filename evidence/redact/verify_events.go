package redact

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/bundle"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// lineComparer compares the repeated redaction with the redacted input line by line.
type lineComparer struct {
	*verifyRun
	member   string        // of a bundle that the lines are in; "" for a stream
	changes  *reportEvents // of the policy, by their lines
	expected *strictjson.Scanner
	found    *strictjson.Scanner
}

func newLineComparer(v *verifyRun, packed bool) *lineComparer {
	limits := strictjson.Limits{WideNumbers: true}
	c := &lineComparer{
		verifyRun: v, changes: newListing(v.anew.reader()),
		expected: strictjson.NewScanner(limits), found: strictjson.NewScanner(limits),
	}
	if packed {
		c.member = bundle.EventsName
	}
	return c
}

func (c *lineComparer) all(ctx context.Context, expected, found io.Reader) error {
	a, b := newLineReader(expected, c.opt.Limits.LineBytes), newLineReader(found, c.opt.Limits.LineBytes)
	for number := 1; ; number++ {
		want, err := a.next()
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		got, err := b.next()
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		switch {
		case len(want) == 0 && len(got) == 0:
			return ctx.Err()
		case len(got) == 0:
			c.note(c.at(number, 0, "", "the redacted input ends before this line, but the original continues"))
			return nil
		case len(want) == 0:
			c.note(c.at(number, 1, "", "the redacted input continues after the original's end"))
			return nil
		case !bytes.Equal(want, got):
			c.differ(number, want, got)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
}

// at returns a finding about the redacted input.
func (c *lineComparer) at(line, column int, pointer, message string) finding.Finding {
	f := c.placed(rules[ruleEvent].New(message))
	f.Line, f.Column, f.Path = line, column, pointer
	f.Detail = bundle.Detail{Member: c.member, Pointer: pointer}
	return f
}

// shownDifferences limits the differences reported for an event.
const shownDifferences = 3

// differ reports how an event differs from the repeated redaction.
func (c *lineComparer) differ(line int, want, got []byte) {
	expected, err := c.expected.Scan(bytes.TrimSpace(want))
	found, wrong := c.found.Scan(bytes.TrimSpace(got))
	if err != nil || wrong != nil {
		c.note(c.at(line, 1, "", "the line differs from the policy's result"))
		return
	}
	c.changes.seek(line)
	count := 0
	for a, b := range strictjson.Differences(expected.Root(), found.Root()) {
		if count == shownDifferences {
			break
		}
		count++
		c.note(c.difference(line, a, b))
	}
	if count == 0 {
		c.note(c.at(line, 1, "", "the event has the expected content, but is written differently"))
	}
}

// difference returns the finding for a value that differs. One of the nodes can be absent.
func (c *lineComparer) difference(line int, expected, found strictjson.Node) finding.Finding {
	place := found
	if !found.Exists() {
		place = expected
	}
	pointer, column := place.Pointer(), 1
	if found.Exists() {
		start, _ := found.Span()
		column = source.Column(found.Document().Source, start)
	}
	listed := c.changes.event.Line == line && slices.ContainsFunc(c.changes.event.Changes, func(change Change) bool { return change.Pointer == pointer && !change.Reported })
	message := "the value differs from the original's, but the policy does not change it"
	switch {
	case pointer == "/"+evidence.AttrContentHash.String():
		message = "the recorded content hash does not match the event after redaction with the policy"
	case !found.Exists():
		message = "the value is missing, but the policy does not remove it"
	case listed && !expected.Exists():
		message = "the policy removes the value here"
	case listed:
		message = "the value differs from the original's after redaction with the policy"
	case !expected.Exists():
		message = "the value was added: the original does not have it, or the policy removes it"
	}
	return c.at(line, column, pointer, message)
}

// lineReader reads lines with their ends, in pieces if they are too long.
type lineReader struct {
	r    *bufio.Reader
	line []byte
	most int
}

func newLineReader(r io.Reader, lineBytes int64) *lineReader {
	const ends = 2
	return &lineReader{r: bufio.NewReaderSize(r, scratchBuffer), most: int(min(lineBytes, maxElement)) + ends}
}

// next returns the next line, valid until the next call, or an empty one at the end.
func (l *lineReader) next() ([]byte, error) {
	l.line = l.line[:0]
	for len(l.line) < l.most {
		part, err := l.r.ReadSlice('\n')
		l.line = append(l.line, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return l.line, err
		}
	}
	return l.line, nil
}

// compareReport compares the given report with that of the repeated redaction.
func (v *verifyRun) compareReport() error {
	if v.report == nil {
		return nil
	}
	given, anew := newListing(v.report.reader()), newListing(v.anew.reader())
	given.following()
	anew.following()
	for given.more || anew.more {
		g, a := &given.event, &anew.event
		switch {
		case !anew.more || given.more && g.Line < a.Line:
			v.note(v.listed(given, fmt.Sprintf("the report lists changes on line %d, where the policy changes nothing", g.Line)))
			given.following()
		case !given.more || g.Line > a.Line:
			v.note(v.listed(given, fmt.Sprintf("the report leaves out the changes on line %d", a.Line)))
			anew.following()
		default:
			if !g.same(a) {
				v.note(v.listed(given, fmt.Sprintf("the report lists other changes on line %d, or another resulting hash", g.Line)))
			}
			given.following()
			anew.following()
		}
	}
	said, own := v.answer.Report, v.answer.Anew
	if said.Summary != own.Summary || said.Kind != own.Kind || said.InputVerified != own.InputVerified {
		v.note(v.inReport(rules[ruleChange].New("the report's redactions or number of changes do not match the policy")))
	}
	for _, f := range said.Compare(Output{SHA256: v.answer.Redacted.SHA256, RunRoot: v.answer.Redacted.RunRoot, BundleID: v.answer.Redacted.BundleID}) {
		if f.Severity == finding.Error {
			v.note(v.inReport(f))
		}
	}
	return errors.Join(given.failed, anew.failed)
}

// listed returns a finding at an event of the given report.
func (v *verifyRun) listed(given *reportEvents, message string) finding.Finding {
	f := rules[ruleChange].New(message)
	if given.more {
		f.Path = given.Base
	}
	return v.inReport(f)
}

// same reports whether two reports agree on an event. Commitments are not compared.
func (e *Event) same(other *Event) bool {
	sameSeq := e.Seq == nil && other.Seq == nil || e.Seq != nil && other.Seq != nil && *e.Seq == *other.Seq
	return sameSeq && e.ID == other.ID && e.ContentHash == other.ContentHash && slices.EqualFunc(e.Changes, other.Changes, func(a, b Change) bool {
		a.Commitment, b.Commitment = "", ""
		return a == b
	})
}
