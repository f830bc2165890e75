package oatf_test

import (
	"fmt"
	"testing"

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
