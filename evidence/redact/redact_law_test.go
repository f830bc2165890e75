package redact_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/bundle"
	"github.com/cupel-dev/cupel/evidence/privacy"
	"github.com/cupel-dev/cupel/evidence/redact"
	"github.com/cupel-dev/cupel/internal/bundletest"
	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/secrets"
)

// memory is a scratch file in memory.
type memory struct{ text []byte }

func (m *memory) Write(p []byte) (int, error) {
	m.text = append(m.text, p...)
	return len(p), nil
}

func (m *memory) ReadAt(p []byte, offset int64) (int, error) {
	return bytes.NewReader(m.text).ReadAt(p, offset)
}

// redacted redacts a text.
func redacted(t require, text []byte, opt redact.Options) (*redact.Report, []byte) {
	t.Helper()
	var out bytes.Buffer
	report, err := redact.Redact(context.Background(), bytes.NewReader(text), int64(len(text)), "run", new(memory), &out, opt)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return report, out.Bytes()
}

type require interface {
	Helper()
	Fatalf(format string, args ...any)
}

// dirty are JSON texts of values, some of which no class allows.
var dirty = []string{
	`null`, `true`, `-0`, `9007199254740993`, `1.50`, `"x"`, `"\u00e9\ud83d\ude00\n\u0000"`, `"</a>&\u2028"`, `[]`, `{}`, `[[[["a"]]]]`,
	`"/home/bob/x"`, `"cat \/home\/bob\/x y"`, `"C:\\Users\\bob\\x"`, `"--\u0074oken=xyzzy --out b"`, `["--token","xyzzy","x"]`, `"https://bob:pw@host/"`,
	`{"authorization":"x","a":1}`, `{"a":1,"api_key":[1,2]}`, `{"password":null}`, `["sk-abcdefghijklmnopqrstuvwxyz0123456789ABCDEF","y"]`,
	`{"b":[1,{"z":null,"a":"/root/x"}],"a":{"cookie":"x"}}`, `"AKIAABCDEFGHIJKLMNOP"`, `"İ --token=x"`, `["/Users/a","/Users/b"]`,
}

// drawEvent draws a sound event of a run, as its members' JSON.
func drawEvent(t *rapid.T, seq int) map[string]string {
	value := rapid.SampledFrom(dirty)
	e := map[string]string{
		"specversion": `"1.0"`, "type": rapid.SampledFrom([]string{`"assay.fs.access"`, `"assay.tool.decision"`, `"assay.env.filtered"`, `"other"`}).Draw(t, "type"),
		"source": `"urn:runner:1"`, "id": strconv.Quote(fmt.Sprint("run_a:", seq)), "time": `"2026-01-02T03:04:05Z"`, "datacontenttype": `"application/json"`,
		"assayrunid": `"run_a"`, "assayseq": strconv.Itoa(seq), "assayproducer": `"assay"`, "assayproducerversion": `"3.10.0"`,
		"data": fmt.Sprintf(`{"args": %s,"paths":[%s],"passed_keys":["PATH=/x"]}`, value.Draw(t, "value"), value.Draw(t, "value")),
	}
	if rapid.Bool().Draw(t, "plain data") {
		e["data"] = value.Draw(t, "data")
	}
	optional := map[string][]string{
		"subject": {`null`, `""`, `"/home/bob/x"`, `"run --token=xyzzy"`, `"hosts"`}, "tracestate": {`"a=1"`, `"password=x"`}, "zone": {`"/home/bob"`, `1`},
		"assaysemanticdigest": {`"sha256:0"`}, "assaydigestprofile": {`"p"`}, "assaypii": {`false`}, "assaysecrets": {`false`}, "assaygit": {`"unknown"`},
	}
	for _, name := range slices.Sorted(maps.Keys(optional)) {
		list := optional[name]
		if n := rapid.IntRange(0, len(list)).Draw(t, name); n > 0 {
			e[name] = list[n-1]
		}
	}
	return e
}

// drawStream draws a stream that verifies, in some spelling.
func drawStream(t *rapid.T, most int) []byte {
	ending := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "ending")
	space := rapid.SampledFrom([]string{"", " ", "\t  "}).Draw(t, "space")
	var lines []string
	for seq := range rapid.IntRange(1, most).Draw(t, "events") {
		lines = append(lines, spelled(t, drawEvent(t, seq), space))
	}
	text := strings.Join(lines, ending)
	if rapid.Bool().Draw(t, "last end") {
		text += ending
	}
	return []byte(text)
}

