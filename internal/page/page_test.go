package page_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/page"
)

var rules = []finding.Rule{{
	ID: "hash.snippet", Title: "the hash of the cited bytes differs", Severity: finding.Error, Clause: "trace format, supports",
	Rationale: "A claim rests on the bytes it cites.", Bad: "a <b>", Good: "a",
}}

// written is the page that fill makes.
func written(t *testing.T, top page.Top, fill func(*page.Page)) string {
	t.Helper()
	p := page.New(nil)
	fill(p)
	var b bytes.Buffer
	if err := p.Write(&b, top); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func none(*page.Page) {}

// TestEmpty: what the page has of its own is small, whatever is on it.
func TestEmpty(t *testing.T) {
	const most = 300 << 10
	text := written(t, page.Top{Command: "trace verify", NotProved: []string{"that anybody looked"}}, none)
	if len(text) > most {
		t.Errorf("an empty page has %d bytes, expected at most %d", len(text), most)
	}
	for _, want := range []string{"<!DOCTYPE html>", "What this does not prove", "that anybody looked", "exit code 0", "</html>"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q on an empty page", want)
		}
	}
}

// TestPolicy checks that the policy contains the hashes of the page's style sheet and script, and allows no other
// script, style or fetch.
func TestPolicy(t *testing.T) {
	text := written(t, page.Top{}, none)
	between := func(tag string) string {
		_, rest, _ := strings.Cut(text, "<"+tag+">")
		content, _, ok := strings.Cut(rest, "</"+tag+">")
		if !ok {
			t.Fatalf("no %s", tag)
		}
		return content
	}
	named := func(content string) string {
		sum := sha256.Sum256([]byte(content))
		return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	want := fmt.Sprintf(`content="default-src 'none'; script-src %s; style-src %s; base-uri 'none'; form-action 'none'"`, named(between("script")), named(between("style")))
	if !strings.Contains(text, want) {
		t.Errorf("the policy is not %s", want)
	}
	for _, tag := range []string{"<script", "<style"} {
		if n := strings.Count(text, tag); n != 1 {
			t.Errorf("%d times %s", n, tag)
		}
	}
	for _, refused := range []string{"<img", "<link", "<iframe", "http:", "https:", " style=", "url(", "@import"} {
		if strings.Contains(text, refused) {
			t.Errorf("the page has %q", refused)
		}
	}
	if on := regexp.MustCompile(`(?i)\son\w+=`).FindString(text); on != "" {
		t.Errorf("the page has a handler%s", on)
	}
	if i := strings.IndexFunc(between("script")+between("style"), func(r rune) bool { return r > '~' }); i >= 0 {
		t.Error("script and style sheet are not ASCII")
	}
}

// TestLinks: every link leads to a place of the page.
func TestLinks(t *testing.T) {
	text := written(t, page.Top{Rules: rules, No: true, Mark: page.Bad}, func(p *page.Page) {
		var list []page.Finding
		for _, f := range []finding.Finding{
			{Rule: "hash.snippet", Severity: finding.Error, File: "a", Line: 3, Message: "differs", Expected: "ab", Found: "ac"},
			{Rule: "unknown.rule", Severity: finding.Warning, File: "b", Line: 4, CausedBy: "hash.snippet@3"},
			{Rule: "unknown.rule", Severity: finding.Warning, File: "a", Line: 4, CausedBy: "hash.snippet@3"},
		} {
			shown, ok := p.Take(f, [][2]string{{"note", "a note"}})
			if !ok {
				t.Fatal("no room")
			}
			list = append(list, shown)
		}
		p.Add(page.Section{Subject: "a", Mark: page.Bad, Word: "invalid", Findings: list})
		p.Add(page.Section{Subject: "b", Mark: page.Good, Word: "valid"})
	})
	ids := map[string]int{}
	for _, m := range regexp.MustCompile(` id="([^"]*)"`).FindAllStringSubmatch(text, -1) {
		ids[m[1]]++
	}
	for id, n := range ids {
		if n != 1 {
			t.Errorf("the id %q is there %d times", id, n)
		}
	}
	links := regexp.MustCompile(` href="([^"]*)"`).FindAllStringSubmatch(text, -1)
	if len(links) < 8 {
		t.Errorf("%d links", len(links))
	}
	for _, m := range links {
		if id, ok := strings.CutPrefix(m[1], "#"); !ok || ids[id] == 0 {
			t.Errorf("a link to %q", m[1])
		}
	}
	for _, want := range []string{"a&lt;b&gt;", "cupel has no text for this rule", `follows from</dt><dd><a href="#f1">`, "<mark>b</mark>", "<mark>c</mark>"} {
		if !strings.Contains(strings.ReplaceAll(text, "a &lt;b", "a&lt;b"), want) {
			t.Errorf("no %q", want)
		}
	}
}

// TestLimits: what has no room is counted, and what is said is at least as much as there was.
func TestLimits(t *testing.T) {
	const more = 5
	text := written(t, page.Top{}, func(p *page.Page) {
		var list []page.Finding
		for i := range page.MaxFindings + more {
			if f, ok := p.Take(finding.Finding{Rule: "r", Severity: finding.Warning, Line: i + 1}, nil); ok {
				list = append(list, f)
			}
		}
		p.Add(page.Section{Subject: "a", Findings: list})
		for range page.MaxRows + more {
			p.Row([]string{"x"}, page.Good)
		}
	})
	if n := len(regexp.MustCompile(`<li class=\\?"item finding`).FindAllString(text, -1)); n != page.MaxFindings {
		t.Errorf("%d findings", n)
	}
	for _, want := range []string{"5 findings: 0 errors, 5 warnings, 0 info", "5 rows of the table"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q", want)
		}
	}
}

