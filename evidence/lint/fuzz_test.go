package lint_test

import (
	"bytes"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/cupel-dev/cupel/evidence/lint"
)

// FuzzLint: whatever an input holds, there is an answer, the same for every way to read it;
// what is counted is what is kept when all is kept; and an input is invalid exactly when its
// verification found an error.
func FuzzLint(f *testing.F) { // slow: each text is linted twice
	for _, r := range lint.Rules() {
		f.Add([]byte(r.Bad))
		f.Add([]byte(strings.ReplaceAll(r.Bad+"\n"+r.Good, `"assayseq":0`, `"assayseq":1`)))
	}
	f.Add([]byte("\n\n{}\n[]"))
	f.Add([]byte("\x1f\x8b\x08"))
	f.Fuzz(func(t *testing.T, text []byte) {
		opt := lint.Options{}
		opt.Verify.MaxFindings, opt.Verify.Jobs = -1, 1
		want := run(t, bytes.NewReader(text), len(text), opt)
		if n := want.Errors + want.Warnings + want.Infos; n != len(want.Findings) || want.Omitted != 0 {
			t.Fatalf("%d findings are counted, %d kept, %d omitted", n, len(want.Findings), want.Omitted)
		}
		if want.Invalid() != (want.Integrity.Errors > 0) {
			t.Fatalf("%s with %d errors", want.Integrity.Verdict, want.Integrity.Errors)
		}
		opt.Verify.Jobs = 3
		got := run(t, iotest.HalfReader(bytes.NewReader(text)), len(text), opt)
		if a, b := shown(t, got.Findings), shown(t, want.Findings); a != b {
			t.Fatalf("%s\nnot\n%s", a, b)
		}
	})
}
