package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	sdk "github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/log"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"
	"github.com/klauspost/compress/zstd"

	"github.com/cupel-dev/cupel/commands"
	"github.com/cupel-dev/cupel/internal/sessiontest"
)

// testLimit bounds every test that runs a pipeline.
const testLimit = 5 * time.Minute

func TestMain(m *testing.M) {
	log.SetupLogging("error", "text")
	sdk.Init()
	os.Exit(m.Run())
}

// plain is what `cupel trace verify --format json` says.
func plain(t *testing.T, args ...string) []byte {
	t.Helper()
	var out, said bytes.Buffer
	env := commands.Env{Context: t.Context(), Stdout: &out, Stderr: &said, Getenv: func(string) string { return "" }}
	if code := commands.Main(env, append([]string{"cupel", "trace", "verify", "--format", "json"}, args...)); code == exitCannot {
		t.Fatalf("cupel trace verify cannot answer: %s", said.Bytes())
	}
	return ownFacts.ReplaceAll(out.Bytes(), nil)
}

// equalButCauses reports whether two texts with reports are equal. The causes of damage are compared only where got
// does not say that it could not look for them.
func equalButCauses(got, want []byte) bool {
	if bytes.Contains(got, []byte(`,"undiagnosed":`)) {
		got, want = withoutCauses(got), withoutCauses(want)
	}
	return bytes.Equal(got, want)
}

// withoutCauses returns a text with reports without what they say of the causes of damage, which cannot be looked for
// in ranges.
func withoutCauses(text []byte) []byte { return causes.ReplaceAll(text, nil) }

// causes matches what a report says of the causes of damage.
var causes = regexp.MustCompile(`,"damage":\[({[^}]*},?)*\]|,"undiagnosed":"[^"]*"|,"the cause of the damage: it was not looked for[^"]*"`)

// ownFacts matches what only a run of `cupel trace verify` knows: its options and list of inputs, and the digest of
// an input that it reads from the first byte to the last.
var ownFacts = regexp.MustCompile(`(?m)^ +"(cupel_version|options|shard_list|decided_with)": .*\n|,"sha256":"[0-9a-f]{64}","bytes":[0-9]+`)

// newJob returns a job with default flags.
func newJob(output string, inputs ...string) *job {
	j := &job{mode: modeFiles, inputs: inputs, output: output, split: 256 << 20, shards: 1}
	j.terms.SchemaVersions, j.terms.Canonicalization = "1", "auto"
	return j
}

// finish runs a job on Prism and returns what it printed at the end.
func finish(t *testing.T, j *job) (tally, error) {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), testLimit)
	defer stop()
	if err := j.check(nil); err != nil {
		return tally{}, err
	}
	return j.run(ctx, beamx.Run)
}

// reports returns the documents of a job, in the order of their names.
func reports(t *testing.T, folder string) (documents [][]byte) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(folder, reportNames))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		documents = append(documents, text)
	}
	return documents
}

// logs writes logs of all kinds into the working folder, which is a new one.
func logs(t *testing.T) (names []string) {
	t.Helper()
	t.Chdir(t.TempDir())
	write := func(name, text string) {
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o777), os.WriteFile(name, []byte(text), 0o666)); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	var day bytes.Buffer
	if err := sessiontest.WorkingDay(&day, 50); err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(day.String(), "\n")
	write("logs/clean.jsonl", day.String())
	write("logs/swapped.jsonl", strings.Join(append(slices.Clone(lines[:10]), append([]string{lines[11], lines[10]}, lines[12:]...)...), ""))
	write("logs/cut.jsonl", day.String()[:day.Len()-9])
	write("logs/edited.jsonl", strings.Replace(day.String(), "TOOL_CALL", "TOOL_CALLS", 1))
	write("logs/empty.jsonl", "")
	write("logs/noise.jsonl", "{\"event_type\":&\n\x00\n")
	write("logs/a line\nend.jsonl", lines[0])
	write("logs/run/trace.jsonl", `{"type":"header"}`+"\n")
	write("logs/run/trace.jsonl.gz", gzipped(t, `{"type":"header"}`+"\n"))
	write("logs/members.jsonl.gz", gzipped(t, day.String()[:100])+gzipped(t, day.String()[100:]))
	write("logs/swapped.jsonl.zst", zstandard(t, strings.Join(lines[1:], "")))
	slices.Sort(names)
	return names
}

