package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/transcript"
	"github.com/cupel-dev/cupel/internal/transcript/ids"
)

// chain follows the links between records.
type chain struct {
	known   entries
	parents ids.Numbers // number of the parent in known and 1; 0 for none, or one that was not seen before
	pending []pending   // links to records not seen yet
	roots   int
	rootAt  int
	linked  int64 // chained records so far
	fresh   bool  // the last record's id was new
	more    int   // links beyond maxPending
}

// entries are ids with the line and the content of their first record.
type entries struct {
	ids.Set
	lines  ids.Numbers
	hashes ids.Column[uint32]
}

// add adds an id. If it is known, n is its number and fresh is false.
func (e *entries) add(id uint64, line int, hash uint64) (n int, fresh bool) {
	if n, fresh = e.Add(id); fresh {
		e.lines.Append(line)
		e.hashes.Append(uint32(hash))
	}
	return n, fresh
}

// is reports whether an id's first record has this content.
func (e *entries) is(n int, hash uint64) bool { return *e.hashes.At(n) == uint32(hash) }

// pending is a link to a record not seen yet.
type pending struct {
	child                 int // its number
	parent                uint64
	childText, parentText string
	line                  int
	before                int64 // chained records before it
	typ                   string
	loss                  int // losses before it
	copied                bool
}

const maxPending = 100_000

// chainOf checks the id and the parent of a record.
func (c *checker) chainOf(f *fact) {
	k := &c.chain
	k.fresh = true
	if f.id == 0 || c.opt.Kind.Format == transcript.ATIF || c.opt.Kind.Format == transcript.Codex {
		return
	}
	hash := f.hash
	if f.flags&transcript.Update != 0 {
		hash = 0
	}
	n, fresh := k.known.add(f.id, f.line, hash)
	switch k.fresh = fresh; {
	case !fresh && f.flags&transcript.Update == 0:
		c.again(f, n)
		return
	case !fresh:
		return
	}
	parent := k.known.Find(f.parent)
	if parent == n {
		parent = -1
	}
	k.parents.Append(parent + 1)
	if f.flags&transcript.Update != 0 || f.flags&transcript.Chained == 0 {
		return
	}
	switch {
	case f.parent == 0:
		c.root(f)
	case parent < 0:
		if len(k.pending) < maxPending {
			k.pending = append(k.pending, pending{
				n, f.parent, string(f.idText), string(f.parentText), f.linkLine, k.linked, f.typ, len(c.losses),
				f.flags&transcript.Copied != 0 || c.session.foreign != 0,
			})
		} else {
			k.more++
		}
	}
	k.linked++
}

// again handles a repeated id.
func (c *checker) again(f *fact, n int) {
	known := &c.chain.known
	if known.is(n, f.hash) {
		c.fault(transcript.Fault{Rule: "repeated", Line: f.line, Type: f.typ, IDs: texts(f.idText), Message: fmt.Sprintf("the record of line %d is repeated, byte for byte", known.lines.At(n))})
		return
	}
	c.derived(transcript.Fault{
		Rule: "duplicate_id", Line: f.line, Type: f.typ, IDs: texts(f.idText),
		Message: fmt.Sprintf("%s is on lines %d and %d with different content", f.idText, known.lines.At(n), f.line),
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
		Rule: "roots", Line: f.line, Type: f.typ, IDs: texts(f.idText),
		Message: fmt.Sprintf("a second root: %s has no parent, so readers that start at the end miss the %s before it", f.idText, say.Counted(k.linked, "record")),
	}, cause)
}

// rewind checks that the target of a rewind exists.
func (c *checker) rewind(f *fact) {
	if f.sample.Rewind == 0 || c.opt.Kind.Format != transcript.Gemini {
		return
	}
	if c.counter.Lives(f.sample.Rewind) {
		return
	}
	c.derived(transcript.Fault{
		Rule: "rewind", Line: f.line, Type: f.typ, IDs: texts(f.rewindText),
		Message: fmt.Sprintf("the rewind to %s names a missing message: Gemini CLI then forgets all %s", f.rewindText, say.Counted(int64(c.counter.Living()), "message")),
	}, c.anyLoss(f.line))
}

// chainEnd checks the pending links.
func (c *checker) chainEnd() {
	k := &c.chain
	var missing []pending
	for _, p := range k.pending {
		n := k.known.Find(p.parent)
		if n < 0 {
			missing = append(missing, p)
			continue
		}
		k.parents.Set(p.child, n+1)
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
			Message: fmt.Sprintf("%s names the parent %s, which is not in the file", p.childText, p.parentText),
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
	f.Message = fmt.Sprintf("the parent %s is not in the file: a resumed session sees nothing before line %d (%s)", p.parentText, p.line, say.Counted(p.before, "record"))
	if c.opt.Kind.Format == transcript.OpenCode {
		f.Message = fmt.Sprintf("the message %s answers %s, which is not in the file", p.childText, p.parentText)
	}
	if n := len(bare) - 1 + c.chain.more; n > 0 {
		f.Message += fmt.Sprintf("; %s more have no target", say.Counted(int64(n), "link"))
	}
	f.Mild = p.before == 0 && c.opt.Kind.Format == transcript.ClaudeCode // a copied or partial file
	c.fault(f)
}

// cycles finds parent cycles. Each contains a link to a later record or to itself.
func (c *checker) cycles() {
	k := &c.chain
	done := map[int]bool{}
	for _, p := range k.pending {
		if k.parents.At(p.child) == 0 || done[p.child] {
			continue
		}
		var lines []int
		at := p.child
		for range k.known.Len() {
			if done[at] && at != p.child {
				break
			}
			if len(lines) < 1000 {
				lines = append(lines, k.known.lines.At(at))
			}
			if at = k.parents.At(at) - 1; at == p.child {
				c.cycle(p, lines, done)
				break
			}
			if at < 0 {
				break
			}
		}
	}
}

func (c *checker) cycle(p pending, lines []int, done map[int]bool) {
	for at := p.child; !done[at]; at = c.chain.parents.At(at) - 1 {
		done[at] = true
	}
	slices.Sort(lines)
	shown := make([]string, 0, len(lines))
	for _, l := range lines[:min(len(lines), 10)] {
		shown = append(shown, fmt.Sprint(l))
	}
	c.derived(transcript.Fault{
		Rule: "cycle", Line: lines[0], Type: p.typ, IDs: []string{p.childText, p.parentText},
		Message: fmt.Sprintf("lines %s name each other as parents (%s, %s): readers that follow parents never end", strings.Join(shown, ", "), p.childText, p.parentText),
	}, nil)
}
