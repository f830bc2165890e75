//go:build linux

package commands_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/ed25519"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/commands"
	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/proof"
	"github.com/cupel-dev/cupel/evidence/redact"
	"github.com/cupel-dev/cupel/evidence/seal"
	"github.com/cupel-dev/cupel/internal/racetest"
	"github.com/cupel-dev/cupel/internal/report"
)

// hostileTexts are names and values that try to be more than text: to act on a terminal,
// to begin a line of their own, to command a build server, to end the syntax around them,
// or to look like another text. All may be names of files.
var hostileTexts = []string{
	"a.jsonl: valid\nb.jsonl: valid (reasoning, 3 events)",
	"x\n::error::forged", "::stop-commands::t", " ::stop-commands::t",
	":", "##[stop-commands]t", "##vso[task.complete]done", "%0A::error::x", "a,line=1::x",
	"\x1b[2J\x1b[31mred", "\x1b]0;title\a", "x\rvalid", "\t", "\x7f", "\u009b31m",
	"\u202egnp.exe", "\u2066x\u2069", "\u200bx\u200d", "\ufeffx", "x\u2028::error::y", "\U000e0041",
	`\u{1b}[31m`, `"'<&>`, "]]><x>", `"]; x [label="y`, "a\\", "--format=json=x", "$(x) `x` 'x'", strings.Repeat("long ", 40) + "long",
}

// hostileNames are hostile texts as names, and names that are not UTF-8.
var hostileNames = append(slices.Clone(hostileTexts), "\xff\xfe", "caf\xe9\n", "\xc2")

// hostileCase is one way in which a name or a value reaches the output.
type hostileCase struct {
	title   string
	args    []string                    // NAME is replaced by the name
	content string                      // the file of that name, or ""; VALUE is replaced by the value, as JSON
	raw     bool                        // standard output is a document of its own, not text about one
	report  bool                        // --format selects the formats of reports
	formats []string                    // … or these
	pack    func(content string) []byte // makes the file of the content; nil: the content is it
}

// hostileContents reads the examples, with VALUE in the place of an author's texts.
func hostileContents(t *testing.T) map[string]string {
	read := func(name string, old ...string) string {
		text, err := os.ReadFile(filepath.Join("../testdata/examples", name))
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i < len(old); i += 2 {
			if !strings.Contains(string(text), old[i]) {
				t.Fatalf("%s has no %s", name, old[i])
			}
			text = []byte(strings.ReplaceAll(string(text), old[i], old[i+1]))
		}
		return string(text)
	}
	lines := func(text string, n int) string { return strings.Join(strings.SplitAfterN(text, "\n", n+1)[:n], "") }
	return map[string]string{
		"trace": read("trace/incident-flat/trace.jsonl", "claim-cause", "VALUE", "The import failed", "VALUE", `"ev-ticket"`, `"VALUE"`,
			`"derive"`, `"VALUE"`, `"kind":"tool_returned"`, `"kind":"VALUE"`, "evidence/ev-runbook.txt", "evidence/VALUE"),
		"log":        read("session/refund.jsonl", "refund-desk", "VALUE", `"SESSION_START"`, `"VALUE"`, `"sdk_version"`, `"VALUE"`),
		"transcript": read("transcripts/damaged.jsonl", "list the files", "VALUE", `"Bash"`, `"VALUE"`, `"command"`, `"file_path"`, `"ls"`, `"VALUE"`),
		"sound log":  read("session/refund.jsonl"),
		"events": lines(read("evidence/run.ndjson", "urn:example:runner:build-7", "VALUE", "assay.profile.started", "VALUE", `"mode"`, `"VALUE"`,
			"sha256:dc2df4631b348cb8f83232f7f8c22d579cf0945e4645135bcd3ac252bf69e0b9", "VALUE", `"strict"`, `"##[x]VALUE"`), 2),
		"manifest":         `{"algorithms":{"canon":"VALUE","hash":"VALUE","root":"VALUE"},"bundle_id":"VALUE","event_count":36,"files":{"VALUE":{"bytes":1,"path":"VALUE","sha256":"VALUE"}},"producer":{"name":"VALUE","version":"VALUE"},"run_id":"VALUE","run_root":"VALUE","schema_version":1,"VALUE":1}`,
		"proof":            `{"schema":"cupel.proof/1","algorithm":"VALUE","root":"VALUE","VALUE":1}`,
		"tools":            `{"tools":[{"name":"x VALUE","description":"VALUE","inputSchema":{"VALUE":1}},{"name":"x VALUE"},{"name":1,"VALUE":2}]}`,
		"decision":         `{"specversion":"1.0","type":"x","datacontenttype":"application/json","id":"VALUE","assaydigestprofile":"VALUE","assaysemanticdigest":"VALUE","data":{"tool":"VALUE","tool_definition_digest":"VALUE","tool_definition_canonicalization":"VALUE","policy_digest":"VALUE","policy_snapshot_digest":"other VALUE"}}`,
		"sound proof":      proof.Rules()[0].Good,
		"attestation":      `{"payloadType":"VALUE","payload":"e30=","signatures":[{"keyid":"VALUE","sig":"VALUE"}],"VALUE":1}`,
		"redaction":        strings.NewReplacer(`"profile":"default"`, `"profile":"VALUE"`, `"events":[]`, `"events":[{"line":1,"content_hash":"VALUE","changes":[{"pointer":"VALUE","class":"VALUE","rule":"VALUE","action":"VALUE"}]}]`).Replace(redactionOfRun),
		"disclosure":       `{"schema":"cupel.redaction-disclosure/1","output_sha256":"VALUE","events":[{"line":1,"values":[{"pointer":"VALUE","salt":"0000000000000000000000000000000000000000000000000000000000000000","value":"VALUE"}]}]}`,
		"bad redaction":    strings.Replace(redactionOfRun, `"kind":"bundle"`, `"kind":1,"VALUE":"VALUE"`, 1),
		"document":         read("oatf/loose.yaml", "mode: ", "\"VALUE\": 1\n    mode: ") + "x: \"VALUE\"\n\"VALUE\": 1\n",
		"sound document":   read("oatf/blind.yaml", "A blind document", "\"VALUE\""),
		"judged document":  read("oatf/rug-pull.yaml", "The note holds a private key.", "\"VALUE\"", "target: arguments.note", "target: arguments", "contains: PRIVATE KEY", "exists: true", "CUPEL-001", "\"VALUE\"", "\"VALUE\"-01", "\"VALUE 1\"", "\"VALUE\"-02", "\"VALUE 2\"", "\"VALUE\"-03", "\"VALUE 3\""),
		"broken document":  "oatf: \"0.1\"\nattack: \"unclosed\n",
		"attest trace":     read("attest/refund-unchecked.json", "process_refund", "VALUE", "trc_refund_bad", "VALUE trc"),
		"bad attest trace": read("attest/refund-unchecked.json", `"tool_call"`, `"VALUE"`),
		"report":           `{"schema":"cupel.trace/1","inputs":[{"input":"VALUE","verdict":"VALUE","VALUE":1,"findings":[{"rule":"hash.payload","severity":"error","file":"VALUE","line":1,"index":null,"caused_by":"hash.payload@1","path":"VALUE","message":"VALUE","expected":"VALUE","found":"VALUE","notes":["VALUE"],"help":"VALUE","VALUE":1}]}],"passed_over":[{"file":"VALUE 2"}],"status":"error","errors":["VALUE"],"summary":{"inputs":1,"VALUE":2,"x":"VALUE"}}`,
		"suite":            read("attest/refund-suite.yaml", "looks-up-before-refunding", `"id VALUE"`, "refund-arguments", `"id 2 VALUE"`),
		"bad suite":        read("attest/refund-suite.yaml", "check: contains_in_order", `check: "VALUE", "VALUE": 1`),
	}
}

