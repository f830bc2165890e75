package bundle_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/evidence/bundle"
	"github.com/cupel-dev/cupel/internal/bundletest"
	"github.com/cupel-dev/cupel/internal/reference"
)

// naive verifies a whole bundle in memory, with the standard library and the reference's
// canonical form, and returns the code of the first fault. It knows containers that are
// whole, and no limits.
func naive(file []byte) string {
	in := bytes.NewReader(file)
	zip, err := gzip.NewReader(in)
	if err != nil {
		return "IntegrityTar"
	}
	zip.Multistream(false)
	text, err := io.ReadAll(zip)
	if err != nil {
		return "IntegrityGzip"
	}
	if code := tarCode(text); code != "" {
		return code
	}
	if in.Len() > 0 {
		return "IntegrityGzip"
	}
	return ""
}

func tarCode(text []byte) string {
	var manifest map[string]any
	seen := map[string]bool{}
	for archive := tar.NewReader(bytes.NewReader(text)); ; {
		h, err := archive.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return "IntegrityTar"
		}
		body, err := io.ReadAll(archive)
		if err != nil {
			return "IntegrityIo"
		}
		switch {
		case h.Typeflag != tar.TypeReg:
			return "IntegrityTar"
		case path.IsAbs(h.Name) || slices.Contains(strings.Split(h.Name, "/"), ".."):
			return "SecurityPathTraversal"
		case h.Name != "manifest.json" && h.Name != "events.ndjson":
			return "ContractUnexpectedFile"
		case seen[h.Name]:
			return "ContractDuplicateFile"
		case len(seen) == 0 && h.Name != "manifest.json":
			return "ContractFileOrder"
		}
		seen[h.Name] = true
		if h.Name == "manifest.json" {
			var code string
			if manifest, code = manifestCode(body); code != "" {
				return code
			}
		} else if code := eventsCode(body, manifest); code != "" {
			return code
		}
	}
	if !seen["events.ndjson"] {
		return "ContractMissingFile"
	}
	return ""
}

var digits = regexp.MustCompile(`^(0|[1-9][0-9]*)$`)

// whole reads an integer of at most bits bits that is written in digits alone.
func whole(value any, bits int) (uint64, bool) {
	number, ok := value.(json.Number)
	n, err := strconv.ParseUint(string(number), 10, bits)
	return n, ok && err == nil && digits.MatchString(string(number))
}

func texts(object any, names ...string) bool {
	members, ok := object.(map[string]any)
	for _, name := range names {
		_, text := members[name].(string)
		ok = ok && text
	}
	return ok
}

func manifestCode(text []byte) (map[string]any, string) {
	value, ok := strict(text)
	m, object := value.(map[string]any)
	if !ok || !object || !texts(m, "bundle_id", "run_id", "run_root") || !texts(m["producer"], "name", "version") || !texts(m["algorithms"], "canon", "hash", "root") {
		return nil, "ContractInvalidJson"
	}
	if git := m["producer"].(map[string]any)["git"]; git != nil && !texts(m["producer"], "git") {
		return nil, "ContractInvalidJson"
	}
	version, v := whole(m["schema_version"], 32)
	_, c := whole(m["event_count"], 64)
	files, f := m["files"].(map[string]any)
	for _, file := range files {
		f = f && texts(file, "path", "sha256")
		if f {
			_, f = whole(file.(map[string]any)["bytes"], 64)
		}
	}
	switch {
	case !v || !c || !f:
		return nil, "ContractInvalidJson"
	case version != 1:
		return nil, "ContractSchemaVersion"
	case files["events.ndjson"] == nil:
		return nil, "ContractMissingFile"
	}
	return m, ""
}

func eventsCode(text []byte, manifest map[string]any) string {
	file := manifest["files"].(map[string]any)["events.ndjson"].(map[string]any)
	if size, _ := whole(file["bytes"], 64); size != uint64(len(text)) {
		return "IntegrityFileSizeMismatch"
	}
	var hashes []string
	source := any(nil)
	for line := range bytes.Lines(text) {
		line = bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
		event, code := eventCode(line, uint64(len(hashes)), manifest["run_id"].(string))
		if code != "" {
			return code
		}
		if source == nil {
			source = event["source"]
		}
		if event["source"] != source {
			return "ContractInvalidEvent"
		}
		hashes = append(hashes, event["assaycontenthash"].(string))
	}
	count, _ := whole(manifest["event_count"], 64)
	root := bundletest.Digest([]byte(strings.Join(append(hashes, ""), "\n")))
	switch {
	case strings.TrimPrefix(file["sha256"].(string), "sha256:") != strings.TrimPrefix(bundletest.Digest(text), "sha256:"):
		return "IntegrityManifestHash"
	case len(hashes) == 0:
		return "ContractInvalidEvent"
	case count != uint64(len(hashes)):
		return "ContractSequenceGap"
	case manifest["run_root"] != root:
		return "IntegrityRunRootMismatch"
	case manifest["bundle_id"] != root:
		return "ContractBundleIdMismatch"
	}
	return ""
}

