package provider

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/cupel-dev/cupel/attest/model"
	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/internal/doortest"
	"github.com/cupel-dev/cupel/internal/journal"
)

// inFolder returns a cache of its own, as another process has it.
func inFolder(t interface{ Fatal(...any) }, e model.Embedder, dir string) *Cache {
	return cached(t, e, CacheOptions{BaseURL: "http://localhost/v1", Model: "small", Dir: dir})
}

// TestFolderLine: a line is as the documentation shows it.
func TestFolderLine(t *testing.T) {
	key := (&Cache{opt: CacheOptions{BaseURL: "http://127.0.0.1:8080/v1"}}).keyOf("small", "hello")
	const want = `{"key":"f8c642ba59ad27af1bd43b698d56cefe5896abdba19a699e65b6c41c9fef19e5","vector":"AACAPwAAAEA=","crc32":"29dd52aa"}` + "\n"
	if got := string(vectorLine(key, []float32{1, 2})); got != want {
		t.Errorf("got %s", got)
	}
}

// TestFolderLaw: caches that come one after the other, or are open together, answer as the
// embedder does, bit by bit, and ask for no text twice.
func TestFolderLaw(t *testing.T) {
	root := t.TempDir()
	runs := 0
	rapid.Check(t, func(t *rapid.T) {
		runs++
		dir := filepath.Join(root, fmt.Sprint(runs))
		inner := &embedder{}
		caches := []*Cache{inFolder(t, inner, dir), inFolder(t, inner, dir)}
		asked := map[string]bool{}
		for range rapid.IntRange(1, 8).Draw(t, "requests") {
			c := rapid.SampledFrom(caches).Draw(t, "cache")
			if rapid.Bool().Draw(t, "fresh") {
				c = inFolder(t, inner, dir)
				caches = append(caches, c)
			}
			r := texts(rapid.SliceOf(rapid.SampledFrom([]string{"a", "b", "c", "d", "", "\n"})).Draw(t, "texts")...)
			reply, err := c.Embed(context.Background(), r)
			if err != nil {
				t.Fatal(err)
			}
			for i, text := range r.Texts {
				want, _ := letters(context.Background(), "small", text)
				if !slices.Equal(reply.Vectors[i], want) {
					t.Fatalf("%q: %v, want %v", text, reply.Vectors[i], want)
				}
				asked[text] = true
			}
		}
		for _, c := range caches {
			c.Close()
		}
		if got := len(slices.Concat(inner.calls...)); got != len(asked) {
			t.Fatalf("asked for %d texts, want %d", got, len(asked))
		}
	})
}

// TestFolderDamaged checks that with a damaged file each vector is right or requested again, and that the folder
// works again afterwards.
func TestFolderDamaged(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, vectorsFile)
	ask := func(dir string) (calls int) {
		inner := &embedder{}
		c := inFolder(t, inner, dir)
		defer c.Close()
		reply, err := c.Embed(t.Context(), texts("a", "b"))
		if err != nil {
			t.Fatal(err)
		}
		for i, text := range []string{"a", "b"} {
			if want, _ := letters(t.Context(), "small", text); !slices.Equal(reply.Vectors[i], want) {
				t.Fatalf("%s: %v, want %v", text, reply.Vectors[i], want)
			}
		}
		return len(slices.Concat(inner.calls...))
	}
	ask(dir)
	whole, err := os.ReadFile(name)
	if err != nil || bytes.Count(whole, []byte("\n")) != 3 {
		t.Fatalf("%s, %v", whole, err)
	}
	first := bytes.IndexByte(whole, '\n') + 1
	for i := first; i < len(whole); i += 3 {
		for title, text := range map[string][]byte{
			"cut":     whole[:i],
			"flipped": append(append(slices.Clone(whole[:i]), whole[i]^1), whole[i+1:]...),
			"torn":    append(append(slices.Clone(whole[:i]), '\n'), whole[first:]...),
		} {
			if err := os.WriteFile(name, text, 0o600); err != nil {
				t.Fatal(err)
			}
			before := ask(dir)
			if again := ask(dir); again != 0 || before > 2 {
				t.Errorf("%s at %d: %d texts, then %d", title, i, before, again)
			}
		}
	}
}

