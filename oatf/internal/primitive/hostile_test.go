package primitive

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/oatf/internal/revision"
	"github.com/cupel-dev/cupel/oatf/model"
)

// hostileTemplates are templates of about a size that would cost a careless reader dearly,
// with how many diagnostics they get.
func hostileTemplates(size int) map[string]int {
	fill := func(piece string) string { return strings.Repeat(piece, size/len(piece)) }
	var names strings.Builder
	for i := 0; names.Len() < size; i++ {
		fmt.Fprintf(&names, "{{request.k%d}}", i)
	}
	return map[string]int{
		fill("{{"):                    0, // none is closed
		fill(`\{{`):                   0,
		fill("}}"):                    0,
		fill("{{x}}"):                 MaxUnresolved + 1,
		"{{" + fill("x") + "}}":       1,
		fill("{{ {{"):                 0,
		fill("{{a}}"):                 0,
		fill("{{request.big}}"):       MaxUnresolved + 1, // there is room for few of them
		names.String():                0,                 // each is found in an object of as many
		fill("x") + "{{a}}" + "{{b}}": 1,
	}
}

func interpolateHostile(t testing.TB, size int) {
	request := model.Object{{Key: "big", Value: strings.Repeat("x", size)}}
	for i := range size / len("{{request.k0}}") {
		request = append(request, model.Member{Key: fmt.Sprintf("k%d", i), Value: "v"})
	}
	var v model.Value = request
	for template, want := range hostileTemplates(size) {
		in := Interpolation{Extractors: map[string]string{"a": "x"}, Request: &v}
		in.Template(template)
		if got := len(in.Diagnostics()); got != want {
			t.Errorf("%.20q…: %d diagnostics, expected %d", template, got, want)
		}
	}
}

func TestHostileTemplates(t *testing.T) { interpolateHostile(t, 1<<19) }

// BenchmarkHostileTemplates is the largest document full of references, ten times.
func BenchmarkHostileTemplates(b *testing.B) {
	for b.Loop() {
		interpolateHostile(b, model.DefaultMaxBytes)
	}
}

// hostilePath returns a path through a value of width elements on each of two levels, and a path of the maximum
// depth.
func hostilePath(width int) (path string, v model.Value, count int) {
	list := make([]model.Value, width)
	for i := range list {
		list[i] = model.Object{{Key: "b", Value: []model.Value{"x"}}}
	}
	v = model.Object{{Key: "a", Value: list}}
	path = "a[*].b[*]"
	for range MaxPathDepth - 4 {
		v = model.Object{{Key: "c", Value: v}}
		path = "c." + path
	}
	return path, v, width
}

func TestHostilePaths(t *testing.T) {
	text, v, want := hostilePath(100_000)
	path, err := CompilePath(text)
	if err != nil {
		t.Fatal(err)
	}
	if got := len(path.Values(v)); got != want {
		t.Errorf("%d values, expected %d", got, want)
	}
	for _, hostile := range []string{strings.Repeat("a.", 1<<20) + "a", strings.Repeat("a[*].", 33) + "b", strings.Repeat(".", 1<<20)} {
		if _, err := CompilePath(hostile); err == nil {
			t.Errorf("%.20s… compiles", hostile)
		}
		if _, found := ResolveSimple(hostile, v); found {
			t.Errorf("%.20s… resolves", hostile)
		}
	}
}

func BenchmarkHostilePath(b *testing.B) {
	text, v, _ := hostilePath(1_000_000)
	path, err := CompilePath(text)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		path.Each(v, func(model.Value, *Trail) bool { matches++; return true })
	}
}

// TestManyEntries looks for many keys in an object that has as many.
func TestManyEntries(t *testing.T) {
	var p model.MatchPredicate
	var v model.Object
	for i := range 20_000 {
		key := fmt.Sprintf("k%d", i)
		p = append(p, model.MatchEntry{Path: key, Condition: model.Condition{Value: "v"}})
		v = append(v, model.Member{Key: key, Value: "v"})
	}
	predicate, err := CompilePredicate(revision.All[0], p)
	if err != nil {
		t.Fatal(err)
	}
	if !predicate.Match(v) || predicate.Match(v[1:]) {
		t.Error("a predicate of many entries does not hold as one of few does")
	}
}

// TestLongSearches looks for a large expression in a text for which it is too large.
func TestLongSearches(t *testing.T) {
	e, err := CompileExtractor(&model.Extractor{Type: model.ExtractorRegex, Selector: "(" + strings.Repeat("x{1000}", 30) + "y)"})
	if err != nil {
		t.Fatal(err)
	}
	for length, want := range map[int]string{
		100:     "",
		1 << 13: "a regular expression of 30003 instructions cannot search a text of 8192 bytes: the product exceeds 200000000 [regex_timeout]",
	} {
		if _, found, err := e.Extract(strings.Repeat("x", length), "", func(int64) bool { return true }); found || words(err) != want {
			t.Errorf("%d bytes: %t, %v, expected %q", length, found, err, want)
		}
	}
}
