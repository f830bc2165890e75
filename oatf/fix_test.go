package oatf_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v4"
	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/oatftest"
	"github.com/cupel-dev/cupel/oatf"
)

type fixCase struct {
	Name         string
	Input        string
	Safe         *string
	Mended       []string
	Unsafe       *string
	MendedUnsafe []string `yaml:"mended_unsafe"`
}

func TestFix(t *testing.T) {
	for _, c := range oatftest.Cases[fixCase](t, os.DirFS("testdata"), "fix.yaml") {
		t.Run(c.Name, func(t *testing.T) {
			if c.Safe == nil {
				c.Safe = &c.Input
			}
			if c.Unsafe == nil {
				c.Unsafe, c.MendedUnsafe = c.Safe, c.Mended
			}
			o := oatf.FixOptions{CheckOptions: oatf.CheckOptions{Strict: true}}
			for i, want := range []string{*c.Safe, *c.Unsafe} {
				o.Unsafe = i == 1
				fixed := oatf.Fix([]byte(c.Input), o)
				if diff := cmp.Diff(want, string(fixed.Text)); diff != "" {
					t.Errorf("unsafe: %v: %s", o.Unsafe, diff)
				}
				if diff := cmp.Diff([][]string{c.Mended, c.MendedUnsafe}[i], rulesOf(fixed.Mended)); diff != "" {
					t.Errorf("unsafe: %v: %s", o.Unsafe, diff)
				}
				checkFixed(t, []byte(c.Input), fixed, o)
			}
		})
	}
}

func rulesOf(list []oatf.Finding) (ids []string) {
	for _, f := range list {
		ids = append(ids, f.Rule)
	}
	return ids
}

// checkFixed holds what is true of every text that was mended.
func checkFixed(t rapid.TB, input []byte, fixed oatf.Fixed, o oatf.FixOptions) {
	t.Helper()
	if text, err := finding.Apply(input, fixed.Edits); err != nil || string(text) != string(fixed.Text) {
		t.Errorf("the edits make another text: %q, %v", text, err)
	}
	if again := oatf.Fix(fixed.Text, o); len(again.Mended) > 0 && len(fixed.Mended) < 10 {
		t.Errorf("there was something left to mend: %v", again.Mended)
	}
	if diff := cmp.Diff(oatf.Check(fixed.Text, o.CheckOptions), fixed.Findings); diff != "" {
		t.Errorf("its findings are not those of its text: %s", diff)
	}
	before, after := scalars(input), scalars(fixed.Text)
	var written []string
	named := 0 // values
	for _, f := range fixed.Mended {
		for _, e := range f.Fix.Edits {
			written = append(written, strings.Trim(e.Text, `"`))
			if named++; e.Text == "" || e.Text == "{}" {
				named++ // a key with its value
			}
		}
	}
	for _, text := range without(after, before) {
		event, _, _ := strings.Cut(text, ":") // a fix of an event leaves its qualifier
		if !slices.Contains(written, text) && !slices.Contains(written, event) {
			t.Errorf("%q has become a value that no fix names", text)
		}
	}
	if gone := len(without(before, after)); gone > named {
		t.Errorf("%d values have gone, and the fixes name %d", gone, named)
	}
	if diff := cmp.Diff(comments(input), comments(fixed.Text)); diff != "" {
		t.Errorf("comments: %s", diff)
	}
}

// scalars returns the keys and values of a YAML text, unordered, or nil.
func scalars(text []byte) (list []string) {
	var walk func(n *yaml.Node)
	walk = func(n *yaml.Node) {
		if n.Kind == yaml.ScalarNode {
			list = append(list, n.Value)
		}
		for _, c := range n.Content {
			walk(c)
		}
	}
	var doc yaml.Node
	if yaml.Unmarshal(text, &doc) != nil {
		return nil
	}
	walk(&doc)
	slices.Sort(list)
	return list
}

// without returns the texts of a list that another one lacks, as often as it does.
func without(list, other []string) (left []string) {
	other = slices.Clone(other)
	for _, text := range list {
		if i := slices.Index(other, text); i >= 0 {
			other = slices.Delete(other, i, i+1)
		} else {
			left = append(left, text)
		}
	}
	return left
}

// comments returns the text after "# " on the lines of a text, unordered.
func comments(text []byte) (list []string) {
	for _, line := range strings.FieldsFunc(string(text), func(r rune) bool { return r == '\r' || r == '\n' }) {
		if _, comment, found := strings.Cut(line, "# "); found {
			list = append(list, comment)
		}
	}
	slices.Sort(list)
	return list
}

// TestFixLaw damages documents as authors do, and mends them.
func TestFixLaw(t *testing.T) {
	mended := 0
	rapid.Check(t, func(rt *rapid.T) {
		revision := rapid.SampledFrom([]string{"sdk-0.1", "2026-03"}).Draw(rt, "revision")
		text := string(oatftest.DocumentOf(revision, 1, 2000))
		for range rapid.IntRange(1, 6).Draw(rt, "damages") {
			text = rapid.SampledFrom(damages).Draw(rt, "damage")(rt, text)
		}
		o := oatf.FixOptions{CheckOptions: oatf.CheckOptions{Strict: rapid.Bool().Draw(rt, "strict")}, Unsafe: rapid.Bool().Draw(rt, "unsafe")}
		fixed := oatf.Fix([]byte(text), o)
		mended += len(fixed.Mended)
		checkFixed(rt, []byte(text), fixed, o)
	})
	if mended == 0 {
		t.Error("nothing was mended")
	}
}

// damages are mistakes that a text may have.
var damages = []func(*rapid.T, string) string{
	func(t *rapid.T, text string) string { // a letter of a word
		at := rapid.IntRange(0, len(text)-1).Draw(t, "at")
		return text[:at] + rapid.SampledFrom([]string{"", "x", "E", "_", "é"}).Draw(t, "letter") + text[at+1:]
	},
	func(t *rapid.T, text string) string { // the case of a line
		return onLine(t, text, strings.ToUpper)
	},
	func(t *rapid.T, text string) string { // quotes that are wanted
		return onLine(t, text, func(line string) string { return strings.ReplaceAll(line, `"`, "") })
	},
	func(t *rapid.T, text string) string { // quotes that are not
		return strings.Replace(text, "confidence: 80", `confidence: "80"`, 1)
	},
	func(_ *rapid.T, text string) string { // the version at the end
		first, rest, _ := strings.Cut(text, "\n")
		return rest + first + " # the version"
	},
	func(_ *rapid.T, text string) string {
		return strings.ReplaceAll(strings.ReplaceAll(text, "\r", ""), "\n", "\r\n")
	},
	func(_ *rapid.T, text string) string { return "\uFEFF" + strings.TrimPrefix(text, "\uFEFF") },
	func(t *rapid.T, text string) string {
		return onLine(t, text, func(line string) string { return line + " # märkte: 注 " + fmt.Sprint(len(line)) })
	},
}

// onLine changes one line of a text.
func onLine(t *rapid.T, text string, change func(string) string) string {
	lines := strings.Split(text, "\n")
	i := rapid.IntRange(0, len(lines)-1).Draw(t, "line")
	line, carriage := strings.CutSuffix(lines[i], "\r")
	lines[i] = change(line)
	if carriage {
		lines[i] += "\r"
	}
	return strings.Join(lines, "\n")
}
