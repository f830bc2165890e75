package page

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

// joined returns the text of pieces, and of the unmarked ones.
func joined(list []piece) (all, plain string) {
	for _, p := range list {
		text := strings.ReplaceAll(p.Text, "↵\n", "\n")
		if all += text; !p.Mark {
			plain += p.Text
		}
	}
	return all, plain
}

// common is how long the longest text is that both have in common, found without a table.
func common(a, b []rune) int {
	switch {
	case len(a) == 0 || len(b) == 0:
		return 0
	case a[0] == b[0]:
		return 1 + common(a[1:], b[1:])
	}
	return max(common(a[1:], b), common(a, b[1:]))
}

// TestAligned: both sides are there whole, and what is not marked is the longest that they have in
// common.
func TestAligned(t *testing.T) {
	random := rand.New(rand.NewPCG(19, 7))
	text := func() []rune {
		list := make([]rune, random.IntN(9))
		for i := range list {
			list[i] = []rune("abé\n")[random.IntN(4)]
		}
		return list
	}
	for range 2_000 {
		a, b := text(), text()
		was, is := aligned(a, b)
		all, plain := joined(was)
		other, same := joined(is)
		if all != string(a) || other != string(b) || plain != same || utf8.RuneCountInString(plain) != common(a, b) {
			t.Fatalf("%q, %q: %v, %v", string(a), string(b), was, is)
		}
	}
	if was, is := aligned(make([]rune, mostAligned+1), nil); len(was) != 1 || len(is) != 1 {
		t.Errorf("a long text is parted into %d and %d pieces", len(was), len(is))
	}
}

// TestShownQuotes: text is shown as text, also where a span cuts a code point, and other bytes as
// numbers, each of them.
func TestShownQuotes(t *testing.T) {
	for _, c := range []struct {
		before, cited, after Bytes
		want                 string // pieces, or rows
	}{
		{"a ", "b", " c", "a |b| c"},
		{"\x99a", "b\n", "c\xe2\x80", "a|b↵\n|c"},
		{"a", "b\xe2\x80", "\x99c", `a|b\x{e2}\x{80}|\x{99}c`},
		{"a", "\u202eb", "c", `a|\u{202e}b|c`},
		{"a", "b\x00c", "d", "00000a  61 [62] [00] [63] 64"},
		{"", "\xff\xff", "", "00000b  [ff] [ff]"},
	} {
		q := Quote{Before: c.before, Cited: c.cited, After: c.after, Span: "[11,13]"}
		e := q.Shown()
		var got []string
		for _, p := range e.Pieces {
			got = append(got, p.Text)
		}
		text := strings.Join(got, "|")
		for _, row := range e.Rows {
			text += row.Offset + " "
			for _, cell := range row.Cells {
				if text += " "; cell.Mark {
					text += "[" + cell.Hex + "]"
				} else {
					text += cell.Hex
				}
			}
		}
		if text != c.want {
			t.Errorf("%q %q %q: %q, want %q", c.before, c.cited, c.after, text, c.want)
		}
	}
}

// TestComparedBytes checks that binary data is shown in rows, with differences marked and omissions counted.
func TestComparedBytes(t *testing.T) {
	m := Meant{At: 32, Expected: Bytes("ab\x00" + strings.Repeat("x", 2*hexMost)), Found: "aB\x00"}
	c := m.Compared()
	if len(c.ExpectedRows) != hexMost/hexWidth || len(c.FoundRows) != 1 || c.Left != hexMost+3 || c.ExpectedRows[0].Offset != "000020" {
		t.Fatalf("%d and %d rows, %d left, from %s", len(c.ExpectedRows), len(c.FoundRows), c.Left, c.ExpectedRows[0].Offset)
	}
	for i, want := range []bool{false, true, false} {
		if c.FoundRows[0].Cells[i].Mark != want {
			t.Errorf("byte %d: marked %t", i, !want)
		}
	}
}