// TestFolderForeign checks that files and folders of other programs are not changed.
func TestFolderForeign(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, vectorsFile)
	if err := os.WriteFile(name, []byte("notes\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := Cached(t.Context(), &embedder{}, CacheOptions{Dir: dir})
	if !errors.Is(err, journal.ErrForeign) || !strings.Contains(err.Error(), name) {
		t.Error(err)
	}
	if text, err := os.ReadFile(name); string(text) != "notes\n" {
		t.Errorf("%q, %v", text, err)
	}
	if _, err := Cached(t.Context(), &embedder{}, CacheOptions{Dir: name}); err == nil {
		t.Error("a file is taken for a folder")
	}
}

// TestFolderFaults makes every call of the system fail in turn: every request is answered, and
// the log says once why nothing is kept.
func TestFolderFaults(t *testing.T) {
	errDisk := errors.New("the disk is full")
	for n := 1; ; n++ {
		dir := t.TempDir()
		var log bytes.Buffer
		faults := &doortest.Faults{At: n, Err: errDisk, Short: true}
		restore := door.Use(faults.Disk(door.System()))
		opened, err := Cached(t.Context(), &embedder{}, CacheOptions{Dir: dir, Logger: slog.New(slog.NewTextHandler(&log, nil))})
		if err == nil {
			for _, text := range []string{"a", "b", "a"} {
				reply, err := opened.Embed(t.Context(), texts(text, "c"))
				if want, _ := letters(t.Context(), "", text); err != nil || !slices.Equal(reply.Vectors[0], want) {
					t.Errorf("call %d: %v, %v", n, reply, err)
				}
			}
			opened.Close()
		}
		restore()
		if faults.Failed() == "" {
			if err != nil || log.Len() > 0 || n < 5 {
				t.Errorf("%v, %s after %d calls", err, &log, n)
			}
			return
		}
		said := strings.Count(log.String(), "cannot be kept")
		inner := &embedder{}
		again := cached(t, inner, CacheOptions{Dir: dir})
		if _, err := again.Embed(t.Context(), texts("a", "b", "c")); err != nil {
			t.Error(err)
		}
		again.Close()
		if said > 1 || err == nil && said == 0 && len(inner.calls) > 0 {
			t.Errorf("%s failed, the log says %q, and %v are not kept", faults.Failed(), log.String(), inner.calls)
		}
	}
}

// TestFolderShared: many caches write at once, and each vector is there in the end.
func TestFolderShared(t *testing.T) {
	dir := t.TempDir()
	var wait sync.WaitGroup
	for i := range 4 {
		wait.Go(func() {
			c := inFolder(t, &embedder{}, dir)
			defer c.Close()
			for j := range 25 {
				if _, err := c.Embed(context.Background(), texts(fmt.Sprint(i, j), fmt.Sprint(j))); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
	inner := &embedder{}
	c := inFolder(t, inner, dir)
	defer c.Close()
	var all []string
	for i := range 4 {
		for j := range 25 {
			all = append(all, fmt.Sprint(i, j), fmt.Sprint(j))
		}
	}
	if _, err := c.Embed(t.Context(), texts(all...)); err != nil || len(inner.calls) != 0 {
		t.Errorf("%v, asked for %v", err, inner.calls)
	}
}

// TestFolderBounded: the file keeps the newest vectors.
func TestFolderBounded(t *testing.T) {
	const limit = 20_000
	d, size := smallFolder(t, limit)
	var last vectorKey
	for i := range 1000 {
		last = vectorKey{byte(i), byte(i >> 8)}
		d.keep(t.Context(), []*flight{{key: last, vector: []float32{1, 2, float32(i)}}})
	}
	found, lost := &flight{key: last}, &flight{key: vectorKey{}}
	if rest := d.load([]*flight{found, lost}); len(rest) != 1 || rest[0] != lost || found.vector[2] != 999 {
		t.Errorf("%v, %v", rest, found)
	}
	if n := size(); n > limit || n < limit/4 {
		t.Errorf("%d bytes", n)
	}
}

// TestFolderLongLines: a vector that no reader would take is not written.
func TestFolderLongLines(t *testing.T) {
	d, size := smallFolder(t, FolderBytes)
	long := &flight{vector: slices.Repeat([]float32{1}, vectorsFormat.MaxLine)}
	before := size()
	d.keep(t.Context(), []*flight{long})
	if size() != before {
		t.Error("it is written")
	}
}

// smallFolder returns a folder whose file grows up to a limit; size is that of the file.
func smallFolder(t *testing.T, limit int64) (d *folder, size func() int64) {
	t.Helper()
	dir := t.TempDir()
	d, err := openFolder(t.Context(), dir, limit, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.close)
	return d, func() int64 {
		info, err := os.Stat(filepath.Join(dir, vectorsFile))
		if err != nil {
			t.Fatal(err)
		}
		return info.Size()
	}
}
