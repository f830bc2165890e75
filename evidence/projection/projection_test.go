package projection_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/projection"
	"github.com/cupel-dev/cupel/finding"
)

// lines reads the cases of a file.
func lines[T any](t *testing.T, name string) (list []T) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		var c T
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatalf("%s: %v: %s", name, err, line)
		}
		list = append(list, c)
	}
	if len(list) == 0 {
		t.Fatalf("%s has no cases", name)
	}
	return list
}

func sumOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256:" + hex.EncodeToString(sum[:])
}

func firstRule(list []finding.Finding) string {
	if len(list) == 0 {
		return ""
	}
	return list[0].Rule
}

// TestTools goes through the cases of tools, under both projections.
func TestTools(t *testing.T) {
	type toolCase struct {
		Title, Server, Canonical, Manifest, Rule string
		Tool                                     json.RawMessage
	}
	for _, c := range lines[toolCase](t, "tools.jsonl") {
		list := projection.ReadTools(c.Tool, projection.ToolOptions{ServerID: c.Server, Canonical: true})
		if got := firstRule(list.Findings); got != c.Rule || (c.Rule == "") != (len(list.Tools) == 1) {
			t.Errorf("%s: rule %q and %d tools, expected rule %q", c.Title, got, len(list.Tools), c.Rule)
			continue
		}
		if c.Rule == "" {
			checkTool(t, c.Title, list.Tools[0], c.Canonical)
		}
		if c.Manifest != "" {
			list := projection.ReadTools(c.Tool, projection.ToolOptions{Of: projection.Manifest, Canonical: true})
			if len(list.Tools) != 1 || list.Manifest != nil {
				t.Errorf("%s: %+v", c.Title, list)
				continue
			}
			checkTool(t, c.Title, list.Tools[0], c.Manifest)
		}
	}
}

func checkTool(t *testing.T, title string, got projection.Tool, canonical string) {
	t.Helper()
	if string(got.Canonical) != canonical || got.Sum.String() != sumOf(canonical) {
		t.Errorf("%s: %v of\n%s, expected\n%s", title, got.Sum, got.Canonical, canonical)
	}
}

// TestToolLists reads every form that a list of tools may have.
func TestToolLists(t *testing.T) {
	const two = `{"name":"b"},{"name":"a"}`
	for _, c := range []struct {
		text  string
		tools int
		rule  string
	}{
		{`[` + two + `]`, 2, ""},
		{`{"tools":[` + two + `]}`, 2, ""},
		{"{\n\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"tools\":[" + two + "]}}\n", 2, ""},
		{`{"tools":[` + two + `],"nextCursor":"x"}`, 2, "tool.page"},
		{`{"tools":[` + two + `],"nextCursor":null}`, 2, ""},
		{`[{"name":"a"},{"name":"a","description":" "}]`, 2, ""},
		{`[{"name":"a"},{"name":"a","description":"x"}]`, 2, "tool.repeated"},
		{`[{"name":"a"},7]`, 1, "tool.shape"},
		{`[{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}]`, 0, "tool.unnamed"},
		{`[]`, 0, ""},
		{`{"tools":{}}`, 0, "tool.shape"},
		{`{"jsonrpc":"2.0","id":1,"result":{}}`, 0, "tool.shape"},
		{`{"jsonrpc":"2.0","id":1,"result":null}`, 0, "tool.shape"},
		{`{"jsonrpc":"2.0","id":1,"error":{"code":1}}`, 0, "tool.shape"},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, 0, "tool.shape"},
		{`{}`, 0, "tool.unnamed"},
		{``, 0, "tool.shape"},
		{`{"name":"a"} {"name":"b"}`, 0, "tool.shape"},
		{`{"name":"a","name":"b"}`, 0, "tool.shape"},
		{`{"name":"\ud800"}`, 0, "tool.shape"},
		{`{"name":"a","inputSchema":{"x":1e999}}`, 0, "tool.shape"},
		{`{"name":"a","inputSchema":` + strings.Repeat(`{"x":`, 200) + `1` + strings.Repeat(`}`, 200) + `}`, 0, "tool.shape"},
		{`[` + strings.Repeat(`7,`, 200_000) + `7]`, 0, "tool.shape"},
		{`[` + strings.Repeat(`{"name":"a"},`, projection.DefaultMaxTools) + `7]`, 0, "tool.shape"},
	} {
		list := projection.ReadTools([]byte(c.text), projection.ToolOptions{})
		if got := firstRule(list.Findings); len(list.Tools) != c.tools || got != c.rule {
			t.Errorf("%.80s: %d tools, %q, expected %d, %q", c.text, len(list.Tools), got, c.tools, c.rule)
		}
		for _, f := range list.Findings {
			if f.Line == 0 || f.Column == 0 {
				t.Errorf("%.80s: a finding without a place: %+v", c.text, f)
			}
		}
	}
}

