package trace_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/cupel-dev/cupel/trace"
)

// ground grounds the trace of a folder and fails the test on an error.
func ground(t *testing.T, log []byte, opt trace.Options) (*trace.Report, *trace.Grounding) {
	t.Helper()
	r, g, err := trace.Ground(t.Context(), bytes.NewReader(log), opt)
	if err != nil {
		t.Fatal(err)
	}
	return r, g
}

func TestGround(t *testing.T) {
	files := incident()
	log := files["trace.jsonl"].Data
	r, g := ground(t, log, trace.Options{Name: "trace.jsonl", Reasoning: trace.ReasoningOptions{Run: files}})
	if r.Verdict != trace.Valid || len(g.Claims) == 0 || g.Evidence == 0 {
		t.Fatalf("%s: %+v", r.Verdict, g)
	}
	read := func(c trace.Citation) bool { return c.Kind == "evidence" && c.Holds != nil && *c.Holds && c.Text != "" }
	for _, c := range g.Claims {
		if !c.Reaches || c.RestsOn == "evidence" && !slices.ContainsFunc(c.Supports, read) {
			t.Errorf("claim %s: %+v", c.ID, c)
		}
	}
	if text, err := json.Marshal(g); err != nil || !strings.HasPrefix(string(text), `{"claims":[{"id":"`) {
		t.Errorf("%s, %v", text, err)
	}

	_, unread := ground(t, log, trace.Options{Reasoning: trace.ReasoningOptions{Run: files, NoEvidence: true}})
	for _, c := range unread.Claims {
		if slices.ContainsFunc(c.Supports, read) {
			t.Errorf("claim %s was compared with evidence that nobody may read", c.ID)
		}
	}
}

// TestGroundNothing: a log without claims has an empty grounding, whatever it is.
func TestGroundNothing(t *testing.T) {
	for _, log := range []string{"", "what", workingDay(t, 4), `{"trace_schema_version":1}`} {
		_, g := ground(t, []byte(log), trace.Options{})
		if text, err := json.Marshal(g); err != nil || string(text) != `{"claims":[],"unused_evidence":[],"evidence":0}` {
			t.Errorf("%.20q: %s, %v", log, text, err)
		}
	}
}

func TestGroundFails(t *testing.T) {
	log := incident()["trace.jsonl"].Data
	if _, _, err := trace.Ground(t.Context(), io.MultiReader(bytes.NewReader(log), iotest.ErrReader(errDisk)), trace.Options{}); !errors.Is(err, errDisk) {
		t.Errorf("a disk that fails: %v", err)
	}
	var limit *trace.LimitError
	if _, _, err := trace.Ground(t.Context(), bytes.NewReader(log), trace.Options{Limits: trace.Limits{IDs: 1}}); !errors.As(err, &limit) || limit.Flag != "--max-ids" {
		t.Errorf("more than the limit: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := trace.Ground(ctx, bytes.NewReader(log), trace.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that has ended: %v", err)
	}
}
