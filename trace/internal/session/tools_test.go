package session_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cupel-dev/cupel/internal/sessiontest"
	"github.com/cupel-dev/cupel/trace/internal/session"
)

// TestMissingCall checks that with missing numbers, a result without a call follows from them, because its call can
// be one of the lost events. After all of them have come, or without any, it is a fault by itself.
func TestMissingCall(t *testing.T) {
	l := sessiontest.New()
	lines := []string{""}
	for i := range 3 {
		lines = append(lines,
			l.Event("TOOL_CALL", fmt.Sprintf(`{"tool_name":"t","tool_id":"c%d","args":{}}`, i)),
			l.Event("TOOL_RESULT", fmt.Sprintf(`{"tool_name":"t","tool_id":"c%d","result":{},"status":"success","duration_ms":1}`, i)))
	}
	odd := l.Event("TOOL_RESULT", `{"tool_name":"u","tool_id":"c0","result":{},"status":"success","duration_ms":1}`)
	for _, c := range []struct {
		name  string
		order []int
		want  []string
	}{
		{"whole", []int{1, 2, 3, 4, 5, 6}, nil},
		{"a call is gone", []int{1, 2, 4, 5, 6}, []string{"3 sequence.gap", "3 chain.broken <- sequence.gap@3", "3 tool.id_unmatched <- sequence.gap@3"}},
		{"a call comes late", []int{1, 2, 4, 3, 5, 6}, []string{
			"3 sequence.gap", "3 chain.broken <- sequence.gap@3", "3 tool.id_unmatched <- sequence.gap@3",
			"4 sequence.repeat <- sequence.gap@3", "4 chain.broken <- sequence.gap@3", "5 sequence.gap <- sequence.gap@3", "5 chain.broken <- sequence.gap@3",
		}},
		{"another tool", []int{1, 2, 3, 4, 5, 6, 7}, []string{"7 tool.name_mismatch"}},
	} {
		all := append(lines[:7:7], odd)
		var log []string
		for _, n := range c.order {
			log = append(log, all[n])
		}
		got := map[string]bool{}
		for _, e := range check(t, session.V0, log, 0, session.Options{}).errors() {
			got[e] = true
		}
		want := map[string]bool{}
		for _, e := range c.want {
			want[e] = true
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}
