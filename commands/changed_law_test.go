package commands_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/commands"
)

// lineOf are lines of a changed file by what they show.
var lineOf = map[string][]string{
	"trace": {
		`{"idx":3,"kind":"step_started","step_id":"s"}`,
		`{"record":"trace_event","event":{}}`,
		`{"tr\u0061ce_schema_version":1}`,
		`{"event_type":"ERROR","payload":{}}`,
		` { "payload" : { } , "event_type" : "TOOL_CALL" } `,
		`{"prev_event_hash":null}`,
		`[{"a":1},{"event_hash":"x","seq":1}]`,
	},
	"evidence": {
		`{"specversion":"1.0","type":"assay.tool.decision","data":1}`,
		`{"specversion":"1.0","type":"t","assayseq":0}`,
		`{"specversion":"1.0","\u0061ssaycontenthash":"x"}`,
		`[{"specversion":"1.0","type":"assay.x"}]`,
	},
	"other": {
		`{"kind":"Event","verb":"get"}`, `{"event_type":"click","payload":{}}`, `{"event_type":"ERROR"}`, `{"idx":1}`,
		`{"record":"vinyl"}`, `{"specversion":"1.0","type":"com.example","data":1}`, `{"assayseq":1}`, `[1,2]`, `[]`, `{}`, `"text"`, `7`, `null`,
	},
	"unreadable": {``, `   `, `{"idx":1,"kind":`, `what is this`, `{"event_type":"ERROR","payload":{}} {}`, "\x00"},
}

// TestClaimsLaw: a changed file is claimed by the command for the kind that its lines show, whatever
// their order and spelling and what else is there; one of two kinds is claimed by a command at least.
// An empty file and one that cannot be read show nothing.
func TestClaimsLaw(t *testing.T) {
	t.Chdir(t.TempDir())
	files := 0
	rapid.Check(t, func(t *rapid.T) {
		files++
		tags := rapid.SliceOfN(rapid.SampledFrom([]string{"trace", "evidence", "other", "unreadable"}), 0, 5).Draw(t, "tags")
		end := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "line end")
		var text strings.Builder
		shows := map[string]bool{}
		for _, tag := range tags {
			text.WriteString(rapid.SampledFrom(lineOf[tag]).Draw(t, tag) + end)
			shows[tag] = true
		}
		if err := os.WriteFile("x.jsonl", []byte(text.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		traces, events := claimed(t, "trace verify"), claimed(t, "evidence hash --check")
		two := shows["trace"] && shows["evidence"]
		if two && !traces && !events || !two && (traces != shows["trace"] || events != shows["evidence"]) {
			t.Fatalf("%q shows %v: claimed as a trace %v, as evidence %v", text.String(), shows, traces, events)
		}
	})
	t.Logf("%d files", files)
}

// claimed reports whether a command does not pass over the changed file x.jsonl.
func claimed(t *rapid.T, command string) bool {
	var stdout, stderr bytes.Buffer
	args := append(strings.Fields("cupel "+command), "--format", "json", "--changed", "--show-files", "x.jsonl")
	commands.Main(commands.Env{
		Context: context.Background(), Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr, Getenv: func(string) string { return "" },
	}, args)
	var answer struct {
		PassedOver []struct{ File string } `json:"passed_over"`
	}
	if err := json.Unmarshal(stdout.Bytes(), &answer); err != nil {
		t.Fatalf("%v\n%s%s", err, stdout.Bytes(), stderr.Bytes())
	}
	return len(answer.PassedOver) == 0
}
