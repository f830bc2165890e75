package envelope_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/internal/envelope"
)

// eventCase is a line and what is wrong with it.
type eventCase struct {
	Name   string
	Text   string          // the line without its line feed, or
	Hex    string          // its bytes where they are not UTF-8
	Flags  []string        // upstream-compatible, lenient-time, require-traceparent, strict
	Limits json.RawMessage // overrides
	Faults []string        // "code severity detail pointer column", in their order
}

// readCases reads the case file.
func readCases(tb testing.TB) (list []eventCase) {
	tb.Helper()
	text, err := os.ReadFile("../../../testdata/evidence/envelope.jsonl")
	if err != nil {
		tb.Fatal(err)
	}
	for line := range bytes.Lines(text) {
		var c eventCase
		if err := json.Unmarshal(line, &c); err != nil {
			tb.Fatalf("case %d: %v", len(list)+1, err)
		}
		if c.Hex != "" {
			raw, err := hex.DecodeString(c.Hex)
			if err != nil {
				tb.Fatal(err)
			}
			c.Text = string(raw)
		}
		list = append(list, c)
	}
	if len(list) == 0 {
		tb.Fatal("no cases")
	}
	return list
}

func options(flags ...string) envelope.Options {
	has := func(flag string) bool { return slices.Contains(flags, flag) }
	return envelope.Options{
		UpstreamCompatible: has("upstream-compatible"), LenientTime: has("lenient-time"),
		RequireTraceParent: has("require-traceparent"), Strict: has("strict"),
	}
}

// checked is what is said of one event.
type checked struct {
	view   envelope.View
	faults []envelope.Fault
}

// check reads the first line of a stream and checks it.
func check(tb testing.TB, line string, limits evidence.Limits, opt envelope.Options) (first checked) {
	tb.Helper()
	number := 0
	_, err := evidence.CheckStream(tb.Context(), strings.NewReader(line+"\n"), evidence.Options{Lines: true, Jobs: 1, Limits: limits},
		func() func(*evidence.Result, *checked) {
			c := envelope.NewChecker(opt)
			return func(r *evidence.Result, said *checked) { said.view, said.faults = c.Check(r) }
		},
		func(_ *evidence.Result, said *checked) error {
			if number++; number == 1 {
				first = *said
			}
			return nil
		})
	if err != nil || number == 0 {
		tb.Fatalf("%d events, %v", number, err)
	}
	return first
}

// TestCheck runs the case file.
func TestCheck(t *testing.T) {
	for _, c := range readCases(t) {
		var limits evidence.Limits
		if c.Limits != nil {
			var err error
			if limits, err = evidence.ParseLimits(c.Limits); err != nil {
				t.Fatal(err)
			}
		}
		got := []string{}
		for _, f := range check(t, c.Text, limits, options(c.Flags...)).faults {
			got = append(got, fmt.Sprintf("%s %d", summary(f), f.Finding.Column))
			if f.Finding.Message == "" || f.Finding.Line != 1 {
				t.Errorf("%s: %+v", c.Name, f)
			}
		}
		if !slices.Equal(got, c.Faults) {
			t.Errorf("%s: %s\n got %q\nwant %q", c.Name, c.Text, got, c.Faults)
		}
	}
}

// summary returns a fault without its place in the text and its words.
func summary(f envelope.Fault) string {
	return fmt.Sprintf("%s %v %s %s", f.Finding.Rule, f.Finding.Severity, f.Detail, f.Finding.Path)
}

func summaries(list []envelope.Fault) []string {
	lines := []string{}
	for _, f := range list {
		lines = append(lines, summary(f))
	}
	return lines
}

// TestView reads every member, and the defaults of those that are not there.
func TestView(t *testing.T) {
	for text, want := range map[string]string{
		`{"specversion":"1.0","type":"t\u0041","source":"s:","id":"r:7","time":"2026-01-02T03:04:05.5Z","datacontenttype":"c","subject":"","assayrunid":"r","assayseq":7,` +
			`"assayproducer":"p","assayproducerversion":"1","assaygit":"g","assaypii":true,"assaysecrets":true,"assaycontenthash":"h","data":1}`: `tA s: r:7 2026-01-02T03:04:05.500Z true c "" true r 7 true p 1 g true true`,
		`{}`: `   1970-01-01T00:00:00Z false  "" false  0 false   unknown false false`,
		`{"type":7,"assayseq":-1,"time":"x","subject":null,"assaygit":null,"assaypii":null}`: `   1970-01-01T00:00:00Z false  "" false  0 false   unknown false false`,
	} {
		v := check(t, text, evidence.Limits{}, envelope.Options{}).view
		got := fmt.Sprintf("%s %s %s %v %v %s %q %v %s %d %v %s %s %s %v %v", v.Type, v.Source, v.ID, v.Time, v.Timed, v.ContentType,
			v.Subject, v.Subject != nil, v.RunID, v.Sequence, v.Sequenced, v.Producer, v.ProducerVersion, v.Git, v.PII, v.Secrets)
		if got != want {
			t.Errorf("%s\n got %s\nwant %s", text, got, want)
		}
	}
}