// TestManifest computes a list's digest as its definition reads.
func TestManifest(t *testing.T) {
	list := projection.ReadTools([]byte(`[{"name":"b"},{"name":"a","description":"x"}]`), projection.ToolOptions{Of: projection.Manifest})
	a := sumOf(`{"annotations":null,"description":"x","input_schema":null,"name":"a","output_schema":null}`)
	b := sumOf(`{"annotations":null,"description":null,"input_schema":null,"name":"b","output_schema":null}`)
	want := sumOf(`{"projection":"assay.mcp_manifest_projection.v0","tools":[{"name":"a","tool_digest":"` + a + `"},{"name":"b","tool_digest":"` + b + `"}]}`)
	if list.Manifest == nil || list.Manifest.String() != want {
		t.Errorf("manifest %v, expected %s", list.Manifest, want)
	}
	for _, text := range []string{`[{"name":"a"},{}]`, `{"name":"a"}`} {
		if list := projection.ReadTools([]byte(text), projection.ToolOptions{Of: projection.Manifest}); list.Manifest != nil {
			t.Errorf("%s has the manifest digest %v", text, list.Manifest)
		}
	}
}

// TestPolicies goes through the cases of policies.
func TestPolicies(t *testing.T) {
	type policyCase struct {
		Title, Loaded, Declared string
		At                      *string
		Policy                  json.RawMessage
	}
	for _, c := range lines[policyCase](t, "policies.jsonl") {
		for of, want := range map[projection.PolicyOf]string{projection.Loaded: c.Loaded, projection.Declared: c.Declared} {
			p, findings, ok := projection.ReadPolicy(c.Policy, of)
			switch {
			case ok != (c.At == nil) || ok != (len(findings) == 0):
				t.Errorf("%s: %v %v", c.Title, ok, findings)
			case !ok && (findings[0].Path != *c.At || findings[0].Rule != "policy.shape"):
				t.Errorf("%s: %+v, expected it at %q", c.Title, findings[0], *c.At)
			case ok && (string(p.Canonical) != want || p.Sum.String() != sumOf(want)):
				t.Errorf("%s, %v: %v of\n%s, expected\n%s", c.Title, of, p.Sum, p.Canonical, want)
			}
		}
	}
	if _, findings, ok := projection.ReadPolicy([]byte("version: 1\n"), projection.Loaded); ok || !strings.Contains(findings[0].Help, "YAML") {
		t.Errorf("YAML: %v", findings)
	}
}

// TestJSON digests texts as a whole.
func TestJSON(t *testing.T) {
	for _, c := range []struct{ text, domain, preimage string }{
		{` {"b":1.0,"a":[]} `, "", `{"a":[],"b":1}`},
		{`"x"`, "", `"x"`},
		{`{}`, "d.v0", "d.v0\x00{}"},
	} {
		sum, canonical, findings, ok := projection.JSON([]byte(c.text), c.domain)
		if !ok || len(findings) > 0 || sum.String() != sumOf(c.preimage) || !strings.HasSuffix(c.preimage, string(canonical)) {
			t.Errorf("%s: %v of %s", c.text, sum, canonical)
		}
	}
	for _, text := range []string{"", "{", `{"a":1,"a":1}`, `1 2`, `"\ud800"`, `1e999`} {
		if _, _, findings, ok := projection.JSON([]byte(text), ""); ok || firstRule(findings) != "json.canonical" {
			t.Errorf("%s: %v %v", text, ok, findings)
		}
	}
}

