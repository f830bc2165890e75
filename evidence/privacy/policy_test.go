package privacy_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/privacy"
)

// TestFaults: each mistake in a policy file is an error with its place and what to do.
func TestFaults(t *testing.T) {
	for _, c := range []struct{ text, message, hint string }{
		{"clases: []", `p.yaml:1:1: unknown key "clases"`, `did you mean "classes"?`},
		{"classes: {}", "p.yaml:1:10: expected a list of privacy classes", ""},
		{"classes:\n- {pointr: /data/a}", `p.yaml:2:4: unknown key "pointr"`, `did you mean "pointer"?`},
		{"classes:\n- {pointer: /data/a}", "p.yaml:2:3: the row has no class", "expected class: public, sensitive or forbidden"},
		{"classes:\n- {class: public}", "p.yaml:2:3: the row has no pointer", "expected pointer: /data/…, or a pattern"},
		{"classes:\n- {class: publc, pointer: /data}", `p.yaml:2:11: unknown class "publc"`, `did you mean "public"?`},
		{"classes:\n- {class: secret, pointer: /data}", `p.yaml:2:11: unknown class "secret"`, "known: public, sensitive, forbidden"},
		{"classes:\n- {class: public, pointer: data/a}", `p.yaml:2:28: bad pointer "data/a"`, "a JSON pointer begins with /, as in /data/args"},
		{"classes:\n- {class: public, pointer: /data/a~2}", `p.yaml:2:28: bad pointer "/data/a~2"`, "~ in a name is written ~0, and / is written ~1"},
		{"classes:\n- {class: public, pointer: /data/a~}", `p.yaml:2:28: bad pointer "/data/a~"`, "~ in a name is written ~0, and / is written ~1"},
		{"classes:\n- {class: public, pointer: \"/data/a\\n\"}", `p.yaml:2:28: bad pointer "/data/a\n"`, "a pointer is one line of visible characters"},
		{"classes:\n- {class: public, pointer: /data/}", `p.yaml:2:28: bad pointer "/data/"`, "only * matches a member with an empty name"},
		{"classes:\n- {class: public, pointer: /data/args/0}", `p.yaml:2:28: bad pointer "/data/args/0"`, "only * matches array elements: their numbers change when one is removed"},
		{"classes:\n- {class: public, pointer: /data/a*}", `p.yaml:2:28: bad pointer "/data/a*"`, "* and ** match whole names"},
		{"classes:\n- {class: public, pointer: /data/**/**}", `p.yaml:2:28: bad pointer "/data/**/**"`, "one ** already matches any number of names"},
		{"classes:\n- {class: public, pointer: /**/a/**/b/**/c/**}", `p.yaml:2:28: bad pointer "/**/a/**/b/**/c/**"`, "at most 3 times **"},
		{"classes:\n- {class: forbidden, pointer: /id}", "p.yaml:2:31: member id cannot be changed: it links the event to its run", "expected /data, /subject, /source, /tracestate or a member that the contract does not name"},
		{"classes:\n- {class: public, pointer: /assaycontenthash/x}", "p.yaml:2:28: member assaycontenthash cannot be changed: it links the event to its run", "expected /data, /subject, /source, /tracestate or a member that the contract does not name"},
		{"classes:\n- {class: public, pointer: /data/api_key}", `p.yaml:2:28: "api_key" is a forbidden name and cannot be public`, "use --allow-forbidden api_key to allow the name"},
		{"classes:\n- {class: sensitive, pointer: /data/Token/x}", `p.yaml:2:31: "Token" is a forbidden name and cannot be sensitive`, "use --allow-forbidden Token to allow the name"},
		{"classes:\n- {class: public, pointer: /data/a, type: a*}", `p.yaml:2:43: bad type "a*"`, "a type is a full name, *, or a prefix followed by .*"},
		{"classes:\n- {class: public, pointer: /data/a, type: .*}", `p.yaml:2:43: bad type ".*"`, "a type is a full name, *, or a prefix followed by .*"},
		{"classes:\n- {class: public, pointer: /data/a, type: \"a\\e\"}", `p.yaml:2:43: bad type "a\x1b"`, "a type is one line of visible characters"},
		{"classes:\n- {class: public, pattern: x}", "p.yaml:2:28: a pattern cannot have the class public", "expected class sensitive or forbidden: a pattern finds values to hide"},
		{"classes:\n- {class: sensitive, pattern: 'a(b'}", "p.yaml:2:31: bad pattern: missing closing ): \"a(b\"", "write an RE2 pattern, without backreferences and lookaround"},
		{"classes:\n- {class: sensitive, pattern: 'a(?=b)'}", "p.yaml:2:31: bad pattern: invalid or unsupported Perl syntax: \"(?=\"", "write an RE2 pattern, without backreferences and lookaround"},
		{"classes:\n- {class: sensitive, pattern: 'a{1001}'}", "p.yaml:2:31: bad pattern: invalid repeat count: \"{1001}\"", "write an RE2 pattern, without backreferences and lookaround"},
		{"classes:\n- {class: sensitive, pattern: 'x*'}", "p.yaml:2:31: the pattern matches the empty text", "expected a pattern that matches at least one character"},
		{"classes:\n- {class: sensitive, pattern: " + strings.Repeat("x", 1001) + "}", "p.yaml:2:31: the pattern has 1001 bytes, the limit is 1000", "split the pattern into several rows"},
		{"classes: [", "p.yaml:2:1: invalid YAML: did not find expected node content while parsing a flow node", ""},
		{"classes:\n- &a {class: public, pointer: /data/x}\n- *a", "p.yaml:3:3: expected a mapping of keys", ""},
	} {
		_, err := privacy.ParsePolicy("p.yaml", []byte(c.text), privacy.Default(), nil)
		var e *privacy.FileError
		if !errors.As(err, &e) || e.Error() != c.message || e.Hint != c.hint {
			t.Errorf("%s\n got %v (%+v)\nwant %s (%s)", c.text, err, e, c.message, c.hint)
		}
	}
	_, err := privacy.ParsePolicy("p.yaml", nil, privacy.Default(), []string{"tokens"})
	if e := (*privacy.NameError)(nil); !errors.As(err, &e) || e.Error() != `"tokens" is not a forbidden name` {
		t.Error(err)
	}
	for _, base := range []*privacy.Policy{privacy.Upstream()} {
		if _, err := privacy.ParsePolicy("p.yaml", []byte("classes:\n- {class: public, pointer: /data}"), base, nil); err == nil {
			t.Error("the reference's profile takes classes")
		}
		if p, err := privacy.ParsePolicy("p.yaml", nil, base, nil); err != nil || p.Digest() != base.Digest() {
			t.Error("a file that says nothing:", err)
		}
	}
}

