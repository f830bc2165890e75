package copying

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/internal/cite"
	"github.com/cupel-dev/cupel/internal/digest"
)

func sourceOf(text string) Source {
	return Source{Text: strings.NewReader(text), Size: int64(len(text)), Sum: digest.Of([]byte(text)), Path: "s"}
}

// eventsOf returns the events of a transcript, each as its type and the marks that it has.
func eventsOf(t *testing.T, text string) (list []string, counts Counts) {
	t.Helper()
	s := sourceOf(text)
	v, err := Look(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	for e, err := range Events(t.Context(), s, v, &counts) {
		if err != nil {
			t.Fatal(err)
		}
		line := e.Type
		for _, mark := range []string{
			"abandoned", "subagent", "copied", "rewinds_to", "undoes_turns", "replaces_history", "unfinished", "truncated",
			"is_error", "rule",
		} {
			if strings.Contains(e.Payload(), `"`+mark+`":`) {
				line += " " + mark
			}
		}
		list = append(list, line)
	}
	return list, counts
}

const claude = `{"type":"%s","uuid":"%s","parentUuid":%s,"sessionId":"s1","timestamp":"2026-05-01T10:00:00.000Z"%s,` +
	`"message":{"role":"%[1]s","id":"%[2]s","model":"m","content":%[5]s}}` + "\n"

func claudeText(records ...[5]string) string {
	var b strings.Builder
	for _, r := range records {
		fmt.Fprintf(&b, claude, r[0], r[1], r[2], r[3], r[4])
	}
	return b.String()
}

const gemini = `{"sessionId":"g","projectHash":"p","startTime":"2026-05-01T10:00:00.000Z"}
{"id":"1","timestamp":"2026-05-01T10:00:01.000Z","type":"user","content":"a"}
{"id":"2","timestamp":"2026-05-01T10:00:02.000Z","type":"gemini","model":"m","content":"","toolCalls":[{"id":"c","name":"ls","args":{},"status":"executing"}]}
{"id":"2","timestamp":"2026-05-01T10:00:02.000Z","type":"gemini","model":"m","content":"","toolCalls":[{"id":"c","name":"ls","args":{},"status":"success","result":[{"functionResponse":{"id":"c","response":{"output":"x"}}}]}]}
`

// TestMarks makes events of sessions with branches, subagents, forks and changes of earlier messages.
func TestMarks(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"a branch that the user left": {
			claudeText(
				[5]string{"user", "u1", "null", "", `"first"`}, [5]string{"assistant", "a1", `"u1"`, "", `[{"type":"text","text":"x"}]`},
				[5]string{"user", "u2", "null", "", `"second"`}, [5]string{"assistant", "a2", `"u2"`, "", `[{"type":"text","text":"y"}]`},
				[5]string{"user", "u3", `"a2"`, "", `"left"`}, [5]string{"assistant", "a3", `"u3"`, "", `[{"type":"text","text":"z"}]`},
				[5]string{"user", "u4", `"a2"`, "", `"kept"`},
			),
			"LLM_CALL, LLM_RESPONSE, LLM_CALL, LLM_RESPONSE, LLM_CALL abandoned, LLM_RESPONSE abandoned, LLM_CALL",
		},
		"parallel calls are not branches": {
			claudeText(
				[5]string{"user", "u1", "null", "", `"go"`},
				[5]string{"assistant", "a1", `"u1"`, "", `[{"type":"tool_use","id":"t1","name":"A","input":{}}]`},
				[5]string{"assistant", "a2", `"a1"`, "", `[{"type":"tool_use","id":"t2","name":"B","input":{}}]`},
				[5]string{"user", "r1", `"a1"`, "", `[{"type":"tool_result","tool_use_id":"t1","content":"x"}]`},
				[5]string{"user", "r2", `"a2"`, "", `[{"type":"tool_result","tool_use_id":"t2","is_error":true,"content":"y"}]`},
				[5]string{"assistant", "a3", `"r2"`, "", `[{"type":"text","text":"z"}]`},
			),
			"LLM_CALL, TOOL_CALL, TOOL_CALL, TOOL_RESULT, TOOL_RESULT is_error, LLM_RESPONSE",
		},
		"a subagent and a fork": {
			claudeText(
				[5]string{"user", "u1", "null", `,"forkedFrom":{"sessionId":"s0"}`, `"first"`},
				[5]string{"user", "x1", "null", `,"isSidechain":true,"agentId":"b"`, `"look"`},
			),
			"LLM_CALL copied, LLM_CALL subagent",
		},
		"a message that is written again": {gemini, "LLM_CALL, LLM_RESPONSE, TOOL_CALL unfinished, TOOL_RESULT"},
		"rewound messages stay": {
			gemini + `{"$rewindTo":"1"}` + "\n" + `{"id":"3","timestamp":"2026-05-01T10:00:03.000Z","type":"user","content":"b"}` + "\n",
			"LLM_CALL, LLM_RESPONSE, TOOL_CALL unfinished, TOOL_RESULT, LLM_CALL rewinds_to",
		},
		"a lost record": {
			claudeText([5]string{"user", "u1", "null", "", `"first"`}) + `{"type":"assistant","uuid":"a1","parentUuid":"u1","sess`,
			"LLM_CALL, LOG_DROP rule",
		},
		"a record with NUL bytes": {
			claudeText([5]string{"user", "u1", "null", "", `"first"`}, [5]string{"user", "u2", `"u1"`, "", "\"a\x00b\""}),
			"LLM_CALL, LOG_DROP rule, LOG_DROP rule",
		},
	} {
		list, _ := eventsOf(t, c.text)
		if got := strings.Join(list, ", "); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", name, got, c.want)
		}
	}
}

