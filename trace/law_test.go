package trace_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"testing/iotest"

	"github.com/cupel-dev/cupel/internal/racetest"
	"github.com/cupel-dev/cupel/internal/reasoningtest"
	"github.com/cupel-dev/cupel/internal/sessiontest"
	"github.com/cupel-dev/cupel/trace"
)

// subject is all that a verification reads, and what is asked of it.
type subject struct {
	name  string
	log   string
	files fstest.MapFS // the plan, the manifest and the evidence; nil: none is read
	opt   trace.Options
}

// slow reads up to a number of bytes at a time, so that blocks end where a slow pipe lets
// them.
type slow struct {
	r      io.Reader
	most   int
	random *rand.Rand
}

func (s *slow) Read(b []byte) (int, error) {
	return s.r.Read(b[:min(len(b), 1+s.random.IntN(s.most))])
}

// slowFiles are files that are read as a slow pipe is, and that cannot seek.
type slowFiles struct {
	fstest.MapFS
	most int
	seed uint64
}

func (s slowFiles) Open(name string) (fs.File, error) {
	f, err := s.MapFS.Open(name)
	if err != nil {
		return nil, err
	}
	return slowFile{f, &slow{f, s.most, rand.New(rand.NewPCG(s.seed, 6))}}, nil
}

type slowFile struct {
	fs.File
	*slow
}

func (s slowFile) Read(b []byte) (int, error) { return s.slow.Read(b) }

// way is one way of reading a subject: it must not matter.
type way struct {
	name  string
	jobs  int // 0: none, all is done on the caller's goroutine
	block int // bytes that a block aims for; 0: the default
	log   func(string) io.Reader
	files func(fstest.MapFS) trace.Files
}

func atOnce(log string) io.Reader { return strings.NewReader(log) }

func inMemoryAt(files fstest.MapFS) trace.Files { return files }

// ways returns one way for each number of workers up to 8, none included, with reads and blocks of any size.
func ways(random *rand.Rand) (list []way) {
	blocks := []int{1, 64, 64, 1_000, 5_000, 64 << 10, 300 << 10, 0}
	for jobs := range 9 {
		w := way{jobs: jobs, block: blocks[random.IntN(len(blocks))], log: atOnce, files: inMemoryAt}
		most, seed := 1<<random.IntN(18), random.Uint64()
		switch random.IntN(4) {
		case 0:
			w.name = "at once"
		case 1:
			w.name = "with the end in the last read"
			w.log = func(log string) io.Reader { return iotest.DataErrReader(strings.NewReader(log)) }
		default:
			w.name = fmt.Sprintf("in pieces of up to %d bytes", most)
			w.log = func(log string) io.Reader { return &slow{strings.NewReader(log), most, rand.New(rand.NewPCG(seed, 3))} }
			w.files = func(files fstest.MapFS) trace.Files { return slowFiles{files, most, seed} }
		}
		list = append(list, w)
	}
	return list
}

// answer returns the report on a subject, or the error.
func (s *subject) answer(tb testing.TB, w way) string {
	tb.Helper()
	opt := s.opt
	opt.Name, opt.Jobs, opt.Inline = "x", w.jobs, w.jobs == 0
	if s.files != nil {
		opt.Reasoning.Run = w.files(s.files)
	}
	report, err := trace.VerifyInBlocks(tb.Context(), w.log(s.log), opt, w.block)
	if err != nil {
		return err.Error()
	}
	text, err := json.Marshal(report)
	if err != nil {
		tb.Fatal(err)
	}
	return string(text)
}

// oneReport demands one report on a subject, however it is read, and returns it.
func oneReport(tb testing.TB, s subject, random *rand.Rand) string {
	tb.Helper()
	want := s.answer(tb, way{jobs: 1, log: atOnce, files: inMemoryAt})
	for _, w := range ways(random) {
		if got := s.answer(tb, w); got != want {
			at := 0
			for at < min(len(got), len(want)) && got[at] == want[at] {
				at++
			}
			tb.Fatalf("%s, read %s in blocks of %d by %d: another report from byte %d on\n%.800s\n%.800s\nlimits %+v, the log:\n%.3000q",
				s.name, w.name, w.block, w.jobs, at, got[max(0, at-200):], want[max(0, at-200):], s.opt.Limits, s.log)
		}
	}
	return want
}

