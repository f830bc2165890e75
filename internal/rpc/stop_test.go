package rpc

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"
)

// TestEveryRequestIsAnsweredOnce: whatever is asked in whatever order, with works that end,
// just when their time is over, or never, and whatever ends the loop at whatever moment, every
// request that was read gets one answer.
func TestEveryRequestIsAnsweredOnce(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		opt := Options{
			Concurrent: rapid.IntRange(1, 3).Draw(r, "concurrent"), MaxLine: 4 << 10,
			StopTime: 2 * napTime, DrainTime: 2 * napTime, Linger: time.Millisecond, FlushTime: 10 * time.Second,
		}
		if rapid.Bool().Draw(r, "limited") {
			opt.WorkTime = napTime
		}
		if rapid.Bool().Draw(r, "few answers wait") {
			opt.AnswerBytes = 100
		}
		steps := rapid.SliceOfN(rapid.SampledFrom([]string{
			"echo", "work", "hold", "hold", "heavy", "heavy-hold", "panic", "work-panic", "note", "broken", "long", "unread", "nap", "nap", "deaf-nap", "release", "pause",
		}), 0, 30).Draw(r, "steps")
		end := rapid.SampledFrom([]string{"signal", "last", "last and signal", "end and signal"}).Draw(r, "end")
		var got, want []string
		var err error
		synctest.Test(t, func(t *testing.T) { got, want, err = answered(t, opt, steps, end) })
		slices.Sort(got)
		slices.Sort(want)
		if err != nil || !slices.Equal(got, want) {
			r.Errorf("answers to\n%s\nwant\n%s\n%v", got, want, err)
		}
	})
}

// answered returns the ids of the answers in a session, and of what was asked in it: the pipe has no
// room of its own, so that all that was written was read.
func answered(t *testing.T, opt Options, steps []string, end string) (got, want []string, err error) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	inR, in := io.Pipe()
	outR, outW := io.Pipe()
	f := newFake()
	done := make(chan error, 1)
	go func() {
		done <- Serve(ctx, inR, outW, f, opt)
		_ = outW.Close()
		_ = inR.Close()
	}()
	answers := make(chan []string, 1)
	go func() { answers <- idsOf(outR) }()

	ask := func(id int, text string) {
		if _, failed := io.WriteString(in, text); failed != nil {
			err = errors.Join(err, fmt.Errorf("writing %.100s: %w", text, failed))
		}
		want = append(want, fmt.Sprint(id))
	}
	for id, step := range steps {
		switch step {
		case "release":
			select {
			case f.hold <- struct{}{}:
			default:
			}
		case "pause":
			<-time.After(napTime)
		case "note":
			_, failed := io.WriteString(in, `{"jsonrpc":"2.0","method":"hold"}`+"\n")
			err = errors.Join(err, failed)
		case "broken":
			ask(id, fmt.Sprintf(`{"jsonrpc":"2.0","params":[NaN],"id":%d}`+"\n", id))
		case "long":
			ask(id, fmt.Sprintf(`{"jsonrpc":"2.0","params":"%s","id":%d}`+"\n", strings.Repeat("x", 5000), id))
		default:
			ask(id, call(id, step))
		}
	}
	switch end {
	case "end and signal":
		_ = in.Close()
	case "last", "last and signal":
		ask(1000, call(1000, "last"))
	}
	if end != "last" {
		stop()
	}
	err = errors.Join(err, <-done)
	got = <-answers
	<-time.After(napTime) // until no worker naps
	return got, want, err
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
