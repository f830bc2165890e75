package source

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"
)

// TestLinesAgainstSplit cuts random texts with every small block size and line limit
// and compares with a plain split of the whole text.
func TestLinesAgainstSplit(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	cases := 0
	for range 400 {
		text := randomText(rnd)
		for _, size := range []int{1, 2, 3, 7, 64} {
			for _, limit := range []int{1, 2, 5, 100} {
				for name, r := range map[string]io.Reader{
					"whole": strings.NewReader(text), "bytewise": iotest.OneByteReader(strings.NewReader(text)),
				} {
					want := split(text, limit)
					if got := collect(t, NewBlocks(r, size, limit)); got != want {
						t.Fatalf("%s, blocks of %d, limit %d: %q\n got %s\nwant %s", name, size, limit, text, got, want)
					}
					if got := collect(t, NewBlocks(strings.NewReader(text), size, limit).AtMost(2)); got != want {
						t.Fatalf("blocks of %d bytes and 2 lines, limit %d: %q\n got %s\nwant %s", size, limit, text, got, want)
					}
					cases++
				}
			}
		}
	}
	t.Logf("%d cases", cases)
}

func randomText(rnd *rand.Rand) string {
	var b strings.Builder
	for range rnd.IntN(40) {
		b.WriteByte("ab \r\n\n"[rnd.IntN(6)])
	}
	return b.String()
}

func collect(t *testing.T, blocks *Blocks) string {
	t.Helper()
	var out strings.Builder
	var buf []byte
	for {
		block, err := blocks.Next(buf)
		if err == io.EOF {
			return out.String()
		}
		if err != nil {
			t.Fatal(err)
		}
		lines := 0
		for line := range block.Lines() {
			if lines++; blocks.most > 0 && lines > blocks.most {
				t.Fatalf("a block of more than %d lines", blocks.most)
			}
			fmt.Fprintf(&out, "%d@%d:%q/%d/%v ", line.Number, line.Offset, line.Bytes, line.Size, line.Long)
		}
		buf = block.Data
	}
}

func split(text string, limit int) string {
	var out strings.Builder
	offset := 0
	for number := 1; offset < len(text); number++ {
		line, _, _ := strings.Cut(text[offset:], "\n")
		next := offset + len(line) + 1
		line = strings.TrimSuffix(line, "\r")
		shown := line[:min(len(line), limit)]
		fmt.Fprintf(&out, "%d@%d:%q/%d/%v ", number, offset, shown, len(line), len(line) > limit)
		offset = next
	}
	return out.String()
}

func TestReadErrorComesAfterTheLinesBeforeIt(t *testing.T) {
	r := io.MultiReader(strings.NewReader("one\ntwo"), iotest.ErrReader(io.ErrUnexpectedEOF))
	var seen []string
	var last error
	for line, err := range NewReader(r, 0).All() {
		if err != nil {
			last = err
			break
		}
		seen = append(seen, string(line.Bytes))
	}
	if fmt.Sprint(seen) != "[one two]" || last != io.ErrUnexpectedEOF {
		t.Errorf("lines %q, error %v", seen, last)
	}
}

// TestLongLineIsNotHeld reads a line far beyond the limit and watches the buffer.
func TestLongLineIsNotHeld(t *testing.T) {
	long := io.LimitReader(endless('x'), 8<<20)
	blocks := NewBlocks(io.MultiReader(long, strings.NewReader("\nnext\n")), 1<<10, 4<<10)
	block, err := blocks.Next(nil)
	if err != nil || cap(block.Data) > 16<<10 {
		t.Fatalf("error %v, buffer of %d bytes", err, cap(block.Data))
	}
	for line := range block.Lines() {
		if !line.Long || line.Size != 8<<20 || len(line.Bytes) != 4<<10 {
			t.Errorf("long %v, size %d, kept %d", line.Long, line.Size, len(line.Bytes))
		}
	}
	block, err = blocks.Next(block.Data)
	if err != nil || string(block.Data) != "next\n" || block.Line != 2 || block.Offset != 8<<20+1 {
		t.Errorf("after it: %q at line %d offset %d, error %v", block.Data, block.Line, block.Offset, err)
	}
}

type endless byte

func (e endless) Read(p []byte) (int, error) {
	copy(p, bytes.Repeat([]byte{byte(e)}, len(p)))
	return len(p), nil
}

func TestSnip(t *testing.T) {
	long := strings.Repeat("é", 200)
	for _, tc := range []struct {
		line              string
		start, end        int
		column, endColumn int
		text              string
		caret, width      int
	}{
		{`{"a":1}`, 5, 6, 6, 7, `{"a":1}`, 5, 1},
		{"é\tx", 3, 4, 3, 4, "é x", 2, 1},
		{"a\x1b[31m", 1, 2, 2, 3, "a\uFFFD[31m", 1, 1},
		{"abc", 3, 3, 4, 5, "abc", 3, 1},
		{"abc", 9, 2, 4, 5, "abc", 3, 1},
		{"\xff\xfeab", 2, 3, 3, 4, "\uFFFD\uFFFDab", 2, 1},
		{long, 200, 202, 101, 102, "…" + long[:100] + long[:140] + "…", 51, 1},
	} {
		column, endColumn, s := Snip([]byte(tc.line), tc.start, tc.end)
		if column != tc.column || endColumn != tc.endColumn || s.Text != tc.text || s.Caret != tc.caret || s.Width != tc.width {
			t.Errorf("Snip(%q, %d, %d) = %d, %d, %+v", tc.line, tc.start, tc.end, column, endColumn, s)
		}
	}
}