// gzipped returns a text as one gzip member.
func gzipped(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := io.WriteString(w, text)
	if err = errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// zstandard returns a text as one zstd frame.
func zstandard(t *testing.T, text string) string {
	t.Helper()
	w, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	if err != nil {
		t.Fatal(err)
	}
	return string(w.EncodeAll([]byte(text), nil))
}

// TestSameBytes: each report is the document of `cupel trace verify --shard`, byte for byte,
// whether logs are verified at once or by ranges, of whatever length.
func TestSameBytes(t *testing.T) {
	names := logs(t)
	for i, c := range []struct {
		mode   string
		split  size
		shards int
	}{
		{modeFiles, 1 << 20, 1},
		{modeFiles, 1 << 20, 3},
		{modeFiles, 1 << 20, 20},
		{modeFiles, 4000, 2},
		{modeFiles, 100, 1},
		{modeRanges, 1 << 20, 1},
		{modeRanges, 2999, 3},
	} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			out := fmt.Sprintf("out-%d/below", i)
			j := newJob(out, "logs/*.jsonl*", "logs/clean.jsonl", "logs/run/*")
			j.mode, j.split, j.shards = c.mode, c.split, c.shards
			got, err := finish(t, j)
			if err != nil {
				t.Fatal(err)
			}
			if got.Inputs != int64(len(names)) || got.verdict() != errNo {
				t.Errorf("%v, %v", got, got.verdict())
			}
			documents := reports(t, out)
			if len(documents) != c.shards {
				t.Fatalf("%d reports", len(documents))
			}
			for k, document := range documents {
				if want := plain(t, append([]string{"--shard", fmt.Sprintf("%d/%d", k+1, c.shards), "--"}, names...)...); !equalButCauses(document, want) {
					t.Errorf("report %d is\n%s\nwant\n%s", k+1, document, want)
				}
			}
			if left, err := os.ReadDir(out); err != nil || len(left) != c.shards+1 {
				t.Errorf("the folder holds %v, %v", left, err)
			}
			fitting(t, out)
		})
	}
}

// TestAllValid: only then is the answer yes.
func TestAllValid(t *testing.T) {
	logs(t)
	got, err := finish(t, newJob("out", "logs/clean.jsonl"))
	if err != nil || got.verdict() != nil || got.String() != "1 input: 1 valid, 0 invalid, 0 rejected; 0 errors, 0 warnings" {
		t.Errorf("%v, %v, %v", got, err, got.verdict())
	}
}

// TestNothingIsSilentlyGreen checks that an unreadable input is an error in the report, in addition to the reports on
// the rest.
func TestNothingIsSilentlyGreen(t *testing.T) {
	logs(t)
	if err := errors.Join(
		syscall.Mkfifo("logs/pipe.jsonl", 0o666), os.Symlink("/etc/passwd", "logs/out.jsonl"), os.Symlink("/dev/zero", "endless"),
		os.WriteFile("cut.gz", []byte(gzipped(t, strings.Repeat("{}\n", 99))[:20]), 0o666),
		os.WriteFile("followed.zst", []byte(zstandard(t, "{}\n")+"more"), 0o666),
		os.WriteFile("other.xz", []byte("\xfd7zXZ\x00\x00\x04"), 0o666),
	); err != nil {
		t.Fatal(err)
	}
	for pattern, want := range map[string]string{
		"none/*.jsonl":       `nothing matches "none/*.jsonl"`,
		"none.jsonl":         `no such file or directory: "none.jsonl"`,
		"logs":               `"logs" is a folder; name the logs in it with a pattern`,
		"logs/pipe.jsonl":    "a named pipe",
		"logs/[po]*.jsonl":   "logs/pipe.jsonl",
		"logs/o[u]t.jsonl":   "leads out of",
		"endless":            "a device",
		"logs/run/trace.jso": "no such file",
		"cut.gz":             `cannot verify "cut.gz": the input is compressed with gzip and truncated: it ends at byte 20`,
		"followed.zst":       "the input is compressed with zstd, and other bytes follow",
		"other.xz":           "the input is compressed with xz",
	} {
		t.Run(pattern, func(t *testing.T) {
			out := t.TempDir()
			got, err := finish(t, newJob(out, pattern, "logs/clean.jsonl"))
			if err != nil {
				t.Fatal(err)
			}
			var doc struct {
				Status string
				Errors []string
				Inputs []json.RawMessage
			}
			if err := json.Unmarshal(reports(t, out)[0], &doc); err != nil {
				t.Fatal(err)
			}
			fitting(t, out)
			if doc.Status != "error" || len(doc.Inputs) != 1 || !strings.Contains(strings.Join(doc.Errors, "\n"), want) {
				t.Errorf("status %q, %d inputs, errors %q, expected %q", doc.Status, len(doc.Inputs), doc.Errors, want)
			}
			if err := got.verdict(); err == nil || errors.Is(err, errNo) {
				t.Errorf("the verdict is %v", err)
			}
		})
	}
}

