package commands_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/commands"
	"github.com/cupel-dev/cupel/internal/sessiontest"
)

// said is what a run said.
type said struct {
	code        int
	out, stderr string
}

func verifyAll(ctx context.Context, out io.Writer, args ...string) (code int, stderr string) {
	var errs bytes.Buffer
	env := commands.Env{Context: ctx, Stdin: strings.NewReader(""), Stdout: out, Stderr: &errs, Getenv: func(string) string { return "" }}
	code = commands.Main(env, append([]string{"cupel", "trace", "verify"}, args...))
	return code, errs.String()
}

func verifySaid(t *testing.T, args ...string) said {
	t.Helper()
	var out bytes.Buffer
	code, stderr := verifyAll(t.Context(), &out, args...)
	return said{code, out.String(), stderr}
}

// shortLogs are logs of the project of some lines.
func shortLogs(t *testing.T) (list []string) {
	t.Helper()
	for _, v := range verifications(t) {
		if len(v.log) < 16<<10 {
			list = append(list, string(v.log))
		}
	}
	return list
}

// manyLogs writes inputs of every kind into a folder and returns their paths: small and large, valid and broken, with
// companion files, and unreadable ones.
func manyLogs(t *testing.T) (paths []string) {
	t.Helper()
	dir := t.TempDir()
	add := func(name, text string) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		writeFile(t, path, []byte(text))
		paths = append(paths, path)
	}
	for i, log := range shortLogs(t) {
		add(fmt.Sprintf("log%d.jsonl", i), log)
	}
	for i := range 8 {
		random := rand.New(rand.NewPCG(1, uint64(i)))
		log := sessiontest.Arbitrary(random, []string{"session-v0", "session-v1"}[i%2], "s1")
		add(fmt.Sprintf("drawn%d.jsonl", i), strings.Join(sessiontest.Damage(random, log, log), "\n"))
	}
	var day strings.Builder
	if err := sessiontest.WorkingDay(&day, 120); err != nil {
		t.Fatal(err)
	}
	add("large.jsonl", day.String())
	add("large-bad.jsonl", "not json\n"+day.String())
	for _, name := range []string{"session", "damaged"} {
		text := string(read(t, filepath.Join("../testdata/examples/transcripts", name+".jsonl")))
		for i, times := range []int{1, 7_000, 150_000} { // 64 KiB and 2 MiB are limits
			long := strings.Replace(text, "list the files", strings.Repeat("list the files ", times), 1)
			add(fmt.Sprintf("transcript-%s-%d.jsonl", name, i), long)
		}
	}
	add("packed.jsonl", "\x1f\x8b\x08\x00canary")
	add("blank.jsonl", "\n \n")
	add("\n::stop::\x1b.jsonl", "{}\n")
	runs, err := filepath.Glob("../testdata/examples/trace/*/trace.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	paths = append(paths, runs...)
	return append(paths, filepath.Join(dir, "missing.jsonl"), filepath.Join(dir, "no*such"))
}

// TestSeveralAreOneByOne: a run over many inputs says of each what a run over it alone
// says, in operand order, and its exit code is the worst.
func TestSeveralAreOneByOne(t *testing.T) {
	paths := manyLogs(t)
	type key struct{ flags, path string }
	known := map[key]said{}
	one := func(flags []string, path string) said {
		k := key{strings.Join(flags, " "), path}
		if _, ok := known[k]; !ok {
			known[k] = verifySaid(t, append(append([]string{}, flags...), path)...)
		}
		return known[k]
	}
	rapid.Check(t, func(r *rapid.T) {
		operands := rapid.SliceOfN(rapid.SampledFrom(paths), 2, 20).Draw(r, "operands")
		flags := append([]string{"--format=" + rapid.SampledFrom([]string{"jsonl", "short"}).Draw(r, "format"), "-q"},
			rapid.SampledFrom([][]string{nil, {"--max-findings=1"}, {"--strict"}, {"--integrity-only"}, {"--no-evidence"}, {"--fail-on=warning"}}).Draw(r, "flags")...)
		var want said
		for _, path := range operands {
			alone := one(flags, path)
			want.code = max(want.code, alone.code)
			want.out += withoutSummary(alone.out)
			want.stderr += alone.stderr
		}
		jobs := fmt.Sprintf("--jobs=%d", rapid.IntRange(1, 5).Draw(r, "jobs"))
		got := verifySaid(t, append(append(append([]string{}, flags...), jobs), operands...)...)
		got.out = withoutSummary(got.out)
		got.stderr, want.stderr = eachHintOnce(got.stderr), eachHintOnce(want.stderr)
		if got != want {
			r.Fatalf("%s %s %q: exit code %d, expected %d; they differ at\n%s", flags, jobs, operands, got.code, want.code, difference(got.out+got.stderr, want.out+want.stderr))
		}
	})
}

