package eval_test

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/capture"
	"github.com/cupel-dev/cupel/oatf/eval"
)

// benchTrace returns a JSON-RPC log of about 1 MB, one call and one answer after the other, in
// which no indicator of benchDocument matches.
func benchTrace() []byte {
	var b bytes.Buffer
	for i := 0; b.Len() < 1<<20; i++ {
		fmt.Fprintf(&b, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"read_file","arguments":{"path":"/home/user/project/src/module_%d/file_%d.go","encoding":"utf-8","limit":%d}}}`+"\n", i, i%7, i, i*3)
		fmt.Fprintf(&b, `{"jsonrpc":"2.0","id":%d,"result":{"content":[{"type":"text","text":"package module_%d // %s"}],"isError":false}}`+"\n", i, i%7, strings.Repeat("some words of a file, ", 15))
	}
	return b.Bytes()
}

// benchDocument has ten string indicators, five on calls and five on answers, which no
// other document of another number has.
func benchDocument(number int) *oatf.Document {
	doc := &oatf.Document{Attack: oatf.Attack{ID: new(fmt.Sprintf("BENCH-%03d", number))}}
	mcp := oatf.Protocol("mcp")
	for i := range 5 {
		needle := fmt.Sprintf("needle-%d-%d", number, i)
		doc.Attack.Indicators = append(doc.Attack.Indicators,
			oatf.Indicator{Protocol: &mcp, Surface: new(oatf.Surface("tool_arguments")), Pattern: &oatf.PatternMatch{
				Target: new("arguments.path"), Condition: &oatf.Condition{Operators: &oatf.MatchCondition{Contains: &needle}},
			}},
			oatf.Indicator{Protocol: &mcp, Surface: new(oatf.Surface("tool_response")), Pattern: &oatf.PatternMatch{
				Target: new("content[*].text"), Condition: &oatf.Condition{Operators: &oatf.MatchCondition{Contains: &needle}},
			}},
		)
	}
	return doc
}

// BenchmarkRun shows the cost of evaluation on top of decoding: "decode" is the minimum of the others.
func BenchmarkRun(b *testing.B) {
	text := benchTrace()
	for _, documents := range []int{0, 1, 60} {
		name := fmt.Sprintf("documents=%d", documents)
		if documents == 0 {
			name = "decode"
		}
		b.Run(name, func(b *testing.B) {
			evaluators := make([]*eval.Evaluator, documents)
			for i := range evaluators {
				evaluators[i], _ = eval.NewEvaluator(benchDocument(i), eval.Options{})
			}
			batch := eval.NewBatch(evaluators...)
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				run := batch.Start()
				r := capture.NewReader(bytes.NewReader(text), capture.Options{})
				for {
					m, err := r.Next()
					if err == io.EOF {
						break
					}
					if err == nil {
						err = run.Take(b.Context(), m)
					}
					if err != nil {
						b.Fatal(err)
					}
				}
				run.Finish()
			}
		})
	}
}
