package privacy_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/privacy"
	"github.com/cupel-dev/cupel/internal/jcs"
)

// policies are what the laws are held for.
var policies = map[string]*privacy.Policy{
	"default":  privacy.Default(),
	"upstream": privacy.Upstream(),
	"file": mustParse(`classes:
  - {pointer: /data/**/plain, class: public}
  - {type: assay.tool.decision, pointer: /data/tool, class: forbidden}
  - {type: assay.*, pointer: /data/args/*, class: forbidden}
  - {type: assay.tool.decision, pointer: /data/args/*, class: public}
  - {pointer: /data/**/token, class: public}
  - {pointer: /ext, class: sensitive}
  - {pointer: /source, class: sensitive}
  - {pointer: /tracestate, class: forbidden}
  - {pattern: '[a-z]+@[a-z]+', class: forbidden}
  - {pattern: 'x1.{3}|abc', class: sensitive, pointer: /data/**/list}
`, "token"),
	"everything": mustParse("classes:\n  - {pointer: /**, class: public}\n  - {pointer: /data/a/**/b, class: forbidden}\n  - {pointer: /*/list, class: sensitive}\n"),
}

func mustParse(text string, allow ...string) *privacy.Policy {
	p, err := privacy.ParsePolicy("policy.yaml", []byte(text), privacy.Default(), allow)
	if err != nil {
		panic(err)
	}
	return p
}

// read reads an event, or returns nil.
func read(text []byte) *evidence.Event {
	r, err := evidence.NewHasher(evidence.Options{}).Hash(text)
	if err != nil {
		panic(err)
	}
	return r.Event
}

// redacted is what a redactor says of an event.
type redacted struct {
	text    string
	changes []string
	swept   bool
}

// redact redacts an event with a redactor that was used before.
func redact(r *privacy.Redactor, e *evidence.Event) (got redacted) {
	out, changes, err := r.Event([]byte("before"), e)
	if failure := (*privacy.SweepError)(nil); errors.As(err, &failure) {
		return redacted{swept: true}
	}
	got.text = string(e.Text())
	if text := strings.TrimPrefix(string(out), "before"); text != "" {
		got.text = text
	}
	for i := range changes {
		got.changes = append(got.changes, summary(&changes[i]))
	}
	return got
}

func summary(c *privacy.Change) string {
	line := fmt.Sprintf("%s %v %s %s", c.Pointer, c.Class, c.Rule, c.Action)
	if c.Reported {
		line += " reported"
	}
	return line
}

// check holds every law for one event under one policy.
func check(t rapid.TB, name string, text []byte) {
	t.Helper()
	e := read(text)
	if e == nil {
		return
	}
	p := policies[name]
	r := privacy.NewRedactor(p)
	got := redact(r, e)
	sameAsNaive(t, p, text, got)
	if got.swept {
		return
	}
	changesAreTrue(t, p, e)
	if name != "upstream" { // not idempotent, because the reference is not
		again := redact(r, read([]byte(got.text)))
		fixed := !slices.ContainsFunc(again.changes, func(c string) bool { return !strings.HasSuffix(c, " reported") })
		if again.text != got.text || again.swept || !fixed {
			t.Errorf("%s: %s\nis redacted twice\nfirst  %s\nsecond %s %q", name, text, got.text, again.text, again.changes)
		}
	}
}

// sameAsNaive compares with the naive redaction.
func sameAsNaive(t rapid.TB, p *privacy.Policy, text []byte, got redacted) {
	t.Helper()
	in, err := parseTree(text)
	if err != nil {
		t.Fatal(err)
	}
	n := newNaive(p)
	want := n.event(in).String()
	if got.swept || n.swept != "" {
		if got.swept != (n.swept != "") {
			t.Errorf("%s\na secret is left: %v, naively %q", text, got.swept, n.swept)
		}
		return
	}
	out, err := parseTree([]byte(got.text))
	if err != nil {
		t.Fatalf("%s\nbecomes %s: %v", text, got.text, err)
	}
	if out.String() != want {
		t.Errorf("%s\nbecomes %s\nnaively %s", text, out, want)
	}
	if !slices.Equal(got.changes, n.changes) {
		t.Errorf("%s\nchanges %q\nnaively %q", text, got.changes, n.changes)
	}
}

// changesAreTrue: each change is of the value at its pointer and says another value; where
// nothing is removed, the output is the input with the values put in their places.
func changesAreTrue(t rapid.TB, p *privacy.Policy, e *evidence.Event) {
	t.Helper()
	out, changes, err := privacy.NewRedactor(p).Event(nil, e)
	if err != nil {
		t.Fatal(err)
	}
	text, at, removed := e.Text(), 0, false
	var want []byte
	for i := range changes {
		c := &changes[i]
		if own := c.At.Pointer(); c.Pointer != own && len(own) <= 128 {
			t.Errorf("%s: pointer %s, not %s", text, c.Pointer, own)
		}
		before, start, end := c.At.Raw(), 0, 0
		if start, end = c.At.Span(); c.Name {
			start, end = c.At.NameSpan()
			before = text[start:end]
		}
		if !bytes.Equal(c.Before, before) || (c.After == nil) != (c.Action == privacy.Removed) || same(c.Before, c.After) {
			t.Errorf("%s: %s: before %s, after %s", text, summary(c), c.Before, c.After)
		}
		if !c.Reported {
			want, at = append(append(want, text[at:start]...), c.After...), end
			removed = removed || c.After == nil
		}
	}
	if at == 0 && len(out) > 0 || at > 0 && !removed && !bytes.Equal(append(want, text[at:]...), out) {
		t.Errorf("%s\nbecomes %s: other bytes have changed", text, out)
	}
}