// eachHintOnce leaves out the hints that a run has given before.
func eachHintOnce(said string) string {
	seen := map[string]bool{}
	var kept strings.Builder
	for line := range strings.Lines(said) {
		if !strings.HasPrefix(line, "cupel: hint: ") || !seen[line] {
			kept.WriteString(line)
		}
		seen[line] = true
	}
	return kept.String()
}

var closingLine = regexp.MustCompile(`(?m)^(?:passed|failed|error|interrupted): .*\n\z`)

// difference shows two texts from the first line on that is not the same.
func difference(got, want string) string {
	g, w := strings.SplitAfter(got, "\n"), strings.SplitAfter(want, "\n")
	i := 0
	for i < min(len(g), len(w))-1 && g[i] == w[i] {
		i++
	}
	return fmt.Sprintf("got:  %.300s\nwant: %.300s", g[i], w[i])
}

// withoutSummary leaves out the last line of a report in lines, or its closing line.
func withoutSummary(report string) string {
	if i := closingLine.FindStringIndex(report); i != nil {
		report = report[:i[0]]
	}
	if i := strings.LastIndex(report, `{"type":"summary","schema":"cupel.trace/1",`); i >= 0 {
		return report[:i]
	}
	return report
}

// TestSeveralInFolders: a walk over many small files says the same with any number of
// workers, in every format.
func TestSeveralInFolders(t *testing.T) {
	dir := t.TempDir()
	for i, log := range shortLogs(t) {
		for j := range 5 {
			writeFile(t, filepath.Join(dir, fmt.Sprint(j%3), fmt.Sprintf("log%d.%d.jsonl", i, j)), []byte(log))
		}
		writeFile(t, filepath.Join(dir, "other", fmt.Sprintf("event%d.jsonl", i)), []byte(`{"specversion":"1.0"}`+"\n"))
	}
	for _, format := range []string{"text", "short", "json", "jsonl", "sarif", "github", "junit", "gitlab", "checkstyle", "tap"} {
		args := []string{"--format", format, "--show-files", "--max-findings=3", dir}
		want := verifySaid(t, append([]string{"--jobs=1"}, args...)...)
		if want.code != 1 || !strings.Contains(want.out, "log1.4.jsonl") {
			t.Fatalf("exit code %d\n%s%s", want.code, want.out, want.stderr)
		}
		for _, jobs := range []string{"2", "7"} {
			if got := verifySaid(t, append([]string{"--jobs=" + jobs}, args...)...); got != want {
				t.Errorf("%s, %s jobs: exit code %d, expected %d; they differ at\n%s", format, jobs, got.code, want.code, difference(got.out+got.stderr, want.out+want.stderr))
			}
		}
	}
}

// stopping is an output that interrupts the run once it has got a number of bytes.
type stopping struct {
	bytes.Buffer
	after int
	stop  context.CancelFunc
}

func (s *stopping) Write(p []byte) (int, error) {
	if s.Len()+len(p) >= s.after {
		s.stop()
	}
	return s.Buffer.Write(p)
}

// TestSeveralInterrupted checks that Ctrl-C during many small logs ends the run, and that its output is a prefix of
// the full output.
func TestSeveralInterrupted(t *testing.T) {
	log := read(t, "../testdata/examples/session/refund-edited.jsonl")
	dir := t.TempDir()
	for i := range 200 {
		writeFile(t, filepath.Join(dir, fmt.Sprintf("%03d.jsonl", i)), log)
	}
	whole := verifySaid(t, "--format=jsonl", dir)
	for after := 1; after < len(whole.out); after += len(whole.out) / 4 {
		ctx, cancel := context.WithCancel(t.Context())
		out := &stopping{after: after, stop: cancel}
		code, _ := verifyAll(ctx, out, "--format=jsonl", dir)
		cancel()
		got := out.String()
		got = got[:strings.LastIndex(strings.TrimSuffix(withoutSummary(got), "\n"), "\n")+1] // the last line may say that
		if code != 130 || !strings.HasPrefix(whole.out, got) {
			t.Errorf("after %d bytes: exit code %d, %d bytes of %d", after, code, len(got), len(whole.out))
		}
	}
}
