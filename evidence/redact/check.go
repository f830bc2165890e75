package redact

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/internal/shape"
	"github.com/cupel-dev/cupel/evidence/privacy"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/say"
)

// Checker compares a redaction report with the redacted file, event by event. [Verify] also checks the redaction
// itself, with the original. Pass its Event as bundle.Options.Each when verifying the file. It holds one event of
// the report in memory.
type Checker struct {
	list   *reportEvents
	said   *Report
	counts Summary
	fault  *finding.Finding // the first one
}

// NewChecker returns a checker for a report. said is the result of [ReadReport], and report reads the document
// again.
func NewChecker(said *Report, report io.Reader) *Checker {
	c := &Checker{list: newListing(report), said: said}
	c.list.following()
	return c
}

// Event checks the next event of the file, whose Event must be set. It returns a read error of the report.
func (c *Checker) Event(r *evidence.Result) error {
	c.counts.Events++
	for c.list.more && c.list.event.Line < r.Line {
		c.absent()
	}
	if c.list.more && c.list.event.Line == r.Line {
		c.event(r, &c.list.event)
		c.count(&c.list.event)
		c.list.following()
	}
	return c.list.failed
}

// absent reports an event of the report that the file does not have.
func (c *Checker) absent() {
	c.refuse("/line", fmt.Sprintf("the output has no event on line %d", c.list.event.Line))
	c.count(&c.list.event)
	c.list.following()
}

func (c *Checker) count(e *Event) {
	if slices.ContainsFunc(e.Changes, func(change Change) bool { return !change.Reported }) || len(e.Changes) == 0 {
		c.counts.Changed++
	}
	for i := range e.Changes {
		c.counts.count(&e.Changes[i])
	}
}

func (c *Checker) event(r *evidence.Result, e *Event) {
	if r.Event == nil {
		return
	}
	seq, ok := r.Event.Get(evidence.AttrSequence).Int()
	switch {
	case r.Hashed && e.ContentHash != r.ContentHash():
		c.refuse("/content_hash", "the content hash of the event on line "+strconv.Itoa(e.Line)+" does not match")
	case e.ID != "" && e.ID != string(r.ID):
		c.refuse("/id", "the id of the event on line "+strconv.Itoa(e.Line)+" does not match")
	case e.Seq != nil && (!ok || *e.Seq != seq):
		c.refuse("/seq", "the sequence number of the event on line "+strconv.Itoa(e.Line)+" does not match")
	case len(e.Changes) == 0 && c.said.InputVerified:
		c.refuse("/changes", "the report lists the event on line "+strconv.Itoa(e.Line)+", but no change in it")
	}
	removed := map[string][]int{}
	for i := range e.Changes {
		if change := &e.Changes[i]; change.Action == string(privacy.Removed) && !change.Reported {
			parent, token := splitPointer(change.Pointer)
			if at, err := strconv.Atoi(token); err == nil {
				removed[parent] = append(removed[parent], at)
			}
		}
	}
	for i := range e.Changes {
		change := &e.Changes[i]
		at := fmt.Sprintf("/changes/%d", i)
		if !slices.Contains(actions, change.Action) {
			c.refuse(at+"/action", "the report names an unknown action")
			continue
		}
		if strings.Contains(change.Pointer, say.Ellipsis) {
			continue // shortened and possibly ambiguous
		}
		value, element := resolve(r.Event.Root(), change.Pointer, removed)
		switch gone := change.Action == string(privacy.Removed) && !change.Reported; {
		case gone && value.Exists() && !element:
			c.refuse(at+"/pointer", "the report lists a removed value that is still in the event on line "+strconv.Itoa(e.Line)+"")
		case !gone && !value.Exists():
			c.refuse(at+"/pointer", "the event on line "+strconv.Itoa(e.Line)+" has no value where the report lists a change")
		}
	}
}

// actions are the valid actions in a report.
var actions = []string{string(privacy.Removed), string(privacy.Replaced), string(privacy.Generalized), string(privacy.Cut)}

