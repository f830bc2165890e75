package evidence

import (
	"strings"
	"testing"
)

// TestDisagreementStops gives the comparison of the engines a fast engine that is
// wrong: the error names the line and the place.
func TestDisagreementStops(t *testing.T) {
	wrong, source := []byte(`{"a":1,"c":2}`), []byte(`{"b":2,"a":1}`)
	_, err := compared(Both, 7, wrong, source)
	want := `line 7: the engines disagree at byte 8 of the canonical form: fast c":2}, reference b":2}`
	if err == nil || err.Error() != want {
		t.Errorf("%v, expected %s", err, want)
	}
	if got, err := compared(Reference, 7, wrong, source); err != nil || string(got) != `{"a":1,"b":2}` {
		t.Errorf("%s, %v", got, err)
	}
	if _, err := compared(Reference, 7, wrong, []byte(`{"a":01}`)); err == nil || !strings.Contains(err.Error(), "the reference engine refuses") {
		t.Errorf("%v", err)
	}
}
