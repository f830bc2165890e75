package payload_test

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/payload"
	"github.com/cupel-dev/cupel/finding"
)

//go:embed testdata/events.txt
var eventCases string

//go:embed testdata/runs.txt
var runCases string

// inOrder are the members of an event of which nothing is said.
var inOrder = [][2]string{
	{"specversion", `"1.0"`},
	{"type", `"assay.fs.access"`},
	{"source", `"urn:runner:1"`},
	{"id", `"run_a:0"`},
	{"time", `"2026-01-02T03:04:05Z"`},
	{"datacontenttype", `"application/json"`},
	{"traceparent", `"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"`},
	{"assayrunid", `"run_a"`},
	{"assayseq", `0`},
	{"assayproducer", `"assay"`},
	{"assayproducerversion", `"3.10.0"`},
	{"assaygit", `"abc1234"`},
	{"assaypii", `false`},
	{"assaysecrets", `false`},
	{"assaycontenthash", `"sha256:03df6ac9e39b6c7ab8f76f991af5369107d3729b0e2f89d1395901bed2268daf"`},
	{"data", `{"hits":3}`},
}

// laid is the event in order with other members laid over it.
func laid(t testing.TB, over string) string {
	t.Helper()
	members := slices.Clone(inOrder)
	d := json.NewDecoder(strings.NewReader(over))
	if _, err := d.Token(); err != nil {
		t.Fatal(err)
	}
	for d.More() {
		var value json.RawMessage
		name, err := d.Token()
		if err == nil {
			err = d.Decode(&value)
		}
		if err != nil {
			t.Fatalf("%s: %v", over, err)
		}
		i := slices.IndexFunc(members, func(m [2]string) bool { return m[0] == name })
		switch {
		case i < 0:
			members = append(members, [2]string{name.(string), string(value)})
		case string(value) == `"null!"`:
			members = slices.Delete(members, i, i+1)
		default:
			members[i][1] = string(value)
		}
	}
	return written(members)
}

// written is an event with the members.
func written(members [][2]string) string {
	var b strings.Builder
	for i, m := range members {
		name, _ := json.Marshal(m[0])
		b.WriteString(map[bool]string{true: "{", false: ","}[i == 0])
		b.Write(name)
		b.WriteString(":" + m[1])
	}
	return b.String() + "}"
}

// statements are the lines of a case file by case, in their order.
func statements(text string) (inputs []string, said map[string][]string) {
	said = map[string][]string{}
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		switch said1, statement := strings.CutPrefix(line, "  "); {
		case line == "" || line[0] == '#':
		case statement:
			last := inputs[len(inputs)-1]
			said[last] = append(said[last], said1)
		default:
			inputs = append(inputs, line)
		}
	}
	return inputs, said
}

// sayings are findings without their words.
func sayings(list []finding.Finding) (said []string) {
	for _, f := range list {
		said = append(said, fmt.Sprintf("%s %s %s", f.Severity, f.Rule, f.Path))
	}
	return said
}

// ofEvent checks one event by itself.
func ofEvent(t testing.TB, c *payload.Checker, text string) []finding.Finding {
	t.Helper()
	r, err := evidence.NewHasher(evidence.Options{}).Hash([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	said, err := c.Event(nil, &r)
	if err != nil {
		t.Fatal(err)
	}
	return said
}

func TestEvents(t *testing.T) {
	inputs, want := statements(eventCases)
	checkers := map[bool]*payload.Checker{
		false: payload.NewChecker(payload.Options{Engine: evidence.Both}),
		true:  payload.NewChecker(payload.Options{Engine: evidence.Both, Strict: true}),
	}
	for _, input := range inputs {
		over, strict := strings.CutPrefix(input, "--strict ")
		said := ofEvent(t, checkers[strict], laid(t, over))
		if diff := cmp.Diff(want[input], sayings(said)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", input, diff)
		}
		for _, f := range said {
			if f.Line != 1 || f.Column == 0 || f.Message == "" {
				t.Errorf("%s: no place or no words: %+v", input, f)
			}
		}
	}
	if len(inputs) < 100 {
		t.Errorf("%d cases", len(inputs))
	}
}

// run writes the events of a word.
func run(t testing.TB, words string) string {
	t.Helper()
	var b strings.Builder
	next, clock := 0, 0
	for word := range strings.FieldsSeq(words) {
		if word == "!" {
			b.WriteString("{]\n")
			continue
		}
		word, back := strings.CutSuffix(word, "<")
		word, at, _ := strings.Cut(word, "@")
		word, subject, about := strings.Cut(word, "=")
		if at != "" {
			next, _ = strconv.Atoi(at)
		}
		if clock++; back {
			clock -= 2
		}
		types := map[byte][2]string{
			'S': {"assay.profile.started", `{"profile_name":"p","profile_version":"1","total_runs_aggregated":1}`},
			'E': {"assay.profile.finished", ""}, 'f': {"assay.fs.access", `{"hits":1}`}, 'n': {"assay.net.connect", `{"hits":1}`},
			'p': {"assay.process.exec", `{"hits":1}`}, 'x': {"com.example.x", `{}`}, 'v': {"assay.fs.access.v2", `{}`},
			'd': {"assay.sandbox.degraded", `{"reason_code":"policy_conflict","degradation_mode":"audit_fallback","component":"landlock"}`},
		}[word[0]]
		if word[0] == 'E' {
			c := strings.Split(word[1:], ",")
			types[1] = fmt.Sprintf(`{"files_count":%s,"network_count":%s,"processes_count":%s,"sandbox_degradation_count":%s}`, c[0], c[1], c[2], c[3])
		}
		event := laid(t, fmt.Sprintf(`{"type":%q,"data":%s,"assayseq":%d,"id":"run_a:%d","time":"2026-01-02T03:04:%02dZ"}`, types[0], types[1], next, next, 10+clock))
		if about {
			event = strings.Replace(event, `"assayrunid"`, fmt.Sprintf(`"subject":%q,"assayrunid"`, subject), 1)
		}
		sum, err := evidence.ContentHash([]byte(event))
		if err != nil {
			t.Fatal(err)
		}
		b.WriteString(strings.Replace(event, someDigest, sum, 1) + "\n")
		next++
	}
	return b.String()
}

func TestRuns(t *testing.T) {
	inputs, want := statements(runCases)
	for _, input := range inputs {
		var got []string
		for _, f := range check(t, run(t, input), payload.Options{}) {
			got = append(got, fmt.Sprintf("%s %s %d %s", f.Severity, f.Rule, f.Line, f.Path))
		}
		if diff := cmp.Diff(want[input], got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", input, diff)
		}
	}
	if len(inputs) < 20 {
		t.Errorf("%d cases", len(inputs))
	}
}
