package trace_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/cupel-dev/cupel/trace"
	"github.com/cupel-dev/cupel/trace/reasoning"
	"github.com/cupel-dev/cupel/trace/reasoning/reasoningtest"
)

// folder is a run's files in memory.
type folder struct{ fstest.MapFS }

func inMemory(files []reasoningtest.File) (folder, []byte) {
	f, lines := folder{fstest.MapFS{}}, []byte(nil)
	for _, file := range files {
		f.MapFS[file.Name] = &fstest.MapFile{Data: file.Data}
		if file.Name == "trace.jsonl" {
			lines = file.Data
		}
	}
	return f, lines
}

// options verify a run in memory.
func (f folder) options() trace.Options {
	opt := trace.Options{Name: "trace.jsonl", Reasoning: reasoning.Options{Evidence: &f, Run: &f, ManifestName: "manifest.json"}}
	if plan, ok := f.MapFS["plan.json"]; ok {
		opt.Reasoning.Plan, opt.Reasoning.PlanName = bytes.NewReader(plan.Data), "plan.json"
	}
	return opt
}

func verify(t *testing.T, input []byte, opt trace.Options) *trace.Report {
	t.Helper()
	r, err := trace.Verify(context.Background(), bytes.NewReader(input), opt)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestJobsDoNotMatter damages a run at many places and verifies it with one worker and
// with several: the reports are the same to the last byte.
func TestJobsDoNotMatter(t *testing.T) {
	files, lines := inMemory(reasoningtest.Research(reasoningtest.Wrapped, 2_000).Files())
	random := rand.New(rand.NewPCG(1, 2))
	for round := range 8 {
		input := bytes.Clone(lines)
		for range round {
			damage(random, input, round%3 == 0)
		}
		var first []byte
		for _, jobs := range []int{1, 2, 5} {
			opt := files.options()
			opt.Jobs = jobs
			report := verify(t, input, opt)
			text, err := json.Marshal(report)
			if err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first = text
				t.Logf("round %d: %s, %d errors, %d warnings", round, report.Verdict, report.Errors, report.Warnings)
			}
			if !bytes.Equal(text, first) {
				t.Fatalf("round %d: the report with %d jobs differs from the one with 1:\n%s\n%s", round, jobs, text, first)
			}
		}
	}
}

// damage changes a digit somewhere, which leaves most lines readable, or any byte.
func damage(random *rand.Rand, b []byte, anyByte bool) {
	for {
		i := random.IntN(len(b))
		if anyByte && b[i] != '\n' || b[i] >= '0' && b[i] <= '9' {
			b[i] = '0' + byte(random.IntN(10))
			return
		}
	}
}

// TestEveryLineIsAccountedFor counts the lines of damaged traces.
func TestEveryLineIsAccountedFor(t *testing.T) {
	files, lines := inMemory(reasoningtest.Incident(reasoningtest.Wrapped).Files())
	random := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		input := bytes.Clone(lines)
		for range 1 + random.IntN(4) {
			damage(random, input, true)
		}
		input = append(input, strings.Repeat("\n \n", random.IntN(3))...)
		r := verify(t, input, files.options())
		total := r.Events + r.Header + r.Blank + r.Unreadable
		if want := int64(bytes.Count(input, []byte{'\n'})); total != want {
			t.Fatalf("%d events, %d headers, %d blank and %d unreadable lines are %d, want %d\n%s", r.Events, r.Header, r.Blank, r.Unreadable, total, want, input)
		}
	}
}

// TestAnyChangedByteIsSeen changes every third byte of the evidence: the run is never
// valid.
func TestAnyChangedByteIsSeen(t *testing.T) {
	files, lines := inMemory(reasoningtest.Incident(reasoningtest.Flat).Files())
	seen := 0
	for name, file := range files.MapFS {
		if !strings.HasPrefix(name, "evidence/") {
			continue
		}
		good := file.Data
		for i := 0; i < len(good); i += 3 {
			file.Data = bytes.Clone(good)
			file.Data[i] ^= 1
			if r := verify(t, lines, files.options()); r.Verdict != trace.Invalid {
				t.Fatalf("byte %d of %s changed: %s", i, name, r.Verdict)
			}
			seen++
		}
		file.Data = good
	}
	if r := verify(t, lines, files.options()); r.Verdict != trace.Valid {
		t.Fatalf("unchanged: %s %+v", r.Verdict, r.Findings)
	}
	t.Logf("%d changed bytes", seen)
}

