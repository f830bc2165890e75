package naive_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"testing/iotest"

	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/racetest"
	"github.com/cupel-dev/cupel/trace"
	_ "github.com/cupel-dev/cupel/trace/reference"
)

// These tests run both engines as a user does, under options that change the verdict. Either cupel's own answer is
// printed, or an error.

// once begins the sentence on rules that were not checked a second time.
const once = "the rules a second time: "

// bothAgree verifies a log with both engines. twice is false where the report says that
// the rules were not checked a second time.
func bothAgree(t testing.TB, log []byte, opt trace.Options) (twice bool, disagreement error) {
	t.Helper()
	opt.Engine, opt.Name = trace.Both, "log"
	r, err := trace.Verify(t.Context(), iotest.HalfReader(bytes.NewReader(log)), opt)
	if err != nil {
		return false, err
	}
	return !slices.ContainsFunc(r.NotCovered, func(s string) bool { return strings.HasPrefix(s, once) }), nil
}

// limits are such that a line of the log may just meet them, or just not.
func limits(r *rand.Rand, log []byte) (l trace.Limits) {
	if r.IntN(3) > 0 {
		return l
	}
	lines := bytes.Split(log, []byte("\n"))
	longest := slices.MaxFunc(lines, func(a, b []byte) int { return len(a) - len(b) })
	l.LineBytes = max(1, len(longest)-r.IntN(3))
	if r.IntN(2) == 0 {
		l.LineBytes, l.Depth, l.Keys = 0, 2+r.IntN(4), 3+r.IntN(14)
	}
	return l
}

// anchored expects of a log what it is, what its beginning is, or something else.
func anchored(r *rand.Rand, log []byte, opt *trace.Options) {
	cut := r.IntN(len(log) + 2)
	digest := sha256.Sum256(log[:min(cut, len(log))])
	lines := bytes.Split(log, []byte("\n"))
	event, _ := decoded(lines[r.IntN(len(lines))]).(map[string]any)
	head, _ := event["event_hash"].(string)
	events := int64(max(0, len(lines)-r.IntN(3)))
	if r.IntN(3) == 0 {
		opt.Anchor = &trace.Anchor{Bytes: int64(cut), SHA256: hex.EncodeToString(digest[:]), Events: int64(r.IntN(len(lines) + 1)), Head: head}
	}
	if r.IntN(3) == 0 {
		opt.Session.ExpectCount = &events
	}
	if r.IntN(3) == 0 {
		opt.Session.ExpectHead = head
	}
	if r.IntN(3) == 0 {
		whole := sha256.Sum256(log)
		opt.ExpectSHA256 = "sha256:" + hex.EncodeToString(whole[:])
	}
	if r.IntN(9) == 0 {
		opt.ExpectSHA256 = strings.Repeat("0", 64)
	}
}

// sessionOptions draws options of session logs.
func sessionOptions(r *rand.Rand, log []byte) trace.Options {
	opt := trace.Options{Limits: limits(r, log)}
	opt.Session.IntegrityOnly, opt.Session.StrictPayload = r.IntN(4) == 0, r.IntN(4) == 0
	if r.IntN(2) == 0 {
		names := trace.Canonicalizations()
		opt.Session.Canonicalization = names[r.IntN(len(names))]
	}
	if r.IntN(3) == 0 {
		opt.Session.HMACKey = []byte("secret\n")
	}
	anchored(r, log, &opt)
	return opt
}

// TestSessionOptions verifies every log and damaged copies of it with both engines.
func TestSessionOptions(t *testing.T) {
	compared, step := 0, racetest.Step(t)
	for i, log := range racetest.Some(t, sessionLogs(t)) {
		r := rand.New(rand.NewPCG(uint64(i), 13))
		for round := range 8 {
			if round > 0 {
				log = damaged(r, log)
			}
			opt := sessionOptions(r, log)
			twice, err := bothAgree(t, log, opt)
			if err != nil {
				t.Fatalf("log %d, round %d, %+v: %v\n%s", i, round, opt, err, log)
			}
			if twice {
				compared++
			}
		}
	}
	if compared == 0 || step == 1 && compared < 200 {
		t.Errorf("only %d logs were compared", compared)
	}
	t.Logf("%d logs compared", compared)
}

