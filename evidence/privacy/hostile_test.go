package privacy_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/privacy"
)

// TestHostile: large and deep events are redacted, not refused.
func TestHostile(t *testing.T) {
	many := func(member string) string {
		var b strings.Builder
		for i := range 9_000 {
			fmt.Fprintf(&b, member+",", i)
		}
		return b.String()
	}
	deep := func(inner string) string { return strings.Repeat(`{"a":[`, 31) + inner + strings.Repeat(`]}`, 31) }
	long := strings.Repeat("n", 300)
	for name, c := range map[string]struct{ in, out string }{
		"9,000 members":               {`{` + many(`"k%d":"/home/bob/x"`) + `"z":1}`, `{` + many(`"k%d":"~/**/x"`) + `"z":1}`},
		"9,000 forbidden members":     {`[` + many(`{"k":%d,"api_key":"k"}`) + `{"secret":"k"}]`, `[` + many(`{"k":%d}`) + `{}]`},
		"a long text of paths":        {`"` + strings.Repeat("/home/b/ ", 100_000) + `"`, `"` + strings.Repeat("~/**/ ", 100_000) + `"`},
		"a long text of markers":      {`"` + strings.Repeat("--token=x ", 90_000) + `"`, `"` + strings.Repeat("--token=*** ", 90_000) + `"`},
		"62 levels":                   {deep(`"--token=x",{"api_key":"k"}`), deep(`"--token=***",{}`)},
		"a long name":                 {`{"` + long + `":{"a":"--token=x1"}}`, `{"` + long + `":{"a":"--token=***"}}`},
		"a marker in escapes":         {`"--\u0074\u006f\u006b\u0065\u006e\u003d\u0078"`, `"--token=***"`},
		"a secret over two elements":  {`["x","--password","p"]`, `["x","--password","***"]`},
		"characters that change size": {`"İ --token=x \u0000\r\n/home/b/x"`, `"İ --token=*** \u0000\r\n~/**/x"`},
	} {
		e := read([]byte(`{"type":"t","data":` + c.in + `}`))
		if e == nil {
			t.Errorf("%s: no event", name)
			continue
		}
		out, changes, err := privacy.NewRedactor(privacy.Default()).Event(nil, e)
		if want := `{"type":"t","data":` + c.out + `}`; err != nil || string(out) != want {
			t.Errorf("%s: %v, %d changes\n got %.200s\nwant %.200s", name, err, len(changes), out, want)
		}
	}
}

// TestLongPointers: a pointer is bounded, however deep and long-named the way to its value is.
func TestLongPointers(t *testing.T) {
	way := strings.Repeat(`{"`+strings.Repeat("é", 40)+`":`, 60)
	e := read([]byte(`{"type":"t","data":` + way + `["--token=x"]` + strings.Repeat("}", 60) + `}`))
	_, changes, err := privacy.NewRedactor(privacy.Default()).Event(nil, e)
	if err != nil || len(changes) != 1 {
		t.Fatal(err, changes)
	}
	if p := changes[0].Pointer; len(p) > 131 || !strings.HasPrefix(p, "/data/éé") || !strings.HasSuffix(p, "/0") || strings.ToValidUTF8(p, "?") != p {
		t.Errorf("%d bytes: %s", len(p), p)
	}
}

// TestSweepError: what a redaction leaves is said by place and rule, never by value.
func TestSweepError(t *testing.T) {
	err := error(&privacy.SweepError{Pointer: "/data/a\nb", Rule: "jwt"})
	if want := `"/data/a\nb" still matches the secret rule jwt after its redaction`; err.Error() != want || !errors.As(err, new(*privacy.SweepError)) {
		t.Error(err)
	}
}

