package trace_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/cupel-dev/cupel/trace"
)

// manyFindings are logs of both families with more findings than a report keeps: lines
// that are no record, events with faults of their own, references that only the end or
// a later line settles, and members that the formats do not know.
func manyFindings(n int) map[string]string {
	var bare, chained, reasoning, cited, rejected strings.Builder
	for i := range n {
		fmt.Fprintf(&bare, `{"event_type":"ERROR","payload":{"error_type":"e","message":%d,"m%d":1,"stack_trace":null}}`+"\n", i%2, i)
		fmt.Fprintf(&chained, `{"event_id":"e%d","session_id":"s%d","sequence_number":%d,"timestamp":"t","event_type":"TOOL_RESULT","source_sdk_ts":null,`+
			`"schema_ver":"v0.6","payload":{"tool_name":"t","tool_id":"i%d","result":7,"m%d":1},"payload_hash":"x","prev_event_hash":"y","event_hash":"z","chain_authority":"sdk","x%d":1}`+"\n",
			i, i%3, i*i%11, i, i, i)
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
		"bare": bare.String(), "chained": chained.String(), "reasoning": reasoning.String(),
		"results before calls": cited.String(), "rejected": rejected.String(),
	}
}

// slowPipe reads in pieces of up to a number of bytes, so that blocks end where a slow
// pipe lets them.
type slowPipe struct {
	r      io.Reader
	most   int
	random *rand.Rand
}

func (p *slowPipe) Read(b []byte) (int, error) {
	return p.r.Read(b[:min(len(b), 1+p.random.IntN(p.most))])
}

// reportJSON is the report on an input, as cupel writes it.
func reportJSON(tb testing.TB, r io.Reader, jobs, most int) []byte {
	tb.Helper()
	report, err := trace.Verify(tb.Context(), r, trace.Options{Name: "x", Jobs: jobs, Limits: trace.Limits{Findings: most}})
	if err != nil {
		tb.Fatal(err)
	}
	text, err := json.Marshal(report)
	if err != nil {
		tb.Fatal(err)
	}
	return text
}

// sameReport demands one report on an input, however it is read.
func sameReport(tb testing.TB, name, input string, most int, seed uint64) {
	tb.Helper()
	want := reportJSON(tb, strings.NewReader(input), 1, most)
	random := rand.New(rand.NewPCG(seed, 3))
	for jobs := 1; jobs <= 8; jobs++ {
		pieces := 1 << random.IntN(18)
		ways := map[string]io.Reader{
			"at once":                             strings.NewReader(input),
			fmt.Sprintf("up to %d bytes", pieces): &slowPipe{strings.NewReader(input), pieces, random},
		}
		if jobs == 3 {
			ways["byte by byte"] = iotest.OneByteReader(strings.NewReader(input))
			ways["with the end in the last read"] = iotest.DataErrReader(strings.NewReader(input))
		}
		for way, r := range ways {
			if got := reportJSON(tb, r, jobs, most); !bytes.Equal(got, want) {
				tb.Fatalf("%s, at most %d findings, read %s by %d: another report\n%.2000s\n%.2000s", name, most, way, jobs, got, want)
			}
		}
	}
}

// TestOneReport: the same bytes give the same report, whatever the sizes of reads and
// blocks and however many workers there are, with more findings than are kept and at
// every limit beside their number.
func TestOneReport(t *testing.T) {
	for name, input := range manyFindings(20) {
		for _, most := range []int{1, 2, 9, 10, 11, 19, 20, 21, 39, 40, 41} {
			sameReport(t, name, input, most, uint64(most))
		}
	}
	for name, input := range manyFindings(1_100) {
		sameReport(t, name, input, 0, 1)
	}
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

// FuzzOneReport: TestOneReport on any input.
func FuzzOneReport(f *testing.F) {
	for _, n := range []int{3, 300} {
		for _, input := range manyFindings(n) {
			for _, most := range []int{2, n - 1, n, n + 1} {
				f.Add(input, most, uint64(n))
			}
		}
	}
	f.Fuzz(func(t *testing.T, input string, most int, seed uint64) {
		if len(input) > 1<<20 {
			return // it takes the fuzzer's time and shows nothing that a smaller one does not
		}
		sameReport(t, "fuzzed", input, most%2_000, seed)
	})
}