// shapes are the members and their forms: s string, t time, n number, b flag; in capitals
// where the member must be there.
var shapes = map[string]string{
	"specversion": "S", "type": "S", "source": "S", "id": "S", "time": "T", "datacontenttype": "S", "subject": "s", "traceparent": "s",
	"tracestate": "s", "assayrunid": "S", "assayseq": "N", "assayproducer": "S", "assayproducerversion": "S", "assaygit": "s",
	"assaypolicyid": "s", "assaypii": "b", "assaysecrets": "b", "assaycontenthash": "s", "assaysemanticdigest": "s", "assaydigestprofile": "s",
}

func shaped(value any, form string) (ok bool) {
	if value == nil {
		return form == strings.ToLower(form)
	}
	switch strings.ToUpper(form) {
	case "B":
		_, ok = value.(bool)
	case "N":
		_, ok = whole(value, 64)
	case "T":
		text, _ := value.(string)
		_, err := time.Parse(time.RFC3339, text)
		ok = err == nil
	default:
		_, ok = value.(string)
	}
	return ok
}

func eventCode(line []byte, seq uint64, run string) (map[string]any, string) {
	if len(line) == 0 {
		return nil, "ContractInvalidEvent"
	}
	value, ok := strict(line)
	e, object := value.(map[string]any)
	if !ok || !object {
		return nil, "ContractInvalidJson"
	}
	for name, form := range shapes {
		if !shaped(e[name], form) {
			return nil, "ContractInvalidJson"
		}
	}
	if _, there := e["data"]; !there {
		return nil, "ContractInvalidJson"
	}
	number, _ := whole(e["assayseq"], 64)
	source := e["source"].(string)
	at, _ := time.Parse(time.RFC3339, e["time"].(string))
	_, offset := at.Zone()
	switch {
	case e["specversion"] != "1.0", e["assaycontenthash"] == nil:
		return nil, "ContractSchemaVersion"
	case e["assaycontenthash"] != hashOf(e):
		return nil, "IntegrityEventHash"
	case number != seq && seq == 0:
		return nil, "ContractSequenceStart"
	case number != seq:
		return nil, "ContractSequenceGap"
	case e["assayrunid"] != run:
		return nil, "ContractRunIdMismatch"
	case !strings.Contains(source, ":"), strings.HasPrefix(source, ":"),
		run == "", strings.Contains(run, ":"), e["id"] != fmt.Sprintf("%s:%d", run, seq), offset != 0:
		return nil, "ContractInvalidEvent"
	}
	return e, ""
}

func hashOf(e map[string]any) string {
	input := map[string]any{}
	for _, name := range []string{"data", "datacontenttype", "specversion", "subject", "type"} {
		if e[name] != nil || name == "data" {
			input[name] = e[name]
		}
	}
	canonical, err := reference.Canonical(bundletest.Compact(input))
	if err != nil {
		panic(err)
	}
	return bundletest.Digest(canonical)
}

// notCanonical counts the lines that are not their own canonical form.
func notCanonical(stream []byte) (count int64) {
	for line := range bytes.Lines(stream) {
		line = bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
		if canonical, err := reference.Canonical(line); err != nil || !bytes.Equal(canonical, line) {
			count++
		}
	}
	return count
}

