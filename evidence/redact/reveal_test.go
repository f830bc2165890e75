package redact

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/evidence/bundle"
	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// redacted is what a redaction says of some values: its report and the file of secrets.
type redacted struct{ report, secrets bytes.Buffer }

// of one value: where it stood, and what it was.
type was struct {
	line    int
	pointer string
	value   string
}

var output = digest.Of([]byte("output"))

// redactedOf commits to values, in the order of their lines.
func redactedOf(t testing.TB, random io.Reader, values ...was) *redacted {
	t.Helper()
	d := new(redacted)
	c, w := newCommitter(&d.secrets, random), NewWriter(&d.report)
	for len(values) > 0 {
		e := Event{Line: values[0].line, ContentHash: output.String(), OriginalHash: digest.Of([]byte("original")).String()}
		n := slices.IndexFunc(values, func(v was) bool { return v.line != e.Line })
		if n < 0 {
			n = len(values)
		}
		for _, v := range values[:n] {
			change := Change{Pointer: v.pointer, Class: "forbidden", Rule: "name", Action: "removed"}
			if err := c.Change(&e, &change, []byte(v.value), nil); err != nil {
				t.Fatal(err)
			}
			e.Changes = append(e.Changes, change)
		}
		values = values[n:]
		if err := c.Event(&e); err != nil {
			t.Fatal(err)
		}
		if err := w.Event(&e); err != nil {
			t.Fatal(err)
		}
	}
	r := &Report{
		Input: "run.ndjson", Kind: "stream", InputVerified: true, Policy: Policy{Profile: "default", Digest: output.String()},
		OutputSHA256: output.String(), RunRoot: output.String(), NotCovered: []string{},
		Original: Original{SHA256: digest.Of([]byte("input")).String(), RunRoot: digest.Of([]byte("root")).String()},
	}
	if err := c.Close(r); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(r); err != nil {
		t.Fatal(err)
	}
	return d
}

// zeros are the worst source of randomness, and a known one.
type zeroReader struct{}

