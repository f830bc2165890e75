package bundle_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/bundle"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/bundletest"
)

// beside returns a check that finds nothing and keeps its input.
func beside(taken *[]string) bundle.Beside[string] {
	return bundle.Beside[string]{
		New: func() func(*evidence.Result, *string) {
			return func(r *evidence.Result, said *string) { *said = fmt.Sprint(*said, r.Line, r.Event != nil) }
		},
		Take: func(r *evidence.Result, said *string) ([]finding.Finding, error) {
			*taken = append(*taken, fmt.Sprint(r.Line, " ", *said))
			return nil, nil
		},
		Finish: func() ([]finding.Finding, error) {
			*taken = append(*taken, "all")
			return nil, nil
		},
	}
}

// TestBesideChangesNothing: a check that finds nothing changes nothing of the report, and is
// handed each event once, in order, whatever the way the input is read.
func TestBesideChangesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := recipes(t)
		text := r.Bundle()
		if rapid.Bool().Draw(t, "stream") {
			text = r.Stream()
		}
		opt := bundle.Options{All: rapid.Bool().Draw(t, "all"), Jobs: 1}
		want, wantText := verify(t, bytes.NewReader(text), len(text), "x", opt)
		var first []string
		for _, jobs := range []int{1, 3} {
			opt.Jobs = jobs
			var taken []string
			got, err := bundle.VerifyBeside(context.Background(), iotest.HalfReader(bytes.NewReader(text)), -1, "x", opt, beside(&taken))
			if err != nil {
				t.Fatal(err)
			}
			if gotText, _ := json.Marshal(got); string(gotText) != wantText {
				t.Fatalf("%d jobs:\n got %s\nwant %s", jobs, gotText, wantText)
			}
			events := len(taken)
			if slices.Contains(taken, "all") {
				events--
			}
			if opt.All && int64(events) != want.Events {
				t.Fatalf("%d events of %d: %q", events, want.Events, taken)
			}
			if jobs == 1 {
				first = taken
			} else if !slices.Equal(first, taken) {
				t.Fatalf("%d jobs: %q, one %q", jobs, taken, first)
			}
		}
	})
}

// TestBesideFindings checks that the verification treats the check's findings as its own: it counts and reports them,
// ends at a first fault that suffices, and takes the code from them.
func TestBesideFindings(t *testing.T) {
	stream := (&bundletest.Recipe{Events: 3}).Stream()
	for _, c := range []struct {
		all          bool
		severity     finding.Severity
		events, told int
		code         string
	}{
		{false, finding.Error, 1, 1, "EV-1"},
		{true, finding.Error, 3, 4, "EV-1"},
		{false, finding.Warning, 3, 4, ""},
	} {
		told := 0
		opt := bundle.Options{All: c.all, OnFinding: func(finding.Finding) { told++ }}
		found := []finding.Finding{{Rule: "EV-1", Severity: c.severity}}
		var taken []string
		b := beside(&taken)
		b.Take = func(*evidence.Result, *string) ([]finding.Finding, error) { return found, nil }
		b.Finish = func() ([]finding.Finding, error) { return found, nil }
		got, err := bundle.VerifyBeside(context.Background(), bytes.NewReader(stream), -1, "x", opt, b)
		if err != nil {
			t.Fatal(err)
		}
		if int(got.Events) != c.events || told != c.told || len(got.Findings) != c.told || got.Code != c.code || got.Findings[0].File != "x" {
			t.Errorf("%+v: %d told, %+v", c, told, got)
		}
		if class := map[string]string{"": "", "EV-1": "Contract"}[c.code]; got.Class != class {
			t.Errorf("%+v: class %q", c, got.Class)
		}
	}
}

// TestBesideErrors: an error of the check ends the verification, which has no answer then; of
// an input that is not read to its end, the whole is not judged.
func TestBesideErrors(t *testing.T) {
	stream := (&bundletest.Recipe{Events: 3}).Stream()
	stop := errors.New("stop")
	var taken []string
	for name, change := range map[string]func(*bundle.Beside[string]){
		"take": func(b *bundle.Beside[string]) {
			b.Take = func(*evidence.Result, *string) ([]finding.Finding, error) { return nil, stop }
		},
		"finish": func(b *bundle.Beside[string]) { b.Finish = func() ([]finding.Finding, error) { return nil, stop } },
	} {
		b := beside(&taken)
		change(&b)
		if _, err := bundle.VerifyBeside(context.Background(), bytes.NewReader(stream), -1, "x", bundle.Options{}, b); !errors.Is(err, stop) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, cut := range map[string]io.Reader{
		"cut":        bytes.NewReader((&bundletest.Recipe{Events: 3}).Bundle()[:200]),
		"no event":   bytes.NewReader(nil),
		"too many":   bytes.NewReader(stream),
		"wrong type": bytes.NewReader([]byte("[]\n[]\n")),
	} {
		taken = nil
		if _, err := bundle.VerifyBeside(context.Background(), cut, -1, "x", bundle.Options{Limits: evidence.Limits{Events: 2}}, beside(&taken)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if slices.Contains(taken, "all") {
			t.Errorf("%s: %q", name, taken)
		}
	}
}
