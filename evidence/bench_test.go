package evidence_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/gowebpki/jcs"

	"github.com/cupel-dev/cupel/evidence"
)

// BenchmarkHash is one event of about 600 bytes: scan, select, canonicalise, SHA-256,
// compare with the recorded hash.
func BenchmarkHash(b *testing.B) {
	event := sample(b)
	for _, c := range []struct {
		name string
		opt  evidence.Options
	}{
		{"fast", evidence.Options{Check: true}},
		{"reference", evidence.Options{Check: true, Engine: evidence.Reference}},
		{"fast+envelope", evidence.Options{Check: true, EnvelopeDigest: true}},
	} {
		b.Run(c.name, func(b *testing.B) {
			h := evidence.NewHasher(c.opt)
			b.SetBytes(int64(len(event)))
			b.ReportAllocs()
			for b.Loop() {
				if got, err := h.Hash(event); err != nil || got.Match != evidence.Same {
					b.Fatal(err, got.Findings)
				}
			}
		})
	}
}

// BenchmarkHashWithLibraries is the same work with encoding/json and gowebpki/jcs: the
// yardstick of the target "five times as fast".
func BenchmarkHashWithLibraries(b *testing.B) {
	event := sample(b)
	b.SetBytes(int64(len(event)))
	b.ReportAllocs()
	for b.Loop() {
		if got, recorded := hashWithLibraries(b, event); got != recorded {
			b.Fatalf("%s, recorded %s", got, recorded)
		}
	}
}

func hashWithLibraries(tb testing.TB, event []byte) (hash, recorded string) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(event, &members); err != nil {
		tb.Fatal(err)
	}
	if err := json.Unmarshal(members["assaycontenthash"], &recorded); err != nil {
		tb.Fatal(err)
	}
	input := map[string]json.RawMessage{}
	for _, name := range []string{"data", "datacontenttype", "specversion", "subject", "type"} {
		if value, ok := members[name]; ok && string(value) != "null" {
			input[name] = value
		}
	}
	text, err := json.Marshal(input)
	if err != nil {
		tb.Fatal(err)
	}
	canonical, err := jcs.Transform(text)
	if err != nil {
		tb.Fatal(err)
	}
	return fmt.Sprintf("sha256:%x", sha256.Sum256(canonical)), recorded
}

// BenchmarkHashStream is a stream of 20,000 events by the number of workers.
func BenchmarkHashStream(b *testing.B) {
	text := bytes.Repeat(append(sample(b), '\n'), 20_000)
	for _, jobs := range []int{1, 2, 4} {
		b.Run(fmt.Sprintf("jobs=%d", jobs), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				total, err := evidence.HashStream(b.Context(), bytes.NewReader(text), evidence.Options{Jobs: jobs}, func(*evidence.Result) error { return nil })
				if err != nil || total.Matched != 20_000 {
					b.Fatal(err, total)
				}
			}
		})
	}
}

// BenchmarkDiagnose is the whole search for a mistake that is not there.
func BenchmarkDiagnose(b *testing.B) {
	event := sample(b)
	for b.Loop() {
		evidence.Diagnose(event, evidence.Sum{}.String(), evidence.Limits{})
	}
}
