package primitive

import (
	"cmp"
	"fmt"
	"maps"
	"math/big"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/oatf/internal/profile"
	"github.com/cupel-dev/cupel/oatf/internal/revision"
	"github.com/cupel-dev/cupel/oatf/internal/value"
	"github.com/cupel-dev/cupel/oatf/model"
)

var (
	drawnKeys    = rapid.SampledFrom([]string{"a", "b", "c", "0", "request", "x-y_1", "", "a.b", "a[*]"})
	drawnTexts   = rapid.SampledFrom([]string{"", "a", "ab", "ba", "aXb", "42", "{{a}}", `\{{`, "}}", "é", "line\n"})
	drawnNumbers = rapid.SampledFrom([]model.Number{"0", "-0", "1", "1.0", "10e-1", "-1", "2", "42", "4.2e1", "9007199254740992", "9007199254740993", "1e400", "10E+399", "-1e400", "1e-400", model.NaN, model.Inf, model.NegInf})
)

func drawValue(t *rapid.T, depth int) model.Value {
	kinds := 4
	if depth > 0 {
		kinds = 7
	}
	switch rapid.IntRange(0, kinds-1).Draw(t, "kind") {
	case 0:
		return nil
	case 1:
		return rapid.Bool().Draw(t, "bool")
	case 2:
		return drawnNumbers.Draw(t, "number")
	case 3:
		return drawnTexts.Draw(t, "text")
	case 4:
		list := []model.Value{}
		for range rapid.IntRange(0, 3).Draw(t, "elements") {
			list = append(list, drawValue(t, depth-1))
		}
		return list
	}
	object := model.Object{}
	for _, key := range rapid.SliceOfNDistinct(drawnKeys, 0, 4, rapid.ID[string]).Draw(t, "keys") {
		object = append(object, model.Member{Key: key, Value: drawValue(t, depth-1)})
	}
	return object
}

// naivePath is §5.1 word for word: the path is split at its dots, and each branch goes on
// by itself. A path of wildcards resolves to any number of values, one without to at most
// one.
func naivePath(path string, v model.Value) []model.Value {
	if path == "" {
		return []model.Value{v}
	}
	first, rest, _ := strings.Cut(path, ".")
	name, fan := strings.CutSuffix(first, "[*]")
	object, _ := v.(model.Object)
	var found []model.Value
	for _, m := range object {
		if m.Key != name {
			continue
		}
		branches := []model.Value{m.Value}
		if fan {
			branches, _ = m.Value.([]model.Value)
		}
		for _, branch := range branches {
			found = append(found, naivePath(rest, branch)...)
		}
	}
	return found
}

func drawPath(t *rapid.T, segments []string) string {
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(segments), 0, 4).Draw(t, "path"), ".")
}

func TestPathLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := drawValue(t, 4)
		simple := drawPath(t, []string{"a", "b", "c", "0", "x-y_1"})
		got, found := ResolveSimple(simple, v)
		if want := naivePath(simple, v); found != (len(want) == 1) || found && !reflect.DeepEqual(got, want[0]) {
			t.Fatalf("%s: %v, %t, expected %v", simple, got, found, want)
		}
		wildcard := drawPath(t, []string{"a", "b", "a[*]", "b[*]", "c[*]", "0[*]"})
		path, err := CompilePath(wildcard)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := path.Values(v), naivePath(wildcard, v); !reflect.DeepEqual(got, want) {
			t.Fatalf("%s: %v, expected %v", wildcard, got, want)
		}
		limit, visited := rapid.IntRange(1, 3).Draw(t, "limit"), 0
		path.Each(v, func(at model.Value, trail *Trail) bool {
			if there := followTrail(trail.String(), v); !reflect.DeepEqual(there, at) {
				t.Fatalf("%s: %v stands at %s, where there is %v", wildcard, at, trail, there)
			}
			visited++
			return visited < limit
		})
		if want := min(limit, len(naivePath(wildcard, v))); visited != want {
			t.Fatalf("%s: visited %d, expected %d", wildcard, visited, want)
		}
	})
}

// followTrail goes by the name and the index of each step.
func followTrail(trail string, v model.Value) model.Value {
	for _, step := range strings.FieldsFunc(trail, func(r rune) bool { return r == '.' }) {
		name, index, indexed := strings.Cut(strings.TrimSuffix(step, "]"), "[")
		v, _ = v.(model.Object).Get(name)
		if indexed {
			var i int
			_, _ = fmt.Sscan(index, &i)
			v = v.([]model.Value)[i]
		}
	}
	return v
}

