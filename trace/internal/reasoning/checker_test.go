package reasoning

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/jcs"
	"github.com/cupel-dev/cupel/internal/reasoningtest"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// TestRuleExamples runs the examples of the rules: the bad one breaks its rule, the good
// one breaks none.
func TestRuleExamples(t *testing.T) {
	all := examples(t)
	shown := 0
	for _, r := range Rules() {
		bad, ok := all[r.ID+" bad"]
		if !ok {
			continue // it needs a disk
		}
		shown++
		if got := bad.verify(t, stream.Limits{}); !got.has(r.ID) || got.rejected != (r.Class == "rejected") {
			t.Errorf("%s, bad: rejected %v, %v", r.ID, got.rejected, got.rules())
		}
		if got := all[r.ID+" good"].verify(t, stream.Limits{}); got.has(r.ID) || got.counts[finding.Error] > 0 {
			t.Errorf("%s, good: %v", r.ID, got.rules())
		}
	}
	if shown < len(Rules())-3 {
		t.Errorf("%d of %d rules have examples that run", shown, len(Rules()))
	}
}

// TestAnyChangedByteIsSeen changes every third byte of the evidence: the run is never
// valid.
func TestAnyChangedByteIsSeen(t *testing.T) {
	r := newRun(reasoningtest.Incident(reasoningtest.Flat).Files())
	seen := 0
	for name, file := range *r.files {
		if !strings.HasPrefix(name, "evidence/") {
			continue
		}
		good := file.Data
		for i := 0; i < len(good); i += 3 {
			file.Data = bytes.Clone(good)
			file.Data[i] ^= 1
			if got := r.verify(t, stream.Limits{}); got.counts[finding.Error] == 0 {
				t.Fatalf("byte %d of %s changed: %v", i, name, got.rules())
			}
			seen++
		}
		file.Data = good
	}
	if got := r.verify(t, stream.Limits{}); got.counts[finding.Error] > 0 || seen == 0 {
		t.Fatalf("unchanged: %v", got.rules())
	}
	t.Logf("%d changed bytes", seen)
}

