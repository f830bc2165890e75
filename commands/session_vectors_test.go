package commands_test

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cupel-dev/cupel/commands"
)

// sessionExpectation is the expected.json of a session log.
type sessionExpectation struct {
	File             string
	Family           *string
	Canonicalization []string
	Expected         struct {
		Integrity     string
		EvidenceClass *string  `json:"evidence_class"`
		Violations    []string // the codes that touch integrity, or reject
		PayloadErrors []string `json:"payload_errors"` // "code path"
		Verdict       string   `json:"class_under_seed_003"`
	}
}

var sessionFamilies = map[string]string{"els-a": "session-v0", "els-b": "session-v1", "els-b0": "session-v1b"}

// sessionAnswer is what a report on a session log says.
type sessionAnswer struct {
	Verdict, Integrity  string
	Class               *string `json:"evidence_class"`
	Family              *string
	Canonicalization    []string
	Findings            []reportedFinding `json:"findings"`
	Violations, Payload []string          `json:"-"`
}

// verifySession runs `trace verify --format json` over one input, standard input when
// path is "-".
func verifySession(t *testing.T, stdin string, args ...string) (a sessionAnswer, code int) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	args = append([]string{"cupel", "trace", "verify", "--format", "json"}, args...)
	code = commands.Main(commands.Env{
		Context: context.Background(), Stdin: strings.NewReader(stdin), Stdout: &stdout, Stderr: &stderr,
		Getenv: func(string) string { return "" },
	}, args)
	var doc struct {
		Status string
		Inputs []sessionAnswer
	}
	if err := json.Unmarshal(stdout.Bytes(), &doc); err != nil || doc.Status != "ok" || len(doc.Inputs) != 1 {
		t.Fatalf("%q: %v\n%s\n%s", args, err, stdout.Bytes(), stderr.Bytes())
	}
	a = doc.Inputs[0]
	for _, f := range a.Findings {
		switch domain, _, _ := strings.Cut(f.Rule, "."); {
		case f.Severity != "error":
		case domain == "payload" || domain == "redaction" || domain == "tool":
			a.Payload = append(a.Payload, f.Rule+" "+f.Path)
		default:
			a.Violations = append(a.Violations, f.Rule)
		}
	}
	a.Findings = nil
	return a.sorted(), code
}

// sorted makes answers comparable: lists in order, without repetitions.
func (a sessionAnswer) sorted() sessionAnswer {
	for _, list := range []*[]string{&a.Violations, &a.Payload, &a.Canonicalization} {
		slices.Sort(*list)
		*list = append([]string(nil), slices.Compact(*list)...)
	}
	return a
}

// TestSessionVectors runs the shared session logs through the command line, under
// every engine.
func TestSessionVectors(t *testing.T) {
	root := os.Getenv("CUPEL_VECTORS")
	if root == "" {
		t.Log("CUPEL_VECTORS is not set: only the project's own testdata ran")
		return
	}
	files, err := filepath.Glob(filepath.Join(root, "session/*/expected.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no session logs in %s: %v", root, err)
	}
	for _, file := range files {
		var want sessionExpectation
		readJSON(t, file, &want)
		for _, engine := range []string{"fast", "reference", "both"} {
			got, code := verifySession(t, "", "--engine", engine, filepath.Join(filepath.Dir(file), want.File))
			if diff := cmp.Diff(want.answer(), got); diff != "" {
				t.Errorf("%s, engine %s (-want +got):\n%s", filepath.Base(filepath.Dir(file)), engine, diff)
			}
			if good := want.Expected.Verdict == "valid"; good != (code == 0) || !good && code != 1 {
				t.Errorf("%s: exit code %d of a log that is %s", filepath.Base(filepath.Dir(file)), code, want.Expected.Verdict)
			}
		}
	}
	t.Logf("%d session logs ran through the command line, each under three engines", len(files))
}

func (e sessionExpectation) answer() sessionAnswer {
	a := sessionAnswer{
		Verdict: e.Expected.Verdict, Integrity: e.Expected.Integrity, Class: e.Expected.EvidenceClass,
		Canonicalization: e.Canonicalization, Violations: e.Expected.Violations, Payload: e.Expected.PayloadErrors,
	}
	if e.Family != nil {
		family := sessionFamilies[*e.Family]
		a.Family = &family
	}
	return a.sorted()
}

