package input

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/internal/door"
	"github.com/cupel-dev/cupel/trace"
)

// endless is what ends no follower.
func endless() *Stops {
	s := &Stops{}
	s.idle.Store(math.MaxInt64)
	return s
}

// onFile returns a follower of a file that holds a text; it never waits.
func onFile(t *testing.T, ctx context.Context, text string) *follower {
	t.Helper()
	path := filepath.Join(t.TempDir(), "log")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	f := &follower{file: file, watch: watch{
		ctx: ctx, path: path, rest: followOn, stops: endless(), open: func() (door.File, error) { return door.NamedFile(ctx, path) }, stop: func() { t.Error("the verification was stopped") }, tell: func(what string) { t.Error(what) },
		after: func(time.Duration) <-chan time.Time {
			t.Error("the follower waits")
			return time.After(0)
		},
	}}
	t.Cleanup(f.Close)
	return f
}

// TestLastLinesOfRotatedLog: when the next log is found, what came to the old one since it
// was read last is read first.
func TestLastLinesOfRotatedLog(t *testing.T) {
	f := onFile(t, t.Context(), "first\n")
	buf := make([]byte, 100)
	if n, err := f.Read(buf); err != nil || string(buf[:n]) != "first\n" {
		t.Fatalf("%q, %v", buf[:n], err)
	}
	if err := errors.Join(os.Rename(f.path, f.path+".1"), os.WriteFile(f.path, []byte("next\n"), 0o666)); err != nil {
		t.Fatal(err)
	}
	if again, err := f.look(); !again || err != nil || f.End != "" {
		t.Fatalf("again: %v, %v, ended %q", again, err, f.End)
	}
	if err := os.WriteFile(f.path+".1", []byte("first\nlast\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	rest, err := io.ReadAll(f)
	if err != nil || string(rest) != "last\n" || f.End != trace.Rotated {
		t.Fatalf("%q, %v, ended %q", rest, err, f.End)
	}
	next := f.Successor()
	if n, err := next.Read(buf); err != nil || string(buf[:n]) != "next\n" || *next.Earlier != (trace.Earlier{Ending: trace.Rotated, Bytes: 11}) {
		t.Fatalf("%q, %v, after %+v", buf[:n], err, *next.Earlier)
	}
	next.Close()
}

// TestShrunkLog: a log that is shorter than what was read of it was rewritten, whatever
// its time of modification says.
func TestShrunkLog(t *testing.T) {
	for _, looked := range []bool{false, true} { // before
		f := onFile(t, t.Context(), "0123456789")
		info, err := f.file.Stat()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Read(make([]byte, 100)); err != nil {
			t.Fatal(err)
		}
		if looked {
			if again, err := f.look(); again || err != nil {
				t.Fatal(again, err)
			}
		}
		if err := errors.Join(os.Truncate(f.path, 4), os.Chtimes(f.path, info.ModTime(), info.ModTime())); err != nil {
			t.Fatal(err)
		}
		if _, err := f.look(); !errors.Is(err, io.EOF) || f.End != trace.Rewritten || f.size != 4 {
			t.Errorf("%v, ended %q with %d bytes", err, f.End, f.size)
		}
	}
}

// TestNoSuccessorOfFinishedLog: what takes the place of a log that has its end is not followed, nor what takes
// that of one with an error.
func TestNoSuccessorOfFinishedLog(t *testing.T) {
	for name, end := range map[string]func(*Stops){
		"sealed": func(s *Stops) { s.ended(true) }, "ended": func(s *Stops) { s.ended(false) }, "failed": func(s *Stops) { s.failFast = true; s.Error() },
	} {
		f := onFile(t, t.Context(), "first\n")
		if err := errors.Join(os.Rename(f.path, f.path+".1"), os.WriteFile(f.path, []byte("next\n"), 0o666)); err != nil {
			t.Fatal(err)
		}
		if _, err := f.Read(make([]byte, 100)); err != nil {
			t.Fatal(err)
		}
		if again, err := f.look(); !again || err != nil {
			t.Fatal(again, err)
		}
		end(f.stops)
		f.End = trace.Rotated
		if next := f.Successor(); next != nil {
			t.Errorf("%s: the next log is followed", name)
			next.Close()
		}
	}
}

// TestIdle checks that a log ends if nothing was appended for the time of --idle, and that each byte restarts that
// time.
func TestIdle(t *testing.T) {
	f := onFile(t, t.Context(), "first\n")
	f.stops.idle.Store(int64(250 * time.Millisecond))
	var waits []time.Duration
	f.after = func(d time.Duration) <-chan time.Time {
		if waits = append(waits, d); len(waits) == 2 {
			if err := os.WriteFile(f.path, []byte("first\nlast\n"), 0o666); err != nil {
				t.Error(err)
			}
		}
		return time.After(0)
	}
	text, err := io.ReadAll(f)
	if err != nil || string(text) != "first\nlast\n" {
		t.Fatalf("%q, %v", text, err)
	}
	ms := time.Millisecond
	if want := []time.Duration{100 * ms, 100 * ms, 100 * ms, 100 * ms, 50 * ms}; !slices.Equal(waits, want) {
		t.Errorf("it waited %v, want %v", waits, want)
	}
}

// TestFollowedPipe: a pipe ends with its context, its stops or its writer, and hands out what came before.
func TestFollowedPipe(t *testing.T) {
	for name, end := range map[string]func(*Stops, context.CancelFunc, io.Closer){
		"the writer":  func(_ *Stops, _ context.CancelFunc, w io.Closer) { _ = w.Close() },
		"the context": func(_ *Stops, cancel context.CancelFunc, _ io.Closer) { cancel() },
		"an error":    func(s *Stops, _ context.CancelFunc, _ io.Closer) { s.failFast = true; s.Error() },
		"idle":        func(s *Stops, _ context.CancelFunc, _ io.Closer) { s.idle.Store(int64(time.Millisecond)) },
		"its end":     func(s *Stops, _ context.CancelFunc, _ io.Closer) { s.ended(true) },
	} {
		ctx, cancel := context.WithCancel(t.Context())
		from, to := io.Pipe()
		stops := endless()
		r := FollowPipe(cmdline.Env{Context: ctx, After: func(time.Duration) <-chan time.Time { return time.After(time.Millisecond) }}, from, stops)
		go func() { _, _ = to.Write([]byte("line\n")) }()
		buf := make([]byte, 3)
		text := ""
		for len(text) < 5 {
			n, err := r.Read(buf)
			if text += string(buf[:n]); err != nil {
				t.Fatalf("%s: %q, %v", name, text, err)
			}
		}
		end(stops, cancel, to)
		if n, err := r.Read(buf); n != 0 || !errors.Is(err, io.EOF) || text != "line\n" {
			t.Errorf("%s: %q, then %d bytes, %v", name, text, n, err)
		}
		_ = to.Close()
		cancel()
	}
}

// TestCtrlCEndsReading: after Ctrl-C a log is read to its end when that is near, and else
// not: a writer that is faster than the reader cannot keep it.
func TestCtrlCEndsReading(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for rest, want := range map[int64]error{10: nil, 9: context.Canceled} {
		f := onFile(t, ctx, "0123456789")
		stopped := false
		f.rest, f.stop = rest, func() { stopped = true }
		text, err := io.ReadAll(io.LimitReader(f, 1000))
		if !errors.Is(err, want) || stopped != (want != nil) || want == nil && string(text) != "0123456789" {
			t.Errorf("%d bytes left: %q, %v, stopped: %v", rest, text, err, stopped)
		}
	}
}

// TestFootprint: a change of any byte is seen by reading all of them again, of the last
// ones by comparing the end; a longer file is not a change.
func TestFootprint(t *testing.T) {
	text := bytes.Repeat([]byte("0123456789"), 1000)
	const from = 100
	for _, size := range []int{1, 7, tailBytes - 1, tailBytes, tailBytes + 1, len(text)} {
		f := footprint{from: from, to: from}
		for p := text[from:]; len(p) > 0; p = p[min(size, len(p)):] {
			f.add(p[:min(size, len(p))])
		}
		if want := text[len(text)-tailBytes:]; !bytes.Equal(f.tail, want) || f.to != int64(len(text)) {
			t.Fatalf("in pieces of %d: a tail of %d bytes, up to %d", size, len(f.tail), f.to)
		}
		for at, want := range map[int][2]bool{
			-1: {true, true}, 0: {true, true}, from - 1: {true, true}, from: {true, false}, 5000: {true, false},
			len(text) - tailBytes - 1: {true, false}, len(text) - tailBytes: {false, false}, len(text) - 1: {false, false},
		} {
			now := append(bytes.Clone(text), "more"...)
			if at >= 0 {
				now[at] = 'x'
			}
			end, err1 := f.endsIn(bytes.NewReader(now))
			all, err2 := f.isIn(t.Context(), bytes.NewReader(now))
			if err := errors.Join(err1, err2); err != nil || [2]bool{end, all} != want {
				t.Errorf("in pieces of %d, byte %d changed: %v %v, want %v (%v)", size, at, end, all, want, err)
			}
		}
		for _, short := range []int{0, from, len(text) - 1} {
			end, err1 := f.endsIn(bytes.NewReader(text[:short]))
			all, err2 := f.isIn(t.Context(), bytes.NewReader(text[:short]))
			if err := errors.Join(err1, err2); err != nil || end || all {
				t.Errorf("cut to %d bytes: %v %v (%v)", short, end, all, err)
			}
		}
	}
}

// TestFootprintFails checks that a failing disk does not count as a change.
func TestFootprintFails(t *testing.T) {
	var f footprint
	f.add([]byte("0123456789"))
	broken := errors.New("the disk is broken")
	for name, ask := range map[string]func() (bool, error){
		"end": func() (bool, error) { return f.endsIn(brokenDisk{broken}) },
		"all": func() (bool, error) { return f.isIn(t.Context(), brokenDisk{broken}) },
	} {
		if _, err := ask(); !errors.Is(err, broken) {
			t.Errorf("%s: %v", name, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if same, err := f.isIn(ctx, brokenDisk{broken}); !same || err != nil {
		t.Errorf("after Ctrl-C: %v, %v", same, err)
	}
}

type brokenDisk struct{ err error }

func (d brokenDisk) ReadAt([]byte, int64) (int, error) { return 0, d.err }