// TestCanonicalWhenAsked: whether an event is canonical is said when somebody asks.
func TestCanonicalWhenAsked(t *testing.T) {
	for text, canonical := range map[string]bool{`{"a":1,"type":"t"}`: true, `{"a":1,"type": "t"}`: false, `{"type":"t","a":1}`: false} {
		for _, opt := range []envelope.Options{{}, {Canonical: true}, {Strict: true}} {
			if got := check(t, text, evidence.Limits{}, opt).view.Canonical; got != (canonical && (opt.Canonical || opt.Strict)) {
				t.Errorf("%s, %+v: %v", text, opt, got)
			}
		}
	}
}

// TestUnknownAttributesAreCounted: one finding for all of them, however many.
func TestUnknownAttributesAreCounted(t *testing.T) {
	for count, want := range map[int]string{1: `define: "x0"`, 8: `"x7"`, 9: `"x7" and 1 more`, 5000: `"x7" and 4992 more`} {
		var b strings.Builder
		for i := range count {
			fmt.Fprintf(&b, `"x%d":0,`, i)
		}
		faults := check(t, "{"+b.String()+`"type":"t"}`, evidence.Limits{}, options("strict")).faults
		i := slices.IndexFunc(faults, func(f envelope.Fault) bool { return f.Detail == "attribute.unknown" })
		if i < 0 || !strings.HasSuffix(faults[i].Finding.Message, want) || len(faults) > 20 {
			t.Errorf("%d attributes: %d faults, %+v", count, len(faults), faults[max(i, 0)])
		}
	}
}

// TestCheckAllocatesNothing holds the cost of an event without faults.
func TestCheckAllocatesNothing(t *testing.T) {
	text := []byte(readCases(t)[0].Text)
	r, err := evidence.NewHasher(evidence.Options{}).Hash(text)
	if err != nil {
		t.Fatal(err)
	}
	c := envelope.NewChecker(envelope.Options{UpstreamCompatible: true, RequireTraceParent: true})
	if n := testing.AllocsPerRun(100, func() {
		if _, faults := c.Check(&r); faults != nil {
			t.Fatal(faults)
		}
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

// BenchmarkCheck compares with the hash of the same event, as the reference implementation
// writes it: in canonical JSON.
func BenchmarkCheck(b *testing.B) {
	text := []byte(`{"assaycontenthash":"sha256:0c441e99738e5d82e386f794c1ffc6686723715d85e3c7528936b481b61abf2a","assaygit":"abc1234","assaypii":false,` +
		`"assayproducer":"assay-evidence-test","assayproducerversion":"0.1.0-test","assayrunid":"run_golden_test_12345","assaysecrets":false,"assayseq":0,` +
		`"data":{"message":"This is a deterministic test event","nested":{"a_field":1,"m_field":2,"z_field":3},"seq":0},"datacontenttype":"application/json",` +
		`"id":"run_golden_test_12345:0","source":"urn:assay:determinism-test","specversion":"1.0","time":"2023-11-14T22:13:20Z","type":"assay.determinism.test"}`)
	h := evidence.NewHasher(evidence.Options{})
	r, err := h.Hash(text)
	if err != nil {
		b.Fatal(err)
	}
	c := envelope.NewChecker(envelope.Options{})
	if _, faults := c.Check(&r); !r.Event.Canonical() || faults != nil {
		b.Fatalf("%+v", faults)
	}
	b.Run("hash", func(b *testing.B) {
		for b.Loop() {
			if _, err := h.Hash(text); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("check", func(b *testing.B) {
		for b.Loop() {
			c.Check(&r)
		}
	})
	b.Run("canonical", func(b *testing.B) {
		for b.Loop() {
			r.Event.Canonical()
		}
	})
}
