package reasoning

import (
	"encoding/binary"
	"fmt"

	"github.com/cupel-dev/cupel/internal/digest"
)

// supportTask is one citation whose bytes are to be compared.
type supportTask struct {
	e      *event
	s      support
	path   location // of the support, or of the statement for a marker
	number uint32   // of the evidence
	id     string   // of the evidence
	bare   bool     // it names none
	files  int      // how many of the block's evidence files stand before it

	findings []Finding
	err      error
}

// checkClaim takes a claim: what it rests on, and each citation.
func (c *Checker) checkClaim(e *event, supports []support) {
	c.counts.supports += int64(len(supports))
	grounded := false
	supportsPath := c.path("claim.supports")
	for i := range supports {
		s := &supports[i]
		grounded = grounded || s.isEvidence()
		c.checkSupport(e, s, location{supportsPath, i})
	}
	if e.derived {
		c.checkDerived(e, supports, grounded)
	}
	if e.id.bytes == nil {
		return
	}
	key := c.key(e.id.bytes)
	c.came(&c.links.cited.claims, key, "ref.claim_later", "claim %q comes after the claim that cites it")
	c.links.claims[key] = struct{}{}
}

// checkDerived holds what only a derived claim must do: rest on something, and cite
// by full markers if it cites in its text.
func (c *Checker) checkDerived(e *event, supports []support, grounded bool) {
	switch {
	case len(supports) == 0:
		c.fault(e, "claim.no_supports", c.path("claim.supports"), e.supportsAt, "a derived claim has no supports")
	case !grounded:
		c.fault(e, "claim.ungrounded", c.path("claim.supports"), e.supportsAt, "a derived claim rests on claims and calls alone")
	}
	cited := c.checkMarkers(e, supports)
	if grounded && !cited && e.statement.bytes != nil {
		c.fault(e, "marker.absent", c.path("claim.statement"), e.statement.at, "the statement cites its evidence without markers")
	}
}

func (s *support) isEvidence() bool {
	return s.kind.bytes == nil || string(s.kind.bytes) == "evidence"
}

// checkSupport checks the form of one support and finds what it refers to.
func (c *Checker) checkSupport(e *event, s *support, path location) {
	ok := s.span.sound()
	if !ok {
		c.malformedSpan(e, s.path(path, "span"), s.span)
	}
	comparable := c.checkSnippetForm(e, s, path)
	switch {
	case s.isEvidence():
		c.citeEvidence(e, s, path, ok, comparable)
	case string(s.kind.bytes) == "claim":
		c.citeClaim(e, s, path)
	case string(s.kind.bytes) == "tool_call":
		if _, known := c.links.calls[c.key(s.ref.bytes)]; !known {
			c.fault(e, "ref.call_unknown", s.path(path, "ref_id"), s.refPlace(), fmt.Sprintf("the support cites call %q, which is not made before it", preview(s.ref.bytes)))
		}
		c.uncheckable(e, s, path)
	default:
		c.fault(e, "support.kind_unknown", s.path(path, "kind"), s.kind.at, fmt.Sprintf("unknown support kind %q", preview(s.kind.bytes)),
			compared("claim, evidence or tool_call", preview(s.kind.bytes)))
	}
}

func (s *support) refPlace() place {
	if s.ref.bytes == nil {
		return s.at
	}
	return s.ref.at
}

// checkSnippetForm says whether the support's hash can be compared at all.
func (c *Checker) checkSnippetForm(e *event, s *support, path location) bool {
	ok := digest.IsHex(s.snippet.bytes)
	if !ok { // the path is spelled out only for a fault
		c.checkHashFormat(e, location{s.path(path, "snippet_sha256"), -1}, s.snippet)
	}
	if s.algo.bytes != nil && string(s.algo.bytes) != "sha256" {
		c.fault(e, "hash.algo_unsupported", s.path(path, "hash_algo"), s.algo.at, fmt.Sprintf("hash algorithm %q is not supported", preview(s.algo.bytes)),
			compared("sha256", preview(s.algo.bytes)))
		return false
	}
	return ok
}

