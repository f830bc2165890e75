package trace_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/trace"
)

// sealed verifies a log and returns its anchor.
func sealed(t *testing.T, log string) *trace.Anchor {
	t.Helper()
	a := verify(t, []byte(log), trace.Options{Name: "log.jsonl", Sum: true}).Anchor()
	return &a
}

func TestAnchor(t *testing.T) {
	log := workingDay(t, 6)
	sum := digest.Of([]byte(log))
	a := sealed(t, log)
	if a.Schema != trace.AnchorSchema || a.Input != "log.jsonl" || a.Family != trace.SessionV0 || a.Events != 6 ||
		a.Bytes != int64(len(log)) || a.SHA256 != sum.Hex() || len(a.Head) != 64 {
		t.Errorf("%+v", a)
	}
	text, err := json.Marshal(a)
	if err != nil || !strings.HasPrefix(string(text), `{"schema":"cupel.anchor/1","input":"log.jsonl","family":"session-v0","events":6,"head":"`) {
		t.Errorf("%s, %v", text, err)
	}
}

// TestAnchoredLog holds a log against what was known of it.
func TestAnchoredLog(t *testing.T) {
	log := workingDay(t, 6)
	lines := strings.SplitAfter(log, "\n")
	beginning := strings.Join(lines[:3], "")
	for _, c := range []struct {
		name   string
		log    string
		anchor *trace.Anchor
		want   []string
	}{
		{"as it was", log, sealed(t, log), nil},
		{"longer", log, sealed(t, beginning), nil},
		{"cut", beginning, sealed(t, log), []string{"anchor.count", "anchor.prefix"}},
		{"with another end", workingDay(t, 7), sealed(t, beginning), nil},
		{"another spelling", strings.Replace(log, ":", " :", 1), sealed(t, log), []string{"anchor.prefix"}},
		{"cut, and the anchor has no digest", beginning, &trace.Anchor{Bytes: int64(len(log))}, []string{"anchor.prefix"}},
		{"of nothing", log, &trace.Anchor{Schema: trace.AnchorSchema, SHA256: digest.Of(nil).Hex()}, nil},
	} {
		r := verify(t, []byte(c.log), trace.Options{Anchor: c.anchor})
		var got []string
		for _, f := range r.Findings {
			if strings.HasPrefix(f.Rule, "anchor.") {
				got = append(got, f.Rule)
			}
		}
		slices.Sort(got)
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %+v, want %v", c.name, r.Findings, c.want)
		}
		if (r.Verdict == trace.Valid) != (c.want == nil) {
			t.Errorf("%s: %s", c.name, r.Verdict)
		}
	}
}

// TestAnchorOverReads compares the beginning of a log wherever reads end, also in the
// middle of the anchor's bytes.
func TestAnchorOverReads(t *testing.T) {
	log := workingDay(t, 4)
	for n := 0; n < len(log); n += 7 {
		a := &trace.Anchor{Schema: trace.AnchorSchema, Bytes: int64(n), SHA256: digest.Of([]byte(log[:n])).Hex()}
		r, err := trace.Verify(t.Context(), inPieces([]byte(log)), trace.Options{Anchor: a, Sum: true})
		if err != nil || r.Verdict != trace.Valid || r.Bytes != int64(len(log)) {
			t.Fatalf("%d bytes: %+v, %v", n, r, err)
		}
		a.SHA256 = strings.Repeat("0", 64)
		r, err = trace.Verify(t.Context(), inPieces([]byte(log)), trace.Options{Anchor: a})
		if err != nil || r.Verdict != trace.Invalid {
			t.Fatalf("%d other bytes: %+v, %v", n, r, err)
		}
	}
}

func TestExpectedDigest(t *testing.T) {
	const log = `{"trace_schema_version":1}`
	sum := digest.Of([]byte(log)).Hex()
	for expected, want := range map[string]trace.Verdict{
		sum: trace.Valid, "sha256:" + sum: trace.Valid, strings.Repeat("0", 64): trace.Invalid,
	} {
		r := verify(t, []byte(log), trace.Options{ExpectSHA256: expected})
		if r.Verdict != want || (want == trace.Invalid) != slices.Contains(reported(r), "anchor.sha256@:0") {
			t.Errorf("%s: %s, %v", expected, r.Verdict, reported(r))
		}
	}
}