// rational returns a number exactly, or nil if it is not a finite number.
func rational(v model.Value) *big.Rat {
	n, ok := v.(model.Number)
	if !ok || n == model.NaN || n == model.Inf || n == model.NegInf {
		return nil
	}
	r, _ := new(big.Rat).SetString(string(n))
	return r
}

// naiveEqual is deep equality by the exact values of numbers.
func naiveEqual(a, b model.Value) bool {
	if x, y := rational(a), rational(b); x != nil && y != nil {
		return x.Cmp(y) == 0
	}
	if a == model.NaN || b == model.NaN {
		return false
	}
	switch a := a.(type) {
	case []model.Value:
		b, ok := b.([]model.Value)
		return ok && slices.EqualFunc(a, b, naiveEqual)
	case model.Object:
		b, ok := b.(model.Object)
		if !ok || len(a) != len(b) {
			return false
		}
		for _, m := range a {
			if !slices.ContainsFunc(b, func(n model.Member) bool { return n.Key == m.Key && naiveEqual(n.Value, m.Value) }) {
				return false
			}
		}
		return true
	}
	return reflect.DeepEqual(a, b)
}

// naiveOperator returns one operator by the table of §5.3; coerced says that its string operators
// see any value as text.
func naiveOperator(o model.MatchCondition, v model.Value, coerced bool) bool {
	s, isText := v.(string)
	if !isText && coerced {
		s, isText = naiveJSON(v), true
	}
	order := func(operand *model.Number, holds ...int) bool {
		x, y := rational(v), rational(*operand)
		if x == nil || y == nil {
			far := map[model.Value]int{model.Inf: 1, model.NegInf: -1}
			n, isNumber := v.(model.Number)
			if !isNumber || n == model.NaN || *operand == model.NaN {
				return false
			}
			return slices.Contains(holds, cmp.Compare(far[n], far[*operand]))
		}
		return slices.Contains(holds, x.Cmp(y))
	}
	switch {
	case o.Contains != nil:
		return isText && strings.Contains(s, *o.Contains)
	case o.StartsWith != nil:
		return isText && strings.Index(s, *o.StartsWith) == 0
	case o.EndsWith != nil:
		return isText && len(s) >= len(*o.EndsWith) && s[len(s)-len(*o.EndsWith):] == *o.EndsWith
	case o.Regex != nil:
		return isText && regexp.MustCompile(*o.Regex).MatchString(s)
	case o.AnyOf != nil:
		return slices.ContainsFunc(o.AnyOf, func(x model.Value) bool { return naiveEqual(x, v) })
	case o.GT != nil:
		return order(o.GT, 1)
	case o.LT != nil:
		return order(o.LT, -1)
	case o.GTE != nil:
		return order(o.GTE, 0, 1)
	case o.LTE != nil:
		return order(o.LTE, 0, -1)
	}
	return *o.Exists
}

// drawOperators draws some operators, and gives each by itself as well.
func drawOperators(t *rapid.T) (all *model.MatchCondition, each []model.MatchCondition) {
	all = &model.MatchCondition{}
	text, number := drawnTexts.Draw(t, "operand"), drawnNumbers.Draw(t, "number")
	regex := rapid.SampledFrom([]string{"a", "^a", "b$", "a.*b|4", "", "(?i)x", `\{`}).Draw(t, "regex")
	exists := rapid.Bool().Draw(t, "exists")
	list := []model.Value{text, number, nil, []model.Value{number}, model.Object{{Key: "b", Value: number}, {Key: "a", Value: text}}}
	parts := []model.MatchCondition{
		{Contains: &text},
		{StartsWith: &text},
		{EndsWith: &text},
		{Regex: &regex},
		{AnyOf: list[:rapid.IntRange(0, len(list)).Draw(t, "any_of")]},
		{GT: &number},
		{LT: &number},
		{GTE: &number},
		{LTE: &number},
		{Exists: &exists},
	}
	for _, i := range rapid.SliceOfNDistinct(rapid.IntRange(0, len(parts)-1), 1, 3, rapid.ID[int]).Draw(t, "operators") {
		each = append(each, parts[i])
		target := reflect.ValueOf(all).Elem()
		for f, source := 0, reflect.ValueOf(parts[i]); f < source.NumField(); f++ {
			if !source.Field(f).IsNil() {
				target.Field(f).Set(source.Field(f))
			}
		}
	}
	return all, each
}

