package tracecmd

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/internal/page"
	"github.com/cupel-dev/cupel/trace"
)

// shownDamage is how many damages a view says in words.
const shownDamage = 20

// chainView is the view of a session log, or of one session.
func chainView(r *trace.Report, o *trace.Outline, c *trace.Chain) *page.Session {
	view := &page.Session{Linked: c.Linked, Files: len(o.Segments) > 1, More: max(0, len(r.Damage)-shownDamage)}
	for _, d := range r.Damage[:min(len(r.Damage), shownDamage)] {
		view.Damage = append(view.Damage, damageText(d))
	}
	if o.Changed != "" {
		view.Left = append(view.Left, o.Changed)
	}
	total := int64(0)
	for i := range c.Blocks {
		view.Blocks = append(view.Blocks, chainBlock(r, c, i))
		if b := &c.Blocks[i]; !b.Gap() {
			total += b.Count
		}
	}
	if c.Listed < total {
		view.Left = append(view.Left, fmt.Sprintf("%d of %d records are listed: the first ones, and later records with faults", c.Listed, total))
	}
	for _, m := range c.Marks {
		view.Marks = append(view.Marks, page.SessionMark{Kind: string(m.Kind), File: cmp.Or(m.File, r.Input), Line: m.Line, Nth: m.Nth, Time: m.Time})
	}
	return view
}

func chainBlock(r *trace.Report, c *trace.Chain, i int) page.SessionBlock {
	b := &c.Blocks[i]
	shown := page.SessionBlock{
		State: string(b.State), Gap: b.Gap(), File: cmp.Or(b.File, r.Input), From: b.From, To: b.To, Count: b.Count,
		First: number(b.First), Last: number(b.Last), Start: b.Start, End: b.End,
	}
	if b.Gap() {
		shown.First, shown.Last = missing(c, i)
	}
	for _, l := range b.Listed {
		shown.Rows = append(shown.Rows, page.SessionRow{
			Nth: l.Nth, Line: l.Line, Number: number(l.Number), Type: l.Type, Time: l.Time, Hash: l.Hash, Lost: l.Lost,
			Payload: page.Excerpt{Text: laidOut(l.Payload, c.Listed), Cut: l.Payload.Cut},
		})
	}
	return shown
}

func number(n *uint64) string {
	if n == nil {
		return ""
	}
	return strconv.FormatUint(*n, 10)
}

// missing returns the first and last number missing in a gap, if known.
func missing(c *trace.Chain, i int) (first, last string) {
	before, after := uint64(0), c.Blocks[min(i+1, len(c.Blocks)-1)].First
	if i > 0 {
		if c.Blocks[i-1].Last == nil {
			return "", ""
		}
		before = *c.Blocks[i-1].Last + 1
	}
	if after == nil || *after <= before || *after-before != uint64(c.Blocks[i].Count) {
		return "", ""
	}
	return strconv.FormatUint(before, 10), strconv.FormatUint(*after-1, 10)
}

// A view shows JSON texts with one value on a line while they are few and short: a browser takes
// long for many lines.
const (
	mostLaidOut  = 1_000
	mostIndented = 8 << 10 // bytes of one
)

// laidOut formats a JSON text for a view.
func laidOut(e trace.Excerpt, of int64) string {
	var b bytes.Buffer
	if e.Cut > 0 || of > mostLaidOut || json.Indent(&b, []byte(e.Text), "", "  ") != nil || b.Len() > mostIndented {
		return e.Text
	}
	return b.String()
}

// explainedDamage is the text of a damage that has a cause.
func explainedDamage(d trace.Damage, lines string) string {
	text := string(d.Kind)
	if d.Name != "" {
		text += fmt.Sprintf(" (%s)", d.Name)
	}
	text += ", " + lines
	if d.Note != "" {
		text += ": " + d.Note
	}
	if len(d.Branches) > 0 {
		text += fmt.Sprintf("; events on the branches: %s", strings.Trim(fmt.Sprint(d.Branches), "[]"))
	}
	if d.Help != "" {
		text += "; " + d.Help
	}
	return text
}

func damageText(d trace.Damage) string {
	lines := damagedLines(d, "to")
	switch {
	case d.Note != "" || d.Name != "":
		return explainedDamage(d, lines)
	case d.Kind == trace.DamageRemoved && d.From == 0:
		return fmt.Sprintf("%s removed before line %d%s", cmdline.Counted(int(d.Count), "event"), d.To, inFile(d.ToFile))
	case d.Kind == trace.DamageRemoved && d.Count == 0:
		return fmt.Sprintf("events removed between %s", damagedLines(d, "and"))
	case d.Kind == trace.DamageRemoved:
		return fmt.Sprintf("%s removed between %s", cmdline.Counted(int(d.Count), "event"), damagedLines(d, "and"))
	case d.Kind == trace.DamageCut:
		return fmt.Sprintf("%s cut off at %s", cmdline.Counted(int(d.Count), "event"), lines)
	}
	return fmt.Sprintf("%s %s, %s", cmdline.Counted(int(d.Count), "event"), d.Kind, lines)
}

// damagedLines describes a damage's lines, with "and" between two.
func damagedLines(d trace.Damage, and string) string {
	switch {
	case d.FromFile != d.ToFile:
		return fmt.Sprintf("line %d%s %s line %d%s", d.From, inFile(d.FromFile), and, d.To, inFile(d.ToFile))
	case d.To > d.From:
		return fmt.Sprintf("lines %d %s %d%s", d.From, and, d.To, inFile(d.ToFile))
	}
	return fmt.Sprintf("line %d%s", d.From, inFile(d.ToFile))
}

// inFile names the segment of lines in a log with several segments.
func inFile(name string) string {
	if name == "" {
		return ""
	}
	return fmt.Sprintf(" of %q", name)
}
