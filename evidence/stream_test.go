package evidence_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/cupel-dev/cupel/evidence"
)

const event = `{"specversion":"1.0","type":"t","datacontenttype":"application/json","data":1}`

// collect hashes a stream and lists its events as "line:hash" or "line:rules".
func collect(t *testing.T, r io.Reader, opt evidence.Options) (list []string, total evidence.Total) {
	t.Helper()
	total, err := evidence.HashStream(t.Context(), r, opt, func(e *evidence.Result) error {
		what := e.ContentHash()
		if !e.Hashed {
			for _, f := range e.Findings {
				what += fmt.Sprintf("%s@%d:%d ", f.Rule, f.Line, f.Column)
			}
		}
		list = append(list, fmt.Sprintf("%d:%s", e.Line, strings.TrimSpace(what)))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return list, total
}

// wide writes ASCII as UTF-16LE does.
func wide(text string) string {
	var b strings.Builder
	for i := range len(text) {
		b.WriteString(text[i:i+1] + "\x00")
	}
	return b.String()
}

// TestOneEventOrStream distinguishes pretty-printed events from streams, whole and byte by byte.
func TestOneEventOrStream(t *testing.T) {
	h, _ := evidence.ContentHash([]byte(event))
	pretty := strings.ReplaceAll(strings.ReplaceAll(event, ",", ",\n  "), "{", "{\n  ")
	for _, c := range []struct {
		name, text string
		alone      bool
		want       []string
	}{
		{"nothing", "", true, nil},
		{"blank lines only", "\n \r\n\t\n", true, nil},
		{"one line", event, true, []string{"1:" + h}},
		{"one line with its end", event + "\n", true, []string{"1:" + h}},
		{"one line among blank ones", "\n\n" + event + "\r\n\n", true, []string{"3:" + h}},
		{"two lines", event + "\n" + event, false, []string{"1:" + h, "2:" + h}},
		{"CRLF", event + "\r\n" + event + "\r\n", false, []string{"1:" + h, "2:" + h}},
		{"a blank line in a stream keeps its place", event + "\n\n" + event + "\n", false, []string{"1:" + h, "2:json.syntax@2:1", "3:" + h}},
		{"pretty-printed", pretty, true, []string{"1:" + h}},
		{"pretty-printed with CRLF", strings.ReplaceAll(pretty, "\n", "\r\n") + "\r\n", true, []string{"1:" + h}},
		{"pretty-printed from line 2", "\n" + pretty + "\n", true, []string{"2:" + h}},
		{"an object alone on the second line", "{\"specversion\":\"1.0\",\"type\":\"t\",\"datacontenttype\":\"application/json\",\"data\":\n1\n}", true, []string{"1:" + h}},
		{"a value broken further on", strings.Replace(pretty, "1}", "01}", 1), true, []string{"1:json.syntax@5:10"}},
		{"pretty-printed and truncated", strings.TrimSuffix(pretty, "}"), true, []string{"1:json.syntax@5:11"}},
		{"a byte order mark before a pretty-printed event", "\ufeff" + pretty, true, []string{"1:json.syntax@1:1"}},
		{"a byte order mark before a stream", "\ufeff" + event + "\n" + event, false, []string{"1:json.syntax@1:1", "2:" + h}},
		{"a truncated first line", event[:40] + "\n" + event + "\n" + event, false, []string{"1:json.syntax@1:41", "2:" + h, "3:" + h}},
		{"a first line cut before a value", event[:len(event)-2] + "\n" + event + "\n" + event, false, []string{fmt.Sprintf("1:json.syntax@1:%d", len(event)-1), "2:" + h, "3:" + h}},
		{"a truncated last line", event + "\n" + event[:40], false, []string{"1:" + h, "2:json.syntax@2:41"}},
		{"two events over two lines each", strings.ReplaceAll(event+"\n"+event, `,"data"`, ",\n\"data\""), true, []string{"1:json.syntax@3:1"}},
		{"two pretty-printed events", pretty + "\n" + pretty, true, []string{"1:json.syntax@6:1"}},
		{"an array of texts", "[\n\"x\",\n\"y\"\n]", true, []string{"1:json.not_object@1:1"}},
		{"no JSON at all", "hello\nworld\n", true, []string{"1:json.syntax@1:1"}},
		{"YAML", strings.Repeat("key: value\n", 20), true, []string{"1:json.syntax@1:1"}},
		{"YAML behind a mark and blank lines", "\n\n\ufeffkey: value\n- more\n", true, []string{"3:json.syntax@3:1"}},
		{"UTF-16", "\xff\xfe" + wide(event+"\n"+event+"\n"), true, []string{"1:json.utf8@1:1"}},
		{"UTF-16 without a mark", wide(event + "\n" + event + "\n"), true, []string{"1:json.syntax@1:2"}},
		{"binary data", "\x7fELF\x00\n\xfe\xff\n\x00\x01\n", true, []string{"1:json.syntax@1:1"}},
		{"a damaged beginning", "x\nx\n" + event + "\n", false, []string{"1:json.syntax@1:1", "2:json.syntax@2:1", "3:" + h}},
		{"damaged at the end", event + "\nx\nx\n", false, []string{"1:" + h, "2:json.syntax@2:1", "3:json.syntax@3:1"}},
	} {
		for kind, r := range map[string]io.Reader{
			"whole": strings.NewReader(c.text), "bytewise": iotest.OneByteReader(strings.NewReader(c.text)),
			"with the end": iotest.DataErrReader(strings.NewReader(c.text)),
		} {
			got, total := collect(t, r, evidence.Options{})
			if !slices.Equal(got, c.want) || total.Alone != c.alone || total.Events != len(c.want) {
				t.Errorf("%s, %s: alone %v\n got %q\nwant %q", c.name, kind, total.Alone, got, c.want)
			}
		}
	}
}

func TestLongEvents(t *testing.T) {
	opt := evidence.Options{Limits: evidence.Limits{LineBytes: 100}}
	h, _ := evidence.ContentHash([]byte(event))
	long := strings.Replace(event, ":1}", `:"`+strings.Repeat("x", 5000)+`"}`, 1)
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"alone":          {long, []string{"1:json.limit@1:101"}},
		"in a stream":    {event + "\n" + long + "\n" + event, []string{"1:" + h, "2:json.limit@2:101", "3:" + h}},
		"first":          {long + "\n" + event, []string{"1:json.limit@1:101", "2:" + h}},
		"pretty-printed": {"{\n\"a\":1,\n" + long[1:], []string{"1:json.limit@3:92"}},
		"blank tail":     {"{\n" + event[1:] + strings.Repeat("\n", 200) + "x", []string{"1:json.limit@23:1"}},
	} {
		if got, _ := collect(t, strings.NewReader(c.text), opt); !slices.Equal(got, c.want) {
			t.Errorf("%s:\n got %q\nwant %q", name, got, c.want)
		}
	}
}

// TestJobsDoNotShow holds that every number of workers gives the same answer.
func TestJobsDoNotShow(t *testing.T) {
	run, err := os.ReadFile("../testdata/examples/evidence/tampered.ndjson")
	if err != nil {
		t.Fatal(err)
	}
	text := append(bytes.Repeat(run, 30), "\nbroken\n"...)
	answer := func(jobs int, r io.Reader) string {
		var out strings.Builder
		total, err := evidence.HashStream(t.Context(), r, evidence.Options{Jobs: jobs, MaxFindings: 20}, func(e *evidence.Result) error {
			fmt.Fprintln(&out, e.Line, e.ContentHash(), string(e.ID), e.Match, e.Counts, e.Findings)
			return nil
		})
		fmt.Fprintf(&out, "%+v %v", total, err)
		return out.String()
	}
	want := answer(1, bytes.NewReader(text))
	if !strings.Contains(want, "Omitted:42") {
		t.Errorf("62 findings, of which 20 are kept: %s", want[len(want)-300:])
	}
	for _, jobs := range []int{0, 2, 3, 16} {
		for name, r := range map[string]io.Reader{"whole": bytes.NewReader(text), "halves": iotest.HalfReader(bytes.NewReader(text))} {
			if got := answer(jobs, r); got != want {
				t.Errorf("%d jobs, %s: another answer", jobs, name)
			}
		}
	}
}

func TestStreamLimits(t *testing.T) {
	text := strings.Repeat(event+"\n", 5)
	line := int64(len(event) + 1)
	for _, c := range []struct {
		limits evidence.Limits
		events int
		rule   string
	}{
		{evidence.Limits{Events: 5}, 5, ""},
		{evidence.Limits{Events: 4}, 4, "LimitTotalEvents"},
		{evidence.Limits{EventsBytes: 5 * line}, 5, ""},
		{evidence.Limits{EventsBytes: 5*line - 2}, 4, "LimitFileSize"},
		{evidence.Limits{EventsBytes: 1}, 0, "LimitFileSize"},
	} {
		got, total := collect(t, strings.NewReader(text), evidence.Options{Limits: c.limits})
		rule := ""
		if len(total.Findings) > 0 {
			rule = total.Findings[0].Rule
		}
		if len(got) != c.events || rule != c.rule || total.Rooted != (rule == "") || total.Counts.Errors != len(total.Findings) {
			t.Errorf("%+v: %d events, findings %v, rooted %v", c.limits, len(got), total.Findings, total.Rooted)
		}
	}
}

func TestReadErrors(t *testing.T) {
	broken := errors.New("disk on fire")
	for name, r := range map[string]io.Reader{
		"at once":    iotest.ErrReader(broken),
		"in a line":  io.MultiReader(strings.NewReader(event+"\n"+event[:9]), iotest.ErrReader(broken)),
		"much later": io.MultiReader(strings.NewReader(strings.Repeat(event+"\n", 10_000)), iotest.ErrReader(broken)),
	} {
		total, err := evidence.HashStream(t.Context(), r, evidence.Options{}, func(*evidence.Result) error { return nil })
		var read *evidence.ReadError
		if !errors.As(err, &read) || !errors.Is(err, broken) {
			t.Errorf("%s: %v after %d events", name, err, total.Events)
		}
	}
}

func TestCallbackErrorEndsTheStream(t *testing.T) {
	enough := errors.New("enough")
	seen := 0
	_, err := evidence.HashStream(t.Context(), strings.NewReader(strings.Repeat(event+"\n", 50_000)), evidence.Options{}, func(*evidence.Result) error {
		if seen++; seen == 10 {
			return enough
		}
		return nil
	})
	if !errors.Is(err, enough) || seen != 10 {
		t.Errorf("%v after %d events", err, seen)
	}
}

func TestCallbackErrorOfOneEvent(t *testing.T) {
	enough := errors.New("enough")
	total, err := evidence.HashStream(t.Context(), strings.NewReader(event), evidence.Options{}, func(*evidence.Result) error { return enough })
	if !errors.Is(err, enough) || !total.Alone {
		t.Errorf("%+v, %v", total, err)
	}
}

// TestCancelled ends a run whose reader never returns, before and after the first event.
func TestCancelled(t *testing.T) {
	for _, start := range []string{"", event + "\n" + event + "\n"} {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		waiting, closed := io.Pipe()
		_, err := evidence.HashStream(ctx, io.MultiReader(strings.NewReader(start), waiting), evidence.Options{}, func(*evidence.Result) error { return nil })
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("after %d bytes: %v", len(start), err)
		}
		cancel()
		closed.Close()
	}
}

