package attest_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/cupel-dev/cupel/attest"
)

// specExample returns the protocol's own example as params, layers 1 to 4.
func specExample(b *testing.B) []byte {
	b.Helper()
	data, err := os.ReadFile("../testdata/attest/evaluate/protocol.jsonl")
	if err != nil {
		b.Fatal(err)
	}
	var c struct {
		Params struct {
			Trace      json.RawMessage   `json:"trace"`
			Assertions []json.RawMessage `json:"assertions"`
		} `json:"params"`
	}
	if err := json.Unmarshal(data[:strings.IndexByte(string(data), '\n')], &c); err != nil {
		b.Fatal(err)
	}
	c.Params.Assertions = c.Params.Assertions[:5]
	return encode(c.Params)
}

func benchmark(b *testing.B, params []byte) {
	b.Helper()
	e := attest.NewEngine(attest.Options{})
	b.SetBytes(int64(len(params)))
	b.ReportAllocs()
	start := processTime()
	for b.Loop() {
		if _, err := e.EvaluateBatch(context.Background(), params); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(processTime()-start)/float64(b.N), "cpu-ns/op")
}

func BenchmarkExample(b *testing.B) { benchmark(b, specExample(b)) }

// batch is params of a trace with n assertions.
func batch(trace string, n int, assertion func(i int) string) []byte {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf(`{"assertion_id":"a%d",%s}`, i, assertion(i))
	}
	return fmt.Appendf(nil, `{"trace":%s,"assertions":[%s]}`, trace, strings.Join(list, ","))
}