func same(a, b []byte) bool {
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && fmt.Sprint(x) == fmt.Sprint(y)
}

// TestLaws holds the laws for events that are made of what the rules look for.
func TestLaws(t *testing.T) {
	for name := range policies {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				check(t, name, []byte(spell(events.Draw(t, "event"), nil)))
			})
		})
	}
}

// TestSpelling: white space, escapes and the order of members change neither what is found
// nor what it becomes.
func TestSpelling(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		event := events.Draw(t, "event")
		r := privacy.NewRedactor(policies["file"])
		first := redact(r, read([]byte(spell(event, nil))))
		other := redact(r, read([]byte(spell(event, t))))
		slices.Sort(first.changes)
		slices.Sort(other.changes)
		if !slices.Equal(first.changes, other.changes) || first.swept != other.swept {
			t.Fatalf("%q\nand %q", first.changes, other.changes)
		}
		if !first.swept && canonical(first.text) != canonical(other.text) {
			t.Fatalf("%s\nand %s", first.text, other.text)
		}
	})
}

func canonical(text string) string {
	e := read([]byte(text))
	return string(e.Root().AppendCanonical(nil))
}

// value is a JSON value that is to be spelled: a text, a literal, members or elements.
type value struct {
	text     *string
	literal  string
	names    []string
	children []value
	object   bool
}

var (
	pieces = rapid.SampledFrom([]string{
		"", " ", "x", "/home/bob/x", "/home/", "C:\\Users\\bob\\x y", "/root", "token=", "--token", "--token x", "***", "=", ":", "\"", "'", "&", ";", ",",
		"AKIAABCDEFGHIJKLMNOP", "ghp_abcdefghijklmnopqrstuvwxyz0123456789", "Bearer ", "abcdefghijklmnopqrstuvwxyz", "authorization: ", "password", "https://u:p@h/",
		"-----BEGIN PRIVATE KEY-----", "sha256:", "0123456789abcdef", "é", "İ", "\u0000", "\r\n", "\\", "a@b", "x1", "abc", "mysql -p", "~/**/", "-p", "mysql", "sshpass",
	})
	texts = rapid.Map(rapid.SliceOfN(pieces, 0, 4), func(list []string) string { return strings.Join(list, "") })
	names = rapid.OneOf(rapid.SampledFrom([]string{
		"a", "b", "token", "Pass word", "API_key", "tool", "args", "list", "plain", "passed_keys", "detail", "hits", "a/b", "~", "", "é\"", "0",
	}), texts)
	strs     = rapid.Map(texts, func(s string) value { return value{text: &s} })
	literals = rapid.Map(rapid.SampledFrom([]string{"0", "-1.5e3", "12345678901234567890", "true", "null"}), func(s string) value { return value{literal: s} })
	types    = rapid.SampledFrom([]string{"assay.tool.decision", "assay.env.filtered", "assay.sandbox.degraded", "assay.", "other", "assay.tool.decision.v2"})
	events   = rapid.Custom(event)
)

func values() *rapid.Generator[value] {
	return rapid.OneOf(strs, strs, literals, rapid.Custom(container))
}

func container(t *rapid.T) value {
	v := value{object: rapid.Bool().Draw(t, "object")}
	for range rapid.IntRange(0, 4).Draw(t, "children") {
		if v.object {
			name := names.Draw(t, "name")
			if slices.Contains(v.names, name) {
				continue
			}
			v.names = append(v.names, name)
		}
		v.children = append(v.children, values().Draw(t, "child"))
	}
	return v
}

func event(t *rapid.T) value {
	typ := types.Draw(t, "type")
	v := value{object: true, names: []string{"type"}, children: []value{{text: &typ}}}
	for _, name := range []string{"data", "subject", "source", "tracestate", "ext", "token", "id", "assaysemanticdigest", "assaydigestprofile"} {
		if name == "data" || rapid.Bool().Draw(t, name) {
			v.names, v.children = append(v.names, name), append(v.children, values().Draw(t, name))
		}
	}
	return v
}

// spell writes a value as canonical JSON would, but for the order of its members, or, with a
// source of choices, in any way.
func spell(v value, ways *rapid.T) string {
	blank := func() string {
		if ways == nil {
			return ""
		}
		return rapid.SampledFrom([]string{"", " ", "\n\t"}).Draw(ways, "blank")
	}
	switch {
	case v.text != nil:
		return quoted(*v.text, ways)
	case v.literal != "":
		return v.literal
	}
	order := make([]int, len(v.children))
	for i := range order {
		order[i] = i
	}
	if ways != nil && v.object {
		order = rapid.Permutation(order).Draw(ways, "order")
	}
	var parts []string
	for _, i := range order {
		part := blank() + spell(v.children[i], ways) + blank()
		if v.object {
			part = blank() + quoted(v.names[i], ways) + blank() + ":" + part
		}
		parts = append(parts, part)
	}
	if v.object {
		return "{" + strings.Join(parts, ",") + blank() + "}"
	}
	return "[" + strings.Join(parts, ",") + blank() + "]"
}

func quoted(text string, ways *rapid.T) string {
	if ways == nil || rapid.Bool().Draw(ways, "plain") {
		return string(jcs.AppendText(nil, []byte(text)))
	}
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range text {
		fmt.Fprintf(&b, `\u%04x`, r)
	}
	b.WriteByte('"')
	return b.String()
}

// FuzzRedactor holds the laws for any event.
func FuzzRedactor(f *testing.F) {
	for _, c := range readCases(f) {
		f.Add([]byte(c.In))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		for name := range policies {
			check(t, name, text)
		}
	})
}
