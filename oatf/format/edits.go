package format

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/cupel-dev/cupel/finding"
)

// Edits returns Format's changes as sorted edits, for finding.Apply and editors. The error is Format's.
func Edits(input []byte) ([]finding.Edit, error) { return Options{}.Edits(input) }

// Edits is [Edits] with options.
func (o Options) Edits(input []byte) ([]finding.Edit, error) {
	formatted, err := o.Format(input)
	if err != nil || bytes.Equal(input, formatted) {
		return nil, err
	}
	c := &comparison{old: string(input), new: string(formatted)}
	return c.edits(), nil
}

// comparison compares two texts by line. Format keeps the words of a line, so that lines with equal words
// correspond.
type comparison struct {
	old, new string // remaining text
	offset   int    // in the old text
	list     []finding.Edit
}

// linesEnd returns the offset after the first n lines, or the text's end.
func linesEnd(text string, n int) (end int) {
	for ; n > 0 && end < len(text); n-- {
		size := strings.IndexByte(text[end:], '\n')
		if size < 0 {
			return len(text)
		}
		end += size + 1
	}
	return end
}

// line returns the nth line of a text, counted from 0; ok is false if the text has fewer lines.
func line(text string, n int) (l string, ok bool) {
	text = text[linesEnd(text, n):]
	return text[:linesEnd(text, 1)], text != ""
}

// sameWords reports whether two lines differ only in what Format can change.
func sameWords(a, b string) bool {
	if a == b {
		return true
	}
	for {
		a, b = words(a), words(b)
		if a == "" || b == "" || a[0] != b[0] {
			return a == b
		}
		a, b = a[1:], b[1:]
	}
}

// words strips leading text that Format can change: white space, quotes and byte order marks.
func words(text string) string {
	for {
		text = strings.TrimLeft(text, " \t\r\n\"")
		rest, marked := strings.CutPrefix(text, "\ufeff")
		if !marked {
			return text
		}
		text = rest
	}
}

// lookAhead is the number of lines searched for equal words: Format moves at most one line and
// deletes only lines without words.
const lookAhead = 4

func (c *comparison) edits() []finding.Edit {
	for c.old != "" && c.new != "" {
		c.dropBlanks()
		gone, come := c.next()
		c.drop(gone)
		c.insert(come)
		if c.old != "" && c.new != "" {
			oldEnd, newEnd := linesEnd(c.old, 1), linesEnd(c.new, 1)
			c.change(c.old[:oldEnd], c.new[:newEnd])
			c.old, c.new = c.old[oldEnd:], c.new[newEnd:]
		}
	}
	c.drop(len(c.old))
	c.insert(len(c.new))
	return c.list
}

// dropBlanks deletes blank old lines before a new line with words.
func (c *comparison) dropBlanks() {
	if words(c.new[:linesEnd(c.new, 1)]) == "" {
		return
	}
	end := 0
	for end < len(c.old) {
		size := linesEnd(c.old[end:], 1)
		if words(c.old[end:end+size]) != "" {
			break
		}
		end += size
	}
	c.drop(end)
}

// next returns the bytes of each text before the nearest corresponding lines, 0 without any.
func (c *comparison) next() (gone, come int) {
	for distance := range lookAhead {
		for gone = range distance + 1 {
			come = distance - gone
			a, inOld := line(c.old, gone)
			b, inNew := line(c.new, come)
			if inOld && inNew && sameWords(a, b) {
				return linesEnd(c.old, gone), linesEnd(c.new, come)
			}
		}
	}
	return 0, 0
}

// drop deletes the next bytes of the old text, which are whole lines.
func (c *comparison) drop(size int) {
	if size > 0 {
		c.replace(0, size, "")
	}
	c.old = c.old[size:]
	c.offset += size
}

// insert inserts the next whole lines of the new text.
func (c *comparison) insert(size int) {
	if size > 0 {
		c.replace(0, 0, c.new[:size])
	}
	c.new = c.new[size:]
}

// change edits the indentation, words and end of a line.
func (c *comparison) change(old, next string) {
	const blanks = " \t\r\n"
	oldWords, nextWords := strings.Trim(old, blanks), strings.Trim(next, blanks)
	oldIndent, nextIndent := strings.Index(old, oldWords), strings.Index(next, nextWords)
	c.part(old[:oldIndent], next[:nextIndent])
	c.part(oldWords, nextWords)
	c.part(old[oldIndent+len(oldWords):], next[nextIndent+len(nextWords):])
}

// part edits a text from the first different character to the last.
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

// at returns a byte of a text, or the start of a character if out of range.
func at(text string, i int) byte {
	if i < len(text) {
		return text[i]
	}
	return 0
}

// replace adds an edit of the bytes [start, end). It extends the last edit if adjacent.
func (c *comparison) replace(start, end int, text string) {
	start, end = c.offset+start, c.offset+end
	if last := len(c.list) - 1; last >= 0 && c.list[last].End == start {
		c.list[last].End = end
		c.list[last].Text += text
		return
	}
	c.list = append(c.list, finding.Edit{Start: start, End: end, Text: text})
}
