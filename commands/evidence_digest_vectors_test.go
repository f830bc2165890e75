package commands_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/commands"
)

// digestDocument is what a digest command reports, as far as the vectors say something of it.
type digestDocument struct {
	Tools  []struct{ Digest, Canonical string }
	Inputs []struct {
		Manifest *string `json:"manifest_digest"`
		Digest   string
		Findings []struct{ Rule string }
	}
	Policies []struct {
		Digest    *string
		Canonical string
	}
	Events []struct{ Digest, Canonical string }
}

// digested runs `evidence digest` on a text.
func digested(t *testing.T, text []byte, args ...string) (doc digestDocument) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code := commands.Main(commands.Env{
		Context: context.Background(), Stdin: bytes.NewReader(text), Stdout: &stdout, Stderr: &stderr, Getenv: func(string) string { return "" },
	}, append([]string{"cupel", "evidence", "digest"}, append(args, "--format=json", "--explain", "-")...))
	if err := json.Unmarshal(stdout.Bytes(), &doc); err != nil || code > 1 {
		t.Fatalf("%v: exit code %d, %v\n%s%s", args, code, err, &stdout, &stderr)
	}
	return doc
}

// digestVectors reads a file of the published vectors; ok is false without them.
func digestVectors(t *testing.T, name string, into any) (ok bool) {
	t.Helper()
	root := os.Getenv("CUPEL_VECTORS")
	if root == "" {
		t.Log("CUPEL_VECTORS is not set: only the project's own cases ran")
		return false
	}
	text, err := os.ReadFile(filepath.Join(root, "evidence/digests", name))
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		t.Fatal(err)
	}
	return true
}

// countedCases holds that a file had cases, and says how many.
func countedCases(t *testing.T, what string, cases int) {
	t.Helper()
	if cases == 0 {
		t.Errorf("no %s", what)
	}
	t.Logf("%d %s", cases, what)
}

// TestToolDefinitionVectors runs the published definitions of tools through the command line.
func TestToolDefinitionVectors(t *testing.T) {
	var file struct {
		Canonicalization string
		Vectors          []struct {
			Name, Canonical, Digest, Result string
			Tool                            json.RawMessage
			ServerID                        *string `json:"server_id"`
		}
	}
	if !digestVectors(t, "tool-definition-p56b.json", &file) {
		return
	}
	for _, c := range file.Vectors {
		args := []string{"tool"}
		if c.ServerID != nil {
			args = append(args, "--server-id="+*c.ServerID)
		}
		doc := digested(t, c.Tool, args...)
		rule := map[string]string{"": "", "no binding": "tool.unnamed", "error: input schema must be an object": "tool.schema"}[c.Result]
		switch {
		case c.Result == "" && (len(doc.Tools) != 1 || doc.Tools[0].Digest != c.Digest || doc.Tools[0].Canonical != c.Canonical):
			t.Errorf("%s: %+v", c.Name, doc)
		case c.Result != "" && (len(doc.Tools) != 0 || len(doc.Inputs[0].Findings) != 1 || doc.Inputs[0].Findings[0].Rule != rule):
			t.Errorf("%s: %+v, expected %s", c.Name, doc, c.Result)
		}
	}
	countedCases(t, "definitions", len(file.Vectors))
}

// TestManifestVectors runs the published lists of tools through the command line.
func TestManifestVectors(t *testing.T) {
	var file struct {
		One struct {
			Projection json.RawMessage
			Digest     string `json:"expected_tool_digest"`
		} `json:"per_tool"`
		Manifest struct {
			Tools  json.RawMessage
			Digest string `json:"expected_manifest_digest"`
		}
	}
	if !digestVectors(t, "mcp-manifest-projection-goldens.json", &file) {
		return
	}
	if doc := digested(t, file.One.Projection, "tool", "--projection=manifest-v0"); len(doc.Tools) != 1 || doc.Tools[0].Digest != file.One.Digest {
		t.Errorf("%+v, expected %s", doc, file.One.Digest)
	}
	if doc := digested(t, file.Manifest.Tools, "tool", "--projection=manifest-v0"); doc.Inputs[0].Manifest == nil || *doc.Inputs[0].Manifest != file.Manifest.Digest {
		t.Errorf("%+v, expected %s", doc, file.Manifest.Digest)
	}
	countedCases(t, "digests of lists and their tools", 2)
}