// strict reads JSON whose names are unique and whose bytes are UTF-8.
func strict(text []byte) (value any, ok bool) {
	if !utf8.Valid(text) || !json.Valid(text) || repeats(json.NewDecoder(bytes.NewReader(text))) {
		return nil, false
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	return value, decoder.Decode(&value) == nil
}

// repeats reports whether an object has a name twice.
func repeats(decoder *json.Decoder) bool {
	token, err := decoder.Token()
	opening, container := token.(json.Delim)
	if err != nil || !container {
		return false
	}
	seen := map[any]bool{}
	for decoder.More() {
		if opening == '{' {
			name, _ := decoder.Token()
			if seen[name] {
				return true
			}
			seen[name] = true
		}
		if repeats(decoder) {
			return true
		}
	}
	_, _ = decoder.Token() // the end of the container
	return false
}

// values are what members are set to.
var values = []string{
	`null`, `true`, `0`, `1`, `2`, `5`, `-1`, `1.5`, `1e0`, `9007199254740993`, `""`, `"x"`, `"1.0"`, `"run_a"`, `"run_b"`, `"a:b"`, `":x"`, `"run_a:1"`,
	`"2026-03-02T09:00:01Z"`, `"2026-03-02T11:00:01+02:00"`, `"sha256:00"`, `{}`, `[1,{"b":1,"a":"é"}]`, `{"hits":7}`,
}

// recipes draws bundles with a few faults.
func recipes(t *rapid.T) *bundletest.Recipe {
	r := &bundletest.Recipe{Events: rapid.IntRange(1, 4).Draw(t, "events"), Stored: rapid.Bool().Draw(t, "stored")}
	r.Set, r.Manifest = map[string]json.RawMessage{}, map[string]json.RawMessage{}
	names := append(slices.Sorted(func(yield func(string) bool) {
		for name := range shapes {
			if !yield(name) {
				return
			}
		}
	}), "data", "other")
	member := func() string {
		return fmt.Sprintf("%d/%s", rapid.IntRange(0, r.Events-1).Draw(t, "event"), rapid.SampledFrom(names).Draw(t, "name"))
	}
	of := []string{"schema_version", "bundle_id", "run_id", "run_root", "event_count", "producer", "algorithms", "other", "files/events.ndjson/bytes", "files/events.ndjson/sha256", "files/x"}
	for range rapid.IntRange(0, 2).Draw(t, "faults") {
		value := json.RawMessage(rapid.SampledFrom(values).Draw(t, "value"))
		switch rapid.IntRange(0, 9).Draw(t, "fault") {
		case 0, 1, 2:
			r.Set[member()] = value
		case 3:
			r.Drop = append(r.Drop, member())
		case 4:
			r.Stale = true
		case 5:
			for range rapid.IntRange(0, 5).Draw(t, "lines") {
				r.Lines = append(r.Lines, rapid.SampledFrom([]string{"=0", fmt.Sprint("=", r.Events-1), "", " ", "{}", "[", `{"a":1,"\u0061":2}`}).Draw(t, "line"))
			}
		case 6:
			r.Manifest[rapid.SampledFrom(of).Draw(t, "member")] = value
		case 7:
			r.ManifestDrop = append(r.ManifestDrop, rapid.SampledFrom(of).Draw(t, "member"))
		case 8:
			list := []bundletest.Member{
				{Name: "manifest.json", Of: "manifest"},
				{Name: "events.ndjson", Of: "events"},
				{Name: "manifest.json", Of: "manifest"},
				{Name: "../x"},
				{Name: "/x"},
				{Name: "x"},
				{Name: "events.ndjson", Type: "2", Link: "manifest.json"},
				{Name: "a/../b"},
			}
			r.Members = rapid.SliceOfN(rapid.SampledFrom(list), 0, 4).Draw(t, "members")
		case 9:
			end := rapid.SampledFrom([]string{"\r\n", "\n", "\n\n", "\r\r\n"}).Draw(t, "end")
			r.End, r.More = &end, rapid.SampledFrom([]string{"", "00", "1f8b"}).Draw(t, "more")
		}
	}
	return r
}

// TestNaive holds the verification against a second one that is as simple as can be.
func TestNaive(t *testing.T) {
	codes := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		r := recipes(t)
		file := r.Bundle()
		want := naive(file)
		codes[want]++
		got, err := bundle.Verify(t.Context(), bytes.NewReader(file), int64(len(file)), "x.tar.gz", bundle.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got.Code != want || (want == "") != (got.Verdict == bundle.Valid) {
			t.Fatalf("%q, %v; naive: %q\n%s", got.Code, got.Findings, want, r.Stream())
		}
		all, err := bundle.Verify(t.Context(), bytes.NewReader(file), -1, "x.tar.gz", bundle.Options{All: true, MaxFindings: 1, Jobs: 1})
		if err != nil || all.Code != want || all.Class != got.Class {
			t.Fatalf("with everything: %q, %v, %v; naive: %q", all.Code, all.Findings, err, want)
		}
		if naive := notCanonical(r.Stream()); all.NotCanonical != naive && want == "" {
			t.Fatalf("%d events are not canonical; naive: %d\n%s", all.NotCanonical, naive, r.Stream())
		}
	})
	t.Log(codes)
}
