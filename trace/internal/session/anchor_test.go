package session_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/sessiontest"
	"github.com/cupel-dev/cupel/trace/internal/session"
)

// TestAnchors tries every count and head around those of a log of eight events.
func TestAnchors(t *testing.T) {
	lines := goodLog(session.V0)
	heads := []string{""}
	for _, line := range lines {
		heads = append(heads, headOf(t, line))
	}
	n := len(lines)
	for count := range int64(n + 3) {
		want := []string{}
		switch {
		case count > int64(n):
			want = append(want, fmt.Sprintf("anchor.count the log has 8 events, expected %d: %d missing; cut 8-8 %d", count, count-8, count-8))
		case count < int64(n):
			want = append(want, fmt.Sprintf("anchor.count the log has 8 events, expected %d: %d too many", count, 8-count))
		}
		expectAnchor(t, fmt.Sprint("count ", count), lines, session.Options{ExpectCount: &count}, want, "")
	}
	for i, head := range heads[1:] {
		want := []string{}
		if i+1 != n {
			want = append(want, "anchor.head the last event's hash is not the expected one")
		}
		expectAnchor(t, fmt.Sprint("head ", i+1), lines, session.Options{ExpectHead: head}, want, "")
	}
	for events := 1; events <= n+2; events++ {
		for i, head := range heads {
			var want []string
			switch {
			case events > n:
				want = []string{fmt.Sprintf("anchor.count the log has 8 events, the anchor has %d: %d missing; cut 8-8 %d", events, events-n, events-n)}
			case i > 0 && i != events:
				want = []string{fmt.Sprintf("anchor.head event %d is not the one that the anchor ends with", events)}
			}
			covered := ""
			if events < n {
				covered = fmt.Sprintf("the end of the %s after the anchored ones: no anchor covers it yet", say.Counted(n-events, "event"))
			}
			expectAnchor(t, fmt.Sprintf("anchor of %d events, head %d", events, i), lines, session.Options{Anchor: &session.Anchor{Events: int64(events), Head: head}}, want, covered)
		}
	}
}

func headOf(t *testing.T, line string) string {
	t.Helper()
	_, rest, ok := strings.Cut(line, `"event_hash":"`)
	if !ok {
		t.Fatal(line)
	}
	return rest[:64]
}

// expectAnchor compares what a log's report says of its anchors. A log that something
// pins is not said to be open to a rewrite.
func expectAnchor(t *testing.T, name string, lines []string, opt session.Options, want []string, covered string) {
	t.Helper()
	a := check(t, session.V0, lines, 0, opt)
	got := []string{}
	for _, f := range a.findings {
		if strings.HasPrefix(f.Rule, "anchor.") {
			got = append(got, f.Rule+" "+f.Message)
		}
	}
	for i, d := range a.Damage {
		got[i] += fmt.Sprintf("; %s %d-%d %d", d.Kind, d.From, d.To, d.Count)
	}
	if diff := cmp.Diff(append([]string{}, want...), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
	if covered != "" && !slices.Contains(a.NotCovered, covered) {
		t.Errorf("%s: not covered are %q, without %q", name, a.NotCovered, covered)
	}
	if slices.ContainsFunc(a.NotCovered, func(s string) bool { return strings.HasPrefix(s, "a rewrite") }) {
		t.Errorf("%s: %q", name, a.NotCovered)
	}
}

// TestGrowingHasNoEnd checks that findings about the end of a log are left out of a growing one.
func TestGrowingHasNoEnd(t *testing.T) {
	count := int64(9)
	l := sessiontest.NewV1()
	lines := []string{
		l.Event("SESSION_START", `{"agent_id":"a"}`),
		l.Event("TOOL_CALL", `{"tool_name":"t","args_hash":"`+strings.Repeat("0", 64)+`"}`),
	}
	opt := session.Options{ExpectCount: &count, HMACKey: []byte("key")}
	if got := check(t, session.V1, lines, 0, opt).errors(); len(got) != 3 {
		t.Errorf("%q, expected session.unfinished, seal.hmac and anchor.count", got)
	}
	opt.Growing = true
	if a := check(t, session.V1, lines, 0, opt); len(a.findings) > 0 || !slices.Contains(a.NotCovered, "the log's end: it is still being written") {
		t.Errorf("%v, %q", a.findings, a.NotCovered)
	}
}
