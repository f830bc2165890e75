package payload_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/payload"
	"github.com/cupel-dev/cupel/finding"
)

// TestHostile: events made to swell an answer have one of few findings with short words, and
// no finding repeats a text that may be a secret.
func TestHostile(t *testing.T) {
	c := payload.NewChecker(payload.Options{Engine: evidence.Both, Strict: true})
	secret := "ghp_" + strings.Repeat("x", 36)
	many := func(format string, n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, ","+format, i)
		}
		return b.String()[1:]
	}
	for name, over := range map[string]string{
		"attributes":        `{` + many(`"X%d":1`, 2_000) + `}`,
		"long attributes":   `{` + many(`"attributewithalongname%d":1`, 2_000) + `}`,
		"additive":          `{"data":{"hits":1,` + many(`"x%d":1`, 2_000) + `}}`,
		"keys":              `{"type":"assay.env.filtered","data":{"mode":"m","passed_keys":[` + many(`%d`, 3_000) + `],"dropped_keys":[],"counters":{` + many(`"c%d":-1`, 900) + `}}}`,
		"long texts":        `{"source":"urn:` + strings.Repeat("ü", 90_000) + `","tracestate":"` + strings.Repeat("a=1,", 90_000) + `","traceparent":"` + strings.Repeat("0", 90_000) + `"}`,
		"long type":         `{"type":"` + strings.Repeat("é ", 90_000) + `"}`,
		"depth":             `{"data":{"hits":` + strings.Repeat("[", 60) + strings.Repeat("]", 60) + `}}`,
		"secrets in data":   `{"type":"assay.tool.decision","data":{"tool":{"a":"` + secret + `"},"decision":"` + secret + `","policy_digest":"` + secret + `","policy_snapshot_digest":"` + secret + `","delegation_depth":"` + secret + `"}}`,
		"secrets outside":   `{"source":"x://u:` + secret + `@h/","time":"` + secret + `","traceparent":"` + secret + `","tracestate":"` + secret + `","specversion":"` + secret + `","subject":["` + secret + `"]}`,
		"secrets in counts": `{"type":"assay.sandbox.degraded","data":{"component":"` + secret + `","reason_code":["` + secret + `"],"degradation_mode":"a\u001b[2J"}}`,
	} {
		said := ofEvent(t, c, laid(t, over))
		if len(said) == 0 || len(said) > 12 {
			t.Errorf("%s: %d findings", name, len(said))
		}
		for _, f := range said {
			words := strings.Join([]string{f.Message, f.Expected, f.Found, f.Help, strings.Join(f.Notes, " ")}, " ")
			if len(words) > 1000 || strings.Contains(words, secret) || strings.ContainsAny(words, "\x1b\n") {
				t.Errorf("%s: %q", name, words)
			}
		}
	}
}

// TestManyTypes checks that of an input with as many types as events the first hundred are reported and the rest
// counted, in constant memory.
func TestManyTypes(t *testing.T) {
	h, c, run := evidence.NewHasher(evidence.Options{}), payload.NewChecker(payload.Options{}), payload.NewRun(evidence.Limits{})
	said := map[string]int{}
	event := laid(t, `{"type":"TYPE"}`)
	take := func(from, to int) {
		for i := from; i < to; i++ {
			r, err := h.Hash([]byte(strings.Replace(event, "TYPE", fmt.Sprintf("type.%d.%s", i, strings.Repeat("x", i%300)), 1)))
			if err != nil {
				t.Fatal(err)
			}
			if _, err = c.Event(nil, &r); err != nil {
				t.Fatal(err)
			}
			facts := c.Facts()
			for _, f := range run.Take(&r, &facts) {
				said[f.Rule]++
			}
		}
	}
	heap := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	take(0, 1000)
	before := heap()
	take(1000, 3000)
	if after := heap(); after > before+1<<20 {
		t.Errorf("%d bytes, %d before", after, before)
	}
	if said["EV-201"] != 100 {
		t.Errorf("%v", said)
	}
	var rest []finding.Finding
	for _, f := range run.Finish() {
		if f.Rule == "EV-201" {
			rest = append(rest, f)
		}
	}
	if len(rest) != 1 || !strings.Contains(rest[0].Message, "2900 more events") {
		t.Errorf("%+v", rest)
	}
}