// TestCounts: what is no event is counted.
func TestCounts(t *testing.T) {
	list, counts := eventsOf(t, gemini+`{"$set":{"lastUpdated":"x"}}`+"\n")
	if counts.Records != 5 || counts.Events != int64(len(list)) || counts.Skipped != 2 || counts.Without["$set"] != 1 || counts.Without["metadata"] != 1 {
		t.Errorf("%+v", counts)
	}
}

// changing is a text that changes after it was hashed.
type changing struct{ *strings.Reader }

func (c changing) ReadAt(p []byte, at int64) (int, error) {
	n, err := c.Reader.ReadAt(p, at)
	for i := range p[:n] {
		if p[i] == 'q' {
			p[i] = 'r'
		}
	}
	return n, err
}

// TestChanged: a source that changes between its readings, or is cut, is an error.
func TestChanged(t *testing.T) {
	text := claudeText([5]string{"user", "u1", "null", "", `"q"`})
	s := sourceOf(text)
	v, err := Look(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	for name, reader := range map[string]io.ReaderAt{"changed": changing{strings.NewReader(text)}, "cut": strings.NewReader(text[:40])} {
		s.Text = reader
		var last error
		for _, err := range Events(t.Context(), s, v, &Counts{}) {
			last = err
		}
		if !errors.Is(last, ErrChanged) {
			t.Errorf("%s: %v", name, last)
		}
	}
	if _, err := Look(t.Context(), sourceOf(`{"a":1}`)); !errors.Is(err, ErrNone) {
		t.Error(err)
	}
}

// TestStop: a consumer can stop at any event.
func TestStop(t *testing.T) {
	s := sourceOf(gemini)
	v, err := Look(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	for stop := 1; stop < 5; stop++ {
		n := 0
		for _, err := range Events(t.Context(), s, v, &Counts{}) {
			if n++; err != nil || n == stop {
				break
			}
		}
		if n != stop {
			t.Errorf("%d events, %d wanted", n, stop)
		}
	}
}

// TestLongTexts: a long name is replaced by its hash.
func TestLongTexts(t *testing.T) {
	name := strings.Repeat("n", 2000)
	text := claudeText([5]string{"assistant", "a1", "null", "", `[{"type":"tool_use","id":"t1","name":"` + name + `","input":{}}]`})
	s := sourceOf(text)
	v, err := Look(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	for e, err := range Events(t.Context(), s, v, &Counts{}) {
		hash := digest.Of([]byte(`"` + name + `"`)).Hex()
		want := `"tool_name_hash":"` + hash + `"`
		if err != nil || !strings.Contains(e.Payload(), want) || !strings.Contains(e.Payload(), `"tool_name":"`+cite.Unknown+`"`) {
			t.Errorf("%v %s", err, e.Payload())
		}
		break
	}
}
