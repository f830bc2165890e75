package redact

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/bundle"
	"github.com/cupel-dev/cupel/evidence/privacy"
	"github.com/cupel-dev/cupel/internal/digest"
)

func tempFile(t testing.TB) *os.File {
	t.Helper()
	f, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return f
}

// bundleOf seals events.
func bundleOf(t testing.TB, events string) []byte {
	t.Helper()
	var out bytes.Buffer
	sealed, err := bundle.Seal(context.Background(), strings.NewReader(events), -1, "run.ndjson", tempFile(t), &out, bundle.SealOptions{})
	if err != nil || sealed.Report.Verdict != bundle.Valid {
		t.Fatal(err, sealed.Report.Findings)
	}
	return out.Bytes()
}

// committedOf makes a bundle of events that commits to their values.
func committedOf(t testing.TB, plain []byte) (made, secrets []byte, c *Committed) {
	t.Helper()
	var out, opened bytes.Buffer
	c, err := Commit(context.Background(), bytes.NewReader(plain), -1, "run.tar.gz", tempFile(t), &out, &opened, Options{})
	if err != nil || c.Report.Verdict != bundle.Valid {
		t.Fatal(err)
	}
	return out.Bytes(), opened.Bytes(), c
}

// opens holds a disclosure against a bundle, and returns the revealed events.
func opens(t testing.TB, made, disclosure []byte) (o *Opener, events, faults string) {
	t.Helper()
	o = NewOpener(bytes.NewReader(disclosure))
	var text bytes.Buffer
	r, err := bundle.Verify(context.Background(), bytes.NewReader(made), -1, "run.tar.gz", bundle.Options{Each: func(r *evidence.Result) error {
		event, err := o.Reveal(r)
		text.Write(append(event, '\n'))
		return err
	}})
	if err != nil || r.Verdict != bundle.Valid {
		t.Fatal(err, r)
	}
	sum, _ := digest.Parse([]byte(r.SHA256))
	findings, err := o.Finish(sum)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range findings {
		faults += f.Rule + " " + f.Path + ": " + f.Message + "\n"
	}
	return o, text.String(), faults
}

