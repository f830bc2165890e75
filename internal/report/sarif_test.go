package report_test

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/report"
)

// prints returns the fingerprints that SARIF has of findings, in their order.
func prints(t *testing.T, list []finding.Finding) (all []string) {
	t.Helper()
	text := render(t, "sarif", report.Options{}, func(t *testing.T, w report.Writer) {
		for _, f := range list {
			if err := w.Finding(f); err != nil {
				t.Fatal(err)
			}
		}
		closeWith(t, w, report.Summary{})
	})
	var log struct {
		Runs []struct {
			Results []struct {
				PartialFingerprints map[string]string
			}
		}
	}
	if err := json.Unmarshal(text, &log); err != nil {
		t.Fatal(err)
	}
	for _, r := range log.Runs[0].Results {
		own := r.PartialFingerprints["cupel/v1"]
		if own == "" || own != r.PartialFingerprints["primaryLocationLineHash"] {
			t.Errorf("fingerprints %v", r.PartialFingerprints)
		}
		all = append(all, own)
	}
	return all
}

// TestFingerprints: fingerprints of a run are all different, are the same when lines come above,
// of which messages may speak, and another finding has another one.
func TestFingerprints(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		text := rapid.SampledFrom([]string{"", "a", "b", "the first is on line 3", "lines 3 and 9 are swapped"})
		var list, moved []finding.Finding
		for range rapid.IntRange(1, 12).Draw(rt, "findings") {
			f := finding.Finding{
				Rule: rapid.SampledFrom([]string{"a.one", "a.two"}).Draw(rt, "rule"), File: rapid.SampledFrom([]string{"x", "./x", "y"}).Draw(rt, "file"),
				Line: rapid.IntRange(1, 9).Draw(rt, "line"), Message: text.Draw(rt, "message"), Expected: text.Draw(rt, "expected"), Path: text.Draw(rt, "path"),
			}
			list = append(list, f)
			f.Line++
			f.Message = strings.NewReplacer("line 3", "line 4", "lines 3 and 9", "lines 4 and 10").Replace(f.Message)
			f.Expected = strings.NewReplacer("line 3", "line 4", "lines 3 and 9", "lines 4 and 10").Replace(f.Expected)
			moved = append(moved, f)
		}
		got := prints(t, list)
		if slices.Compare(got, prints(t, moved)) != 0 {
			rt.Fatalf("lines above change %v", got)
		}
		sorted := slices.Sorted(slices.Values(got))
		if len(slices.Compact(sorted)) != len(got) {
			rt.Fatalf("two are the same: %v", got)
		}
	})
	two := prints(t, []finding.Finding{{Rule: "a", File: "f", Line: 1, Message: "m"}, {Rule: "a", File: "f", Line: 2, Message: "m"}})
	if two[1] != two[0]+":2" || !regexp.MustCompile("^[0-9a-f]{64}$").MatchString(two[0]) {
		t.Errorf("%v", two)
	}
	other := prints(t, []finding.Finding{{Rule: "a", File: "f", Line: 1, Message: "n"}})
	if other[0] == two[0] {
		t.Error("another message has the same fingerprint")
	}
}

// TestLinksAreOfKnownRules checks that a rule id that is unknown in the run, as another tool's report can contain,
// and a file name do not get into an escape sequence.
func TestLinksAreOfKnownRules(t *testing.T) {
	for _, format := range []string{"text", "short"} {
		text := string(render(t, format, report.Options{Links: true}, func(t *testing.T, w report.Writer) {
			for _, rule := range []string{"hash.snippet", "own\x1b]8;;https://evil.example\x1b\\", "sequence.gap"} {
				f := finding.Finding{Rule: rule, File: "a\x1b]8;;https://evil.example\x07", Line: 1, Message: "m\x1b\\"}
				if err := w.Finding(f); err != nil {
					t.Fatal(err)
				}
			}
			closeWith(t, w, report.Summary{})
		}))
		links := regexp.MustCompile(`\x1b\]8;;(.*?)\x1b\\`).FindAllStringSubmatch(text, -1)
		var addresses []string
		for _, l := range links {
			addresses = append(addresses, l[1])
		}
		want := []string{"https://cupel.dev/rules/hash.snippet", "", "https://cupel.dev/rules/sequence.gap", ""}
		if !slices.Equal(addresses, want) || strings.Count(text, "\x1b") != 2*len(want) || strings.Contains(text, "\x07") {
			t.Errorf("%s: %q", format, text)
		}
	}
}
