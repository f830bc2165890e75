package jsonpath

import (
	"encoding/json"
	"errors"
	"regexp"
	"strings"
	"testing"

	theory "github.com/theory/jsonpath"
	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/oatf/internal/value"
	"github.com/cupel-dev/cupel/oatf/model"
)

// drawTree draws a value whose objects have at most one member, so that the order of a map
// is that of its source, and whose numbers doubles hold exactly.
func drawTree(t *rapid.T, depth int) model.Value {
	kinds := 3
	if depth > 0 {
		kinds = 7
	}
	switch rapid.IntRange(0, kinds-1).Draw(t, "kind") {
	case 0:
		return rapid.SampledFrom([]model.Value{nil, true, false}).Draw(t, "word")
	case 1:
		return rapid.SampledFrom([]model.Number{"0", "1", "2", "1.5", "-3"}).Draw(t, "number")
	case 2:
		return rapid.SampledFrom([]string{"", "a", "ab", "é", "a\nb"}).Draw(t, "text")
	case 3, 4:
		return model.Object{{Key: rapid.SampledFrom([]string{"a", "b", "é", ""}).Draw(t, "key"), Value: drawTree(t, depth-1)}}
	}
	list := []model.Value{}
	for range rapid.IntRange(0, 4).Draw(t, "elements") {
		list = append(list, drawTree(t, depth-1))
	}
	return list
}

// plain returns a value as the library knows values.
func plain(v model.Value) any {
	switch v := v.(type) {
	case model.Number:
		return v.Float64()
	case []model.Value:
		list := make([]any, len(v))
		for i := range v {
			list[i] = plain(v[i])
		}
		return list
	case model.Object:
		object := make(map[string]any, len(v))
		for _, m := range v {
			object[m.Key] = plain(m.Value)
		}
		return object
	}
	return v
}

func drawQuery(t *rapid.T, root string, depth int) string {
	text := root
	for range rapid.IntRange(0, 3).Draw(t, "segments") {
		text += rapid.SampledFrom([]string{"", "", ".."}).Draw(t, "descent")
		var selectors []string
		for range rapid.IntRange(1, 2).Draw(t, "selectors") {
			selectors = append(selectors, drawSelector(t, depth))
		}
		text += "[" + strings.Join(selectors, " , ") + "]"
	}
	return text
}

func drawSelector(t *rapid.T, depth int) string {
	kinds := []string{"'a'", `"b"`, `"\u00e9"`, "''", "*", "0", "-1", "2", ":", "1:", ":-1", "::-1", "::2", "-3:3", "3:0:-2", "::0", "1:1"}
	if depth > 0 {
		kinds = append(kinds, "?", "?", "?", "?", "?")
	}
	kind := rapid.SampledFrom(kinds).Draw(t, "selector")
	if kind == "?" {
		return "? " + drawLogical(t, depth-1)
	}
	return kind
}

// drawLogical draws a filter, without the comparisons in which the library does not do what
// RFC 9535 says: arrays and objects, the order of true and false, and match and search of what is not there.
func drawLogical(t *rapid.T, depth int) string {
	singular := func(label string) string {
		return rapid.SampledFrom([]string{"@", "@.a", "@['b']", "@[0]", "$[0]", "@[-1].a", "$.a.b"}).Draw(t, label)
	}
	literal := rapid.SampledFrom([]string{"1", "-3", "1.5", "'a'", `"ab"`, "true", "null", "0"}).Draw(t, "literal")
	operators := []string{"==", "!=", "<", "<=", ">", ">="}
	if literal == "true" {
		operators = operators[:2]
	}
	operator := rapid.SampledFrom(operators).Draw(t, "operator")
	switch rapid.IntRange(0, 7).Draw(t, "expression") {
	case 0:
		return drawQuery(t, rapid.SampledFrom([]string{"@", "$", "!@"}).Draw(t, "test"), depth)
	case 1:
		return singular("left") + operator + literal
	case 2:
		return literal + " " + operator + " " + singular("right")
	case 3:
		return "length(" + singular("of") + ") " + operator + " 1"
	case 4:
		return "count(" + drawQuery(t, "@", depth) + ") " + operator + " 1"
	case 5:
		return rapid.SampledFrom([]string{"", "!"}).Draw(t, "not") + "(" + drawLogical(t, depth-1) + ")"
	case 6:
		return drawLogical(t, max(depth-1, 0)) + rapid.SampledFrom([]string{" && ", "||"}).Draw(t, "and, or") + literal + "==" + literal
	}
	return rapid.SampledFrom([]string{"match", "search", "!match"}).Draw(t, "function") + "(@, 'a.?')"
}

// TestQueriesAreThoseOfTheLibrary compares with the library that evaluates on maps.
func TestQueriesAreThoseOfTheLibrary(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text, v := drawQuery(t, "$", 2), drawTree(t, 3)
		parsed, err := theory.Parse(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		q, err := Compile(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		var want []string
		for _, node := range parsed.Select(plain(v)) {
			spelled, err := json.Marshal(node)
			if err != nil {
				t.Fatal(err)
			}
			want = append(want, string(spelled))
		}
		got, err := nodes(q, v)
		if err != nil || got != strings.Join(want, " ") {
			t.Fatalf("%s on %s: %s (%v), expected %s", text, value.JSON(nil, v), got, err, strings.Join(want, " "))
		}
	})
}

