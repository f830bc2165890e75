package trace_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/internal/cite"
	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/jcs"
	"github.com/cupel-dev/cupel/internal/racetest"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/internal/transcript/copying"
	"github.com/cupel-dev/cupel/trace"
)

// sourceTexts are sources in memory.
type sourceTexts map[string]string

func (s sourceTexts) Source(name string, _ digest.Sum) (trace.Source, error) {
	text, ok := s[name]
	if !ok {
		return trace.Source{}, fs.ErrNotExist
	}
	return trace.Source{Text: strings.NewReader(text), Size: int64(len(text)), Sum: digest.Of([]byte(text))}, nil
}

// copied returns the events of a transcript.
func copied(t testing.TB, name, text string) (events []cite.Event, counts copying.Counts) {
	t.Helper()
	s := copying.Source{Text: strings.NewReader(text), Size: int64(len(text)), Sum: digest.Of([]byte(text)), Path: name}
	survey, err := copying.Look(t.Context(), s)
	if errors.Is(err, copying.ErrNone) {
		return nil, counts
	}
	if err != nil {
		t.Fatal(err)
	}
	for e, err := range copying.Events(t.Context(), s, survey, &counts) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Type == "LOG_DROP" {
			e.Put("seq_range_start", "1")
			e.Put("seq_range_end", "1")
		}
		events = append(events, *e)
	}
	return events, counts
}

// chained returns a session log of payloads.
func chained(t testing.TB, payloads [][2]string) []byte {
	t.Helper()
	var log bytes.Buffer
	prev := strings.Repeat("0", 64)
	scanner := strictjson.NewScanner(strictjson.Limits{})
	for i, p := range payloads {
		open := fmt.Sprintf(`"event_type":"%s","payload":%s,"prev_hash":"%s","seq":%d,"session_id":"s","timestamp":"2026-05-01T10:00:00.000000Z"`, p[0], p[1], prev, i+1)
		doc, err := scanner.Scan([]byte("{" + open + "}"))
		if err != nil {
			t.Fatal(err, open)
		}
		prev = digest.Of(jcs.NewWriter(nil).Append(nil, doc.Root())).Hex()
		fmt.Fprintf(&log, "{%s,\"event_hash\":\"%s\"}\n", open, prev)
	}
	return log.Bytes()
}

func logOf(t testing.TB, events []cite.Event) []byte {
	list := [][2]string{{"SESSION_START", `{"agent_id":"a"}`}}
	for i := range events {
		list = append(list, [2]string{events[i].Type, events[i].Payload()})
	}
	return chained(t, append(list, [2]string{"SESSION_END", `{"status":"success"}`}))
}

