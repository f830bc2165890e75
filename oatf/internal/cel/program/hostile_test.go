package program

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/oatf/model"
)

// smallCost is a fiftieth of the limit that the default evaluator has.
const smallCost = 20_000

// hostileMessage has a list of 10,000 elements, a long text and a deep value.
func hostileMessage() map[string]model.Value {
	items := make([]model.Value, 10_000)
	for i := range items {
		items[i] = model.Number("7")
	}
	var deep model.Value = "end"
	for range 10_000 {
		deep = []model.Value{deep}
	}
	return map[string]model.Value{"message": model.Object{
		{Key: "items", Value: items},
		{Key: "zero", Value: model.Number("0")},
		{Key: "long", Value: strings.Repeat("a", 1<<16)},
		{Key: "deep", Value: deep},
		{Key: "digits", Value: model.Number(strings.Repeat("9", 1<<16))},
	}}
}

// TestCostEnds holds that what takes too long, or swells, ends at the limit of cost: the
// same on every machine.
func TestCostEnds(t *testing.T) {
	vars := hostileMessage()
	for name, expression := range map[string]string{
		"loops in loops":      "message.items.all(a, message.items.all(b, message.items.all(c, a + b + c > 0)))",
		"lists in loops":      "message.items.map(a, message.items.map(b, message.items)).size() > 0",
		"membership":          "message.items.all(a, !(8 in message.items))",
		"equality":            "message.items.all(a, message.items == message.items)",
		"text in loops":       "message.items.all(a, message.long.contains('b') || true)",
		"doubled text":        "['ab']" + strings.Repeat(".map(x, x + x)", 90) + ".size() == 1",
		"long text":           strings.Repeat("message.long + ", 90) + "'' == ''",
		"regex in loops":      "message.items.all(a, !message.long.matches('(a|b)*c'))",
		"conversion in loops": "message.items.all(a, bytes(message.long) != b'')",
	} {
		p, err := Compile(expression, smallCost)
		if err == nil {
			_, err = p.Run(t.Context(), vars)
		}
		if !errors.Is(err, ErrCost) {
			t.Errorf("%s: %v, expected the limit of cost", name, err)
		}
	}
}

// TestInterruption holds that a context that is done ends what costs little for its time,
// and has no end of its own. The context ends in the middle: when the message is looked up.
func TestInterruption(t *testing.T) {
	graph := "[[1]]" + strings.Repeat(".map(x, [x, x])", 90)
	for name, expression := range map[string]string{
		"equal graphs":     "[" + graph + ", 0] == [" + graph + ", message.zero]",
		"unequal graphs":   "[" + graph + ", 0] != [" + graph + ", message.zero]",
		"graph in a list":  "[" + graph + ", 0] in [[" + graph + ", message.zero]]",
		"graph in maps":    "{'a': " + graph + ", 'b': 0} == {'a': " + graph + ", 'b': message.zero}",
		"loops":            "message.items.all(a, message.items.all(b, message.items.all(c, a + b + c > 0)))",
		"loops of nothing": "message.items.all(a, message.items.all(b, message.items.all(c, message.items.all(d, true))))",
		"regex":            "message.long.matches('(a?){900}(a*a*a*a*)*$x')",
	} {
		p, err := Compile(expression, unlimited)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		ctx, cancel := context.WithCancelCause(t.Context())
		message := hostileMessage()["message"]
		_, err = p.Run(ctx, map[string]model.Value{"message": func() any {
			cancel(errEnough)
			return message
		}})
		var fault *model.EvaluationError
		if !errors.As(err, &fault) || fault.Kind != model.EvaluationCELError || !errors.Is(err, errEnough) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

var errEnough = errors.New("enough")

// TestHostile says what becomes of messages and expressions that are large or deep.
func TestHostile(t *testing.T) {
	vars := hostileMessage()
	for expression, want := range map[string]string{
		"message.long.contains('b')":                                        "false",
		"message.long.startsWith('b')":                                      "false",
		"message.long.endsWith('ab')":                                       "false",
		"message.long.matches('ab')":                                        "false",
		"size(message.long) == 65536":                                       "true",
		"message.long == message.long":                                      "true",
		"message.items == message.items":                                    "true",
		"message.deep == message.deep":                                      "true",
		"message.deep in [message.deep]":                                    "true",
		"message.digits > 1.0":                                              "true",
		"message.deep" + strings.Repeat("[0]", 90) + " == 1":                "false",
		"message.items[9999999999] == 1":                                    "cel_error: index out of bounds: 9999999999",
		"message.long[0] == 'a'":                                            "absent 0",
		"timestamp(message.long) == timestamp(0)":                           "cel_error: invalid RFC 3339 timestamp …",
		"duration(message.long) == duration('1s')":                          "cel_error: type conversion error from 'string' to 'google.protobuf.Duration'",
		"message[message.long] == 1":                                        "absent " + strings.Repeat("a", 1<<16),
		"[[1]]" + strings.Repeat(".map(x, x + x)", 90) + "[0].size() == 1":  "cel_error: the CEL library failed: interface conversion: ref.Val is *types.Err, not types.Int",
		"message.long.matches(message.long)":                                "cel_error: the regular expression has 65536 bytes, more than 16384",
		strings.Repeat("(", 200) + "1" + strings.Repeat(")", 200) + " == 1": "cel_error: invalid CEL: expression recursion limit exceeded: 100",
	} {
		got := answer(t, expression, smallCost, vars)
		if begin, cut := strings.CutSuffix(want, "…"); got != want && !(cut && strings.HasPrefix(got, begin)) {
			t.Errorf("%.60s\n got %.200s\nwant %.200s", expression, got, want)
		}
	}
}