// TestFirstIsTheFirst holds First to Each.
func TestFirstIsTheFirst(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q, err := Compile(drawQuery(t, "$", 1))
		if err != nil {
			t.Fatal(err)
		}
		v := drawTree(t, 3)
		first, found, steps, err := q.First(v)
		got := ""
		if found {
			got = string(value.JSON(nil, first))
		}
		all, _ := nodes(q, v)
		if err != nil || steps < 0 || steps > MaxSteps || !strings.HasPrefix(all+" ", got+" ") || found != (all != "") {
			t.Fatalf("%s, %v, of %s", got, err, all)
		}
	})
}

// noTest matches a negation that the library accepts although its operand is not a test (RFC 9535 §2.3.5.1).
var noTest = regexp.MustCompile(`!\s*[^\s(=$@a-z]|!\s*(true|false|null)`)

// goQuoted matches escapes of invisible characters that the library writes as in Go, which JSONPath does not allow.
var goQuoted = regexp.MustCompile(`\\[xavU]`)

// FuzzQuery checks that queries that the library refuses are refused, and that others are evaluated within bounds. A
// query that only the library takes has a part that it ignores, such as a comma after the last argument: in the
// library's spelling it is accepted.
func FuzzQuery(f *testing.F) {
	for _, text := range []string{"$..a[?@.b == 1 && length(@) > 2].c", `$["\ud83d\ude00",'\'',1:2:3, * ]`, "$[?count(@..*) != value($.a[-1])]", "$ [ ?!(@ . a || match(@, '[')) ]", "$[?@ == -0.1e+10]", "$ [ ?!'@,. a || match([' ]", "$[?count(@,#) != 1]", "$['\x7f',1:2-3]"} {
		f.Add(text)
	}
	v := model.Object{{Key: "a", Value: []model.Value{"x", model.Number("1"), nil, true, model.Object{{Key: "b", Value: "x"}}}}}
	f.Fuzz(func(t *testing.T, text string) {
		parsed, refused := theory.Parse(text)
		q, err := Compile(text)
		switch {
		case err == nil && refused != nil:
			t.Fatalf("%q is read, but the library says %v", text, refused)
		case err == nil:
			_, _, _, _ = q.First(v)
		case refused == nil && len(text) <= maxQuery:
			spelled := parsed.String()
			if _, err := Compile(spelled); err != nil && !noTest.MatchString(spelled) && !goQuoted.MatchString(spelled) {
				t.Fatalf("%q, which is %q: %v", text, spelled, err)
			}
		}
	})
}

// TestHostileQueries takes every query that would take any number of steps to its end, in
// time, with an error that says which bound it came to.
func TestHostileQueries(t *testing.T) {
	wide, deep := make([]model.Value, 20_000), model.Value(model.Number("1"))
	for i := range wide {
		wide[i] = model.Object{{Key: "a", Value: "x"}}
	}
	for range 60 {
		deep = []model.Value{deep}
	}
	deeper := deep
	for range 7 {
		deeper = []model.Value{deeper}
	}
	const limit = MaxSteps / 100
	steps, depth := errors.New("the query takes more than 200000 steps on this value"), errors.New("the query is more than 64 levels deep")
	for _, c := range []struct {
		query string
		value model.Value
		want  error
	}{
		{"$..*", wide, nil},
		{"$..none", wide, nil},
		{"$[?@.a == 'y']", wide, nil},
		{"$[?@.b || search(@.a, 'y')]", wide, nil},
		{"$[?$..b]", wide, steps},
		{"$[?$ != $]", wide, steps},
		{"$..none", deep, nil},
		{"$..none", deeper, depth},
		{"$[?@..none]", deeper, depth},
		{"$..*..*..*..*..*..*..*..*..none", deep, steps},
		{"$" + strings.Repeat("[*,*]", 40) + ".none", deep, steps},
		{"$[?count(@" + strings.Repeat("..*", 9) + ") > 1]", deep, steps},
		{"$[" + strings.Repeat("'b',", 2000) + "'c']", model.Object{{Key: "a", Value: wide}}, nil},
		{"$[?search(@, '" + strings.Repeat("(x{1000})", 30) + "')]", []model.Value{strings.Repeat("x", 1<<16)}, steps},
	} {
		q, err := Compile(c.query)
		if err != nil {
			t.Errorf("%.40s: %v", c.query, err)
			continue
		}
		_, err = q.eachWithin(limit, c.value, func(model.Value) bool { return false })
		if (err == nil) != (c.want == nil) || err != nil && err.Error() != c.want.Error() {
			t.Errorf("%.40s: %v, expected %v", c.query, err, c.want)
		}
	}
}