func stepsTrace(n int, result string) string {
	var b strings.Builder
	b.WriteString(`{"schema_version":1,"trace_id":"t","output":{"message":"done"},"metadata":{"cost_usd":0.01},"steps":[`)
	types := []string{"tool_call", "llm_call", "retrieval", "tool_call"}
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"type":"%s","name":"step_%d","args":{"id":%d},"result":{%s},"metadata":{"duration_ms":12}}`, types[i%4], i%500, i, result)
	}
	b.WriteString("]}")
	return b.String()
}

// BenchmarkManySteps: 10,000 steps × 1,000 assertions of all four layers.
func BenchmarkManySteps(b *testing.B) {
	benchmark(b, batch(stepsTrace(10_000, `"ok":true`), 1000, func(i int) string {
		switch i % 8 {
		case 0:
			return fmt.Sprintf(`"type":"trace","spec":{"check":"contains_in_order","tools":["step_%d","step_%d","step_7"]}`, i%500, (i+3)%500)
		case 1:
			return fmt.Sprintf(`"type":"trace","spec":{"check":"exact_order","tools":["step_%d","step_%d"]}`, i%500, (i+2)%500)
		case 2:
			return fmt.Sprintf(`"type":"trace","spec":{"check":"loop_detection","tool":"step_%d","max_repetitions":30}`, i%500)
		case 3:
			return `"type":"trace","spec":{"check":"no_duplicates"}`
		case 4:
			return `"type":"constraint","spec":{"field":"steps[?type=='tool_call'].length","operator":"lte","value":6000}`
		case 5:
			return fmt.Sprintf(`"type":"schema","spec":{"target":"steps[?name=='step_%d'].args","schema":{"type":"object","required":["id"]}}`, i%500)
		case 6:
			return fmt.Sprintf(`"type":"content","spec":{"target":"steps[?name=='step_%d'].result.ok","check":"contains","value":"true"}`, i%500)
		}
		return `"type":"trace","spec":{"check":"required_tools","tools":["step_1","step_499"]}`
	}))
}

// BenchmarkLargeTrace: a trace of 9.9 MB and the example's kind of assertions.
func BenchmarkLargeTrace(b *testing.B) {
	text := strings.Repeat("some text of a tool, ", 48)
	trace := stepsTrace(9000, `"text":"`+text+`","score":0.25`)
	if len(trace) < 9_500_000 || len(trace) > 10_400_000 {
		b.Fatalf("the trace has %d bytes", len(trace))
	}
	benchmark(b, batch(trace, 4, func(i int) string {
		return []string{
			`"type":"schema","spec":{"target":"output","schema":{"required":["message"]}}`,
			`"type":"constraint","spec":{"field":"metadata.cost_usd","operator":"lte","value":1}`,
			`"type":"trace","spec":{"check":"contains_in_order","tools":["step_1","step_3"]}`,
			`"type":"content","spec":{"target":"output.message","check":"contains","value":"done"}`,
		}[i]
	}))
}

// BenchmarkSameSchema: one schema 500 times.
func BenchmarkSameSchema(b *testing.B) {
	trace := `{"schema_version":1,"trace_id":"t","output":{"structured":{"refund_id":"RFD-001","confidence":0.95}}}`
	benchmark(b, batch(trace, 500, func(int) string {
		return `"type":"schema","spec":{"target":"output.structured","schema":{"$schema":"https://json-schema.org/draft/2020-12","type":"object","required":["refund_id","confidence"],"properties":{"refund_id":{"type":"string","pattern":"^RFD-\\d+$"},"confidence":{"type":"number","minimum":0.0,"maximum":1.0}},"additionalProperties":false}}`
	}))
}

// words is about 400 kB of text.
func words() string {
	var b strings.Builder
	for i := 0; b.Len() < 400_000; i++ {
		fmt.Fprintf(&b, "Order %d was shipped to customer %d; ", i, i*7919%10007)
	}
	return b.String()
}

// BenchmarkManyWords: 500 substring checks on 400 kB, half of them found.
func BenchmarkManyWords(b *testing.B) {
	for name, text := range map[string]string{"ascii": words(), "unicode": strings.ReplaceAll(words(), "customer", "Kündin")} {
		b.Run(name, func(b *testing.B) {
			trace := `{"schema_version":1,"trace_id":"t","output":{"message":"` + text + `"}}`
			benchmark(b, batch(trace, 500, func(i int) string {
				value := fmt.Sprintf("Order %d was", i*13)
				if i%2 == 1 {
					value = fmt.Sprintf("refund %d", i)
				}
				return `"type":"content","spec":{"target":"output.message","check":"contains","value":"` + value + `"}`
			}))
		})
	}
}

// BenchmarkRegexes matches 500 expressions on one text of 100 kB, and compares with a loop that runs each precompiled
// expression with regexp.MatchString: as-fast-as-the-loop is the speed ratio of the whole request.
func BenchmarkRegexes(b *testing.B) {
	text := words()[:100_000]
	for _, c := range []struct {
		name    string
		pattern func(i int) string
	}{
		{"10 patterns", func(i int) string { return fmt.Sprintf(`[a-z]+ to customer %d[0-9]{3};`, i%10) }},
		{"literal absent", func(i int) string { return fmt.Sprintf(`[a-z]+ refund-%d[0-9]{3,}`, i) }},
		{"literal absent, any case", func(i int) string { return fmt.Sprintf(`(?i)[a-z]+ refund-%d[0-9]{3,}`, i) }},
		{"literals of three bytes", func(i int) string { return fmt.Sprintf(`[0-9]+(x%02d|y%02d)[a-z]+`, i%100, i/100) }},
		{"literal first", func(i int) string { return fmt.Sprintf(`refund-%d\\d{3,}`, i) }},
		{"half of them match", func(i int) string { return fmt.Sprintf(`(Order|refund) %d (was|were) [a-z]+ `, i*6) }},
		{"no literal", func(i int) string { return fmt.Sprintf(`[A-Z][a-z]+[0-9]{%d}`, i+1) }},
		{"literal there, no match", func(i int) string { return fmt.Sprintf(`[0-9]+ was shipped to [a-z]+ [A-Z]{%d}`, i+1) }},
		{"hard", func(i int) string { return fmt.Sprintf(`[a-z][a-z ]{%d}[0-9][A-Z]`, i+10) }},
		{"greedy", func(i int) string { return fmt.Sprintf(`[A-Z].*[0-9]{%d};`, i%4+1) }},
		{"no literal, all match", func(i int) string { return fmt.Sprintf(`[0-9]{4} [a-z]{3} .{%d}`, i) }},
	} {
		b.Run(c.name, func(b *testing.B) { besideLoop(b, text, c.pattern) })
	}
}

// besideLoop evaluates 500 regexes on a text, in turn with the loop.
func besideLoop(b *testing.B, text string, pattern func(i int) string) {
	b.Helper()
	params := batch(`{"schema_version":1,"trace_id":"t","output":{"message":"`+text+`"}}`, 500, func(i int) string {
		return `"type":"content","spec":{"target":"output.message","check":"regex_match","value":"` + pattern(i) + `"}`
	})
	var compiled []*regexp.Regexp
	for i := range 500 {
		compiled = append(compiled, regexp.MustCompile(strings.ReplaceAll(pattern(i), `\\`, `\`)))
	}
	e := attest.NewEngine(attest.Options{})
	var engine, loop time.Duration
	for b.Loop() {
		start := processTime()
		if _, err := e.EvaluateBatch(context.Background(), params); err != nil {
			b.Fatal(err)
		}
		engine += processTime() - start
		start = processTime()
		for _, re := range compiled {
			_ = re.MatchString(text)
		}
		loop += processTime() - start
	}
	b.ReportMetric(float64(loop)/float64(max(engine, 1)), "as-fast-as-the-loop")
	b.ReportMetric(float64(engine)/float64(b.N), "cpu-ns/op")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkExampleParallel: the example from all cores at once.
func BenchmarkExampleParallel(b *testing.B) {
	params := specExample(b)
	e := attest.NewEngine(attest.Options{})
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if _, err := e.EvaluateBatch(context.Background(), params); err != nil {
				b.Error(err)
			}
		}
	})
}
