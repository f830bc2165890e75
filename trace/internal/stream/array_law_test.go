package stream_test

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// pieces reads up to a number of bytes at a time.
type pieces struct {
	r      io.Reader
	most   int
	random *rand.Rand
}

func (p *pieces) Read(b []byte) (int, error) {
	return p.r.Read(b[:min(len(b), 1+p.random.IntN(p.most))])
}

// fragments are what random files are made of: whole records, and all that cutting an
// array must not stumble over.
var fragments = []string{
	"{}", `{"a":1}`, `{"a":[1,"],"],"é":"\"["}`, `"é\\"`, "\"\u00e9", "1", "[", "]", "{", "}", ",", ",", ":", `"`, `\`,
	" ", "\n", "\r\n", "\t", "\n\n  \n", "                                ", "\ufeff", "é", "\xe2\x82", "\xff", "\U0001f600",
	`{"events":[`, `"events"`, `"events":[`, "tru", "null", `{"long":"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"}`, "[[[[[[{}]]]]]]",
}

// arbitrary returns a random file, most often one that begins as an array.
func arbitrary(r *rand.Rand) string {
	var b strings.Builder
	b.WriteString([]string{"", "", "[", "[ ", `{"events":[`, "{\n\"m\": 1,\n\"events\" : [", "\ufeff["}[r.IntN(7)])
	for range r.IntN(30) {
		b.WriteString(fragments[r.IntN(len(fragments))])
		if r.IntN(3) == 0 {
			b.WriteString(",")
		}
	}
	b.WriteString([]string{"", "]", "]", "]}", "]\n", "]  x", "] }\n"}[r.IntN(7)])
	return b.String()
}

// sameRecords demands the same records of a file, however it is read.
func sameRecords(tb *testing.T, text string, limits stream.Limits, r *rand.Rand) {
	tb.Helper()
	want := records(tb, strings.NewReader(text), limits)
	for way, in := range map[string]struct {
		r     io.Reader
		block int
	}{
		"byte by byte":                  {iotest.OneByteReader(strings.NewReader(text)), 1 << 10},
		"with the end in the last read": {iotest.DataErrReader(strings.NewReader(text)), 1 << 10},
		"in pieces":                     {&pieces{strings.NewReader(text), 1 + r.IntN(20), r}, 1 << 10},
		"in blocks":                     {strings.NewReader(text), 1 + r.IntN(40)},
		"in pieces and blocks":          {&pieces{strings.NewReader(text), 1 + r.IntN(20), r}, 1 + r.IntN(40)},
	} {
		if got := recordsInBlocks(tb, in.r, limits, in.block); !slices.Equal(got, want) {
			tb.Fatalf("%q with lines of up to %d bytes, %s:\n got %q\nwant %q", text, limits.LineBytes, way, got, want)
		}
	}
}

// TestCutsDoNotMatter: what a file is cut into depends on its bytes, not on where reads
// and blocks end; with lines of every length about the limit.
func TestCutsDoNotMatter(t *testing.T) {
	for seed := range uint64(2_000) {
		r := rand.New(rand.NewPCG(seed, 4))
		sameRecords(t, arbitrary(r), stream.Limits{LineBytes: 1 + r.IntN(60)}, r)
	}
	r := rand.New(rand.NewPCG(1, 1))
	for at := -3; at <= 3; at++ { // an array after as many bytes as the search reads
		head := `{"m":"` + strings.Repeat("x", 64<<10-len(`{"m":"","events":[`)+at) + `","events":[`
		sameRecords(t, head+"{},{}]}", stream.Limits{}, r)
		sameRecords(t, strings.Repeat(" ", 64<<10+at)+"[{},{}]", stream.Limits{}, r)
	}
}

// FuzzCuts is TestCutsDoNotMatter on any file.
func FuzzCuts(f *testing.F) {
	for seed := range uint64(40) {
		f.Add([]byte(arbitrary(rand.New(rand.NewPCG(seed, 4)))), int(seed), seed)
	}
	f.Fuzz(func(t *testing.T, text []byte, most int, seed uint64) {
		sameRecords(t, string(text), stream.Limits{LineBytes: most}, rand.New(rand.NewPCG(seed, 5)))
	})
}

// TestElements checks that the text and the place of every element are those of a byte-by-byte search for its end,
// for any length and any white space around it.
func TestElements(t *testing.T) {
	spaces := []string{"", " ", "\n", "\r\n\t ", strings.Repeat(" \n", 30)}
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(seed, 6))
		most := 1 + r.IntN(30)
		text := "["
		var want []string
		for i := range 1 + r.IntN(9) {
			if i > 0 {
				text += ","
			}
			text += spaces[r.IntN(len(spaces))]
			element := fmt.Sprintf(`"%s"`, strings.Repeat([]string{"x", "é", "\U0001f600"}[r.IntN(3)], r.IntN(40)))
			line := text[strings.LastIndexByte(text, '\n')+1:]
			said := fmt.Sprintf("%d:%d %s", 1+strings.Count(text, "\n"), len([]rune(line)), element[:min(len(element), most)])
			if len(element) > most {
				said += fmt.Sprintf("…%d", len(element))
			}
			want = append(want, said)
			text += element + spaces[r.IntN(len(spaces))]
		}
		if got := records(t, strings.NewReader(text+"]"), stream.Limits{LineBytes: most}); !slices.Equal(got, want) {
			t.Fatalf("%q with %d bytes:\n got %q\nwant %q", text, most, got, want)
		}
	}
}

// TestAroundAnArray checks the findings and places of a file whose array is invalid because of the text around it.
func TestAroundAnArray(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"[{}] x", "1:6 line.json"},
		{"[{},\n {}]\n\n }", "4:2 line.json"},
		{"{\"é\":0,\n\"events\":[{}]}}", "2:15 line.json"},
		{"{\"a\": tru,\n\"events\":[{}]}", "1:7 line.json"},
		{"{\"a\":1,\"events\":[{}],\n\"a\":2}", "2:1 line.duplicate_key"},
		{"{\"a\":1,\"a\":2,\"events\":[{}]}", "1:8 line.duplicate_key"},
		{"{\"events\":[{}]", "1:15 line.json"},
		{"{\"events\":[{}],\"m\":[[[[1]]]]}", "1:23 line.limit"},
		{"[{}]" + strings.Repeat("x", 50), "1:0 line.limit"},
		{"[{}]" + strings.Repeat(" ", 50), ""},
		{"[{}" + strings.Repeat(" ", 50), "1:3 line.json"},
		{"[{\"a\":" + strings.Repeat("[", 50), "1:0 line.limit"},
	} {
		for _, block := range []int{1, 7, 0} {
			r := newReading(stream.Limits{LineBytes: 40, Depth: 4}, 1)
			if err := r.runner.Run(t.Context(), stream.Records(strings.NewReader(c.text), r.runner.Limits, block)); err != nil {
				t.Fatal(err)
			}
			list, _, _, _ := r.findings.Close()
			got := ""
			for _, f := range list {
				if f.Rule != "n.type" {
					got += fmt.Sprintf("%d:%d %s", f.Line, f.Column, f.Rule)
				}
			}
			if got != c.want {
				t.Errorf("%q: %q, want %q", c.text, got, c.want)
			}
		}
	}
}

// TestReadErrorInHead: an error that ends the search for the layout is the input's.
func TestReadErrorInHead(t *testing.T) {
	broken := iotest.ErrReader(io.ErrClosedPipe)
	for _, text := range []string{"", "{", "[", "[{}", "{}\n{}"} {
		in := stream.Records(io.MultiReader(strings.NewReader(text), &once{r: broken}), stream.Limits{}.WithDefaults(), 0)
		err := error(nil)
		for buf := []byte(nil); err == nil; {
			var b stream.Block
			b, err = in.Next(buf)
			buf = bytes.Clone(b.Data)
		}
		if err != io.ErrClosedPipe {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// once fails once and is then at its end.
type once struct {
	r    io.Reader
	done bool
}

func (o *once) Read(p []byte) (int, error) {
	if o.done {
		return 0, io.EOF
	}
	o.done = true
	return o.r.Read(p)
}