// hostileCheckpoint has a signature that nobody checks before the key is known.
const hostileCheckpoint = "VALUE\n1\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n\n— VALUE AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n"

const strangeVKey = "example.com/agent-7+b3af5804+AcKg+Ke4yxugqQzJMOLH0hgc2gXVUPlFsSvbs2l0xrkH"

// hostileCases returns every command that prints what it is given.
func hostileCases(t *testing.T) []hostileCase {
	text := hostileContents(t)
	envelopes := strings.ReplaceAll(text["events"], `"source":"VALUE`, `"source":"urn:VALUE`) // with a source that is a URI
	leaky := strings.ReplaceAll(envelopes, `"##[x]VALUE"`, `"/home/bob/VALUE"`)
	files := []hostileCase{
		{title: "trace verify", content: text["trace"], report: true, args: []string{"trace", "verify", "--check-ids", "--", "NAME"}},
		{title: "trace verify, a log", content: text["log"], report: true, args: []string{"trace", "verify", "--strict-payload", "--", "NAME"}},
		{title: "trace verify, another name", content: text["log"], report: true, args: []string{"trace", "verify", "--stdin-name=NAME", "-"}},
		{title: "trace report", content: text["trace"], args: []string{"trace", "report", "--", "NAME"}},
		{title: "trace report as json", content: text["trace"], args: []string{"trace", "report", "--format=json", "--", "NAME"}},
		{title: "trace report as dot", content: text["trace"], args: []string{"trace", "report", "--format=dot", "--", "NAME"}},
		{title: "trace report as a page", content: text["trace"], formats: []string{"html", "markdown"}, args: []string{"trace", "report", "--", "NAME"}},
		{title: "trace report of a transcript", content: text["transcript"], formats: []string{"text", "json", "html", "markdown"}, args: []string{"trace", "report", "--", "NAME"}},
		{title: "trace report of a log", content: text["log"], args: []string{"trace", "report", "--", "NAME"}},
		{title: "trace seal", content: text["sound log"], args: []string{"trace", "seal", "--", "NAME"}},
		{title: "record --from", content: text["transcript"], args: []string{"record", "--from=auto", "--output=new.log", "--", "NAME"}},
		{title: "witness", content: hostileCheckpoint, args: []string{"witness", "--key=key.pem", "--state=new.state", "--", "NAME"}},
		{title: "trace prove --index", content: hostileCheckpoint, args: []string{"trace", "prove", "--index=0", "--checkpoint=NAME", "tools.json"}},
		{title: "trace prove --consistency", content: hostileCheckpoint, args: []string{"trace", "prove", "--consistency=NAME", "--", "NAME", "tools.json"}},
		{title: "trace prove --check", content: "c2sp.org/tlog-proof@v1\nindex 0\n\n" + hostileCheckpoint, args: []string{"trace", "prove", "--check=NAME", "--event=tools.json", "--vkey=" + strangeVKey}},
		{title: "trace seal, broken", content: text["log"], args: []string{"trace", "seal", "--", "NAME"}},
		{title: "evidence hash", content: text["events"], report: true, args: []string{"evidence", "hash", "--", "NAME"}},
		{title: "evidence hash --check", content: text["events"], report: true, args: []string{"evidence", "hash", "--check", "--", "NAME"}},
		{title: "evidence hash --explain", content: text["events"], report: true, args: []string{"evidence", "hash", "--explain", "--", "NAME"}},
		{title: "evidence hash of no events", content: "{\"x\": \"VALUE\"}\n", report: true, args: []string{"evidence", "hash", "--", "NAME"}},
		{title: "evidence hash -c", content: text["events"], report: true, args: []string{"evidence", "hash", "-c", "SUMS"}},
		{title: "evidence hash -c of such a list", content: "VALUE\n", report: true, args: []string{"evidence", "hash", "-c=NAME"}},
		{title: "evidence verify", content: envelopes, report: true, args: []string{"evidence", "verify", "--all", "--strict", "--", "NAME"}},
		{title: "evidence verify of no evidence", content: "{\"x\": \"VALUE\"}\n", report: true, args: []string{"evidence", "verify", "--", "NAME"}},
		{title: "evidence verify of another kind", content: "x: \"VALUE\"\n", report: true, args: []string{"evidence", "verify", "--compatible", "5", "--", "NAME"}},
		{title: "evidence verify of a damaged event", content: "{\"specversion\":\"1.0\",\"type\":\"assay.x\",VALUE\n", report: true, args: []string{"evidence", "verify", "--compatible", "5", "--", "NAME"}},
		{title: "evidence verify --attestation", content: text["attestation"], report: true, args: []string{"evidence", "verify", "--key=key.pub.pem", "--attestation=NAME", "--", "run.tar.gz"}},
		{title: "evidence verify --timestamp", content: `{"name":"VALUE"}`, pack: stampedBy, formats: []string{"text", "html", "markdown"}, args: []string{"evidence", "verify", "--key=stamped.pub.pem", "--attestation=stamped.att.json", "--timestamp=NAME", "--tsa-cert=authority.pem", "--", "run.tar.gz"}},
		{title: "evidence verify --timestamp of other bytes", content: `{"name":"VALUE"}`, report: true, args: []string{"evidence", "verify", "--key=stamped.pub.pem", "--attestation=stamped.att.json", "--timestamp=NAME", "--tsa-cert=trusted.pem", "--", "run.tar.gz"}},
		{title: "evidence verify --redaction", content: text["redaction"], report: true, args: []string{"evidence", "verify", "--redaction=NAME", "--", "run.tar.gz"}},
		{title: "evidence verify --redaction, broken", content: text["bad redaction"], report: true, args: []string{"evidence", "verify", "--redaction=NAME", "--", "run.tar.gz"}},
		{title: "evidence attest --redaction", content: text["bad redaction"], args: []string{"evidence", "attest", "--key", "key.pem", "--redaction=NAME", "--", "run.tar.gz"}},
		{title: "evidence verify-proof", content: text["proof"], report: true, args: []string{"evidence", "verify-proof", "--", "NAME"}},
		{title: "evidence verify-proof, sound", content: text["sound proof"], report: true, args: []string{"evidence", "verify-proof", "--", "NAME"}},
		{title: "evidence verify, a manifest", content: text["manifest"], pack: bundleOf("manifest.json"), report: true, args: []string{"evidence", "verify", "--all", "--", "NAME"}},
		{title: "evidence verify, a member", content: `{"name":"VALUE"}`, pack: bundleAs, report: true, args: []string{"evidence", "verify", "--all", "--", "NAME"}},
		{title: "evidence show", content: envelopes, formats: showFormats, args: []string{"evidence", "show", "--", "NAME"}},
		{title: "evidence show, a manifest", content: text["manifest"], pack: bundleOf("manifest.json"), formats: showFormats, args: []string{"evidence", "show", "--", "NAME"}},
		{title: "evidence digest tool", content: text["tools"], report: true, args: []string{"evidence", "digest", "tool", "--explain", "--", "NAME"}},
		{title: "evidence digest tool --check", content: text["decision"], report: true, args: []string{"evidence", "digest", "tool", "--check=NAME", "--", "tools.json"}},
		{title: "evidence digest policy", content: text["decision"], report: true, args: []string{"evidence", "digest", "policy", "--", "NAME"}},
		{title: "evidence digest policy --experimental", content: `{"version":"VALUE","VALUE":1}`, report: true, args: []string{"evidence", "digest", "policy", "--experimental", "--", "NAME"}},
		{title: "evidence digest json", content: `{"x":"VALUE","VALUE":1}`, report: true, args: []string{"evidence", "digest", "json", "--explain", "--", "NAME"}},
		{title: "evidence digest semantic", content: text["decision"], report: true, args: []string{"evidence", "digest", "semantic", "--explain", "--", "NAME"}},
		{title: "evidence diff", content: envelopes, formats: listFormats, args: []string{"evidence", "diff", "--", "NAME", "run.tar.gz"}},
		{title: "evidence diff, a manifest", content: text["manifest"], pack: bundleOf("manifest.json"), formats: listFormats, args: []string{"evidence", "diff", "--", "run.tar.gz", "NAME"}},
		{title: "evidence seal", content: envelopes, report: true, args: []string{"evidence", "seal", "-o=new.tar.gz", "--", "NAME"}},
		{title: "evidence unseal", content: text["manifest"], pack: bundleOf("manifest.json"), report: true, args: []string{"evidence", "unseal", "-o=new.ndjson", "--", "NAME"}},
		{title: "evidence redact", content: leaky, formats: listFormats, args: []string{"evidence", "redact", "--accept-unverified", "-o=new.ndjson", "--report=new.json", "--", "NAME"}},
		{title: "evidence redact --diff", content: leaky, formats: listFormats, args: []string{"evidence", "redact", "--accept-unverified", "--diff", "--", "NAME"}},
		{title: "evidence redact --policy", content: "classes: [{type: \"VALUE\", pointer: \"/data/VALUE\", class: public}]\n", formats: listFormats, args: []string{"evidence", "redact", "--check", "--policy=NAME", "--", "run.ndjson"}},
		{title: "evidence redact --verify", content: leaky, formats: listFormats, args: []string{"evidence", "redact", "--accept-unverified", "--verify", "--", "NAME", "NAME"}},
		{title: "evidence redact --verify, the other", content: leaky, formats: listFormats, args: []string{"evidence", "redact", "--verify", "--", "run.tar.gz", "NAME"}},
		{title: "evidence redact --verify --report", content: text["redaction"], formats: listFormats, args: []string{"evidence", "redact", "--verify", "--report=NAME", "--", "run.tar.gz", "run.tar.gz"}},
		{title: "evidence redact --reveal", content: text["disclosure"], formats: listFormats, args: []string{"evidence", "redact", "--reveal=NAME", "--report=run.redaction.json"}},
		{title: "evidence redact --reveal of another", content: text["redaction"], formats: listFormats, args: []string{"evidence", "redact", "--reveal=run.redaction.json", "--report=NAME"}},
		{title: "evidence redact --disclose", content: text["bad redaction"], args: []string{"evidence", "redact", "--disclose", "1:/x", "--secrets=NAME"}},
		{title: "evidence attest of no bundle", content: text["events"], args: []string{"evidence", "attest", "--key", "key.pem", "--", "NAME"}},
		{title: "evidence prove of no bundle", content: text["events"], args: []string{"evidence", "prove", "--seq", "0", "--", "NAME"}},
		{title: "oatf lint", content: text["document"], report: true, args: []string{"oatf", "lint", "--strict", "--", "NAME"}},
		{title: "oatf lint, lenient", content: text["document"], report: true, args: []string{"oatf", "lint", "--unknown-fields=warn", "--", "NAME"}},
		{title: "oatf lint, broken", content: text["broken document"], report: true, args: []string{"oatf", "lint", "--", "NAME"}},
		{title: "oatf fmt -l -d", content: text["sound document"], args: []string{"oatf", "fmt", "-l", "-d", "--", "NAME"}},
		{title: "oatf fmt, broken", content: text["broken document"], args: []string{"oatf", "fmt", "-l", "--", "NAME"}},
		{title: "oatf migrate -d", content: text["sound document"], args: []string{"oatf", "migrate", "--to=2026-03", "-d", "--", "NAME"}},
		{title: "oatf migrate", content: text["document"], raw: true, args: []string{"oatf", "migrate", "--to=2026-03", "--", "NAME"}},
		{title: "oatf migrate, broken", content: text["broken document"], args: []string{"oatf", "migrate", "--to=2026-03", "--", "NAME"}},
		{title: "oatf normalize", content: text["sound document"], raw: true, args: []string{"oatf", "normalize", "--unknown-fields=warn", "--", "NAME"}},
		{title: "oatf normalize, broken", content: text["document"], args: []string{"oatf", "normalize", "--", "NAME"}},
		{title: "oatf eval", content: `{"name":"VALUE","VALUE":{},"arguments":{"note":"PRIVATE KEY VALUE"}}` + "\n", report: true, args: []string{"oatf", "eval", "--explain-selection", "--trace=NAME", "--", "attack.yaml"}},
		{title: "oatf eval, a bad line", content: `{"VALUE":1,"VALUE":2}` + "\n", report: true, args: []string{"oatf", "eval", "--trace=NAME", "--", "attack.yaml"}},
		{title: "oatf eval, a runner's line", content: `{"seq":1,"timestamp":"VALUE","actor":"VALUE","phase":"VALUE","direction":"incoming","method":"VALUE","content":{"arguments":{"note":"VALUE"}}}` + "\n", report: true, args: []string{"oatf", "eval", "--trace=NAME", "--", "attack.yaml"}},
		{title: "oatf eval, a document", content: text["judged document"], report: true, args: []string{"oatf", "eval", "--explain-selection", "--trace=run.jsonl", "--", "NAME"}},
		{title: "oatf eval, an invalid document", content: text["document"], report: true, args: []string{"oatf", "eval", "--trace=run.jsonl", "--", "NAME"}},
		{title: "oatf view", content: text["judged document"], formats: []string{"text", "json", "jsonl", "html"}, args: []string{"oatf", "view", "--", "NAME"}},
		{title: "oatf simulate", content: `{"event_type":"tools/call:VALUE","actor":"default","content":{"name":"VALUE","arguments":{"expression":"VALUE"}}}` + "\n" + `{"event_type":"VALUE","actor":"VALUE"}` + "\n", formats: listFormats, args: []string{"oatf", "simulate", "--events=NAME", "--", "rug-pull.yaml"}},
		{title: "oatf simulate, a bad line", content: `{"VALUE":1}` + "\n", formats: listFormats, args: []string{"oatf", "simulate", "--events=NAME", "--", "rug-pull.yaml"}},
		{title: "oatf simulate, a document", content: text["judged document"], formats: listFormats, args: []string{"oatf", "simulate", "--events=run.jsonl", "--", "NAME"}},
		{title: "oatf try path", content: `{"VALUE":{"VALUE":"VALUE"}}`, formats: []string{"text", "json"}, args: []string{"oatf", "try", "path", "--message=NAME", "--", "a.b"}},
		{title: "oatf try regex", content: `{"a":"VALUE"}`, formats: []string{"text", "json"}, args: []string{"oatf", "try", "regex", "--message=NAME", "--", "(?s).+"}},
		{title: "oatf try template", content: `{"a":"VALUE"}`, formats: []string{"text", "json"}, args: []string{"oatf", "try", "template", "--request=NAME", "--", "{{request.a}}"}},
		{title: "check, a log", content: text["log"], report: true, args: []string{"check", "--", "NAME"}},
		{title: "check, a document", content: text["document"], report: true, args: []string{"check", "--strict", "--", "NAME"}},
		{title: "check, a trace", content: text["bad attest trace"], report: true, args: []string{"check", "--", "NAME"}},
		{title: "check, nobody's", content: `{"VALUE":"VALUE"}` + "\n", report: true, args: []string{"check", "--", "NAME"}},
		{title: "check, what was passed over", content: `{"VALUE":"VALUE"}` + "\n", report: true, args: []string{"check", "--show-files", "--allow-empty", "--", "."}},
		{title: "report merge", content: text["report"], report: true, args: []string{"report", "merge", "--", "NAME"}},
		{title: "report merge, of an input that is expected", content: text["report"], report: true, args: []string{"report", "merge", "--expect-inputs=expected", "--", "NAME"}},
		{title: "report merge, of an odd finding", content: strings.Replace(text["report"], `"rule":"hash.payload"`, `"rule":"VALUE"`, 1), report: true, args: []string{"report", "merge", "--", "NAME"}},
		{title: "report merge --log", content: text["log"], report: true, args: []string{"report", "merge", "--log=NAME", "--", "run.cupelsum"}},
		{title: "trace verify --range", content: "{\"event_id\":\"VALUE\",\"session_id\":\"s\",\"sequence_number\":0,\"event_type\":\"SESSION_START\",\"payload_hash\":\"VALUE\",VALUE\n", args: []string{"trace", "verify", "--range=0:", "--summary=new.cupelsum", "--", "NAME"}},
		{title: "report merge, of another kind", content: `{"schema":"cupel.VALUE/1","VALUE":1}`, report: true, args: []string{"report", "merge", "--", "NAME"}},
		{title: "report merge, with an odd member", content: `{"schema":"cupel.trace/1","VALUE":1}`, report: true, args: []string{"report", "merge", "--", "NAME"}},
		{title: "attest validate", content: text["bad attest trace"], report: true, args: []string{"attest", "validate", "--", "NAME"}},
		{title: "attest diff", content: text["attest trace"], formats: []string{"text", "json", "jsonl", "html", "markdown"}, args: []string{"attest", "diff", "--", "NAME", "trace.json"}},
		{title: "attest diff, a bad trace", content: text["bad attest trace"], formats: []string{"text", "json", "jsonl", "html", "markdown"}, args: []string{"attest", "diff", "--", "trace.json", "NAME"}},
		{title: "attest record, a bad trace", content: text["bad attest trace"], args: []string{"attest", "record", "--", "NAME"}},
		{title: "attest eval", content: text["attest trace"], report: true, args: []string{"attest", "eval", "--assertions", "suite.yaml", "--", "NAME"}},
		{title: "attest eval, a bad trace", content: text["bad attest trace"], report: true, args: []string{"attest", "eval", "--assertions", "suite.yaml", "--", "NAME"}},
		{title: "attest eval, a suite", content: text["suite"], report: true, args: []string{"attest", "eval", "--assertions=NAME", "trace.json"}},
		{title: "attest eval, a bad suite", content: text["bad suite"], report: true, args: []string{"attest", "eval", "--assertions=NAME", "trace.json"}},
	}
	for i, c := range files {
		if c.report && (i == 0 || files[i-1].args[1] != c.args[1]) {
			c.title, c.content = c.title+", missing", ""
			files = append(files, c)
		}
	}
	for _, words := range []string{
		"NAME", "trace NAME", "help NAME", "explain -- NAME", "completion -- NAME", "trace schema -- NAME", "evidence schema -- NAME", "oatf conformance -- NAME", "selftest -- NAME", "version -- NAME",
		"trace verify --NAME x", "trace verify --format=NAME x", "trace verify --color=NAME x", "trace verify --fail-on=NAME x", "trace verify --select=NAME x",
		"trace verify --baseline=NAME x", "trace verify --anchor=NAME x", "trace verify --state=NAME x", "trace verify --hmac-key-file=NAME x", "trace verify --plan=NAME x",
		"trace verify --ranges=NAME x", "trace verify --range=NAME --summary=y x", "trace verify --range=0: --summary=no/NAME tools.json", "report merge --expect-inputs=NAME x", "trace verify --engine=NAME x", "trace verify --jobs=NAME x", "trace verify --canonicalization=NAME x", "trace verify --expect-sha256=NAME x", "trace verify --schema-versions=NAME x",
		"evidence keygen -- key.pem NAME", "evidence keygen -- NAME key.pem", "evidence attest --key=key.pem --output=no/NAME run.tar.gz", "evidence prove --seq=NAME x",
		"evidence seal --output=no/NAME run.tar.gz", "evidence seal --producer=NAME x", "evidence unseal --output=no/NAME run.tar.gz", "evidence redact --output=no/NAME run.ndjson", "evidence redact --report=no/NAME run.ndjson", "evidence redact --commit --report=no/x --secrets=no/NAME run.ndjson", "evidence redact --disclose=NAME --secrets=x", "evidence redact --disclose=1:/NAME --secrets=run.secrets.json", "evidence redact --reveal=NAME --report=run.redaction.json", "evidence redact --profile=NAME run.ndjson", "evidence redact --policy=NAME run.ndjson", "evidence redact --allow-forbidden=NAME run.ndjson", "evidence show --seq=NAME x", "evidence show --since=NAME x", "evidence show --type=NAME x", "evidence show --format=NAME x",
		"evidence verify --expect-bundle-id=NAME x", "evidence verify --attestation=NAME --key=key.pub.pem x", "evidence verify --attestation=x --key=key.pub.pem --timestamp=NAME --tsa-cert=trusted.pem x", "evidence verify --attestation=x --key=key.pub.pem --timestamp=x --tsa-cert=NAME x", "evidence verify --redaction=NAME x",
		"evidence digest tool --projection=NAME x", "evidence digest tool --check=NAME tools.json", "evidence digest semantic --limits=NAME x", "evidence digest NAME",
		"evidence hash --limits=NAME x", "evidence hash --limits=@NAME x", "evidence hash --engine=NAME x", "oatf lint --config=NAME x", "oatf lint --unknown-fields=NAME x", "oatf eval --trace=x --trace-format=NAME x", "oatf eval --trace=NAME x", "oatf eval --max-open=NAME x", "oatf simulate --events=NAME x", "oatf simulate --wait=NAME x", "oatf try path --value=NAME a", "oatf try template --extractor=a=NAME {{a}}", "oatf try trigger --mode=NAME a",
		"attest eval --filter=NAME --assertions suite.yaml trace.json", "attest eval --tag=NAME --assertions suite.yaml trace.json", "attest eval --engine-config=NAME x", "attest serve --config=NAME", "attest serve --log-level=NAME",
		"evidence keygen -- NAME", "evidence attest --key=NAME run.tar.gz", "evidence verify --key=NAME --attestation=SUMS run.tar.gz", "evidence verify-proof --event=NAME x", "evidence verify-proof --root=NAME x",
		"record --output=no/NAME", "record --output=new.log --from=NAME x", "record --output=new.log --to=NAME", "record --output=new.log --sync=NAME", "record --output=new.log --sign=NAME", "record --output=new.log --type=NAME", "trace prove --index=NAME --checkpoint=x x", "trace prove --index=0 --checkpoint=NAME x", "trace prove --consistency=NAME x y", "trace prove --check=NAME --event=x --vkey=a+b", "trace prove --check=x --event=x --vkey=NAME", "trace prove --check=x --event=x --policy=NAME", "witness --key=NAME --state=x x", "witness --key=key.pem --state=NAME x", "witness --key=key.pem --state=new.state --name=NAME x",
		"trace report --format=NAME x", "explain --format=NAME x",
	} {
		files = append(files, hostileCase{title: "cupel " + words, args: strings.Fields(words)})
	}
	return files
}

