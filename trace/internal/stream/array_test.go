package stream_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// records reads an input to its end: "line:column text" of each record, with "!" after
// one that the input ends in.
func records(t *testing.T, r io.Reader, limits stream.Limits) (list []string) {
	t.Helper()
	return recordsInBlocks(t, r, limits, 0)
}

func recordsInBlocks(t *testing.T, r io.Reader, limits stream.Limits, block int) (list []string) {
	t.Helper()
	in := stream.Records(r, limits.WithDefaults(), block)
	var buf []byte
	for {
		b, err := in.Next(buf)
		if errors.Is(err, io.EOF) {
			return list
		}
		if err != nil {
			t.Fatal(err)
		}
		for l := range b.Lines {
			text := fmt.Sprintf("%d:%d %s", l.Number, l.Column, l.Bytes)
			if l.Long {
				text += fmt.Sprintf("…%d", l.Size)
			}
			if !l.Terminated {
				text += "!"
			}
			list = append(list, text)
		}
		buf = b.Data
	}
}

func TestRecords(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"lines", "{\"a\":1}\n{\"b\":2}\n", []string{`1:0 {"a":1}`, `2:0 {"b":2}`}},
		{"array", `[{"a":1},{"b":[1,"],"]}]`, []string{`1:1 {"a":1}`, `1:9 {"b":[1,"],"]}`}},
		{"array over lines", "\n[\n {\"a\":\n1} ,\n  {}\n]\n", []string{"3:1 {\"a\":\n1}", `5:2 {}`}},
		{"columns are characters", `["é" ,{}]`, []string{`1:1 "é"`, `1:6 {}`}},
		{"events", "{\"n\":[1],\"events\":[{}, {\"events\":[]}],\"m\":{}}", []string{`1:19 {}`, `1:23 {"events":[]}`}},
		{"a record with events inside", "{\"payload\":{\"events\":[1]}}\n{}", []string{`1:0 {"payload":{"events":[1]}}`, "2:0 {}!"}},
		{"events is a text", `{"events":"[1]"}`, []string{`1:0 {"events":"[1]"}!`}},
		{"events as a value", `{"a":"events","b":[1]}`, []string{`1:0 {"a":"events","b":[1]}!`}},
		{"white space of all kinds", " \t\r\n[\t{}\r,\t\n {}\t]\t", []string{"2:2 {}", "3:1 {}"}},
		{"empty array", "[ ]", nil},
		{"mark before an array", "\ufeff\n[{},\n{}]", []string{"1:0 \ufeff", "2:1 {}", "3:0 {}"}},
		{"mark before an object of events", "\ufeff{\"events\":[{}]}", []string{"1:0 \ufeff", "1:12 {}"}},
		{"mark before an empty array", "\ufeff[]", []string{"1:0 \ufeff"}},
		{"mark before lines", "\ufeff{}\n{}\n", []string{"1:0 \ufeff{}", "2:0 {}"}},
		{"mark inside", "[\ufeff{}]", []string{"1:1 \ufeff{}"}},
		{"half a mark", "\xef\xbb", []string{"1:0 \xef\xbb!"}},
		{"empty", "", nil},
		{"comma before the end", "[1,]", []string{"1:1 1", "1:3 ]"}},
		{"comma first", "[,1]", []string{"1:1 ,", "1:2 1"}},
		{"no end", `[{},{}`, []string{"1:1 {}", "1:4 {}!", "1:4 [!"}},
		{"no end after a comma", "[{},\n", []string{"1:1 {}", "1:4 [!"}},
		{"cut inside a record", `[{},{"a":`, []string{"1:1 {}", `1:4 {"a":!`}},
		{"text after the array", "[{}] x", []string{"1:1 {}", "1:3 []x"}},
		{"text after the object", `{"events":[{}]}}`, []string{"1:11 {}", `1:2 {"events":[]}}`}},
		{"object without its end", `{"events":[{}]`, []string{"1:11 {}", `1:2 {"events":[]`}},
	} {
		for name, r := range map[string]io.Reader{"whole": strings.NewReader(c.text), "byte by byte": iotest.OneByteReader(strings.NewReader(c.text))} {
			if got := records(t, r, stream.Limits{}); !equal(got, c.want) {
				t.Errorf("%s, %s:\n got %q\nwant %q", c.name, name, got, c.want)
			}
		}
	}
}