// TestExplanations damages one citation or one file and reads what may have happened.
func TestExplanations(t *testing.T) {
	const document = "Größe: 3 m\nGewicht: 40 kg\n"
	cite := func(from, to int, quote string) string {
		return fmt.Sprintf(`{"idx":2,"kind":"claim_emitted","step_id":"s1","claim":{"claim_type":"assumed","supports":[{"ref_id":"e1","span":[%d,%d],"snippet_sha256":%q}]}}`,
			from, to, reasoningtest.Hash(quote))
	}
	for name, c := range map[string]struct {
		onDisk string
		claim  string
		rule   string
		note   string
	}{
		"characters":       {document, cite(0, 10, "Größe: 3 m"), "hash.snippet", "would match as character offsets: in bytes the span is [0,12]"},
		"shifted":          {document, cite(16, 24, "Gewicht:"), "hash.snippet", "would match shifted by -3: the span is [13,21]"},
		"whole file":       {document, cite(0, 99, document), "span.out_of_bytes", "would match as the whole file"},
		"last byte in":     {document, cite(13, 19, "Gewicht"), "hash.snippet", "would match with the end counted in: spans end before their second number"},
		"CRLF on disk":     {strings.ReplaceAll(document, "\n", "\r\n"), cite(13, 20, "Gewicht"), "hash.evidence", "would match with LF line ends: the file was rewritten with CRLF"},
		"newline added":    {document + "\n", cite(13, 20, "Gewicht"), "hash.evidence", "would match without the final line end, which was added"},
		"newline removed":  {strings.TrimSuffix(document, "\n"), cite(13, 20, "Gewicht"), "hash.evidence", "would match with a final newline, which was removed"},
		"byte order mark":  {"\ufeff" + document, cite(13, 20, "Gewicht"), "hash.evidence", "would match without the byte order mark, which was added"},
		"cut":              {document[:20], cite(0, 5, "Grö\xc3"), "hash.evidence", "the file has 20 bytes, the evidence's span 28"},
		"some other words": {document, cite(0, 5, "Breite"), "hash.snippet", ""},
	} {
		t.Run(name, func(t *testing.T) {
			hash := reasoningtest.Hash(document)
			input := strings.Join([]string{`{"trace_schema_version":1}`, `{"idx":0,"kind":"step_started","step_id":"s1"}`,
				fmt.Sprintf(`{"idx":1,"kind":"evidence_registered","step_id":"s1","evidence":{"id":"e1","uri":"mem://1","span":[0,%d],"sha256":%q,"chunk_id":%q,"content_path":"e1.txt"}}`, len(document), hash, hash),
				c.claim, `{"idx":3,"kind":"step_finished","step_id":"s1","output":{"type":"derive"}}`}, "\n")
			files := folder{fstest.MapFS{"e1.txt": {Data: []byte(c.onDisk)}}}
			r := verify(t, []byte(input), files.options())
			i := slices.IndexFunc(r.Findings, func(f trace.Finding) bool { return f.Rule == c.rule })
			if i < 0 {
				t.Fatalf("no %s: %+v", c.rule, r.Findings)
			}
			if got := strings.Join(r.Findings[i].Notes, "; "); got != c.note {
				t.Errorf("note %q, want %q", got, c.note)
			}
		})
	}
}

// failing is a folder whose files cannot be read.
type failing struct {
	open error // of Open; nil: reading fails
}

var errDisk = errors.New("the disk is gone")

func (f failing) Open(name string) (fs.File, error) {
	if f.open != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: f.open}
	}
	file, err := fstest.MapFS{name: {Data: []byte("x")}}.Open(name)
	return broken{file}, err
}

func (f failing) Lstat(name string) (fs.FileInfo, error) { return nil, fs.ErrNotExist }

type broken struct{ fs.File }

func (broken) Read([]byte) (int, error) { return 0, errDisk }

// TestUnreadableEvidence tells what the run lacks from what the machine could not do.
func TestUnreadableEvidence(t *testing.T) {
	_, lines := inMemory(reasoningtest.Incident(reasoningtest.Flat).Files())
	opt := trace.Options{Reasoning: reasoning.Options{Evidence: failing{fs.ErrPermission}}}
	r := verify(t, lines, opt)
	if r.Verdict != trace.Invalid || r.Findings[len(r.Findings)-1].Rule != "path.missing_file" || !strings.Contains(r.Findings[len(r.Findings)-1].Message, "permission denied") {
		t.Errorf("no permission: %s %+v", r.Verdict, r.Findings)
	}
	opt.Reasoning.Evidence = failing{}
	if _, err := trace.Verify(context.Background(), bytes.NewReader(lines), opt); !errors.Is(err, errDisk) {
		t.Errorf("a disk that fails: %v", err)
	}
	if _, err := trace.Verify(context.Background(), io.MultiReader(bytes.NewReader(lines), badReader{}), trace.Options{}); !errors.Is(err, errDisk) {
		t.Errorf("an input that fails: %v", err)
	}
}

type badReader struct{}

func (badReader) Read([]byte) (int, error) { return 0, errDisk }

