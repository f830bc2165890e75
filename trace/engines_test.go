package trace_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/cupel-dev/cupel/trace"
	"github.com/cupel-dev/cupel/trace/internal/naive"
	"github.com/cupel-dev/cupel/trace/internal/reasoning"
	"github.com/cupel-dev/cupel/trace/internal/second"
	"github.com/cupel-dev/cupel/trace/internal/session"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

var update = flag.Bool("update", false, "write the generated document anew")

// enginesDocument lists each rule with those who check it.
const enginesDocument = "../docs/engines.md"

// witness says which library checks a rule too.
type witness struct{ canonical, schema bool }

// witnesses are the rules that a library checks. Each new rule must be listed here or by the naive checker, so none
// has only one implementation.
var witnesses = map[string]witness{
	"line.utf8":          {canonical: true},
	"line.bom":           {canonical: true},
	"line.json":          {canonical: true},
	"line.duplicate_key": {canonical: true},
	"hash.payload":       {canonical: true},
	"hash.event":         {canonical: true},

	"payload.missing":        {schema: true},
	"payload.type":           {schema: true},
	"payload.enum":           {schema: true},
	"payload.range":          {schema: true},
	"payload.uuid":           {schema: true},
	"payload.hash_format":    {schema: true},
	"redaction.hash_missing": {schema: true},
}

// ofFiles are the rules about the files of a log: no engine reads them in the bytes.
var ofFiles = []string{"log.rotated", "log.wrapped", "anchor.session", "log.rewritten", "segment.empty", "segment.broken", "segment.missing", "source.missing", "source.digest", "source.range", "source.bytes", "source.value", "source.uncited"}

// chapter is one part of the document: the rules of a family, or of all.
type chapter struct {
	name, family string
	rules        []trace.Rule
	naive        []string
}

// chapters returns all rules, each family's own once more where families share an id.
func chapters() []chapter {
	all := []chapter{
		{"Every input", "", stream.Rules(), naive.UnknownRules},
		{"Reasoning traces", "reasoning", reasoning.Rules(), naive.ReasoningRules},
		{"Session logs", "session", session.Rules(), naive.SessionRules},
	}
	known := map[string]bool{}
	for _, c := range all {
		for _, r := range c.rules {
			known[r.ID] = true
		}
	}
	for _, r := range trace.Rules() {
		if !known[r.ID] && !strings.HasPrefix(r.ID, "transcript.") {
			all[0].rules = append(all[0].rules, r)
		}
	}
	all[0].naive = append(slices.Clone(all[0].naive), "anchor.sha256", "anchor.prefix") // of both families
	return all
}

// judged reports whether the naive checker applies a rule of the chapter.
func (c chapter) judged(id string) bool {
	return slices.Contains(c.naive, id) || strings.HasPrefix(id, second.Line+".") && slices.Contains(c.naive, second.Line)
}

