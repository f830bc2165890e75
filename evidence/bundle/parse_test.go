package bundle_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/bundle"
)

// manifestCase is a manifest and what is wrong with it.
type manifestCase struct {
	Name   string
	Text   string
	Strict bool
	Limits json.RawMessage // overrides
	Faults []string        // "code severity detail pointer column", in their order
}

func manifestCases(tb testing.TB) (list []manifestCase) {
	tb.Helper()
	text, err := os.ReadFile("../../testdata/evidence/manifest.jsonl")
	if err != nil {
		tb.Fatal(err)
	}
	for line := range bytes.Lines(text) {
		var c manifestCase
		if err := json.Unmarshal(line, &c); err != nil {
			tb.Fatalf("case %d: %v", len(list)+1, err)
		}
		list = append(list, c)
	}
	if len(list) == 0 {
		tb.Fatal("no cases")
	}
	return list
}

// TestParseManifest runs the case file.
func TestParseManifest(t *testing.T) {
	for _, c := range manifestCases(t) {
		var limits evidence.Limits
		if c.Limits != nil {
			var err error
			if limits, err = evidence.ParseLimits(c.Limits); err != nil {
				t.Fatal(err)
			}
		}
		_, findings := bundle.ParseManifest([]byte(c.Text), limits, c.Strict)
		got := []string{}
		for _, f := range findings {
			got = append(got, fmt.Sprintf("%s %d", summary(f), f.Column))
			if d := f.Detail.(bundle.Detail); d.Pointer != f.Path || d.Member != "manifest.json" || d.Offset == nil || *d.Offset != int64(f.Column-1) {
				t.Errorf("%s: %+v", c.Name, d)
			}
		}
		if !slices.Equal(got, c.Faults) {
			t.Errorf("%s: %s\n got %q\nwant %q", c.Name, c.Text, got, c.Faults)
		}
	}
}

// summary returns a finding without its place in the text and its words.
func summary(f evidence.Finding) string {
	return fmt.Sprintf("%s %v %s %s", f.Rule, f.Severity, f.Detail.(bundle.Detail).Detail, f.Path)
}

// TestManifestFaultsAreBounded: thousands of faults cost no more than a hundred, and no
// limit of the contract is reported as another.
func TestManifestFaultsAreBounded(t *testing.T) {
	files := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `"%d":%d,`, i, i)
		}
		return `{"files":{` + strings.TrimSuffix(b.String(), ",") + `}}`
	}
	for text, want := range map[string]int{files(5000): 100, files(10_001): 1, `{"a":"` + strings.Repeat("s", 1<<20+1) + `"}`: 1} {
		_, findings := bundle.ParseManifest([]byte(text), evidence.Limits{}, true)
		if len(findings) != want || findings[0].Rule != "ContractInvalidJson" || want == 1 && findings[0].Detail.(bundle.Detail).Detail != "json.limit" {
			t.Errorf("%.30s…: %d findings, %+v", text, len(findings), findings[0])
		}
	}
}

// naiveManifest is what is wrong with a manifest from the contract's table alone, with the
// standard library; the text is an object in strict JSON.
func naiveManifest(text string) (said []string) {
	var root map[string]any
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&root); err != nil {
		panic(err)
	}
	say := func(code, severity, detail, pointer string) {
		said = append(said, fmt.Sprintf("%s %s %s %s", code, severity, detail, pointer))
	}
	integer := func(value json.Number, most string) bool {
		digits := value.String()
		plain := strings.Trim(digits, "0123456789") == "" && (len(digits) == 1 || digits[0] != '0')
		return plain && (len(digits) < len(most) || len(digits) == len(most) && digits <= most)
	}
	// is reports whether a member has the kind of a letter.
	is := func(object map[string]any, pointer, name, kind string) bool {
		value, there := object[name]
		_, text := value.(string)
		number, isNumber := value.(json.Number)
		_, isObject := value.(map[string]any)
		switch {
		case !there:
			say("ContractInvalidJson", "error", "member.missing", pointer+"/"+name)
		case kind == "text" && !text, kind == "object" && !isObject, strings.HasPrefix(kind, "u") && !isNumber:
			say("ContractInvalidJson", "error", "member.type", pointer+"/"+name)
		case kind == "u32" && !integer(number, "4294967295"), kind == "u64" && !integer(number, "18446744073709551615"):
			say("ContractInvalidJson", "error", "integer.syntax", pointer+"/"+name)
		default:
			return true
		}
		return false
	}
	version := is(root, "", "schema_version", "u32")
	is(root, "", "bundle_id", "text")
	if is(root, "", "producer", "object") {
		producer := root["producer"].(map[string]any)
		is(producer, "/producer", "name", "text")
		is(producer, "/producer", "version", "text")
		if producer["git"] != nil {
			is(producer, "/producer", "git", "text")
		}
	}
	is(root, "", "run_id", "text")
	is(root, "", "event_count", "u64")
	is(root, "", "run_root", "text")
	named := map[string]string{}
	if is(root, "", "algorithms", "object") {
		a := root["algorithms"].(map[string]any)
		for _, name := range []string{"canon", "hash", "root"} {
			if is(a, "/algorithms", name, "text") {
				named[name] = a[name].(string)
			}
		}
	}
	listed := true
	if is(root, "", "files", "object") {
		files := root["files"].(map[string]any)
		_, listed = files["events.ndjson"]
		for name := range files {
			if is(files, "/files", name, "object") {
				file := files[name].(map[string]any)
				is(file, "/files/"+name, "path", "text")
				is(file, "/files/"+name, "sha256", "text")
				is(file, "/files/"+name, "bytes", "u64")
			}
		}
	}
	if version && root["schema_version"].(json.Number) != "1" {
		say("ContractSchemaVersion", "error", "schema_version.unknown", "/schema_version")
	}
	if !listed {
		say("ContractMissingFile", "error", "", "/files")
	}
	for _, row := range [][2]string{{"canon", "jcs-rfc8785"}, {"hash", "sha256"}, {"root", "sha256(concat(content_hash + \"\\n\"))"}} {
		if text, there := named[row[0]]; there && text != row[1] {
			say("ContractSchemaVersion", "warning", "algorithms.unknown", "/algorithms/"+row[0])
		}
	}
	return said
}

