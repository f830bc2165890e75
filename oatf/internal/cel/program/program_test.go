package program

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"os"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/oatf/model"
)

// unlimited is a cost that no test of answers reaches.
const unlimited = 1 << 40

// variables are what the cases see.
func variables() map[string]model.Value {
	title := func(t string) model.Value { return model.Object{{Key: "title", Value: t}} }
	one, two := model.Number("1"), model.Number("2")
	return map[string]model.Value{
		"variable": nil,
		"other":    "value",
		"message": model.Object{
			{Key: "n", Value: model.Number("5")},
			{Key: "whole", Value: model.Number("5.0")},
			{Key: "half", Value: model.Number("5e-1")},
			{Key: "big", Value: model.Number("9007199254740993")},
			{Key: "max", Value: model.Number("9223372036854775807")},
			{Key: "beyond", Value: model.Number("18446744073709551615")},
			{Key: "huge", Value: model.Number("1e400")},
			{Key: "text", Value: "text"},
			{Key: "pattern", Value: "[w-y]t$"},
			{Key: "nothing", Value: nil},
			{Key: "list", Value: []model.Value{one, "a", nil}},
			{Key: "tools", Value: []model.Value{model.Object{}, title("a"), title("b")}},
			{Key: "o", Value: model.Object{{Key: "k", Value: true}}},
			{Key: "nested", Value: model.Object{{Key: "l", Value: []model.Value{model.Object{{Key: "m", Value: []model.Value{one, two}}}}}}},
		},
	}
}

// answer is what an expression gives, in one line.
func answer(t *testing.T, expression string, limit uint64, variables map[string]model.Value) string {
	t.Helper()
	p, err := Compile(expression, limit)
	var result Result
	if err == nil {
		result, err = p.Run(context.Background(), variables)
	}
	var fault *model.EvaluationError
	switch {
	case errors.As(err, &fault):
		return string(fault.Kind) + ": " + fault.Message
	case err != nil:
		t.Fatalf("%s: %v is no EvaluationError", expression, err)
	case result.Absent && (result.Key == "" || strings.Contains(result.Key, " ")):
		return "absent " + say.Quoted(result.Key)
	case result.Absent:
		return "absent " + result.Key
	case !result.Whole:
		return "type_error: " + result.Type
	}
	return shown(t, result.Value)
}

func shown(t *testing.T, v model.Value) string {
	switch v := v.(type) {
	case model.Number:
		return string(v)
	case []model.Value:
		parts := []string{}
		for _, x := range v {
			parts = append(parts, shown(t, x))
		}
		return "[" + strings.Join(parts, ",") + "]"
	case model.Object:
		parts := []string{}
		for _, m := range v {
			parts = append(parts, shown(t, m.Key)+":"+shown(t, m.Value))
		}
		return "{" + strings.Join(parts, ",") + "}"
	}
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestCases(t *testing.T) {
	cases := 0
	for expression, want := range eachCase(t) {
		cases++
		if got := answer(t, expression, unlimited, variables()); got != want {
			t.Errorf("%s\n got %s\nwant %s", expression, got, want)
		}
	}
	if cases == 0 {
		t.Fatal("no cases")
	}
}

// eachCase goes over testdata/cases.txt: an expression, and what it gives.
func eachCase(t testing.TB) iter.Seq2[string, string] {
	t.Helper()
	text, err := os.ReadFile("testdata/cases.txt")
	if err != nil {
		t.Fatal(err)
	}
	return func(yield func(expression, want string) bool) {
		for line := range strings.Lines(string(text)) {
			line = strings.TrimSpace(line)
			if line == "" || strings.HasPrefix(line, "#") {
				continue
			}
			expression, want, ok := strings.Cut(line, " => ")
			if !ok {
				t.Fatalf("no answer in %q", line)
			}
			if !yield(expression, want) {
				return
			}
		}
	}
}

// FuzzProgram holds that any text ends in an answer or in an error of a kind that
// evaluation has, and that an answer is the same each time.
func FuzzProgram(f *testing.F) {
	for expression := range eachCase(f) {
		f.Add(expression)
	}
	vars := variables()
	f.Fuzz(func(t *testing.T, expression string) {
		first := answer(t, expression, smallCost, vars)
		if again := answer(t, expression, smallCost, vars); again != first {
			t.Errorf("%q gives %s, and then %s", expression, first, again)
		}
	})
}