// splitPointer splits a pointer at its last token.
func splitPointer(pointer string) (parent, token string) {
	i := strings.LastIndexByte(pointer, '/')
	if i < 0 {
		return "", pointer
	}
	return pointer[:i], pointer[i+1:]
}

// resolve returns the value at a pointer of the original, because elements after removed ones have moved. element
// means that the last token is an array index.
func resolve(root evidence.Value, pointer string, removed map[string][]int) (v evidence.Value, element bool) {
	v = root
	if pointer == "" {
		return v, false
	}
	before := ""
	for _, token := range strings.Split(pointer[1:], "/") {
		at, err := strconv.Atoi(token)
		if element = v.Kind() == evidence.KindArray && err == nil; element {
			up := 0
			for _, gone := range removed[before] {
				if gone < at {
					up++
				}
			}
			v = nth(v, at-up)
		} else {
			v = v.Get(strings.NewReplacer("~1", "/", "~0", "~").Replace(token))
		}
		before += "/" + token
	}
	return v, element
}

func nth(list evidence.Value, at int) (v evidence.Value) {
	for child := range list.Children() {
		if at == 0 {
			return child
		}
		at--
	}
	return v
}

// refuse records the first fault, at a member of the report's last event.
func (c *Checker) refuse(member, message string) {
	if c.fault == nil {
		c.fault = shape.Fault(&rules[ruleChange], c.list.Base+member, "the report belongs to another output: "+message)
	}
}

// Finish returns the mismatches: those of [Report.Compare], the first one in the events, and wrong totals. It
// returns a read error of the report.
func (c *Checker) Finish(own Output) ([]finding.Finding, error) {
	for c.list.more {
		c.absent()
	}
	if c.list.failed != nil {
		return nil, c.list.failed
	}
	findings := c.said.Compare(own)
	if c.fault != nil {
		findings = append(findings, *c.fault)
	}
	s := c.said.Summary
	if !c.said.InputVerified {
		s.Changed, c.counts.Changed = 0, 0 // unknown for events that were only rehashed
	}
	for _, n := range []struct {
		name      string
		said, own int64
	}{
		{"events", s.Events, c.counts.Events},
		{"changed", s.Changed, c.counts.Changed},
		{"dropped", s.Dropped, c.counts.Dropped},
		{"replaced", s.Replaced, c.counts.Replaced},
		{"generalized", s.Generalized, c.counts.Generalized},
		{"cut", s.Cut, c.counts.Cut},
		{"reported", s.Reported, c.counts.Reported},
	} {
		if n.said != n.own {
			what := "the changes that the report lists"
			if n.name == "events" {
				what = "the events of the output"
			}
			findings = append(findings, *shape.Differs(&rules[ruleChange], "/summary/"+n.name, "the sum "+n.name+" in the report does not match "+what,
				strconv.FormatInt(n.own, 10), strconv.FormatInt(n.said, 10)))
		}
	}
	return append(findings, c.policy()...), nil
}

// builtIn are the policies that do not need a file.
var builtIn = map[string]func() *privacy.Policy{privacy.ProfileDefault: privacy.Default, privacy.ProfileUpstream: privacy.Upstream}

// policy compares the digest of a built-in policy with this version's. Another digest can be due to another version
// or to flags; zeros mean none.
func (c *Checker) policy() []finding.Finding {
	p := c.said.Policy
	if p.File != "" {
		return nil
	}
	policy := builtIn[p.Profile]
	if policy == nil {
		return nil
	}
	own := policy().Digest().String()
	if own == p.Digest {
		return nil
	}
	f := *shape.Differs(&rules[ruleChange], "/policy/digest", "the policy digest does not match the profile "+strconv.Quote(p.Profile)+" of this version", own, p.Digest)
	f.Help = "the report was made with other flags or by another version, or changed: with the original, run `cupel evidence redact --verify ORIGINAL REDACTED --report REPORT`"
	if strings.Trim(strings.TrimPrefix(p.Digest, "sha256:"), "0") != "" {
		f.Severity = finding.Warning
	}
	return []finding.Finding{f}
}
