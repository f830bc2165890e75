package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/transcript"
)

// chain follows the links between records.
type chain struct {
	known   map[uint64]link
	pending []pending // links to records not seen yet
	roots   int
	rootAt  int
	linked  int64 // chained records so far
	order   []uint64
	fresh   bool // the last record's id was new
	more    int  // links beyond maxPending
}

// link is a chained record.
type link struct {
	parent uint64
	line   int32
	hash   uint32
}

// pending is a link to a record not seen yet.
type pending struct {
	child, parent         uint64
	childText, parentText string
	line                  int
	before                int64 // chained records before it
	typ                   string
	loss                  int // losses before it
	copied                bool
}

const maxPending = 100_000

func (c *chain) init() { c.known = map[uint64]link{} }

// chainOf checks the id and the parent of a record.
func (c *checker) chainOf(f *fact) {
	k := &c.chain
	k.fresh = true
	if f.id == 0 || c.opt.Kind.Format == transcript.ATIF || c.opt.Kind.Format == transcript.Codex {
		return
	}
	before, again := k.known[f.id]
	k.fresh = !again
	if f.flags&transcript.Update != 0 {
		if !again {
			k.known[f.id] = link{line: int32(f.line)}
		}
		c.rewindable(f)
		return
	}
	if again {
		c.again(f, before)
		return
	}
	k.known[f.id] = link{parent: f.parent, line: int32(f.line), hash: uint32(f.hash)}
	if f.flags&transcript.Chained == 0 {
		return
	}
	switch _, ok := k.known[f.parent]; {
	case f.parent == 0:
		c.root(f)
	case !ok || f.parent == f.id:
		if len(k.pending) < maxPending {
			k.pending = append(k.pending, pending{
				f.id, f.parent, string(f.idText), string(f.parentText), f.linkLine, k.linked, f.typ, len(c.losses),
				f.flags&transcript.Copied != 0 || c.session.foreign != 0,
			})
		} else {
			k.more++
		}
	}
	k.linked++
}

// again handles a repeated id.
func (c *checker) again(f *fact, before link) {
	if before.hash == uint32(f.hash) {
		c.fault(transcript.Fault{Rule: "repeated", Line: f.line, Type: f.typ, IDs: ids(f.idText), Message: fmt.Sprintf("the record of line %d is here once more, byte for byte", before.line)})
		return
	}
	c.derived(transcript.Fault{
		Rule: "duplicate_id", Line: f.line, Type: f.typ, IDs: ids(f.idText),
		Message: fmt.Sprintf("%s is on lines %d and %d with different content", f.idText, before.line, f.line),
	}, c.sessionLoss())
}

// root handles a record without a parent.
func (c *checker) root(f *fact) {
	k := &c.chain
	if c.opt.Kind.Format == transcript.OpenCode || f.flags&(transcript.Side|transcript.MayRoot) != 0 {
		return
	}
	if k.roots++; k.roots == 1 {
		k.rootAt = f.line
		if k.linked == 0 {
			return
		}
	}
	if k.linked == 0 {
		return
	}
	cause := c.sessionLoss()
	if cause == nil {
		cause = c.lossBefore(f.line, k.rootAt)
	}
	c.derived(transcript.Fault{
		Rule: "roots", Line: f.line, Type: f.typ, IDs: ids(f.idText),
		Message: fmt.Sprintf("a second beginning: %s has no parent, so the %s before it are not reached from the end", f.idText, say.Counted(k.linked, "record")),
	}, cause)
}

// rewindable records a message as a rewind target.
func (c *checker) rewindable(f *fact) {
	if f.flags&transcript.Update != 0 && f.id != 0 && !slices.Contains(c.chain.order, f.id) {
		c.chain.order = append(c.chain.order, f.id)
	}
}