func (zeroReader) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// revealed is what Reveal says, in short.
func revealed(t testing.TB, report, disclosure string) string {
	t.Helper()
	var said []string
	findings, err := Reveal(strings.NewReader(report), strings.NewReader(disclosure), func(d Disclosed) error {
		word := "good"
		if d.Fault != nil {
			word = d.Fault.Rule + " at " + d.Fault.Path
		}
		said = append(said, fmt.Sprintf("%d%s=%s %s", d.Line, d.Pointer, d.Value, word))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range findings {
		said = append(said, f.Rule+" at "+f.Path+": "+f.Message)
	}
	return strings.Join(said, "\n")
}

// TestCommitmentRecipe holds the definition, which the shell can follow.
func TestCommitmentRecipe(t *testing.T) {
	d := redactedOf(t, zeroReader{}, was{1, "/data/token", ` "\u0078yz" `})
	if !strings.Contains(d.report.String(), `"commitment":"`+exampleCommitment+`"`) {
		t.Error(d.report.String())
	}
	want := `{"schema":"cupel.redaction-secrets/1","events":[
{"line":1,"original_hash":"` + digest.Of([]byte("original")).String() + `","values":[{"pointer":"/data/token","salt":"` + zeros + `","value":"xyz"}]}
],"input":"run.ndjson","original":{"sha256":"` + digest.Of([]byte("input")).String() + `","run_root":"` + digest.Of([]byte("root")).String() + `"},"output_sha256":"` + output.String() + `"}
`
	if got := d.secrets.String(); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// TestReveal reveals good values, and what is wrong with others.
func TestReveal(t *testing.T) {
	d := redactedOf(t, zeroReader{}, was{2, "/data/token", `"xyz"`}, was{2, "/data/a/0", `{"b":1,"a":2}`}, was{9, "/subject", `"</home/\u00e9>"`})
	good, report := d.secrets.String(), d.report.String()
	all := "2/data/token=\"xyz\" good\n2/data/a/0={\"a\":2,\"b\":1} good\n9/subject=\"</home/é>\" good"
	other := func(from, to string) string {
		t.Helper()
		if !strings.Contains(good, from) {
			t.Fatalf("no %s in %s", from, good)
		}
		return strings.ReplaceAll(good, from, to)
	}
	for name, c := range map[string]struct{ report, disclosure, want string }{
		"all":           {report, good, all},
		"another value": {report, other(`"xyz"`, `"xyz "`), strings.Replace(all, `"xyz" good`, `"xyz " RedactionCommitment at /events/0/values/0`, 1)},
		"another salt":  {report, other(`"`+zeros+`","value":"xyz"`, `"`+zeros[1:]+`1","value":"xyz"`), strings.Replace(all, "good", "RedactionCommitment at /events/0/values/0", 1)},
		"another place": {report, other(`/data/token`, `/data/tokem`), strings.Replace(all, `token="xyz" good`, `tokem="xyz" RedactionDisclosure at /events/0/values/0`, 1)},
		"another line":  {report, other(`"line":9`, `"line":8`), strings.Replace(all, `9/subject="</home/é>" good`, `8/subject="</home/é>" RedactionDisclosure at /events/1/values/0`, 1)},
		"moved in both": {strings.ReplaceAll(report, "/data/token", "/data/tokem"), other(`/data/token`, `/data/tokem`), strings.Replace(all, `token="xyz" good`, `tokem="xyz" RedactionCommitment at /events/0/values/0`, 1)},
		"earlier form":  {strings.Replace(report, Commitment(Salt{}, "/data/token", []byte(`"xyz"`)).String(), earlierCommitment(Salt{}, []byte(`"xyz"`)).String(), 1), good, all},
		"a later line":  {report, other(`"line":9`, `"line":10`), strings.Replace(all, `9/subject="</home/é>" good`, `10/subject="</home/é>" RedactionDisclosure at /events/1/values/0`, 1)},
		"another output": {report, other(output.String(), digest.Of(nil).String()), all +
			"\nRedactionDisclosure at /output_sha256: the disclosure belongs to another redaction than the report"},
		"another schema": {report, other(SecretsSchema, "x/1"), all +
			"\nRedactionDisclosure at /schema: the file is not a disclosure of a redaction, /schema is a string, expected \"cupel.redaction-disclosure/1\""},
		"lines that go back": {report, other(`"line":9`, `"line":1`), `2/data/token="xyz" good` + "\n" + `2/data/a/0={"a":2,"b":1} good` +
			"\nRedactionDisclosure at /events/1/line: the file is not a disclosure of a redaction, /events/1/line is a number, expected a line number after 2, that of the event before"},
		"a bad salt": {report, other(`"`+zeros+`","value":"xyz"`, `"zz","value":"xyz"`), "RedactionDisclosure at /events/0/values/0/salt: " +
			"the file is not a disclosure of a redaction, /events/0/values/0/salt is a string, expected 64 lower-case hexadecimal digits"},
		"no value": {report, other(`,"value":"xyz"`, ``), "RedactionDisclosure at /events/0/values/0/value: " +
			"the file is not a disclosure of a redaction, /events/0/values/0/value is absent, expected a value"},
		"a report as a disclosure": {report, report, "RedactionDisclosure at /events/0/values: the file is not a disclosure of a redaction, /events/0/values is absent, expected an array"},
		"a disclosure as a report": {good, good, "2/data/token=\"xyz\" RedactionDisclosure at /events/0/values/0\n2/data/a/0={\"a\":2,\"b\":1} RedactionDisclosure at /events/0/values/1\n" +
			"9/subject=\"</home/é>\" RedactionDisclosure at /events/1/values/0\nRedactionReport at /events/0/changes: the document is not a redaction report, /events/0/changes is absent, expected an array"},
		"nothing": {report, "", "RedactionDisclosure at : the file is not a disclosure of a redaction: no JSON value at byte 0"},
		"a duplicate": {report, other(`"line":9`, `"line":9,"line":9`), `2/data/token="xyz" good` + "\n" + `2/data/a/0={"a":2,"b":1} good` +
			"\nRedactionDisclosure at /events/1: the file is not a disclosure of a redaction: member name \"line\" occurs twice at byte 11 in /line"},
	} {
		if got := revealed(t, c.report, c.disclosure); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, c.want)
		}
	}
}

// TestOneCommitmentForEachValue: a value that two rules have changed has one salt.
func TestOneCommitmentForEachValue(t *testing.T) {
	d := redactedOf(t, &counting{}, was{1, "/data/a", `"x"`}, was{1, "/data/a", `"x"`}, was{1, "/data/b", `"x"`}, was{2, "/data/b", `"x"`})
	var got struct {
		Events []struct{ Changes []struct{ Commitment string } }
	}
	if err := json.Unmarshal(d.report.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	for _, e := range got.Events {
		for _, c := range e.Changes {
			seen[c.Commitment]++
		}
	}
	if len(seen) != 3 || seen[got.Events[0].Changes[0].Commitment] != 2 || strings.Count(d.secrets.String(), `"salt"`) != 3 {
		t.Errorf("%v\n%s", seen, d.secrets.String())
	}
}

// TestPointersOfSeveralValues: where a pointer is shortened, so that two values have it, each
// can be disclosed and revealed.
func TestPointersOfSeveralValues(t *testing.T) {
	d := redactedOf(t, &counting{}, was{1, "/data/a…/0", `"x"`}, was{1, "/data/a…/0", `"y"`}, was{1, "/data/b", `"x"`}, was{1, "/data/a…/0", `"x"`})
	want := "1/data/a…/0=\"x\" good\n1/data/a…/0=\"y\" good\n1/data/b=\"x\" good\n1/data/a…/0=\"x\" good"
	if got := revealed(t, d.report.String(), d.secrets.String()); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	var w bytes.Buffer
	if missing, fault, err := Disclose(bytes.NewReader(d.secrets.Bytes()), &w, []Value{{1, "/data/a…/0"}}); err != nil || fault != nil || len(missing) > 0 || strings.Count(w.String(), `"salt"`) != 3 {
		t.Error(missing, fault, err, w.String())
	}
}

// counting is a source of bytes that differ.
type counting struct{ n byte }

func (c *counting) Read(p []byte) (int, error) {
	for i := range p {
		c.n++
		p[i] = c.n
	}
	return len(p), nil
}

// TestCommitterRefuses a value without a canonical form, and goes on with what is only
// reported.
func TestCommitterRefuses(t *testing.T) {
	c := NewCommitter(io.Discard)
	e, change := &Event{Line: 3}, &Change{Pointer: "/x"}
	if err := c.Change(e, change, []byte(`{"a":1e400}`), nil); err == nil || !strings.HasPrefix(err.Error(), "cannot commit to the value at /x of line 3: ") {
		t.Error(err)
	}
	change.Reported = true
	if err := c.Change(e, change, []byte(`1`), nil); err != nil || change.Commitment != "" {
		t.Error(err, change.Commitment)
	}
	if err := newCommitter(io.Discard, strings.NewReader("short")).Change(e, &Change{}, []byte(`1`), nil); err == nil {
		t.Error("a salt of 5 bytes")
	}
}

// TestDisclose: what is disclosed of a file of secrets is revealed, and holds nothing else of
// it.
func TestDisclose(t *testing.T) {
	d := redactedOf(t, &counting{}, was{2, "/a", `"one"`}, was{2, "/b", `"two"`}, was{4, "/a", `"three"`})
	var w bytes.Buffer
	missing, fault, err := Disclose(bytes.NewReader(d.secrets.Bytes()), &w, []Value{{4, "/a"}, {2, "/b"}, {2, "/c"}, {3, "/a"}})
	if err != nil || fault != nil || fmt.Sprint(missing) != "[{2 /c} {3 /a}]" {
		t.Fatal(missing, fault, err)
	}
	if got, want := revealed(t, d.report.String(), w.String()), "2/b=\"two\" good\n4/a=\"three\" good"; got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	for _, hidden := range []string{"one", "original", "input"} {
		if strings.Contains(w.String(), hidden) {
			t.Errorf("%s in %s", hidden, w.String())
		}
	}
	w.Reset()
	if missing, fault, err = Disclose(strings.NewReader(d.report.String()), &w, []Value{{2, "/a"}}); err != nil || fault == nil {
		t.Error(missing, fault, err)
	}
}

// TestReportRoundTrip: a report that was written is read as itself.
func TestReportRoundTrip(t *testing.T) {
	d := redactedOf(t, &counting{}, was{2, "/a", `"one"`}, was{2, "/b", `"two"`}, was{4, "/a", `"three"`})
	var w bytes.Buffer
	again := NewWriter(&w)
	r, fault, err := ReadReport(bytes.NewReader(d.report.Bytes()), again.Event)
	if err != nil || fault != nil {
		t.Fatal(fault, err)
	}
	r.NotCovered = []string{}
	if err := again.Close(r); err != nil || w.String() != d.report.String() {
		t.Errorf("%v\n%s\nwant\n%s", err, w.String(), d.report.String())
	}
}

// TestReportTellsNothing checks that no part of a report depends on which of two values was redacted. Reports differ
// only in their commitments, and those are as long and as random for both: without the salts, only the salts
// determine them.
func TestReportTellsNothing(tb *testing.T) {
	rapid.Check(tb, func(t *rapid.T) {
		value := rapid.Custom(func(t *rapid.T) string { return spelled(drawValue(t)) })
		a, b := value.Draw(t, "one"), value.Draw(t, "other")
		pointer := "/data/token"
		one, other := redactedOf(tb, &counting{}, was{1, pointer, a}), redactedOf(tb, &counting{}, was{1, pointer, b})
		left, right := uncommitted(t, one.report.String()), uncommitted(t, other.report.String())
		if left != right {
			t.Fatalf("the reports on %s and %s differ:\n%s\n%s", a, b, left, right)
		}
		for _, told := range []string{digest.Of([]byte(a)).Hex(), "original", digest.Of([]byte("original")).Hex(), digest.Of([]byte("input")).Hex(), digest.Of([]byte("root")).Hex()} {
			if strings.Contains(one.report.String(), told) {
				t.Fatalf("the report tells %s", told)
			}
		}
	})
}

// uncommitted is a report with its commitments blotted out.
func uncommitted(t *rapid.T, report string) string {
	before, rest, ok := strings.Cut(report, `"commitment":"sha256:`)
	if !ok || len(rest) < 64 {
		t.Fatal(report)
	}
	if _, err := hex.DecodeString(rest[:64]); err != nil {
		t.Fatal(err)
	}
	return before + rest[64:]
}

// TestRules holds that the rows are complete and that the examples are what they say.
func TestRules(t *testing.T) {
	for _, r := range Rules() {
		if r.ID == "" || r.Title == "" || r.Class != class || r.Clause == "" || r.Rationale == "" || r.Bad == "" || r.Good == "" || !strings.HasPrefix(r.ID, class) {
			t.Errorf("%s: the row is not complete", r.ID)
		}
		for _, example := range []struct {
			text string
			want bool
		}{{r.Bad, true}, {r.Good, false}} {
			if ids := rulesOf(t, r.ID, example.text); slices.Contains(ids, r.ID) != example.want {
				t.Errorf("%s: %s triggers %q", r.ID, example.text, ids)
			}
		}
	}
}

// rulesOf runs an example of a rule.
func rulesOf(t *testing.T, id, example string) (ids []string) {
	t.Helper()
	switch id {
	case "RedactionDisclosure", "RedactionCommitment":
		findings, err := Reveal(strings.NewReader(goodReport), strings.NewReader(example), func(d Disclosed) error {
			if d.Fault != nil {
				ids = append(ids, d.Fault.Rule)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return append(ids, rulesIn(findings)...)
	case "RedactionReport", "RedactionUnverified", "RedactionOutput":
		report, fault, err := ReadReport(strings.NewReader(example), func(*Event) error { return nil })
		switch {
		case err != nil:
			t.Fatal(err)
		case fault != nil:
			return []string{fault.Rule}
		}
		return rulesIn(report.Compare(Output{SHA256: exampleFile, RunRoot: exampleRoot}))
	case "RedactionEvent":
		doc, err := strictjson.NewScanner(strictjson.Limits{}).Scan([]byte(example))
		if err != nil {
			t.Fatal(err)
		}
		for range strictjson.Differences(doc.Root().Get("original"), doc.Root().Get("redacted")) {
			ids = append(ids, id)
		}
		return ids
	}
	return changesRules(t, example)
}

// changesRules compares a report with that of the good examples.
func changesRules(t *testing.T, example string) []string {
	t.Helper()
	v := &verifyRun{opt: Options{MaxFindings: -1}, answer: &Verification{Redacted: &bundle.Report{SHA256: exampleFile, RunRoot: exampleRoot}}}
	v.in.Scratch = func() (bundle.Scratch, error) { return new(memory), nil }
	for text, into := range map[string]struct {
		file   **scratchFile
		report **Report
	}{example: {&v.report, &v.answer.Report}, goodReport + " ": {&v.anew, &v.answer.Anew}} {
		file, err := v.scratch()
		if err != nil {
			t.Fatal(err)
		}
		if *into.report, _, err = ReadReport(io.TeeReader(strings.NewReader(text), file), func(*Event) error { return nil }); err != nil {
			t.Fatal(err)
		}
		if err := file.end(); err != nil {
			t.Fatal(err)
		}
		*into.file = file
	}
	if err := v.compareReport(); err != nil {
		t.Fatal(err)
	}
	return rulesIn(v.answer.Findings)
}

// memory is a scratch file in memory.
type memory struct{ text []byte }

func (m *memory) Write(p []byte) (int, error) {
	m.text = append(m.text, p...)
	return len(p), nil
}

func (m *memory) ReadAt(p []byte, offset int64) (int, error) {
	return bytes.NewReader(m.text).ReadAt(p, offset)
}

func rulesIn(findings []finding.Finding) (ids []string) {
	for _, f := range findings {
		ids = append(ids, f.Rule)
	}
	return ids
}