// TestPolicyVectors runs the derived policies through the command line.
func TestPolicyVectors(t *testing.T) {
	var loaded struct {
		Vectors []struct {
			Policy            json.RawMessage
			Canonical, Digest string
		}
	}
	var declared struct {
		Policies []struct {
			Policy json.RawMessage
			Digest string `json:"declared_policy_digest"`
		} `json:"declared_policy"`
	}
	if !digestVectors(t, "policy-p56a.json", &loaded) || !digestVectors(t, "declared-policy-and-target-goldens.json", &declared) {
		return
	}
	for _, c := range loaded.Vectors {
		doc := digested(t, c.Policy, "policy", "--experimental")
		if p := doc.Policies[0]; p.Digest == nil || *p.Digest != c.Digest || p.Canonical != c.Canonical {
			t.Errorf("%s: %+v, expected %s", c.Policy, doc, c.Digest)
		}
	}
	for _, c := range declared.Policies {
		doc := digested(t, c.Policy, "policy", "--experimental", "--projection=declared")
		if p := doc.Policies[0]; p.Digest == nil || *p.Digest != c.Digest {
			t.Errorf("%s: %+v, expected %s", c.Policy, doc, c.Digest)
		}
	}
	countedCases(t, "loaded policies", len(loaded.Vectors))
	countedCases(t, "declared policies", len(declared.Policies))
}

// TestSemanticVectors runs the published records, and the same ones in another order, through
// the command line.
func TestSemanticVectors(t *testing.T) {
	var records []struct {
		ID                string
		Record, Reordered json.RawMessage
		NewDigest         string     `json:"new_digest"`
		ReorderedDigest   string     `json:"reordered_new_digest"`
		SetPaths          [][]string `json:"set_paths"`
	}
	if !digestVectors(t, "semantic-digest-goldens.json", &records) {
		return
	}
	event := func(data json.RawMessage) []byte {
		return []byte(`{"specversion":"1.0","type":"assay.x","datacontenttype":"application/json","data":` + string(data) + `}`)
	}
	for _, c := range records {
		args := []string{"semantic"}
		for _, path := range c.SetPaths {
			args = append(args, "--set="+strings.Join(path, "/"))
		}
		for data, want := range map[string]string{string(c.Record): c.NewDigest, string(c.Reordered): c.ReorderedDigest} {
			if doc := digested(t, event(json.RawMessage(data)), args...); len(doc.Events) != 1 || doc.Events[0].Digest != want {
				t.Errorf("%s: %+v, expected %s", c.ID, doc, want)
			}
		}
	}
	countedCases(t, "records", 2*len(records))
}

// TestRecordVectors runs the published digests of whole records through the command line:
// of targets under their domain, of inputs, of a pack and of mandates.
func TestRecordVectors(t *testing.T) {
	type mandate struct {
		Content json.RawMessage `json:"hashable_content"`
		ID      string          `json:"expected_mandate_id"`
	}
	var mandates struct{ Vectors []mandate }
	var records struct {
		Inputs []struct {
			Tool   string `json:"tool_name"`
			Args   string `json:"args_digest"`
			Order  int    `json:"order"`
			Digest string `json:"observed_input_digest"`
		} `json:"observed_input"`
		Targets struct {
			Vectors []struct {
				Target json.RawMessage
				Digest string
			}
		} `json:"target_digest"`
		Pack struct {
			Of     json.RawMessage `json:"canonical_of"`
			Digest string
		}
	}
	if !digestVectors(t, "mandate-goldens.json", &mandates) || !digestVectors(t, "declared-policy-and-target-goldens.json", &records) {
		return
	}
	cases := 0
	check := func(text []byte, want string, args ...string) {
		cases++
		if doc := digested(t, text, append([]string{"json"}, args...)...); doc.Inputs[0].Digest != want {
			t.Errorf("%s: %s, expected %s", text, doc.Inputs[0].Digest, want)
		}
	}
	for _, m := range mandates.Vectors {
		check(m.Content, m.ID)
	}
	for _, v := range records.Targets.Vectors {
		check(v.Target, v.Digest, "--domain=assay.mcp.target.v0")
	}
	for _, in := range records.Inputs {
		text, err := json.Marshal(map[string]any{"tool_name": in.Tool, "args_digest": in.Args, "order": in.Order})
		if err != nil {
			t.Fatal(err)
		}
		check(text, in.Digest)
	}
	check(records.Pack.Of, records.Pack.Digest)
	countedCases(t, "records", cases)
}