// spelled writes an event with its hash.
func spelled(t *rapid.T, e map[string]string, space string) string {
	write := func(names []string) string {
		var members []string
		for _, name := range names {
			members = append(members, strconv.Quote(name)+space+":"+space+e[name])
		}
		return "{" + space + strings.Join(members, space+","+space) + space + "}"
	}
	hash, err := evidence.ContentHash([]byte(write(slices.Sorted(maps.Keys(e)))))
	if err != nil {
		t.Fatalf("%v", err)
	}
	e["assaycontenthash"] = strconv.Quote(hash)
	return write(rapid.Permutation(slices.Sorted(maps.Keys(e))).Draw(t, "members"))
}

// naive redacts the lines of a stream one by one, and finds the hash as a text.
func naive(t require, text []byte) (out []byte, events []redact.Event) {
	redactor, hasher := privacy.NewRedactor(privacy.Default()), evidence.NewHasher(evidence.Options{})
	for i, line := range strings.SplitAfter(string(text), "\n") {
		event := strings.TrimRight(line, "\r\n")
		if event == "" {
			continue
		}
		r, err := hasher.Hash([]byte(event))
		if err != nil {
			t.Fatalf("%v", err)
		}
		patched, changes, err := redactor.Event(nil, r.Event)
		if err != nil {
			t.Fatalf("%v", err)
		}
		hash, written := string(r.Recorded), event
		if slices.ContainsFunc(changes, func(c privacy.Change) bool { return !c.Reported }) {
			if hash, err = evidence.ContentHash(patched); err != nil {
				t.Fatalf("%v", err)
			}
			written = strings.Replace(string(patched), string(r.Recorded), hash, 1)
		}
		out = append(out, written+line[len(event):]...)
		if len(changes) == 0 {
			continue
		}
		seq, _ := r.Event.Get(evidence.AttrSequence).Int()
		e := redact.Event{Line: i + 1, ID: string(r.ID), Seq: &seq, ContentHash: hash}
		for _, c := range changes {
			e.Changes = append(e.Changes, redact.Change{Pointer: c.Pointer, Class: c.Class.String(), Rule: c.Rule, Action: string(c.Action), Reported: c.Reported})
		}
		events = append(events, e)
	}
	return out, events
}

// valid verifies a text.
func valid(t require, text []byte) *bundle.Report {
	t.Helper()
	report, err := bundle.Verify(context.Background(), bytes.NewReader(text), -1, "", bundle.Options{All: true, UpstreamCompatible: false})
	if err != nil || report.Verdict != bundle.Valid {
		t.Fatalf("%v: %v\n%s", err, report.Findings, text)
	}
	return report
}

// TestStreamLaws: the redacted stream and the report are those of a naive redaction, whatever
// the number of workers and however the input comes; it verifies, and what was not listed is
// there byte for byte; a second redaction changes nothing.
func TestStreamLaws(t *testing.T) {
	changed := 0
	rapid.Check(t, func(t *rapid.T) {
		text := drawStream(t, 9)
		report, out := redacted(t, text, redact.Options{Jobs: rapid.IntRange(1, 3).Draw(t, "jobs")})
		want, events := naive(t, text)
		if !report.Redacted || !bytes.Equal(out, want) {
			t.Fatalf("from\n%s\n got\n%s\nwant\n%s", text, out, want)
		}
		if diff := gocmp.Diff(events, report.Events, cmpopts.IgnoreFields(redact.Event{}, "OriginalHash")); diff != "" {
			t.Fatalf("events: %s", diff)
		}
		changed += int(report.Summary.Changed)
		verified := valid(t, out)
		if verified.RunRoot != report.RunRoot || digest.Of(out).String() != report.OutputSHA256 || !report.InputVerified {
			t.Fatalf("%+v does not fit %+v", report, verified)
		}
		untouched(t, text, out, report)
		clean(t, out)
		again, same := redacted(t, out, redact.Options{})
		if again.Summary.Changes() > 0 || !bytes.Equal(same, out) || again.RunRoot != report.RunRoot {
			t.Fatalf("again\n%s\n%s", out, same)
		}

		var piped bytes.Buffer
		fromPipe, err := redact.Redact(context.Background(), iotest.HalfReader(bytes.NewReader(text)), -1, "run", nil, &piped, redact.Options{Staged: true})
		if err != nil || !bytes.Equal(piped.Bytes(), out) || fromPipe.OutputSHA256 != report.OutputSHA256 {
			t.Fatalf("from a pipe: %v\n%s", err, piped.Bytes())
		}
		checked, none := redacted(t, text, redact.Options{Check: true})
		if len(none) > 0 || checked.Summary != report.Summary || checked.OutputSHA256 != "" || checked.RunRoot != report.RunRoot {
			t.Fatalf("a check writes %q and says %+v", none, checked)
		}
	})
	if changed == 0 {
		t.Error("nothing was ever changed")
	}
}