// overlay is a folder with files of its own in place of others.
type overlay struct {
	*door.Folder
	own fstest.MapFS
}

func (o overlay) Open(name string) (fs.File, error) {
	if o.own[name] != nil {
		return o.own.Open(name)
	}
	return o.Folder.Open(name)
}

// runOptions draws options of reasoning traces. Now and then the plan or the manifest is
// damaged, or there is one that lists the trace's own files.
func runOptions(t testing.TB, r *rand.Rand, folder *door.Folder, log []byte) trace.Options {
	t.Helper()
	opt := trace.Options{Strict: r.IntN(3) == 0, Limits: limits(r, log)}
	beside := overlay{folder, fstest.MapFS{}}
	opt.Reasoning = trace.ReasoningOptions{
		Run: beside, Contiguous: r.IntN(3) == 0, AcceptAliases: r.IntN(2) == 0, CheckIDs: r.IntN(3) == 0, Manifest: r.IntN(3) == 0,
		NoEvidence: r.IntN(6) == 0, SchemaVersions: [][]int64{nil, {1}, {2, 1}, {0}}[r.IntN(4)],
	}
	switch plan := beside.text("plan.json"); r.IntN(4) {
	case 0:
		beside.own["plan.json"] = &fstest.MapFile{Data: otherPlan(r, plan)}
	case 1:
		beside.own["manifest.json"] = &fstest.MapFile{Data: otherManifest(r, beside)}
	case 2:
		opt.Reasoning.Plan, opt.Reasoning.PlanName = bytes.NewReader(plan), "log" // as the input is called
	}
	anchored(r, log, &opt)
	return opt
}

// text returns the content of a file, nil for none.
func (o overlay) text(name string) []byte {
	text, err := fs.ReadFile(onlyOpen{o}, name)
	if err != nil {
		return nil
	}
	return text
}

type onlyOpen struct{ fs.FS }

// otherPlan damages a plan: as a line may be, or by dependencies at random.
func otherPlan(r *rand.Rand, plan []byte) []byte {
	value, _ := decoded(plan).(map[string]any)
	nodes, _ := value["nodes"].([]any)
	if len(nodes) == 0 || r.IntN(3) == 0 {
		return changed(r, plan)
	}
	name := func() any {
		if node, ok := nodes[r.IntN(len(nodes))].(map[string]any); ok && r.IntN(6) > 0 {
			return node["id"]
		}
		return "nobody"
	}
	for range 1 + r.IntN(4) {
		if node, ok := nodes[r.IntN(len(nodes))].(map[string]any); ok {
			node["dependencies"] = []any{name(), name()}
		}
	}
	if r.IntN(2) == 0 {
		value["edges"] = []any{[]any{name(), name()}}
	}
	return marshalled(value)
}

// otherManifest lists files of a folder, some of them with another digest or by another
// path.
func otherManifest(r *rand.Rand, folder overlay) []byte {
	list := map[string]any{}
	for _, name := range []string{"trace.jsonl", "plan.json", "evidence/e1.txt", "nothing", "evidence"} {
		digest := sha256.Sum256(folder.text(name))
		value := hex.EncodeToString(digest[:])
		if r.IntN(4) == 0 {
			value = value[1:] + "0"
		}
		list[[]string{"", "./", "evidence/../", "//"}[r.IntN(4)]+name] = value
		if r.IntN(4) == 0 {
			list["./."+"/"+name] = value
			list[name] = strings.Repeat("0", 64)
		}
	}
	if r.IntN(6) == 0 {
		list["trace.jsonl"] = others[r.IntN(len(others))]
	}
	return marshalled(list)
}

func marshalled(value any) []byte {
	out, err := json.Marshal(value)
	if err != nil {
		panic(err) // a decoded value marshals
	}
	return out
}

// TestRunOptions verifies every run and damaged copies of its trace with both engines.
func TestRunOptions(t *testing.T) {
	compared, step := 0, racetest.Step(t)
	for i, run := range racetest.Some(t, runs(t)) {
		folder, err := door.Open(run.dir)
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(uint64(i), 13))
		for round := range 12 {
			log := run.trace
			if round%3 > 0 {
				log = damaged(r, log)
			}
			opt := runOptions(t, r, folder, log)
			twice, err := bothAgree(t, log, opt)
			if err != nil {
				t.Fatalf("%s, round %d, %+v: %v\n%.3000s", run.dir, round, opt, err, log)
			}
			if twice {
				compared++
			}
		}
		if err := folder.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if compared == 0 || step == 1 && compared < 100 {
		t.Errorf("only %d runs were compared", compared)
	}
	t.Logf("%d runs compared", compared)
}