// naiveJSON is compact JSON with sorted keys.
func naiveJSON(v model.Value) string {
	var parts []string
	switch v := v.(type) {
	case []model.Value:
		for _, element := range v {
			parts = append(parts, naiveJSON(element))
		}
		return "[" + strings.Join(parts, ",") + "]"
	case model.Object:
		members := map[string]string{}
		for _, m := range v {
			members[m.Key] = naiveJSON(m.Key) + ":" + naiveJSON(m.Value)
		}
		for _, key := range slices.Sorted(maps.Keys(members)) {
			parts = append(parts, members[key])
		}
		return "{" + strings.Join(parts, ",") + "}"
	}
	return string(value.JSON(nil, v))
}

func TestConditionLaws(t *testing.T) {
	for _, p := range revision.All {
		t.Run(string(p.Revision), func(t *testing.T) { conditionLaws(t, p) })
	}
}

func conditionLaws(t *testing.T, p *profile.Profile) {
	coerced := p.Evaluation.Texts == profile.CompactJSON
	rapid.Check(t, func(t *rapid.T) {
		operators, each := drawOperators(t)
		condition, err := CompileCondition(p, &model.Condition{Operators: operators})
		if err != nil {
			t.Fatal(err)
		}
		v := drawValue(t, 2)
		want := true
		for _, o := range each {
			want = want && naiveOperator(o, v, coerced)
		}
		if got := condition.Match(v); got != want {
			t.Fatalf("%s: %t", value.JSON(nil, v), got)
		}
		if got := condition.Match(shuffled(t, v)); coerced && got != want {
			t.Fatalf("%s, in another order: %t", value.JSON(nil, v), got)
		}
		if s, isText := condition.Text(v); isText && want {
			operator, start, end := condition.Why(v)
			if s[start:end] == "" && s != "" && operator == "any_of" || start > end || end > len(s) {
				t.Fatalf("%q: %s %d %d", s, operator, start, end)
			}
		}
	})
}

func TestEqualityLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawValue(t, 3), drawValue(t, 3)
		if rapid.Bool().Draw(t, "the same") {
			b = shuffled(t, a)
		}
		want := naiveEqual(a, b)
		if value.Equal(a, b) != want || value.Equal(b, a) != want {
			t.Fatalf("%s and %s: %t", value.JSON(nil, a), value.JSON(nil, b), !want)
		}
	})
}

// shuffled returns a value with the members of its objects in another order.
func shuffled(t *rapid.T, v model.Value) model.Value {
	switch v := v.(type) {
	case []model.Value:
		list := make([]model.Value, len(v))
		for i := range v {
			list[i] = shuffled(t, v[i])
		}
		return list
	case model.Object:
		object := make(model.Object, len(v))
		for i, m := range v {
			object[i] = model.Member{Key: m.Key, Value: shuffled(t, m.Value)}
		}
		if len(object) > 1 {
			return rapid.Permutation(object).Draw(t, "members")
		}
		return object
	}
	return v
}

// naivePredicate is §5.4 word for word.
func naivePredicate(p model.MatchPredicate, v model.Value) bool {
	for _, e := range p {
		resolved := naivePath(e.Path, v)
		exists := e.Operators != nil && e.Operators.Exists != nil
		switch {
		case len(resolved) == 0:
			alone := exists && reflect.DeepEqual(*e.Operators, model.MatchCondition{Exists: e.Operators.Exists})
			if !alone || *e.Operators.Exists {
				return false
			}
		case exists && !*e.Operators.Exists:
			return false
		default:
			if condition, err := CompileCondition(revision.All[0], &e.Condition); err != nil || !condition.Match(resolved[0]) {
				return false
			}
		}
	}
	return true
}

func TestPredicateLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var p model.MatchPredicate
		for range rapid.IntRange(0, 12).Draw(t, "entries") {
			e := model.MatchEntry{Path: drawPath(t, []string{"a", "b", "c"})}
			if rapid.Bool().Draw(t, "bare") {
				e.Value = drawValue(t, 1)
			} else {
				e.Operators, _ = drawOperators(t)
			}
			p = append(p, e)
		}
		compiled, err := CompilePredicate(revision.All[0], p)
		if err != nil {
			t.Fatal(err)
		}
		v := drawValue(t, 3)
		if got, want := compiled.Match(v), naivePredicate(p, v); got != want {
			t.Fatalf("%s: %t", value.JSON(nil, v), got)
		}
	})
}

// TestLookupLaws resolves in an object that is large enough for an index.
func TestLookupLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var object model.Object
		for i := range rapid.IntRange(manyMembers-1, manyMembers+1).Draw(t, "members") {
			object = append(object, model.Member{Key: fmt.Sprint(i), Value: drawValue(t, 0)})
		}
		var l lookup
		v := model.Object{{Key: "a", Value: object}}
		for range rapid.IntRange(1, 4).Draw(t, "lookups") {
			path := fmt.Sprintf("a.%d", rapid.IntRange(0, manyMembers+2).Draw(t, "key"))
			got, found := l.resolve(path, v)
			want, wantFound := ResolveSimple(path, v)
			if found != wantFound || !reflect.DeepEqual(got, want) {
				t.Fatalf("%s: %v, %t", path, got, found)
			}
		}
	})
}

