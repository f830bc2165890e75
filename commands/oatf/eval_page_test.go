package oatfcmd

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/internal/page"
	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/capture"
	"github.com/cupel-dev/cupel/oatf/eval"
)

// drawMessage draws a value as captures have them, and the path of something in it, with what
// is there.
func drawMessage(t *rapid.T, depth int) (v oatf.Value, path string, at oatf.Value) {
	kinds := 5
	if depth == 0 {
		kinds = 3
	}
	switch rapid.IntRange(0, kinds).Draw(t, "kind") {
	case 0:
		v = rapid.SampledFrom([]oatf.Value{nil, true, oatf.Number("1.50")}).Draw(t, "scalar")
	case 1, 2, 3:
		v = rapid.SampledFrom([]string{"", "key", "a\"b\\c\nd", "é😀<script>", "</script>"}).Draw(t, "text")
	case 4:
		list, chosen := []oatf.Value{}, 0
		for i := range rapid.IntRange(0, 3).Draw(t, "elements") {
			inner, below, there := drawMessage(t, depth-1)
			list = append(list, inner)
			if rapid.Bool().Draw(t, "this") && chosen == 0 && below != "" && below[0] != '[' {
				chosen, path, at = i+1, "["+string(rune('0'+i))+"]."+below, there
			}
		}
		if chosen > 0 {
			return list, path, at
		}
		v = list
	default:
		object := oatf.Object{}
		for _, key := range []string{"a", "b-c", "content"}[:rapid.IntRange(0, 3).Draw(t, "members")] {
			inner, below, there := drawMessage(t, depth-1)
			object = append(object, oatf.Member{Key: key, Value: inner})
			if path == "" && rapid.Bool().Draw(t, "this") {
				switch path, at = key, there; {
				case strings.HasPrefix(below, "["):
					path += below
				case below != "":
					path += "." + below
				}
			}
		}
		if path != "" {
			return object, path, at
		}
		v = object
	}
	return v, "", v
}

// unindented is JSON that was indented: no text of drawMessage has two blanks, and line feeds
// in texts are escapes.
func unindented(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(strings.TrimSpace(line))
	}
	return strings.ReplaceAll(b.String(), `": `, `":`)
}

// TestMarkedJSON: a message as a page shows it is the message, and exactly what was found in it
// is marked.
func TestMarkedJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		message, path, at := drawMessage(t, 3)
		if strings.HasPrefix(path, "[") {
			path, at = "", message
		}
		text := string(oatf.AppendJSON(nil, message))
		f := indicatorMatch{note: page.MessageNote{Path: path}}
		want := string(oatf.AppendJSON(nil, at))
		if s, ok := at.(string); ok && s == "key" && rapid.Bool().Draw(t, "a part") {
			f.start, f.end, want = 1, 2, "e"
		} else if path == "" {
			want = "" // all of it
		}
		var all, marks string
		for _, p := range markedJSON(text, []indicatorMatch{f}, true) {
			all += p.Text
			if p.Mark != "" {
				marks += p.Text
			}
		}
		if unindented(all) != text || unindented(marks) != want {
			t.Fatalf("%s at %q:\n%s\nmarked %q, expected %q", text, path, all, marks, want)
		}
	})
}

// TestMarkedInside: of finds one inside of the other the narrower one is marked.
func TestMarkedInside(t *testing.T) {
	for _, ways := range [][]string{{"", "a.b"}, {"a.b", "a", ""}, {"a", "a.b"}} {
		var list []indicatorMatch
		for _, way := range ways {
			list = append(list, indicatorMatch{note: page.MessageNote{Path: way}})
		}
		var marks string
		for _, p := range markedJSON(`{"a":{"b":"x","c":1}}`, list, true) {
			if p.Mark != "" {
				marks += p.Text
			}
		}
		if marks != `"x"` {
			t.Errorf("%q: %q is marked", ways, marks)
		}
	}
}

