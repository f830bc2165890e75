package attest_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/attest/model"
)

// judgeCase is a line of a case file of judges: a spec, what the model replies, and what comes
// of it. UPDATE_CASES=1 writes what the engine answers.
type judgeCase struct {
	Case    string           `json:"case"`
	Spec    json.RawMessage  `json:"spec"`
	Trace   json.RawMessage  `json:"trace,omitempty"`  // default: defaultTrace
	Output  string           `json:"output,omitempty"` // output.message of that trace
	Replies [][]judgeReply   `json:"replies"`          // by sample: the first, and the one when it is asked once more
	Asked   []string         `json:"asked,omitempty"`  // what the first request must contain
	Calls   int              `json:"calls"`
	Want    json.RawMessage  `json:"want"`
	Prompt  *json.RawMessage `json:"prompt,omitempty"` // the messages of the first request; null: to be written
}

// judgeReply is the text of a reply, or {"error": …}.
type judgeReply struct{ Text, Error string }

func (r *judgeReply) UnmarshalJSON(data []byte) error {
	if data[0] == '"' {
		return json.Unmarshal(data, &r.Text)
	}
	var fault struct{ Error string }
	err := json.Unmarshal(data, &fault)
	r.Error = fault.Error
	return err
}

func (r judgeReply) MarshalJSON() ([]byte, error) {
	if r.Error != "" {
		return encode(map[string]string{"error": r.Error}), nil
	}
	return encode(r.Text), nil
}

const defaultTrace = `{"schema_version":1,"trace_id":"t","input":{"user_message":"I want a refund for order ORD-123","context":{}},` +
	`"steps":[{"type":"retrieval","name":"search","result":{"passages":["Refunds take 3 days."]}},{"type":"tool_call","name":"refund","result":{"id":"RFD-001"}},{"type":"retrieval","name":"search","result":null}],` +
	`"output":{"message":"Your refund has been processed."}}`

// callCost is what each call of the scripted judge costs.
const callCost = 0.25

// scriptedJudge replies as a case says, and notes what it was asked.
type scriptedJudge struct {
	replies [][]judgeReply
	mu      sync.Mutex
	asked   []model.ChatRequest
}

// Chat implements model.Chat.
func (j *scriptedJudge) Chat(_ context.Context, r model.ChatRequest) (model.ChatReply, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.asked = append(j.asked, r)
	again := (len(r.Messages) - 2) / 2
	if r.Sample >= len(j.replies) || again >= len(j.replies[r.Sample]) {
		return model.ChatReply{}, fmt.Errorf("no reply is left for sample %d", r.Sample)
	}
	reply := j.replies[r.Sample][again]
	usage := model.Usage{InputTokens: 100, OutputTokens: 10, Cost: callCost}
	if reply.Error != "" {
		return model.ChatReply{Usage: usage}, errors.New(reply.Error)
	}
	return model.ChatReply{Model: "scripted-1", Text: reply.Text, Usage: usage}, nil
}

// TestJudgeCases runs every case of testdata/attest/judge.
func TestJudgeCases(t *testing.T) {
	const folder = "../testdata/attest/judge/"
	files, err := filepath.Glob(folder + "*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatal("no case files")
	}
	for _, path := range files {
		list := readJudgeCases(t, path)
		for i := range list {
			t.Run(filepath.Base(path)+"/"+list[i].Case, func(t *testing.T) { checkJudgeCase(t, &list[i]) })
		}
		if updating() {
			writeJudgeCases(t, path, list)
		}
	}
}

func readJudgeCases(t *testing.T, path string) (list []judgeCase) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var c judgeCase
		d := json.NewDecoder(bytes.NewReader(lines.Bytes()))
		d.DisallowUnknownFields()
		if err := d.Decode(&c); err != nil {
			t.Fatalf("%s: %v in %s", path, err, lines.Bytes())
		}
		list = append(list, c)
	}
	return list
}

func writeJudgeCases(t *testing.T, path string, list []judgeCase) {
	t.Helper()
	var b bytes.Buffer
	for _, c := range list {
		b.Write(append(encode(c), '\n'))
	}
	if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

func checkJudgeCase(t *testing.T, c *judgeCase) {
	judge := &scriptedJudge{replies: c.Replies}
	engine := attest.NewEngine(attest.Options{Judge: judge, DerivedDelimiters: true})
	answer, err := engine.EvaluateBatch(t.Context(), c.params(t))
	var got json.RawMessage
	if err != nil {
		got = join(`{"error":`, protocolError(err).AppendJSON(nil), `}`)
	} else {
		var batch struct{ Results []map[string]any }
		if err := json.Unmarshal(answer, &batch); err != nil || len(batch.Results) != 1 {
			t.Fatalf("%v in %s", err, answer)
		}
		delete(batch.Results[0], "assertion_id")
		delete(batch.Results[0], "duration_ms")
		got = encode(batch.Results[0])
	}
	var prompt json.RawMessage
	if len(judge.asked) > 0 {
		prompt = encode(judge.asked[0].Messages)
	}
	for _, part := range c.Asked {
		if all := string(prompt); !strings.Contains(all, strings.Trim(string(encode(part)), `"`)) {
			t.Errorf("not asked: %s\nin %s", part, all)
		}
	}
	if updating() {
		c.Want, c.Calls = got, len(judge.asked)
		if c.Prompt != nil {
			c.Prompt = &prompt
		}
		return
	}
	if want := string(encode(normal(t, c.Want))); want != string(encode(normal(t, got))) {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if len(judge.asked) != c.Calls {
		t.Errorf("%d calls, want %d", len(judge.asked), c.Calls)
	}
	if c.Prompt != nil && string(*c.Prompt) != string(prompt) {
		t.Errorf("asked %s\nwant  %s", prompt, *c.Prompt)
	}
}

// params returns the request of a case.
func (c *judgeCase) params(t *testing.T) []byte {
	t.Helper()
	trace := c.Trace
	if trace == nil {
		trace = json.RawMessage(defaultTrace)
	}
	if c.Output != "" {
		var members map[string]any
		if err := json.Unmarshal(trace, &members); err != nil {
			t.Fatal(err)
		}
		members["output"] = map[string]string{"message": c.Output}
		trace = encode(members)
	}
	return join(`{"trace":`, trace, `,"assertions":[{"assertion_id":"a1","type":"llm_judge","spec":`, c.Spec, `}]}`)
}
