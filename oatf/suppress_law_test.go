package oatf

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// suppressible is a document with faults in most of its lines.
var suppressible = strings.Split(`oatf: "0.1"
attack:
  id: local
  severity: extreme
  impact: [a]
  classification: {tags: [a, a], category: none}
  execution: {mode: mpc_server, state: {tools: []}}
  indicators:
    - {surface: tool_nam, pattern: {contains: x, regex: "("}}
    - {id: a, surface: tool_name, pattern: {contains: ""}}`, "\n")

// said is what a finding says, for a comparison: its rules apart, since a comment may leave one
// of them out.
func said(f Finding) (list []string) {
	list = []string{fmt.Sprintf("%d %s", f.Line, f.Rule)}
	detail, _ := f.Detail.(Detail)
	for _, also := range detail.Also {
		list = append(list, fmt.Sprintf("%d %s", f.Line, also.Rule))
	}
	return list
}

// commented returns the document with the comments above one of its lines, and what is found in it.
func commented(line int, comments []string) (found, about []string) {
	text := slices.Insert(slices.Clone(suppressible), line-1, comments...)
	for _, f := range Check([]byte(strings.Join(text, "\n")), CheckOptions{}) {
		if f.Line >= line+len(comments) {
			f.Line -= len(comments)
		}
		if strings.HasPrefix(f.Rule, "S-") {
			about = append(about, f.Rule+" "+f.Message)
			continue
		}
		found = append(found, said(f)...)
	}
	slices.Sort(found)
	slices.Sort(about)
	return found, about
}

// TestSuppressionLaw checks that the order of rules in a list does not matter, that a list equals a separate comment
// for each of its rules, that only the named findings disappear, and that each unused rule is reported.
func TestSuppressionLaw(t *testing.T) {
	whole := Check([]byte(strings.Join(suppressible, "\n")), CheckOptions{})
	if len(whole) < 5 {
		t.Fatalf("the document has too few faults: %v", whole)
	}
	pool := []string{"V-001", "V-005", "W-004", "S-001", "X-001", "V-05"}
	for _, f := range whole {
		for _, one := range said(f) {
			_, rule, _ := strings.Cut(one, " ")
			pool = append(pool, rule)
		}
	}
	slices.Sort(pool)
	pool = slices.Compact(pool)
	rapid.Check(t, func(t *rapid.T) {
		rules := rapid.SliceOfNDistinct(rapid.SampledFrom(pool), 1, 6, rapid.ID).Draw(t, "rules")
		mark, line := "# cupel:ignore ", rapid.IntRange(1, len(suppressible)).Draw(t, "line")
		if rapid.Bool().Draw(t, "file") {
			mark, line = "# cupel:ignore-file ", 1
		}
		file := strings.Contains(mark, "-file")
		comma := rapid.SampledFrom([]string{",", ", ", " , ", "\t,", ",,"}).Draw(t, "comma")
		if rapid.Bool().Draw(t, "lower case") {
			rules[0] = strings.ToLower(rules[0])
		}
		lead, tail := rapid.SampledFrom([]string{"", ","}).Draw(t, "lead"), rapid.SampledFrom([]string{"", ",", " ,"}).Draw(t, "tail")
		spelled := rapid.SampledFrom([]string{"# ", "#", "#\t "}).Draw(t, "blanks") + strings.TrimPrefix(mark, "# ")
		found, about := commented(line, []string{spelled + lead + strings.Join(rules, comma) + tail + " for a reason"})

		var own, want, wantAbout []string
		used := map[string]bool{}
		for _, rule := range rapid.Permutation(rules).Draw(t, "another order") {
			own = append(own, mark+rule+" for a reason")
		}
		named := func(one string) bool {
			at, rule, _ := strings.Cut(one, " ")
			hit := (file || at == fmt.Sprint(line)) && slices.ContainsFunc(rules, func(r string) bool { return strings.EqualFold(r, rule) })
			used[rule] = used[rule] || hit
			return hit
		}
		for _, f := range whole {
			list := said(f)
			left := slices.DeleteFunc(slices.Clone(list), named)
			if len(left) > 0 && left[0] == list[0] { // else the finding's own rule is named
				want = append(want, left...)
			}
		}
		slices.Sort(want)
		for _, rule := range rules {
			switch id := strings.ToUpper(rule); {
			case id == "X-001" || id == "V-05":
				wantAbout = append(wantAbout, fmt.Sprintf("S-003 the suppression names %q, which is not a rule", rule))
			case !used[id]:
				wantAbout = append(wantAbout,
					fmt.Sprintf("S-002 the suppression of %q is not needed: the rule finds nothing there", id))
			}
		}
		slices.Sort(wantAbout)
		if diff := cmp.Diff(want, found) + cmp.Diff(wantAbout, about); diff != "" {
			t.Fatalf("%s in line %d: (-want +got)\n%s", rules, line, diff)
		}
		apart, aboutApart := commented(line, own)
		if diff := cmp.Diff(found, apart) + cmp.Diff(about, aboutApart); diff != "" {
			t.Fatalf("%q are not one list (-list +apart):\n%s", own, diff)
		}
	})
}

// TestSuppressionComments finds comments after every line break, and none inside of a scalar.
func TestSuppressionComments(t *testing.T) {
	const mark = "# cupel:ignore V-018 why"
	for text, want := range map[string]int{
		"oatf: \"0.1\"\n" + mark + "\nattack: {}\n":                                   1,
		"oatf: \"0.1\"\r" + mark + "\rattack: {}\r":                                   1,
		"oatf: \"0.1\"\u2028" + mark + "\u2028attack: {}\n":                           1,
		"oatf: \"0.1\"\nattack: {name: [a, 'b'], " + mark + "\n  id: x}\n":            1,
		"oatf: \"0.1\"\nattack:\n  name: >- " + mark + "\n    text\n":                 1,
		"oatf: \"0.1\"\nattack:\n  name: &a !!str 'b' " + mark + "\n":                 1,
		"oatf: \"0.1\"\nattack:\n  name: |\n    text\n    " + mark + "\n  id: x\n":    0,
		"oatf: \"0.1\"\nattack:\n  name: \"text\n    " + mark + "\n    text\"\n":      0,
		"oatf: \"0.1\"\nattack:\n  name: 'it''s " + mark + "'\n":                      0,
		"oatf: \"0.1\"\nattack:\n  name: &a |\n    text\n    " + mark + "\n  id: x\n": 0,
	} {
		found := 0
		for _, f := range Check([]byte(text), CheckOptions{}) {
			if f.Rule == "S-002" {
				found++
			}
		}
		if found != want {
			t.Errorf("%q has %d suppressions, expected %d", text, found, want)
		}
	}
}
