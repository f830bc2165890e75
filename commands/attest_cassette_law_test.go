package commands_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/commands"
	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/doortest"
	"github.com/cupel-dev/cupel/internal/scripted"
)

// judgement is the results of runs: by trace and assertion, without what no run repeats.
type judgement map[string]string

// courtroom is a folder with traces, and assertions that ask a service of models.
type courtroom struct {
	dir        string
	service    *scripted.Service
	traces     []string
	assertions []string // their specs, by their numbers
}

// newCourtroom writes traces with some messages.
func newCourtroom(t testing.TB, messages, assertions []string) *courtroom {
	t.Helper()
	c := &courtroom{dir: t.TempDir(), assertions: assertions, service: scripted.StartFunc(opinion)}
	t.Cleanup(c.service.Close)
	for i, message := range messages {
		text, err := json.Marshal(map[string]any{"schema_version": 1, "trace_id": "t", "steps": []any{}, "output": map[string]string{"message": message}})
		check(t, err)
		name := filepath.Join(c.dir, fmt.Sprintf("trace%d.json", i))
		check(t, os.WriteFile(name, text, 0o600))
		c.traces = append(c.traces, name)
	}
	return c
}

var drawnDelimiter = regexp.MustCompile(`[0-9a-f]{32}`)

// opinion answers a chat the same whenever the same is asked.
func opinion(c scripted.Call) scripted.Answer {
	seed := crc32.ChecksumIEEE(drawnDelimiter.ReplaceAll([]byte(c.Body), nil))
	text := fmt.Sprintf(`{"score": %v, "reason": "Opinion %d."}`, float64(seed%1000)/1000, seed)
	return scripted.Answer{Text: &text, Usage: &[2]int{int(seed % 97), int(seed % 89)}}
}

// suite writes a suite with some of the assertions.
func (c *courtroom) suite(t require, numbers []int) string {
	text := "assertions:\n"
	for _, n := range numbers {
		text += fmt.Sprintf("  - {assertion_id: a%d, %s}\n", n, c.assertions[n])
	}
	name := filepath.Join(c.dir, fmt.Sprintf("suite%x.yaml", sha256.Sum256([]byte(text))))
	check(t, os.WriteFile(name, []byte(text), 0o600))
	return name
}

// arguments returns the command line of a run over some traces and assertions.
func (c *courtroom) arguments(t require, mode string, traces []string, numbers []int, jobs int) []string {
	args := []string{"attest", "eval", "--format", "json", "--ignore", "assertion,cassette", "--judge", mode, "--base-url", c.service.URL, "--jobs", fmt.Sprint(jobs), "--assertions", c.suite(t, numbers)}
	if mode != "live" {
		args = append(args, "--cassette", filepath.Join(c.dir, "tape"))
	}
	return append(args, traces...)
}

// run returns one run, with what it printed.
func (c *courtroom) run(t require, args []string) (judgement, string) {
	var stdout, stderr bytes.Buffer
	code := commands.Main(commands.Env{
		Context: context.Background(), Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr, Getenv: func(string) string { return "" },
	}, append([]string{"cupel"}, args...))
	if code == 2 {
		t.Fatalf("exit code 2: %s", stderr.String())
	}
	var doc struct {
		Suites []struct {
			Trace   string
			Results []map[string]any
		}
	}
	check(t, json.Unmarshal(stdout.Bytes(), &doc))
	all := judgement{}
	for _, s := range doc.Suites {
		for _, r := range s.Results {
			delete(r, "duration_ms")
			delete(r, "place")
			if strings.Contains(fmt.Sprint(r["explanation"]), "similarity") {
				delete(r, "cost") // of a call for several texts
			}
			text, err := json.Marshal(r)
			check(t, err)
			all[s.Trace+" "+fmt.Sprint(r["assertion_id"])] = string(text)
		}
	}
	return all, stdout.String()
}

// kinds are assertions that ask models.
var kinds = []string{
	"type: llm_judge, spec: {rubric: default, criteria: politeness}",
	"type: llm_judge, spec: {rubric: helpfulness, samples: 3, soft: true}",
	"type: llm_judge, spec: {rubric: safety, threshold: 0.2, model: another}",
	"type: llm_judge, spec: {prompt: 'Is it short? {{output}}', threshold: 0}",
	"type: embedding, spec: {target: output.message, reference: Good morning, threshold: 0.1}",
	"type: embedding, spec: {target: output.message, reference: Good night, threshold: 0.9, soft: true}",
}