var naiveTemplate = regexp.MustCompile(`(?s)\\\{\{|\{\{(.*?)\}\}`)

// interpolateNaively reads a template with a regular expression.
func interpolateNaively(template string, in *Interpolation) (result string, unresolved int) {
	result = naiveTemplate.ReplaceAllStringFunc(template, func(found string) string {
		if found == `\{{` {
			return "{{"
		}
		reference := found[2 : len(found)-2]
		if text, ok := in.Extractors[reference]; ok {
			return text
		}
		for prefix, message := range map[string]*model.Value{"request.": in.Request, "response.": in.Response} {
			if path, names := strings.CutPrefix(reference, prefix); names && message != nil {
				if v, ok := ResolveSimple(path, *message); ok {
					return string(value.Text(nil, v))
				}
			}
		}
		unresolved++
		return ""
	})
	return result, unresolved
}

func drawInterpolation(t *rapid.T) *Interpolation {
	in := &Interpolation{Extractors: map[string]string{}}
	for _, name := range rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "one.a", "request.a", "{", ""}), 0, 4).Draw(t, "extractors") {
		in.Extractors[name] = drawTemplate(t)
	}
	for _, message := range []**model.Value{&in.Request, &in.Response} {
		if rapid.Bool().Draw(t, "is there") {
			v := drawValue(t, 2)
			*message = &v
		}
	}
	return in
}

func drawTemplate(t *rapid.T) string {
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{
		"{", "}", "{{", "}}", `\`, `\{{`, "a", "b", "{{a}}", "{{one.a}}", "{{request.a}}", "{{response.a.b}}", "{{request.}}", " ", "\n",
	}), 0, 8).Draw(t, "template"), "")
}

func TestTemplateLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in, template := drawInterpolation(t), drawTemplate(t)
		want, unresolved := interpolateNaively(template, in)
		if got := in.Template(template); got != want {
			t.Fatalf("%q becomes %q, expected %q", template, got, want)
		}
		if got := len(in.Diagnostics()); got != unresolved {
			t.Fatalf("%q: %d diagnostics, expected %d", template, got, unresolved)
		}
	})
}

// TestNothingIsChanged lets several goroutines use the same compiled forms and values, all
// of which are afterwards what they were, and have one answer.
func TestNothingIsChanged(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v, template := drawValue(t, 3), model.Object{{Key: "a", Value: drawTemplate(t)}, {Key: "b", Value: drawValue(t, 2)}}
		operators, _ := drawOperators(t)
		predicate, err := CompilePredicate(revision.All[0], model.MatchPredicate{{Path: "a", Condition: model.Condition{Operators: operators}}})
		if err != nil {
			t.Fatal(err)
		}
		path, err := CompilePath("a[*].b")
		if err != nil {
			t.Fatal(err)
		}
		extractor, err := CompileExtractor(&model.Extractor{Type: model.ExtractorJSONPath, Selector: "$..a[?@ != 1]"})
		if err != nil {
			t.Fatal(err)
		}
		event := "e"
		trigger, err := CompileTrigger(revision.All[0], &model.Trigger{Event: &event, Match: model.MatchPredicate{{Path: "a"}}})
		if err != nil {
			t.Fatal(err)
		}
		before := fmt.Sprintf("%#v %#v", v, template)
		answer := func() string {
			in := Interpolation{Request: &v, Extractors: map[string]string{"a": "{{b}}"}}
			text, found, err := extractor.Extract(v, "", func(int64) bool { return true })
			var state model.TriggerState
			return fmt.Sprint(predicate.Match(v), path.Values(v), text, found, err, in.Value(template), in.Diagnostics(),
				trigger.Evaluate(&model.ProtocolEvent{EventType: "e", Content: v}, time.Second, &state, "mcp"), state)
		}
		answers := make([]string, 3)
		var all sync.WaitGroup
		for i := range answers {
			all.Go(func() { answers[i] = answer() })
		}
		all.Wait()
		if after := fmt.Sprintf("%#v %#v", v, template); after != before {
			t.Fatalf("%s became %s", before, after)
		}
		if answers[0] != answers[1] || answers[0] != answers[2] {
			t.Fatalf("%q", answers)
		}
	})
}