// untouched compares the lines of events that are not listed.
func untouched(t require, text, out []byte, report *redact.Report) {
	before, after := bytes.SplitAfter(text, []byte("\n")), bytes.SplitAfter(out, []byte("\n"))
	if len(before) != len(after) {
		t.Fatalf("%d lines became %d", len(before), len(after))
	}
	for i := range before {
		listed := slices.ContainsFunc(report.Events, func(e redact.Event) bool { return e.Line == i+1 })
		if !listed && !bytes.Equal(before[i], after[i]) {
			t.Fatalf("line %d became another:\n%s%s", i+1, before[i], after[i])
		}
	}
}

// clean looks for secrets and home folders where a redaction changes values.
func clean(t require, out []byte) {
	scanner := newScanner(t)
	sweep(t, out)
	for text := range texts(t, out) {
		if hits := scanner.Scan([]byte(text)); len(hits) > 0 || strings.Contains(text, "bob") {
			t.Fatalf("%q has %v", text, hits)
		}
	}
}

// sweep looks for secrets.
func sweep(t require, out []byte) {
	scanner := newScanner(t)
	for text, name := range texts(t, out) {
		for _, h := range scanner.Scan([]byte(text)) {
			if h.Class > secrets.Home {
				t.Fatalf("%q matches %s", text, h.Rule)
			}
		}
		if slices.Contains(privacy.ForbiddenNames(), strings.NewReplacer("_", "", "-", "", " ", "").Replace(strings.ToLower(name))) && text != "" && text != "token" {
			t.Fatalf("a member %q is still in\n%s", name, out)
		}
	}
}

func newScanner(t require) *secrets.Scanner {
	set, err := secrets.Default()
	if err != nil {
		t.Fatalf("%v", err)
	}
	return secrets.NewScanner(set)
}

// texts are those that a redaction may change, with the names of all members of data.
func texts(t require, out []byte) iter.Seq2[string, string] {
	return func(yield func(text, name string) bool) {
		_, err := evidence.HashStream(context.Background(), bytes.NewReader(out), evidence.Options{Events: true}, func(r *evidence.Result) error {
			if r.Event == nil {
				return nil
			}
			subject, _ := r.Event.Get(evidence.AttrSubject).Text()
			if !yield(subject, "") {
				return io.EOF
			}
			for v := range r.Event.Get(evidence.AttrData).All() {
				if text, _ := v.Text(); !yield(text, v.Name()) {
					return io.EOF
				}
			}
			return nil
		})
		if err != nil {
			t.Fatalf("%v", err)
		}
	}
}

// TestBundleLaws: a bundle becomes the bundle of its redacted stream, under the producer that
// it names.
func TestBundleLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		stream := drawStream(t, 5)
		other := &bundle.Producer{Name: "other", Version: "1"}
		report, out := redacted(t, sealed(t, stream, other), redact.Options{Jobs: rapid.IntRange(1, 3).Draw(t, "jobs")})
		fromStream, redactedStream := redacted(t, stream, redact.Options{})
		if !bytes.Equal(out, sealed(t, redactedStream, other)) {
			t.Fatalf("not the bundle of\n%s", redactedStream)
		}
		verified := valid(t, out)
		if verified.BundleID != report.BundleID || verified.SHA256 != report.OutputSHA256 || report.RunRoot != fromStream.RunRoot || report.Kind != bundle.KindBundle {
			t.Fatalf("%+v does not fit %+v", report, verified)
		}
		if diff := gocmp.Diff(fromStream.Events, report.Events, byPointer); diff != "" {
			t.Fatalf("events: %s", diff)
		}
		if _, same := redacted(t, out, redact.Options{}); !bytes.Equal(same, out) {
			t.Fatalf("again it is another")
		}
	})
}