// unsealed are the events of a bundle.
func unsealed(t testing.TB, text []byte) string {
	t.Helper()
	var out bytes.Buffer
	if _, err := bundle.Unseal(context.Background(), bytes.NewReader(text), -1, "run.tar.gz", &out, bundle.Options{}); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// eventOf is an event of a run.
func eventOf(seq int, kind, data string) string {
	return fmt.Sprintf(`{"specversion":"1.0","type":%q,"source":"urn:t","id":"r:%d","time":"2026-01-01T00:00:00Z","datacontenttype":"application/json","assayrunid":"r","assayseq":%d,"assayproducer":"p","assayproducerversion":"1","subject":"/home/eve/%d","data":%s}`+"\n", kind, seq, seq, seq, data)
}

// values draws JSON of any depth, with names that need escapes in a pointer or are long.
func values(depth int) *rapid.Generator[any] {
	leaf := rapid.OneOf(
		rapid.Map(rapid.StringMatching(`[a-z0-9 "\\é~/]{0,12}`), func(s string) any { return s }),
		rapid.Map(rapid.IntRange(0, 9999), func(n int) any { return n }),
		rapid.Map(rapid.SampledFrom([]any{true, false, nil, 0.5, "--password 4711", "/home/bob/x", "ghp_0123456789abcdefghijABCDEFGHIJ012345"}), func(v any) any { return v }),
	)
	if depth == 0 {
		return leaf
	}
	name := rapid.OneOf(rapid.StringMatching(`[a-z~/ ]{0,3}`), rapid.Just(strings.Repeat("n", 70)), rapid.SampledFrom([]string{"tool", "password", "decision", "/home/bob/x"}))
	return rapid.OneOf(
		leaf,
		rapid.Map(rapid.SliceOfN(values(depth-1), 0, 3), func(l []any) any { return l }),
		rapid.Map(rapid.MapOfN(name, values(depth-1), 0, 4), func(m map[string]any) any { return m }),
	)
}

// commitmentFile is a file of secrets or a disclosure, to be changed.
type commitmentFile struct {
	Schema string `json:"schema"`
	Events []struct {
		Line   int         `json:"line"`
		Values []fileValue `json:"values"`
	} `json:"events"`
	OutputSHA256 string `json:"output_sha256"`
}

// fileValue is a value of one.
type fileValue struct {
	Pointer string          `json:"pointer"`
	Salt    string          `json:"salt"`
	Value   json.RawMessage `json:"value"`
}

func readFile(t testing.TB, text []byte) (f commitmentFile) {
	t.Helper()
	if err := json.Unmarshal(text, &f); err != nil {
		t.Fatal(err)
	}
	return f
}

func (f commitmentFile) text(t testing.TB) []byte {
	t.Helper()
	text, err := json.Marshal(f)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// Whatever the events hold: all secrets give the original back, any part of them verifies, and no
// redaction finds anything in what the bundle says.
func TestAnyPartOfTheValuesVerifies(t *testing.T) {
	rapid.Check(t, func(d *rapid.T) {
		var events strings.Builder
		for seq := range rapid.IntRange(1, 4).Draw(d, "events") {
			data, _ := json.Marshal(values(3).Draw(d, "data"))
			events.WriteString(eventOf(seq, rapid.SampledFrom([]string{"assay.tool.decision", "x.other"}).Draw(d, "type"), string(data)))
		}
		plain := bundleOf(t, events.String())
		made, secrets, c := committedOf(t, plain)
		o, all, faults := opens(t, made, secrets)
		if faults != "" || o.Committed != c.Values || o.Opened != c.Values {
			d.Fatalf("all secrets: %d of %d of %d: %s", o.Opened, o.Committed, c.Values, faults)
		}
		if original := unsealed(t, plain); all != original {
			d.Fatalf("revealed\n%soriginal\n%s", all, original)
		}
		redactor := privacy.NewRedactor(privacy.Default())
		_, err := bundle.Verify(context.Background(), bytes.NewReader(made), -1, "", bundle.Options{Each: func(r *evidence.Result) error {
			_, changes, err := redactor.Event(nil, r.Event)
			if len(changes) > 0 {
				d.Fatalf("found in a committed event: %+v", changes)
			}
			return err
		}})
		if err != nil {
			d.Fatal(err)
		}

		part, kept := readFile(t, secrets), int64(0)
		for i := range part.Events {
			e := &part.Events[i]
			var some []fileValue
			for _, v := range e.Values {
				if rapid.Bool().Draw(d, "kept") {
					some = append(some, v)
				}
			}
			if e.Values = some; some == nil {
				e.Values = []fileValue{}
			}
			kept += int64(len(some))
		}
		if o, _, faults := opens(t, made, part.text(t)); faults != "" || o.Opened != kept {
			d.Fatalf("a part: %d of %d: %s", o.Opened, kept, faults)
		}
	})
}

// What is changed, moved to another place or event, or guessed does not verify.
// The numbers are long, so that no digest has their digits by chance.
func TestOtherValuesDoNotVerify(t *testing.T) {
	events := eventOf(0, "x.y", `{"pin":"471147114711","a":{"pin":"471147114711","n":471147114711},"list":["471147114711","471147114711"]}`) + eventOf(1, "x.y", `{"pin":"471147114711","a":{"pin":"471147114711","n":471147114711},"list":["471147114711","471147114711"]}`)
	made, secrets, _ := committedOf(t, bundleOf(t, events))
	if text := unsealed(t, made); strings.Contains(text, "471147114711") || strings.Contains(text, "eve") {
		t.Fatalf("a value is left in %s", text)
	}
	file := readFile(t, secrets)
	digests := map[string]bool{}
	for _, e := range file.Events {
		for _, v := range e.Values {
			salt, err := hex.DecodeString(v.Salt)
			if err != nil {
				t.Fatal(err)
			}
			digests[Commitment(Salt(salt), v.Pointer, v.Value).String()] = true
		}
	}
	if len(digests) != 12 {
		t.Fatalf("%d commitments, expected 12 that differ although the values are the same", len(digests))
	}
	for i, e := range file.Events {
		for j, v := range e.Values {
			for name, change := range map[string]func(*fileValue){
				"changed": func(v *fileValue) { v.Value = json.RawMessage(`"471147114712"`) },
				"kind":    func(v *fileValue) { v.Value = json.RawMessage(`[471147114711]`) },
				"guessed": func(v *fileValue) { v.Salt = strings.Repeat("0", 64) },
				"salt":    func(v *fileValue) { v.Salt = v.Salt[1:] + "0" },
				"pointer": func(v *fileValue) { v.Pointer += "x" },
				"place": func(v *fileValue) {
					v.Pointer = map[bool]string{true: "/data/pin", false: "/data/a/pin"}[v.Pointer != "/data/pin"]
				},
				"event": func(v *fileValue) { *v = file.Events[1-i].Values[j] },
			} {
				other := readFile(t, secrets)
				change(&other.Events[i].Values[j])
				o, _, faults := opens(t, made, other.text(t))
				if !strings.HasPrefix(faults, "Redaction") || o.Opened > 11 {
					t.Errorf("%s: line %d, %s: %d opened, faults %q", name, e.Line, v.Pointer, o.Opened, faults)
				}
			}
		}
	}
	for name, change := range map[string]func(*commitmentFile){
		"line":   func(f *commitmentFile) { f.Events[1].Line = 7 },
		"bundle": func(f *commitmentFile) { f.OutputSHA256 = digest.Of(nil).String() },
		"schema": func(f *commitmentFile) { f.Schema = Schema },
	} {
		other := readFile(t, secrets)
		change(&other)
		if _, _, faults := opens(t, made, other.text(t)); faults == "" {
			t.Errorf("%s: no fault", name)
		}
	}
}

// Sealing a committed bundle again commits to the commitments, and a redaction leaves it as it is.
func TestCommittedEventsAreNotRedacted(t *testing.T) {
	made, _, _ := committedOf(t, bundleOf(t, eventOf(0, "x.y", `{"password":"hunter2hunter2","ghp_0123456789abcdefghijABCDEFGHIJ012345":1}`)))
	text := unsealed(t, made)
	if strings.Contains(text, "hunter2") || strings.Contains(text, "ghp_") {
		t.Fatalf("a secret is left in %s", text)
	}
	var out bytes.Buffer
	report, err := Redact(context.Background(), bytes.NewReader(made), -1, "run.tar.gz", tempFile(t), &out, Options{})
	if err != nil || !report.Redacted || report.Summary.Changed != 0 || !bytes.Equal(out.Bytes(), made) {
		t.Fatalf("%v: %+v, same bytes: %v", err, report.Summary, bytes.Equal(out.Bytes(), made))
	}
}
