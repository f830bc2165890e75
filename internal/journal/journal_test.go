package journal_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/internal/journal"
)

var format = journal.Format{Name: "list of words", First: `{"schema":"words"}`, MaxLine: 64}

// words remembers the lines that it takes, and where they are.
type words struct {
	lines   []string
	offsets []int64
}

func (w *words) Reset() { *w = words{} }

func (w *words) Take(line []byte, offset int64) (ok bool) {
	w.lines, w.offsets = append(w.lines, string(line)), append(w.offsets, offset)
	return string(line) != "nonsense"
}

func check(t interface{ Fatal(...any) }, err error) {
	if err != nil {
		t.Fatal(err)
	}
}

// TestView checks that a view, after any number of steps, has seen the lines of the file with their places, and only
// the current lines of a file that was recreated.
func TestView(t *testing.T) {
	root := t.TempDir()
	runs := 0
	rapid.Check(t, func(t *rapid.T) {
		runs++
		name := filepath.Join(root, fmt.Sprint(runs))
		f, err := journal.Open(context.Background(), name, format, 300, 0o600)
		check(t, err)
		var view journal.View
		defer view.Close()
		var seen words
		for range rapid.IntRange(1, 8).Draw(t, "steps") {
			var lines [][]byte
			for _, word := range rapid.SliceOf(rapid.SampledFrom([]string{"a", "bc", "nonsense", strings.Repeat("x", 40), strings.Repeat("long", 20)})).Draw(t, "lines") {
				lines = append(lines, []byte(word+"\n"))
			}
			check(t, f.Append(context.Background(), lines))
			damaged, err := f.Refresh(&view, &seen)
			check(t, err)
			text, err := os.ReadFile(name)
			check(t, err)
			var want []string
			for line := range strings.Lines(string(text)) {
				if line = strings.TrimSuffix(line, "\n"); line != format.First && len(line) <= format.MaxLine {
					want = append(want, line)
				}
			}
			if !slices.Equal(seen.lines, want) || len(text) > 300 || damaged < 0 {
				t.Fatalf("seen %q, want %q", seen.lines, want)
			}
			for i, line := range seen.lines {
				got := make([]byte, len(line))
				if _, err := view.ReadAt(got, seen.offsets[i]); err != nil || string(got) != line {
					t.Fatalf("at %d is %q (%v), want %q", seen.offsets[i], got, err, line)
				}
			}
		}
	})
}

// TestForeign: the error names the file, what it should be, and how one is known.
func TestForeign(t *testing.T) {
	name := filepath.Join(t.TempDir(), "file")
	check(t, os.WriteFile(name, []byte("notes\n"), 0o600))
	_, err := journal.Open(t.Context(), name, format, 300, 0o600)
	if want := "open " + name + `: the file is not a list of words: expected the first line {"schema":"words"}`; !errors.Is(err, journal.ErrForeign) || err.Error() != want {
		t.Errorf("got %v", err)
	}
	var at *fs.PathError
	if !errors.As(err, &at) || at.Path != name {
		t.Error(err)
	}
}

// TestDamaged counts the lines that make no sense, once.
func TestDamaged(t *testing.T) {
	name := filepath.Join(t.TempDir(), "file")
	f, err := journal.Open(t.Context(), name, format, 300, 0o600)
	check(t, err)
	check(t, f.Append(t.Context(), [][]byte{[]byte("a\n"), []byte("nonsense\n"), []byte(strings.Repeat("x", 65) + "\n")}))
	var view journal.View
	defer view.Close()
	for _, want := range []int{2, 0} {
		if damaged, err := f.Refresh(&view, &words{}); damaged != want || err != nil {
			t.Errorf("%d lines, %v", damaged, err)
		}
	}
}
