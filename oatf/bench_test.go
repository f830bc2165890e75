package oatf_test

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"go.yaml.in/yaml/v4"

	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/oatftest"
)

// BenchmarkCheck measures the whole of `oatf lint` for one document in memory, beside
// the YAML nodes alone: the goal is three times those at most, and time linear in size.
func BenchmarkCheck(b *testing.B) {
	for _, size := range []int{5_000, 20_000, 200_000, 5_000_000} {
		text := oatftest.Document(1, size)
		if list := oatf.Check(text, oatf.CheckOptions{}); len(list) > 0 {
			b.Fatalf("the sample of %d bytes has findings: %v", size, list[0].Message)
		}
		b.Run(fmt.Sprintf("nodes/%d", size), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				var n yaml.Node
				if err := yaml.Load(text, &n); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprintf("check/%d", size), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				oatf.Check(text, oatf.CheckOptions{})
			}
		})
	}
}

// BenchmarkSmall lints documents of the usual size in turn with reading their YAML nodes, and
// gives the ratio: the goal is 1.5. The larger one has a CEL expression, of which the parser of
// CEL's library takes longer than all of the rest that is not YAML.
func BenchmarkSmall(b *testing.B) {
	for _, size := range []int{2_500, 4_500} {
		text := oatftest.Document(1, size)
		name := fmt.Sprintf("%d bytes without CEL", len(text))
		if bytes.Contains(text, []byte("cel:")) {
			name = fmt.Sprintf("%d bytes with CEL", len(text))
		}
		b.Run(name, func(b *testing.B) {
			nodes, check := time.Hour, time.Hour // the shortest of each: nothing came between
			for b.Loop() {
				start := time.Now()
				var n yaml.Node
				if err := yaml.Load(text, &n); err != nil {
					b.Fatal(err)
				}
				between := time.Now()
				oatf.Check(text, oatf.CheckOptions{})
				nodes, check = min(nodes, between.Sub(start)), min(check, time.Since(between))
			}
			b.ReportMetric(float64(check)/float64(nodes), "x-nodes")
		})
	}
}