// TestManifestAgainstNaive compares changed manifests with the naive check, and holds that
// order and spelling of members never matter.
func TestManifestAgainstNaive(t *testing.T) {
	values := []string{
		`null`, `true`, `0`, `1`, `2`, `-0`, `1.0`, `1e0`, `4294967296`, `18446744073709551615`, `18446744073709551616`, `1e300`,
		`""`, `"sha256"`, `"x"`, `[]`, `{}`, `{"path":"p","sha256":"s","bytes":7}`, `{"path":"p","sha256":7}`, `{"name":"n","version":"v","git":1}`,
		`{"canon":"c","hash":"sha256"}`, `{"events.ndjson":{"path":"p","sha256":"s","bytes":1},"x":{}}`, `{"x":{"path":"p","sha256":"s","bytes":1}}`,
	}
	rapid.Check(t, func(t *rapid.T) {
		var members map[string]json.RawMessage
		if err := json.Unmarshal([]byte(golden), &members); err != nil {
			t.Fatal(err)
		}
		names := []string{"algorithms", "bundle_id", "event_count", "files", "producer", "run_id", "run_root", "schema_version", "other"}
		for range rapid.IntRange(0, 3).Draw(t, "changes") {
			name := rapid.SampledFrom(names).Draw(t, "member")
			if members[name] = json.RawMessage(rapid.SampledFrom(values).Draw(t, "value")); rapid.IntRange(0, 3).Draw(t, "drop") == 0 {
				delete(members, name)
			}
		}
		var b strings.Builder
		for _, name := range rapid.Permutation(names).Draw(t, "order") {
			if value, there := members[name]; there {
				if rapid.Bool().Draw(t, "escape") {
					name = fmt.Sprintf(`\u%04x%s`, name[0], name[1:])
				}
				fmt.Fprintf(&b, `,%[1]s"%[2]s"%[1]s:%[1]s%[3]s`, rapid.SampledFrom([]string{"", " ", "\n", "\t"}).Draw(t, "space"), name, value)
			}
		}
		text := "{" + strings.TrimPrefix(b.String(), ",") + "}\n"
		_, findings := bundle.ParseManifest([]byte(text), evidence.Limits{}, false)
		got := []string{}
		for _, f := range findings {
			got = append(got, summary(f))
		}
		// Of the files the text decides the order.
		want := naiveManifest(text)
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Fatalf("%s\n  got %q\nnaive %q", text, got, want)
		}
	})
}

// FuzzManifest holds that no text makes the reader panic, that strict adds findings only,
// and that what is in order is written so that it reads as the same manifest.
func FuzzManifest(f *testing.F) {
	for _, c := range manifestCases(f) {
		f.Add([]byte(c.Text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		m, findings := bundle.ParseManifest(text, evidence.Limits{}, false)
		_, more := bundle.ParseManifest(text, evidence.Limits{}, true)
		if len(more) < len(findings) {
			t.Errorf("%q: %d findings, strictly %d", text, len(findings), len(more))
		}
		for _, finding := range more {
			d := finding.Detail.(bundle.Detail)
			if finding.Message == "" || finding.Line < 1 || *d.Offset < 0 || *d.Offset > int64(len(text)) {
				t.Errorf("%q: %+v", text, finding)
			}
		}
		const exact = 1 << 53 // beyond it canonical JSON rounds
		if len(findings) > 0 || m.EventCount > exact || slices.ContainsFunc(slices.Collect(maps.Values(m.Files)), func(f bundle.File) bool { return f.Bytes > exact }) {
			return
		}
		written := m.AppendText(nil)
		again, findings := bundle.ParseManifest(written, evidence.Limits{}, true)
		if len(findings) > 0 || !bytes.Equal(again.AppendText(nil), written) {
			t.Errorf("%q is written as %s: %v", text, written, findings)
		}
	})
}
