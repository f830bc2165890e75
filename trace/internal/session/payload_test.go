package session_test

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/internal/schemas"
	"github.com/cupel-dev/cupel/trace/internal/session"
	"github.com/cupel-dev/cupel/trace/reference"
)

// payloadCase is one line of a case file: a payload and the errors it deserves.
type payloadCase struct {
	Name      string          `json:"name"`
	EventType string          `json:"event_type"`
	Payload   json.RawMessage `json:"payload"`
	Expect    string          `json:"expect"`
	Errors    []struct{ Code, Path string }
	Notes     []string `json:"notes"`
}

func (c payloadCase) errors() []string {
	var list []string
	for _, e := range c.Errors {
		list = append(list, e.Code+" "+e.Path)
	}
	slices.Sort(list)
	return list
}

// payloadCases reads the project's own cases, and the shared ones where they are.
func payloadCases(t testing.TB) []payloadCase {
	t.Helper()
	cases := readCases(t, "../../../testdata/trace/session/payloads.jsonl")
	own := len(cases)
	if root := os.Getenv("CUPEL_VECTORS"); root != "" {
		cases = append(cases, readCases(t, filepath.Join(root, "session/payload-cases.jsonl"))...)
	} else {
		t.Log("CUPEL_VECTORS is not set: only the project's own cases ran")
	}
	t.Logf("%d own payload cases, %d shared ones", own, len(cases)-own)
	return cases
}

func readCases(t testing.TB, path string) (cases []payloadCase) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var c payloadCase
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		cases = append(cases, c)
	}
	if len(cases) == 0 {
		t.Fatalf("%s: no cases", path)
	}
	return cases
}

// checkPayload returns the errors ("code path") and the notes of the table's check.
func checkPayload(t testing.TB, eventType string, payload []byte) (faults, notes []string, inside bool) {
	t.Helper()
	doc, err := strictjson.NewScanner(strictjson.Limits{}).Scan(payload)
	if err != nil {
		t.Fatalf("%s: %v", payload, err)
	}
	return session.CheckPayload(eventType, doc.Root())
}

func TestPayloadCases(t *testing.T) {
	for _, c := range payloadCases(t) {
		faults, notes, _ := checkPayload(t, c.EventType, c.Payload)
		if diff := cmp.Diff(c.errors(), faults); diff != "" {
			t.Errorf("%s: errors (-want +got):\n%s", c.Name, diff)
		}
		if (c.Expect == "ok") != (len(c.Errors) == 0) {
			t.Errorf("%s: the case contradicts itself", c.Name)
		}
		if c.Notes != nil && !slices.Equal(c.Notes, notes) {
			t.Errorf("%s: notes %q, want %q", c.Name, notes, c.Notes)
		}
	}
}

// TestSchemasAgree runs every case, and mutants of the complete ones, through the table
// and through the schema library: they accept and refuse the same.
func TestSchemasAgree(t *testing.T) {
	checked, refused, alone := 0, 0, 0
	for _, c := range payloadCases(t) {
		payloads := [][]byte{c.Payload}
		if len(c.Errors) == 0 && strings.Contains(c.Name, "redacted") || strings.HasSuffix(c.Name, "all members") || strings.HasSuffix(c.Name, " full") {
			payloads = append(payloads, mutants(t, c.Payload)...)
		}
		for _, payload := range payloads {
			faults, _, inside := checkPayload(t, c.EventType, payload)
			complaints, err := reference.Engine{}.ValidatePayload(c.EventType, payload)
			if err != nil {
				t.Fatalf("%s: %s: %v", c.Name, payload, err)
			}
			checked++
			if len(faults) > 0 {
				refused++
			}
			switch {
			case len(faults) > 0 == (len(complaints) > 0):
			case inside && len(complaints) == 0 && len(faults) == 1:
				alone++
			default:
				t.Errorf("%s: %s %s\n table: %q\nschema: %q", c.Name, c.EventType, payload, faults, complaints)
			}
		}
	}
	if refused == 0 || refused == checked {
		t.Fatalf("%d of %d payloads refused: the cases are one-sided", refused, checked)
	}
	t.Logf("%d payloads through both engines, %d refused by both, %d by the table alone for markers inside args or result", checked, refused-alone, alone)
}

// mutants returns the payload with each member in turn, at every depth, left out and
// replaced by values of all types and edges.
func mutants(t testing.TB, payload []byte) (list [][]byte) {
	t.Helper()
	values := []string{
		`null`, `true`, `7`, `-1`, `2.0`, `2.5`, `1e400`[:3], `18446744073709551615`, `18446744073709551616`, `-9223372036854775809`, `""`, `"other"`,
		`"success"`, `"[REDACTED]"`, `"[REDACTED:label]"`, `"[REDACTED:]"`, `"x [REDACTED]"`, `"` + strings.Repeat("a", 64) + `"`, `"sha256:` + strings.Repeat("0", 64) + `"`,
		`"795B929E-9a9a-40fd-aa7b-5bf55eb561a4"`, `[]`, `{}`, `["x"]`, `[{}]`, `[null]`,
	}
	doc, err := strictjson.NewScanner(strictjson.Limits{}).Scan(payload)
	if err != nil {
		t.Fatal(err)
	}
	splice := func(start, end int, with string) {
		list = append(list, []byte(string(payload[:start])+with+string(payload[end:])))
	}
	var walk func(n strictjson.Node)
	walk = func(n strictjson.Node) {
		for child := range n.Children() {
			start, end := child.Span()
			for _, v := range values {
				splice(start, end, v)
			}
			if n.Is(strictjson.Object) {
				keyStart, keyEnd := child.KeySpan()
				splice(keyStart, keyEnd, `"renamed"`)
			}
			walk(child)
		}
	}
	walk(doc.Root())
	return list
}

// TestSchemaNames: there is a schema for each type of the closed set, and for no other.
func TestSchemaNames(t *testing.T) {
	for _, name := range append(schemas.Names(), "LLM_CALL", "TOOL_ERROR", "tool_call", "") {
		if _, ok := schemas.Payload(name); ok != session.KnownV0(name) {
			t.Errorf("%q: has a schema %v, is known %v", name, ok, session.KnownV0(name))
		}
	}
}
