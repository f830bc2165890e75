package payload_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/payload"
)

// BenchmarkWorst checks, in events as long as they may be, what takes each rule the most time
// for each byte; the hash of the same event is the floor.
func BenchmarkWorst(b *testing.B) {
	repeat := func(format string, bytes int) string {
		var list strings.Builder
		for i := 0; list.Len() < bytes; i++ {
			fmt.Fprintf(&list, ","+format, i)
		}
		return list.String()[1:]
	}
	const most = 1 << 20
	for _, c := range [][2]string{
		{"source", `{"source":"urn:` + strings.Repeat("%41", most/3-1000) + `"}`},
		{"source escaped", `{"source":"urn:` + strings.Repeat(`\u0041`, most/6-1000) + `"}`},
		{"tracestate", `{"tracestate":"` + strings.Repeat(", ", most/2-1000) + `"}`},
		{"tracestate twice", `{"tracestate":"` + repeat("a%d="+strings.Repeat("x", 256), 8000)[:8000] + `"}`},
		{"type", `{"type":"` + strings.Repeat("é", most/2-1000) + `"}`},
		{"names", `{` + repeat(`"a%dB":1`, 100_000) + `}`},
		{"additive", `{"type":"assay.tool.decision","data":{` + repeat(`"tool_definition_digest_al%d":1`, 300_000) + `}}`},
		{"keys", `{"type":"assay.env.filtered","data":{"mode":"m","dropped_keys":[],"counters":{},"passed_keys":[` + repeat(`"%d"`, most-2000) + `]}}`},
		{"counters", `{"type":"assay.env.filtered","data":{"mode":"m","dropped_keys":[],"passed_keys":[],"counters":{` + repeat(`"c%d":1.5e1`, 130_000) + `}}}`},
		{"delegated_from", `{"type":"assay.tool.decision","data":{"tool":"t","decision":"allow","delegated_from":"` + strings.Repeat("\u3000", most/3-1000) + `"}}`},
	} {
		text := []byte(laid(b, c[1]))
		h, checker := evidence.NewHasher(evidence.Options{}), payload.NewChecker(payload.Options{Strict: true})
		r, err := h.Hash(text)
		if err != nil || r.Event == nil {
			b.Fatal(c[0], err, r.Findings)
		}
		b.Run(c[0]+"/hash", func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			other := evidence.NewHasher(evidence.Options{})
			for b.Loop() {
				if _, err := other.Hash(text); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(c[0]+"/check", func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if _, err := checker.Event(nil, &r); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
