package stream_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// BenchmarkRecords cuts a log of 20,000 records, about 11 MB, without reading them.
func BenchmarkRecords(b *testing.B) {
	record := `{"idx":7,"kind":"step_started","text":"` + strings.Repeat(`words, \"more\" words `, 24) + `"}`
	records := make([]string, 20_000)
	for i := range records {
		records[i] = record
	}
	for name, text := range map[string]string{
		"lines": strings.Join(records, "\n"), "array": "[" + strings.Join(records, ",\n") + "]",
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				in, n := stream.Records(strings.NewReader(text), stream.Limits{}.WithDefaults(), 0), 0
				for buf := []byte(nil); ; {
					block, err := in.Next(buf)
					if errors.Is(err, io.EOF) {
						break
					}
					if err != nil {
						b.Fatal(err)
					}
					for range block.Lines {
						n++
					}
					buf = block.Data
				}
				if n != len(records) {
					b.Fatal(n)
				}
			}
		})
	}
}