// byPointer forgets the order of changes, which is that of the event's members.
var byPointer = cmpopts.SortSlices(func(a, b redact.Change) int { return cmp.Compare(a.Pointer, b.Pointer) })

func sealed(t require, stream []byte, producer *bundle.Producer) []byte {
	t.Helper()
	var out bytes.Buffer
	made, err := bundle.Seal(context.Background(), bytes.NewReader(stream), -1, "", new(memory), &out, bundle.SealOptions{Producer: producer})
	if err != nil || made.SHA256 == "" {
		t.Fatalf("%v: %+v\n%s", err, made, stream)
	}
	return out.Bytes()
}

// TestDocumentLaws: a document that is written while its events come is the report's own, and
// is read as the report; it holds no value, no old hash and not the input's digest.
func TestDocumentLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := drawStream(t, 5)
		report, _ := redacted(t, text, redact.Options{})
		var whole, parts bytes.Buffer
		if err := redact.NewWriter(&whole).Close(report); err != nil {
			t.Fatalf("%v", err)
		}
		w := redact.NewWriter(&parts)
		apart, err := redact.Redact(context.Background(), bytes.NewReader(text), -1, "run", new(memory), io.Discard, redact.Options{OnEvent: w.Event})
		if err != nil || apart.Events != nil || w.Close(apart) != nil || !bytes.Equal(parts.Bytes(), whole.Bytes()) {
			t.Fatalf("%v\n%s\n%s", err, whole.Bytes(), parts.Bytes())
		}
		var back redact.Report
		if err := json.Unmarshal(whole.Bytes(), &back); err != nil {
			t.Fatalf("%v\n%s", err, whole.Bytes())
		}
		want := *report
		want.Redacted, want.Verified, want.Findings, want.Original = false, nil, nil, redact.Original{}
		if want.Events == nil {
			want.Events = []redact.Event{}
		}
		if diff := gocmp.Diff(want, back, cmpopts.IgnoreFields(redact.Event{}, "OriginalHash")); diff != "" {
			t.Fatal(diff)
		}
		tellsNothing(t, whole.String(), text, report)
	})
}

// tellsNothing looks for what a reader could test guesses by.
func tellsNothing(t require, document string, text []byte, report *redact.Report) {
	if report.Summary.Changed == 0 {
		return
	}
	for _, e := range report.Events {
		line := bytes.Split(text, []byte("\n"))[e.Line-1]
		r, err := evidence.NewHasher(evidence.Options{}).Hash(bytes.TrimRight(line, "\r"))
		if err != nil {
			t.Fatalf("%v", err)
		}
		if slices.ContainsFunc(e.Changes, func(c redact.Change) bool { return !c.Reported }) && strings.Contains(document, r.ContentHash()[len("sha256:"):]) {
			t.Fatalf("the old hash of line %d is in\n%s", e.Line, document)
		}
	}
	for _, secret := range []string{report.Verified.RunRoot, digest.Of(text).String(), "bob", "/root", "xyzzy", "AKIA"} {
		if strings.Contains(document, secret) {
			t.Fatalf("%q is in\n%s", secret, document)
		}
	}
}

// TestManyChanges: events with more changes than wait for their turn, and large ones, become
// what a naive redaction makes of them, with their values, whatever the number of workers.
func TestManyChanges(t *testing.T) {
	recipe := bundletest.Recipe{Events: 4, Set: map[string]json.RawMessage{}}
	for i, elements := range []int{16, 17, 9000, 200} {
		recipe.Set[fmt.Sprintf("%d/data", i)] = json.RawMessage("[" + strings.Repeat(`"/home/bob/x",`, elements) + `"x"]`)
	}
	text := recipe.Stream()
	want, events := naive(t, text)
	for _, jobs := range []int{1, 3} {
		values := 0
		report, out := redacted(t, text, redact.Options{Jobs: jobs, OnChange: func(_ *redact.Event, _ *redact.Change, before, after []byte) error {
			if string(before) == `"/home/bob/x"` && string(after) == `"~/**/x"` {
				values++
			}
			return nil
		}})
		if !bytes.Equal(out, want) || values != 16+17+9000+200 {
			t.Errorf("%d jobs: %d changes with their values, %d bytes instead of %d", jobs, values, len(out), len(want))
		}
		if diff := gocmp.Diff(events, report.Events, cmpopts.IgnoreFields(redact.Event{}, "OriginalHash")); diff != "" {
			t.Errorf("%d jobs: %s", jobs, diff)
		}
	}
}
