package page_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/page"
)

// talk is a section on a transcript.
func talk(mark page.Mark, word string, t page.Transcript) page.Section {
	return page.Section{Subject: "p/" + t.Name, Mark: mark, Word: word, Transcript: &t}
}

// TestTranscripts checks the index of sessions: failing ones first, with sort keys and links.
func TestTranscripts(t *testing.T) {
	began := time.Date(2026, 5, 1, 10, 0, 1, 0, time.UTC)
	text := written(t, page.Top{Command: "check", Rules: rules}, func(p *page.Page) {
		p.Add(talk(page.Good, "consistent", page.Transcript{Project: "<b>", Name: "a.jsonl", Bytes: -1}))
		f, _ := p.Take(finding.Finding{Rule: "hash.snippet", Severity: finding.Error, Message: "cut", File: "p/b.jsonl", Line: 3}, nil)
		s := talk(page.Bad, "inconsistent", page.Transcript{Project: "/home/ann/app", Name: "b.jsonl", Start: began, Bytes: 2048, Errors: 2, Warnings: 1})
		s.Findings = []page.Finding{f}
		p.Add(s)
	})
	for _, want := range []string{
		`<h2 id="sessions">Sessions</h2>`, `<td data-label="project">/<wbr>home/<wbr>ann/<wbr>app</td>`, `<a href="#s1"><code>b.jsonl</code></a>`,
		`<td data-label="began">2026-05-01 10:00</td>`, `data-key="2048">2.0 KiB</td>`, `<a href="#f1">2 errors, 1 warning</a>`,
		`<td data-label="project">&lt;b&gt;</td>`, `<td data-label="session"><code>a.jsonl</code></td>`, `<td data-label="began">unknown</td>`, `data-key="0">none</td>`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q on the page", want)
		}
	}
	if strings.Index(text, "b.jsonl") > strings.Index(text, "a.jsonl") {
		t.Error("the consistent session is before the inconsistent one")
	}
	if strings.Contains(text, `<h2 id="index">`) {
		t.Error("transcripts are in a second list")
	}
}

// TestTranscriptSize checks the display of sizes at their limits.
func TestTranscriptSize(t *testing.T) {
	for bytes, want := range map[int64]string{-1: "unknown", 0: "0 bytes", 1: "1 byte", 1023: "1023 bytes", 1024: "1.0 KiB", 1 << 20: "1.0 MiB", 3 << 29: "1536.0 MiB"} {
		if got := (&page.Transcript{Bytes: bytes}).Size(); got != want {
			t.Errorf("%d bytes: %q, expected %q", bytes, got, want)
		}
	}
}

// TestTranscriptRoom fills half of the views with good sessions. The other half remains for sessions with problems, and
// further views of good sessions are not asked for.
func TestTranscriptRoom(t *testing.T) {
	long := &page.Conversation{}
	for i := range 250 {
		long.Rows = append(long.Rows, page.Utterance{Number: i + 1, Line: i + 1, Kind: "user", Text: strings.Repeat("word ", 800)})
	}
	spared := 0
	const good = 30
	text := written(t, page.Top{Command: "check"}, func(p *page.Page) {
		for i := range good {
			s := talk(page.Good, "consistent", page.Transcript{Project: "app", Name: fmt.Sprintf("%d.jsonl", i)})
			if p.Spares(&s) {
				spared++
			} else {
				s.View = long
			}
			p.Add(s)
		}
		s := talk(page.Bad, "inconsistent", page.Transcript{Project: "app", Name: "bad.jsonl", Errors: 1})
		if s.View = long; p.Spares(&s) {
			t.Error("the session with a problem has no view")
		}
		p.Add(s)
	})
	if n := len(regexp.MustCompile(`<div class=\\?"conversation`).FindAllString(text, -1)); n < 2 || n >= good || !strings.Contains(text, fmt.Sprintf("%d sessions without problems have no conversation here", spared)) || n+spared != good {
		t.Errorf("%d conversations, %d spared", n, spared)
	}
	if n := strings.Count(text, `<td data-label="session">`); n != good+1 {
		t.Errorf("%d sessions in the index, expected %d", n, good+1)
	}
}
