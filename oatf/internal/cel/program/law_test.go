package program

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/cel-go/common/containers"
	"github.com/google/cel-go/common/stdlib"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/interpreter"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/oatf/internal/cel"
	"github.com/cupel-dev/cupel/oatf/model"
)

// TestAdapterLaw holds that an expression gives of a message what the library, by itself and
// with a copy of the message in plain Go maps and slices, gives of it.
func TestAdapterLaw(t *testing.T) {
	library := newLibrary(t)
	answers := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		message := drawObject(3).Draw(t, "message")
		for range 5 { // most give that a key is absent
			expression := writer{t}.truth(4, []string{"message"})
			want := libraryAnswer(library.run(t, expression, plain(message)))
			p, err := Compile(expression, unlimited)
			var result Result
			if err == nil {
				result, err = p.Run(t.Context(), map[string]model.Value{"message": message})
			}
			got := ownAnswer(result, err)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("%s\n%v\n%s", expression, message, diff)
			}
			answers[fmt.Sprint(got)]++
		}
	})
	for _, usual := range []string{"true", "false", "absent", "error"} {
		if answers[usual] == 0 {
			t.Errorf("no expression gives %s: %v", usual, answers)
		}
	}
}

// library is the library without anything of ours: no nodes, no adapter, no limits.
type library struct{ interpreter.Interpreter }

