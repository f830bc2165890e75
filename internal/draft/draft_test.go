package draft

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/internal/racetest"
)

func TestMain(m *testing.M) {
	racetest.FewerLaws()
	os.Exit(m.Run())
}

// written is what a text was read as, a line for each node.
func written(n *Node, indent string) string {
	var b strings.Builder
	for _, c := range n.Children {
		name := "-"
		if c.KeyEnd > 0 {
			name = c.Key
		}
		if c.Unfinished {
			name += "?"
		}
		value := ""
		if c.Kind == Scalar {
			value = fmt.Sprintf(" %q", c.Value)
		}
		if c.Flow {
			name = "~" + name
		}
		fmt.Fprintf(&b, "%s%s%s\n%s", indent, name, value, written(c, indent+" "))
	}
	return b.String()
}

var update = flag.Bool("update", false, "write the answers of testdata anew")

// eachCase goes through the texts of a file, each followed by its expected result.
func eachCase(t *testing.T, path string, say func(text string) string) {
	t.Helper()
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	cases := strings.Split(string(file), "=====\n")
	anew := cases[0]
	for _, c := range cases[1:] {
		text, want, ok := strings.Cut(c, "-----\n")
		got := say(strings.TrimSuffix(text, "\n"))
		if anew += "=====\n" + text + "-----\n" + got; !*update && (!ok || got != want) {
			t.Errorf("%s\n got %s\nwant %s", text, got, want)
		}
	}
	if len(cases) == 1 {
		t.Error("no cases")
	}
	if *update {
		if err := os.WriteFile(path, []byte(anew), 0o600); err != nil {
			t.Error(err)
		}
	}
}

// TestRead reads the texts of testdata/read.txt.
func TestRead(t *testing.T) {
	eachCase(t, "testdata/read.txt", func(text string) string { return written(Read(text), "") })
}

// TestCursor reads the texts of testdata/cursor.txt, in which ^ is where somebody types.
func TestCursor(t *testing.T) {
	eachCase(t, "testdata/cursor.txt", func(text string) string {
		before, after, ok := strings.Cut(text, "^")
		if !ok {
			t.Fatalf("%q has no cursor", text)
		}
		at, ok := CursorAt(before+after, len(before))
		if !ok {
			return "nothing\n"
		}
		what := "value of"
		if at.IsKey {
			what = "key"
		}
		return fmt.Sprintf("%s %q, instead of %q\n", what, strings.Join(at.Node.Path(), "."), (before + after)[at.Start:at.End])
	})
}

// TestAnyText: whatever the text, reading ends, every place is in the text and between two code
// points, what is in a node lies within it, and the keys come in the order of the text.
func TestAnyText(t *testing.T) {
	pieces := []string{"a", "key", ": ", ":", "\n", "\r\n", "\r", "  ", " ", "- ", "-", "{", "}", "[", "]", ",", "\"", "'", "#", " #", "|", ">", "|\n", "\\", "é", "😀", "\x00", "\ufeff", "---\n", "\t"}
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 40).Draw(t, "text"), "")
		last := 0
		Read(text).Each(func(n *Node) {
			for _, at := range []int{n.KeyStart, n.KeyEnd, n.Start, n.End} {
				if at < 0 || at > len(text) || at < len(text) && !utf8.RuneStart(text[at]) {
					t.Fatalf("%q: %+v: place %d", text, n, at)
				}
			}
			start, end := n.Extent()
			if n.KeyStart > n.KeyEnd || n.Start > n.End || start > end {
				t.Fatalf("%q: %+v ends before it begins", text, n)
			}
			if n.KeyEnd > 0 && n.KeyStart < last {
				t.Fatalf("%q: %+v comes after %d", text, n, last)
			}
			last = max(last, n.KeyStart)
		})
		at := rapid.IntRange(0, len(text)).Draw(t, "at")
		if c, ok := CursorAt(text, at); ok && (c.Start > at || c.End < at || c.Start < 0 || c.End > len(text)) {
			t.Fatalf("%q at %d: the word from %d to %d", text, at, c.Start, c.End)
		}
	})
}

// TestLinear reads long texts that would take for ever if anything were looked at again
// and again, or with any nesting.
func TestLinear(t *testing.T) {
	for _, piece := range []string{"- ", "[", "{", "a,", "[[]", "{a:", "\"", "'", "\\\"", "\"\\", "a: ", "-\n", " -", "|\n", "a: |\n", "a: \"\n", "[\"", "#", "{a: [", "a\n", "\n "} {
		for _, start := range []string{"", "[", "{", "\"", "a: '", "a: |\n "} {
			nodes, depth := 0, 0
			Read(start + strings.Repeat(piece, 1<<16/racetest.Step(t)/len(piece))).Each(func(n *Node) {
				nodes++
				above := 0
				for p := n; p.Parent != nil && len(n.Children) == 0; p = p.Parent {
					above++
				}
				depth = max(depth, above)
			})
			if nodes > 2*maxNodes || depth > maxDepth+maxFlow+2 {
				t.Errorf("%q and many %q: %d nodes, %d deep", start, piece, nodes, depth)
			}
		}
	}
}
