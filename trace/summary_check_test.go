package trace_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/trace"
)

// TestSummaryCheck: a byte that is another is noticed in its range, and so is an end that is
// missing.
func TestSummaryCheck(t *testing.T) {
	s := summarized(t, twelve, trace.Range{Start: 0, End: 8}, trace.Options{})
	if err := s.Merge(summarized(t, twelve, trace.Range{Start: 8, End: 99}, trace.Options{})); err != nil {
		t.Fatal(err)
	}
	if err := s.Check(t.Context(), strings.NewReader(twelve)); err != nil {
		t.Error(err)
	}
	ranges := 0
	for i := range twelve {
		log := twelve[:i] + "~" + twelve[i+1:]
		if log == twelve {
			continue
		}
		err := s.Check(t.Context(), strings.NewReader(log))
		if err == nil || !strings.Contains(err.Error(), "have changed since they were summarized") {
			t.Errorf("byte %d: %v", i, err)
		}
		if err := s.Check(t.Context(), strings.NewReader(twelve[:i])); err == nil {
			t.Errorf("cut at %d", i)
		}
		ranges++
	}
	if ranges == 0 {
		t.Error("nothing was changed")
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if err := s.Check(ctx, strings.NewReader(twelve)); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
	if err := new(trace.Summary).Check(ctx, strings.NewReader("")); err != nil {
		t.Errorf("of nothing: %v", err)
	}
}
