package trace_test

import (
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/trace"
)

// BenchmarkSmallLog verifies a log of ten events: what each of many files costs.
func BenchmarkSmallLog(b *testing.B) {
	log := strings.Join(strings.SplitAfterN(workingDay(b, 40), "\n", 11)[:10], "")
	b.SetBytes(int64(len(log)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := trace.Verify(b.Context(), strings.NewReader(log), trace.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