func compared(t testing.TB, log []byte, sources trace.Sources) *trace.Report {
	t.Helper()
	opt := trace.Options{Session: trace.SessionOptions{Sources: sources, StrictPayload: true}}
	r, err := trace.Verify(context.Background(), bytes.NewReader(log), opt)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// transcriptsOfRules returns the transcripts among the examples of rules: formats, faults and branches.
func transcriptsOfRules(t *testing.T) (texts []string) {
	t.Helper()
	for _, r := range trace.Rules() {
		if !strings.HasPrefix(r.ID, "transcript.") {
			continue
		}
		for _, example := range []string{r.Good, r.Bad} {
			run := unpack(t, example)
			texts = append(texts, string(run.files["trace.jsonl"].Data))
		}
	}
	return append(texts, opencodeText, copilotText, inspectText)
}

const (
	opencodeText = `{"info":{"id":"ses_1","projectID":"p","directory":"/w"},"messages":[
{"info":{"id":"m1","sessionID":"ses_1","role":"user","time":{"created":1768812000000}},"parts":[{"id":"p1","type":"text","text":"read a.txt"}]},
{"info":{"id":"m2","sessionID":"ses_1","role":"assistant","parentID":"m1","modelID":"m-1","time":{"created":1768812001000}},"parts":[
 {"id":"p2","type":"step-start"},{"id":"p3","type":"tool","tool":"read","callID":"c1","state":{"status":"completed","input":{"path":"a.txt"},"output":"x"}},
 {"id":"p4","type":"tool","tool":"read","callID":"c2","state":{"status":"error","input":{"path":"b.txt"},"error":"no such file"}},
 {"id":"p5","type":"text","text":"done"}]}]}
`
	copilotText = `{"type":"session.start","id":"e1","parentId":null,"timestamp":"2026-01-19T08:00:00Z","data":{"sessionId":"s","selectedModel":"m-1","context":{"cwd":"/w"}}}
{"type":"user.message","id":"e2","parentId":"e1","timestamp":"2026-01-19T08:00:01Z","data":{"content":"run","attachments":[{"type":"image","data":"aGk="}]}}
{"type":"assistant.message","id":"e3","parentId":"e2","timestamp":"2026-01-19T08:00:02Z","data":{"model":"m-1","apiCallId":"r1","content":"ok","toolRequests":[{"name":"bash","toolCallId":"c1","arguments":{"command":"ls"}}]}}
{"type":"tool.execution_start","id":"e4","parentId":"e3","timestamp":"2026-01-19T08:00:03Z","data":{"toolCallId":"c1","toolName":"bash","arguments":{"command":"ls"}}}
{"type":"tool.execution_complete","id":"e5","parentId":"e4","timestamp":"2026-01-19T08:00:04Z","data":{"toolCallId":"c1","success":false,"error":{"message":"denied"}}}
`
	inspectText = `{"version":2,"status":"success","eval":{"run_id":"r","eval_id":"e","model":"m-1"},"plan":{},"samples":[
{"uuid":"u1","messages":[{"role":"system","content":"be good"},{"role":"user","content":"hi"},{"role":"assistant","content":[{"type":"reasoning","reasoning":"hm"},
{"type":"text","text":"I call"}],"tool_calls":[{"id":"c1","function":"bash","arguments":{"cmd":"ls"}}]},{"role":"tool","tool_call_id":"c1","content":"a.txt"}]}]}
`
)

// TestCopiesHold verifies the copy of every example: it holds, and any change of its source is found.
func TestCopiesHold(t *testing.T) {
	all, formats := 0, map[string]bool{}
	for i, text := range transcriptsOfRules(t) {
		events, counts := copied(t, "a/s.jsonl", text)
		if len(events) == 0 {
			continue
		}
		log := logOf(t, events)
		r := compared(t, log, sourceTexts{"a/s.jsonl": text})
		if r.Verdict != trace.Valid || r.Cited.Uncited != 0 || r.Cited.Events+counts.Lost != counts.Events {
			t.Errorf("%d: %s, %+v of %+v: %v\n%s\n%s", i, r.Verdict, r.Cited, counts, reported(r), text, log)
			continue
		}
		all++
		format, _ := trace.IsTranscript([]byte(text), true)
		formats[format] = true
		for at := 0; at < len(text); at += 1 + at/64*racetest.Step(t) {
			changed := []byte(text)
			changed[at] ^= 1
			r := compared(t, log, sourceTexts{"a/s.jsonl": string(changed)})
			cites := slices.ContainsFunc(events, func(e cite.Event) bool {
				return e.Path != "" && e.Span[0] <= int64(at) && int64(at) < e.Span[1]
			})
			if !breaks(r, "source.digest", trace.SeverityError) || breaks(r, "source.bytes", trace.SeverityError) != cites {
				t.Fatalf("%d: byte %d, cited %v: %v", i, at, cites, reported(r))
			}
		}
	}
	if all < 30 || len(formats) < 6 {
		t.Errorf("%d transcripts of %v", all, formats)
	}
}

// TestForgedCopies changes single events of a log whose hashes are then renewed. A citation that is dropped or changed
// never makes the verdict better, and a value that is not that of the source is found.
func TestForgedCopies(t *testing.T) {
	forged := 0
	for _, text := range transcriptsOfRules(t) {
		events, _ := copied(t, "s.jsonl", text)
		sources := sourceTexts{"s.jsonl": text}
		for i := range events {
			if events[i].Path == "" {
				continue
			}
			payload := events[i].Payload()
			own := payload[:strings.LastIndex(payload, `"source":`)] // the members before the citation
			for what, with := range forgeries(events[i], own, payload) {
				list := [][2]string{{"SESSION_START", `{"agent_id":"a"}`}, {events[i].Type, with}, {"SESSION_END", `{"status":"success"}`}}
				r := compared(t, chained(t, list), sources)
				rule, _, _ := strings.Cut(what, " ")
				if r.Verdict != trace.Invalid || !breaks(r, rule, trace.SeverityError) {
					t.Fatalf("%s: %s, %v\n%s", what, r.Verdict, reported(r), with)
				}
				forged++
			}
		}
	}
	if forged < 500 {
		t.Errorf("%d forged events", forged)
	}
}

// forgeries are false payloads of an event, by the rule that they break and a description.
func forgeries(e cite.Event, own, payload string) map[string]string {
	with := func(change func(*cite.Citation)) string {
		c := e.Citation
		c.Members = slices.Clone(c.Members)
		change(&c)
		return own + `"source":` + string(c.Append(nil)) + "}"
	}
	list := map[string]string{
		"source.uncited without":   strings.TrimSuffix(own, ",") + "}",
		"source.uncited null":      own + `"source":null}`,
		"source.uncited text":      own + `"source":"s.jsonl"}`,
		"source.uncited members":   with(func(c *cite.Citation) { c.Members = nil }),
		"source.uncited traversal": with(func(c *cite.Citation) { c.Path = "../s.jsonl" }),
		"source.uncited backwards": with(func(c *cite.Citation) { c.Span[0], c.Span[1] = c.Span[1], c.Span[0] }),
		"source.missing path":      with(func(c *cite.Citation) { c.Path = "t.jsonl" }),
		"source.digest":            with(func(c *cite.Citation) { c.Sum[0] ^= 1 }),
		"source.bytes snippet":     with(func(c *cite.Citation) { c.Snippet[31] ^= 1 }),
		"source.bytes span":        with(func(c *cite.Citation) { c.Span[1]-- }),
		"source.range":             with(func(c *cite.Citation) { c.Span[1] = 1 << 40 }),
		"source.value absent":      with(func(c *cite.Citation) { c.Members = append(c.Members, cite.Member{Name: "x", Span: c.Span}) }),
	}
	for i, m := range e.Members {
		list["source.value "+m.Name] = with(func(c *cite.Citation) { c.Members[i].Span[1]-- })
		list["source.range "+m.Name] = with(func(c *cite.Citation) { c.Members[i].Span[1] = 1 << 40 })
		if m.Name == "tool_name" {
			list["source.value renamed"] = strings.Replace(payload, `"tool_name":"`, `"tool_name":"other`, 1)
		}
		if strings.HasSuffix(m.Name, "_hash") {
			list["source.value hash"] = strings.Replace(payload, `"`+m.Name+`":"`, `"`+m.Name+`":"sha256:`, 1)
			list["source.uncited unknown"] = strings.Replace(own, `"`+m.Name+`":"`, `"`+m.Name+`":"unknown","x":"`, 1) +
				strings.TrimPrefix(with(func(c *cite.Citation) { c.Members = slices.Delete(c.Members, i, i+1) }), own)
		}
	}
	return list
}
