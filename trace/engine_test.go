package trace

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/trace/internal/second"
)

// lying is a second engine that has its own view of some lines.
type lying struct{ second.Engine }

func (e lying) Canonical(text []byte) ([]byte, error) {
	switch {
	case strings.Contains(string(text), "refused"):
		return nil, errors.New("not to its taste")
	case strings.Contains(string(text), "changed"):
		return []byte("{}"), nil
	case strings.Contains(string(text), "nonsense"):
		return text, nil
	}
	return e.Engine.Canonical(text)
}

// Judge has no view of whole logs: here single lines count.
func (lying) Judge(context.Context, second.Question) (second.Answer, error) {
	return second.Answer{Unable: "it does not say"}, nil
}

// TestSecondOpinion lets the engines differ in every way they can: both together end with
// an error, and alone each has its own answer.
func TestSecondOpinion(t *testing.T) {
	honest := second.Linked()
	second.Register(lying{honest})
	defer second.Register(honest)
	for line, want := range map[string]struct {
		both      string  // the error
		reference Verdict // of the second engine alone
	}{
		`{"schema_version":1}`:               {"", Valid},
		`{"schema_version":1,"x":"refused"}`: {"line 2: the engines disagree: the reference refuses the line (not to its taste), the fast one reads it", Rejected},
		`{"schema_version":1,"x":"changed"}`: {"line 2: the engines disagree: their canonical bytes differ", Valid},
		`nonsense`:                           {"line 2: the engines disagree: the fast one refuses the line (unexpected 'n', expected a value at byte 0), the reference reads it", Rejected},
		`neither`:                            {"", Rejected},
		`{"schema_version":1,"x":` + strings.Repeat("[", 200): {"", Rejected}, // a limit is nothing to disagree about
	} {
		_, err := Verify(context.Background(), strings.NewReader("\n"+line), Options{Engine: Both})
		var differ *DisagreementError
		switch {
		case want.both == "" && err != nil:
			t.Errorf("%.40s: %v", line, err)
		case want.both != "" && (!errors.As(err, &differ) || differ.Line != 2 || err.Error() != want.both):
			t.Errorf("%.40s: %v, want %s", line, err, want.both)
		}
		r, err := Verify(context.Background(), strings.NewReader("\n"+line), Options{Engine: Reference})
		if err != nil || r.Verdict != want.reference {
			t.Errorf("%.40s: the reference alone says %+v, %v", line, r, err)
		}
	}
}
