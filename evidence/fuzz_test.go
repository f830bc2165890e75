package evidence_test

import (
	"bytes"
	"os"
	"slices"
	"testing"

	"github.com/cupel-dev/cupel/evidence"
)

// FuzzHash holds that no input panics, that the engines agree, that a refusal has a
// reason, and that a hash input hashes to itself.
func FuzzHash(f *testing.F) {
	for _, c := range evidence.ReadCases[hashCase](f, "hash.jsonl") {
		f.Add([]byte(c.Text))
	}
	run, err := os.ReadFile("../testdata/examples/evidence/other-producers.ndjson")
	if err != nil {
		f.Fatal(err)
	}
	for line := range bytes.Lines(run) {
		f.Add(line)
	}
	h := evidence.NewHasher(evidence.Options{Engine: evidence.Both, Explain: true, EnvelopeDigest: true})
	f.Fuzz(func(t *testing.T, text []byte) {
		got, err := h.Hash(text)
		if err != nil {
			t.Fatal(err)
		}
		if !got.Hashed {
			if got.Counts.Errors == 0 {
				t.Error("no hash and no reason")
			}
			return
		}
		if wide := slices.ContainsFunc(got.Findings, func(f evidence.Finding) bool { return f.Rule == "number.outside_hash" }); wide != (got.EnvelopeDigest() == "") {
			t.Errorf("a number outside the hash: %v, envelope digest %q", wide, got.EnvelopeDigest())
		}
		input := bytes.Clone(got.Explanation.Input)
		again, err := h.Hash(input)
		if err != nil || again.Sum != got.Sum || !bytes.Equal(again.Explanation.Input, input) {
			t.Errorf("the hash input %s hashes as %s, %v", input, again.ContentHash(), err)
		}
		evidence.Diagnose(text, string(got.Recorded), evidence.Limits{})
	})
}

// FuzzStream holds that a stream gives the same answer for any number of workers.
func FuzzStream(f *testing.F) {
	f.Add([]byte(event + "\n" + event + "\n"))
	f.Add([]byte("{\n" + event[1:] + "\n\n" + event))
	f.Add([]byte(event[:20] + "\n" + event))
	f.Fuzz(func(t *testing.T, text []byte) {
		var answers [2][]string
		for i, jobs := range []int{1, 3} {
			list, total := collect(t, bytes.NewReader(text), evidence.Options{Jobs: jobs, Limits: evidence.Limits{LineBytes: 200}})
			if total.Events != len(list) || total.Rooted && total.Hashed != total.Events {
				t.Errorf("%+v for %d events", total, len(list))
			}
			answers[i] = list
		}
		if len(answers[0]) != len(answers[1]) {
			t.Fatalf("%q and %q", answers[0], answers[1])
		}
		for i := range answers[0] {
			if answers[0][i] != answers[1][i] {
				t.Errorf("%q and %q", answers[0][i], answers[1][i])
			}
		}
	})
}

// FuzzSumLine holds that every line that is read names one input in one way.
func FuzzSumLine(f *testing.F) {
	f.Add([]byte("sha256:e6c2ca2b292216b68acbc904305c2e92106783eb479d53911197966e0f6c7cfc  a:1"), "a")
	f.Add([]byte(`\run-root  sha256:e6c2ca2b292216b68acbc904305c2e92106783eb479d53911197966e0f6c7cfc  a\nb`), "a\nb")
	f.Fuzz(func(t *testing.T, text []byte, name string) {
		if l, ok := evidence.ParseSumLine(text); ok && (l.Name == "" || len(l.Hash) != 71) {
			t.Errorf("%q is read as %+v", text, l)
		}
		if name == "" {
			return
		}
		line := evidence.AppendSum(nil, evidence.EventSum, evidence.Sum{}, name, 7)
		l, ok := evidence.ParseSumLine(line)
		if in, n := l.Place(); !ok || in != name || n != 7 {
			t.Errorf("%q is read as %q line %d, %v", line, in, n, ok)
		}
	})
}
