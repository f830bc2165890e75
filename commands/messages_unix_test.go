//go:build linux

package commands

import (
	"bytes"
	"crypto/ed25519"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/evidence/proof"
	"github.com/cupel-dev/cupel/evidence/seal"
	"github.com/cupel-dev/cupel/internal/racetest"
)

// soundRuns are arguments with which a command succeeds, or fails for the tested reason only; the tested arguments
// follow them. OPERAND is the place of an operand, which is all that other commands need.
var soundRuns = map[string]string{
	"attest diff":     "OPERAND refund.json",
	"attest eval":     "--assertions suite.yaml OPERAND",
	"evidence attest": "--key key.pem OPERAND",
	"evidence diff":   "OPERAND run.ndjson",
	"evidence keygen": "OPERAND folder",
	"evidence pack":   "-o made.tar OPERAND",
	"evidence prove":  "--seq 0 OPERAND",
	"evidence redact": "-o made.ndjson OPERAND",
	"record":          "-o made.log",
	"trace prove":     "--index 0 --checkpoint refund.checkpoint OPERAND",
	"witness":         "--key key.pem --state made.state --name w1 --vkey refund.checkpoint.vkey OPERAND",
	"report verify":   "--key key.pub.pem OPERAND",
	"oatf eval":       "--trace refused.jsonl OPERAND",
	"oatf fmt":        "-l OPERAND",
	"oatf migrate":    "--to 2026-03 -d OPERAND",
	"oatf simulate":   "--wait 0s OPERAND",

	"oatf try path": "tools", "oatf try condition": "1", "oatf try predicate": `{"a":1}`, "oatf try regex": "a",
	"oatf try jsonpath": "$", "oatf try cel": "true", "oatf try template": "a", "oatf try trigger": "ping",
}

// soundOperands are the operands of the families, or of one command.
var soundOperands = map[string]string{
	"attest": "refund.json", "oatf": "rug-pull.yaml", "trace": "refund.jsonl", "evidence": "run.ndjson", "report": "report.json",
	"trace schema": "LLM_CALL", "trace report": "trace.jsonl", "trace repair": "session.jsonl", "oatf conformance": "folder",
	"evidence attest": "run.tar.gz", "evidence prove": "run.tar.gz", "evidence verify-proof": "run.proof.json",
	"witness": "refund.checkpoint", "evidence schema": "assay.net.connect", "oatf test": "weather.yaml",
	"evidence pack": "action.tar.gz", "evidence seal": "one.ndjson", "evidence unseal": "two.tar.gz",
}

// takesIt are values that a flag, or an operand, takes for what they are.
var takesIt = map[string]string{
	"trace verify --state missing":           "a state begins so",
	"evidence keygen OPERAND missing":        "it is written",
	"evidence attest --output missing":       "it is written",
	"evidence seal --output missing":         "it is written",
	"evidence unseal --output missing":       "it is written",
	"evidence redact --output missing":       "it is written",
	"evidence pack --output missing":         "it is written",
	"evidence pack --write-context missing":  "it is written",
	"evidence redact --output folder":        "it is written into",
	"evidence redact --report missing":       "it is written",
	"trace repair --output missing":          "it is written",
	"evidence seal OPERAND /proc/self/mem":   "no file can be written beside it",
	"evidence unseal OPERAND /proc/self/mem": "no file can be written beside it",
	"evidence prove --output missing":        "it is written",
	"record --output missing":                "it is written",
	"trace prove --output missing":           "it is written",
	"witness --output missing":               "it is written",
	"witness --state missing":                "a state begins so",
	"witness --state empty":                  "a state begins so",
	"trace verify --evidence-root folder":    "it is one",
	"trace verify --sources folder":          "it is one",
	"evidence verify --sources folder":       "the events of the stream cite none: a finding",
	"trace report --evidence-root folder":    "it is one",
	"attest serve --log-level ":              "the default",
}

// libraryText is what no answer says: words of libraries, or the same twice.
var libraryText = regexp.MustCompile(`go-yaml|yaml: |json: |found no \* |: : |^: |open :|none of the 1 |invalid character|1 entries|\bEOF\b|cannot (open|read)[^:]*"[^"]*": cannot (open|read)`)