// eventWith is an event with data.
func eventWith(t *testing.T, data string) *evidence.Event {
	t.Helper()
	return eventOf(t, `{"specversion":"1.0","type":"assay.x","datacontenttype":"application/json","data":`+data+`}`)
}

func eventOf(t *testing.T, text string) *evidence.Event {
	t.Helper()
	r, err := evidence.NewHasher(evidence.Options{Events: true}).Hash([]byte(text))
	if err != nil || r.Event == nil {
		t.Fatalf("%s: %v %v", text, err, r.Findings)
	}
	return r.Event
}

// TestSemantic goes through the cases of records.
func TestSemantic(t *testing.T) {
	type recordCase struct {
		Title, Profile, Canonical string
		Sets                      []string
		Data                      json.RawMessage
	}
	for _, c := range lines[recordCase](t, "records.jsonl") {
		maker := projection.NewSemantic(c.Sets...)
		for range 2 { // memory that is used again changes nothing
			sum, canonical := maker.Sum(eventWith(t, string(c.Data)).Get(evidence.AttrData), c.Profile)
			if string(canonical) != c.Canonical || sum.String() != sumOf(c.Canonical) {
				t.Errorf("%s: %v of\n%s, expected\n%s", c.Title, sum, canonical, c.Canonical)
			}
		}
	}
}

// TestCheck compares what events record.
func TestCheck(t *testing.T) {
	list := projection.ReadTools([]byte(`[{"name":"a"},{"name":"a","description":"x"},{"name":"b"}]`), projection.ToolOptions{ServerID: "s"})
	var given projection.Definitions
	given.Add(list.Tools)
	a, b := list.Tools[0].Sum.String(), list.Tools[2].Sum.String()
	for _, c := range []struct {
		data    string
		verdict projection.Verdict
		word    string // of the finding
	}{
		{`{"tool":"a","tool_definition_digest":"` + a + `"}`, projection.Same, ""},
		{`{"tool":"a","tool_definition_digest":"` + list.Tools[1].Sum.String() + `"}`, projection.Same, ""},
		{`{"tool":"a","tool_definition_digest":"` + a + `","tool_definition_canonicalization":"jcs:mcp_tool_definition.v1"}`, projection.Same, ""},
		{`{"tool":"a","tool_definition_digest":"` + a + `","tool_definition_canonicalization":"jcs:other"}`, projection.Different, "jcs:other"},
		{`{"tool":"a","tool_definition_digest":"` + a + `","tool_definition_canonicalization":1}`, projection.Different, `"1"`},
		{`{"tool":"a","tool_definition_digest":"` + strings.ToUpper(a) + `"}`, projection.Different, "2 given definitions"},
		{`{"tool":"b","tool_definition_digest":"` + list.Tools[2].Alone.String() + `"}`, projection.Different, "if the server id is left out"},
		{`{"tool":"b","tool_definition_digest":7}`, projection.Different, "digest mismatch"},
		{`{"tool":"B","tool_definition_digest":"` + b + `"}`, projection.Unknown, `no definition of the tool "B"`},
		{`{"tool":7,"tool_definition_digest":"` + b + `"}`, projection.Unknown, "names no tool"},
		{`{"tool":"b","tool_definition_digest":null}`, projection.Unrecorded, ""},
		{`{"tool":"b"}`, projection.Unrecorded, ""},
		{`7`, projection.Unrecorded, ""},
	} {
		checkVerdict(t, c.data, given.Check(eventWith(t, c.data)), c.verdict, c.word)
	}
	for _, c := range []struct {
		data    string
		verdict projection.Verdict
		word    string
	}{
		{`{"policy_digest":"x","policy_snapshot_digest":"x"}`, projection.Same, ""},
		{`{"policy_digest":"` + strings.Repeat("x", 300) + `","policy_snapshot_digest":"` + strings.Repeat("x", 300) + `"}`, projection.Same, ""},
		{`{"policy_digest":"` + strings.Repeat("x", 300) + `a","policy_snapshot_digest":"` + strings.Repeat("x", 300) + `b"}`, projection.Different, "differs from policy_digest"},
		{`{"policy_digest":1,"policy_snapshot_digest":"1"}`, projection.Different, "differs from policy_digest"},
		{`{"policy_digest":1,"policy_snapshot_digest":1}`, projection.Different, "differs from policy_digest"},
		{`{"policy_snapshot_digest":"x","policy_digest":null}`, projection.Unknown, "no policy_digest"},
		{`{"policy_digest":"x"}`, projection.Unrecorded, ""},
	} {
		checkVerdict(t, c.data, projection.CheckPolicy(eventWith(t, c.data)), c.verdict, c.word)
	}
	policies := []projection.Policy{{Sum: list.Tools[0].Sum}, {Sum: list.Tools[2].Sum}}
	for data, verdict := range map[string]projection.Verdict{
		`{"policy_digest":"` + b + `"}`:                                      projection.Same,
		`{"policy_digest":"` + b + `","policy_snapshot_digest":"sha256:00"}`: projection.Different,
		`{"policy_snapshot_digest":"` + a + `"}`:                             projection.Same,
		`{"policy_digest":null}`:                                             projection.Unrecorded,
	} {
		if got := projection.CheckPolicyDigest(eventWith(t, data), policies); got.Verdict != verdict || (verdict == projection.Different) != (got.Finding != nil) {
			t.Errorf("%s: %+v", data, got)
		}
	}
}