func TestSumLines(t *testing.T) {
	sum := evidence.Sum{1, 2, 3}
	names := []string{"a", "a b", "a  b", "dir/x.ndjson", "x:y", "a\nb", "a\\b", "\r", "\x1b[31m", "caf\u00e9", "\xff", "\u0085", "c:\\d"}
	for _, name := range names {
		for _, kind := range []evidence.SumKind{evidence.EventSum, evidence.RunRootSum, evidence.EnvelopeSum} {
			for _, line := range []int{0, 1, 250} {
				text := evidence.AppendSum(nil, kind, sum, name, line)
				got, ok := evidence.ParseSumLine(text)
				in, number := got.Place()
				if !ok || got.Kind != kind || got.Hash != sum.String() || in != name || number != line {
					t.Errorf("%q line %d: %q is read as %+v, %v", name, line, text, got, ok)
				}
				if bytes.ContainsAny(text, "\x1b\r\n") {
					t.Errorf("%q: control characters in %q", name, text)
				}
			}
		}
	}
	for _, text := range []string{
		"", "x", sum.String(), sum.String() + " x", sum.String() + "  ", strings.Repeat("0", 64) + "  x", "run-root  x", "root  " + sum.String() + "  x",
		"\\" + sum.String() + `  a\`, "\\" + sum.String() + `  a\q`, "\\" + sum.String() + `  a\x1`, "\\" + sum.String() + `  a\xzz`,
		"sha256:" + strings.Repeat("g", 64) + "  x",
	} {
		if got, ok := evidence.ParseSumLine([]byte(text)); ok {
			t.Errorf("%q is read as %+v", text, got)
		}
	}
}

// TestCheckStream holds what the workers' checks say to the results that they are about,
// and the places of the events to the input.
func TestCheckStream(t *testing.T) {
	stream := strings.Repeat(event+"\n"+event+"\r\n", 700) + event
	opt := evidence.Options{Jobs: 3, Lines: true}
	n, rest := 0, stream
	_, err := evidence.CheckStream(t.Context(), strings.NewReader(stream), opt,
		func() func(*evidence.Result, *int) {
			return func(r *evidence.Result, said *int) { *said += r.Line + r.Event.Root().Len() }
		},
		func(r *evidence.Result, said *int) error {
			n++
			if r.Line != n || *said != n+4 || r.Event != nil {
				t.Fatalf("event %d: line %d, said %d, event %v", n, r.Line, *said, r.Event)
			}
			if int(r.Offset) != len(stream)-len(rest) || !strings.HasPrefix(rest, string(r.Text())+r.Ending) {
				t.Fatalf("event %d: offset %d, ending %q", n, r.Offset, r.Ending)
			}
			rest = rest[len(r.Text())+len(r.Ending):]
			return nil
		})
	if err != nil || n != 1401 || rest != "" {
		t.Errorf("%d events, %d bytes left, %v", n, len(rest), err)
	}
}