// TestMessages gives every command nothing, a folder, a file that is not there and one that
// cannot be read, in place of each operand and as the value of each flag that names a file,
// and files that are broken or empty to the flags that read JSON or YAML.
// The answer is one line about it, perhaps with a hint, and exit code 2; and with --format
// json a document that has that line.
func TestMessages(t *testing.T) {
	examples, err := filepath.Abs("../testdata/examples")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	for name, from := range map[string]string{
		"suite.yaml": "attest/refund-suite.yaml", "refund.json": "attest/refund.json", "rug-pull.yaml": "oatf/rug-pull.yaml",
		"weather.yaml": "../oatf/tested/weather.yaml", "weather.test.yaml": "../oatf/tested/weather.test.yaml",
		"weather.attack.jsonl": "../oatf/tested/weather.attack.jsonl", "weather.benign.jsonl": "../oatf/tested/weather.benign.jsonl",
		"refund.jsonl": "session/refund.jsonl", "session.jsonl": "transcripts/session.jsonl", "refused.jsonl": "oatf/rug-pull-refused.jsonl", "run.ndjson": "evidence/run.ndjson", "run.tar.gz": "evidence/run.tar.gz", "tools.json": "evidence/tools.json", "one.ndjson": "evidence/run.ndjson", "two.tar.gz": "evidence/run.tar.gz", "trace.jsonl": "trace/incident-flat/trace.jsonl",
	} {
		text, err := os.ReadFile(filepath.Join(examples, from))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	private := seal.GenerateKey()
	for name, text := range map[string]string{
		"key.pub.pem": string(seal.EncodePublicKey(private.Public().(ed25519.PublicKey))),
		"broken":      "[1", "empty": "", "run.proof.json": proof.Rules()[0].Good, "report.json": `{"schema":"cupel.validate/1","traces":[{"trace":"x","valid":true}],"passed_over":[],"status":"ok","summary":{"traces":1,"valid":1,"invalid":0}}`, "key.pem": string(seal.EncodePrivateKey(private)),
	} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir("folder", 0o777); err != nil {
		t.Fatal(err)
	}
	sealAction(t, "action.tar.gz")
	env := cmdline.Env{Context: t.Context(), Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: io.Discard, Getenv: func(string) string { return "" }}
	if code := Main(env, []string{"cupel", "trace", "seal", "--checkpoint", "a", "--sign", "key.pem", "-o", "refund.checkpoint", "refund.jsonl"}); code != 0 {
		t.Fatalf("exit code %d", code)
	}
	tried, step := 0, racetest.Step(t)
	for _, l := range racetest.Some(t, cmdline.Leaves("", newApp(cmdline.Env{}).Commands)) {
		args := soundRuns[l.Name]
		if args == "" && l.ArgsUsage != "" {
			args = "OPERAND"
		}
		family, _, _ := strings.Cut(l.Name, " ")
		operand := soundOperands[l.Name]
		if operand == "" {
			operand = soundOperands[family]
		}
		if strings.Contains(args, "OPERAND") {
			for _, value := range []string{"", "folder", "missing", "/proc/self/mem"} {
				tried++
				checkMessage(t, l, strings.Fields(args), value, "")
			}
		}
		for _, f := range l.Flags {
			for _, value := range triedValues(f) {
				tried++
				checkMessage(t, l, strings.Fields(strings.ReplaceAll(args, "OPERAND", operand)), value, f.Names()[0])
			}
		}
	}
	t.Logf("%d runs", tried)
	if tried == 0 || step == 1 && tried < 200 {
		t.Error("too few")
	}
}

// sealAction makes a bundle of an event that packages can have.
func sealAction(t *testing.T, name string) {
	t.Helper()
	const event = `{"specversion":"1.0","type":"assay.fs.access","datacontenttype":"application/json","source":"urn:r","assayproducer":"r","assayproducerversion":"1","assayrunid":"r","assayseq":0,"id":"r:0","time":"2026-01-02T03:04:05Z","subject":"/x","data":{"hits":1}}` + "\n"
	if err := os.WriteFile("action.ndjson", []byte(event), 0o666); err != nil {
		t.Fatal(err)
	}
	env := cmdline.Env{Context: t.Context(), Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: io.Discard, Getenv: func(string) string { return "" }}
	if code := Main(env, []string{"cupel", "evidence", "seal", "-o", name, "action.ndjson"}); code != 0 {
		t.Fatalf("exit code %d", code)
	}
}

// triedValues returns the values that a flag is tried with.
func triedValues(f cli.Flag) []string {
	if cmdline.IsSwitch(f) {
		return nil
	}
	usage := f.(cli.DocGenerationFlag).GetUsage()
	switch name := f.Names()[0]; {
	case name == "format", strings.Contains(usage, "like --format"), name == "stdin-name", !namesFile.MatchString(usage) && !strings.Contains(usage, "`DIR`"):
		return []string{""}
	case name == "write-baseline":
		return []string{"", "folder"}
	case name == "history": // one that is missing, or empty, begins so
		return []string{"", "folder", "/proc/self/mem", "broken"}
	case name == "limits":
		return []string{"", "@", "@folder", "@missing", "@/proc/self/mem", "@broken", "@empty"}
	case slices.Contains([]string{"config", "engine-config", "policy"}, name):
		return []string{"", "folder", "missing", "/proc/self/mem", "broken"}
	case slices.Contains([]string{"anchor", "baseline", "state", "assertions"}, name):
		return []string{"", "folder", "missing", "/proc/self/mem", "broken", "empty"}
	}
	return []string{"", "folder", "missing", "/proc/self/mem"}
}

func checkMessage(t *testing.T, l cmdline.Leaf, args []string, value, flag string) {
	t.Helper()
	run := slices.Concat([]string{"cupel"}, strings.Fields(l.Name), args)
	what := l.Name + " OPERAND " + value
	if flag != "" {
		run = append(run, "--"+flag+"="+value)
		what = l.Name + " --" + flag + " " + value
	} else {
		run[slices.Index(run, "OPERAND")] = value
	}
	if takesIt[what] != "" || value == "" && flag == "config" && slices.Contains(cmdline.FlagNames(l.Command), "force-exclude") { // none, not even cupel.yaml
		return
	}
	code, stdout, stderr := runBriefly(t, what, run)
	line, rest, _ := strings.Cut(stderr, "\n")
	bad := func(why string) {
		t.Helper()
		t.Errorf("%s: %s: exit code %d\n%s\n%s", what, why, code, stderr, stdout)
	}
	message, said := strings.CutPrefix(line, "cupel: error: ")
	switch {
	case code != 2:
		bad("expected exit code 2")
	case !said:
		bad("no error")
	case rest != "" && !(strings.HasPrefix(rest, "cupel: hint: ") && strings.Count(rest, "\n") == 1):
		bad("more than an error and a hint")
	case libraryText.MatchString(line):
		bad("the words of a library, or said twice")
	case !names(message, flag, value):
		bad("it is not named")
	}
	if !slices.Contains(cmdline.FlagNames(l.Command), "format") || flag == "format" {
		return
	}
	code, stdout, stderr = runBriefly(t, what, append(run, "--format=json"))
	var doc struct {
		Schema, Status string
		Errors         []string
	}
	switch err := json.Unmarshal([]byte(stdout), &doc); {
	case err != nil:
		bad("standard output is no JSON document: " + err.Error())
	case code != 2 || doc.Status != "error" || !strings.HasPrefix(doc.Schema, "cupel.") || len(doc.Errors) == 0:
		bad("the JSON document is none of an error")
	case !strings.HasPrefix(doc.Errors[0], message):
		bad("the JSON document has another error")
	}
}

// runBriefly runs cupel with nothing on standard input; it must end by itself.
func runBriefly(t *testing.T, what string, args []string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	done := make(chan int, 1)
	go func() {
		done <- Main(cmdline.Env{Context: t.Context(), Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Getenv: func(string) string { return "" }}, args)
	}()
	select {
	case code = <-done:
	case <-time.After(time.Minute):
		t.Fatalf("%s: still running", what)
	}
	return code, out.String(), errs.String()
}

// names reports whether a message names the flag, the value or its place, or the operand.
func names(message, flag, value string) bool {
	return flag != "" && strings.Contains(message, "--"+flag) ||
		value != "" && (strings.Contains(message, fmt.Sprintf("%q", value)) || strings.HasPrefix(message, value+":")) ||
		flag+value == "" && strings.Contains(message, "operand")
}