// TestMarkedJSONOddWays checks marks for a path from the envelope, a path that leads nowhere, a part of a value that
// is not a text, and a message that is not JSON.
func TestMarkedJSONOddWays(t *testing.T) {
	for _, c := range []struct {
		text, path string
		start, end int
		want       string
	}{
		{`{"name":"x"}`, "params.name", 0, 0, `"x"`},
		{`{"params":{"name":"x"}}`, "params.name", 0, 1, "x"},
		{`{"name":"x"}`, "nowhere.to[7].be", 0, 0, ""},
		{`{"name":"é"}`, "name", 1, 2, `"é"`}, // in the middle of a code point
		{`{"a":[1,2]}`, "a", 1, 2, "[1,2]"},
		{`{"a":`, "a", 0, 0, ""},
	} {
		var marks string
		for _, p := range markedJSON(c.text, []indicatorMatch{{page.MessageNote{Path: c.path}, c.start, c.end}}, true) {
			if p.Mark != "" {
				marks += p.Text
			}
		}
		if unindented(marks) != c.want {
			t.Errorf("%s at %s: %q is marked, expected %q", c.text, c.path, marks, c.want)
		}
	}
	deep := strings.Repeat(`{"a":`, 100) + strings.Repeat("[", 1000) + strings.Repeat("]", 1000) + strings.Repeat("}", 100)
	size := 0
	for _, p := range markedJSON(`[`+strings.TrimSuffix(strings.Repeat(deep+",", 25), ",")+`]`, nil, true) {
		size += len(p.Text)
	}
	if size > 2*markedBytes {
		t.Errorf("%d bytes", size)
	}
}

// TestJSONUpTo checks that the beginning of a value is that of its JSON, up to a size, and all of it if it fits.
func TestJSONUpTo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		message, _, _ := drawMessage(t, 3)
		most := rapid.IntRange(1, 60).Draw(t, "most")
		all := string(oatf.AppendJSON(nil, message))
		got, whole := jsonUpTo(message, most)
		if whole != (len(all) <= most) || whole && string(got) != all {
			t.Fatalf("%q of %q, whole %v", got, all, whole)
		}
		if begin := strings.TrimSuffix(string(got), "…"); len(begin) > most || !strings.HasPrefix(all, begin) {
			t.Fatalf("%q of %q", got, all)
		}
	})
}

// TestMessageLog: the first messages are kept, then those that something was found in, and all
// together have a bound.
func TestMessageLog(t *testing.T) {
	l := newMessageLog(false, nil)
	huge := strings.Repeat("x", 1<<20)
	const messages, every = loggedMessages + 2000, 10
	for i := range messages {
		l.take(&capture.Message{Index: 2 * i, Line: i + 1, Value: huge}, i%every == 0)
	}
	if l.total != messages || len(l.kept) != loggedMessages+2000/every {
		t.Fatalf("%d of %d are kept", len(l.kept), l.total)
	}
	size := 0
	for _, m := range l.kept {
		size += len(m.text)
	}
	if size > logRoom+foundBytes || l.room < -4 {
		t.Errorf("%d bytes are kept, %d are left", size, l.room)
	}
	if at, ok := l.of(2 * (messages - every)); !ok || l.kept[at].number != messages-every+1 {
		t.Error("a message with a find is not kept")
	}
	if _, ok := l.of(2*messages - 2); ok {
		t.Error("a message without a find is kept behind the limit")
	}
	mute := newMessageLog(true, nil)
	mute.take(&capture.Message{Value: "secret"}, true)
	if mute.kept[0].text != "" {
		t.Error("a text is kept")
	}
}

// TestManyIndicators checks that indicators that did not match are counted beyond a limit, and that those that
// matched are always listed, each with its place, or without one if its line is not a message.
func TestManyIndicators(t *testing.T) {
	j := &evalRun{log: newMessageLog(false, nil), documents: make([]*judgedDocument, 1), captures: []string{"a", "b"}}
	j.log.take(&capture.Message{Index: 3, Input: 1, Line: 7, Value: "x"}, true)
	s := &verdictView{evalRun: j, notes: map[int][]indicatorMatch{}, view: &page.Messages{}}
	for range mostWatches + 3 {
		s.indicator(&eval.IndicatorVerdict{Result: eval.NotMatched}, &oatf.Indicator{})
	}
	s.indicator(&eval.IndicatorVerdict{Result: eval.Matched, Place: &eval.Place{Input: 1, MessageIndex: 3}}, &oatf.Indicator{})
	s.indicator(&eval.IndicatorVerdict{Result: eval.Error, Place: &eval.Place{Line: 9, MessageIndex: 3}}, &oatf.Indicator{})
	s.rows()
	v := s.view
	if len(v.Watched) != mostWatches+2 || v.More != 3 || v.Watched[mostWatches].Row != 4 || v.Watched[mostWatches+1].Place != "line 9" {
		t.Errorf("%d shown, %d more, %+v", len(v.Watched), v.More, v.Watched[mostWatches:])
	}
	if len(v.Rows) != 1 || v.Rows[0].Number != 4 || v.Rows[0].Input != "b" || len(v.Rows[0].Notes) != 1 {
		t.Errorf("%+v", v.Rows)
	}
}
