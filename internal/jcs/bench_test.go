package jcs_test

import (
	"crypto/sha256"
	"testing"

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

// BenchmarkHash is the floor: SHA-256 of the canonical bytes, with nothing read or written.
func BenchmarkHash(b *testing.B) {
	text := canonical(b, nil, event)
	b.SetBytes(int64(len(event)))
	for b.Loop() {
		_ = sha256.Sum256(text)
	}
}

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