func checkVerdict(t *testing.T, data string, got projection.Comparison, want projection.Verdict, word string) {
	t.Helper()
	said := ""
	if f := got.Finding; f != nil {
		said = strings.Join(append(f.Notes, f.Message), "\n")
	}
	if got.Verdict != want || (word == "") != (got.Finding == nil) || !strings.Contains(said, word) {
		t.Errorf("%s: %+v %s, expected %v and %q", data, got, said, want, word)
	}
	if f := got.Finding; f != nil && (f.Line != 1 || f.Column < 2 || !strings.HasPrefix(f.Path, "/data/") || len(f.Found) > 150) {
		t.Errorf("%s: the finding's place: %+v", data, f)
	}
}

// TestRules runs every example of the table: the bad one breaks its rule, the good one none.
func TestRules(t *testing.T) {
	for _, r := range projection.Rules() {
		for text, want := range map[string]string{r.Bad: r.ID, r.Good: ""} {
			if got := firstRule(findingsOf(t, r.ID, text)); got != want {
				t.Errorf("%s: %q for %s", r.ID, got, text)
			}
		}
		if r.Title == "" || r.Clause == "" || r.Rationale == "" {
			t.Errorf("%s is not complete", r.ID)
		}
	}
}

func findingsOf(t *testing.T, rule, text string) []finding.Finding {
	t.Helper()
	var c projection.Comparison
	switch family, name, _ := strings.Cut(rule, "."); {
	case rule == "json.canonical":
		_, _, findings, _ := projection.JSON([]byte(text), "")
		return findings
	case rule == "policy.shape":
		_, findings, _ := projection.ReadPolicy([]byte(text), projection.Loaded)
		return findings
	case family == "policy":
		c = projection.CheckPolicy(eventOf(t, text))
	case family == "semantic":
		e, maker := eventOf(t, text), projection.NewSemantic()
		sum, _ := maker.Sum(e.Get(evidence.AttrData), projection.ProfileOf(e))
		c = maker.Check(e, projection.ProfileOf(e), sum)
		if c.Verdict == projection.Unrecorded {
			t.Errorf("%s records none", text)
		}
	case slices.Contains([]string{"mismatch", "unknown"}, name):
		var given projection.Definitions
		given.Add(projection.ReadTools([]byte(`{"name":"read_file","inputSchema":{"type":"object"}}`), projection.ToolOptions{}).Tools)
		c = given.Check(eventOf(t, text))
	default:
		return projection.ReadTools([]byte(text), projection.ToolOptions{}).Findings
	}
	if c.Finding == nil {
		return nil
	}
	return []finding.Finding{*c.Finding}
}