// TestMaxDecoded: no more of a text is unpacked than --max-decoded says, and it is said what
// to do.
func TestMaxDecoded(t *testing.T) {
	logs(t)
	terms := newJob("out").terms
	terms.MaxDecoded = 1000
	for _, name := range []string{"logs/members.jsonl.gz", "logs/swapped.jsonl.zst"} {
		fn, failure := &verifyFn{Terms: terms, Split: 1 << 20}, ""
		err := errors.Join(fn.Setup(), fn.ProcessElement(t.Context(), name, func(r result) { failure = r.Failure }, nil))
		if err != nil || !strings.HasSuffix(failure, "and its text has more than 1000 bytes; raise the limit with --max-decoded") {
			t.Errorf("%s: %q, %v", name, failure, err)
		}
	}
}

// TestReportsAreNeverMixed: a folder that holds files of an earlier run is refused, and they
// stay as they are.
func TestReportsAreNeverMixed(t *testing.T) {
	logs(t)
	for _, name := range []string{summaryName, "report-00002-of-00003.json"} {
		out := t.TempDir()
		if err := os.WriteFile(filepath.Join(out, name), []byte("earlier"), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := finish(t, newJob(out, "logs/clean.jsonl")); err == nil || !strings.Contains(err.Error(), "of an earlier run") {
			t.Errorf("%s: %v", name, err)
		}
		entries, err := os.ReadDir(out)
		if err != nil || len(entries) != 1 {
			t.Errorf("%s: the folder holds %v, %v", name, entries, err)
		}
	}
}

// TestUnwritable: reports that cannot be written fail the job, and no summary is there.
func TestUnwritable(t *testing.T) {
	logs(t)
	if err := os.WriteFile("file", nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := finish(t, newJob("file", "logs/clean.jsonl")); err == nil || err.Error() != `the engine could not run the job: cannot write "file/report-00001-of-00001.json": make the folder file: not a directory` {
		t.Errorf("got %v", err)
	}
}

// TestFlags: what a job cannot be is said before it begins.
func TestFlags(t *testing.T) {
	for want, change := range map[string]func(*job){
		"--input is missing":            func(j *job) { j.inputs = nil },
		"--output is missing":           func(j *job) { j.output = "" },
		"expected a folder":             func(j *job) { j.output = "out*" },
		"--shards is 0":                 func(j *job) { j.shards = 0 },
		"no store is known for hdfs://": func(j *job) { j.inputs = patterns{"hdfs://x"} },
		"--canonicalization is":         func(j *job) { j.terms.Canonicalization = "none" },
		"--max-ids is -1":               func(j *job) { j.terms.MaxIDs = -1 },
		"--schema-versions is":          func(j *job) { j.terms.SchemaVersions = "1,x" },
		"--strict-payload checks":       func(j *job) { j.terms.IntegrityOnly, j.terms.StrictPayload = true, true },
	} {
		j := newJob("out", "logs/*")
		if change(j); j.check(nil) == nil || !strings.Contains(j.check(nil).Error(), want) {
			t.Errorf("%s: %v", want, j.check(nil))
		}
	}
	if err := newJob("out", "a").check([]string{"b"}); err == nil || !strings.Contains(err.Error(), `unexpected operand "b"`) {
		t.Error(err)
	}
}

// TestTwice: an engine that gives work to two workers, or gives it twice, changes nothing.
func TestTwice(t *testing.T) {
	t.Chdir(t.TempDir())
	list := []result{
		{Input: "b", Report: []byte(`{"input":"b"}`), Verdict: "valid"},
		{Input: "a", Failure: "gone"},
		{}, // a seed
	}
	var written [2][]byte
	var tallies []tally
	for i, all := range [][]result{list, slices.Concat(list, list[:1], list)} {
		each := func(r *result) bool {
			if len(all) == 0 {
				return false
			}
			*r, all = all[0], all[1:]
			return true
		}
		fn := &writeFn{Output: "out", Shards: 2}
		if err := fn.ProcessElement(t.Context(), 2, each, func(t tally) { tallies = append(tallies, t) }); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile("out/report-00002-of-00002.json")
		if err != nil {
			t.Fatal(err)
		}
		written[i] = text
	}
	if !bytes.Equal(written[0], written[1]) || tallies[0] != tallies[1] {
		t.Errorf("once:\n%s\n%v\ntwice:\n%s\n%v", written[0], tallies[0], written[1], tallies[1])
	}
}
