package attest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/attest/internal/attesttest"
)

// The folders of the cases.
const (
	evaluateCases = "../testdata/attest/evaluate/"
	validateCases = "../testdata/attest/validate/"
)

// evalCase is a line of a case file. UPDATE_CASES=1 writes what the engine answers.
type evalCase struct{ attesttest.Case }

func engineFor(o *attesttest.Options) *attest.Engine {
	if o == nil {
		o = &attesttest.Options{}
	}
	return attest.NewEngine(attest.Options{Lax: o.Lax, AssertionErrorsAsResults: o.AssertionErrorsAsResults})
}

func TestEvaluate(t *testing.T) {
	total := 0
	for _, path := range attesttest.Files(t, os.DirFS(evaluateCases), "*.jsonl") {
		t.Run(path, func(t *testing.T) {
			lines := readCases(t, evaluateCases, path)
			var trace json.RawMessage
			for i := range lines {
				c := &lines[i]
				if c.Case.Case == "" {
					trace = c.Trace
					continue
				}
				total++
				t.Run(c.Case.Case, func(t *testing.T) { checkCase(t, c, c.run(trace)) })
			}
			update(t, evaluateCases+path, lines)
		})
	}
	if total == 0 {
		t.Fatal("no cases")
	}
	t.Logf("%d cases", total)
}

// run evaluates a case and returns what it wants to be compared with.
func (c *evalCase) run(trace json.RawMessage) json.RawMessage {
	params := c.Params
	if params == nil {
		params = join(`{"trace":`, trace, `,"assertions":[{"assertion_id":"a1","type":"`, c.Type, `","spec":`, c.Spec, `}]}`)
	}
	answer, err := engineFor(c.Options).EvaluateBatch(context.Background(), params)
	if err != nil {
		return join(`{"error":`, protocolError(err).AppendJSON(nil), `}`)
	}
	if c.Params != nil {
		return answer
	}
	var batch struct {
		Results []struct {
			Status      string          `json:"status"`
			Score       json.RawMessage `json:"score"`
			Explanation string          `json:"explanation"`
			Node        string          `json:"trace_node_path,omitempty"`
			Expected    string          `json:"expected,omitempty"`
			Actual      string          `json:"actual,omitempty"`
			Action      string          `json:"suggested_action,omitempty"`
		} `json:"results"`
	}
	if err := json.Unmarshal(answer, &batch); err != nil || len(batch.Results) != 1 {
		return join(`{"unreadable":`, string(answer), `}`)
	}
	return encode(batch.Results[0])
}

// checkCase compares, or notes the answer when cases are updated.
func checkCase(t *testing.T, c *evalCase, got json.RawMessage) {
	t.Helper()
	if updating() {
		c.Want = got
		return
	}
	if diff := cmp.Diff(normal(t, c.Want), normal(t, got)); diff != "" {
		t.Errorf("want (-) and got (+) differ:\n%s", diff)
	}
}

// normal decodes JSON without its times, which differ from run to run.
func normal(t *testing.T, raw json.RawMessage) any {
	t.Helper()
	var v any
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber() // 1.0 and 1 are not the same text
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%v in %s", err, raw)
	}
	withoutTimes(v)
	return v
}

func withoutTimes(v any) {
	switch v := v.(type) {
	case map[string]any:
		for _, name := range []string{"duration_ms", "total_duration_ms"} {
			if _, ok := v[name].(json.Number); ok {
				v[name] = "any"
			}
		}
		for _, member := range v {
			withoutTimes(member)
		}
	case []any:
		for _, element := range v {
			withoutTimes(element)
		}
	}
}

func readCases(t *testing.T, folder, file string) (list []evalCase) {
	t.Helper()
	for _, c := range attesttest.Read(t, os.DirFS(folder), file) {
		list = append(list, evalCase{c})
	}
	return list
}

func updating() bool { return os.Getenv("UPDATE_CASES") != "" }

func update(t *testing.T, path string, list []evalCase) {
	t.Helper()
	if !updating() {
		return
	}
	var b bytes.Buffer
	for _, c := range list {
		b.Write(encode(c))
		b.WriteByte('\n')
	}
	if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

func encode(v any) json.RawMessage {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err)
	}
	return bytes.TrimSpace(b.Bytes())
}

func join(parts ...any) json.RawMessage {
	var b bytes.Buffer
	for _, part := range parts {
		switch part := part.(type) {
		case string:
			b.WriteString(part)
		case json.RawMessage:
			b.Write(part)
		case []byte:
			b.Write(part)
		}
	}
	return b.Bytes()
}

// protocolError returns the protocol's error in err, or nil.
func protocolError(err error) (e *attest.Error) {
	errors.As(err, &e)
	return e
}
