package payload_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/payload"
)

// goodData are data of every type of which nothing is said.
var goodData = map[string]string{
	"assay.profile.started":  `{"profile_name":"p","profile_version":"1","total_runs_aggregated":50}`,
	"assay.profile.finished": `{"files_count":1,"integrity_scope":"observed","network_count":1,"processes_count":1,"sandbox_degradation_count":0}`,
	"assay.tool.decision": `{"args_schema_hash":"D","decision":"allow","delegated_from":"agent:planner","delegation_depth":1,"policy_digest":"D",` +
		`"policy_snapshot_canonicalization":"jcs:mcp_policy","policy_snapshot_digest":"D","policy_snapshot_digest_alg":"sha256","policy_snapshot_schema":"assay.mcp.policy.snapshot.v1",` +
		`"reason_code":"P_X","tool":"read_file","tool_definition_canonicalization":"jcs:mcp_tool_definition.v1","tool_definition_digest":"D","tool_definition_digest_alg":"sha256",` +
		`"tool_definition_schema":"assay.mcp.tool-definition.snapshot.v1","tool_definition_source":"mcp.tools/list"}`,
	"assay.sandbox.degraded": `{"component":"landlock","degradation_mode":"audit_fallback","detail":"d","reason_code":"policy_conflict"}`,
	"assay.fs.access":        `{"file":"~/**/x","first_seen":1,"hits":3,"last_seen":"2026-01-02T03:04:05Z","runs_seen":2}`,
	"assay.env.filtered":     `{"counters":{"dropped":1,"passed":2},"dropped_keys":["A"],"mode":"strict","passed_keys":["B","C"]}`,
	"com.example.metric":     `{"hits":3}`,
}

const someDigest = "sha256:03df6ac9e39b6c7ab8f76f991af5369107d3729b0e2f89d1395901bed2268daf"

// values are possible values of members, including the limits of the rules.
var values = []string{
	`null`, `true`, `0`, `-0`, `-0.0`, `1`, `1.0`, `10e-1`, `1.5`, `-1`, `2e0`, `4294967295`, `4294967296`, `9007199254740993`, `18446744073709551616`, `1e308`, `5e-324`,
	`""`, `" "`, `"\u0085\u2003"`, `"a"`, `"sha256"`, `"sha512"`, `"allow"`, `"error"`, `"landlock"`, `"policy_conflict"`, `"mcp.tools/list"`, `"agent:x"`,
	`"` + someDigest + `"`, `"SHA256` + someDigest[6:] + `"`, `"sha256:abc"`, `"` + someDigest + `\n"`,
	`[]`, `["A"]`, `["A","B"]`, `["A",1]`, `[null]`, `{}`, `{"passed":1}`, `{"passed":1.0,"dropped":0}`, `{"x":-1}`, `{"x":"1"}`, `{"a":{"b":[]}}`,
}

// attributeValues are what the envelope's members may hold.
var attributeValues = []string{
	`null`, `true`, `7`, `""`, `"x"`, `"a:b"`, `"urn:a"`, `"https://h/%41"`, `"urn:a b"`, `"1.0"`, `"2026-01-02T03:04:05Z"`, `"2026-01-02T03:04:05.12+01:00"`, `"2016-12-31T23:59:60Z"`, `"2016-12-31T23:58:60Z"`,
	`"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"`, `"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-"`, `"cc-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-"`, `"00-00000000000000000000000000000000-b7ad6b7169203331-01"`,
	`"a=1,b=2"`, `"a=1,a=2"`, `"a"`, `"a@b=x , "`, `"a=x\u007f"`, `"assay.tool.decision.v2"`, `"assay.fs access"`, `"assay.\u00e9"`, `[]`, `{}`,
	`1.5`, `1.0`, `-2147483648`, `2147483648`, `"a\u0000b"`, `"\ufdd0"`, `"\u0085"`, `"text/plain"`, `"text/json; a=b"`, `"application/x+json"`, `"nothing"`, `"#"`, `"   "`,
}

