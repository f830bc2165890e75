package envelope_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/evidence"
	"github.com/cupel-dev/cupel/evidence/internal/envelope"
)

// member is a member as it is written.
type member struct{ name, value string }

// inOrder is an event with all members.
const inOrder = `{"specversion":"1.0","type":"assay.fs.access","source":"urn:runner:1","id":"run_a:0","time":"2026-01-02T03:04:05Z","datacontenttype":"application/json",` +
	`"subject":"~/**/x","traceparent":"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01","tracestate":"a=1","assayrunid":"run_a","assayseq":0,"assayproducer":"assay","assayproducerversion":"3.10.0",` +
	`"assaygit":"abc1234","assaypolicyid":"p1","assaypii":false,"assaysecrets":true,"assaycontenthash":"sha256:0000000000000000000000000000000000000000000000000000000000000000","assaysemanticdigest":"d","assaydigestprofile":"x","data":{"hits":3}}`

// spellings are values that members can have, including the faults of the case file.
var spellings = []string{
	`null`, `true`, `false`, `0`, `1`, `-0`, `0.0`, `1e0`, `7`, `2147483648`, `9007199254740992`, `18446744073709551616`, `1e400`, `{}`, `[]`, `[1e400]`,
	`""`, `"1.0"`, `"1.1"`, `"x"`, `"a:b"`, `":"`, `"a:b:0"`, `":0"`, `"run_a:0"`, `"run_a:7"`, `"run_a:07"`, `"run_a"`, `"unknown"`,
	`"2026-01-02T03:04:05Z"`, `"2026-01-02T03:04:05.120+00:00"`, `"2026-01-02t03:04:05z"`, `"2026-01-02 03:04:05-00:00"`, `"2026-01-02T03:04:05+0530"`,
	`"2016-12-31T23:59:60Z"`, `"2016-12-31T23:58:60Z"`, `"2026-02-29T03:04:05Z"`, `"9999-12-31T23:59:59-01:00"`, `"2026-01-02T03:04:05.0000000001Z"`,
	`"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"`, `"00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01"`,
	`"02-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-x"`,
}

// anywhere are the spellings with the same fault in any place: of numbers beyond a double, and of repeated names, a
// reader reports the first in the text.
var anywhere = slices.DeleteFunc(slices.Clone(spellings), func(s string) bool { return strings.Contains(s, "1e400") })

// members draws the members of an event that is usually valid; their names are not repeated.
func members(t *rapid.T, spellings []string) (list []member) {
	var good map[string]json.RawMessage
	if err := json.Unmarshal([]byte(inOrder), &good); err != nil {
		t.Fatal(err)
	}
	names := []string{}
	for _, field := range strings.Fields(order) {
		names = append(names, strings.Trim(field, "?*"))
	}
	for range rapid.IntRange(0, 3).Draw(t, "changes") {
		name := rapid.SampledFrom(names).Draw(t, "member")
		if rapid.IntRange(0, 3).Draw(t, "drop") == 0 {
			delete(good, name)
		} else {
			good[name] = json.RawMessage(rapid.SampledFrom(spellings).Draw(t, "value"))
		}
	}
	for _, name := range names {
		if value, there := good[name]; there {
			list = append(list, member{name, string(value)})
		}
	}
	for range rapid.IntRange(0, 2).Draw(t, "unknown") {
		name := rapid.SampledFrom([]string{"foo", "Type", "data_base64", "type ", "assayfoo"}).Draw(t, "name")
		if !slices.ContainsFunc(list, func(m member) bool { return m.name == name }) {
			list = append(list, member{name, rapid.SampledFrom(spellings).Draw(t, "value")})
		}
	}
	return list
}

// repeating repeats a member in one of ten lists.
func repeating(t *rapid.T, list []member) []member {
	if rapid.IntRange(0, 9).Draw(t, "repeat") == 0 && len(list) > 0 {
		return append(list, rapid.SampledFrom(list).Draw(t, "again"))
	}
	return list
}

