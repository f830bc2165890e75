package format

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/internal/jcs"
	"github.com/cupel-dev/cupel/internal/reasoningtest"
	"github.com/cupel-dev/cupel/internal/siphash"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/fault"
	"github.com/cupel-dev/cupel/trace/internal/stream"
)

func scan(t *testing.T, text string) strictjson.Node {
	t.Helper()
	doc, err := strictjson.NewScanner(strictjson.Limits{}).Scan([]byte(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return doc.Root()
}

// readLine reads one line of a trace that begins with the given record.
func readLine(t *testing.T, opt Options, text string) (*Block, *Record) {
	t.Helper()
	if opt.Versions == nil {
		opt.Versions = []int64{1}
	}
	opt.Additive = 10
	r := NewReader(opt, NewBlocks(20))
	r.Line(stream.Line{Number: 1, Bytes: []byte(text)}, scan(t, text))
	b := r.Flush()
	return b, &b.Records[0]
}

// faults returns the structural faults of a block, and then its additive members, as "rule path".
func faults(b *Block) (list []string) {
	found, _, _, _ := b.Faults.Close()
	for _, f := range found {
		list = append(list, f.Rule+" "+f.Path)
	}
	for i := range b.Additive {
		f := b.Explain(&fault.Log{}, &b.Additive[i])
		list = append(list, f.Rule+" "+f.Path)
	}
	return list
}

const (
	hash  = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"
	other = "486ea46224d1bb4fb680f34f7c9ad96a8f24ec88be73ea8e5a6c65260e9cb8a7"
)

// TestEvents reads events, which are whole lines in the flat shape.
func TestEvents(t *testing.T) {
	started := func(more string) string { return `{"idx":0,"kind":"step_started","step_id":"s"` + more + `}` }
	output := func(members string) string {
		return `{"idx":0,"kind":"step_finished","step_id":"s","output":{` + members + `}}`
	}
	call := func(kind, detail string) string {
		return `{"idx":0,"kind":"` + kind + `","step_id":"s",` + detail + `}`
	}
	support := func(s string) string {
		return call("claim_emitted", `"claim":{"supports":[{"span":[0,1],"snippet_sha256":"x"},`+s+`]}`)
	}
	for text, want := range map[string][]string{
		started(""): nil,
		started(`,"schema_version":1,"trace_schema_version":null`):        nil,
		started(`,"schema_version":2`):                                    {"header.version_unsupported schema_version"},
		started(`,"trace_schema_version":"1"`):                            {"field.type trace_schema_version"},
		started(`,"mood":"calm","":0`):                                    {"field.unknown mood", "field.unknown "},
		`{"idx":0,"kind":"step_started"}`:                                 {"field.missing step_id"},
		`{"idx":null,"kind":"step_started","step_id":""}`:                 {"field.missing idx", "field.empty step_id"},
		`{"idx":1.0,"kind":"step_started","step_id":7}`:                   {"field.type idx", "field.type step_id"},
		`{"idx":9223372036854775808,"kind":"step_started","step_id":"s"}`: {"field.type idx"},
		`{"idx":0,"kind":"dreamed"}`:                                      {"event.kind_unknown kind"},
		`{"idx":0,"kind":""}`:                                             {"field.empty kind"},
		`{"idx":0,"kind":7}`:                                              {"field.type kind"},
		`{"idx":0,"step_id":"s"}`:                                         {"field.missing kind"},
		call("tool_called", `"call":7`):                                   {"field.type call"},
		call("tool_called", `"call":{"id":"c","step_id":"s","tool_name":"t","arguments":{},"call_idx":0}`):                         nil,
		call("tool_called", `"call":{"arguments":[],"call_idx":"0"}`):                                                              {"field.missing call.id", "field.type call.arguments", "field.type call.call_idx"},
		call("tool_called", `"tool_call":{"id":"c"}`):                                                                              {"field.missing call", "field.unknown tool_call"},
		call("tool_returned", `"result":{"call_id":"c","success":true,"result":[],"error":null}`):                                  nil,
		call("tool_returned", `"result":{"call_id":"c","success":1,"error":{}}`):                                                   {"field.type result.success", "field.type result.error"},
		call("evidence_registered", `"evidence":{"id":"e","uri":"u","span":[0,1],"sha256":"x","content_path":"p","chunk_id":"x"}`): nil,
		call("evidence_registered", `"evidence":{"id":"e","uri":"","span":[0,1,2],"sha256":"x"}`):                                  {"field.missing evidence.chunk_id", "field.missing evidence.content_path", "field.empty evidence.uri", "field.type evidence.span"},
		call("claim_emitted", `"claim":{"supports":[],"confidence":"high","structured":[]}`):                                       {"field.type claim.confidence", "field.type claim.structured"},
		call("claim_emitted", `"claim":{"supports":{}}`):                                                                           {"field.type claim.supports"},
		support(`{"span":["0",1],"snippet_sha256":"x"}`):                                                                           {"field.type claim.supports[1].span"},
		support(`7`): {"field.type claim.supports[1]"},
		support(`{"span":[0,1],"snippet_sha256":"x","page":1},{"span":[0,1],"snippet_sha256":"x","page":1}`): {"field.unknown claim.supports[1].page"},
		output(`"type":"derive","claim_ids":["a"]`):                                                          nil,
		output(`"kind":"insufficient","retrieved":0`):                                                        nil,
		output(`"type":"insufficient_evidence","kind":"insufficient"`):                                       nil,
		output(`"type":"derive","claim_ids":["a",1]`):                                                        {"field.type output.claim_ids"},
		output(`"type":"derive","kind":"gather"`):                                                            {"output.kind_conflict output.type"},
		output(`"type":"dream"`):                                                                             {"output.kind_unknown output.type"},
		output(`"kind":"dream"`):                                                                             {"output.kind_unknown output.kind"},
		output(`"claim_ids":[]`):                                                                             {"field.missing output.type"},
		output(`"type":7`):                                                                                   {"field.type output.type"},
		output(`"type":""`):                                                                                  {"field.empty output.type"},
	} {
		b, rec := readLine(t, Options{}, text)
		broken := slices.ContainsFunc(want, func(s string) bool { return !strings.HasPrefix(s, "field.unknown") })
		if got := faults(b); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
		if rec.Role != IsEvent || b.Event(rec).Broken != broken {
			t.Errorf("%s: role %d, broken %v", text, rec.Role, b.Event(rec).Broken)
		}
		wrapped, _ := readLine(t, Options{Shape: Shape{Wrapped: true}}, `{"record":"trace_event","event":`+text+`}`)
		if got := faults(wrapped); !strings.Contains(text, "schema_version") && len(got) != len(want) {
			t.Errorf("%s, wrapped: %q, want %q", text, got, want)
		}
	}
}

// TestLines checks the kinds of lines in both shapes.
func TestLines(t *testing.T) {
	event := `{"idx":0,"kind":"step_started","step_id":"s"}`
	for _, c := range []struct {
		wrapped bool
		text    string
		role    Role
		want    []string
	}{
		{true, `{"record":"trace_event","event":` + event + `}`, IsEvent, nil},
		{true, `{"record":"trace_event"}`, IsEvent, []string{"field.missing event"}},
		{true, `{"record":"trace_event","event":[]}`, IsEvent, []string{"field.type event"}},
		{true, `{"record":"trace_header","schema_version":1}`, IsHeader, nil},
		{true, `{"record":"trace_header","trace_schema_version":1,"fingerprint_algo":"sha256"}`, IsHeader, nil},
		{true, `{"record":"trace_header"}`, IsHeader, []string{"field.missing schema_version"}},
		{true, `{"record":"trace_header","schema_version":3}`, IsHeader, []string{"header.version_unsupported schema_version"}},
		{true, `{"record":"trace_header","schema_version":1,"trace_schema_version":2}`, IsHeader, []string{"header.version_conflict schema_version"}},
		{true, `{"record":"trace_header","schema_version":1,"fingerprint_algo":"md5","canonicalization_version":2}`, IsHeader, []string{"header.algo_unsupported fingerprint_algo", "header.canon_unsupported canonicalization_version"}},
		{true, `{"record":"footer"}`, IsMisfit, []string{"record.unknown record"}},
		{true, `{"record":7}`, IsMisfit, []string{"field.type record"}},
		{true, event, IsMisfit, []string{"record.unknown record"}},
		{false, `{"record":"trace_event","event":` + event + `}`, IsMisfit, []string{"record.unknown record"}},
		{false, `{"trace_schema_version":1}`, IsHeader, nil},
		{false, `{"fingerprint_algo":"sha256"}`, IsHeader, nil},
		{false, `{"idx":0,"trace_schema_version":1}`, IsEvent, []string{"field.missing kind"}},
		{false, `{"mood":"calm"}`, IsEvent, []string{"field.missing idx", "field.missing kind", "field.unknown mood"}},
	} {
		b, rec := readLine(t, Options{Shape: Shape{Wrapped: c.wrapped}}, c.text)
		if got := faults(b); rec.Role != c.role || !slices.Equal(got, c.want) {
			t.Errorf("%s: role %d, %q; want %d, %q", c.text, rec.Role, got, c.role, c.want)
		}
	}
}

// TestAliases reads the names of old writers when it is asked to; the name of the format
// wins.
func TestAliases(t *testing.T) {
	text := `{"idx":0,"kind":"tool_called","step_id":"s","tool_call":{"id":"old"}}`
	b, rec := readLine(t, Options{Aliases: true}, text)
	if got := faults(b); got != nil || b.Event(rec).ID.String() != "old" {
		t.Errorf("%q, id %q", got, b.Event(rec).ID)
	}
	for _, text := range []string{
		`{"idx":0,"kind":"tool_called","step_id":"s","tool_call":{"id":"old"},"call":{"id":"new"}}`,
		`{"idx":0,"kind":"tool_called","step_id":"s","call":{"id":"new"},"tool_call":{"id":"old"}}`,
	} {
		if b, rec = readLine(t, Options{Aliases: true}, text); b.Event(rec).ID.String() != "new" {
			t.Errorf("%s: id %q", text, b.Event(rec).ID)
		}
	}
	b, _ = readLine(t, Options{}, text)
	found, _, _, _ := b.Faults.Close()
	if len(found) != 1 || found[0].Help != `"tool_call" is an old name of it: accept it with --accept-aliases` {
		t.Errorf("%+v", found)
	}
	b, _ = readLine(t, Options{Versions: []int64{1, 2}}, `{"trace_schema_version":3}`)
	if found, _, _, _ := b.Faults.Close(); len(found) != 1 || found[0].Expected != "one of [1 2]" {
		t.Errorf("%+v", found)
	}
}

// TestClaim reads what a claim cites: its supports, and the markers that none of them
// states.
func TestClaim(t *testing.T) {
	statement := fmt.Sprintf("a [evidence:e1:0-5:%s] b [evidence:e2:1-3:%s] c [evidence:e3] d [evidence:e4:x:y]", hash, other)
	text := fmt.Sprintf(`{"idx":4,"kind":"claim_emitted","step_id":"s","claim":{"id":"c1","statement":%q,"supports":[`+
		`{"ref_id":"e1","span":[0,5],"snippet_sha256":%q},{"kind":"claim","ref_id":"","evidence_id":"c0","span":[0,1],"snippet_sha256":"x","hash_algo":"md5"},`+
		`{"kind":"tool_call","span":[5,1],"snippet_sha256":%q},{"kind":"guess","span":[-1,1],"snippet_sha256":%q}]}}`, statement, hash, other, other)
	keys := siphash.NewKey()
	b, rec := readLine(t, Options{Keys: keys}, text)
	if got := faults(b); got != nil {
		t.Fatalf("%q", got)
	}
	e := b.Event(rec)
	c := &e.Claim
	if !c.Derived || !c.Marked || len(c.Supports) != 4 || len(c.Cited) != 5 || len(c.Loose) != 2 || c.Loose[0].Lacks == "" || c.Loose[1].Lacks == "" {
		t.Fatalf("%+v", c)
	}
	if e.ID.Key != keys.Sum64([]byte("c1")) || e.Step.Key != keys.Sum64([]byte("s")) || e.Idx != 4 {
		t.Errorf("the event's ids are remembered under other keys")
	}
	type row struct {
		target     Target
		ref        string
		sound      bool
		comparable bool
	}
	want := []row{{CitesEvidence, "e1", true, true}, {CitesClaim, "c0", true, false}, {CitesCall, "", false, true}, {CitesUnknown, "", false, true}, {CitesEvidence, "e2", true, true}}
	for i := range c.Cited {
		s := &c.Cited[i]
		if got := (row{s.Target, s.Ref.String(), s.Span.Sound(), s.Comparable()}); got != want[i] {
			t.Errorf("support %d: %+v, want %+v", i, got, want[i])
		}
		if s.Ref.Key != keys.Sum64(s.Ref.Bytes) {
			t.Errorf("support %d is looked up under another key", i)
		}
	}
	if c.Cited[4].Index != -1 || c.Cited[4].RefAt() != c.Cited[4].At || c.Cited[2].RefAt() != c.Cited[2].At {
		t.Errorf("%+v", c.Cited[4])
	}
	observed, rec := readLine(t, Options{}, strings.Replace(text, `"claim":{`, `"claim":{"claim_type":"observed",`, 1))
	if c := observed.Event(rec).Claim; c.Derived || c.Marked || len(c.Cited) != 4 {
		t.Errorf("the markers of an observed claim: %+v", c)
	}
}

// TestFormIsNoContent holds that the order of members, white space and escapes change
// nothing but places.
func TestFormIsNoContent(t *testing.T) {
	files := reasoningtest.Incident(reasoningtest.Wrapped).Files()
	i := slices.IndexFunc(files, func(f reasoningtest.File) bool { return f.Name == "trace.jsonl" })
	random := rand.New(rand.NewPCG(5, 6))
	profile := &jcs.Profile{Name: "rar-v1", Python: true, ExponentPlus: true, Zero: "0.0", NegativeZero: "0.0"}
	opt := Options{Shape: Shape{Wrapped: true, HasID: true}, Canonical: profile}
	n := 0
	for line := range strings.Lines(string(files[i].Data)) {
		want := content(t, opt, strings.TrimSpace(line))
		for range 5 {
			var b strings.Builder
			rewrite(&b, scan(t, line), random)
			if got := content(t, opt, b.String()); got != want {
				t.Fatalf("%s\nis read as\n%s\nwant\n%s", b.String(), got, want)
			}
			n++
		}
	}
	if n < 100 {
		t.Errorf("%d lines", n)
	}
}

// content is what a reader makes of a line, without places.
func content(t *testing.T, opt Options, text string) string {
	t.Helper()
	b, rec := readLine(t, opt, text)
	var s strings.Builder
	fmt.Fprintf(&s, "%v %d ", faults(b), rec.Role)
	if rec.Role == IsHeader {
		h := b.Header(rec)
		fmt.Fprintf(&s, "%d %s %s %s%s", h.Version, h.ID, h.PlanID, h.Before, h.After)
		return s.String()
	}
	e := b.Event(rec)
	fmt.Fprintf(&s, "%v %d %d %d %s %d %s %s", e.Broken, e.Kind, e.Idx, e.Step.Key, e.Step, e.Version, e.ID, e.CallStep)
	v := &e.Evidence
	fmt.Fprintf(&s, " %s %d %d %s %s %s", v.URI, v.Span.From, v.Span.To, v.SHA256.Sum, v.Path, v.ChunkID.Sum)
	fmt.Fprintf(&s, " %s %v %s %d %v %d %s", e.Claim.Type, e.Claim.Derived, e.Claim.Statement, len(e.Claim.Supports), e.Claim.Marked, len(e.Claim.Loose), e.Canonical)
	for i := range e.Claim.Cited {
		c := &e.Claim.Cited[i]
		fmt.Fprintf(&s, " %d %d %s %d %d %s", c.Index, c.Target, c.Ref, c.Span.From, c.Span.To, c.Snippet.Sum)
	}
	return s.String()
}

// rewrite writes a value with its members in any order, white space anywhere, and some
// characters escaped.
func rewrite(b *strings.Builder, n strictjson.Node, random *rand.Rand) {
	space := func() { b.WriteString([]string{"", "", " ", "\t"}[random.IntN(4)]) }
	var children []strictjson.Node
	for child := range n.Children() {
		children = append(children, child)
	}
	space()
	switch n.Kind() {
	case strictjson.Object:
		random.Shuffle(len(children), func(i, k int) { children[i], children[k] = children[k], children[i] })
		b.WriteByte('{')
		for i, child := range children {
			if i > 0 {
				b.WriteByte(',')
			}
			escaped(b, child.Key(), random)
			space()
			b.WriteByte(':')
			rewrite(b, child, random)
		}
		b.WriteByte('}')
	case strictjson.Array:
		b.WriteByte('[')
		for i, child := range children {
			if i > 0 {
				b.WriteByte(',')
			}
			rewrite(b, child, random)
		}
		b.WriteByte(']')
	case strictjson.String:
		text, _ := n.Text()
		escaped(b, text, random)
	default:
		b.Write(n.Raw())
	}
	space()
}

func escaped(b *strings.Builder, text string, random *rand.Rand) {
	b.WriteByte('"')
	for _, r := range text {
		if r < 0x20 || r == '"' || r == '\\' || r < 0xffff && random.IntN(20) == 0 {
			fmt.Fprintf(b, `\u%04x`, r)
		} else {
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
}

// TestBlocksAreUsedAgain reads one block after another into the same memory.
func TestBlocksAreUsedAgain(t *testing.T) {
	store := NewBlocks(5)
	r := NewReader(Options{Versions: []int64{1}, Additive: 5}, store)
	if r.Flush() != nil {
		t.Error("a block without lines")
	}
	for range 3 {
		r.Unreadable(stream.Line{Number: 1})
		text := `{"idx":0,"kind":"step_started","step_id":"s","mood":"calm"}`
		e := r.Event(stream.Line{Number: 2, Bytes: []byte(text)}, scan(t, text))
		if e.Kind != StepStarted || e.Step.String() != "s" {
			t.Errorf("%+v", e)
		}
		b := r.Flush()
		if len(b.Records) != 1 || b.Records[0].Role != IsBroken || len(b.Additive) != 1 {
			t.Errorf("%+v", b)
		}
		store.Put(b)
	}
	for range 2 * maxFree {
		store.Put(NewBlock(1))
	}
	if b := store.Get(); len(b.Records)+len(b.Additive)+len(b.events) > 0 {
		t.Errorf("%+v", b)
	}
}

func TestShapes(t *testing.T) {
	for text, want := range map[string]Shape{
		`{"record":"trace_header","id":"t"}`: {Wrapped: true, HasID: true},
		`{"record":"trace_event"}`:           {Wrapped: true},
		`{"id":"t"}`:                         {HasID: true},
		`{"id":"t","kind":"x"}`:              {},
		`{"id":7}`:                           {},
	} {
		if got := ShapeOf(scan(t, text)); got != want || (got.Prefix() == "event.") != want.Wrapped {
			t.Errorf("%s: %+v", text, got)
		}
	}
}

// TestCanonicalHeader writes the text around the events, with what absence means.
func TestCanonicalHeader(t *testing.T) {
	profile := &jcs.Profile{Name: "rar-v1", Python: true, ExponentPlus: true, Zero: "0.0", NegativeZero: "0.0"}
	for text, want := range map[string]string{
		`{"record":"trace_header","id":"t","schema_version":1}`:                                                               `{"canonicalization_version":1,"events":[],"fingerprint_algo":"sha256","metadata":{},"plan_id":null,"runtime_protocol_version":1,"schema_version":1,"spec_id":null}`,
		`{"record":"trace_header","id":"t","trace_schema_version":1,"spec_id":"s","plan_id":"p","metadata":{"b":1.0,"a":[]}}`: `{"canonicalization_version":1,"events":[],"fingerprint_algo":"sha256","metadata":{"a":[],"b":1.0},"plan_id":"p","runtime_protocol_version":1,"schema_version":1,"spec_id":"s"}`,
		`{"record":"trace_header","schema_version":1}`:                                                                        ``,
	} {
		b, rec := readLine(t, Options{Shape: Shape{Wrapped: true, HasID: true}, Canonical: profile}, text)
		h := b.Header(rec)
		if got := string(h.Before) + string(h.After); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}
