package selftest

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

// TestSuiteFails holds that a suite says what does not hold, for a self-test that cannot
// fail proves nothing.
func TestSuiteFails(t *testing.T) {
	broken := func(text []byte) ([]byte, error) { return text, nil }
	refusing := func([]byte) ([]byte, error) { return nil, errors.New("refused") }
	forms := []Form{{"unchanged", broken}, {"refusing", refusing}}
	s := Canonical(forms)
	if len(s.Failures) != maxFailures || s.Cases <= maxFailures {
		t.Errorf("%d failures of %d cases", len(s.Failures), s.Cases)
	}
	if !slices.ContainsFunc(s.Failures, func(f string) bool { return strings.Contains(f, "under refusing: , refused") }) {
		t.Errorf("no failure names the error: %q", s.Failures)
	}
}

// TestEach reads cases: one that cannot be read fails, and so do none at all.
func TestEach(t *testing.T) {
	type numbered struct{ N int }
	for file, want := range map[string]struct {
		cases, failures, sum int
	}{
		"":                              {0, 1, 0},
		"{\"n\":1}\n{\"n\":2}\n":        {2, 0, 3},
		"{\"n\":1}\nno JSON\n{\"n\":4}": {3, 1, 5},
	} {
		var s Suite
		sum := 0
		each(&s, []byte(file), func(c numbered) { sum += c.N })
		if s.Cases != want.cases || len(s.Failures) != want.failures || sum != want.sum {
			t.Errorf("%q: %+v, sum %d, expected %+v", file, s, sum, want)
		}
	}
}

// TestBrokenCases runs the suites on cases that are wrong.
func TestBrokenCases(t *testing.T) {
	strict, canonical := strictCases, canonicalCases
	t.Cleanup(func() { strictCases, canonicalCases = strict, canonical })
	strictCases = []byte(`{"text":"[1","code":""}` + "\n" + `{"text":"[1]","code":"syntax"}` + "\n" + `{"text":"[","code":"truncated","offset":7}` + "\n" + `{"hex":"ff","code":"utf8"}`)
	if s := Strict(); s.Cases != 4 || len(s.Failures) != 3 {
		t.Errorf("%+v", s)
	}
	canonicalCases = []byte(`{"input":"[1","expected":{"rfc8785":"[1]"}}` + "\n" + `{"input":"[2]","expected":{"rfc8785":"[1]"}}`)
	for _, s := range []Suite{Canonical(nil), Reference()} {
		if s.Cases != 2 || len(s.Failures) != 2 {
			t.Errorf("%+v", s)
		}
	}
}