// TestOffsets checks that the bytes of every record are in the file at its line's offset, in every layout and over
// any number of blocks.
func TestOffsets(t *testing.T) {
	var many []string
	for n := range 40_000 {
		many = append(many, fmt.Sprintf("{\"n\": %d,\"text\":\"é\"}", n))
	}
	for name, text := range map[string]string{
		"lines": strings.Join(many, "\n"), "array": "\n[ " + strings.Join(many, " ,\r\n ") + "\n]",
		"events": "{\"ü\":[1],\n\"events\" : [" + strings.Join(many, ",") + "]}",
	} {
		in, count := stream.Records(strings.NewReader(text), stream.Limits{}.WithDefaults(), 0), 0
		for buf := []byte(nil); ; {
			b, err := in.Next(buf)
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			for l := range b.Lines {
				if !strings.HasPrefix(text[l.Offset:], string(l.Bytes)) || string(l.Bytes) != many[count] || l.Size != int64(len(l.Bytes)) {
					t.Fatalf("%s: record %d at %d is %q", name, count, l.Offset, l.Bytes)
				}
				count++
			}
			buf = b.Data
		}
		if count != len(many) {
			t.Errorf("%s: %d records, want %d", name, count, len(many))
		}
	}
}

// TestLongestLine: a line as long as the limit is read, one byte more is too long.
func TestLongestLine(t *testing.T) {
	const line = `{"n":0}`
	for limit, want := range map[int]string{len(line): "[]", len(line) - 1: "[1 line.limit]"} {
		for name, text := range map[string]string{"lines": line + "\n", "array": "[" + line + "]"} {
			r := newReading(stream.Limits{LineBytes: limit}, 1)
			if err := r.runner.Run(t.Context(), stream.Records(strings.NewReader(text), r.runner.Limits, 0)); err != nil {
				t.Fatal(err)
			}
			if got := fmt.Sprint(r.list()); got != want {
				t.Errorf("%s, limit %d: %s, want %s", name, limit, got, want)
			}
		}
	}
}

func TestLongElement(t *testing.T) {
	long := `"` + strings.Repeat("x", 5<<20) + `"`
	got := records(t, strings.NewReader(`[1,`+long+`,2]`), stream.Limits{LineBytes: 10})
	want := []string{"1:1 1", fmt.Sprintf(`1:3 "xxxxxxxxx…%d`, len(long)), fmt.Sprintf("1:%d 2", 4+len(long))}
	if !equal(got, want) {
		t.Errorf("got %.60q\nwant %.60q", got, want)
	}
}

// FuzzArray checks that an array is cut into the elements that a JSON decoder finds in it, and that other texts are
// never taken for one.
func FuzzArray(f *testing.F) {
	for _, seed := range []string{`[1,{"a":"]"}]`, `{"events":[1,2],"x":"]"}`, `[`, `[1,]`, `[[],"\"",{}] `, `{"events":[}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		got := records(t, bytes.NewReader(text), stream.Limits{})
		var want []json.RawMessage
		if begin := bytes.TrimLeft(text, " \t\r\n"); len(begin) == 0 || begin[0] != '[' || json.Unmarshal(text, &want) != nil {
			return
		}
		if len(got) != len(want) {
			t.Fatalf("%q: %d records, want %d: %q", text, len(got), len(want), got)
		}
		for i, w := range want {
			if !strings.HasSuffix(got[i], " "+string(w)) {
				t.Errorf("%q: record %d is %q, want %q", text, i, got[i], w)
			}
		}
	})
}

func equal(a, b []string) bool {
	return strings.Join(a, "\n") == strings.Join(b, "\n")
}

// TestSmallArray: an array of a few bytes is read in a small buffer, with the default block.
func TestSmallArray(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if n := len(records(t, strings.NewReader(`[{"a":1},{"b":2}]`), stream.Limits{})); n != 2 {
		t.Fatalf("%d records", n)
	}
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; took > 128<<10 {
		t.Errorf("two records took %d bytes of memory", took)
	}
}
