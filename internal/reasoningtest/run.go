// Package reasoningtest writes consistent run directories of reasoning traces for tests, benchmarks
// and examples: plan, evidence files, trace and manifest.
//
//	run := reasoningtest.New(reasoningtest.Wrapped, "What is asked?")
//	gather := run.Open("gather", "gather", "understand")
//	…
//	gather.Close(reasoningtest.Object{"type": "gather"})
//	files := run.Files()
package reasoningtest

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/cupel-dev/cupel/internal/jcs"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// Shape is the layout of trace lines.
type Shape bool

const (
	Wrapped Shape = true
	Flat    Shape = false
)

// Object is a JSON object, written with sorted members.
type Object = map[string]any

type File struct {
	Name string // relative to the run's folder
	Data []byte
}

type Run struct {
	shape    Shape
	question string
	nodes    []Object
	events   [][]byte
	evidence []File
}

// Source is registered evidence.
type Source struct {
	ID   string
	Text string
}

func New(shape Shape, question string) *Run {
	return &Run{shape: shape, question: question}
}

type Step struct {
	run *Run
	id  string
}

// Open starts a step after the steps it depends on.
func (r *Run) Open(id, kind string, after ...string) *Step {
	if after == nil {
		after = []string{}
	}
	r.nodes = append(r.nodes, Object{
		"id": id, "kind": kind, "dependencies": after, "parameters": Object{},
		"step": Object{"kind": kind, "notes": "", "tool_requests": []any{}},
	})
	s := &Step{r, id}
	s.event("step_started", "", nil)
	return s
}

func (s *Step) Close(output Object) { s.event("step_finished", "output", output) }

// Call adds a tool call and its result.
func (s *Step) Call(id, tool string, arguments Object, result any) {
	s.event("tool_called", "call", Object{"id": id, "step_id": s.id, "tool_name": tool, "arguments": arguments, "call_idx": 0})
	s.event("tool_returned", "result", Object{"call_id": id, "success": true, "result": result, "error": nil})
}

// Evidence registers a chunk at an offset of its document.
func (s *Step) Evidence(id, uri string, offset int, chunk string) Source {
	sum := Hash(chunk)
	path := "evidence/" + id + ".txt"
	s.run.evidence = append(s.run.evidence, File{path, []byte(chunk)})
	s.event("evidence_registered", "evidence", Object{
		"id": id, "uri": uri, "span": []int{offset, offset + len(chunk)}, "sha256": sum, "chunk_id": sum, "content_path": path,
	})
	return Source{id, chunk}
}

// Cite is a quotation, located at its first occurrence in the text.
type Cite struct {
	Source Source
	Quote  string
}

// span returns the byte range of the quotation.
func (c Cite) span() (from, to int) {
	from = bytes.Index([]byte(c.Source.Text), []byte(c.Quote))
	if from < 0 || c.Quote == "" {
		panic(fmt.Sprintf("reasoningtest: %q is not in %s", c.Quote, c.Source.ID))
	}
	return from, from + len(c.Quote)
}

// Claim adds a statement with its quotations, each marked in the text.
func (s *Step) Claim(id, statement string, cites ...Cite) {
	var supports []Object
	for _, c := range cites {
		from, to := c.span()
		sum := Hash(c.Quote)
		statement += fmt.Sprintf(" [evidence:%s:%d-%d:%s]", c.Source.ID, from, to, sum)
		supports = append(supports, Object{"kind": "evidence", "ref_id": c.Source.ID, "span": []int{from, to}, "snippet_sha256": sum, "hash_algo": "sha256"})
	}
	s.event("claim_emitted", "claim", Object{
		"id": id, "statement": statement, "status": "proposed", "confidence": 0.8, "claim_type": "derived",
		"supports": supports, "structured": nil,
	})
}

func (s *Step) event(kind, name string, detail any) {
	e := Object{"idx": len(s.run.events), "kind": kind, "step_id": s.id}
	if name != "" {
		e[name] = detail
	}
	s.run.events = append(s.run.events, encode(e))
}

// Files returns all files of the run.
func (r *Run) Files() []File {
	plan := Object{"problem": r.question, "spec_id": "spec_v1_" + Hash(r.question), "nodes": r.nodes, "edges": []any{}}
	planID := "plan_v1_" + Hash(string(encode(plan)))
	plan["id"] = planID
	files := append(slices.Clone(r.evidence),
		File{"plan.json", line(encode(plan))},
		File{"trace.jsonl", r.trace(planID)})
	digests := Object{}
	for _, f := range files {
		digests[f.Name] = Hash(string(f.Data))
	}
	return append(files, File{"manifest.json", line(encode(digests))})
}

func (r *Run) trace(planID string) []byte {
	var b bytes.Buffer
	if r.shape == Flat {
		b.Write(line(encode(Object{"trace_schema_version": 1, "fingerprint_algo": "sha256", "canonicalization_version": 1, "plan_id": planID})))
		for _, e := range r.events {
			b.Write(line(e))
		}
		return b.Bytes()
	}
	header := Object{
		"schema_version": 1, "fingerprint_algo": "sha256", "canonicalization_version": 1, "runtime_protocol_version": 1,
		"plan_id": planID, "spec_id": "spec_v1_" + Hash(r.question), "metadata": Object{"run_meta": Object{"seed": 7, "mode": "live"}},
	}
	header["id"] = "trace_v1_" + r.fingerprint(header)
	header["record"] = "trace_header"
	b.Write(line(encode(header)))
	for _, e := range r.events {
		b.WriteString(`{"event":`)
		b.Write(e)
		b.WriteString(`,"record":"trace_event"}` + "\n")
	}
	return b.Bytes()
}

// fingerprint returns the SHA-256 of the trace's canonical text.
func (r *Run) fingerprint(header Object) string {
	var whole bytes.Buffer
	text := encode(header)
	// "events" sorts second, after "canonicalization_version".
	first := []byte(`{"canonicalization_version":1,`)
	whole.Write(first)
	whole.WriteString(`"events":[`)
	whole.Write(bytes.Join(r.events, []byte{','}))
	whole.WriteString(`],`)
	whole.Write(bytes.TrimPrefix(text, first))
	return Hash(whole.String())
}

func Hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

func line(b []byte) []byte { return append(b, '\n') }

// canonical is the format's canonicalization, defined independently of the checker's.
var canonical = &jcs.Profile{Name: "rar-v1", Python: true, ExponentPlus: true, Zero: "0.0", NegativeZero: "0.0"}

// encode writes a value in the format's canonical text.
func encode(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic("reasoningtest: " + err.Error())
	}
	doc, err := strictjson.NewScanner(strictjson.Limits{}).Scan(text)
	if err != nil {
		panic("reasoningtest: " + err.Error())
	}
	return jcs.NewWriter(canonical).Append(nil, doc.Root())
}