// members draws an event near the rules: the members of an envelope and of its data.
func members(t *rapid.T) (envelope, data [][2]string) {
	types := make([]string, 0, len(goodData))
	for name := range goodData {
		types = append(types, name)
	}
	slices.Sort(types)
	eventType := rapid.SampledFrom(types).Draw(t, "type")
	envelope = slices.Clone(inOrder)
	envelope[1][1] = `"` + eventType + `"`
	data = membersOf(t, strings.ReplaceAll(goodData[eventType], `"D"`, `"`+someDigest+`"`))
	data = changed(t, data, values, []string{"extra", "Hits", ""})
	if rapid.IntRange(0, 3).Draw(t, "envelope") == 0 {
		names := []string{"subject", "tracestate", "assaysemanticdigest", "assaydigestprofile", "x_y", "abcdefghijklmnopqrstu", "foo", "data_base64", "dataschema", "ext", ""}
		keep := slices.DeleteFunc(envelope, func(m [2]string) bool { return m[0] == "id" || m[0] == "assayseq" || m[0] == "assayrunid" })
		envelope = append(changed(t, keep, attributeValues, names), [2]string{"assayrunid", `"run_a"`}, [2]string{"assayseq", `0`}, [2]string{"id", `"run_a:0"`})
	}
	return slices.DeleteFunc(envelope, func(m [2]string) bool { return m[0] == "data" && m[1] == `{"hits":3}` }), data
}

// membersOf are the members of an object.
func membersOf(t *rapid.T, object string) (list [][2]string) {
	var all map[string]json.RawMessage
	if err := json.Unmarshal([]byte(object), &all); err != nil {
		t.Fatal(err)
	}
	for name, value := range all {
		list = append(list, [2]string{name, string(value)})
	}
	slices.SortFunc(list, func(a, b [2]string) int { return strings.Compare(a[0], b[0]) })
	return list
}

// changed drops some members, gives others another value and adds some.
func changed(t *rapid.T, list [][2]string, values, more []string) [][2]string {
	list = slices.Clone(list)
	for range rapid.IntRange(0, 4).Draw(t, "changes") {
		if len(list) == 0 {
			break
		}
		i := rapid.IntRange(0, len(list)-1).Draw(t, "member")
		if rapid.IntRange(0, 2).Draw(t, "drop") == 0 {
			list = slices.Delete(list, i, i+1)
		} else {
			list[i][1] = rapid.SampledFrom(values).Draw(t, "value")
		}
	}
	for range rapid.IntRange(0, 1).Draw(t, "more") {
		name := rapid.SampledFrom(more).Draw(t, "name")
		if !slices.ContainsFunc(list, func(m [2]string) bool { return m[0] == name }) {
			list = append(list, [2]string{name, rapid.SampledFrom(values).Draw(t, "value")})
		}
	}
	return list
}

// eventOf writes an event; sometimes its data are not an object, or missing.
func eventOf(envelope, data [][2]string) string {
	if slices.ContainsFunc(envelope, func(m [2]string) bool { return m[0] == "data" }) {
		return written(envelope)
	}
	value := "{}"
	if len(data) > 0 {
		value = written(data)
	}
	return written(append(slices.Clone(envelope), [2]string{"data", value}))
}

// TestAgainstNaive compares what is said of changed events with the naive check. All are
// checked by one checker: what it says of one depends on no other.
func TestAgainstNaive(t *testing.T) {
	for _, strict := range []bool{false, true} {
		c := payload.NewChecker(payload.Options{Engine: evidence.Both, Strict: strict})
		rapid.Check(t, func(rt *rapid.T) {
			text := eventOf(members(rt))
			got, want := leveled(sayings(ofEvent(t, c, text))), append([]string{}, naiveEvent(text, strict)...)
			if !slices.Equal(got, want) {
				rt.Fatalf("%s\n  got %q\nnaive %q", text, got, want)
			}
		})
	}
}