// manyFindings returns logs of both families with more findings than a report keeps: lines that are not records,
// events with faults, references that only the end or a later line settles, and unknown members.
func manyFindings(n int) map[string]string {
	var bare, chained, clocks, reasoning, cited, listed, rejected strings.Builder
	for i := range n {
		fmt.Fprintf(&bare, `{"event_type":"ERROR","payload":{"error_type":"e","message":%d,"m%d":1,"stack_trace":null}}`+"\n", i%2, i)
		fmt.Fprintf(&chained, `{"event_id":"e%d","session_id":"s%d","sequence_number":%d,"timestamp":"t","event_type":"TOOL_RESULT","source_sdk_ts":null,`+
			`"schema_ver":"v0.6","payload":{"tool_name":"t","tool_id":"i%d","result":7,"m%d":1},"payload_hash":"x","prev_event_hash":"y","event_hash":"z","chain_authority":"sdk","x%d":1}`+"\n",
			i, i%3, i*i%11, i, i, i)
		fmt.Fprintf(&clocks, `{"event_id":"e%d","session_id":"s","sequence_number":%d,"timestamp_wall":"2026-03-01T00:00:%02dZ","timestamp_monotonic":%d,"event_type":"AGENT_STATE_SNAPSHOT",`+
			`"payload":{},"payload_hash":"x","prev_event_hash":"y","event_hash":"z"}`+"\n", i/2, i, i*7%61, i*5%11)
		fmt.Fprintf(&listed, `{"idx":%d,"kind":"step_finished","step_id":"s","output":{"type":"%s","evidence_ids":["e%d","x"],"claim_ids":["k%[3]d"]}}`+"\n", i, []string{"gather", "derive"}[i%2], i)
		fmt.Fprintf(&reasoning, `{"idx":%d,"kind":"step_started","step_id":"s%d","mood%d":1}`+"\n", i/2, i%(n/2+1), i)
		fmt.Fprintf(&cited, `{"idx":%d,"kind":"tool_returned","step_id":"s","result":{"call_id":"c%d","m%d":0}}`+"\n", 2*i, n-i, i)
		fmt.Fprintf(&rejected, `{"idx":%d,"kind":"step_started","step_id":%d}`+"\n", i, i%2)
		if i%5 == 0 {
			rejected.WriteString("{\"idx\":\n")
		}
	}
	for i := range n {
		fmt.Fprintf(&cited, `{"idx":%d,"kind":"tool_called","step_id":"s","call":{"id":"c%d"}}`+"\n", 2*n+i, i)
	}
	return map[string]string{
		"bare": bare.String(), "chained": chained.String(), "clocks": clocks.String(), "reasoning": reasoning.String(), "outputs": listed.String(),
		"results before calls": cited.String(), "rejected": rejected.String(),
	}
}

// TestOneReport checks that the same bytes give the same report, for any sizes of reads and blocks and any number of
// workers, with more findings than are kept and at every limit.
func TestOneReport(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 3))
	for name, log := range manyFindings(20) {
		for _, most := range racetest.Some(t, []int{1, 2, 9, 10, 11, 19, 20, 21, 39, 40, 41}) {
			oneReport(t, subject{name: name, log: log, opt: trace.Options{Limits: trace.Limits{Findings: most}}}, random)
		}
	}
	logs := manyFindings(1_100)
	for _, name := range racetest.Some(t, slices.Sorted(maps.Keys(logs))) {
		log := logs[name]
		oneReport(t, subject{name: name, log: log}, random)
		oneReport(t, subject{name: name + ", an array", log: layouts(random, strings.Split(log, "\n"))}, random)
	}
}

