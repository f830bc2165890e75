package recognize_test

import (
	"archive/tar"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf16"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/commands/internal/recognize"
)

const (
	event    = `{"event_id":"e","session_id":"s","sequence_number":0,"event_type":"TOOL_CALL","prev_event_hash":null,"payload_hash":"00","event_hash":"00","payload":{}}`
	step     = `{"event":{"idx":0,"kind":"step_started"},"record":"trace_event"}`
	evidence = `{"specversion":"1.0","type":"assay.env.filtered","id":"run_a:0","assayrunid":"run_a","data":{}}`
	dialog   = `{"trace_id":"t","output":{"message":"m"}}`
)

func TestText(t *testing.T) {
	for _, c := range []struct {
		name, text string
		state      recognize.State
		family     recognize.Family
		format     string
	}{
		{"session log", event + "\n" + event + "\n", recognize.Ours, recognize.Trace, "a session log"},
		{"reasoning trace", step + "\n", recognize.Ours, recognize.Trace, "a reasoning trace"},
		{"array of events", "[" + event + ",\n" + event + "]", recognize.Ours, recognize.Trace, "a session log"},
		{"wrapper", `{"events":[` + event + `]}`, recognize.Ours, recognize.Trace, "a session log"},
		{"pretty event", strings.ReplaceAll(event, ",", ",\n  "), recognize.Ours, recognize.Trace, "a session log"},
		{"evidence", evidence + "\n", recognize.Ours, recognize.Evidence, "evidence events"},
		{"trace of the protocol", dialog, recognize.Ours, recognize.AgentTrace, "a trace of the attest protocol"},
		{"document", "# c\n---\noatf: '0.1'\nattack: {}\n", recognize.Ours, recognize.OATF, "an OATF document"},
		{"document in JSON", "{\"oatf\":\"0.1\",\"attack\":{}}", recognize.Ours, recognize.OATF, "an OATF document"},
		{"suite", "assertions:\n- {assertion_id: a}\n", recognize.Ours, recognize.Suite, "a suite of assertions"},

		{"first line of another family", evidence + "\n" + event + "\n" + event + "\n", recognize.Ours, recognize.Trace, "a session log"},
		{"first line is a banner", "Loaded cached credentials.\n" + event + "\n", recognize.Ours, recognize.Trace, "a session log"},
		{"first line is cut", event[:60] + "\n" + event + "\n", recognize.Ours, recognize.Trace, "a session log"},
		{"only line is cut", event[:140], recognize.Damaged, recognize.Trace, "a session log"},
		{"lines with a prefix", "12:" + event + "\n13:" + event + "\n", recognize.Damaged, recognize.Trace, "a session log"},
		{"docker json-file", fmt.Sprintf("{\"log\":%q,\"stream\":\"stdout\",\"time\":\"t\"}\n", event), recognize.Damaged, recognize.Trace, "a session log"},
		{"renamed members", `{"eventHash":"a","prevHash":"b","sessionId":"s","seq":1}` + "\n", recognize.Damaged, recognize.Trace, "a session log"},
		{"byte order mark", "\ufeff" + event, recognize.Ours, recognize.Trace, "a session log"},
		{"UTF-16", wide(event + "\n"), recognize.Damaged, recognize.Trace, "a session log"},
		{"NULs inside", event[:50] + "\x00\x00\x00" + event[50:], recognize.Damaged, recognize.Trace, "a session log"},
		{"cut evidence", evidence[:90], recognize.Damaged, recognize.Evidence, "evidence events"},
		{"mistyped root key", "oatff: '0.1'\nattack:\n  id: a\n  execution: {}\n", recognize.Damaged, recognize.OATF, "an OATF document"},

		{"blanks", " \n\n", recognize.Foreign, recognize.None, ""},
		{"NULs alone", "\x00\x00", recognize.Foreign, recognize.None, ""},
		{"nothing", "", recognize.Foreign, recognize.None, ""},
		{"words", "not json\n", recognize.Foreign, recognize.None, ""},
		{"broken JSON", "{\"a\":1\n", recognize.Foreign, recognize.None, ""},
		{"records of others", "{\"a\":1}\n{\"a\":2}\n", recognize.Foreign, recognize.None, ""},
		{"application log", "{\"level\":\"info\",\"msg\":\"service started\"}\n", recognize.Foreign, recognize.None, "the log of an application"},
		{"kind and idx of others", "{\"kind\":\"pod\",\"idx\":1}\n", recognize.Foreign, recognize.None, ""},
		{"JSON-RPC", `{"jsonrpc":"2.0","id":1,"method":"tools/call"}` + "\n", recognize.Foreign, recognize.None, "JSON-RPC messages"},
		{"schema of an event", `{"$schema":"x","type":"object","properties":{"event_hash":{},"prev_hash":{}}}`, recognize.Foreign, recognize.None, "a JSON Schema"},
		{"package.json", `{"name":"x","version":"1","scripts":{}}`, recognize.Foreign, recognize.None, "package.json"},
		{"Kubernetes", "apiVersion: v1\nkind: ConfigMap\ndata: {a: b}\n", recognize.Foreign, recognize.None, "a Kubernetes object"},
		{"Compose", "services:\n  web:\n    image: nginx\n", recognize.Foreign, recognize.None, "a Docker Compose file"},
		{"root keys near oatf", "path: a\ndate: b\noauth: {}\nrate: 1\n", recognize.Foreign, recognize.None, "YAML without the root key oatf"},
		{"attack of others", "attack: {power: 3, name: bite}\n", recognize.Foreign, recognize.OATF, "YAML without the root key oatf"},
		{"Git LFS", "version https://git-lfs.github.com/spec/v1\noid sha256:00\n", recognize.Foreign, recognize.None, "a Git LFS pointer: the file itself was not fetched"},
		{"CloudEvents of others", `{"specversion":"1.0","type":"com.example","id":"1","source":"/"}`, recognize.Foreign, recognize.Evidence, "CloudEvents of another producer"},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := recognize.Reader(strings.NewReader(c.text))
			if a.Command != "" && !regexp.MustCompile(`^(trace|evidence|oatf|attest|report|check)\b`).MatchString(a.Command) {
				t.Errorf("%q is not a command", a.Command)
			}
			if a.State != c.state || a.Family != c.family || a.Format != c.format {
				t.Errorf("got %s, family %d, %q (%s); want %s, family %d, %q", a.State, a.Family, a.Format, a.Why, c.state, c.family, c.format)
			}
			if a.State == recognize.Damaged && a.Why == "" {
				t.Error("no reason for the damage")
			}
		})
	}
}