// listFormats are the formats of commands that list events, changes or steps, and showFormats those of evidence show.
var (
	listFormats = []string{"text", "json", "jsonl", "html", "markdown"}
	showFormats = append(listFormats[:5:5], "ndjson", "cloudevents-batch")
)

// bundleOf makes bundles whose first member has a content.
func bundleOf(name string) func(content string) []byte {
	return func(content string) []byte {
		var file bytes.Buffer
		var plain bytes.Buffer
		members := tar.NewWriter(&plain)
		for _, m := range [][2]string{{"x", content}, {"events.ndjson", "{}\n"}} {
			head := tar.Header{Name: m[0], Size: int64(len(m[1])), Mode: 0o644, Typeflag: tar.TypeReg, Format: tar.FormatUSTAR}
			if err := members.WriteHeader(&head); err != nil {
				panic(err)
			}
			if _, err := io.WriteString(members, m[1]); err != nil {
				panic(err)
			}
		}
		err := members.Close()
		rename(plain.Bytes(), name)
		z := gzip.NewWriter(&file)
		_, failed := z.Write(plain.Bytes())
		if err := errors.Join(err, failed, z.Close()); err != nil {
			panic(err)
		}
		return file.Bytes()
	}
}

// rename gives the first member of a tar another name in the plain ustar header, cut at its 100
// bytes: archive/tar writes a PAX header for a name beyond ASCII, which no bundle may have.
func rename(file []byte, name string) {
	for len(name) > 100 {
		_, size := utf8.DecodeLastRuneInString(name)
		name = name[:len(name)-size]
	}
	head := file[:512]
	clear(head[:100])
	copy(head, name)
	copy(head[148:156], "        ")
	sum := 0
	for _, b := range head {
		sum += int(b)
	}
	copy(head[148:156], fmt.Sprintf("%06o\x00 ", sum))
}