// wholeLogs returns logs of both families: those in the project, those of CUPEL_VECTORS, and generated ones. Runs
// come with their companion files.
func wholeLogs(tb testing.TB) (list []subject) {
	tb.Helper()
	for _, root := range []string{"../testdata/examples", os.Getenv("CUPEL_VECTORS")} {
		if root == "" {
			tb.Log("CUPEL_VECTORS is not set: only the project's own logs")
			continue
		}
		for _, pattern := range []string{"/session/*.jsonl", "/session/*/*.jsonl", "/trace/*/trace.jsonl", "/reasoning/*/trace.jsonl"} {
			names, err := filepath.Glob(root + pattern)
			if err != nil {
				tb.Fatal(err)
			}
			for _, name := range names {
				list = append(list, shipped(tb, name))
			}
		}
	}
	if len(list) < 10 {
		tb.Fatalf("only %d logs were found", len(list))
	}
	for _, shape := range []reasoningtest.Shape{reasoningtest.Flat, reasoningtest.Wrapped} {
		for _, run := range []*reasoningtest.Run{reasoningtest.Incident(shape), reasoningtest.Research(shape, 60)} {
			files, log := inMemory(run.Files())
			list = append(list, subject{name: "run", log: string(log), files: files.MapFS})
		}
	}
	for i := range 24 {
		random := rand.New(rand.NewPCG(uint64(i), 3))
		family := sessiontest.Families[i%len(sessiontest.Families)]
		lines := sessiontest.Arbitrary(random, family, "5e551017")
		list = append(list, subject{name: family, log: strings.Join(lines, "\n")})
	}
	return list
}

// shipped returns a log of the file system. A run's other files are copied into memory.
func shipped(tb testing.TB, name string) subject {
	tb.Helper()
	log, err := os.ReadFile(name)
	if err != nil {
		tb.Fatal(err)
	}
	s := subject{name: name, log: string(log)}
	if filepath.Base(name) != "trace.jsonl" {
		return s
	}
	s.files = fstest.MapFS{}
	folder := os.DirFS(filepath.Dir(name))
	err = fs.WalkDir(folder, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		text, err := fs.ReadFile(folder, path)
		s.files[path] = &fstest.MapFile{Data: text}
		return err
	})
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// layouts rewrites lines: with other line ends and empty lines, or as one of the two arrays, with white space of all
// kinds.
func layouts(random *rand.Rand, lines []string) string {
	lines = slices.DeleteFunc(slices.Clone(lines), func(l string) bool { return strings.TrimSpace(l) == "" })
	space := func() string { return []string{"", "", " ", "\n", "\r\n", "\t", "\n \r\n"}[random.IntN(7)] }
	mark := []string{"", "", "", "\ufeff"}[random.IntN(4)]
	if random.IntN(3) == 0 {
		end := []string{"\n", "\r\n", " \n", "\n\n"}[random.IntN(4)]
		return mark + strings.Join(lines, end) + []string{"", end}[random.IntN(2)]
	}
	var b strings.Builder
	b.WriteString(mark)
	open, end := "[", "]"
	if random.IntN(2) == 0 {
		open, end = `{"about":["x"],"events":[`, `],"n":1}`
	}
	b.WriteString(open + space())
	for i, l := range lines {
		if i > 0 {
			b.WriteString(space() + "," + space())
		}
		b.WriteString(l)
	}
	b.WriteString(space() + end + space())
	return b.String()
}

