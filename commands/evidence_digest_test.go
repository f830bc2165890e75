package commands

import (
	"os"
	"strings"
	"testing"
)

// TestDigestMistakes runs the digest commands where they cannot answer, or must not be glad of
// having compared nothing.
func TestDigestMistakes(t *testing.T) {
	t.Chdir(t.TempDir())
	const event = `{"specversion":"1.0","type":"assay.tool.decision","datacontenttype":"application/json","data":{"tool":"t","decision":"allow"`
	for name, text := range map[string]string{
		"tool.json": `{"name":"read_file"}`, "none.json": `{"tools":[]}`, "policy.json": `{}`, "empty.ndjson": "",
		"plain.json": event + `}}`, "other.json": event + `,"tool_definition_digest":"sha256:00"}}`,
		"match.json": event + `},"assaydigestprofile":"p1","assaysemanticdigest":"sha256:00"}`,
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		args string
		code int
		says string // on standard error
	}{
		{"tool none.json", 2, `error: "none.json" has no tools`},
		{"tool --allow-empty none.json", 0, ""},
		{"tool missing.json", 2, `"missing.json"`},
		{"tool --max-bytes 10 tool.json", 2, "error: \"tool.json\" is larger than 10 bytes\ncupel: hint: raise the limit with --max-bytes"},
		{"tool --max-bytes 0 tool.json", 2, "--max-bytes is 0, expected a number of 1 or more"},
		{"tool --max-tools -1 tool.json", 2, "--max-tools is -1"},
		{"tool --projection p56a tool.json", 2, `did you mean "p56b"`},
		{"tool --projection manifest-v0 --server-id x tool.json", 2, "--server-id is not part of the projection manifest-v0"},
		{"tool --projection manifest-v0 --check plain.json tool.json", 2, "no event records a digest of the projection manifest-v0"},
		{"tool --ignore-missing tool.json", 2, "--ignore-missing requires --check"},
		{"tool --server-id \xff tool.json", 2, "--server-id is not UTF-8"},
		{"tool - --check -", 2, "can be read only once"},
		{"tool --check plain.json tool.json", 2, "no digest was compared: none of 1 event records the digest of a tool that is given"},
		{"tool --check plain.json tool.json --allow-empty", 0, ""},
		{"tool --check other.json tool.json", 2, "no digest was compared"},
		{"tool --check other.json tool.json --ignore-missing", 2, "no digest was compared"},
		{"tool --check missing.json tool.json", 2, `"missing.json"`},
		{"policy plain.json", 2, "no digest was compared: none of 1 event has policy_snapshot_digest and policy_digest"},
		{"policy --allow-empty plain.json", 0, ""},
		{"policy empty.ndjson", 2, `"empty.ndjson" has no events`},
		{"policy --projection declared policy.json", 2, "hint: add --experimental to compute them"},
		{"policy --explain policy.json", 2, "hint: add --experimental to compute them"},
		{"policy --check plain.json policy.json", 2, "hint: add --experimental to compute them"},
		{"policy --experimental --projection p56a policy.json", 2, "--projection"},
		{"policy --experimental --projection declared --check plain.json policy.json", 2, "no event records a digest of the projection declared"},
		{"policy --experimental --max-bytes 1 policy.json", 2, "raise the limit with --max-bytes"},
		{"policy --experimental --check plain.json policy.json", 2, "none of 1 event records the digest of a policy"},
		{"policy --experimental - --check -", 2, "can be read only once"},
		{"semantic --check plain.json", 2, "none of 1 event records a semantic digest of the profile"},
		{"semantic --check --profile p2 match.json", 2, "none of 1 event records a semantic digest of the profile"},
		{"semantic --check match.json", 1, ""},
		{"semantic --profile \xff match.json", 2, "--profile is not UTF-8"},
		{"json --max-bytes 1 policy.json", 2, "raise the limit with --max-bytes"},
		{"json --domain a\x00b policy.json", 2, "--domain must be UTF-8 without a NUL byte"},
	} {
		code, stdout, stderr := runHere(t, append([]string{"evidence", "digest"}, strings.Fields(c.args)...)...)
		if code != c.code || !strings.Contains(stderr, c.says) || (c.code < 2) != (stderr == "") {
			t.Errorf("%s: exit code %d, expected %d and %q\n%s%s", c.args, code, c.code, c.says, stdout, stderr)
		}
	}
}