// bundleAs makes a bundle whose first member has the name that the content says. A backslash in it would be a fault of
// its own, with other lines than those of the harmless name.
func bundleAs(content string) []byte {
	var said struct{ Name string }
	if err := json.Unmarshal([]byte(content), &said); err != nil {
		panic(err)
	}
	return bundleOf(strings.ReplaceAll(said.Name, `\`, "|"))("{}")
}

// printed is what a run printed.
type printed struct {
	code           int
	stdout, stderr string
}

// run runs the case in the current folder.
func (c hostileCase) run(t require, name, value, format string) printed {
	content := strings.ReplaceAll(c.content, "VALUE", quoted(value, strings.HasPrefix(c.content, "{")))
	stdin := io.Reader(strings.NewReader(""))
	if c.content != "" {
		if c.pack != nil {
			content = string(c.pack(content))
		}
		check(t, os.WriteFile(name, []byte(content), 0o666))
		check(t, os.WriteFile("SUMS", evidence.AppendSum(nil, evidence.EventSum, evidence.Sum{}, name, 1), 0o666))
		stdin = strings.NewReader(content)
		defer os.Remove(name)
	}
	args := []string{"cupel"}
	for _, arg := range c.args {
		if arg == "--" && format != "" {
			args = append(args, "--format="+format)
		}
		args = append(args, strings.ReplaceAll(arg, "NAME", name))
	}
	if format != "" && !slices.Contains(args, "--format="+format) {
		args = slices.Insert(args, 3, "--format="+format)
	}
	var stdout, stderr bytes.Buffer
	code := commands.Main(commands.Env{
		Context: context.Background(), Stdin: stdin, Stdout: &stdout, Stderr: &stderr, Getenv: func(string) string { return "" },
	}, args)
	return printed{code, stdout.String(), stderr.String()}
}

// quoted returns a value between the quotes of JSON, or of YAML, which refuses unescaped what
// JSON allows, and writes code points beyond the basic plane in a way of its own.
func quoted(value string, asJSON bool) string {
	var b strings.Builder
	for _, r := range value {
		switch {
		case asJSON || r == '"' || r == '\\' || r < ' ':
			text, _ := json.Marshal(string(r))
			b.Write(text[1 : len(text)-1])
		case !unicode.IsPrint(r):
			fmt.Fprintf(&b, `\U%08x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// judge holds the laws about what a case printed.
func (c hostileCase) judge(t require, got printed, name, value, format string) {
	t.Helper()
	for stream, text := range map[string]string{"stdout": got.stdout, "stderr": got.stderr} {
		if c.raw && stream == "stdout" {
			continue
		}
		if why := harm(text, format == "github" && stream == "stdout", format == "junit" || c.args[0] == "oatf" && (c.args[1] == "fmt" || c.args[1] == "migrate")); why != "" {
			t.Fatalf("%s, name %q, value %q, format %q: %s in %s:\n%s", c.title, name, value, format, why, stream, text)
		}
	}
	for line := range strings.Lines(got.stderr) {
		if !voice.MatchString(line) && c.args[1] != "serve" {
			t.Fatalf("%s, name %q, value %q, format %q: a line that cupel does not say:\n%s", c.title, name, value, format, got.stderr)
		}
	}
	if i := slices.Index(c.args, "--format=dot"); i > 0 && got.code < 2 {
		format = "dot"
	}
	if err := parses(got.stdout, format); err != nil {
		t.Fatalf("%s, name %q, value %q: no %s: %v\n%s", c.title, name, value, format, err, got.stdout)
	}
}

// dotText is a string of the DOT language.
const dotText = `"([^"\\]|\\.)*"`

var (
	annotation = regexp.MustCompile(`^::(error|warning|notice) ([a-zA-Z]+=[^:,]*,?)+::`)
	bracketed  = regexp.MustCompile(`##[a-z]*\[`)
	voice      = regexp.MustCompile(`^cupel: (error|hint|warning): .`)
	tapLine    = regexp.MustCompile(`^(TAP version 14|1\.\.[0-9]+|(not )?ok [0-9]+ - ([^#\\]|\\[#\\])*|  ---|  \.\.\.|  [a-z]+: ".*"|# .*)\n$`)
	dotLine    = regexp.MustCompile(`^(digraph grounding \{|  rankdir=LR;|\}|  ` + dotText + `( -> ` + dotText + `)? \[label=` + dotText + `(, [a-z=]+)*\];)$`)
)

// harm returns a text's side effect, or "".
func harm(text string, github, tabs bool) string {
	for line := range strings.SplitSeq(text, "\n") {
		switch {
		case !utf8.ValidString(line):
			return "a byte that is no UTF-8"
		case strings.HasPrefix(strings.TrimSpace(line), "::") && !(github && annotation.MatchString(line)):
			return "a command"
		case bracketed.MatchString(line):
			return "a command in brackets"
		}
		for _, r := range line {
			if r == '\t' && tabs {
				continue
			}
			if unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co) {
				return fmt.Sprintf("a raw %U", r)
			}
		}
	}
	return ""
}

// parses reads back a machine format.
func parses(text, format string) error {
	switch format {
	case "json", "sarif", "gitlab", "cloudevents-batch":
		return json.Unmarshal([]byte(text), new(any))
	case "jsonl", "ndjson":
		for line := range strings.Lines(text) {
			if err := json.Unmarshal([]byte(line), new(any)); err != nil {
				return err
			}
		}
	case "dot":
		for line := range strings.Lines(text) {
			if !dotLine.MatchString(strings.TrimSuffix(line, "\n")) {
				return fmt.Errorf("line %s", line)
			}
		}
	case "tap":
		for line := range strings.Lines(text) {
			if !tapLine.MatchString(line) {
				return fmt.Errorf("line %s", line)
			}
		}
	case "junit", "checkstyle":
		for dec := xml.NewDecoder(strings.NewReader(text)); ; {
			if _, err := dec.Token(); err == io.EOF {
				return nil
			} else if err != nil {
				return err
			}
		}
	}
	return nil
}

// tried returns the formats that a case is run in; "" is its own.
func (c hostileCase) tried() []string {
	switch {
	case c.formats != nil:
		return c.formats
	case c.report:
		return report.Formats()
	}
	return []string{""}
}

// benign is a name and a value of the same kind as hostile ones, and harmless.
const benign = "benign"

// compared holds the laws about a case with a hostile name or value, and that it prints
// as many lines, with as many errors, as the same case with a harmless one.
func (c hostileCase) compared(t require, honest printed, name, value, format string) {
	t.Helper()
	got := c.run(t, name, value, format)
	c.judge(t, got, name, value, format)
	said := func(text string) int { return strings.Count("\n"+text, "\ncupel: error: ") }
	if format == "html" || format == "markdown" { // what is said differs with the value; their own tests hold the structure
		for _, text := range []string{name, value} {
			if strings.Contains(text, "<") && strings.Contains(got.stdout, text) {
				t.Fatalf("%s, name %q, value %q: %q stands on the page as markup\n%s", c.title, name, value, text, got.stdout)
			}
		}
	} else if a, b := strings.Count(got.stdout, "\n"), strings.Count(honest.stdout, "\n"); !c.raw && a != b {
		t.Fatalf("%s, name %q, value %q, format %q: %d lines, %d for harmless ones\n%s\n%s", c.title, name, value, format, a, b, got.stdout, honest.stdout)
	}
	if said(got.stderr) != said(honest.stderr) || got.code != honest.code {
		t.Fatalf("%s, name %q, value %q, format %q: exit code %d, %d for harmless ones\n%s\n%s", c.title, name, value, format, got.code, honest.code, got.stderr, honest.stderr)
	}
}

// hostileFolder makes an empty folder with what the cases need the current one.
func hostileFolder(t *testing.T) {
	suite, err := filepath.Abs("../testdata/examples/attest/refund-suite.yaml")
	check(t, err)
	attack, err := filepath.Abs("../testdata/oatf/eval/plain/attack.yaml")
	check(t, err)
	trace, err := filepath.Abs("../testdata/examples/attest/refund-unchecked.json")
	check(t, err)
	bundle, err := filepath.Abs("../testdata/examples/evidence/run.tar.gz")
	check(t, err)
	dir := t.TempDir()
	key := seal.GenerateKey()
	check(t, os.WriteFile(filepath.Join(dir, "key.pem"), seal.EncodePrivateKey(key), 0o600))
	check(t, os.WriteFile(filepath.Join(dir, "key.pub.pem"), seal.EncodePublicKey(key.Public().(ed25519.PublicKey)), 0o666))
	check(t, os.Symlink(bundle, filepath.Join(dir, "run.tar.gz")))
	for name, from := range map[string]string{"stamped.att.json": "run.att.json", "stamped.pub.pem": "key.pub.pem", "trusted.pem": "authority.pem"} {
		from, err := filepath.Abs("../testdata/timestamp/" + from)
		check(t, err)
		check(t, os.Symlink(from, filepath.Join(dir, name)))
	}
	check(t, os.WriteFile(filepath.Join(dir, "run.redaction.json"), []byte(redact.Rules()[0].Good), 0o666))
	check(t, os.WriteFile(filepath.Join(dir, "run.secrets.json"), []byte(`{"schema":"cupel.redaction-secrets/1","output_sha256":"sha256:`+strings.Repeat("0", 64)+`","events":[]}`), 0o600))
	tools, err := filepath.Abs("../testdata/examples/evidence/tools.json")
	check(t, err)
	summary := commands.Main(commands.Env{Context: t.Context(), Stdout: io.Discard, Stderr: io.Discard, Getenv: func(string) string { return "" }},
		[]string{"cupel", "trace", "verify", "--range=0:", "--summary", filepath.Join(dir, "run.cupelsum"), "../testdata/examples/session/refund.jsonl"})
	if summary != 0 {
		t.Fatalf("no summary: exit code %d", summary)
	}
	check(t, os.WriteFile(filepath.Join(dir, "expected"), []byte("x\n"), 0o666))
	check(t, os.Symlink(tools, filepath.Join(dir, "tools.json")))
	check(t, os.Symlink(attack, filepath.Join(dir, "attack.yaml")))
	check(t, os.Symlink(filepath.Join(filepath.Dir(attack), "run.jsonl"), filepath.Join(dir, "run.jsonl")))
	check(t, os.Symlink(suite, filepath.Join(dir, "suite.yaml")))
	check(t, os.Symlink(trace, filepath.Join(dir, "trace.json")))
	t.Chdir(dir)
}

// formatsShared is the number of a command's formats that share the hostile names: they have the same printing code.
const formatsShared = 3

// TestHostileNamesAndValues runs every command with each hostile name and each hostile value. The formats change from
// command to command, so each format also gets each name and value.
func TestHostileNamesAndValues(t *testing.T) {
	cases, runs := hostileCases(t), 0
	hostileFolder(t)
	type trial struct{ number, at int } // of a case and of one of its formats
	var trials []trial
	for number, c := range cases {
		for at := range c.tried() {
			trials = append(trials, trial{number, at})
		}
	}
	for _, this := range racetest.Large(t, 8, trials) {
		c := cases[this.number]
		formats := c.tried()
		format, share := formats[this.at], min(formatsShared, len(formats))
		honest := c.run(t, benign, benign, format)
		c.judge(t, honest, benign, benign, format)
		for i, name := range hostileNames {
			if (i+this.at+this.number)%share != 0 {
				continue
			}
			c.compared(t, honest, name, hostileTexts[i%len(hostileTexts)], format)
			runs++
		}
	}
	if runs == 0 {
		t.Fatal("no runs")
	}
	t.Logf("%d commands, %d runs", len(cases), runs)
}

// TestArbitraryNamesAndValues does the same with names and values that are drawn.
func TestArbitraryNamesAndValues(t *testing.T) {
	cases := hostileCases(t)
	hostileFolder(t)
	rapid.Check(t, func(t *rapid.T) {
		c := cases[rapid.IntRange(0, len(cases)-1).Draw(t, "case")]
		format := rapid.SampledFrom(c.tried()).Draw(t, "format")
		piece := rapid.OneOf(rapid.SampledFrom(hostileTexts), rapid.StringN(0, 8, 32))
		text := rapid.Map(rapid.SliceOfN(piece, 1, 3), func(list []string) string {
			return "a" + strings.NewReplacer("/", "", "\x00", "").Replace(strings.Join(list, ""))
		})
		name := text.Filter(func(s string) bool { return len(s) < 200 && !strings.ContainsAny(s, "*?[") }).Draw(t, "name")
		c.judge(t, c.run(t, name, text.Draw(t, "value"), format), name, "", format)
	})
}
