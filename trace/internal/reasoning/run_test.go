package reasoning

import (
	"bytes"
	"cmp"
	"encoding/json"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/reasoningtest"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// testRun is a run in memory: its trace and companion files.
type testRun struct {
	trace []byte
	files *fstest.MapFS
	opt   Options
}

func newRun(files []reasoningtest.File) testRun {
	r := testRun{files: &fstest.MapFS{}}
	for _, f := range files {
		(*r.files)[f.Name] = &fstest.MapFile{Data: f.Data}
	}
	r.trace = (*r.files)["trace.jsonl"].Data
	r.opt = Options{Evidence: r.files, Run: r.files, ManifestName: "manifest.json", Jobs: 2}
	return r
}

// options returns the run's options, with a fresh reader of the plan.
func (r testRun) options() Options {
	opt := r.opt
	if plan, ok := (*r.files)["plan.json"]; ok && opt.Plan == nil {
		opt.Plan, opt.PlanName = bytes.NewReader(plan.Data), "plan.json"
	}
	return opt
}

// report is what a checker found.
type report struct {
	findings []finding.Finding
	counts   [3]int // infos, warnings, errors
	rejected bool
	outcome  stream.Outcome
}

// rules returns the findings in short: "rule@line".
func (r report) rules() (list []string) {
	for _, f := range r.findings {
		list = append(list, f.Rule+"@"+strconv.Itoa(f.Line))
	}
	return list
}

func (r report) has(rule string) bool {
	return slices.ContainsFunc(r.findings, func(f finding.Finding) bool { return f.Rule == rule })
}

// text returns all of a report, for comparisons.
func (r report) text(t *testing.T) string {
	t.Helper()
	slices.SortStableFunc(r.findings, func(a, b finding.Finding) int { return cmp.Or(cmp.Compare(a.File, b.File), finding.Compare(a, b)) })
	var b strings.Builder
	for _, f := range r.findings {
		text, err := json.Marshal(f)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(text)
		b.WriteString(" " + f.Source.Text + "\n")
	}
	text, err := json.Marshal(r.outcome)
	if err != nil {
		t.Fatal(err)
	}
	b.Write(text)
	return b.String()
}

// lines reads lines with a checker, which make returns when the first record is there,
// and closes it unless more will come.
func lines(t *testing.T, text []byte, after stream.Place, limits stream.Limits, more bool, makeChecker func(*stream.Findings, strictjson.Node) *Checker) (report, *Checker) {
	t.Helper()
	limits = limits.WithDefaults()
	findings := stream.NewFindings(limits.Findings)
	runner := &stream.Runner{Findings: findings, Limits: limits, Jobs: 2}
	var checker *Checker
	runner.Detect = func(_ stream.Line, root strictjson.Node) stream.Checker {
		checker = makeChecker(findings, root)
		return checker
	}
	if err := runner.Run(t.Context(), stream.NewGrowing(bytes.NewReader(append(bytes.Clone(text), '\n')), limits, 0, after)); err != nil {
		t.Fatal(err)
	}
	var r report
	if !more {
		if checker == nil {
			runner.Detect(stream.Line{}, strictjson.Node{})
		}
		var err error
		if r.outcome, err = checker.Finish(); err != nil {
			t.Fatal(err)
		}
	}
	r.rejected = findings.Rejected()
	r.findings, r.counts[0], r.counts[1], r.counts[2] = findings.Close()
	return r, checker
}

// verify runs a checker over the whole trace.
func (r testRun) verify(t *testing.T, limits stream.Limits) report {
	t.Helper()
	got, _ := lines(t, r.trace, stream.Place{}, limits, false, func(f *stream.Findings, first strictjson.Node) *Checker {
		return New(t.Context(), r.options(), limits.WithDefaults(), f, first)
	})
	return got
}

// examples returns the runs that show the rules, and those of the generator.
func examples(t *testing.T) map[string]testRun {
	t.Helper()
	all := map[string]testRun{
		"research":      newRun(reasoningtest.Research(reasoningtest.Wrapped, 60).Files()),
		"research flat": newRun(reasoningtest.Research(reasoningtest.Flat, 60).Files()),
	}
	for name, files := range reasoningtest.Examples() {
		all[name] = newRun(files)
	}
	odd := newRun(reasoningtest.Incident(reasoningtest.Wrapped).Files())
	odd.trace = bytes.ReplaceAll(odd.trace, []byte(`{"event":{`), []byte(`{"event":{"mood":"calm",`))
	all["additive members"] = odd
	text, err := os.ReadFile("../../examples.txt")
	if err != nil {
		t.Fatal(err)
	}
	for part := range strings.SplitSeq("\n"+string(text), "\n=== ") {
		name, example, _ := strings.Cut(part, "\n")
		if r, ok := unpack(t, name, example+"\n"); ok {
			all[name] = r
		}
	}
	if len(all) < 100 {
		t.Fatalf("%d runs", len(all))
	}
	return all
}

// unpack reads an example of the rules; ok is false when it is of another family or needs
// a disk.
func unpack(t *testing.T, name, example string) (r testRun, ok bool) {
	archive := txtar.Parse([]byte(example))
	if len(archive.Files) == 0 {
		archive.Comment, archive.Files = nil, []txtar.File{{Name: "trace.jsonl", Data: []byte(example)}}
	}
	var files []reasoningtest.File
	for _, f := range archive.Files {
		files = append(files, reasoningtest.File{Name: f.Name, Data: f.Data})
	}
	comment := string(archive.Comment)
	if name == "" || strings.Contains(comment, "symlink") || strings.Contains(comment, "unquote") || strings.Contains(comment, "--max-") || strings.Contains(comment, "--expect-") {
		return r, false
	}
	r = newRun(files)
	if bytes.Contains(r.trace, []byte(`"event_type"`)) {
		return r, false
	}
	for line := range strings.Lines(comment) {
		flags, _ := strings.CutPrefix(strings.TrimSpace(line), "# flags:")
		r.flags(t, strings.Fields(flags))
	}
	return r, true
}

// flags sets the options that flags of trace verify ask for.
func (r *testRun) flags(t *testing.T, flags []string) {
	for i, flag := range flags {
		switch flag {
		case "--strict":
			r.opt.Strict = true
		case "--contiguous":
			r.opt.Contiguous = true
		case "--accept-aliases":
			r.opt.AcceptAliases = true
		case "--check-ids":
			r.opt.CheckIDs = true
		case "--manifest":
			r.opt.Manifest = true
		case "--no-evidence":
			r.opt.Evidence = nil
		case "--schema-versions":
			r.opt.SchemaVersions = []int64{1, 2}
		default:
			if i == 0 || !strings.HasPrefix(flags[i-1], "--") {
				t.Fatalf("an example has the flag %s", flag)
			}
		}
	}
}