// rewind checks that the target of a rewind exists.
func (c *checker) rewind(f *fact) {
	if f.sample.Rewind == 0 || c.opt.Kind.Format != transcript.Gemini {
		return
	}
	k := &c.chain
	if at := slices.Index(k.order, f.sample.Rewind); at >= 0 {
		k.order = k.order[:at]
		return
	}
	c.derived(transcript.Fault{
		Rule: "rewind", Line: f.line, Type: f.typ, IDs: ids(f.rewindText),
		Message: fmt.Sprintf("the rewind to %s names a message that is not there: Gemini CLI then forgets all %s", f.rewindText, say.Counted(int64(len(k.order)), "message")),
	}, c.anyLoss(f.line))
	k.order = k.order[:0]
}

// chainEnd checks the pending links.
func (c *checker) chainEnd() {
	k := &c.chain
	var missing []pending
	for _, p := range k.pending {
		if _, ok := k.known[p.parent]; !ok {
			missing = append(missing, p)
		}
	}
	c.missing(missing)
	c.cycles()
}

// missing reports dangling links, once per file unless they have a cause.
func (c *checker) missing(list []pending) {
	var bare []pending
	for _, p := range list {
		f := transcript.Fault{
			Rule: "parent", Line: p.line, Type: p.typ, IDs: []string{p.parentText, p.childText},
			Message: fmt.Sprintf("%s names the parent %s, which is nowhere in the file", p.childText, p.parentText),
		}
		switch {
		case p.copied:
			c.derived(f, &loss{p.line, "transcript.session"})
		case p.loss > 0:
			c.derived(f, c.anyLoss(p.line))
		case len(c.losses) > 0 && c.lossBefore(p.line+1, p.line-1) != nil:
			c.derived(f, c.anyLoss(p.line))
		default:
			bare = append(bare, p)
		}
	}
	if len(bare) == 0 {
		return
	}
	p := bare[0]
	f := transcript.Fault{Rule: "parent", Line: p.line, Type: p.typ, IDs: []string{p.parentText, p.childText}}
	f.Message = fmt.Sprintf("the parent %s is nowhere in the file: a resume sees nothing before line %d (%s)", p.parentText, p.line, say.Counted(p.before, "record"))
	if c.opt.Kind.Format == transcript.OpenCode {
		f.Message = fmt.Sprintf("the message %s answers %s, which is nowhere in the file", p.childText, p.parentText)
	}
	if n := len(bare) - 1 + c.chain.more; n > 0 {
		f.Message += fmt.Sprintf("; %s more lead nowhere", say.Counted(int64(n), "link"))
	}
	f.Mild = p.before == 0 && c.opt.Kind.Format == transcript.ClaudeCode // a copied or partial file
	c.fault(f)
}

// cycles finds parent cycles. Each contains a link to a later record or to itself.
func (c *checker) cycles() {
	k := &c.chain
	done := map[uint64]bool{}
	for _, p := range k.pending {
		if _, ok := k.known[p.parent]; !ok || done[p.child] {
			continue
		}
		var lines []int
		at := p.child
		for steps := 0; steps <= len(k.known); steps++ {
			e, ok := k.known[at]
			if !ok || done[at] && at != p.child {
				break
			}
			if len(lines) < 1000 {
				lines = append(lines, int(e.line))
			}
			if at = e.parent; at == p.child {
				c.cycle(p, lines, done)
				break
			}
			if at == 0 {
				break
			}
		}
	}
}

func (c *checker) cycle(p pending, lines []int, done map[uint64]bool) {
	for at := p.child; !done[at]; at = c.chain.known[at].parent {
		done[at] = true
	}
	slices.Sort(lines)
	texts := make([]string, 0, len(lines))
	for _, l := range lines[:min(len(lines), 10)] {
		texts = append(texts, fmt.Sprint(l))
	}
	c.derived(transcript.Fault{
		Rule: "cycle", Line: lines[0], Type: p.typ, IDs: []string{p.childText, p.parentText},
		Message: fmt.Sprintf("lines %s name each other as parents (%s, %s): readers that follow them never end", strings.Join(texts, ", "), p.childText, p.parentText),
	}, nil)
}