func wide(s string) string {
	var b []byte
	for _, u := range utf16.Encode([]rune(s)) {
		b = append(b, byte(u), byte(u>>8))
	}
	return "\xff\xfe" + string(b)
}

func TestArchive(t *testing.T) {
	tarOf := func(members ...string) string {
		var b bytes.Buffer
		w := tar.NewWriter(&b)
		for i := 0; i < len(members); i += 2 {
			if err := w.WriteHeader(&tar.Header{Name: members[i], Size: int64(len(members[i+1])), Mode: 0o644}); err != nil {
				t.Fatal(err)
			}
			if _, err := w.Write([]byte(members[i+1])); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	manifest := `{"bundle_id":"sha256:0","run_id":"r","event_count":1}`
	for name, c := range map[string]struct {
		text  string
		known bool
	}{
		"bundle":                 {tarOf("manifest.json", manifest, "events.ndjson", evidence), true},
		"events first":           {tarOf("events.ndjson", evidence, "manifest.json", manifest), true},
		"manifest cut":           {tarOf("manifest.json", manifest[:40], "events.ndjson", evidence), true},
		"browser extension":      {tarOf("manifest.json", `{"manifest_version":3}`, "background.js", "x"), false},
		"somebody else's":        {tarOf("README", "x"), false},
		"manifest of others":     {tarOf("manifest.json", "[]"), false},
		"the head ends in it":    {tarOf("manifest.json", manifest, "events.ndjson", evidence)[:1400], true},
		"nothing but the header": {tarOf("manifest.json", manifest)[:512], false},
	} {
		if a := recognize.Reader(strings.NewReader(c.text)); a.Known(recognize.Evidence) != c.known {
			t.Errorf("%s: %+v", name, a)
		}
	}
}

// TestDamageHidesNothing: whatever line of a record is damaged or replaced by a line of anybody else,
// the file stays one of its family while one record is left.
func TestDamageHidesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		record := rapid.SampledFrom([]string{event, step, evidence}).Draw(t, "record")
		want := recognize.Reader(strings.NewReader(record)).Family
		lines := make([]string, rapid.IntRange(1, 20).Draw(t, "lines"))
		whole := rapid.IntRange(0, len(lines)-1).Draw(t, "whole")
		for i := range lines {
			lines[i] = record
			if i != whole {
				lines[i] = rapid.SampledFrom([]string{
					record, record[:len(record)/2], "", "{}", "[]", "null", "banner", `{"level":"info","msg":"m"}`, "\x00\x00", "]", `{"jsonrpc":"2.0"}`,
				}).Draw(t, "line")
			}
		}
		text := strings.Join(lines, rapid.SampledFrom([]string{"\n", "\r\n", "\n\n"}).Draw(t, "end"))
		if a := recognize.Reader(strings.NewReader(text)); !a.Known(want) {
			t.Fatalf("%+v of %q", a, text)
		}
	})
}

// TestNeverPanics: any text has an answer, and cutting it or reading it in pieces changes nothing of
// the limits.
func TestNeverPanics(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		piece := rapid.SampledFrom([]string{event, step, evidence, dialog, "{", "}", "[", "]", ",", "\n", "oatf: ", "attack:\n  ", "\x00", "\ufeff", `"`, `\`, "- ", "a: b\n", "'", "#"})
		text := strings.Join(rapid.SliceOfN(piece, 0, 12).Draw(t, "pieces"), "")
		text = text[:rapid.IntRange(0, len(text)).Draw(t, "cut")]
		for _, cut := range []bool{false, true} {
			a := recognize.Text(recognize.Head{Text: []byte(text), Cut: cut})
			if a.State != recognize.Foreign && (a.Format == "" || a.Family == recognize.None) {
				t.Fatalf("%+v of %q", a, text)
			}
		}
	})
}

// TestExamples: each shipped record is recognized, damaged ones included.
func TestExamples(t *testing.T) {
	n := 0
	for pattern, family := range map[string]recognize.Family{
		"session/*.jsonl": recognize.Trace, "trace/*/trace.jsonl": recognize.Trace, "evidence/*.ndjson": recognize.Evidence, "oatf/*.yaml": recognize.OATF,
	} {
		paths, err := filepath.Glob("../../../testdata/examples/" + pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if a := recognize.Reader(bytes.NewReader(text)); !a.Known(family) {
				t.Errorf("%s: %+v", path, a)
			}
			n++
		}
	}
	if n < 20 {
		t.Errorf("only %d examples found", n)
	}
}