// TestDigest: policies that decide otherwise have other digests, and the same one has the
// same, whatever its file is called and however it is spelled.
func TestDigest(t *testing.T) {
	parse := func(name, text string, allow ...string) evidence.Sum {
		p, err := privacy.ParsePolicy(name, []byte(text), privacy.Default(), allow)
		if err != nil {
			t.Fatal(err)
		}
		return p.Digest()
	}
	row := "classes:\n- {pointer: /data/a, class: public}\n"
	digests := []evidence.Sum{
		privacy.Default().Digest(), privacy.Upstream().Digest(), parse("a", row), parse("a", "", "token"), parse("a", "", "token", "password"),
		parse("a", strings.Replace(row, "public", "forbidden", 1)), parse("a", strings.Replace(row, "/a", "/b", 1)),
		parse("a", row+"- {pointer: /data/b, class: public}"), parse("a", row+"- {pattern: x, class: sensitive}"), parse("a", row+"- {pattern: x, class: forbidden}"),
	}
	for i, sum := range digests {
		if slices.Contains(digests[:i], sum) {
			t.Errorf("policy %d has the digest of another one", i)
		}
	}
	if parse("a", row) != parse("b", "# ours\nclasses:\n\n  - class: public\n    pointer: '/data/a'\n") || parse("a", "", "token", "Pass-Word") != parse("a", "", "password", "TOKEN", "token") {
		t.Error("the same policy has two digests")
	}
	if privacy.Default().Digest() != parse("a", "") {
		t.Error("a file that says nothing is another policy")
	}
}

// TestTable: the table names every member of the contract's payloads, and what a file adds.
func TestTable(t *testing.T) {
	p := mustParse("classes:\n- {type: my.*, pointer: /data/x, class: public}\n- {pattern: 'a b', class: forbidden}\n", "token")
	text := string(p.AppendTable(nil))
	for _, want := range []string{
		"profile default, " + p.Digest().String(), "assay.tool.decision", "/data/tool_definition_source", "/data/passed_keys/*", "/assaycontenthash", "my.*", "policy.yaml:2", "a b",
		"aws-access-key-id", "home-path", "cuts", "accesstoken", "personal data",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the table does not say %q:\n%s", want, text)
		}
	}
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "  token ") || strings.HasSuffix(line, " \n") {
			t.Errorf("line %q", line)
		}
	}
}

// TestEveryMember: every member of the payloads of the contract (ADR-006 §3) has a row of
// its own.
func TestEveryMember(t *testing.T) {
	rows := map[string]bool{}
	for _, row := range privacy.Default().Rows() {
		rows[row.Type+" "+row.Pointer] = true
	}
	for typ, members := range map[string]string{
		"assay.profile.started":  "profile_name profile_version total_runs_aggregated",
		"assay.profile.finished": "files_count network_count processes_count sandbox_degradation_count integrity_scope",
		"assay.tool.decision": "tool decision reason_code args_schema_hash policy_digest policy_snapshot_digest policy_snapshot_digest_alg policy_snapshot_canonicalization " +
			"policy_snapshot_schema tool_definition_digest tool_definition_digest_alg tool_definition_canonicalization tool_definition_schema tool_definition_source delegated_from delegation_depth",
		"assay.sandbox.degraded": "reason_code degradation_mode component detail",
		"assay.fs.access":        "hits file first_seen last_seen runs_seen",
		"assay.env.filtered":     "mode passed_keys/* dropped_keys/* counters/*",
	} {
		for _, member := range strings.Fields(members) {
			if !rows[typ+" /data/"+member] {
				t.Errorf("no row for %s of %s", member, typ)
			}
		}
	}
	for a := evidence.AttrData; a <= evidence.AttrDigestProfile; a++ {
		if !rows["* /"+a.String()] {
			t.Errorf("no row for the attribute %s", a)
		}
	}
}
