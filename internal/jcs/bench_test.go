package jcs_test

import (
	"crypto/sha256"
	"testing"
	"time"

	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/jcs"
	"github.com/cupel-dev/cupel/internal/reference"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// event is a log event of about 600 bytes as producers write them: members out of
// order, spaces after separators, an escape, fractions.
var event = []byte(`{"specversion": "1.0", "type": "assay.tool.decision", "source": "urn:assay:runner:ci-7", "id": "run_4f2a91c07be3d516:17", "time": "2026-03-14T09:26:53.589Z", "datacontenttype": "application/json", "subject": "tool:read_file", "assayrunid": "run_4f2a91c07be3d516", "assayseq": 17, "assayproducer": "assay", "assayproducerversion": "2.6.0", "assaygit": "9f8e7d6c", "assaypii": false, "assaysecrets": false, "data": {"tool": "read_file", "decision": "allow", "reason_code": "P_POLICY_ALLOW", "args": {"path": "~/**/notes.md", "lines": [1, 250], "ratio": 0.375}, "note": "first line\nsecond line"}}`)

func BenchmarkScan(b *testing.B) {
	s := strictjson.NewScanner(strictjson.Limits{})
	b.SetBytes(int64(len(event)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := s.Scan(event); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkCanonicalHash also prints how many times the time it takes that SHA-256 of the
// canonical bytes alone does, of as many events in the same run. Target: 3.0.
func BenchmarkCanonicalHash(b *testing.B) {
	s, w := strictjson.NewScanner(strictjson.Limits{}), jcs.NewWriter(nil)
	var buf []byte
	b.SetBytes(int64(len(event)))
	b.ReportAllocs()
	for b.Loop() {
		doc, err := s.Scan(event)
		if err != nil {
			b.Fatal(err)
		}
		buf = w.Append(buf[:0], doc.Root())
		_ = sha256.Sum256(buf)
	}
	all, start := b.Elapsed(), time.Now()
	for range b.N {
		_ = sha256.Sum256(buf)
	}
	b.ReportMetric(float64(all)/float64(time.Since(start)), "times-SHA-256")
}

// BenchmarkCanonicalHashTogether is the same of 16 events whose hashes are computed together, as
// those of session logs are.
func BenchmarkCanonicalHashTogether(b *testing.B) {
	s, w := strictjson.NewScanner(strictjson.Limits{}), jcs.NewWriter(nil)
	texts := make([][]byte, 16)
	var many digest.Many
	b.SetBytes(int64(len(texts) * len(event)))
	b.ReportAllocs()
	for b.Loop() {
		for i := range texts {
			doc, err := s.Scan(event)
			if err != nil {
				b.Fatal(err)
			}
			texts[i] = w.Append(texts[i][:0], doc.Root())
		}
		many.Sums(texts)
	}
	all, start := b.Elapsed(), time.Now()
	for range b.N {
		for _, text := range texts {
			_ = sha256.Sum256(text)
		}
	}
	b.ReportMetric(float64(all)/float64(time.Since(start)), "times-SHA-256")
}

func BenchmarkCanonicalHashReference(b *testing.B) {
	b.SetBytes(int64(len(event)))
	b.ReportAllocs()
	for b.Loop() {
		text, err := reference.Canonical(event)
		if err != nil {
			b.Fatal(err)
		}
		_ = sha256.Sum256(text)
	}
}
