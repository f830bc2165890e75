package importer_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/attest/importer"
)

// claudeSession returns a session of Claude Code: turns of a prompt, a call, its result and an answer.
func claudeSession(turns int) (lines []string) {
	n := 0
	add := func(typ, message string) {
		parent := "null"
		if n > 0 {
			parent = fmt.Sprintf(`"u%d"`, n-1)
		}
		lines = append(lines, fmt.Sprintf(`{"parentUuid":%s,"isSidechain":false,"sessionId":"s","type":%q,"message":%s,"uuid":"u%d","timestamp":"2026-05-01T10:00:%02d.000Z"}`, parent, typ, message, n, n))
		n++
	}
	for i := range turns {
		add("user", fmt.Sprintf(`{"role":"user","content":"question %d"}`, i))
		add("assistant", fmt.Sprintf(`{"id":"m%da","role":"assistant","model":"m","content":[{"type":"tool_use","id":"t%d","name":"Bash","input":{"command":"rm %d"}}],"usage":{"input_tokens":1,"output_tokens":2}}`, i, i, i))
		add("user", fmt.Sprintf(`{"role":"user","content":[{"type":"tool_result","tool_use_id":"t%d","content":"result %d"}]}`, i, i))
		add("assistant", fmt.Sprintf(`{"id":"m%db","role":"assistant","model":"m","content":[{"type":"text","text":"answer %d"}],"usage":{"input_tokens":10,"output_tokens":20}}`, i, i))
	}
	return lines
}

func importOne(t interface{ Fatal(...any) }, text string) (got importer.Trace) {
	for made, err := range importer.Traces(attest.NewEngine(attest.Options{}), strings.NewReader(text), importer.Options{From: importer.Auto}) {
		if err != nil {
			t.Fatal(err)
		}
		got = made
	}
	return got
}

// TestAgentTrace holds what is made of a session.
func TestAgentTrace(t *testing.T) {
	made := importOne(t, strings.Join(claudeSession(2), "\n")+"\n")
	if made.From != "claude-code" || made.Refused != nil {
		t.Fatalf("%s, %v", made.From, made.Refused)
	}
	var trace struct {
		ID    string `json:"trace_id"`
		Input struct {
			Message string `json:"user_message"`
		}
		Steps []struct {
			Type, Name string
			Args       map[string]any
			Result     map[string]any
		}
		Output   struct{ Message string }
		Metadata struct {
			Tokens int `json:"total_tokens"`
		}
	}
	if err := json.Unmarshal(made.Raw, &trace); err != nil {
		t.Fatal(err)
	}
	var types []string
	for _, s := range trace.Steps {
		types = append(types, s.Type)
	}
	if want := []string{"llm_call", "tool_call", "llm_call", "llm_call", "tool_call", "llm_call"}; !slices.Equal(types, want) {
		t.Errorf("steps %v, want %v", types, want)
	}
	if call := trace.Steps[4]; call.Name != "Bash" || call.Args["command"] != "rm 1" || call.Result["content"] != "result 1" {
		t.Errorf("call %+v", call)
	}
	if trace.ID != "s" || trace.Input.Message != "question 0" || trace.Output.Message != "answer 1" || trace.Metadata.Tokens != 66 {
		t.Errorf("%+v", trace)
	}
	at := strings.Index(string(made.Raw), `"result 1"`)
	if got := made.Origin.Pointer(at); got != "/6/message/content/0/content" {
		t.Errorf("pointer %s", got)
	}
	if _, line, _ := made.Origin.Place(at); line != 7 {
		t.Errorf("line %d", line)
	}
}

// TestMissingRecordRefuses holds that no assertion can be answered about a session with a record
// deleted or broken, unless the last records are gone, which nothing in a file shows.
func TestMissingRecordRefuses(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := claudeSession(3)
		at := rapid.IntRange(0, len(lines)-2).Draw(t, "at")
		if rapid.Bool().Draw(t, "broken") {
			lines[at] = lines[at][:len(lines[at])/2]
		} else {
			lines = slices.Delete(lines, at, at+1)
		}
		if made := importOne(t, strings.Join(lines, "\n")+"\n"); made.Refused == nil {
			t.Fatalf("line %d is missing, and nothing is refused", at+1)
		}
	})
}

// TestSamplesOfInspect holds that each sample of a log is a trace of its own, with its own prompt
// and tokens.
func TestSamplesOfInspect(t *testing.T) {
	sample := func(i int) string {
		return fmt.Sprintf(`{"id":%d,"epoch":1,"uuid":"s%d","messages":[{"role":"user","content":"question %d"},{"role":"assistant","content":"answer %d"},`+
			`{"role":"user","content":"more"},{"role":"assistant","content":"end %d"}],"model_usage":{"m":{"input_tokens":%d,"output_tokens":1,"total_tokens":%d}}}`, i, i, i, i, i, i, i+1)
	}
	log := `{"version":2,"status":"success","eval":{"eval_id":"e","run_id":"r","model":"m"},"plan":{},"samples":[` + sample(1) + "," + sample(2) + `]}`
	n := 0
	for made, err := range importer.Traces(attest.NewEngine(attest.Options{}), strings.NewReader(log), importer.Options{From: importer.Auto}) {
		if err != nil {
			t.Fatal(err)
		}
		n++
		var trace struct {
			ID    string `json:"trace_id"`
			Input struct {
				Message string `json:"user_message"`
			}
			Steps    []any
			Metadata struct {
				Tokens int `json:"total_tokens"`
			}
		}
		if err := json.Unmarshal(made.Raw, &trace); err != nil {
			t.Fatal(err)
		}
		if trace.ID != fmt.Sprint("s", n) || trace.Input.Message != fmt.Sprint("question ", n) || len(trace.Steps) != 2 || trace.Metadata.Tokens != n+1 || made.Refused != nil {
			t.Errorf("sample %d: %s, refused %v", n, made.Raw, made.Refused)
		}
	}
	if n != 2 {
		t.Errorf("%d traces, expected 2", n)
	}
}
