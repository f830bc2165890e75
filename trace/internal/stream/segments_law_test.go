package stream_test

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/trace/internal/stream"
)

// rotated are the texts of files, read one after another: a read ends with each.
type rotated struct {
	texts []string
	n     int // opened
	io.Reader
}

func (r *rotated) next() (string, error) {
	if r.n == len(r.texts) {
		return "", io.EOF
	}
	r.Reader = strings.NewReader(r.texts[r.n])
	r.n++
	return fmt.Sprint("file ", r.n), nil
}

// placed is a line and its place.
type placed struct {
	Text        string
	Number      int
	Offset      int64
	Name        string
	File, Local int
}

// TestSegments compares the lines of several files and their places with a naive reader of one file after the other,
// for any length of blocks.
func TestSegments(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) string {
			return strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"{}\n", "\n", " \r\n", "no json\n", "[\n", "7"}), 0, 5).Draw(t, "lines"), "")
		}), 1, 5).Draw(t, "files")
		for i, text := range texts {
			content := strings.TrimLeft(text, " \r\n")
			if strings.HasPrefix(content, "[") {
				texts[i] = "{}\n" + text // it would be an array
			}
			if content != "" {
				break
			}
		}
		var want []placed
		var list []stream.Segment
		number, offset := 0, int64(0)
		for i, text := range texts {
			name := fmt.Sprint("file ", i+1)
			list = append(list, stream.Segment{Name: name, First: number + 1, Content: strings.Trim(text, " \r\n") != ""})
			for line := range strings.Lines(text) {
				number++
				want = append(want, placed{strings.TrimRight(line, "\r\n"), number, offset, name, i, number - list[i].First + 1})
				offset += int64(len(line))
			}
		}
		files := &rotated{texts: texts}
		in := stream.NewSegments(files, files.next, stream.Limits{}.WithDefaults(), rapid.IntRange(0, 9).Draw(t, "block"))
		var got []placed
		for {
			b, err := in.Next(nil)
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatalf("%q: %v", texts, err)
			}
			for l := range b.Lines {
				s, at, local := in.Place(l.Number)
				got = append(got, placed{string(l.Bytes), l.Number, l.Offset, s.Name, at, local})
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%q (-naive +got):\n%s", texts, diff)
		}
		if diff := cmp.Diff(list, in.List()); diff != "" {
			t.Fatalf("%q (-naive +got):\n%s", texts, diff)
		}
		for _, p := range want {
			if _, at, local := stream.Placed(list).Place(p.Number); at != p.File || local != p.Local {
				t.Fatalf("%q: line %d is line %d of file %d, want %d of %d", texts, p.Number, local, at, p.Local, p.File)
			}
		}
	})
}

// readSegments reads files to their end, and returns what ended them.
func readSegments(texts []string) (err error) {
	files := &rotated{texts: texts}
	in := stream.NewSegments(files, files.next, stream.Limits{}.WithDefaults(), 0)
	for err == nil {
		_, err = in.Next(nil)
	}
	return err
}

// TestSegmentsThatAreNone checks that an array is refused as a segment, and that a read error ends the first segment
// like any other.
func TestSegmentsThatAreNone(t *testing.T) {
	for _, text := range []string{"[", " [{}]", `{"events":[{}]}`} {
		for _, blank := range [][]string{nil, {""}, {"\n\n"}, {" "}, {"", "\r\n", ""}} { // before it
			texts := append(slices.Clone(blank), text)
			want := fmt.Sprintf("%q is an array", fmt.Sprint("file ", len(texts)))
			if err := readSegments(texts); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%q: %v", texts, err)
			}
		}
		if err := readSegments([]string{"{}\n", text}); err != io.EOF { // a line of the one log, whatever it is
			t.Errorf("%s behind a line: %v", text, err)
		}
	}
	fails := errors.New("no such disk")
	for n := range 3 {
		files := &rotated{texts: []string{"{}\n", "{}\n", "{}\n"}}
		in := stream.NewSegments(files, func() (string, error) {
			name, err := files.next()
			if files.n == n+1 {
				files.Reader = io.MultiReader(strings.NewReader("{}\n"), iotest.ErrReader(fails))
			}
			return name, err
		}, stream.Limits{}.WithDefaults(), 0)
		var err error
		read := 0
		for err == nil {
			var b stream.Block
			b, err = in.Next(nil)
			if err == nil {
				for range b.Lines {
					read++
				}
			}
		}
		if !errors.Is(err, fails) || read != n+1 {
			t.Errorf("file %d: %d lines and %v, want %d and %v", n+1, read, err, n+1, fails)
		}
	}
}
