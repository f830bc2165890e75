package format

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/cupel-dev/cupel/finding"
)

// Edits returns what Format changes as edits of the text, for finding.Apply, editors and
// whoever wants to touch nothing else. They are in the order of the text; there are none
// when the layout is the usual one already. The error is Format's.
func Edits(input []byte) ([]finding.Edit, error) {
	formatted, err := Format(input)
	if err != nil || bytes.Equal(input, formatted) {
		return nil, err
	}
	c := &comparison{old: splitLines(string(input)), new: splitLines(string(formatted))}
	return c.edits(), nil
}

// comparison walks through two texts line by line. Format leaves the words of a line as
// they are, so lines with the same words are the same line.
type comparison struct {
	old, new []line
	offset   int // in the old text
	list     []finding.Edit
}

// line is a line with its line end.
type line struct {
	text  string
	words string // what Format leaves of it: all but white space and quotes
}

func splitLines(text string) (list []line) {
	for l := range strings.Lines(text) {
		list = append(list, line{l, strings.Map(dropLayout, l)})
	}
	return list
}

// dropLayout leaves out, for strings.Map, what Format may change.
func dropLayout(r rune) rune {
	if strings.ContainsRune(" \t\r\n\"\ufeff", r) {
		return -1
	}
	return r
}

// lookAhead is how many lines are searched for one with the same words: Format moves one
// line at most, all that it takes away has no words.
const lookAhead = 4

func (c *comparison) edits() []finding.Edit {
	for len(c.old) > 0 && len(c.new) > 0 {
		c.drop(c.blanks())
		gone, come := c.next()
		c.drop(gone)
		c.insert(come)
		if len(c.old) > 0 && len(c.new) > 0 {
			c.change(c.old[0].text, c.new[0].text)
			c.old, c.new = c.old[1:], c.new[1:]
		}
	}
	c.drop(len(c.old))
	c.insert(len(c.new))
	return c.list
}

// blanks counts the lines of the old text that have no words while the new one goes on
// with some: Format takes them away, however many they are.
func (c *comparison) blanks() (n int) {
	for len(c.new) > 0 && c.new[0].words != "" && n < len(c.old) && c.old[n].words == "" {
		n++
	}
	return n
}

// next says how many lines of each text come before the nearest two with the same words;
// none when there are no two near.
func (c *comparison) next() (gone, come int) {
	for distance := range lookAhead {
		for gone = range distance + 1 {
			come = distance - gone
			if gone < len(c.old) && come < len(c.new) && c.old[gone].words == c.new[come].words {
				return gone, come
			}
		}
	}
	return 0, 0
}

// drop deletes the next lines of the old text.
func (c *comparison) drop(n int) {
	for _, l := range c.old[:n] {
		c.replace(0, len(l.text), "")
		c.offset += len(l.text)
	}
	c.old = c.old[n:]
}

// insert puts the next lines of the new text before what is left of the old one.
func (c *comparison) insert(n int) {
	if n == 0 {
		return
	}
	var text strings.Builder // one edit: edits that join line by line copy what they hold
	for _, l := range c.new[:n] {
		text.WriteString(l.text)
	}
	c.replace(0, 0, text.String())
	c.new = c.new[n:]
}

// change turns a line into another one: its indentation, its words and its end.
func (c *comparison) change(old, next string) {
	const blanks = " \t\r\n"
	oldWords, nextWords := strings.Trim(old, blanks), strings.Trim(next, blanks)
	oldIndent, nextIndent := strings.Index(old, oldWords), strings.Index(next, nextWords)
	c.part(old[:oldIndent], next[:nextIndent])
	c.part(oldWords, nextWords)
	c.part(old[oldIndent+len(oldWords):], next[nextIndent+len(nextWords):])
}

// part turns a piece of text into another one, from the first code point that differs to
// the last.
func (c *comparison) part(old, next string) {
	start := 0
	for start < len(old) && start < len(next) && old[start] == next[start] {
		start++
	}
	for start > 0 && (!utf8.RuneStart(at(old, start)) || !utf8.RuneStart(at(next, start))) {
		start--
	}
	tail := 0
	for tail < len(old)-start && tail < len(next)-start && old[len(old)-1-tail] == next[len(next)-1-tail] {
		tail++
	}
	for tail > 0 && !utf8.RuneStart(old[len(old)-tail]) {
		tail--
	}
	if start < len(old)-tail || start < len(next)-tail {
		c.replace(start, len(old)-tail, next[start:len(next)-tail])
	}
	c.offset += len(old)
}

// at is a byte of a text, or what begins a code point behind its end.
func at(text string, i int) byte {
	if i < len(text) {
		return text[i]
	}
	return 0
}

// replace notes an edit of the bytes [start, end) from the offset on; one that goes on
// where the last one ends joins it.
func (c *comparison) replace(start, end int, text string) {
	start, end = c.offset+start, c.offset+end
	if last := len(c.list) - 1; last >= 0 && c.list[last].End == start {
		c.list[last].End = end
		c.list[last].Text += text
		return
	}
	c.list = append(c.list, finding.Edit{Start: start, End: end, Text: text})
}