// TestEngines holds docs/engines.md to the tables of rules. `make docs` writes it.
func TestEngines(t *testing.T) {
	var b strings.Builder
	b.WriteString("# Engines\n\n" + strings.TrimSpace(enginesPreface) + "\n")
	for _, c := range chapters() {
		fmt.Fprintf(&b, "\n## %s\n\n| Rule | fast | canonical library | schema library | naive checker |\n|---|---|---|---|---|\n", c.name)
		for _, r := range c.rules {
			w, listed := witnesses[r.ID]
			judged := c.judged(r.ID)
			if !judged && !listed && !slices.Contains(ofFiles, r.ID) {
				t.Errorf("%s, %s: only one implementation checks it: add it to the naive checker", c.name, r.ID)
			}
			fmt.Fprintf(&b, "| `%s` | yes | %s | %s | %s |\n", r.ID, yes(w.canonical), yes(w.schema), yes(judged))
		}
	}
	if *update {
		if err := os.WriteFile(enginesDocument, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(enginesDocument)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(have), b.String()); diff != "" {
		t.Errorf("%s is not current; `make docs` writes it (-have +want):\n%s", enginesDocument, diff)
	}
}

const enginesPreface = `
` + "`cupel trace verify`" + ` has several implementations of its rules. The tables show which
implementation checks each rule. ` + "`--engine fast`" + ` uses only cupel's own code. Under
` + "`--engine reference` and `both`" + `, three independent checkers check, too. If results
differ, the run stops with exit code 2.

- The canonical library reads each line and writes its RFC 8785 form. The naive checker
  computes hashes under the older profiles.
- The schema library validates the payloads of SCHEMA.md v0.2, except redacted values
  inside ` + "`args`" + ` and ` + "`result`" + `.
- The naive checker holds the whole log, up to 1 MiB, and applies the rules one after
  another. It reports that a line cannot be read, but not which rule the line breaks
  first.

Transcripts of coding agents (the rules ` + "`transcript.*`" + `) have one implementation; the
report says so.

Seven other rules, and those of ` + "`source.*`" + `, have one implementation, because they need more
than the bytes of one log: ` + "`log.rotated`" + ` and ` + "`log.rewritten`" + ` (the file of a followed log), ` + "`segment.empty`" + `,
` + "`segment.broken`" + ` and ` + "`segment.missing`" + ` (a file of a rotated log), ` + "`log.wrapped`" + ` and
` + "`anchor.session`" + `.

This page is written by ` + "`make docs`" + `.
`

func yes(does bool) string {
	if does {
		return "yes"
	}
	return ""
}

// spy listens to the second engine.
type spy struct {
	second.Engine
	mu         sync.Mutex
	refused    int // texts without a canonical form
	canonical  int
	complaints int
	answers    []second.Answer
}

func (s *spy) Canonical(text []byte) ([]byte, error) {
	out, err := s.Engine.Canonical(text)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.canonical++; err != nil {
		s.refused++
	}
	return out, err
}

func (s *spy) ValidatePayload(kind string, payload []byte) ([]string, error) {
	complaints, err := s.Engine.ValidatePayload(kind, payload)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.complaints += len(complaints)
	return complaints, err
}

func (s *spy) Judge(ctx context.Context, q second.Question) (second.Answer, error) {
	a, err := s.Engine.Judge(ctx, q)
	s.answers = append(s.answers, a)
	return a, err
}

// spied verifies a run with both engines and returns what the second one said.
func spied(t *testing.T, run trace.Files, opt trace.Options) *spy {
	t.Helper()
	honest := second.Linked()
	defer second.Register(honest)
	s := &spy{Engine: honest}
	second.Register(s)
	opt.Engine = trace.Both
	verifyRun(t, run, opt)
	return s
}

// TestWitnesses checks that the named witness finds a fault in the bad example of each rule. The naive checker
// reports each of its rules on some example of the family.
func TestWitnesses(t *testing.T) {
	reported := map[string]bool{}
	for _, r := range trace.Rules() {
		if r.ID == "anchor.session" { // the second engine checks one log, not its sessions
			continue
		}
		w, bad := witnesses[r.ID], r.Bad
		if r.ID == "redaction.hash_missing" { // the example is about args
			bad = redactedContent
		}
		e := unpack(t, bad)
		s := spied(t, e.folder(t), e.opt)
		lines := strings.Count(string(e.files["trace.jsonl"].Data), "\n")
		switch {
		case w.schema && s.complaints == 0:
			t.Errorf("%s: the schema library does not complain", r.ID)
		case w.canonical && strings.HasPrefix(r.ID, "line.") && s.refused == 0:
			t.Errorf("%s: the canonical library refuses no line", r.ID)
		case w.canonical && s.canonical <= lines:
			t.Errorf("%s: the canonical library writes nothing but lines", r.ID)
		}
		note(reported, s)
	}
	for _, log := range sharedRules {
		for _, opt := range []trace.Options{{}, {ExpectSHA256: strings.Repeat("0", 64), Anchor: &trace.Anchor{Bytes: 1 << 40}}} {
			note(reported, spied(t, fstest.MapFS{"trace.jsonl": {Data: []byte(log)}}, opt))
		}
	}
	count := 0
	for family, list := range map[string][]string{"": naive.UnknownRules, "reasoning": naive.ReasoningRules, "session": naive.SessionRules} {
		for _, rule := range list {
			if count++; !reported[family+" "+rule] {
				t.Errorf("family %q: the naive checker does not report %s on any example", family, rule)
			}
		}
	}
	t.Logf("%d rules of the naive checker are reported", count)
}

const redactedContent = `{"event_type":"MODEL_RESPONSE","payload":{"content":"[REDACTED]","finish_reason":"stop"}}` + "\n"

// note notes what was reported, by family.
func note(reported map[string]bool, s *spy) {
	for _, a := range s.answers {
		family, _, _ := strings.Cut(a.Family, "-")
		for _, st := range a.Statements {
			reported[family+" "+st.Rule] = true
		}
	}
}

// sharedRules are logs that break rules whose id several families have: their examples
// are of one family.
var sharedRules = []string{
	`{"event_type":"ERROR","payload":{"error_type":"t","message":"m","fatal":true}}`,
	`{"event_type":"ERROR","payload":{},"session_id":7}`,
	`{"event_type":"ERROR","payload":{}}` + "\n" + `{"event_type":"ERROR","event_hash":""}` + "\nwhat",
	`{"event_id":"e","session_id":"s","sequence_number":0,"timestamp_wall":"","event_type":"ERROR","payload_hash":"","prev_event_hash":null,"event_hash":"","payload":{},"more":1}`,
	`{"trace_schema_version":1}`,
	`{"idx":0,"kind":"step_started","step_id":"s"}` + "\nwhat",
}
