package lint

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/privacy"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/bundletest"
)

// leaving is a redactor that leaves a secret in some events. Nobody knows an event of which
// the real one does.
type leaving struct{ redactor }

func (l leaving) Event(dst []byte, e *evidence.Event) ([]byte, []privacy.Change, error) {
	if bytes.Contains(e.Text(), []byte("left")) {
		return dst, nil, &privacy.SweepError{Pointer: "/data/a", Rule: "jwt"}
	}
	return l.redactor.Event(dst, e)
}

// TestUncleaned checks that an event that redaction cannot clean has an error with the place and the rule, and
// without the value. It fails the verification of payloads, and is hidden if the rule is not wanted.
func TestUncleaned(t *testing.T) {
	r := bundletest.Recipe{Events: 2, Set: map[string]json.RawMessage{"1/data": json.RawMessage(`{"a":"left hunter2"}`)}}
	text := r.Stream()
	opt := Options{}.withDefaults()
	opt.redactor = func() redactor { return leaving{privacy.NewRedactor(privacy.Default())} }
	report, err := Lint(context.Background(), bytes.NewReader(text), int64(len(text)), "x", opt)
	if err != nil {
		t.Fatal(err)
	}
	verified, err := Verify(context.Background(), bytes.NewReader(text), int64(len(text)), "x", opt)
	if err != nil {
		t.Fatal(err)
	}
	for _, list := range [][]finding.Finding{report.Findings, verified.Findings} {
		n := 0
		for _, f := range list {
			if f.Rule != "EV-405" {
				continue
			}
			n++
			want := "/data/a has a secret that redaction cannot remove (forbidden, jwt)"
			if f.Message != want || f.Path != "/data/a" || f.Line != 2 || f.Severity != finding.Error || strings.Contains(fmt.Sprint(f), "hunter2") {
				t.Errorf("%+v", f)
			}
		}
		if n != 1 {
			t.Errorf("%d findings in %+v", n, list)
		}
	}
	opt.Wanted = func(rule string) bool { return rule != "EV-405" }
	if report, err = Lint(context.Background(), bytes.NewReader(text), int64(len(text)), "x", opt); err != nil || len(report.Findings) > 0 && strings.Contains(report.Findings[0].Message, "cannot take out") {
		t.Errorf("%v: %+v", err, report)
	}
}
