package selftest_test

import (
	"testing"

	"github.com/cupel-dev/cupel/internal/selftest"
)

func TestCore(t *testing.T) {
	suites := append(selftest.Core(nil), selftest.Numbers(1_000_000))
	for _, s := range suites {
		t.Logf("%s: %d cases", s.Name, s.Cases)
		if s.Cases == 0 {
			t.Errorf("%s: no cases", s.Name)
		}
		for _, failure := range s.Failures {
			t.Errorf("%s: %s", s.Name, failure)
		}
	}
}
