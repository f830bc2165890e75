package container

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io"
	"strings"
	"testing"
)

// sample returns the text of events that compress as real ones do.
func sample(size int) string {
	var text strings.Builder
	for seq := 0; text.Len() < size; seq++ {
		fmt.Fprintf(&text, `{"specversion":"1.0","type":"assay.tool.decision","source":"urn:example:runner:7","id":"run:%d","time":"2026-03-02T09:00:%02d.%03dZ",`+
			`"datacontenttype":"application/json","data":{"decision":"allow","latency_ms":%d.5},"assayrunid":"run","assayseq":%d,"assaycontenthash":"sha256:%x"}`+"\n",
			seq, seq%60, seq%1000, seq%997, seq, sha256.Sum256([]byte{byte(seq), byte(seq >> 8)}))
	}
	return text.String()
}

// BenchmarkRead reads a bundle of 16 MB to its end, and compares with the standard library's gzip of the same bytes.
func BenchmarkRead(b *testing.B) {
	events := sample(16 << 20)
	bundle := write(b, DefaultLevel, "{}", events)
	b.Run("bundle", func(b *testing.B) {
		b.SetBytes(int64(len(events)))
		for b.Loop() {
			if err := readAll(NewReader(bytes.NewReader(bundle), int64(len(bundle)), Options{})); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("gunzip", func(b *testing.B) {
		b.SetBytes(int64(len(events)))
		for b.Loop() {
			r, err := gzip.NewReader(bytes.NewReader(bundle))
			if err != nil {
				b.Fatal(err)
			}
			if _, err := io.Copy(io.Discard, r); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkWrite is the same bundle written, at the fastest, the default and the smallest
// level.
func BenchmarkWrite(b *testing.B) {
	events := sample(16 << 20)
	for _, level := range []int{MinLevel, DefaultLevel, MaxLevel} {
		b.Run(fmt.Sprint("level=", level), func(b *testing.B) {
			b.SetBytes(int64(len(events)))
			for b.Loop() {
				write(b, level, "{}", events)
			}
		})
	}
}
