package redact_test

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/bundle"
	"github.com/cupel-dev/cupel/evidence/redact"
	"github.com/cupel-dev/cupel/finding"
)

// checked holds a report against an output, and returns the first error.
func checked(t *testing.T, report, output []byte) string {
	t.Helper()
	said, fault, err := redact.ReadReport(bytes.NewReader(report), func(*redact.Event) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	if fault != nil {
		return fault.Rule + " " + fault.Path
	}
	c := redact.NewChecker(said, bytes.NewReader(report))
	r, err := bundle.Verify(t.Context(), bytes.NewReader(output), int64(len(output)), "output", bundle.Options{
		Digest: true, Each: func(r *evidence.Result) error { return c.Event(r) },
	})
	if err != nil || r.Verdict != bundle.Valid {
		t.Fatal(err, r)
	}
	findings, err := c.Finish(redact.Output{SHA256: r.SHA256, RunRoot: r.RunRoot, BundleID: r.BundleID})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range findings {
		if f.Severity == finding.Error {
			return f.Rule + " " + f.Path
		}
	}
	return ""
}

// TestChecker changes one thing in a good report at a time.
func TestChecker(t *testing.T) {
	input, err := os.ReadFile("../../testdata/examples/evidence/leaky.ndjson")
	if err != nil {
		t.Fatal(err)
	}
	var output, text bytes.Buffer
	scratch, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = scratch.Close() }()
	r, err := redact.Redact(t.Context(), bytes.NewReader(input), int64(len(input)), "leaky.ndjson", scratch, &output, redact.Options{})
	if err != nil || !r.Redacted || len(r.Events) < 3 {
		t.Fatal(err, r)
	}
	if err := redact.NewWriter(&text).Close(r); err != nil {
		t.Fatal(err)
	}
	const zeros = "sha256:0000000000000000000000000000000000000000000000000000000000000000"
	event := func(d map[string]any, i int) map[string]any { return d["events"].([]any)[i].(map[string]any) }
	change := func(d map[string]any) map[string]any { return event(d, 0)["changes"].([]any)[0].(map[string]any) }
	for _, c := range []struct {
		name string
		do   func(d map[string]any)
		want string
	}{
		{"nothing", func(map[string]any) {}, ""},
		{"output", func(d map[string]any) { d["output_sha256"] = zeros }, "RedactionOutput /output_sha256"},
		{"hash", func(d map[string]any) { event(d, 1)["content_hash"] = zeros }, "RedactionChange /events/1/content_hash"},
		{"id", func(d map[string]any) { event(d, 0)["id"] = "x" }, "RedactionChange /events/0/id"},
		{"seq", func(d map[string]any) { event(d, 0)["seq"] = 99 }, "RedactionChange /events/0/seq"},
		{"line", func(d map[string]any) { event(d, len(r.Events)-1)["line"] = 999 }, "RedactionChange /events/" + string(rune('0'+len(r.Events)-1)) + "/line"},
		{"no change", func(d map[string]any) { event(d, 0)["changes"] = []any{} }, "RedactionChange /events/0/changes"},
		{"no such value", func(d map[string]any) { change(d)["pointer"] = "/data/none" }, "RedactionChange /events/0/changes/0/pointer"},
		{"a value that is there", func(d map[string]any) { change(d)["pointer"], change(d)["action"] = "/data", "removed" }, "RedactionChange /events/0/changes/0/pointer"},
		{"an unknown action", func(d map[string]any) { change(d)["action"] = "hidden" }, "RedactionChange /events/0/changes/0/action"},
		{"a sum", func(d map[string]any) { d["summary"].(map[string]any)["replaced"] = 0 }, "RedactionChange /summary/replaced"},
		{"events", func(d map[string]any) { d["summary"].(map[string]any)["events"] = 1 }, "RedactionChange /summary/events"},
		{"an event left out", func(d map[string]any) { d["events"] = d["events"].([]any)[1:] }, "RedactionChange /summary/changed"},
		{"policy", func(d map[string]any) { d["policy"].(map[string]any)["digest"] = zeros }, "RedactionChange /policy/digest"},
	} {
		var d map[string]any
		if err := json.Unmarshal(text.Bytes(), &d); err != nil {
			t.Fatal(err)
		}
		c.do(d)
		changed, err := json.Marshal(d)
		if err != nil {
			t.Fatal(err)
		}
		if got := checked(t, changed, output.Bytes()); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestCheckerElements holds that elements which have moved up are found.
func TestCheckerElements(t *testing.T) {
	event := `{"specversion":"1.0","type":"x","source":"urn:x:y","id":"r:0","time":"2026-01-01T00:00:00Z","datacontenttype":"application/json","assayrunid":"r","assayseq":0,"assayproducer":"p","assayproducerversion":"1","data":{"list":["a",{"b":"***"}]}`
	h := evidence.NewHasher(evidence.Options{})
	r, err := h.Hash([]byte(event + "}"))
	if err != nil {
		t.Fatal(err)
	}
	sum := r.ContentHash()
	output := event + `,"assaycontenthash":"` + sum + `"}` + "\n"
	report := func(changes string) []byte {
		var whole bundle.Report
		v, err := bundle.Verify(t.Context(), strings.NewReader(output), -1, "x", bundle.Options{Digest: true})
		if err != nil {
			t.Fatal(err)
		}
		whole = *v
		return []byte(`{"schema":"cupel.redaction/1","input":"x","policy":{"profile":"own","digest":"` + sum + `"},"events":[{"line":1,"content_hash":"` + sum + `","changes":[` + changes +
			`]}],"kind":"event","input_verified":true,"output_sha256":"` + whole.SHA256 + `","run_root":"` + whole.RunRoot + `","summary":{"events":1,"changed":1,"dropped":2,"replaced":1,"generalized":0,"cut":0,"reported":0},"not_covered":[]}`)
	}
	const gone = `{"pointer":"/data/list/0","class":"forbidden","rule":"r","action":"removed"},{"pointer":"/data/list/2","class":"forbidden","rule":"r","action":"removed"},`
	for pointer, want := range map[string]string{
		"/data/list/3/b": "", "/data/list/1": "", "/data/list/4": "RedactionChange /events/0/changes/2/pointer", "/data/list/1/b": "RedactionChange /events/0/changes/2/pointer",
	} {
		if got := checked(t, report(gone+`{"pointer":"`+pointer+`","class":"forbidden","rule":"r","action":"replaced"}`), []byte(output)); got != want {
			t.Errorf("%s: %q, want %q", pointer, got, want)
		}
	}
}