func newLibrary(t testing.TB) library {
	registry, err := types.NewRegistry()
	if err != nil {
		t.Fatal(err)
	}
	dispatcher := interpreter.NewDispatcher()
	for _, f := range stdlib.Functions() {
		overloads, err := f.Bindings()
		if err == nil {
			err = dispatcher.Add(overloads...)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	attributes := interpreter.NewAttributeFactory(containers.DefaultContainer, registry, registry)
	return library{interpreter.NewInterpreter(dispatcher, containers.DefaultContainer, registry, registry, attributes)}
}

func (l library) run(t *rapid.T, expression string, message any) ref.Val {
	tree, err := cel.Parse(expression)
	if err != nil {
		t.Fatalf("%s: %v", expression, err)
	}
	plan, err := l.NewInterpretable(tree)
	if err != nil {
		return types.WrapErr(err)
	}
	frame, err := interpreter.NewExecutionFrame(map[string]any{"message": message})
	if err != nil {
		t.Fatal(err)
	}
	defer frame.Close()
	return plan.Exec(frame)
}

// libraryAnswer is what the library gives; of its errors, only whether a key is absent.
func libraryAnswer(v ref.Val) any {
	if fault, ok := v.(*types.Err); ok {
		if _, absent := absentKey(fault); absent {
			return "absent"
		}
		return "error"
	}
	return resultOf(v).Value
}

func ownAnswer(result Result, err error) any {
	switch {
	case err != nil:
		return "error"
	case result.Absent:
		return "absent"
	}
	return result.Value
}

// plain copies a value into Go's maps and slices, with numbers as Go has them.
func plain(v model.Value) any {
	switch v := v.(type) {
	case model.Number:
		return number(v).Value()
	case []model.Value:
		out := make([]any, len(v))
		for i := range v {
			out[i] = plain(v[i])
		}
		return out
	case model.Object:
		out := map[string]any{}
		for _, m := range v {
			out[m.Key] = plain(m.Value)
		}
		return out
	}
	return v
}

// The keys of the messages determine the kind of their values, so loops go over lists alone: the order of a Go map is
// not that of an Object.
var (
	scalarKeys = []string{"a", "b", "type", ""}
	listKeys   = []string{"l", "items"}
	objectKeys = []string{"o", "params"}
)

func drawObject(depth int) *rapid.Generator[model.Object] {
	return rapid.Custom(func(t *rapid.T) model.Object {
		var o model.Object
		for _, key := range rapid.Permutation(append(append(append([]string{}, scalarKeys...), listKeys...), objectKeys...)).Draw(t, "keys") {
			if rapid.IntRange(0, 2).Draw(t, "has") == 0 {
				continue
			}
			o = append(o, model.Member{Key: key, Value: drawFor(key, depth).Draw(t, key)})
		}
		return o
	})
}

func drawFor(key string, depth int) *rapid.Generator[model.Value] {
	switch {
	case contains(listKeys, key):
		return rapid.Map(rapid.SliceOfN(drawValue(depth-1), 0, 4), func(l []model.Value) model.Value { return l })
	case contains(objectKeys, key) && depth > 0:
		return rapid.Map(drawObject(depth-1), func(o model.Object) model.Value { return o })
	}
	return drawScalar()
}

func contains(list []string, key string) bool {
	for _, x := range list {
		if x == key {
			return true
		}
	}
	return false
}

func drawValue(depth int) *rapid.Generator[model.Value] {
	if depth <= 0 {
		return drawScalar()
	}
	return rapid.OneOf(
		drawScalar(),
		drawFor("l", depth),
		drawFor("o", depth),
	)
}

func drawScalar() *rapid.Generator[model.Value] {
	return rapid.OneOf(
		rapid.SampledFrom([]model.Value{nil, true, false, "", "a", "b", "type"}),
		rapid.Map(rapid.SampledFrom([]string{
			"0", "1", "2", "-1", "1.0", "2.5", "1e0", "9007199254740993", "9223372036854775807", "9223372036854775808", "18446744073709551615",
			"18446744073709551616", "1e400", "-1e400", ".nan", "-0", "-0.0",
		}), func(s string) model.Value { return model.Number(s) }),
	)
}

// writer writes random expressions. names are those that it may use.
type writer struct{ *rapid.T }

func (w writer) pick(list ...string) string { return rapid.SampledFrom(list).Draw(w.T, "pick") }

func (w writer) choose(n int) int { return rapid.IntRange(0, n-1).Draw(w.T, "choice") }

// path selects from one of the names.
func (w writer) path(names []string) string {
	path := w.pick(names...)
	for range w.choose(3) {
		path += w.pick(".a", ".b", ".type", ".l", ".items", ".o", ".params", "['']", "['a']", "[0]", "[1]", "[-1]", "[1u]", "[0.0]", "[null]", "[true]")
	}
	return path
}

// looped are lists.
func (w writer) looped(names []string) string {
	return w.pick(names...) + w.pick(".l", ".items", ".o.l", ".params.items", ".l + [1, 'a']", ".l.filter(z, z != 1)")
}

// truth returns an expression that usually gives a boolean.
func (w writer) truth(depth int, names []string) string {
	if depth == 0 {
		return w.pick("true", "false", w.path(names))
	}
	value := func() string { return w.value(depth-1, names) }
	truth := func() string { return w.truth(depth-1, names) }
	inner := append(append([]string{}, names...), fmt.Sprintf("x%d", depth))
	loop := func(macro string) string {
		return fmt.Sprintf("(%s).%s(x%d, %s)", w.looped(names), macro, depth, w.truth(depth-1, inner))
	}
	switch w.choose(13) {
	case 0, 1:
		return fmt.Sprintf("%s %s %s", value(), w.pick("==", "!=", "<", "<=", ">", ">="), value())
	case 2:
		return fmt.Sprintf("(%s && %s)", truth(), truth())
	case 3:
		return fmt.Sprintf("(%s || %s)", truth(), truth())
	case 4:
		return "!(" + truth() + ")"
	case 5:
		return fmt.Sprintf("has(%s.%s)", w.path(names), w.pick("a", "l", "o", "type"))
	case 6:
		return fmt.Sprintf("%s in %s", value(), w.path(names))
	case 7:
		return loop("exists")
	case 8:
		return loop("all")
	case 9:
		return loop("exists_one")
	case 10:
		return fmt.Sprintf("(%s ? %s : %s)", truth(), truth(), truth())
	case 11:
		return fmt.Sprintf("%s.%s(%s)", w.path(names), w.pick("contains", "startsWith", "endsWith", "matches"), value())
	default:
		return fmt.Sprintf("type(%s) == %s", value(), w.pick("int", "uint", "double", "string", "bool", "list", "map", "null_type", "type("+value()+")"))
	}
}

// value returns an expression that gives anything.
func (w writer) value(depth int, names []string) string {
	if depth <= 0 {
		return w.pick("1", "0", "-1", "1u", "1.0", "2.5", "'a'", "''", "null", "true", "[1, 'a']", "{'a': 1}", w.path(names), w.path(names))
	}
	inner := append(append([]string{}, names...), fmt.Sprintf("y%d", depth))
	switch w.choose(8) {
	case 0:
		return fmt.Sprintf("(%s %s %s)", w.value(depth-1, names), w.pick("+", "-", "*", "/", "%"), w.value(depth-1, names))
	case 1:
		return fmt.Sprintf("(%s).map(y%d, %s)", w.looped(names), depth, w.value(depth-1, inner))
	case 2:
		return fmt.Sprintf("(%s).filter(y%d, %s)", w.looped(names), depth, w.truth(depth-1, inner))
	case 3:
		return fmt.Sprintf("[%s, %s]", w.value(depth-1, names), w.value(depth-1, names))
	case 4:
		return fmt.Sprintf("{'a': %s}", w.value(depth-1, names))
	case 5:
		return fmt.Sprintf("%s(%s)", w.pick("size", "string", "int", "double", "dyn"), w.value(depth-1, names))
	case 6:
		return fmt.Sprintf("%s[%s]", w.path(names), w.value(depth-1, names))
	default:
		return strings.TrimSpace(w.path(names))
	}
}
