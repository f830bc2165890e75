package session_test

import (
	"context"
	"encoding/json"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/sessiontest"
	"github.com/cupel-dev/cupel/trace"
)

// damageCase is one line of damage.jsonl: what is done to a good log of eight lines,
// and what the report must say. An edit is applied to the list of lines; a line is
// named by its number in the good log.
type damageCase struct {
	Name   string
	Family string
	Order  []int                // the lines of the damaged log, by their number in the good one; see line
	Edits  map[string][2]string // line number → text to replace, and what with
	Rehash bool                 // edited lines get hashes that hold
	Cut    int                  // bytes missing from the end
	Glue   int                  // line that is joined to the next one

	Verdict string
	Errors  []string // "line code <- cause"
	Damage  []string // "kind from-to count"
}

// goodLog returns the lines of a sealed log.
func goodLog(family string) []string { return logOf(family, "5e551017-0000-4000-8000-000000000001") }

func logOf(family, session string) []string {
	if family == "" {
		family = "session-v0"
	}
	l := sessiontest.NewLog(family)
	l.Session = session
	kinds := []string{"SESSION_START", "TOOL_CALL", "TOOL_RESULT", "TOOL_CALL", "TOOL_RESULT", "TOOL_CALL", "SESSION_END"}
	payloads := []string{
		`{"agent_id":"a","environment":"dev","framework":"f","framework_version":"1","sdk_version":"1"}`,
		`{"tool_name":"t","args":{"q":"one"}}`, `{"tool_name":"t","result":"first","status":"success","duration_ms":1}`,
		`{"tool_name":"t","args":{"q":"two"}}`, `{"tool_name":"t","result":"second","status":"success","duration_ms":1}`,
		`{"tool_name":"t","args":{"q":"three"}}`, `{"status":"success","duration_ms":9}`,
	}
	var lines []string
	for i, kind := range kinds {
		lines = append(lines, l.Event(kind, payloads[i]))
	}
	return append(lines, l.Seal())
}

// good returns the lines that the case is made of, with its edits.
func (c damageCase) good(t *testing.T) []string {
	good := goodLog(c.Family)
	for number, edit := range c.Edits {
		var i int
		if err := json.Unmarshal([]byte(number), &i); err != nil || !strings.Contains(good[i-1], edit[0]) {
			t.Fatalf("%s: cannot edit line %s: %v", c.Name, number, err)
		}
		good[i-1] = strings.Replace(good[i-1], edit[0], edit[1], 1)
		if c.Rehash {
			good[i-1] = sessiontest.Rehash(good[i-1])
		}
	}
	return good
}

// line returns line n of the good log; for -n its twin, which says something else and
// has hashes that hold; for 100+n that of another session's log.
func (c damageCase) line(good []string, n int) string {
	switch {
	case n < 0:
		return sessiontest.Rehash(strings.Replace(good[-n-1], `"tool_name":"t"`, `"tool_name":"u"`, 1))
	case n > 100:
		return logOf(c.Family, "07e20000-0000-4000-8000-000000000001")[n-101]
	}
	return good[n-1]
}

func (c damageCase) log(t *testing.T) string {
	good := c.good(t)
	var b strings.Builder
	for _, n := range c.Order {
		b.WriteString(c.line(good, n))
		if n != c.Glue {
			b.WriteByte('\n')
		}
	}
	return b.String()[:b.Len()-c.Cut]
}

// damageCases reads the case file.
func damageCases(t *testing.T) (list []damageCase) {
	t.Helper()
	f, err := os.ReadFile("../../../testdata/trace/session/damage.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(f)) {
		var c damageCase
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if c.Order == nil {
			c.Order = []int{1, 2, 3, 4, 5, 6, 7, 8}
		}
		list = append(list, c)
	}
	if len(list) == 0 {
		t.Fatal("no cases")
	}
	return list
}

func TestDamage(t *testing.T) {
	cases := damageCases(t)
	for _, c := range cases {
		r, err := trace.Verify(context.Background(), strings.NewReader(c.log(t)), trace.Options{})
		if err != nil {
			t.Fatal(err)
		}
		got := damageCase{Verdict: string(r.Verdict), Errors: errorsOf(r), Damage: damageOf(r)}
		want := damageCase{Verdict: c.Verdict, Errors: c.Errors, Damage: c.Damage}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.Name, diff)
		}
	}
	t.Logf("%d damaged logs", len(cases))
}

func errorsOf(r *trace.Report) (list []string) {
	for _, f := range r.Findings {
		if f.Severity == finding.Error {
			text := jsonInt(int64(f.Line)) + " " + f.Rule
			if f.CausedBy != "" {
				text += " <- " + f.CausedBy
			}
			list = append(list, text)
		}
	}
	return list
}

func damageOf(r *trace.Report) (list []string) {
	for _, d := range r.Damage {
		list = append(list, string(d.Kind)+" "+jsonInt(d.From)+"-"+jsonInt(d.To)+" "+jsonInt(d.Count))
	}
	return list
}

func jsonInt(n int64) string { return strconv.FormatInt(n, 10) }
