package importer_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/attest/importer"
)

// spanLine returns an export of one span, without its line end.
func spanLine(trace, id, parent int, operation, attributes string) string {
	return fmt.Sprintf(`{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"%032x","spanId":"%016x","parentSpanId":"%016x","name":"x","startTimeUnixNano":"%d","attributes":[{"key":"gen_ai.operation.name","value":{"stringValue":%q}}%s]}]}]}]}`,
		trace, id, parent, id, operation, attributes)
}

// TestLimits: what is too much is refused with the limit's name and in a place, whatever
// makes it too much.
func TestLimits(t *testing.T) {
	small := attest.Limits{Steps: 3, Values: 400, TraceBytes: 4000, SubTraceDepth: 2}
	call := `{"role":"assistant","content":"","tool_calls":[{"id":"a","function":{"name":"f"}},{"id":"b","function":{"name":"f"}},{"id":"c","function":{"name":"f"}}]}`
	for name, c := range map[string]struct{ input, want string }{
		"steps of a conversation": {`{"messages":[` + call + `]}`, "trace exceeds max steps: more than 3"},
		"answers": {
			`{"messages":[` + strings.Repeat(`{"role":"assistant","content":"x"},`, 9) + `{"role":"assistant","content":"x"}]}`,
			"trace exceeds max steps: more than 3",
		},
		"bytes of a value":      {`{"messages":[{"role":"user","content":"` + strings.Repeat("x", 70_000) + `"}]}`, "trace exceeds max size"},
		"bytes that are made":   {`{"messages":[{"role":"user","content":"` + strings.Repeat("x", 3000) + `"},{"role":"assistant","content":"y"}]}`, "trace exceeds max size: 4001 > 4000 bytes"},
		"values of a value":     {`{"messages":[{"role":"user","content":[` + strings.Repeat("0,", 400) + `0]}]}`, "the value takes the request beyond 400 JSON values"},
		"steps of spans":        {spanLines(5, "chat", 0), "trace exceeds max steps: 5 > 3"},
		"agents in each other":  {spanLines(6, "invoke_agent", 1) + busy(6), "trace nesting depth 3 exceeds maximum 2"},
		"values inside strings": {spanLine(1, 1, 0, "chat", `,{"key":"gen_ai.input.messages","value":{"stringValue":"[`+strings.Repeat("0,", 300)+`0]"}},{"key":"gen_ai.output.messages","value":{"stringValue":"[`+strings.Repeat("0,", 300)+`0]"}}`), "the spans have more than 400 JSON values"},
	} {
		engine := attest.NewEngine(attest.Options{Limits: small})
		said := 0
		for trace, err := range importer.Traces(engine, strings.NewReader(c.input), importer.Options{}) {
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			refused := trace.Refused
			if refused == nil {
				refused, _ = errors.AsType[*attest.Error](engine.ValidateText(trace.TraceText))
			}
			if refused == nil || !strings.Contains(refused.Message, c.want) {
				t.Fatalf("%s: %+v, expected %q", name, refused, c.want)
			}
			if f := trace.Finding("x", refused); f.Line < 1 || f.Column < 1 {
				t.Errorf("%s: no place: %+v", name, f)
			}
			said++
		}
		if said != 1 {
			t.Errorf("%s: %d answers", name, said)
		}
	}
}

// spanLines returns n spans of one trace. The parent of each is the span whose number is less by step, if any.
func spanLines(n int, operation string, step int) string {
	var lines strings.Builder
	for i := range n {
		parent := 0
		if step > 0 {
			parent = i
		}
		lines.WriteString(spanLine(1, i+1, parent, operation, "") + "\n")
	}
	return lines.String()
}

// endless repeats a line without end.
type endless struct {
	line []byte
	at   int
}

func (e *endless) Read(p []byte) (n int, err error) {
	for n < len(p) {
		copied := copy(p[n:], e.line[e.at:])
		n, e.at = n+copied, (e.at+copied)%len(e.line)
	}
	return n, nil
}

// TestEndlessSpans: an input of spans that never ends is given up when more than the limit
// would have to be held; values without spans are not held at all.
func TestEndlessSpans(t *testing.T) {
	engine := attest.NewEngine(attest.Options{})
	input := io.MultiReader(
		strings.NewReader(strings.Repeat(`{"resourceSpans":[]}`+"\n", 1000)),
		&endless{line: []byte(spanLine(1, 1, 0, "chat", "") + "\n")})
	var last error
	for _, err := range importer.Traces(engine, input, importer.Options{Held: 10_000}) {
		last = err
	}
	if last == nil || !strings.Contains(last.Error(), "more than 10000 bytes") {
		t.Errorf("%v", last)
	}
}

// TestManySpans puts 20,000 spans of 40 traces together that come in the worst order.
func TestManySpans(t *testing.T) {
	const traces, each = 40, 500
	var input bytes.Buffer
	for i := each; i > 0; i-- {
		for trace := traces; trace > 0; trace-- {
			operation, parent := "execute_tool", 1
			if i == 1 {
				operation, parent = "invoke_agent", 0
			}
			input.WriteString(spanLine(trace, i, parent, operation, "") + "\n")
		}
	}
	made, err := imported("x.jsonl", input.Bytes(), importer.OTel)
	if err != nil || len(made) != traces {
		t.Fatalf("%d traces, %v", len(made), err)
	}
	for i, trace := range made {
		steps := bytes.Count(trace.Raw, []byte(`"type":"tool_call"`))
		if want := fmt.Sprintf("#%032x", i+1); trace.Label != want || steps != each-1 || trace.Refused != nil {
			t.Errorf("trace %d: %s, expected %s, %d steps of %d, %v", i, trace.Label, want, steps, each-1, trace.Refused)
		}
	}
}

// busy gives each of some agents an answer of a model: an agent that only calls another is skipped.
func busy(agents int) string {
	var b strings.Builder
	for i := range agents {
		b.WriteString(spanLine(1, 100+i, i+1, "chat", "") + "\n")
	}
	return b.String()
}
