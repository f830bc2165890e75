package trace_test

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/trace"
)

// usageOf adds the sessions in their order and returns the usage.
func usageOf(t interface{ Fatal(...any) }, sessions []string) *trace.FolderUsage {
	var l trace.UsageLedger
	for _, text := range sessions {
		_, s, err := trace.SummarizeTranscript(context.Background(), strings.NewReader(text), trace.Options{})
		if err != nil {
			t.Fatal(err)
		}
		l.Add(s)
	}
	return l.Usage()
}

// claudeAnswers writes a session of Claude Code whose responses have these numbers, each on two records.
func claudeAnswers(session string, numbers []int) string {
	var b strings.Builder
	parent := "null"
	for i, n := range numbers {
		for block := range 2 {
			id := fmt.Sprintf("%q", fmt.Sprintf("%s-%d-%d", session, i, block))
			fmt.Fprintf(&b, `{"parentUuid":%s,"sessionId":%q,"uuid":%s,"type":"assistant","timestamp":"2026-05-01T10:00:00Z","requestId":"req_%d","message":{"id":"msg_%d","role":"assistant","model":"m%d","content":[],"usage":{"input_tokens":1,"output_tokens":%d}}}`+"\n",
				parent, session, id, n, n, n%2, 10*n+block)
			parent = id
		}
	}
	return b.String()
}

// TestUsageHasNoOrder holds that each response of sessions that repeat each other counts once, for every order
// of the files, and that the sums fit.
func TestUsageHasNoOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var sessions []string
		once, each := map[int]int64{}, int64(0)
		for i := range rapid.IntRange(1, 4).Draw(t, "sessions") {
			numbers := rapid.SliceOfNDistinct(rapid.IntRange(0, 6), 1, 5, rapid.ID).Draw(t, "responses")
			sessions = append(sessions, claudeAnswers(fmt.Sprint("s", i), numbers))
			for _, n := range numbers {
				once[n] = int64(1 + 10*n + 1)
				each += once[n]
			}
		}
		var total int64
		for _, n := range once {
			total += n
		}
		u := usageOf(t, sessions)
		if u.Total != total || u.EachFile != each || u.Repeated != each-total || u.Calls != int64(len(once)) {
			t.Fatalf("%+v, want %d tokens in %d calls, %d by adding up", u, total, len(once), each)
		}
		var models int64
		for _, m := range u.Models {
			models += m.Total
		}
		if models != total {
			t.Fatalf("the models have %d tokens, all have %d", models, total)
		}
		if again := usageOf(t, rapid.Permutation(sessions).Draw(t, "order")); !reflect.DeepEqual(again, u) {
			t.Fatalf("%+v, in another order %+v", u, again)
		}
	})
}

// codexTurns writes a rollout with a running total for each of the requests.
func codexTurns(id, fork string, requests ...int) string {
	var b strings.Builder
	line := func(typ, payload string) {
		fmt.Fprintf(&b, `{"timestamp":"2026-05-01T10:00:00Z","type":%q,"payload":%s}`+"\n", typ, payload)
	}
	from := ""
	if fork != "" {
		from = fmt.Sprintf(`,"forked_from_id":%q`, fork)
	}
	line("session_meta", fmt.Sprintf(`{"id":%q,"timestamp":"2026-05-01T10:00:00Z","cwd":"/","originator":"o","cli_version":"1"%s}`, id, from))
	line("turn_context", `{"model":"g"}`)
	total := 0
	for _, n := range requests {
		total += n
		usage := func(n int) string {
			return fmt.Sprintf(`{"input_tokens":%d,"output_tokens":0,"total_tokens":%d}`, n, n)
		}
		for range 2 { // events repeat
			line("event_msg", fmt.Sprintf(`{"type":"token_count","info":{"total_token_usage":%s,"last_token_usage":%s}}`, usage(total), usage(n)))
		}
	}
	return b.String()
}

// TestUsageOfForks: a fork of Codex repeats the requests of the session that it continues; without that
// session, or of sessions that only look alike, all count.
func TestUsageOfForks(t *testing.T) {
	parent, fork, other := codexTurns("p", "", 100, 20, 3), codexTurns("f", "p", 100, 20, 7), codexTurns("o", "", 100, 20)
	second := codexTurns("g", "f", 100, 20, 7, 1)
	for _, c := range []struct {
		name          string
		sessions      []string
		total, unsure int
	}{
		{"parent and fork", []string{parent, fork}, 130, 0},
		{"fork and parent", []string{fork, parent}, 130, 0},
		{"fork of a fork", []string{second, parent, fork}, 131, 0},
		{"fork alone", []string{fork}, 127, 1},
		{"two forks of one that is not there", []string{fork, codexTurns("h", "p", 100, 5)}, 132, 2},
		{"copies", []string{parent, parent}, 123, 0},
		{"other sessions", []string{parent, other}, 243, 0},
	} {
		if u := usageOf(t, c.sessions); u.Total != int64(c.total) || u.Unsure != c.unsure || len(u.Models) != 1 || u.Models[0].Model != "g" {
			t.Errorf("%s: %+v, want %d tokens, %d unsure", c.name, u, c.total, c.unsure)
		}
	}
}