// unchanged is an event in which there is nothing to find.
const unchanged = `{"specversion":"1.0","type":"assay.tool.decision","source":"urn:assay:runner:1","id":"run_a:7","time":"2026-01-02T03:04:05Z","subject":"tool:read_file",` +
	`"assayrunid":"run_a","assayseq":7,"assayproducer":"assay","assayproducerversion":"2.6.0","traceparent":"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",` +
	`"datacontenttype":"application/json","data":{"tool":"read_file","decision":"allow","reason_code":"P_ALLOW","args":{"path":"/etc/hosts \"x\"","list":["a","b",3]},` +
	`"policy_digest":"sha256:0c441e99738e5d82e386f794c1ffc6686723715d85e3c7528936b481b61abf2a","delegated_from":"agent:planner","delegation_depth":1}}`

// changed is one in which something is hidden.
const changed = `{"specversion":"1.0","type":"assay.tool.decision","source":"urn:assay:runner:1","id":"run_a:7","subject":"/home/bob/project/x",` +
	`"datacontenttype":"application/json","data":{"tool":"run","decision":"allow","args":{"argv":["deploy","--token","abc"],"env":"password=x y","api_key":"z"}}}`

func event1(tb testing.TB, text string) *evidence.Event {
	r, err := evidence.NewHasher(evidence.Options{}).Hash([]byte(text))
	if err != nil || r.Event == nil {
		tb.Fatal(err, r.Findings)
	}
	return r.Event
}

// TestAllocatesNothing holds the cost of an event in which nothing is found.
func TestAllocatesNothing(t *testing.T) {
	e := event1(t, unchanged)
	for name, p := range map[string]*privacy.Policy{"default": privacy.Default(), "a file's": mustParse("classes:\n- {type: assay.*, pointer: /data/args, class: sensitive}\n- {pointer: /data/**/x, class: forbidden}\n")} {
		r := privacy.NewRedactor(p)
		if n := testing.AllocsPerRun(100, func() {
			if out, changes, err := r.Event(nil, e); err != nil || len(changes) > 0 || out != nil {
				t.Fatal(err, changes)
			}
		}); n > 0 {
			t.Errorf("%s policy: %v allocations", name, n)
		}
	}
}

// BenchmarkEvent redacts one event, and compares with its hash.
func BenchmarkEvent(b *testing.B) {
	for name, text := range map[string]string{"unchanged": unchanged, "changed": changed} {
		e := event1(b, text)
		b.Run(name, func(b *testing.B) {
			r := privacy.NewRedactor(privacy.Default())
			var out []byte
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				var err error
				if out, _, err = r.Event(out[:0], e); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(name+"/hash", func(b *testing.B) {
			h := evidence.NewHasher(evidence.Options{})
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if _, err := h.Hash([]byte(text)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// worst are events of about a megabyte that make the redactor, and not a rule of texts, work
// hard.
func worst() map[string]string {
	wrap := func(data string) string { return `{"type":"t","data":` + data + `}` }
	fill := func(piece string) string {
		return strings.TrimSuffix(strings.Repeat(piece+",", 900_000/(len(piece)+1)), ",")
	}
	way := strings.Repeat(`{"`+strings.Repeat("n", 60)+`":`, 60)
	return map[string]string{
		"numbers":         wrap(`[` + fill(`7`) + `]`),
		"empty objects":   wrap(`[` + fill(`{}`) + `]`),
		"members":         wrap(`[` + fill(`{"a":1,"b":2,"c":null}`) + `]`),
		"texts":           wrap(`[` + fill(`"x"`) + `]`),
		"flags":           wrap(`["x",` + fill(`"--token"`) + `]`),
		"paths":           wrap(`[` + fill(`"/home/b"`) + `]`),
		"forbidden names": wrap(`[` + fill(`{"api_key":"k"}`) + `]`),
		"a long way":      wrap(way + `[` + fill(`"/home/b"`) + `]` + strings.Repeat("}", 60)),
		"escaped names":   wrap(`[` + fill(`{"\u0061\u0062":"\u0061"}`) + `]`),
	}
}

// BenchmarkWorst has the speed on each of them.
func BenchmarkWorst(b *testing.B) {
	for name, text := range worst() {
		b.Run(name, func(b *testing.B) {
			e, r := event1(b, text), privacy.NewRedactor(privacy.Default())
			var out []byte
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				var err error
				if out, _, err = r.Event(out[:0], e); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