// TestSessionPayloadCases runs payload cases, the project's own and the shared ones,
// as bare logs through the command line.
func TestSessionPayloadCases(t *testing.T) {
	files := []string{"../testdata/trace/session/payloads.jsonl"}
	if root := os.Getenv("CUPEL_VECTORS"); root != "" {
		files = append(files, filepath.Join(root, "session/payload-cases.jsonl"))
	} else {
		t.Log("CUPEL_VECTORS is not set: only the project's own cases ran")
	}
	for _, file := range files {
		n := 0
		for line := range jsonLinesOf(t, file) {
			var c struct {
				Name, Expect string
				EventType    string `json:"event_type"`
				Payload      json.RawMessage
				Errors       []struct{ Code, Path string }
			}
			decode(t, line, &c)
			var want []string
			for _, e := range c.Errors {
				want = append(want, e.Code+" "+e.Path)
			}
			slices.Sort(want)
			log := callFor(c.EventType, c.Payload) + fmt.Sprintf(`{"event_type":%q,"payload":%s}`, c.EventType, c.Payload)
			got, code := verifySession(t, log, "-")
			if !slices.Equal(got.Payload, want) || len(got.Violations) > 0 || (code == 0) != (c.Expect == "ok") || got.Integrity != "absent" {
				t.Errorf("%s: %q, %q, exit code %d; want %q", c.Name, got.Payload, got.Violations, code, want)
			}
			n++
		}
		t.Logf("%s: %d payload cases ran through the command line", filepath.Base(file), n)
	}
}

// callFor returns the line of the tool call that a result answers, when it names one.
func callFor(eventType string, result []byte) string {
	var names struct {
		Tool string `json:"tool_name"`
		ID   string `json:"tool_id"`
	}
	if eventType != "TOOL_RESULT" || json.Unmarshal(result, &names) != nil {
		return ""
	}
	return fmt.Sprintf(`{"event_type":"TOOL_CALL","payload":{"tool_name":%q,"tool_id":%q,"args":{}}}`+"\n", names.Tool, names.ID)
}

// TestSessionCanonicalCases runs the shared canonicalization cases through the command
// line: each input is an event's payload, and its payload_hash must hold under the
// profile that is asked for.
func TestSessionCanonicalCases(t *testing.T) {
	root := os.Getenv("CUPEL_VECTORS")
	if root == "" {
		t.Log("CUPEL_VECTORS is not set: the profiles are tested by internal/jcs alone")
		return
	}
	type form struct {
		Text, SHA256, Error string
		Same                bool `json:"same_as_rfc8785"`
	}
	cases, runs := 0, 0
	for line := range jsonLinesOf(t, filepath.Join(root, "session/jcs-cases.jsonl")) {
		var members map[string]json.RawMessage
		var input string
		var rfc form
		decode(t, line, &members)
		decode(t, members["input"], &input)
		decode(t, members["rfc8785"], &rfc)
		cases++
		for profile, text := range members {
			var want form
			if profile == "input" {
				continue
			}
			decode(t, text, &want)
			payload, hash := input, want.SHA256
			if !strings.HasPrefix(input, "{") { // a payload is an object: wrap other values
				if profile != "rfc8785" && !want.Same {
					t.Errorf("%s of %s has no text to wrap", profile, input)
				}
				payload, hash = `{"v":`+input+`}`, hexSum(`{"v":`+rfc.Text+`}`)
			}
			event := fmt.Sprintf(`{"event_id":"e","session_id":"s","sequence_number":0,"timestamp_wall":"t","event_type":"AGENT_STATE_SNAPSHOT","payload_hash":%q,"prev_event_hash":null,"event_hash":"","payload":%s}`, hash, payload)
			got, _ := verifySession(t, event, "--canonicalization", profile, "-")
			refused := slices.Contains(got.Violations, "line.json")
			if holds := !refused && !slices.Contains(got.Violations, "hash.payload"); holds != (want.Error == "") || refused != (want.Error != "") {
				t.Errorf("%s of %s: %q", profile, input, got.Violations)
			}
			runs++
		}
	}
	t.Logf("%d canonicalization cases ran through the command line, %d runs over their profiles", cases, runs)
}

func hexSum(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

func decode(t *testing.T, text []byte, into any) {
	t.Helper()
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
}

// jsonLinesOf yields the lines of a file, which must have some.
func jsonLinesOf(t *testing.T, path string) func(func([]byte) bool) {
	return func(yield func([]byte) bool) {
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		lines := bufio.NewScanner(f)
		n := 0
		for ; lines.Scan(); n++ {
			if !yield(lines.Bytes()) {
				return
			}
		}
		if n == 0 {
			t.Fatalf("%s: no cases", path)
		}
	}
}