// TestAliases reads the member names of old writers, on both sides or on neither.
func TestAliases(t *testing.T) {
	aliases := strings.NewReplacer(
		`"call":`, `"tool_call":`, `"result":`, `"tool_result":`, `"supports":`, `"support_refs":`, `"success":`, `"ok":`,
		`"evidence_ids":`, `"evidence_refs":`, `"claim_ids":`, `"emitted_claim_ids":`, `"missing_support_claim_ids":`, `"insufficient_support":`,
	)
	for _, run := range racetest.Some(t, runs(t)) {
		log, err := os.ReadFile(filepath.Join(run.dir, "trace.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		for _, accept := range []bool{true, false} {
			opt := trace.Options{Reasoning: trace.ReasoningOptions{AcceptAliases: accept}}
			if _, err := bothAgree(t, []byte(aliases.Replace(string(log))), opt); err != nil {
				t.Errorf("%s, aliases %v: %v", run.dir, accept, err)
			}
		}
	}
}

// TestOtherLogs compares both engines on inputs that are not logs of any family.
func TestOtherLogs(t *testing.T) {
	for _, log := range []string{
		"", "\n", " \r\n", "{", "what\n{}", `{}`, `{"a":1}`, "\n{\"a\":1}\nwhat\n{\"kind\":\"x\"}", `7`, "\ufeff{}", `{"event_hash":"x"}`, "\xff", `{"schema_version":1}`,
		`{"kind":"x","event_type":"ERROR","payload":{}}`, `{"event_type":"ERROR"}`, strings.Repeat(" ", 40),
	} {
		for _, limit := range []int{0, 20} {
			if twice, err := bothAgree(t, []byte(log), trace.Options{Limits: trace.Limits{LineBytes: limit}}); err != nil || !twice {
				t.Errorf("%q, at most %d bytes: %v, compared %v", log, limit, err, twice)
			}
		}
	}
}

// TestCounts writes a number in many ways: both engines agree whether it is a count.
func TestCounts(t *testing.T) {
	for _, number := range []string{
		"0", "-0", "7", "-7", "0.0", "7.0", "7.5", "70e-1", "75e-1", "7e2", "-0e9", "0e999999999", "0E-999999999", "1e-999999999", "1E-1000000", "1e308", "5e-324",
		"1" + strings.Repeat("0", 300), "0." + strings.Repeat("0", 400) + "7", strings.Repeat("7", 20) + "e-19", "18446744073709551616",
	} {
		log := `{"event_type":"LOG_DROP","payload":{"count":` + number + `}}`
		if twice, err := bothAgree(t, []byte(log), trace.Options{}); err != nil || !twice {
			t.Errorf("%.40s: %v, compared %v", number, err, twice)
		}
	}
}

// FuzzEngines looks for a log and options under which the engines differ.
func FuzzEngines(f *testing.F) { // slow: runs several engines
	list := runs(f)[:10] // the project's own
	for i, r := range list {
		f.Add(r.trace, uint8(i), uint64(1))
	}
	for i, log := range sessionLogs(f) {
		if len(log) < 8<<10 {
			f.Add(log, uint8(i), uint64(i))
		}
	}
	f.Fuzz(func(t *testing.T, log []byte, which uint8, seed uint64) {
		if len(log) > 32<<10 || bytes.Count(log, []byte("[")) > 500 {
			return
		}
		folder, err := door.Open(list[int(which)%len(list)].dir)
		if err != nil {
			t.Fatal(err)
		}
		defer folder.Close()
		r := rand.New(rand.NewPCG(seed, 17))
		for _, l := range [][]byte{log, damaged(r, log), respelled(r, log)} {
			opt, session := runOptions(t, r, folder, l), sessionOptions(r, l)
			opt.Session = session.Session
			if _, err := bothAgree(t, l, opt); err != nil {
				t.Fatal(fmt.Sprintf("%+v", opt), err, fmt.Sprintf("\n%q", l))
			}
		}
	})
}
