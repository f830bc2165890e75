package redact_test

import (
	"bytes"
	"context"
	"testing"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/redact"
	"github.com/cupel-dev/cupel/internal/bundletest"
)

// FuzzRedact redacts any bytes: nothing is written unless the report says so, and what was
// written is clean: a second redaction changes nothing, and no secret rule matches.
func FuzzRedact(f *testing.F) { // slow: each text is redacted twice
	for _, data := range dirty {
		f.Add([]byte(`{"specversion":"1.0","type":"assay.fs.access","subject":"/home/bob/x","assaycontenthash":"sha256:00","data":` + data + `,"zone":"token=x"}` + "\n"))
	}
	f.Add([]byte(run(2)))
	f.Add((&bundletest.Recipe{}).Bundle())
	f.Fuzz(func(t *testing.T, text []byte) {
		opt := redact.Options{Jobs: 1, AcceptUnverified: true, Limits: evidence.Limits{LineBytes: 1 << 16}}
		var out bytes.Buffer
		report, err := redact.Redact(context.Background(), bytes.NewReader(text), -1, "", new(memory), &out, opt)
		if err != nil || !report.Redacted {
			if out.Len() > 0 {
				t.Fatalf("%v, and %d bytes were written", err, out.Len())
			}
			return
		}
		var same bytes.Buffer
		again, err := redact.Redact(context.Background(), bytes.NewReader(out.Bytes()), -1, "", new(memory), &same, opt)
		if err != nil || !again.Redacted || again.Summary.Changes() > 0 || !bytes.Equal(same.Bytes(), out.Bytes()) {
			t.Fatalf("%v, %+v\n%q became\n%q and then\n%q", err, again, text, out.Bytes(), same.Bytes())
		}
		if report.Kind != "bundle" {
			sweep(t, out.Bytes())
		}
	})
}
