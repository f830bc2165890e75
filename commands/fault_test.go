//go:build unix

package commands_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cupel-dev/cupel/commands"
	"github.com/cupel-dev/cupel/internal/bundletest"
	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/doortest"
	"github.com/cupel-dev/cupel/internal/racetest"
)

// faultyRuns are command lines in the folder that layFaulty lays: every command, and each
// way in which one reads or writes a file. "<FILE" is led to standard input.
func faultyRuns() (list []string) {
	list = []string{
		"trace verify log.jsonl", "trace verify run", "trace verify --show-files .", "trace verify 'r*/*.jsonl' <log.jsonl",
		"trace verify --manifest --check-ids run", "trace verify --plan plan.json --evidence-root run run/trace.jsonl", "trace verify - <log.jsonl",
		"trace verify --anchor anchor.json log.jsonl", "trace verify --hmac-key-file key log.jsonl",
		"trace verify --state state log.jsonl", "trace verify --state new-state log.jsonl", "trace verify --state state --format json=out log.jsonl",
		"trace verify --baseline base edited.jsonl", "trace verify --write-baseline base edited.jsonl", "trace verify --baseline base --write-baseline base --format json edited.jsonl",
		"trace verify --write-baseline new-base --format json=out --format junit=new-out edited.jsonl run",
		"trace verify --engine both log.jsonl", "trace verify --engine both run", "trace verify --engine reference log.jsonl", "evidence hash --engine both events", "trace verify --follow - <log.jsonl", "evidence verify --follow - <events/run.ndjson",
		"trace seal log.jsonl", "trace seal - <log.jsonl", "trace report run", "trace report --format json run", "trace report --format dot run", "trace report --format html run", "trace report --format markdown run", "trace schema", "trace schema ERROR",
		"trace seal --checkpoint a --sign key.pem -o out log.jsonl", "trace verify --checkpoint run.checkpoint --vkey run.checkpoint.vkey log.jsonl", "trace verify --checkpoint run.checkpoint --vkey run.checkpoint.vkey --checkpoint-state new-state log.jsonl",
		"trace prove --index 1 --checkpoint run.checkpoint log.jsonl", "trace prove --index 1 --checkpoint run.checkpoint -o out log.jsonl", "trace prove --consistency run.checkpoint run.checkpoint - <log.jsonl", "trace prove --check run.tlog-proof --event event.json --vkey run.checkpoint.vkey",
		"oatf lint", "oatf lint docs", "oatf lint --config docs/cupel.yaml docs/a.yaml", "oatf lint - <docs/a.yaml",
		"oatf fmt docs/a.yaml", "oatf fmt -l -d docs", "oatf fmt -w docs", "oatf fmt -w docs/a.yaml link.yaml", "oatf normalize docs/a.yaml", "oatf conformance suite",
		"oatf migrate --to 2026-03 docs/a.yaml", "oatf migrate --to 2026-03 -d docs", "oatf migrate --to 2026-03 -w docs", "oatf migrate --to 2026-03 -w docs/a.yaml link.yaml", "oatf migrate --to 2026-03 - <docs/a.yaml",
		"oatf eval docs/a.yaml --trace run.jsonl", "oatf eval docs --trace - --each <run.jsonl", "oatf eval --format json=out --format junit=new-out --write-baseline new-base docs/a.yaml --trace run.jsonl --trace missing.jsonl", "oatf eval - --skip-bad-lines --explain-selection --trace edited.jsonl <docs/a.yaml",
		"oatf view docs/a.yaml", "oatf view --format html=out - <docs/a.yaml", "oatf lint --strict --format html=out docs/a.yaml", "oatf eval --format html=out docs/a.yaml --trace run.jsonl",
		"oatf simulate docs/a.yaml --events run.jsonl", "oatf simulate --format json docs/a.yaml --events - <run.jsonl", "oatf simulate --format json=out --events run.jsonl --events missing.jsonl docs/a.yaml", "oatf simulate --wait 1m - <docs/a.yaml",
		"oatf try path tools --message event.json", "oatf try template a{{request.id}} --request - <event.json", "oatf try --format json condition 1 --message missing.json",
		"evidence hash event.json", "evidence hash events", "evidence hash --check events/run.ndjson", "evidence hash --explain event.json", "evidence hash -c SUMS", "evidence hash -c - <SUMS",
		"evidence hash --limits @limits event.json", "evidence hash run.tar.gz",
		"evidence verify run.tar.gz", "evidence verify - <run.tar.gz", "evidence verify --all events", "evidence verify --format json event.json", "evidence verify --limits @limits --show-files events",
		"evidence verify --format json=out --format junit=new-out tampered.ndjson run.tar.gz", "evidence verify --all --baseline base --write-baseline base --format json tampered.ndjson",
		"evidence verify --attestation run.att.json --key key.pub.pem run.tar.gz", "evidence verify --attestation run.att.json --key key.pub.pem --format json=out run.tar.gz",
		"evidence verify --attestation stamped/run.att.json --key stamped/key.pub.pem --timestamp stamped/run.tsr --tsa-cert stamped/authority.pem run.tar.gz",
		"evidence verify --redaction redaction.json --format json=out run.tar.gz", "evidence attest --key key.pem --redaction redaction.json -o out run.tar.gz",
		"evidence lint run.tar.gz", "evidence lint --no-verify events", "evidence lint - <events/run.ndjson", "evidence lint --baseline base --write-baseline base --format json=out tampered.ndjson", "evidence lint --limits @limits --format sarif=new-out event.json tampered.ndjson", "evidence verify --payloads tampered.ndjson",
		"evidence show run.tar.gz", "evidence show --format json events", "evidence show --format cloudevents-batch=out --format ndjson run.tar.gz",
		"evidence seal --format json events/run.ndjson", "evidence seal --digest-file -o out events/run.ndjson", "evidence seal -o - - <events/run.ndjson", "evidence seal --limits @limits --format json -o new.tar.gz events/run.ndjson", "evidence seal -o out tampered.ndjson",
		"evidence unseal run.tar.gz", "evidence unseal -o out - <run.tar.gz", "evidence unseal -o - --format json=new-out run.tar.gz", "evidence unseal --expect-run-root 0000000000000000000000000000000000000000000000000000000000000000 -o out run.tar.gz",
		"evidence redact --commit --secrets new.secrets --report new-out -o new.ndjson dirty.ndjson", "evidence redact --verify --report redaction.made --format json=out dirty.ndjson made.ndjson", "evidence redact --verify run.tar.gz run.tar.gz",
		"evidence redact --reveal secrets.made --report redaction.made --format json=out", "evidence redact --disclose 2:/data/path --secrets secrets.made -o out",
		"evidence redact - <dirty.ndjson", "evidence redact --report new-out -o new.tar.gz run.tar.gz", "evidence redact --diff --format json=out dirty.ndjson", "evidence redact --policy classes.yaml --format json -o made events",
		"evidence keygen new.pem new.pub.pem", "evidence attest --key key.pem run.tar.gz", "evidence attest --key key.pem --tree -o new.att.json run.tar.gz", "evidence attest --key key.pem -o out run.tar.gz",
		"evidence prove --seq 3 run.tar.gz", "evidence prove --seq 3 -o out - <run.tar.gz",
		"evidence verify-proof proof.json", "evidence verify-proof --format json --attestation run.att.json --key key.pub.pem --event event.json proof.json", "evidence verify-proof --format json=out - <proof.json",
		"evidence show run.tar.gz", "evidence show --format json=out --format ndjson events", "evidence show --format cloudevents-batch - <event.json",
		"evidence digest tool --check events --server-id x tools.json", "evidence digest policy --format json=out run.tar.gz", "evidence digest semantic - <event.json", "evidence digest json tools.json",
		"evidence diff event.json events/run.ndjson", "evidence schema", "evidence schema assay.fs.access", "evidence diff --format json=out - event.json <event.json",
		"attest eval --assertions suite.yaml trace.json", "attest eval --assertions suite.yaml --trace trace.json --engine-config engine.yaml", "attest eval --assertions suite.yaml - <trace.json",
		"attest validate trace.json", "attest serve <session.ndjson", "attest serve --config engine.yaml <session.ndjson", "attest schema",
		"attest diff trace.json trace.json", "attest diff --format json=out - trace.json <trace.json", "attest record trace.json", "attest record - <trace.json",
		"trace verify --ranges 4KiB log.jsonl", "report merge shards", "report merge --expect-inputs shards/names --format json=out --format junit=new-out shards/1.json shards/2.json", "report merge - <shards/1.json",
		"trace verify --range 0:3000 --summary out log.jsonl", "trace verify --range 3000: --summary new.sum log.jsonl", "trace verify --range 0: --summary - log.jsonl", "report merge sums", "report merge --check-log --log log.jsonl --format json=out - sums/b.cupelsum <sums/a.cupelsum",
		"check --show-files --format json mixed", "check --format html=out --format junit=new-out --write-baseline new-base mixed",
		"explain V-001", "explain --format json V-001", "explain --all", "selftest", "completion bash", "version", "version --format json", "help", "help exit-codes", "trace verify --help",
		"trace verify --format json=log.jsonl log.jsonl", "trace verify --write-baseline run/plan.json run", "oatf lint --format json=docs/a.yaml docs",
		"no-such-command", "trace verify --no-such-flag log.jsonl", "trace verify missing.jsonl",
	}
	for _, format := range []string{"text", "short", "json", "jsonl", "sarif", "github", "junit", "gitlab", "checkstyle", "tap"} {
		list = append(list, "oatf lint --format "+format+" docs/a.yaml missing.yaml", "oatf lint --format "+format+"=out docs/a.yaml docs/deep")
	}
	return list
}

