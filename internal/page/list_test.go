package page_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/page"
	"pgregory.net/rapid"
)

var (
	laterScript = regexp.MustCompile(`(?s)<script type="application/json" class="later">(.*?)</script>`)
	findingItem = regexp.MustCompile(`<li class="item finding \w+" id="(f\d+)">`)
)

// unpacked returns a page as JavaScript completes it.
func unpacked(t *rapid.T, text string) string {
	return laterScript.ReplaceAllStringFunc(text, func(script string) string {
		var items []string
		if err := json.Unmarshal([]byte(laterScript.FindStringSubmatch(script)[1]), &items); err != nil {
			t.Fatal(err)
		}
		return unpacked(t, strings.Join(items, ""))
	})
}

// TestDeferred: whatever the number of sections and findings, every finding is on the page once, most of them as
// JSON, and no text of an input ends the JSON.
func TestDeferred(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		numbers := rapid.SliceOfN(rapid.SampledFrom([]int{0, 1, 50, 51}), 1, 6).Draw(t, "findings")
		message := rapid.SampledFrom([]string{"plain", "</script>", `<\/script>`, `"`, "<!--<script", "##", "\u2028", `\`}).Draw(t, "message")
		mark := rapid.SampledFrom([]page.Mark{page.Good, page.Bad})
		subjects := rapid.SampledFrom([]int{1, 60}).Draw(t, "sections")
		p, taken := page.New(nil), []string{}
		for i := range subjects {
			s := page.Section{Subject: fmt.Sprintf("%d", i), Mark: mark.Draw(t, "mark"), Reason: message}
			for range numbers[i%len(numbers)] {
				f, ok := p.Take(finding.Finding{Rule: "r", Severity: finding.Error, Message: message, File: s.Subject, Line: 1}, nil)
				if ok {
					s.Findings, taken = append(s.Findings, f), append(taken, f.ID)
				}
			}
			p.Add(s)
		}
		var b strings.Builder
		if err := p.Write(&b, page.Top{}); err != nil {
			t.Fatal(err)
		}
		if still := len(findingItem.FindAllString(b.String(), -1)); still > 2000 {
			t.Fatalf("%d findings are elements from the start", still)
		}
		text := unpacked(t, b.String())
		var ids []string
		for _, m := range findingItem.FindAllStringSubmatch(text, -1) {
			ids = append(ids, m[1])
		}
		slices.Sort(ids)
		slices.Sort(taken)
		if !slices.Equal(ids, taken) {
			t.Fatalf("%d findings, expected %d, each once", len(ids), len(taken))
		}
		if strings.Count(b.String(), "</script>") != len(laterScript.FindAllString(b.String(), -1))+1 {
			t.Fatal("a text ends a script")
		}
	})
}
