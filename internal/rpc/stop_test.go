package rpc

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// TestEveryRequestIsAnsweredOnce: whatever is asked in whatever order, with works that end
// or never do, and whatever ends the loop at whatever moment, every request that was read
// gets one answer.
func TestEveryRequestIsAnsweredOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ctx, stop := context.WithCancel(context.Background())
		defer stop()
		inR, inW := io.Pipe()
		outR, outW := io.Pipe()
		f := newFake()
		opt := Options{
			Concurrent: rapid.IntRange(1, 3).Draw(t, "concurrent"), MaxLine: 4 << 10,
			StopTime: 10 * time.Millisecond, DrainTime: 10 * time.Millisecond, Linger: time.Millisecond, FlushTime: 10 * time.Second,
		}
		if rapid.Bool().Draw(t, "limited") {
			opt.WorkTime = 5 * time.Millisecond
		}
		if rapid.Bool().Draw(t, "few answers wait") {
			opt.AnswerBytes = 100
		}
		done := make(chan error, 1)
		go func() {
			done <- Serve(ctx, inR, outW, f, opt)
			_ = outW.Close()
			_ = inR.Close()
		}()
		answers := make(chan []string, 1)
		go func() { answers <- idsOf(outR) }()

		want := sendAtRandom(t, inW, f, stop)
		if err := within(t, done); err != nil {
			t.Fatalf("Serve returned %v", err)
		}
		got := within(t, answers)
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("answers to\n%s\nwant\n%s", got, want)
		}
	})
}

// sendAtRandom sends requests and ends the loop in one of the ways there are. It returns
// the ids of what was read before the end: the pipe has no room of its own, so that all
// that was written was read.
func sendAtRandom(t *rapid.T, in *io.PipeWriter, f *fake, stop func()) (ids []string) {
	release := func() {
		select {
		case f.hold <- struct{}{}:
		default:
		}
	}
	write := func(text string) {
		if _, err := io.WriteString(in, text); err != nil {
			t.Fatalf("writing %.100s: %v", text, err)
		}
	}
	for id := range rapid.IntRange(0, 30).Draw(t, "requests") {
		method := rapid.SampledFrom([]string{"echo", "work", "hold", "hold", "heavy", "heavy-hold", "panic", "work-panic", "note", "broken", "long", "unread", "release"}).Draw(t, "method")
		switch method {
		case "release":
			release()
			continue
		case "note":
			write(`{"jsonrpc":"2.0","method":"hold"}` + "\n")
			continue
		case "broken":
			write(fmt.Sprintf(`{"jsonrpc":"2.0","params":[NaN],"id":%d}`+"\n", id))
		case "long":
			write(fmt.Sprintf(`{"jsonrpc":"2.0","params":"%s","id":%d}`+"\n", strings.Repeat("x", 5000), id))
		default:
			write(call(id, method))
		}
		ids = append(ids, fmt.Sprint(id))
	}
	switch rapid.SampledFrom([]string{"signal", "last", "last and signal", "end and signal"}).Draw(t, "end") {
	case "signal":
		stop()
	case "last":
		write(call(1000, "last"))
		ids = append(ids, "1000")
	case "last and signal":
		write(call(1000, "last"))
		ids = append(ids, "1000")
		stop()
	case "end and signal":
		_ = in.Close()
		stop()
	}
	return ids
}

// idsOf reads answers to the end and returns their ids.
func idsOf(r io.Reader) (ids []string) {
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		id, _, _ := strings.Cut(strings.TrimPrefix(lines.Text(), `{"jsonrpc":"2.0","id":`), ",")
		ids = append(ids, id)
	}
	return ids
}

// within receives what must come in the end.
func within[T any](t *rapid.T, from <-chan T) T {
	t.Helper()
	select {
	case value := <-from:
		return value
	case <-time.After(sessionTime):
		t.Fatal("nothing has come")
		panic("unreachable")
	}
}