// TestManyFindings keeps the limit of findings, and every fault is counted.
func TestManyFindings(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"trace_schema_version":1}` + "\n")
	const n = 5_000
	for i := range n {
		fmt.Fprintf(&b, `{"idx":%d,"kind":"tool_returned","step_id":"s1","result":{"call_id":"c%d"}}`+"\n", i, i)
	}
	r := testRun{trace: []byte(b.String()), files: &fstest.MapFS{}}
	for _, limit := range []int{1, 100, 0} {
		got := r.verify(t, stream.Limits{Findings: limit})
		if limit == 0 {
			limit = 1_000
		}
		kept := 0
		for _, f := range got.findings {
			if f.Severity == finding.Error {
				kept++
			}
		}
		if kept != limit || got.counts[finding.Error] != 2*n { // each event is outside its step, and answers no call
			t.Errorf("limit %d: %d errors kept of %d, want %d of %d", limit, kept, got.counts[finding.Error], limit, 2*n)
		}
	}
}

// TestLargePlan reads a plan in which every step depends on all before it, twice.
func TestLargePlan(t *testing.T) {
	const n = 400
	var nodes, events []string
	var before []string
	for i := range n {
		id := fmt.Sprintf("%q", fmt.Sprintf("s%d", i))
		nodes = append(nodes, fmt.Sprintf(`{"id":%s,"dependencies":[%s]}`, id, strings.Join(append(slices.Clone(before), before...), ",")))
		before = append(before, id)
		events = append(events, fmt.Sprintf(`{"idx":%d,"kind":"step_started","step_id":%s}`, 2*i, id), fmt.Sprintf(`{"idx":%d,"kind":"step_finished","step_id":%s,"output":{"type":"gather"}}`, 2*i+1, id))
	}
	files := &fstest.MapFS{"plan.json": {Data: fmt.Appendf(nil, `{"id":"p1","nodes":[%s]}`, strings.Join(nodes, ","))}}
	r := testRun{trace: []byte(`{"trace_schema_version":1}` + "\n" + strings.Join(events, "\n")), files: files}
	if got := r.verify(t, stream.Limits{}); got.counts[finding.Error] > 0 {
		t.Errorf("in order: %v", got.rules())
	}
	slices.Reverse(events)
	r.trace = []byte(strings.Join(events, "\n"))
	got := r.verify(t, stream.Limits{})
	if want := n * (n - 1) / 2; got.counts[finding.Error] < want || len(got.findings) > 2_000 {
		t.Errorf("reversed: %d errors, %d kept; want at least %d errors", got.counts[finding.Error], len(got.findings), want)
	}
}

// checkerOf returns a checker of a flat trace and what its workers read.
func checkerOf(ctx context.Context, t *testing.T, opt Options, limits stream.Limits, text string) (*Checker, func() error) {
	t.Helper()
	limits = limits.WithDefaults()
	doc, err := strictjson.NewScanner(strictjson.Limits{}).Scan([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	c := New(ctx, opt, limits, stream.NewFindings(limits.Findings), doc.Root())
	w := c.Worker()
	w.Line(stream.Line{Number: 1, Bytes: []byte(text)}, doc)
	return c, w.Flush()
}

// TestIDsAreBounded: a trace with too many ids has no answer at its end, but that it is
// rejected.
func TestIDsAreBounded(t *testing.T) {
	text := `{"idx":0,"kind":"tool_called","step_id":"s1","call":{"id":"c1"}}`
	finish := func(most int, reject bool) error {
		c, apply := checkerOf(t.Context(), t, Options{}, stream.Limits{IDs: most}, text)
		if err := apply(); err != nil {
			t.Fatal(err)
		}
		if reject {
			c.sink.Reject(finding.Finding{})
		}
		_, err := c.Finish()
		if _, unknown := c.Snapshot(); !reject && (unknown == nil) != (err == nil) {
			t.Errorf("finished with %v, a snapshot with %v", err, unknown)
		}
		return err
	}
	var limit *stream.LimitError
	if err := finish(1, false); !errors.As(err, &limit) || limit.Flag != "--max-ids" {
		t.Errorf("two ids: %v", err)
	}
	if err := finish(2, false); err != nil {
		t.Errorf("two ids are too many for a limit of two: %v", err)
	}
	if err := finish(1, true); err != nil {
		t.Errorf("a rejected trace: %v", err)
	}
}

// TestPartial is what an interrupted run knows.
func TestPartial(t *testing.T) {
	text := `{"idx":0,"kind":"step_started","step_id":"s1"}`
	c, apply := checkerOf(t.Context(), t, Options{}, stream.Limits{}, text)
	if out := c.Partial(); out.Events != 0 || len(out.NotCovered) != 5 {
		t.Errorf("before the first block: %+v", out)
	}
	if err := apply(); err != nil {
		t.Fatal(err)
	}
	if out := c.Partial(); out.Events != 1 || out.Canonicalization != nil || len(out.NotCovered) != 5 {
		t.Errorf("after it: %+v", out)
	}
	if flush := c.Worker().Flush(); flush != nil {
		t.Error("a worker without lines has something to apply")
	}
	ctx, cancel := context.WithCancel(t.Context())
	c, apply = checkerOf(ctx, t, Options{Run: &fstest.MapFS{"manifest.json": {Data: []byte("{}")}}}, stream.Limits{}, text)
	cancel()
	if err := apply(); !errors.Is(err, context.Canceled) {
		t.Errorf("a block after the context ended: %v", err)
	}
	if _, err := c.Finish(); !errors.Is(err, context.Canceled) {
		t.Errorf("the end after the context ended: %v", err)
	}
}

// TestManifest compares a run with manifests that do not fit.
func TestManifest(t *testing.T) {
	hash := reasoningtest.Hash("text")
	for manifest, want := range map[string][]string{
		`{"a":"` + hash + `"}`:                                        nil,
		`{"./a":"` + hash + `"}`:                                      nil,
		`{"a":"` + reasoningtest.Hash("") + `"}`:                      {`"a" has another digest than the manifest says`},
		`{"b":"` + hash + `"}`:                                        {`"b" of the manifest: the file is missing`},
		`{"folder":"` + hash + `"}`:                                   {`"folder" of the manifest: content_path is a directory, expected a regular file`},
		`{"../a":"` + hash + `","":"` + hash + `","a":7}`:             {`unsafe path "../a" in the manifest`, `unsafe path "" in the manifest`, `the manifest has no SHA-256 for "a"`},
		`{"a":"` + reasoningtest.Hash("") + `","./a":"` + hash + `"}`: {`"a" has another digest than the manifest says`},
		`[]`: {`the manifest cannot be read: it is not an object of paths and digests`},
		`{`:  {`the manifest cannot be read: `},
	} {
		r := testRun{trace: []byte(`{"trace_schema_version":1}`), files: &fstest.MapFS{"a": {Data: []byte("text")}, "folder/b": {}, "manifest.json": {Data: []byte(manifest)}}}
		r.opt = Options{Run: r.files, ManifestName: "manifest.json", Manifest: true}
		for _, limits := range []stream.Limits{{}, {Findings: 1}} {
			got := r.verify(t, limits)
			var messages []string
			for _, f := range got.findings {
				if f.Rule == "manifest.mismatch" {
					messages = append(messages, f.Message)
				}
			}
			if got.counts[finding.Error] != len(want) {
				t.Errorf("%s: %d errors, want %d", manifest, got.counts[finding.Error], len(want))
			}
			if limits.Findings == 0 && (len(messages) != len(want) || len(want) > 0 && !strings.HasPrefix(messages[0], want[0])) {
				t.Errorf("%s: %q, want %q", manifest, messages, want)
			}
		}
	}
	r := testRun{trace: []byte(`{"trace_schema_version":1}`), files: &fstest.MapFS{}}
	r.opt = Options{Run: r.files, Manifest: true}
	if got := r.verify(t, stream.Limits{}); !got.has("manifest.mismatch") {
		t.Errorf("no manifest: %v", got.rules())
	}
}

// TestTraceID recomputes the id of a trace, and notices each event that changes.
func TestTraceID(t *testing.T) {
	r := newRun(reasoningtest.Incident(reasoningtest.Wrapped).Files())
	r.opt.CheckIDs = true
	if got := r.verify(t, stream.Limits{}); got.has("id.trace_mismatch") || !slices.Equal(got.outcome.Canonicalization, []string{Profile.Name}) {
		t.Errorf("%v, %v", got.rules(), got.outcome.Canonicalization)
	}
	r.trace = bytes.Replace(r.trace, []byte("search_logs"), []byte("search_mail"), 1)
	if got := r.verify(t, stream.Limits{}); !got.has("id.trace_mismatch") || got.outcome.Canonicalization != nil {
		t.Errorf("%v, %v", got.rules(), got.outcome.Canonicalization)
	}
	r.trace = bytes.Replace(r.trace, []byte("trace_v1_"), []byte("trace_v1_"+strings.Repeat("0", 100)), 1)
	if got := r.verify(t, stream.Limits{}); !got.has("id.trace_mismatch") {
		t.Errorf("%v", got.rules())
	}
	flat := testRun{trace: []byte(`{"trace_schema_version":1}`), files: &fstest.MapFS{}, opt: Options{CheckIDs: true}}
	if got := flat.verify(t, stream.Limits{}); !got.has("id.trace_mismatch") {
		t.Errorf("no id: %v", got.rules())
	}
	doc, err := strictjson.NewScanner(strictjson.Limits{}).Scan([]byte(`{"b":[-0.0,1e16],"a":1.0}`))
	if err != nil {
		t.Fatal(err)
	}
	if got := string(jcs.NewWriter(Profile).Append(nil, doc.Root())); got != `{"a":1.0,"b":[0.0,1e+16]}` {
		t.Errorf("%s", got)
	}
}