// fixturesOfEachKind are those of the suite of conformance that are read in ways of their own: the
// others are read by the same calls as one of them, again.
var fixturesOfEachKind = []string{
	"evaluate/pattern.yaml", "evaluate/expression.yaml", "verdict/any.yaml", "primitives/parse-duration.yaml", "primitives/evaluate-trigger.yaml", "roundtrip", "validate", "parse", "normalize",
}

// layFaulty goes to a new folder with what the runs read, and with old files where they
// write: a report, a baseline, a state.
func layFaulty(t *testing.T) {
	t.Helper()
	examples, err := filepath.Abs("../testdata")
	if err != nil {
		t.Fatal(err)
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	for from, to := range map[string]string{
		"examples/trace/incident": "run", "examples/trace/incident/plan.json": "plan.json", "examples/session/refund.jsonl": "log.jsonl", "examples/session/refund-edited.jsonl": "edited.jsonl",
		"examples/evidence/run.ndjson": "events/run.ndjson", "examples/evidence/tampered.ndjson": "tampered.ndjson", "examples/evidence/run.tar.gz": "run.tar.gz", "examples/evidence/event.json": "event.json", "examples/evidence/tools.json": "tools.json",
		"examples/oatf/blind.yaml": "docs/a.yaml", "examples/oatf/loose.yaml": "docs/deep/b.yaml", "examples/oatf/rug-pull-exploited.jsonl": "run.jsonl",
		"examples/attest/refund-suite.yaml": "suite.yaml", "examples/attest/refund.json": "trace.json", "examples/attest/engine.yaml": "engine.yaml", "examples/attest/session.ndjson": "session.ndjson",
		"examples/evidence/leaky.ndjson": "mixed/leaky.ndjson", "examples/oatf/five-faults.yaml": "mixed/a.yaml", "examples/attest/refund-unchecked.json": "mixed/trace.json",
	} {
		copyFiles(t, filepath.Join(examples, from), to)
	}
	for _, name := range []string{"run.att.json", "run.tsr", "key.pub.pem", "authority.pem"} {
		copyFiles(t, filepath.Join(examples, "timestamp", name), filepath.Join("stamped", name))
	}
	for _, part := range fixturesOfEachKind {
		copyFiles(t, filepath.Join(examples, "oatf/conformance", part), filepath.Join("suite", part))
	}
	for name, text := range map[string]string{
		"mixed/log.jsonl": logText, "mixed/suite.yaml": suiteText, "mixed/other.jsonl": "{}\n", "mixed/cupel.yaml": "attest: {pairs: [{suite: suite.yaml, traces: [trace.json]}]}\n",
		".gitignore": "build/\n", "build/log.jsonl": "no log\n", "docs/cupel.yaml": "ignore: [W-004]\n", "docs/.gitignore": "c.yaml\n", "docs/other.yaml": "kind: other\n",
		"redaction.json": redactionOfRun, "key": "a key", "limits": limitsText, "made/old.ndjson": "an old stream\n", "classes.yaml": "classes: [{pointer: /data/path, class: public}]\n", "out": "an old report\n", "base": `{"schema":"cupel.baseline/1","findings":[]}` + "\n",
	} {
		writeFile(t, name, []byte(text))
	}
	document, err := os.ReadFile("docs/a.yaml")
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, "docs/a.yaml", append(bytes.ReplaceAll(document, []byte(": "), []byte(":   ")), "\n\n"...))
	writeFile(t, "messy.yaml", append(bytes.ReplaceAll(document, []byte(": "), []byte(":  ")), "\n\n"...))
	symlink(t, "messy.yaml", "link.yaml")
	dirty := bundletest.Recipe{Set: map[string]json.RawMessage{"1/data": json.RawMessage(`{"path":"/home/bob/x"}`)}}
	writeFile(t, "dirty.ndjson", dirty.Stream())
	cut, err := os.ReadFile("log.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, "log.jsonl", cut[:bytes.LastIndexByte(cut[:len(cut)-1], '\n')+1])
	sums := runFaulty(t, "evidence hash events/run.ndjson event.json", nil)
	writeFile(t, "SUMS", []byte(sums.stdout))
	writeFile(t, "shards/1.json", []byte(runFaulty(t, "trace verify --format json log.jsonl run", nil).stdout))
	writeFile(t, "shards/2.json", []byte(runFaulty(t, "trace verify --format json edited.jsonl", nil).stdout))
	writeFile(t, "shards/names", []byte("log.jsonl\nedited.jsonl\nrun/trace.jsonl\n"))
	writeFile(t, "anchor.json", []byte(runFaulty(t, "trace seal log.jsonl", nil).stdout))
	for _, line := range []string{
		"trace verify --state state log.jsonl", "evidence keygen key.pem key.pub.pem", "evidence attest --key key.pem --tree -o run.att.json run.tar.gz", "evidence prove --seq 3 -o proof.json run.tar.gz",
		"evidence redact --commit --secrets secrets.made --report redaction.made -o made.ndjson dirty.ndjson",
		"trace seal --checkpoint a --sign key.pem -o run.checkpoint log.jsonl", "trace prove --index 1 --checkpoint run.checkpoint -o run.tlog-proof log.jsonl",
	} {
		if made := runFaulty(t, line, nil); made.code != 0 {
			t.Fatalf("cupel %s: exit code %d\n%s", line, made.code, made.stderr)
		}
	}
	writeFile(t, "log.jsonl", cut)
	for name, part := range map[string]string{"sums/a.cupelsum": "0:3000", "sums/b.cupelsum": "3000:"} {
		writeFile(t, name, []byte(runFaulty(t, "trace verify --summary - log.jsonl --range "+part, nil).stdout))
	}
}

// redactionOfRun is a report whose output is the example's bundle.
const redactionOfRun = `{"schema":"cupel.redaction/1","events":[],"input":"run","policy":{"profile":"default","digest":"sha256:0000000000000000000000000000000000000000000000000000000000000000"},"kind":"bundle","input_verified":true,` +
	`"output_sha256":"sha256:a2ab8964f11e5439569317e47627906524188bf86deb12433269511500a9482b","run_root":"sha256:9d8bc34083166f71c4985d62809c9f2fdfb25a584f150650b3ec7d99aa008b80",` +
	`"bundle_id":"sha256:9d8bc34083166f71c4985d62809c9f2fdfb25a584f150650b3ec7d99aa008b80","summary":{"events":36,"changed":0,"dropped":0,"replaced":0,"generalized":0,"cut":0,"reported":0},"not_covered":[]}` + "\n"

func copyFiles(t *testing.T, from, to string) {
	t.Helper()
	err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err == nil {
			writeFile(t, filepath.Join(to, rel), []byte(readText(t, path)))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func readText(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// outcome is the result of a run: its output, and every file of the folder.
type outcome struct {
	ran
	files map[string]string
}

// chance and newKey are what two equal runs say differently: times, the secret keys of a state
// and ids of keys, in a line each; and new keys. A duration is 0 instead, so that a document stays one.
var (
	duration = regexp.MustCompile(`("(?:total_)?(?:duration_ms|elapsed_us)":)\d+`)
	chance   = regexp.MustCompile(`"(ts|timestamp)":"[^"]*"|\b(time|timestamp)="[^"]*"|\b[\d.]+ ?m?s\b|"(ToolIDs|EventIDs)":"[^"]*"|"Keys":\[[^\]]*\]|key-id  sha256:[0-9a-f]+|"salt":"[0-9a-f]+"|"commitment":"sha256:[0-9a-f]+"`)
	newKey   = regexp.MustCompile(`KEY-----\n[^-]*-`)
)

// settledLines are lines without what chance says, by the lines: thousands of runs say the same ones.
var settledLines = map[string]string{}

func settledLine(line string) string {
	text, known := settledLines[line]
	if !known {
		text = chance.ReplaceAllString(duration.ReplaceAllString(line, "${1}0"), "")
		settledLines[line] = text
	}
	return text
}

// settled returns a text without what chance says, and without the order of an engine's log. Line
// by line: regexp is several times as fast on short texts.
func settled(text string) string {
	lines := strings.SplitAfter(newKey.ReplaceAllString(text, ""), "\n")
	for i, line := range lines {
		lines[i] = settledLine(line)
	}
	if strings.Contains(text, `"logger":"engine"`) {
		slices.Sort(lines)
	}
	return strings.Join(lines, "")
}

// alike reports whether two texts differ only in what chance says.
func alike(a, b string) bool { return a == b || settled(a) == settled(b) }

// words returns the arguments of a command line and its standard input.
func words(t *testing.T, line string) (args []string, stdin io.Reader) {
	t.Helper()
	line, from, led := strings.Cut(line, " <")
	stdin = strings.NewReader("")
	if led {
		stdin = strings.NewReader(readText(t, from))
	}
	return strings.Fields(strings.ReplaceAll(line, "'", "")), stdin
}

// runFaulty runs cupel in the folder, with the faults that are given.
func runFaulty(t *testing.T, line string, faults *doortest.Faults) outcome {
	t.Helper()
	args, stdin := words(t, line)
	if faults == nil {
		faults = new(doortest.Faults)
	}
	defer door.Use(faults.Disk(door.System()))()
	return runOnDisk(t, faults, stdin, args)
}

// runOnDisk runs cupel on the disk in use.
func runOnDisk(t *testing.T, faults *doortest.Faults, stdin io.Reader, args []string) outcome {
	t.Helper()
	var stdout, stderr bytes.Buffer
	env := commands.Env{
		Context: t.Context(), Stdin: faults.Reader("stdin", stdin), Stdout: faults.Writer("stdout", &stdout), Stderr: faults.Writer("stderr", &stderr),
		Getenv: func(string) string { return "" },
	}
	code := commands.Main(env, append([]string{"cupel"}, args...))
	return outcome{ran{code, settled(stdout.String()), settled(stderr.String())}, filesHere(t)}
}

// linkTo begins what filesHere has of a link.
const linkTo = "-> "

// fileRead is a file as it was when it was last read.
type fileRead struct {
	info fs.FileInfo
	text string
}

// filesRead are files by their names, so that the thousands of runs in one folder need not read what none of
// them changed. Only a file that had been left alone for a while is kept: another change in the tick of the
// clock in which it was read would show nowhere.
var filesRead = map[string]fileRead{}

// readUnlessRead returns the content of a file.
func readUnlessRead(t *testing.T, path string, d fs.DirEntry) string {
	t.Helper()
	const tick = 100 * time.Millisecond
	now := time.Now()
	info, err := d.Info()
	if err != nil {
		t.Fatal(err)
	}
	last, read := filesRead[path]
	if read && os.SameFile(last.info, info) && last.info.ModTime().Equal(info.ModTime()) && last.info.Size() == info.Size() {
		return last.text
	}
	text := readText(t, path)
	if now.Sub(info.ModTime()) > tick {
		filesRead[path] = fileRead{info, text}
	}
	return text
}

// filesHere returns the content of every file below the current folder, and where links lead.
func filesHere(t *testing.T) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || d.IsDir():
			return err
		case d.Type()&fs.ModeSymlink != 0:
			target, err := os.Readlink(path)
			files[path] = linkTo + target
			return err
		}
		files[path] = readUnlessRead(t, path, d)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// putBack makes a folder that holds some files now hold others.
func putBack(t *testing.T, now, files map[string]string) {
	t.Helper()
	for name := range now {
		if _, known := files[name]; !known {
			if err := os.Remove(name); err != nil {
				t.Fatal(err)
			}
		}
	}
	for name, text := range files {
		if now[name] == text {
			continue
		}
		if target, link := strings.CutPrefix(text, linkTo); link {
			_ = os.Remove(name) // it may be gone
			symlink(t, target, name)
			continue
		}
		writeFile(t, name, []byte(text))
	}
}

// TestFaultAtN makes the calls to the file system, to standard input and to the outputs fail in turn, in every
// command. The run gives the same answer as without the fault, or gives the reason and exits with 2. Each file of the
// user is unchanged, or new and whole, and no temporary file remains.
func TestFaultAtN(t *testing.T) {
	layFaulty(t)
	before := filesHere(t)
	total, step := 0, racetest.Step(t)
	for _, line := range racetest.Large(t, 10, faultyRuns()) {
		sound := runFaulty(t, line, nil)
		putBack(t, sound.files, before)
		tried := map[string]int{}
		for title, kind := range faultKinds(sameFiles(before, sound.files)) {
			for n := 1; ; n += step {
				faults := kind(n)
				got := runFaulty(t, line, faults)
				putBack(t, got.files, before)
				if faults.Failed() == "" {
					break
				}
				tried[title]++
				(&faultTrial{line, faults, before, sound, got}).judge(t)
			}
			total += tried[title]
		}
		t.Logf("%4d failing reads and writes, %3d writes on a full disk, %4d on a dying one: cupel %s", tried["io"], tried["full"], tried["dead"], line)
	}
	if total == 0 {
		t.Fatal("no call failed")
	}
	t.Logf("%d failing calls", total)
}

// faultKinds returns the ways in which calls fail: once, as on a full disk, and from one call
// on, which matters where a run changes files.
func faultKinds(readsOnly bool) map[string]func(n int) *doortest.Faults {
	kinds := map[string]func(n int) *doortest.Faults{
		"io": func(n int) *doortest.Faults { return &doortest.Faults{At: n, Err: syscall.EIO} },
		"full": func(n int) *doortest.Faults {
			return &doortest.Faults{At: n, Err: syscall.ENOSPC, Writes: true, Short: true}
		},
	}
	if !readsOnly {
		kinds["dead"] = func(n int) *doortest.Faults {
			return &doortest.Faults{At: n, Err: syscall.EIO, Short: true, Dead: true}
		}
	}
	return kinds
}

// faultTrial is one run with a fault.
type faultTrial struct {
	line   string
	faults *doortest.Faults
	before map[string]string
	sound  outcome // of the run without a fault
	got    outcome
}

func (f *faultTrial) judge(t *testing.T) {
	t.Helper()
	at := f.faults.Failed()
	fail := func(format string, args ...any) {
		t.Helper()
		t.Errorf("cupel %s: %q failed (%v): %s\nexit code %d, without the fault %d\nstdout: %s\nstderr: %s", f.line, at, f.faults.Err, fmt.Sprintf(format, args...), f.got.code, f.sound.code, cutTo(f.got.stdout), f.got.stderr)
	}
	f.judgeFiles(fail)
	mute := at == "write stderr" // the error cannot be reported
	switch {
	case unlooked(f.got.ran) == unlooked(f.sound.ran) && sameFiles(f.got.files, f.sound.files):
	case mute && f.got.code == f.sound.code:
	case f.got.code == f.sound.code && strings.Contains(f.line, "--format html ") && strings.Contains(f.got.stdout, "the file cannot be read"): // the page says so in the place of the text
	case f.got.code != 2:
		fail("exit code 2 was expected, or the answer without the fault")
	case !mute && !f.faults.Dead && !strings.Contains(f.got.stderr, "cupel: error: "):
		fail("no error is said")
	case saidTwice(f.got.stderr):
		fail("an error names its file twice")
	case strings.Contains(f.line, "--format json ") && at != "write stdout" && !f.faults.Dead && !f.late(at):
		var doc struct{ Status string }
		if err := json.Unmarshal([]byte(f.got.stdout), &doc); err != nil || doc.Status != "error" {
			fail("standard output is no document that says so: %v", err)
		}
	}
}

// looks are the hints on refused files that were looked at once more.
var looks = regexp.MustCompile(`(?m)^cupel: hint: ".*" looks like .*\n`)

// unlooked returns a run's result without those hints: they are not a part of the answer, and a file that cannot be
// read again gets none.
func unlooked(r ran) ran {
	r.stderr = looks.ReplaceAllString(r.stderr, "")
	return r
}

// saidTwice reports whether an error names a file before an error that names it.
func saidTwice(stderr string) bool {
	for line := range strings.Lines(stderr) {
		name, rest, _ := strings.Cut(strings.TrimPrefix(line, "cupel: error: "), ": ")
		if strings.HasPrefix(rest, "cannot ") && strings.Contains(rest, strconv.Quote(name)) {
			return true
		}
	}
	return false
}

// late says that a file could not take its place after the report on standard output.
func (f *faultTrial) late(at string) bool {
	return f.got.stdout == f.sound.stdout && (strings.HasPrefix(at, "rename ") || strings.HasPrefix(at, "sync ") || strings.Contains(at, ".cupel-"))
}

func sameFiles(a, b map[string]string) bool {
	return maps.EqualFunc(a, b, alike)
}

// judgeFiles checks that each file is unchanged or has its new content; a report can contain the error.
func (f *faultTrial) judgeFiles(fail func(string, ...any)) {
	for name, text := range f.got.files {
		old, there := f.before[name]
		sound, made := f.sound.files[name]
		switch {
		case there && text == old, made && alike(text, sound):
		case strings.HasPrefix(filepath.Base(name), ".cupel-") && f.faults.Dead:
		case made && strings.HasSuffix(name, "out") && f.got.code == 2 && strings.Contains(text, "error"):
		default:
			fail("the file %q holds %q", name, cutTo(text))
		}
	}
	for name := range f.before {
		if _, there := f.got.files[name]; !there {
			fail("the file %q is gone", name)
		}
	}
}

func cutTo(text string) string {
	if len(text) > 1000 {
		return text[:1000] + "…"
	}
	return text
}

// TestShortReads: what a read brings at once, down to single bytes, changes no answer.
func TestShortReads(t *testing.T) {
	layFaulty(t)
	before := filesHere(t)
	for _, line := range racetest.Some(t, faultyRuns()) {
		sound := runFaulty(t, line, nil)
		putBack(t, sound.files, before)
		got := runFaulty(t, line, &doortest.Faults{Trickle: true})
		putBack(t, got.files, before)
		if diff := cmp.Diff(sound.ran, got.ran, cmp.AllowUnexported(ran{})); diff != "" || !sameFiles(sound.files, got.files) {
			t.Errorf("cupel %s (-whole reads +single bytes):\n%s", line, diff)
		}
	}
}

// TestSignalsInTheMiddle: signals that mean nothing to a run, while it reads and writes,
// files and pipes, change nothing: a call that one interrupts is made again.
func TestSignalsInTheMiddle(t *testing.T) {
	layFaulty(t)
	before := filesHere(t)
	for _, line := range faultyRuns() {
		if !strings.Contains(line, " <") && !strings.Contains(line, "=out") && !strings.Contains(line, "-w") {
			continue
		}
		sound := runFaulty(t, line, nil)
		putBack(t, sound.files, before)
		args, text := words(t, line)
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		stop := interrupted(t)
		go func() {
			_, _ = io.Copy(w, iotest.OneByteReader(text)) // a run need not read it
			_ = w.Close()
		}()
		got := runOnDisk(t, new(doortest.Faults), r, args)
		stop()
		_ = r.Close()
		putBack(t, got.files, before)
		if diff := cmp.Diff(sound.ran, got.ran, cmp.AllowUnexported(ran{})); diff != "" || !sameFiles(sound.files, got.files) {
			t.Errorf("cupel %s (-undisturbed +disturbed):\n%s", line, diff)
		}
	}
}

// interrupted sends signals to this process, one after another, until stop is called.
func interrupted(t *testing.T) (stop func()) {
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			select {
			case <-done:
				return
			default:
				if err := syscall.Kill(os.Getpid(), syscall.SIGWINCH); err != nil {
					t.Error(err)
				}
			}
		}
	}()
	return func() { close(done); <-ended }
}
