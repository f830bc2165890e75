package page

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Bytes is the content of a file, text or binary.
type Bytes string

// isText reports whether b is UTF-8 without control characters except line ends. It allows a
// truncated code point at either end.
func (b Bytes) isText() bool {
	b = b.fromRune().toRune()
	for _, r := range string(b) {
		if r < ' ' && r != '\n' && r != '\r' && r != '\t' || r == 0x7f {
			return false
		}
	}
	return utf8.ValidString(string(b))
}

// fromRune drops a truncated code point at the start.
func (b Bytes) fromRune() Bytes {
	for i := 0; i < utf8.UTFMax-1 && len(b) > 0 && !utf8.RuneStart(b[0]); i++ {
		b = b[1:]
	}
	return b
}

// toRune drops a truncated code point at the end.
func (b Bytes) toRune() Bytes { return b[:len(b)-unfinished([]byte(b))] }

// shown returns the bytes in visible form.
func (b Bytes) shown() string { return string(visible([]byte(b))) }

type piece struct {
	Text string
	Mark bool
}

// marked returns a highlighted piece with visible line ends.
func marked(text string) piece { return piece{strings.ReplaceAll(text, "\n", "↵\n"), true} }

type hexRow struct {
	Offset string
	Cells  []hexCell
	Text   []piece
}

type hexCell struct {
	Hex  string
	Mark bool
}

// Limits of the hexadecimal view.
const (
	hexWidth  = 16
	hexAround = hexWidth
	hexMost   = 512
)

// excerpt is bytes with their context, as text or rows.
type excerpt struct {
	Pieces []piece
	Rows   []hexRow
	Left   int // bytes not shown
}

// Shown returns the cited bytes with their context.
func (q Quote) Shown() (e excerpt) {
	before, after := q.Before.fromRune(), q.After.toRune()
	if q.Cited.isText() && before.isText() && after.isText() {
		e.Pieces = []piece{{before.shown(), false}, marked(q.Cited.shown()), {after.shown(), false}}
		return e
	}
	first := max(0, len(q.Before)-hexAround)
	cited := q.Cited[:min(len(q.Cited), hexMost)]
	e.Left = len(q.Cited) - len(cited)
	text := string(q.Before[first:]) + string(cited)
	if e.Left == 0 {
		text += string(q.After[:min(len(q.After), hexAround)])
	}
	from := len(q.Before) - first
	e.Rows = hexRows(text, q.from()-int64(from), func(i int) bool { return i >= from && i < from+len(cited) })
	return e
}

// plain is Shown without highlighting.
func (q Quote) plain() excerpt {
	e := q.Shown()
	for i := range e.Pieces {
		e.Pieces[i] = piece{q.Cited.shown(), false}
	}
	if len(e.Pieces) > 0 {
		e.Pieces = e.Pieces[:1]
	}
	return e
}

// from returns the offset of the cited bytes.
func (q Quote) from() (at int64) {
	_, _ = fmt.Sscanf(q.Span, "[%d,", &at)
	return at
}

// hexRows formats bytes as rows; mark selects highlighted bytes by index.
func hexRows(text string, offset int64, mark func(int) bool) (rows []hexRow) {
	for start := 0; start < len(text); start += hexWidth {
		row := hexRow{Offset: fmt.Sprintf("%06x", offset+int64(start))}
		for i := start; i < min(start+hexWidth, len(text)); i++ {
			row.Cells = append(row.Cells, hexCell{fmt.Sprintf("%02x", text[i]), mark(i)})
			letter := "."
			if c := text[i]; c >= ' ' && c < 0x7f {
				letter = string(rune(c))
			}
			if n := len(row.Text); n > 0 && row.Text[n-1].Mark == mark(i) {
				row.Text[n-1].Text += letter
			} else {
				row.Text = append(row.Text, piece{letter, mark(i)})
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// comparison is the aligned sides of a difference.
type comparison struct {
	Expected, Found         []piece
	ExpectedRows, FoundRows []hexRow
	Left                    int // bytes not shown
}

// Compared aligns the expected and the actual bytes.
func (m *Meant) Compared() (c comparison) {
	before, after := m.Before.fromRune(), m.After.toRune()
	if a, b := m.Expected, m.Found; before.isText() && after.isText() && a.isText() && b.isText() {
		was, is := aligned([]rune(a.shown()), []rune(b.shown()))
		around := func(middle []piece) []piece {
			return append(append([]piece{{before.shown(), false}}, middle...), piece{after.shown(), false})
		}
		c.Expected, c.Found = around(was), around(is)
		return c
	}
	a, b := string(m.Expected), string(m.Found)
	c.Left = max(0, len(a)-hexMost) + max(0, len(b)-hexMost)
	a, b = a[:min(len(a), hexMost)], b[:min(len(b), hexMost)]
	differs := func(i int) bool { return i >= len(a) || i >= len(b) || a[i] != b[i] }
	c.ExpectedRows, c.FoundRows = hexRows(a, m.At, differs), hexRows(b, m.At, differs)
	return c
}

// mostAligned limits the code points of each side to align.
const mostAligned = 1_000

// aligned highlights in each text the parts outside of their longest common subsequence. Long texts
// are highlighted whole.
func aligned(a, b []rune) (was, is []piece) {
	if len(a) > mostAligned || len(b) > mostAligned {
		return []piece{marked(string(a))}, []piece{marked(string(b))}
	}
	common := make([][]uint16, len(a)+1) // longest common subsequence of the suffixes
	for i := range common {
		common[i] = make([]uint16, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for k := len(b) - 1; k >= 0; k-- {
			if a[i] == b[k] {
				common[i][k] = common[i+1][k+1] + 1
			} else {
				common[i][k] = max(common[i+1][k], common[i][k+1])
			}
		}
	}
	i, k := 0, 0
	for i < len(a) || k < len(b) {
		switch {
		case i < len(a) && k < len(b) && a[i] == b[k]:
			was, is = grown(was, a[i], false), grown(is, b[k], false)
			i, k = i+1, k+1
		case k == len(b) || i < len(a) && common[i+1][k] >= common[i][k+1]:
			was = grown(was, a[i], true)
			i++
		default:
			is = grown(is, b[k], true)
			k++
		}
	}
	return was, is
}

// grown appends a code point to pieces.
func grown(list []piece, r rune, mark bool) []piece {
	text := string(r)
	if mark {
		text = marked(text).Text
	}
	if n := len(list); n > 0 && list[n-1].Mark == mark {
		list[n-1].Text += text
		return list
	}
	return append(list, piece{text, mark})
}