// TestManyFindings keeps the limit of findings, and every fault is counted.
func TestManyFindings(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"trace_schema_version":1}` + "\n")
	const n = 5_000
	for i := range n {
		fmt.Fprintf(&b, `{"idx":%d,"kind":"tool_returned","step_id":"s1","result":{"call_id":"c%d"}}`+"\n", i, i)
	}
	for _, limit := range []int{1, 100, 0} {
		r := verify(t, []byte(b.String()), trace.Options{Limits: trace.Limits{Findings: limit}})
		if limit == 0 {
			limit = 1_000
		}
		kept := 0
		for _, f := range r.Findings {
			if f.Severity.String() == "error" {
				kept++
			}
		}
		if kept != limit || r.Errors != 2*n { // each event is outside its step, and answers no call
			t.Errorf("limit %d: %d errors kept of %d, want %d of %d", limit, kept, r.Errors, limit, 2*n)
		}
	}
}

// FuzzVerify verifies anything: no input panics, the number of workers and the size of
// the reads do not matter, the lines add up, and both engines agree.
func FuzzVerify(f *testing.F) {
	for _, files := range reasoningtest.Examples() {
		_, lines := inMemory(files)
		f.Add(lines)
	}
	for _, r := range trace.Rules() {
		f.Add([]byte(r.Bad))
	}
	files, _ := inMemory(reasoningtest.Incident(reasoningtest.Wrapped).Files())
	f.Fuzz(func(t *testing.T, input []byte) {
		one := files.options()
		one.Jobs = 1
		a, err := trace.Verify(context.Background(), bytes.NewReader(input), one)
		if err != nil {
			t.Fatal(err)
		}
		two := files.options()
		two.Jobs, two.Engine = 3, trace.Both
		b, err := trace.Verify(context.Background(), inPieces(input), two)
		if err != nil {
			t.Fatal(err)
		}
		x, _ := json.Marshal(a)
		y, _ := json.Marshal(b)
		if !bytes.Equal(x, y) {
			t.Errorf("the reports differ:\n%s\n%s", x, y)
		}
	})
}

// inPieces reads in small pieces, so that blocks end at every place.
func inPieces(b []byte) io.Reader {
	return &pieces{bytes.NewReader(b)}
}

type pieces struct{ r io.Reader }

func (p *pieces) Read(b []byte) (int, error) { return p.r.Read(b[:min(len(b), 61)]) }

// TestSupportsWithoutReference cites evidence by its bytes alone: a recent one is found
// and named, one that is too long ago is not, and the finding says how far the search
// went.
func TestSupportsWithoutReference(t *testing.T) {
	const n = 1_500
	files := folder{fstest.MapFS{}}
	var b strings.Builder
	b.WriteString(`{"trace_schema_version":1}` + "\n" + `{"idx":0,"kind":"step_started","step_id":"s1"}` + "\n")
	body := func(i int) string { return fmt.Sprintf("evidence number %04d", i) }
	for i := range n {
		text, path := body(i), fmt.Sprintf("e/%d.txt", i)
		files.MapFS[path] = &fstest.MapFile{Data: []byte(text)}
		fmt.Fprintf(&b, `{"idx":%d,"kind":"evidence_registered","step_id":"s1","evidence":{"id":"id-%d","uri":"mem://%d","span":[0,%d],"sha256":%q,"chunk_id":%q,"content_path":%q}}`+"\n",
			i+1, i, i, len(text), reasoningtest.Hash(text), reasoningtest.Hash(text), path)
	}
	for k, i := range []int{n - 1, n - 1_000, 0} {
		fmt.Fprintf(&b, `{"idx":%d,"kind":"claim_emitted","step_id":"s1","claim":{"claim_type":"observed","supports":[{"span":[9,20],"snippet_sha256":%q}]}}`+"\n",
			n+1+k, reasoningtest.Hash(body(i)[9:20]))
	}
	fmt.Fprintf(&b, `{"idx":%d,"kind":"step_finished","step_id":"s1","output":{"type":"derive"}}`+"\n", n+4)
	r := verify(t, []byte(b.String()), files.options())
	var got []string
	for _, f := range r.Findings {
		if f.Rule == "support.found_by_hash" || f.Rule == "hash.snippet" {
			got = append(got, fmt.Sprintf("%s %s %v", f.Rule, f.Message, f.Notes))
		}
	}
	want := []string{
		`support.found_by_hash the support names no evidence; its bytes are those of "id-1499" []`,
		`support.found_by_hash the support names no evidence; its bytes are those of "id-500" []`,
		`hash.snippet no evidence before the claim has these bytes at [9,20] [the support names no evidence only the latest 1024 evidence files were searched: name the evidence with "ref_id"]`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
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
	plan := fmt.Sprintf(`{"id":"p1","nodes":[%s]}`, strings.Join(nodes, ","))
	opt := trace.Options{Reasoning: reasoning.Options{Plan: strings.NewReader(plan), PlanName: "plan.json"}}
	if r := verify(t, []byte(`{"trace_schema_version":1}`+"\n"+strings.Join(events, "\n")), opt); r.Verdict != trace.Valid {
		t.Errorf("in order: %s %+v", r.Verdict, r.Findings)
	}
	slices.Reverse(events)
	opt.Reasoning.Plan = strings.NewReader(plan)
	r := verify(t, []byte(strings.Join(events, "\n")), opt)
	if want := n * (n - 1) / 2; r.Errors < want || len(r.Findings) > 2_000 {
		t.Errorf("reversed: %d errors, %d kept; want at least %d errors", r.Errors, len(r.Findings), want)
	}
}
