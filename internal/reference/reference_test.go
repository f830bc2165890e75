package reference_test

import (
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/internal/reference"
)

// TestRefusals guards against a downgrade of the library: an older version of it accepted each of these.
func TestRefusals(t *testing.T) {
	for _, text := range []string{`"` + "\xff" + `"`, `[01]`, strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000), `{"a":1,"a":2}`, `["\ud800"]`, `1e400`, `[] []`} {
		if got, err := reference.Canonical([]byte(text)); err == nil {
			t.Errorf("%.40q is accepted: %.40q", text, got)
		}
	}
}

func TestObject(t *testing.T) {
	got, err := reference.Object([]byte(`{"c":[1.0],"a":{"z":1,"b":2},"\u0062":null,"d":0}`), "a", "b", "c", "absent")
	if err != nil || string(got) != `{"a":{"b":2,"z":1},"b":null,"c":[1]}` {
		t.Errorf("%s, %v", got, err)
	}
	if _, err := reference.Object([]byte(`[1]`), "a"); err == nil {
		t.Error("an array is accepted")
	}
}