func (c *Checker) citeClaim(e *event, s *support, path location) {
	defer c.uncheckable(e, s, path)
	key := c.key(s.ref.bytes)
	if _, known := c.links.claims[key]; known {
		return
	}
	unknown := func() Finding {
		f := c.eventFinding(e, "ref.claim_unknown", s.path(path, "ref_id"), s.refPlace(), fmt.Sprintf("the support cites claim %q, which is never made", preview(s.ref.bytes)))
		f.Found = preview(s.ref.bytes)
		return f
	}
	c.wait(&c.links.cited.claims, key, unknown)
}

func (c *Checker) uncheckable(e *event, s *support, path location) {
	c.fault(e, "support.hash_not_checkable", path.String(), s.at, fmt.Sprintf("a support of kind %q has no bytes: its hash is not checked", s.kind.bytes))
}

// citeEvidence finds the evidence of a support and queues the comparison of bytes.
func (c *Checker) citeEvidence(e *event, s *support, path location, spanOK, hashOK bool) {
	task := supportTask{e: e, s: *s, path: path}
	if !hashOK {
		task.s.snippet = text{}
	}
	if len(s.ref.bytes) == 0 {
		if spanOK && hashOK && c.opt.Evidence != nil {
			task.bare, task.files = true, len(c.evidence.files)
			c.evidence.supports = append(c.evidence.supports, task)
		}
		return
	}
	key := c.key(s.ref.bytes)
	number, known := c.evidence.byID[key]
	if !known {
		c.wait(&c.links.cited.evidence, key, func() Finding {
			f := c.eventFinding(e, "ref.evidence_unknown", s.path(path, "ref_id"), s.refPlace(), fmt.Sprintf("the claim cites evidence %q, which is never registered", preview(s.ref.bytes)))
			f.Found = preview(s.ref.bytes)
			return f
		})
		return
	}
	if spanOK && c.opt.Evidence != nil {
		task.number, task.id = number, s.ref.String()
		c.evidence.supports = append(c.evidence.supports, task)
	}
}

// path is the path of a member of a support; a marker is one text.
func (s *support) path(at location, member string) string {
	if s.index < 0 {
		return at.String()
	}
	return at.member(member)
}

// checkMarkers checks the citations in a claim's text and says whether there is one.
func (c *Checker) checkMarkers(e *event, supports []support) (cited bool) {
	c.markers = findMarkers(c.markers[:0], e.statement)
	if len(c.markers) == 0 {
		return false
	}
	clear(c.cited)
	for i := range supports {
		c.cited[c.citation(&supports[i])] = struct{}{}
	}
	at := location{c.path("claim.statement"), -1}
	for i := range c.markers {
		switch m := &c.markers[i]; m.form {
		case legacyMarker:
			c.fault(e, "marker.legacy", at.base, m.at, fmt.Sprintf("marker %q has no span and no hash", preview(m.text)))
		case brokenMarker:
			c.fault(e, "marker.absent", at.base, m.at, fmt.Sprintf("marker %q is not of the form [evidence:ID:START-END:SHA256]", preview(m.text)))
		default:
			if _, supported := c.cited[c.citation(&m.support)]; !supported {
				c.checkSupport(e, &m.support, at)
			}
		}
	}
	return true
}

// citation is the key of what a support and its marker have in common.
func (c *Checker) citation(s *support) uint64 {
	c.scratch = append(c.scratch[:0], s.ref.bytes...)
	c.scratch = binary.LittleEndian.AppendUint64(c.scratch, uint64(s.span.from))
	c.scratch = binary.LittleEndian.AppendUint64(c.scratch, uint64(s.span.to))
	c.scratch = append(c.scratch, s.snippet.bytes...)
	return c.key(c.scratch)
}
