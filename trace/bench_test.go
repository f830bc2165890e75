package trace_test

import (
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/trace"
)

// BenchmarkSmallLog verifies a log of ten events: what each of many files costs.
func BenchmarkSmallLog(b *testing.B) {
	log := strings.Join(strings.SplitAfterN(workingDay(b, 40), "\n", 11)[:10], "")
	for name, opt := range map[string]trace.Options{"workers": {}, "inline": {Inline: true}} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(log)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := trace.Verify(b.Context(), strings.NewReader(log), opt); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
