//go:build unix

package history_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/attest/history"
)

// BenchmarkRecord records one score after the other, and compares with a plain append to an open file.
func BenchmarkRecord(b *testing.B) {
	s := open(b, filepath.Join(b.TempDir(), "file"), 0)
	defer s.Close()
	for b.Loop() {
		check(b, s.Record(b.Context(), []attest.Score{{AssertionID: "helpful", Score: 0.91}}))
	}
}

// BenchmarkOpenFull reads a file of the greatest size.
func BenchmarkOpenFull(b *testing.B) {
	name := filepath.Join(b.TempDir(), "file")
	var text strings.Builder
	text.WriteString(firstLine)
	for i := 0; text.Len() < history.MaxBytes-100; i++ {
		fmt.Fprintf(&text, "{\"assertion_id\":\"assert_%08x\",\"score\":0.%04d}\n", i%3000, i%10000)
	}
	check(b, os.WriteFile(name, []byte(text.String()), 0o600))
	for b.Loop() {
		s := open(b, name, 0)
		check(b, s.Freeze(b.Context()))
		s.Close()
	}
}
