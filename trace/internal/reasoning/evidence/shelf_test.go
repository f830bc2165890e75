package evidence

import (
	"fmt"
	"reflect"
	"testing"
	"testing/fstest"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/fault"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/folder"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/format"
)

// TestShelf: what a shelf has is what was put there under that number, and it has the latest
// that fit its room, whatever was put there before.
func TestShelf(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s shelf
		all := map[uint32]content{}
		sizes := rapid.SliceOfN(rapid.OneOf(rapid.IntRange(-1, 300), rapid.IntRange(keepFile/2, keepFile)), 0, 120).Draw(t, "sizes")
		number := uint32(0)
		for _, size := range sizes {
			number += uint32(rapid.IntRange(1, 3).Draw(t, "step"))
			c := content{size: int64(size), sum: digest.Of(fmt.Append(nil, number))}
			if size >= 0 {
				c.data = make([]byte, size)
			}
			s.put(number, c)
			all[number] = c
		}
		room := shelfBytes
		for n := number + 1; n > 0; n-- {
			want, put := all[n]
			if put = put && want.data != nil; put {
				room -= len(want.data) + bookBytes
			}
			got := s.numbered(n)
			if (got != nil) != (put && room >= 0) || got != nil && (got.sum != want.sum || len(got.data) != len(want.data)) {
				t.Fatalf("evidence %d of %v: %v", n, sizes, got)
			}
		}
	})
}

// shortFiles are files with a short way to small ones, which "c" does not take to its end.
type shortFiles struct{ fstest.MapFS }

func (f shortFiles) Small(name string, room func(size int64) []byte) ([]byte, bool) {
	file := f.MapFS[name]
	if file == nil {
		return nil, false
	}
	data := room(int64(len(file.Data)))
	return data[:copy(data, file.Data)], data != nil && name != "c"
}

// TestBlocks: where the blocks of a trace end, and how its files are read, changes nothing of
// what is found.
func TestBlocks(t *testing.T) {
	const text = "what the evidence says, in a few words"
	files := fstest.MapFS{"a": {Data: []byte(text)}, "b": {Data: []byte(text[5:])}, "c": {Data: []byte(text)}}
	rapid.Check(t, func(t *rapid.T) {
		var lines []string
		for range rapid.IntRange(1, 12).Draw(t, "events") {
			id := rapid.SampledFrom([]string{"e1", "e2", "e3"}).Draw(t, "id")
			if rapid.Bool().Draw(t, "registers") {
				path := rapid.SampledFrom([]string{"a", "b", "c", "d", "../a"}).Draw(t, "path")
				lines = append(lines, register(id, path, rapid.SampledFrom([]string{text, text[5:]}).Draw(t, "registered")))
				continue
			}
			from := rapid.IntRange(0, 8).Draw(t, "from")
			to := from + rapid.IntRange(1, len(text)-from).Draw(t, "length")
			off := rapid.SampledFrom([]int{0, 0, 0, 1, 5}).Draw(t, "off")
			lines = append(lines, cite(rapid.SampledFrom([]string{id, id, id, ""}).Draw(t, "cited"), from+off, to+off, text[from:to]))
		}
		whole, err := check(t, files, lines)
		if err != nil {
			t.Fatal(err)
		}
		var blocks [][]string
		for rest := lines; len(rest) > 0; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "block")
			blocks, rest = append(blocks, rest[:n]), rest[n:]
		}
		var read folder.Files = files
		if rapid.Bool().Draw(t, "short") {
			read = shortFiles{files}
		}
		cut, err := check(t, read, blocks...)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(whole, cut) {
			t.Fatalf("%q\nin blocks %q:\n%+v\nas one:\n%+v", lines, blocks, cut, whole)
		}
	})
}

// TestRoomComesBack: what a file takes of the room for content is given back, however it was
// read.
func TestRoomComesBack(t *testing.T) {
	files := shortFiles{fstest.MapFS{"a": {Data: []byte("text")}, "c": {Data: []byte("text")}, "long": {Data: make([]byte, keepFile+1)}}}
	for _, name := range []string{"a", "c", "long", "none"} {
		r := NewReader(files, &fault.Log{}, folder.NewReaders(t.Context(), 1))
		f := &Files{reader: r, first: map[uint64]*file{}, all: []file{{event: &format.Event{}, path: name}}}
		f.all[0].take(r)
		if taken, kept := keepBytes-r.room.Load(), int64(len(f.all[0].data)); taken != kept {
			t.Errorf("%s: %d bytes are taken for %d", name, taken, kept)
		}
		f.release()
		if left := r.room.Load(); left != keepBytes {
			t.Errorf("%s: %d bytes are left", name, left)
		}
	}
}
