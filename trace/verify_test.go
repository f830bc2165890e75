package trace_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/cupel-dev/cupel/trace"
)

func TestFamilies(t *testing.T) {
	for first, want := range map[string]trace.Family{
		`{"record":"trace_header"}`:                                   trace.Reasoning,
		`{"kind":"step_started"}`:                                     trace.Reasoning,
		`{"schema_version":1}`:                                        trace.Reasoning,
		`{"fingerprint_algo":"a"}`:                                    trace.Reasoning,
		`{"kind":"x","event_type":"ERROR","payload":{}}`:              trace.SessionBare,
		`{"payload_hash":"","event_type":"ERROR"}`:                    trace.SessionV0,
		`{"event_hash":"","sequence_number":0,"event_type":"ERROR"}`:  trace.SessionV0,
		`{"prev_hash":"","seq":1,"event_type":"ERROR"}`:               trace.SessionV1,
		`{"event_hash":"","seq":1,"event_type":"ERROR","payload":{}}`: trace.SessionV1,
		`{"prev_hash":"","event_type":"ERROR"}`:                       trace.SessionV1B,
		`{"event_type":"ERROR","payload":{}}`:                         trace.SessionBare,
		`{"a":1}`:                                                     trace.Unknown,
		`{}`:                                                          trace.Unknown,
		`[]`:                                                          trace.Unknown,
	} {
		if r := verify(t, []byte(first), trace.Options{}); r.Family != want {
			t.Errorf("%s: %q, want %q", first, r.Family, want)
		}
	}
}

// TestNoFamily holds what is said of inputs that no family reads.
func TestNoFamily(t *testing.T) {
	for input, want := range map[string][]string{
		"":                        {"file.empty@x:0"},
		"\n\n":                    {"file.empty@x:0"},
		"what\n":                  {"line.json@x:1"},
		"\n{\"a\":1}\nwhat\n{}\n": {"envelope.unknown@x:2", "line.json@x:3"},
	} {
		r := verify(t, []byte(input), trace.Options{Name: "x"})
		if r.Verdict != trace.Rejected || r.Integrity != trace.IntegrityRejected || !slices.Equal(reported(r), want) {
			t.Errorf("%q: %s, integrity %s, %v; want %v", input, r.Verdict, r.Integrity, reported(r), want)
		}
	}
}

// TestContradictions: options that cannot be met together are an error before a byte is
// read.
func TestContradictions(t *testing.T) {
	for name, opt := range map[string]trace.Options{
		"a growing log has no end to anchor": {Growing: true, Anchor: &trace.Anchor{}},
		"an engine that is none":             {Engine: "slow"},
		"a profile that is none":             {Session: trace.SessionOptions{Canonicalization: "loose"}},
	} {
		if r, err := trace.Verify(t.Context(), iotest.ErrReader(errDisk), opt); r != nil || err == nil || errors.Is(err, errDisk) {
			t.Errorf("%s: %v, %v", name, r, err)
		}
	}
}

// cancelling ends a context at the end of the input it reads.
type cancelling struct {
	r      io.Reader
	cancel context.CancelFunc
}

func (c *cancelling) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	if err != nil {
		c.cancel()
	}
	return n, err
}

// TestInterrupted ends the context in the middle: the report of what was read comes with
// the context's error, and only a fault is a verdict.
func TestInterrupted(t *testing.T) {
	log := workingDay(t, 3_000)
	for name, c := range map[string]struct {
		log  string
		want trace.Verdict
	}{
		"good": {log, ""}, "bad": {strings.Replace(log, "{", "[", 1), trace.Rejected}, "not begun": {"", ""},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		r, err := trace.Verify(ctx, &cancelling{strings.NewReader(c.log), cancel}, trace.Options{ExpectSHA256: strings.Repeat("0", 64)})
		if !errors.Is(err, context.Canceled) || !r.Interrupted || r.Verdict != c.want || !strings.Contains(r.NotCovered[0], "interrupted") {
			t.Errorf("%s: %v, %+v", name, err, r)
		}
	}
}

// stopping cancels before its n-th read, and reads on.
type stopping struct {
	r      io.Reader
	n      int
	cancel context.CancelFunc
}

func (s *stopping) Read(p []byte) (int, error) {
	if s.n--; s.n == 0 {
		s.cancel()
	}
	return s.r.Read(p)
}

// TestInterruptedAnywhere: whenever the context ends, the report is whole and its own,
// although what reads the input may still be on its way to the first record. The race
// detector holds the second half.
func TestInterruptedAnywhere(t *testing.T) {
	files := incident()
	for _, log := range []string{workingDay(t, 20), string(files["trace.jsonl"].Data), "\n\n{}\n", "what"} {
		for n := range 12 {
			ctx, cancel := context.WithCancel(t.Context())
			input := &stopping{iotest.HalfReader(strings.NewReader(log)), n + 1, cancel}
			opt := trace.Options{Growing: n%2 == 1, Reasoning: trace.ReasoningOptions{Run: files, Manifest: true}}
			r, err := trace.Verify(ctx, input, opt)
			cancel()
			if r == nil || r.Interrupted != (err != nil) || err != nil && !errors.Is(err, context.Canceled) {
				t.Errorf("read %d of %.20q: %v, %+v", n, log, err, r)
			}
		}
	}
}