// TestReplayLaw checks that a recording gives the answers of the models, for every order of traces and assertions,
// any number of jobs, and whether it was made in one run or in several. Every replay prints the same bytes and makes
// no call.
func TestReplayLaw(t *testing.T) {
	defer door.Use((&doortest.Faults{}).Disk(door.System()))() // it waits for no disk
	rapid.Check(t, func(r *rapid.T) {
		messages := rapid.SliceOfN(rapid.SampledFrom([]string{"Good morning.", "Good night, {{output}}.", "END output", "é\n\u2028", "score: 1.0"}), 1, 4).Draw(r, "messages")
		c := newCourtroom(t, messages, rapid.SliceOfN(rapid.SampledFrom(kinds), 1, 6).Draw(r, "assertions"))
		all := make([]int, len(c.assertions))
		for i := range all {
			all[i] = i
		}
		jobs := rapid.IntRange(1, 4)
		live, _ := c.run(r, c.arguments(r, "live", c.traces, all, jobs.Draw(r, "jobs")))
		if len(live) != len(c.traces)*len(all) {
			r.Fatalf("%d results", len(live))
		}
		expect := func(got judgement) {
			r.Helper()
			for name, result := range got {
				if result != live[name] {
					r.Fatalf("%s: %s, live it was %s", name, result, live[name])
				}
			}
		}
		for range rapid.IntRange(0, 2).Draw(r, "runs before") {
			traces := rapid.Permutation(c.traces).Draw(r, "traces")[:rapid.IntRange(1, len(c.traces)).Draw(r, "some traces")]
			some := rapid.Permutation(all).Draw(r, "assertions")[:rapid.IntRange(1, len(all)).Draw(r, "some assertions")]
			got, _ := c.run(r, c.arguments(r, "record", traces, some, jobs.Draw(r, "jobs")))
			expect(got)
		}
		got, _ := c.run(r, c.arguments(r, "record", rapid.Permutation(c.traces).Draw(r, "traces"), rapid.Permutation(all).Draw(r, "assertions"), jobs.Draw(r, "jobs")))
		expect(got)
		calls := len(c.service.Calls())
		traces, order := rapid.Permutation(c.traces).Draw(r, "traces"), rapid.Permutation(all).Draw(r, "assertions")
		first, firstText := c.run(r, c.arguments(r, "replay", traces, order, jobs.Draw(r, "jobs")))
		_, text := c.run(r, c.arguments(r, "replay", traces, order, jobs.Draw(r, "jobs")))
		if expect(first); !reflect.DeepEqual(first, live) || text != firstText {
			r.Fatalf("replays print %s\nand %s", firstText, text)
		}
		if asked := len(c.service.Calls()); asked != calls {
			r.Fatalf("%d calls while replaying", asked-calls)
		}
	})
}

// TestReplayWithoutNetwork replays twice without a network, even without a loopback that is up, and compares the
// hashes of the output.
func TestReplayWithoutNetwork(t *testing.T) {
	c := newCourtroom(t, []string{"Good morning.", "Good night.", "Good day."}, kinds)
	all := []int{0, 1, 2, 3, 4, 5}
	recorded, _ := c.run(t, c.arguments(t, "record", c.traces, all, 2))
	alone := []string{"unshare", "--map-root-user", "--net"}
	if runtime.GOOS != "linux" {
		alone = nil
		t.Logf("there is no unshare on %s: the replays are compared with the network there", runtime.GOOS)
	} else if said, err := exec.Command(alone[0], append(slices.Clone(alone[1:]), "true")...).CombinedOutput(); err != nil {
		alone = nil
		t.Logf("unshare is not allowed here (%v: %s): the replays are compared with the network there", err, said)
	}
	calls := len(c.service.Calls())
	var sums [2][sha256.Size]byte
	for i := range sums {
		args := slices.Concat(alone, []string{"cupel"}, c.arguments(t, "replay", c.traces, all, 1+i))
		replay := exec.Command(args[0], args[1:]...)
		replay.Env = append(os.Environ(), "ATTEST_OPENAI_API_KEY=", "ATTEST_CONFIG=")
		var stderr bytes.Buffer
		replay.Stderr = &stderr
		printed, err := replay.Output()
		if code := replay.ProcessState.ExitCode(); code > 1 || len(printed) == 0 {
			t.Fatalf("%v, exit code %d: %s", err, code, stderr.Bytes())
		}
		if got := strings.Count(string(printed), `"assertion_id"`); got != len(recorded) {
			t.Errorf("%d results, recorded were %d", got, len(recorded))
		}
		sums[i] = sha256.Sum256(printed)
		t.Logf("%x", sums[i])
	}
	if sums[0] != sums[1] {
		t.Error("two replays differ")
	}
	if len(c.service.Calls()) != calls {
		t.Error("a replay asked the service")
	}
}
