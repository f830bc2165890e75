package stream_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// grow reads what a log holds after a place: "number@offset text" of each line.
func grow(t *testing.T, rest string, after stream.Place) (g *stream.GrowingLines, list []string) {
	t.Helper()
	g = stream.NewGrowing(strings.NewReader(rest), stream.Limits{}.WithDefaults(), 0, after)
	var buf []byte
	for {
		b, err := g.Next(buf)
		if errors.Is(err, io.EOF) {
			return g, list
		}
		if err != nil {
			t.Fatal(err)
		}
		for l := range b.Lines {
			list = append(list, fmt.Sprintf("%d@%d %s", l.Number, l.Offset, l.Bytes))
		}
		buf = b.Data
	}
}

// TestGrowing cuts a log in two at every byte: the two readings deliver the lines of one,
// each at its place, and a line without its end waits.
func TestGrowing(t *testing.T) {
	log := numbered(12) + "\n" + strings.Repeat("x", 20) + "\n{}\n"
	whole, want := grow(t, log, stream.Place{})
	if whole.Offset != int64(len(log)) || whole.Waiting != 0 || string(whole.Tail) != log || whole.Line != strings.Count(log, "\n")+1 {
		t.Fatalf("%+v", whole.Place)
	}
	for cut := range len(log) {
		first, list := grow(t, log[:cut], stream.Place{})
		if int(first.Offset)+first.Waiting != cut || string(first.Tail) != log[:first.Offset] {
			t.Fatalf("cut at %d: %d bytes read, %d waiting", cut, first.Offset, first.Waiting)
		}
		second, more := grow(t, log[first.Offset:], first.Place)
		if list = append(list, more...); !equal(list, want) {
			t.Fatalf("cut at %d:\n got %q\nwant %q", cut, list, want)
		}
		if second.Offset != whole.Offset || second.Line != whole.Line || string(second.Tail) != log {
			t.Fatalf("cut at %d: %+v", cut, second.Place)
		}
	}
}

// TestTail keeps the end of a long log, over any number of blocks.
func TestTail(t *testing.T) {
	log := numbered(60_000)
	g, _ := grow(t, log, stream.Place{})
	if want := log[len(log)-stream.TailBytes:]; string(g.Tail) != want {
		t.Errorf("a tail of %d bytes, want %d", len(g.Tail), len(want))
	}
	g, _ = grow(t, "{}\n", g.Place)
	if want := (log + "{}\n")[len(log)+3-stream.TailBytes:]; string(g.Tail) != want {
		t.Errorf("a tail of %d bytes, want %d", len(g.Tail), len(want))
	}
}