// TestOnFinding: findings go out as they come, and those that a rejection will drop say
// so.
func TestOnFinding(t *testing.T) {
	log := strings.Join([]string{
		`{"trace_schema_version":1}`, `{"idx":5,"kind":"step_finished","step_id":"s1","output":{"type":"derive"}}`, `{"idx":4,"kind":"nothing"}`, "",
	}, "\n")
	var provisional, final []string
	opt := trace.Options{Name: "x", OnFinding: func(f trace.Finding) {
		if f.File != "x" {
			t.Errorf("%+v", f)
		}
		if f.Detail == (trace.Detail{Provisional: true}) {
			provisional = append(provisional, f.Rule)
		} else {
			final = append(final, f.Rule)
		}
	}}
	r := verify(t, []byte(strings.Split(log, "\n")[0]+"\n"+strings.Split(log, "\n")[1]), opt)
	if r.Verdict != trace.Invalid || len(final) != 0 || !slices.Contains(provisional, "order.finish_without_start") {
		t.Errorf("%v, provisional %v, final %v", reported(r), provisional, final)
	}
	provisional = nil
	if r = verify(t, []byte(log), opt); r.Verdict != trace.Rejected || !slices.Contains(final, "event.kind_unknown") {
		t.Errorf("%v, provisional %v, final %v", reported(r), provisional, final)
	}
	if remarks := (trace.Detail{Provisional: true}).Remarks(); remarks != nil {
		t.Errorf("%q", remarks)
	}
}

func TestLimitError(t *testing.T) {
	log := `{"trace_schema_version":1}
{"idx":0,"kind":"step_started","step_id":"s1"}
{"idx":1,"kind":"step_started","step_id":"s2"}`
	_, err := trace.Verify(t.Context(), strings.NewReader(log), trace.Options{Limits: trace.Limits{IDs: 1}})
	var limit *trace.LimitError
	if !errors.As(err, &limit) || *limit != (trace.LimitError{What: "distinct ids", Limit: 1, Flag: "--max-ids"}) || err.Error() != "more than 1 distinct ids" {
		t.Errorf("%v", err)
	}
}

// TestReportAsJSON holds the form of a report that has nothing to say.
func TestReportAsJSON(t *testing.T) {
	got, err := json.Marshal(&trace.Report{Input: "x", Omitted: 2})
	want := `{"input":"x","family":null,"verdict":null,"integrity":null,"evidence_class":null,"canonicalization":[],"events":0,"head":null,` +
		`"findings":[],"findings_omitted":2,"lines":{"events":0,"header":0,"blank":0,"unreadable":0},"damage":[],"signatures":null,"not_covered":[]}`
	if err != nil || string(got) != want {
		t.Errorf("%s, %v\nwant %s", got, err, want)
	}
}

// TestOmitted: what is beyond the limit is counted, whatever its severity.
func TestOmitted(t *testing.T) {
	log := strings.Repeat("{\n", 5)
	for most, want := range map[int]int{1: 4, 4: 1, 5: 0, 9: 0} {
		r := verify(t, []byte(log), trace.Options{Limits: trace.Limits{Findings: most}})
		if r.Omitted != want || len(r.Findings)+want != r.Errors+r.Warnings+r.Infos {
			t.Errorf("of %d+%d+%d findings %d are kept and %d omitted, want %d", r.Errors, r.Warnings, r.Infos, len(r.Findings), r.Omitted, want)
		}
	}
}

// TestDamageAndSignatures carries what only session logs have into the report.
func TestDamageAndSignatures(t *testing.T) {
	lines := strings.SplitAfter(workingDay(t, 8), "\n")
	r := verify(t, []byte(strings.Join(slices.Delete(lines, 3, 4), "")), trace.Options{})
	if want := []trace.Damage{{Kind: trace.DamageRemoved, From: 3, To: 4, Count: 1}}; !reflect.DeepEqual(r.Damage, want) {
		t.Errorf("%+v, want %+v", r.Damage, want)
	}
	if r.Signatures == nil || r.Signatures.Ed25519 != trace.SignatureAbsent || r.Integrity != trace.IntegrityInvalid {
		t.Errorf("%+v, %s", r.Signatures, r.Integrity)
	}
}

func TestSchemas(t *testing.T) {
	names := trace.SchemaNames()
	if len(names) != 12 || !slices.IsSorted(names) {
		t.Errorf("%q", names)
	}
	for _, name := range names {
		if text, ok := trace.Schema(name); !ok || !json.Valid(text) || !bytes.Contains(text, []byte("draft-07")) {
			t.Errorf("%s has no schema", name)
		}
	}
	if _, ok := trace.Schema("LLM_CALL"); ok {
		t.Error("LLM_CALL has a schema")
	}
	profiles := trace.Canonicalizations()
	for _, name := range profiles {
		if r := verify(t, []byte(workingDay(t, 4)), trace.Options{Session: trace.SessionOptions{Canonicalization: name}}); r.Family != trace.SessionV0 {
			t.Errorf("%s: %+v", name, r)
		}
	}
	if !slices.Contains(profiles, "auto") || !slices.Contains(profiles, "strict") {
		t.Errorf("%q", profiles)
	}
}