// TestSpellingNeverMatters holds that the order of members, escapes and the spelling of
// numbers change nothing of what is said: it is what the canonical form has.
func TestSpellingNeverMatters(t *testing.T) {
	c := payload.NewChecker(payload.Options{Strict: true})
	rapid.Check(t, func(rt *rapid.T) {
		envelope, data := members(rt)
		plain := eventOf(envelope, data)
		other := eventOf(rapid.Permutation(envelope).Draw(rt, "envelope"), rapid.Permutation(respelled(rt, data)).Draw(rt, "data"))
		a, b := leveled(sayings(ofEvent(t, c, plain))), leveled(sayings(ofEvent(t, c, other)))
		if !slices.Equal(a, b) {
			rt.Fatalf("%s\n%s\n  %q\n  %q", plain, other, a, b)
		}
	})
}

// respelled escapes the first character of names and texts, and writes numbers in another
// way.
func respelled(t *rapid.T, list [][2]string) [][2]string {
	numbers := map[string]string{`0`: `0e5`, `-0`: `0.0`, `1`: `1.00`, `1.0`: `1`, `50`: `5e1`, `1.5`: `15e-1`, `-1`: `-1.0`, `4294967296`: `4.294967296e9`, `3`: `0.3E+1`, `9007199254740993`: `9007199254740992`}
	list = slices.Clone(list)
	for i, m := range list {
		if !rapid.Bool().Draw(t, "respell") {
			continue
		}
		if number, ok := numbers[m[1]]; ok {
			list[i][1] = number
		} else if m[1][0] == '"' && len(m[1]) > 2 && m[1][1] < 0x80 && m[1][1] != '\\' {
			list[i][1] = fmt.Sprintf(`"\u%04x%s`, m[1][1], m[1][2:])
		}
	}
	return list
}

// TestReference: both engines find fault with the same members, whichever speaks.
func TestReference(t *testing.T) {
	fast, reference := payload.NewChecker(payload.Options{}), payload.NewChecker(payload.Options{Engine: evidence.Reference})
	rapid.Check(t, func(rt *rapid.T) {
		text := eventOf(members(rt))
		var faulty [2]map[string]bool
		for i, c := range []*payload.Checker{fast, reference} {
			faulty[i] = map[string]bool{}
			for _, f := range ofEvent(t, c, text) {
				if f.Severity == evidence.SeverityError && f.Rule >= "EV-204" && f.Rule != "EV-314" {
					faulty[i][f.Rule[:4]] = true
				}
			}
		}
		if len(faulty[0]) == 0 != (len(faulty[1]) == 0) {
			rt.Fatalf("%s: %v, by the reference %v", text, faulty[0], faulty[1])
		}
	})
}

// TestCleanEventsCostNothing: an event of any type without findings costs no allocation.
func TestCleanEventsCostNothing(t *testing.T) {
	c := payload.NewChecker(payload.Options{Strict: true})
	for eventType, data := range goodData {
		text := laid(t, fmt.Sprintf(`{"type":%q,"data":%s}`, eventType, strings.ReplaceAll(data, `"D"`, `"`+someDigest+`"`)))
		r, err := evidence.NewHasher(evidence.Options{}).Hash([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if n := testing.AllocsPerRun(100, func() {
			if said, err := c.Event(nil, &r); err != nil || said != nil {
				t.Fatal(said, err)
			}
		}); n > 0 {
			t.Errorf("%s: %v allocations", eventType, n)
		}
	}
}

// BenchmarkEvent compares the check of an event with its hash.
func BenchmarkEvent(b *testing.B) {
	for _, eventType := range []string{"assay.fs.access", "assay.tool.decision", "com.example.metric"} {
		text := []byte(laid(b, fmt.Sprintf(`{"type":%q,"data":%s}`, eventType, strings.ReplaceAll(goodData[eventType], `"D"`, `"`+someDigest+`"`))))
		h, c := evidence.NewHasher(evidence.Options{}), payload.NewChecker(payload.Options{})
		b.Run("hash/"+eventType, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := h.Hash(text); err != nil {
					b.Fatal(err)
				}
			}
		})
		r, err := h.Hash(text)
		if err != nil {
			b.Fatal(err)
		}
		b.Run("check/"+eventType, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := c.Event(nil, &r); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