// TestRoomForViews: however many answers went before, one with a view has a section and a row, and
// what is not listed is counted.
func TestRoomForViews(t *testing.T) {
	const events = 60_000
	text := written(t, page.Top{}, func(p *page.Page) {
		for i := range events {
			p.Add(page.Section{Subject: fmt.Sprintf("%0200d", i)})
		}
		p.Add(page.Section{Subject: "all of them", Total: true, View: &page.Evidence{More: events}})
	})
	rows := len(regexp.MustCompile(`<tr class=\\?"item row`).FindAllString(text, -1))
	for _, want := range []string{`<code>all of them<\/code><\/a>`, `<div class="evidence">`, fmt.Sprintf("%d more answers not listed", events+1-rows)} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q", want)
		}
	}
	if rows < 1000 || rows > page.MaxRows+1 {
		t.Errorf("%d rows", rows)
	}
}

// TestMemory: texts are cut, and the sum of what is kept has a bound that is said.
func TestMemory(t *testing.T) {
	huge := strings.Repeat("x", 1<<20)
	text := written(t, page.Top{}, func(p *page.Page) {
		var list []page.Finding
		for range 4000 {
			f, ok := p.Take(finding.Finding{Rule: "r", Message: huge, Found: huge}, nil)
			if ok {
				list = append(list, f)
			}
		}
		p.Add(page.Section{Subject: huge, Findings: list, NotProved: []string{huge}})
	})
	if !strings.Contains(text, "bytes in all)") || !strings.Contains(text, "Left out of this page") {
		t.Error("nothing says what was left out")
	}
	if most := 2 * page.MaxText; len(text) > most {
		t.Errorf("%d bytes, expected at most %d", len(text), most)
	}
}

// TestBrokenStream: the error of the stream is the page's.
func TestBrokenStream(t *testing.T) {
	if err := page.New(nil).Write(broken{}, page.Top{}); !errors.Is(err, errBroken) {
		t.Error(err)
	}
}

type broken struct{}

var errBroken = errors.New("no room")

func (broken) Write([]byte) (int, error) { return 0, errBroken }
