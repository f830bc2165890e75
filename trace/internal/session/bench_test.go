package session_test

import (
	"bytes"
	"testing"

	"github.com/cupel-dev/cupel/internal/sessiontest"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/internal/session"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// BenchmarkChecker reads a log of 2,000 events, about 620 bytes each, in blocks of 400
// on one goroutine.
func BenchmarkChecker(b *testing.B) {
	var log bytes.Buffer
	if err := sessiontest.WorkingDay(&log, 2000); err != nil {
		b.Fatal(err)
	}
	lines := bytes.Split(bytes.TrimSuffix(log.Bytes(), []byte("\n")), []byte("\n"))
	scanner := strictjson.NewScanner(strictjson.Limits{})
	b.SetBytes(int64(log.Len()))
	b.ReportAllocs()
	for b.Loop() {
		doc, err := scanner.Scan(lines[0])
		if err != nil {
			b.Fatal(err)
		}
		checker, err := session.New(stream.NewFindings(10), stream.Limits{}.WithDefaults(), session.V0, doc.Root(), session.Options{})
		if err != nil {
			b.Fatal(err)
		}
		worker := checker.Worker()
		for i, line := range lines {
			doc, err := scanner.Scan(line)
			if err != nil {
				b.Fatal(err)
			}
			worker.Line(stream.Line{Number: i + 1, Bytes: line, Terminated: true}, doc)
			if i%400 == 399 {
				if err := worker.Flush()(); err != nil {
					b.Fatal(err)
				}
			}
		}
		if o, err := checker.Finish(); err != nil || o.Integrity != "valid" {
			b.Fatal(o, err)
		}
	}
}
