//go:build pages

package browser

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/page"
	"github.com/cupel-dev/cupel/internal/report"
)

// TestStructure: a parser of HTML finds the same elements with the same attributes on a page
// of hostile values as on one of words, and each value as text, written so that it can be seen.
// A value that is empty is another page: the tests of the page are about those.
func TestStructure(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		piece := rapid.OneOf(rapid.SampledFrom(attacks), rapid.SampledFrom([]string{"\x00", "\xff", "\xed\xa0\x80", "\n", "\t", " ", "<", ">", "&", "'", `"`, "`", "=", "a"}), rapid.String())
		value := rapid.Custom(func(t *rapid.T) string { return "v" + strings.Join(rapid.SliceOfN(piece, 1, 4).Draw(t, "value"), "") })
		values := rapid.SliceOfNDistinct(value, 30, 30, rapid.ID[string]).Draw(t, "values")
		plain := make([]string, len(values))
		for i := range plain {
			plain[i] = fmt.Sprintf("word%d", i)
		}
		hostile, words := parsed(t, filled(t, values)), parsed(t, filled(t, plain))
		if !slices.Equal(hostile.elements, words.elements) {
			t.Fatalf("the elements differ:\n%q\n%q", hostile.elements, words.elements)
		}
		if acts := strings.IndexFunc(hostile.text, hidden); acts >= 0 {
			t.Fatalf("the text has %q", hostile.text[acts:min(len(hostile.text), acts+20)])
		}
	})
}

// hidden reports whether a page must not contain a code point unescaped.
func hidden(r rune) bool {
	return r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 || r >= 0x200b && r <= 0x200f || r >= 0x2028 && r <= 0x202e || r >= 0x2060 && r <= 0x206f || r == 0xfeff
}

// filled is a page with values wherever an answer can have one.
func filled(t *rapid.T, values []string) []byte {
	next := 0
	v := func() string {
		next++
		return values[(next-1)%len(values)]
	}
	var b bytes.Buffer
	w, err := report.New("html", &b, report.Run{Command: "trace verify", Version: "1", Rules: func() []finding.Rule { return nil }}, report.Options{})
	check := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	check(err)
	for range 2 {
		f := finding.Finding{
			Rule: v(), Severity: finding.Error, Message: v(), File: v(), Line: 3, Column: 4, Path: v(), Expected: v(), Found: v(), Notes: []string{v(), v()}, Help: v(), CausedBy: v(),
			Source: finding.Snippet{Text: "text", Caret: 1, Width: 2},
		}
		check(w.Finding(f))
		check(w.Answer(report.Answer{
			Subject: v(), Group: v(), Title: v(), Scope: []string{v(), v()}, Outcome: report.Outcome{Word: v(), Reason: v(), Expected: v(), Found: v(), Weight: report.Bad},
			Facts:   []report.Fact{{Name: v(), Value: v()}, {Value: v()}, {Name: v(), Members: []report.Fact{{Name: v(), Value: v()}}}},
			Remarks: []string{v()}, NotCovered: []string{v()}, Listing: v(), Findings: []finding.Finding{f},
		}))
		check(w.Answer(report.Answer{
			Subject: v(), Outcome: report.Outcome{Word: v(), Weight: report.Bad}, Findings: []finding.Finding{},
			Transcript: &page.Transcript{Project: v(), Name: v(), Errors: 1},
		}))
	}
	check(w.Answer(report.Answer{Row: []string{v(), v()}}))
	check(w.Fail(v()))
	check(w.Close(report.Summary{Text: v(), No: true, Weight: report.Bad}))
	return b.Bytes()
}

// tree is a page as a parser of HTML reads it.
type tree struct {
	elements []string // in order, each with the names of its attributes
	text     string
}

func parsed(t *rapid.T, page []byte) (found tree) {
	root, err := html.Parse(bytes.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for n := range root.Descendants() {
		switch n.Type {
		case html.TextNode:
			text.WriteString(n.Data)
		case html.ElementNode:
			if n.Data == "mark" || n.Data == "wbr" { // which parts of two values differ, and where a name can break
				continue
			}
			element := n.Data
			for _, a := range n.Attr {
				element += " " + a.Key
				if a.Key == "class" || a.Key == "id" || a.Key == "href" {
					element += "=" + a.Val
				}
			}
			found.elements = append(found.elements, element)
		case html.CommentNode:
			found.elements = append(found.elements, "<!--")
		}
	}
	found.text = text.String()
	return found
}