// spoilt changes a log where it hurts: bytes, lines that are cut, glued or swapped,
// numbers and brackets that change what a line is.
func spoilt(random *rand.Rand, log string) string {
	b := []byte(log)
	for range random.IntN(4) {
		if len(b) == 0 {
			return ""
		}
		at := random.IntN(len(b))
		switch random.IntN(8) {
		case 0:
			b[at] = byte(random.IntN(256))
		case 1:
			b = b[:at]
		case 2: // two lines become one
			if end := bytes.IndexByte(b[at:], '\n'); end >= 0 {
				b = slices.Delete(b, at+end, at+end+1)
			}
		case 3:
			b = slices.Insert(b, at, []byte([]string{"\n", ",", "]", "}", "{", `"`, `\`, "[", "\ufeff", "\r", "\xe2\x82"}[random.IntN(11)])...)
		case 4: // a line is very long
			b = slices.Insert(b, at, bytes.Repeat([]byte([]string{" ", "x", "é"}[random.IntN(3)]), 1+random.IntN(3_000))...)
		case 5: // a value is very deep, or large
			deep := []string{strings.Repeat("[", 150), strings.Repeat(`{"a":`, 150), `"é":0,"k":1,"l":2,"m":3,`}[random.IntN(3)]
			b = slices.Insert(b, at, []byte(deep)...)
		case 6:
			other := random.IntN(len(b))
			b[at], b[other] = b[other], b[at]
		case 7:
			b = slices.Insert(b, at, b[max(0, at-random.IntN(400)):at]...)
		}
	}
	return string(b)
}

// options returns options that change the checks, each in every fourth case.
func options(random *rand.Rand) (o trace.Options) {
	for _, option := range []*bool{
		&o.Strict, &o.Sum, &o.Reasoning.Contiguous, &o.Reasoning.AcceptAliases, &o.Reasoning.CheckIDs, &o.Reasoning.Manifest,
		&o.Reasoning.NoEvidence, &o.Session.StrictPayload, &o.Session.IntegrityOnly,
	} {
		*option = random.IntN(4) == 0
	}
	if random.IntN(4) == 0 {
		o.ExpectSHA256 = strings.Repeat("0", 64)
		o.Session.Canonicalization = "strict"
	}
	return o
}

// beside sets one limit to the log's exact value, one less, or one more.
func beside(random *rand.Rand, log string) (l trace.Limits) {
	about := func(n int) int { return max(1, n-1+random.IntN(3)) }
	lines := strings.Split(log, "\n")
	line := lines[random.IntN(len(lines))]
	switch random.IntN(7) {
	case 0:
		l.LineBytes = about(len(line))
	case 1:
		l.Depth = about(2 + random.IntN(4))
	case 2:
		l.Keys = about(strings.Count(line, `":`) / 2)
	case 3:
		l.Findings = about(random.IntN(12))
	case 4:
		l.IDs = about(random.IntN(20))
	}
	return l
}

// TestOneReportOnAnything checks the law of TestOneReport on logs in every layout, valid and damaged, with their
// companion files and at every limit.
func TestOneReportOnAnything(t *testing.T) {
	said, step := map[string]int{}, racetest.Step(t)
	for i, s := range racetest.Some(t, wholeLogs(t)) {
		whole := s
		for round := range 7 {
			random := rand.New(rand.NewPCG(uint64(i), uint64(round)))
			s = whole
			if s.opt = options(random); round > 0 {
				s.log = layouts(random, strings.Split(s.log, "\n"))
			}
			switch {
			case round == 2:
				s.opt.Limits.IDs = 1 + random.IntN(6)
			case round > 2:
				s.opt.Limits = beside(random, whole.log)
			}
			if round > 2 {
				s.log = spoilt(random, s.log)
			}
			said[verdictOf(oneReport(t, s, random))]++
		}
	}
	for _, verdict := range []string{"valid", "invalid", "rejected", "more than"} {
		if step == 1 && said[verdict] < 5 {
			t.Errorf("only %d logs are %s: %v", said[verdict], verdict, said)
		}
	}
	t.Logf("each log read in 9 ways: %v", said)
}

// TestNoAnswerYet checks that a trace without a verdict so far can still be rejected, wherever the fault is and
// blocks end.
func TestNoAnswerYet(t *testing.T) {
	files, log := inMemory(reasoningtest.Incident(reasoningtest.Wrapped).Files())
	lines := strings.SplitAfter(strings.TrimSpace(string(log)), "\n")
	random := rand.New(rand.NewPCG(1, 5))
	for at := range lines {
		bad := strings.Join(slices.Insert(slices.Clone(lines), at, "{\n"), "")
		for name, s := range map[string]subject{
			"too many ids":        {files: files.MapFS, opt: trace.Options{Limits: trace.Limits{IDs: 3}}},
			"unreadable evidence": {opt: trace.Options{Reasoning: trace.ReasoningOptions{Evidence: failing{}}}},
		} {
			s.name, s.log = name, bad
			if got := verdictOf(oneReport(t, s, random)); got != "rejected" {
				t.Errorf("%s, a fault on line %d: %s", name, at+1, got)
			}
			if s.log = string(log); at == 0 && strings.HasPrefix(s.answer(t, way{jobs: 1, log: atOnce, files: inMemoryAt}), "{") {
				t.Errorf("%s: the good log has an answer", name)
			}
		}
	}
}

// verdictOf returns the verdict of an answer, or the beginning of its error.
func verdictOf(answer string) string {
	var report struct{ Verdict string }
	if json.Unmarshal([]byte(answer), &report) != nil {
		return strings.Join(strings.Fields(answer)[:2], " ")
	}
	return report.Verdict
}

// TestAllAreCounted: every unknown member is counted once, kept or not.
func TestAllAreCounted(t *testing.T) {
	const n = 5_000
	logs := map[string]string{"bare": `{"event_type":"ERROR","payload":{"error_type":"e","message":"m","fatal":true,"m%d":1}}` + "\n", "reasoning": `{"idx":%[1]d,"kind":"step_started","step_id":"s%[1]d","m%[1]d":1}` + "\n"}
	for name, line := range logs {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, line, i)
		}
		report, err := trace.Verify(t.Context(), strings.NewReader(b.String()), trace.Options{Jobs: 4})
		if err != nil {
			t.Fatal(err)
		}
		if report.Infos < n || report.Infos > n+1 {
			t.Errorf("%s: %d notes on %d members", name, report.Infos, n)
		}
	}
}

// TestUnknownMembersByName: a member that the format does not know is noted once for each
// object that can have it, by its name and not by how a line spells that.
func TestUnknownMembersByName(t *testing.T) {
	long := strings.Repeat("n", 70)
	for _, c := range []struct {
		want   int
		events []string // members of an event, a space, and members of its output
	}{
		{1, []string{`,"a":1 `, `,"\u0061":1 `, `,"a":1 `}},
		{1, []string{`,"\u0061":1 `, `,"a":1 `}},
		{2, []string{`,"` + long + `1":1 `, `,"` + long + `2":1 `}},
		{1, []string{`,"` + long + `/":1 `, `,"` + long + `\/":1 `}},
		{2, []string{`,"output.a":1 `, ` ,"a":1`}},
		{2, []string{`,"a":1 `, ` ,"a":1`}},
		{2, []string{` ,"a":1,"ab":1`, ` ,"\u0061\u0062":1`}},
	} {
		log := `{"trace_schema_version":1}` + "\n"
		for i, members := range c.events {
			own, output, _ := strings.Cut(members, " ")
			log += fmt.Sprintf(`{"idx":%d,"kind":"step_finished","step_id":"s","output":{"type":"gather"%s}%s}`+"\n", i, output, own)
		}
		noted := 0
		for _, f := range verify(t, []byte(log), trace.Options{}).Findings {
			if f.Rule == "field.unknown" {
				noted++
			}
		}
		if noted != c.want {
			t.Errorf("%q: %d members are noted, want %d", c.events, noted, c.want)
		}
	}
}

// FuzzOneReport checks TestOneReport on any input, with a run's files.
func FuzzOneReport(f *testing.F) { // slow: runs several engines
	for _, n := range []int{3, 300} {
		for _, log := range manyFindings(n) {
			for _, most := range racetest.Some(f, []int{2, n - 1, n, n + 1}) {
				f.Add(log, most, uint64(n))
			}
		}
	}
	for _, log := range manyFindings(1_100) {
		f.Add(log, 0, uint64(1))
	}
	for i, s := range racetest.Some(f, wholeLogs(f)) {
		if len(s.log) < 16<<10 {
			random := rand.New(rand.NewPCG(uint64(i), 9))
			f.Add(layouts(random, strings.Split(s.log, "\n")), 0, uint64(i))
		}
	}
	files, _ := inMemory(reasoningtest.Incident(reasoningtest.Wrapped).Files())
	f.Fuzz(func(t *testing.T, log string, most int, seed uint64) {
		if len(log) > 1<<20 {
			return // it takes the fuzzer's time and shows nothing that a smaller one does not
		}
		random := rand.New(rand.NewPCG(seed, 3))
		s := subject{name: "fuzzed", log: log, files: files.MapFS, opt: trace.Options{Limits: beside(random, log)}}
		if most != 0 {
			s.opt.Limits.Findings = most % 2_000
		}
		oneReport(t, s, random)
	})
}
