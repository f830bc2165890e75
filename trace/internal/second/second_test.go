package second_test

import (
	"context"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/trace"
	"github.com/cupel-dev/cupel/trace/internal/second"
)

// TestProgramWithoutSecondEngine holds what trace says in a program, such as this test,
// that does not import the second engine.
func TestProgramWithoutSecondEngine(t *testing.T) {
	if second.Linked() != nil {
		t.Fatal("the test has a second engine")
	}
	for engine, want := range map[trace.Engine]string{
		"": "", trace.Fast: "",
		trace.Reference: `engine "reference" is not part of this program: import _ "github.com/cupel-dev/cupel/trace/reference"`,
		trace.Both:      `engine "both" is not part of this program: import _ "github.com/cupel-dev/cupel/trace/reference"`,
		"slow":          `unknown engine "slow", expected "fast", "reference" or "both"`,
	} {
		_, err := trace.Verify(context.Background(), strings.NewReader("{}"), trace.Options{Engine: engine})
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("engine %q: %q, want %q", engine, got, want)
		}
	}
}

// none is an engine that is never asked.
type none struct{ second.Engine }

func TestRegister(t *testing.T) {
	second.Register(none{})
	defer second.Register(nil)
	if second.Linked() != second.Engine(none{}) {
		t.Errorf("linked is %v", second.Linked())
	}
}