// write writes an event; of what it writes between tokens, and of how it spells texts,
// nothing must matter.
func write(t *rapid.T, list []member, freely bool) string {
	space := func() string { return "" }
	if freely {
		space = func() string { return rapid.SampledFrom([]string{"", "", " ", "\t", "\r"}).Draw(t, "space") }
	}
	var b strings.Builder
	b.WriteString(space() + "{" + space())
	for i, m := range list {
		if i > 0 {
			b.WriteString("," + space())
		}
		name, value := `"`+m.name+`"`, m.value
		if freely {
			name, value = respell(t, name), respell(t, value)
		}
		b.WriteString(name + space() + ":" + space() + value + space())
	}
	return b.String() + "}" + space()
}

// respell writes some characters of a string as escapes.
func respell(t *rapid.T, raw string) string {
	var text string
	if raw[0] != '"' || json.Unmarshal([]byte(raw), &text) != nil {
		return raw
	}
	var b strings.Builder
	for _, r := range text {
		if rapid.IntRange(0, 7).Draw(t, "escape") > 0 && r != '"' && r != '\\' && r >= ' ' {
			b.WriteRune(r)
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(&b, `\u%04x`, unit)
		}
	}
	return `"` + b.String() + `"`
}

// checkAlone checks an event without a stream around it.
func checkAlone(t *rapid.T, text string, opt envelope.Options) (c checked) {
	r, err := evidence.NewHasher(evidence.Options{}).Hash([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	c.view, c.faults = envelope.NewChecker(opt).Check(&r)
	return c
}

func drawOptions(t *rapid.T) envelope.Options {
	return envelope.Options{
		UpstreamCompatible: rapid.Bool().Draw(t, "upstream"), LenientTime: rapid.Bool().Draw(t, "lenient"),
		RequireTraceParent: rapid.Bool().Draw(t, "traceparent"),
	}
}

// TestAgainstNaive compares what is said of changed events with the naive check.
func TestAgainstNaive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		opt := drawOptions(t)
		text := write(t, repeating(t, members(t, spellings)), true)
		got, want := summaries(checkAlone(t, text, opt).faults), naive(text, opt)
		if len(want) == 1 && strings.HasSuffix(want[0], "json.number_range") && len(got) == 1 {
			got[0] = got[0][:strings.LastIndex(got[0], " ")]
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%s\n  got %q\nnaive %q", text, got, want)
		}
	})
}

// TestSpellingNeverMatters holds that the order of members, white space and escapes change
// neither the view nor what is said.
func TestSpellingNeverMatters(t *testing.T) {
	shown := func(c checked) string {
		v := c.view
		return fmt.Sprintf("%q %+v", summaries(c.faults), v)
	}
	rapid.Check(t, func(t *rapid.T) {
		opt, list := drawOptions(t), members(t, anywhere)
		plain := checkAlone(t, write(t, list, false), opt)
		other := checkAlone(t, write(t, rapid.Permutation(list).Draw(t, "order"), true), opt)
		if shown(plain) != shown(other) {
			t.Fatalf("%v\nplain %s\nother %s", list, shown(plain), shown(other))
		}
	})
}

// FuzzEvent holds that no line makes the checker panic, and that a line without an event
// has a fault.
func FuzzEvent(f *testing.F) {
	for _, c := range readCases(f) {
		f.Add([]byte(c.Text))
	}
	h := evidence.NewHasher(evidence.Options{})
	loose, strict := envelope.NewChecker(envelope.Options{}), envelope.NewChecker(options("strict", "upstream-compatible", "require-traceparent"))
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := h.Hash(text)
		if err != nil {
			t.Fatal(err)
		}
		view, faults := loose.Check(&r)
		_, more := strict.Check(&r)
		if r.Event == nil && len(faults) != 1 || len(more) < len(faults) || !slices.IsSortedFunc(more, func(a, b envelope.Fault) int { return int(a.Step) - int(b.Step) }) {
			t.Errorf("%q: %d and %d faults", text, len(faults), len(more))
		}
		for _, f := range more {
			if f.Finding.Line < 1 || f.Finding.Message == "" || f.Start < 0 || f.Start > len(text) {
				t.Errorf("%q: %+v", text, f)
			}
		}
		if again, departs, ok := envelope.ParseTime(view.Time.AppendText(nil)); view.Timed && (!ok || again != view.Time || departs != "" && departs != envelope.OtherLeap) {
			t.Errorf("%q: %v is read as %v", text, view.Time, again)
		}
	})
}
