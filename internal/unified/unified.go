// Package unified shows edits of a text as a unified diff: the changed lines, each with a
// few of its neighbours.
//
//	@@ -1,2 +1,2 @@
//	 attack:
//	-    name: a
//	+  name: a
package unified

import (
	"bufio"
	"bytes"
	"fmt"
	"io"

	"github.com/cupel-dev/cupel/finding"
)

// around is how many lines that stay are shown before and behind those that change.
const around = 3

// Write writes the hunks of a diff, each of its lines as show has it, and holds one hunk in
// memory. The edits are in the order of the text and do not overlap. There
// is nothing to write when they change nothing. The error is the writer's.
func Write(w io.Writer, text []byte, edits []finding.Edit, show func(line string) string) error {
	d := &diff{out: bufio.NewWriter(w), show: show, text: text, edits: edits, oldLine: 1, newLine: 1}
	for c, ok := d.next(); ok; {
		hunk := []change{c}
		for c, ok = d.next(); ok && d.near(hunk[len(hunk)-1], c); c, ok = d.next() {
			hunk = append(hunk, c)
		}
		d.write(hunk)
	}
	return d.out.Flush()
}

// change is whole lines of the text, the bytes [start, end), and what stands in their place.
type change struct {
	start, end int
	lines      []byte
}

// diff goes through a text and its edits.
type diff struct {
	out   *bufio.Writer
	show  func(string) string
	text  []byte
	edits []finding.Edit // that are left

	at               int // what has been written of the text, up to a line's start
	oldLine, newLine int // the lines there, counted from 1
}

// next is the next change: all edits of lines that touch, as one.
func (d *diff) next() (c change, ok bool) {
	for !ok {
		if len(d.edits) == 0 {
			return c, false
		}
		c, ok = d.trimmed(d.touching())
	}
	return c, true
}

// touching takes the edits of a line, and those of each line that follows at once.
func (d *diff) touching() change {
	c := change{start: d.lineStart(d.edits[0].Start)}
	c.end = c.start
	for d.touches(c.end) {
		e := d.edits[0]
		d.edits = d.edits[1:]
		c.lines = append(append(c.lines, d.text[c.end:e.Start]...), e.Text...)
		c.end = e.End
		if whole := endsLine(d.text[:c.end]) && endsLine(c.lines); !whole && !d.touches(c.end) {
			lineEnd := d.after(c.end, 1)
			c.lines = append(c.lines, d.text[c.end:lineEnd]...)
			c.end = lineEnd
		}
	}
	return c
}

// touches says whether the next edit is of the line that goes on at i.
func (d *diff) touches(i int) bool {
	return len(d.edits) > 0 && bytes.IndexByte(d.text[i:d.edits[0].Start], '\n') < 0
}

// endsLine says whether a line begins behind a text.
func endsLine(text []byte) bool { return len(text) == 0 || text[len(text)-1] == '\n' }

// trimmed is a change without the lines at its start and its end that stay; ok is false
// when all do.
func (d *diff) trimmed(c change) (_ change, ok bool) {
	for c.start < c.end && len(c.lines) > 0 {
		line := d.text[c.start:d.after(c.start, 1)]
		if !bytes.Equal(line, c.lines[:lineSize(c.lines)]) {
			break
		}
		c.start += len(line)
		c.lines = c.lines[len(line):]
	}
	for c.start < c.end && len(c.lines) > 0 {
		line := d.text[d.lineStart(c.end-1):c.end]
		if rest := len(c.lines) - len(line); rest < 0 || !endsLine(c.lines[:rest]) || !bytes.Equal(line, c.lines[rest:]) {
			break
		}
		c.end -= len(line)
		c.lines = c.lines[:len(c.lines)-len(line)]
	}
	return c, c.start < c.end || len(c.lines) > 0
}

// near says whether two changes are in one hunk: what they show around them touches.
func (d *diff) near(c, next change) bool {
	return d.after(c.end, 2*around) >= next.start
}

// write writes the changes of one hunk.
func (d *diff) write(hunk []change) {
	first, last := hunk[0], hunk[len(hunk)-1]
	from, to := d.before(first.start, around), d.after(last.end, around)
	skipped := lineCount(d.text[d.at:from])
	d.at = from
	d.oldLine += skipped
	d.newLine += skipped
	oldCount := lineCount(d.text[from:to])
	newCount := oldCount
	for _, c := range hunk {
		newCount += lineCount(c.lines) - lineCount(d.text[c.start:c.end])
	}
	fmt.Fprintf(d.out, "@@ -%s +%s @@\n", span(d.oldLine, oldCount), span(d.newLine, newCount))
	for _, c := range hunk {
		d.lines(' ', d.text[d.at:c.start])
		d.lines('-', d.text[c.start:c.end])
		d.lines('+', c.lines)
		d.at = c.end
	}
	d.lines(' ', d.text[d.at:to])
	d.at = to
	d.oldLine += oldCount
	d.newLine += newCount
}

// span is lines as the head of a hunk names them: no lines are those behind the one before.
func span(line, count int) string {
	if count == 0 {
		line--
	}
	return fmt.Sprintf("%d,%d", line, count)
}

// lines writes lines with what they are.
func (d *diff) lines(what byte, lines []byte) {
	for len(lines) > 0 {
		line := lines[:lineSize(lines)]
		lines = lines[len(line):]
		fmt.Fprintf(d.out, "%c%s\n", what, d.show(string(bytes.TrimSuffix(line, []byte("\n")))))
		if !endsLine(line) {
			fmt.Fprintln(d.out, `\ No newline at end of file`)
		}
	}
}

// lineStart is where the line begins that the byte at i belongs to.
func (d *diff) lineStart(i int) int { return bytes.LastIndexByte(d.text[:i], '\n') + 1 }

// before is where the line begins that is n lines above the one that begins at i, at most
// what has been written.
func (d *diff) before(i, n int) int {
	for ; n > 0 && i > d.at; n-- {
		i = d.lineStart(i - 1)
	}
	return i
}

// after is where the line begins that is n lines below that of i, or the text's end.
func (d *diff) after(i, n int) int {
	for ; n > 0 && i < len(d.text); n-- {
		i += lineSize(d.text[i:])
	}
	return i
}

// lineSize is the length of the first line with its line end.
func lineSize(text []byte) int {
	if i := bytes.IndexByte(text, '\n'); i >= 0 {
		return i + 1
	}
	return len(text)
}

// lineCount counts lines. The last one may lack its line end.
func lineCount(text []byte) int {
	n := bytes.Count(text, []byte("\n"))
	if !endsLine(text) {
		n++
	}
	return n
}
