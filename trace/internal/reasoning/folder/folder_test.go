package folder

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"testing/iotest"

	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/rule"
)

// refusing is a folder that refuses to open.
type refusing struct {
	fstest.MapFS
	err error
}

func (r refusing) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: r.err}
}

func TestOpen(t *testing.T) {
	files := fstest.MapFS{
		"a/b":    {Data: []byte("text")},
		"pipe":   {Mode: fs.ModeNamedPipe},
		"socket": {Mode: fs.ModeSocket},
		"device": {Mode: fs.ModeDevice},
		"odd":    {Mode: fs.ModeIrregular},
		"link":   {Mode: fs.ModeSymlink, Data: []byte("a")},
	}
	escapes := errors.New("path escapes from parent")
	for _, c := range []struct {
		files Files
		name  string
		rule  rule.ID
		text  string
	}{
		{files, "", rule.PathNotRegular, "the folder itself"},
		{files, "a", rule.PathNotRegular, "a directory"},
		{files, "pipe", rule.PathNotRegular, "a named pipe"},
		{files, "socket", rule.PathNotRegular, "a socket"},
		{files, "device", rule.PathNotRegular, "a device"},
		{files, "odd", rule.PathNotRegular, "irregular"},
		{files, "x", rule.PathMissingFile, "is missing"},
		{refusing{files, fs.ErrPermission}, "a/b", rule.PathMissingFile, "permission denied"},
		{refusing{files, escapes}, "link/b", rule.PathSymlinkEscape, "out of the evidence folder"},
		{refusing{files, escapes}, "x/y", rule.PathMissingFile, "is missing"},
	} {
		f, _, fault, err := Open(c.files, c.name)
		if f != nil || err != nil || fault == nil || fault.Rule != c.rule || !strings.Contains(fault.Message, c.text) {
			t.Errorf("%q: %+v, %v", c.name, fault, err)
		}
	}
	f, size, fault, err := Open(files, "a/b")
	if err != nil || fault != nil || size != 4 {
		t.Fatalf("%d bytes, %+v, %v", size, fault, err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}

// unasked is a file that cannot be asked what it is.
type unasked struct{ fstest.MapFS }

func (u unasked) Open(name string) (fs.File, error) {
	f, err := u.MapFS.Open(name)
	return mute{f}, err
}

type mute struct{ fs.File }

func (mute) Stat() (fs.FileInfo, error) { return nil, fs.ErrInvalid }

func TestOpenFails(t *testing.T) {
	if _, _, fault, err := Open(unasked{fstest.MapFS{"a": {}}}, "a"); fault != nil || !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("%+v, %v", fault, err)
	}
}

// TestRange reads every range of a small file, by seeking and by skipping.
func TestRange(t *testing.T) {
	const text = "abcdef"
	files := fstest.MapFS{"a": {Data: []byte(text)}}
	for from := range len(text) + 1 {
		for to := from; to <= len(text)+2; to++ {
			for _, skip := range []bool{false, true} {
				f, err := files.Open("a")
				if err != nil {
					t.Fatal(err)
				}
				if skip {
					f = struct{ fs.File }{f}
				}
				want := text[from:min(to, len(text))]
				sum, n, err := NewReaders(t.Context(), 1).Hash(Range(f, int64(from), int64(to)))
				if err != nil || n != int64(len(want)) || sum != digest.Of([]byte(want)) {
					t.Errorf("[%d,%d] skipping %v: %d bytes, %v", from, to, skip, n, err)
				}
			}
		}
	}
	f := struct{ fs.File }{}
	f.File, _ = files.Open("a")
	if _, err := io.ReadAll(Range(f, 10, 12)); err != nil {
		t.Errorf("behind the end: %v", err)
	}
}

func TestHashFails(t *testing.T) {
	if _, _, err := NewReaders(t.Context(), 1).Hash(iotest.ErrReader(fs.ErrInvalid)); !errors.Is(err, fs.ErrInvalid) {
		t.Error(err)
	}
}

// endless never ends, and calls a function with each read.
type endless func()

func (f endless) Read(p []byte) (int, error) {
	f()
	return len(p), nil
}

// TestHashEnds checks that hashing the largest file ends when it is cancelled.
func TestHashEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	if _, _, err := NewReaders(ctx, 1).Hash(endless(cancel)); !errors.Is(err, context.Canceled) {
		t.Errorf("the context has ended: %v", err)
	}
	readers := NewReaders(t.Context(), 1)
	if _, _, err := readers.Hash(endless(readers.Stop)); !errors.Is(err, errStopped) {
		t.Errorf("reading was stopped: %v", err)
	}
}

func TestEach(t *testing.T) {
	for jobs := range 5 {
		var done [20]atomic.Int32
		NewReaders(t.Context(), jobs).Each(len(done), func(i int) { done[i].Add(1) })
		for i := range done {
			if done[i].Load() != 1 {
				t.Errorf("%d jobs: number %d ran %d times", jobs, i, done[i].Load())
			}
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	ran := 0
	NewReaders(ctx, 1).Each(10, func(int) {
		ran++
		cancel()
	})
	if ran != 1 {
		t.Errorf("%d ran after the context ended", ran)
	}
}

// TestEachTogether checks that callers read concurrently, and that each sees the others' reads.
func TestEachTogether(t *testing.T) {
	const jobs, callers = 3, 4
	readers := NewReaders(t.Context(), jobs)
	var done [callers][50]atomic.Int32
	var now, most atomic.Int32
	var group sync.WaitGroup
	for i := range done {
		group.Go(func() {
			readers.Each(len(done[i]), func(k int) {
				n := now.Add(1)
				for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
				}
				done[i][k].Add(1)
				runtime.Gosched()
				now.Add(-1)
			})
		})
	}
	group.Wait()
	for i := range done {
		for k := range done[i] {
			if n := done[i][k].Load(); n != 1 {
				t.Errorf("number %d of caller %d ran %d times", k, i, n)
			}
		}
	}
	if most.Load() > callers+jobs-1 || len(readers.spare) > 0 {
		t.Errorf("%d ran at a time, %d are still said to", most.Load(), len(readers.spare))
	}
}
