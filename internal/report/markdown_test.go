package report_test

import (
	"bytes"
	"errors"
	"fmt"
	"html"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/report"
)

// summaryOf returns a summary with values wherever an answer can have one.
func summaryOf(t interface{ Fatal(...any) }, values []string) string {
	next := 0
	v := func() string {
		next++
		return values[(next-1)%len(values)]
	}
	var b bytes.Buffer
	w, err := report.New("markdown", &b, report.Run{Command: "trace verify", Columns: []report.Column{{Name: "a"}, {Name: "b"}}}, report.Options{})
	if err != nil {
		t.Fatal(err)
	}
	err = errors.Join(
		w.Finding(finding.Finding{Rule: v(), Severity: finding.Error, Message: v(), File: v(), Line: 3, Path: v(), Expected: v(), Found: v(), Notes: []string{v()}, Help: v(), CausedBy: v(), Source: finding.Snippet{Text: v()}}),
		w.Answer(report.Answer{Subject: v(), Group: v(), Title: v(), Scope: []string{v()}, Outcome: report.Outcome{Word: v(), Reason: v(), Expected: v(), Found: v()}, NotCovered: []string{v()}, Figures: figuresOf(v)}),
		w.Answer(report.Answer{Row: []string{v(), v()}}), w.Fail(v()), w.Close(report.Summary{Text: v(), Figures: figuresOf(v)}))
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func figuresOf(v func() string) *report.Figures {
	return &report.Figures{
		Facts:  []report.Fact{{Name: v(), Value: v()}},
		Tables: []report.Table{{Title: v(), Columns: []report.Column{{Name: v()}, {Name: v(), Right: true}}, Rows: [][]string{{v(), v()}}}},
	}
}

// marksUp is what Markdown, or what GitHub makes of its text, could take for markup.
var (
	references = regexp.MustCompile(`&(#\d+|[a-z]+);|</?code>|<wbr>`)
	noMarkup   = regexp.MustCompile("[^-<>|`*_~\\[\\]()!\\\\@#$:^\\n&/]+")
)

func markup(summary string) string {
	return noMarkup.ReplaceAllString(references.ReplaceAllString(summary, "x"), "x")
}

// TestMarkdownValues: no value of a record is markup, a link, an image, a mention or a cell: a
// summary of hostile values has the markup of one of words.
func TestMarkdownValues(t *testing.T) {
	pieces := rapid.SampledFrom([]string{
		"|", "`", "```", "\n", "\r\n", "<b>", "<!--", "-->", "</details>", "![x](https://example.com/x.png)", "[x](javascript:x)", "@everyone", "#12", "https://example.com",
		"www.example.com", "a@example.com", "**b**", "_i_", "~~s~~", "$x$", "\\", "&lt;", "&#60;", "# h", "- x", "+ x", "1. x", "---", "===", "    code", "[^1]", ":+1:",
		"\x00", "\xff", "\u202e", "\u2028", "{{", "x",
	})
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.Custom(func(t *rapid.T) string { return "v" + strings.Join(rapid.SliceOfN(pieces, 1, 4).Draw(t, "value"), "") })
		values := rapid.SliceOfN(value, 23, 23).Draw(t, "values")
		words := make([]string, len(values))
		for i := range words {
			words[i] = fmt.Sprintf("word%d", i)
		}
		got, want := markup(summaryOf(t, values)), markup(summaryOf(t, words))
		dashes := strings.NewReplacer("-", "", "/", "", "xx", "x") // within a line they have no meaning
		if plain := func(s string) string { return strings.ReplaceAll(dashes.Replace(s), "x", "") }; plain(got) != plain(want) {
			t.Fatalf("the markup is\n%q, of words\n%q", got, want)
		}
	})
}

// TestMarkdownBegins: what begins a list or underlines a title at the beginning of a line is text.
func TestMarkdownBegins(t *testing.T) {
	for _, value := range []string{"- x", "+ x", "1. x", "23. x", "1) x", "# x", "> x", "===", "---", "* x", "| x"} {
		text := summaryOf(t, []string{value})
		for line := range strings.Lines(text) {
			for _, begins := range []string{"- " + value, value} {
				if line == begins+"\n" {
					t.Errorf("%q begins a line as it is", value)
				}
			}
		}
	}
}

// TestMarkdownBound: a summary of too much has at most 1 MiB, and says what is missing.
func TestMarkdownBound(t *testing.T) {
	var b bytes.Buffer
	w, err := report.New("markdown", &b, run(), report.Options{})
	if err != nil {
		t.Fatal(err)
	}
	huge := strings.Repeat("<", 10_000)
	for range 3000 {
		err = errors.Join(err, w.Finding(finding.Finding{Rule: huge, Message: huge, File: huge, Found: huge}), w.Answer(report.Answer{Subject: huge, Outcome: report.Outcome{Word: huge}}))
	}
	if err = errors.Join(err, w.Close(report.Summary{})); err != nil {
		t.Fatal(err)
	}
	if b.Len() > 1<<20 || b.Len() < 1<<19 {
		t.Errorf("%d bytes", b.Len())
	}
	last := b.String()[strings.LastIndex(b.String(), "**Left out"):]
	var findings, answers int
	if _, err := fmt.Sscanf(last, "**Left out of this summary, which is bounded: %d findings, %d answers.**", &findings, &answers); err != nil {
		t.Fatalf("%v: %s", err, last)
	}
	if shown := strings.Count(b.String(), "\n- ℹ️ **info**"); shown+findings != 3000 {
		t.Errorf("%d findings are shown and %d left out, of 3000", shown, findings)
	}
}

// TestMarkdownLive: what GitHub and GitLab make a link, a mention, an emoji or mathematics of is in code.
func TestMarkdownLive(t *testing.T) {
	code := regexp.MustCompile(`<code>.*?</code>`)
	for _, value := range []string{
		"a@evil.example", "@octocat", "#12", "org/repo#12", "GH-12", "gh-12", "!7", "group/project!7", "~label", "%\"v1\"", "&3", "$5", "[issue:3]", "^alert#1",
		"d670460", "d670460b4b4aece5915caf5c68d12f560a9fe3e4", "org/repo@d670460", ":tada:", ":+1:", "https://evil.example", "ssh://x", "www.evil.example", "$x$", "~~x~~", "[^1]",
	} {
		text := html.UnescapeString(code.ReplaceAllString(summaryOf(t, []string{"before " + value + " after"}), ""))
		if strings.Contains(text, value) {
			t.Errorf("%q is not in code", value)
		}
	}
}
