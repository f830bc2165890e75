package rpc

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"github.com/cupel-dev/cupel/internal/strictjson"
)

// fake is a handler with one method for each thing a handler can do.
type fake struct {
	hold    chan struct{} // "hold" waits for it
	begun   atomic.Int64
	holding atomic.Int64
}

// napTime is how long a "nap" takes.
const napTime = 5 * time.Millisecond

func newFake() *fake { return &fake{hold: make(chan struct{})} }

func (f *fake) Begin(r Request) Reply {
	f.begun.Add(1)
	params := r.Params
	if params == nil {
		params = []byte("null")
	}
	switch r.Method {
	case "echo":
		return Reply{Now: Answer{Result: params}}
	case "work":
		return Reply{Work: func(ctx context.Context, _ *[]byte) Answer {
			if ctx.Err() != nil {
				return Answer{Error: []byte(`"begun with an ended context"`)}
			}
			return Answer{Result: params}
		}}
	case "unread":
		return Reply{Work: func(context.Context, *[]byte) Answer { return f.scan(r) }}
	case "hold":
		return Reply{Work: func(ctx context.Context, _ *[]byte) Answer {
			f.holding.Add(1)
			defer f.holding.Add(-1)
			select {
			case <-f.hold:
				return Answer{Result: params}
			case <-ctx.Done():
				return Answer{Error: []byte(`"abandoned"`)}
			}
		}}
	case "nap", "deaf-nap":
		return Reply{Work: func(ctx context.Context, _ *[]byte) Answer {
			if r.Method == "deaf-nap" {
				ctx = context.Background()
			}
			select {
			case <-time.After(napTime):
				return Answer{Result: params}
			case <-ctx.Done():
				return Answer{Error: []byte(`"abandoned"`)}
			}
		}}
	case "heavy", "heavy-hold":
		r.Method = map[string]string{"heavy": "work", "heavy-hold": "hold"}[r.Method]
		reply := f.Begin(r)
		reply.Weight = 1 << 40
		return reply
	case "large":
		return Reply{Work: func(context.Context, *[]byte) Answer { return Answer{Result: bytes.Repeat([]byte("1"), 1<<16)} }}
	case "panic":
		panic("boom")
	case "work-panic":
		return Reply{Work: func(context.Context, *[]byte) Answer { panic("boom") }}
	case "last":
		return Reply{Last: func() Answer { return Answer{Result: []byte(`"bye"`)} }}
	case "last-panic":
		return Reply{Last: func() Answer { panic("boom") }}
	}
	return Reply{Now: Answer{Error: []byte(`"unknown"`)}}
}

// scan answers with the params of a request that was not read to its end.
func (f *fake) scan(r Request) Answer {
	if r.Line == nil {
		return Answer{Result: fmt.Appendf(nil, `{"read":%s}`, r.Params)}
	}
	var result []byte
	fault, err := r.ReadParams(func(params []byte) error {
		doc, err := strictjson.NewScanner(strictjson.Limits{}).Scan(params)
		if err == nil {
			result = doc.Root().Raw()
		}
		return err
	})
	switch {
	case fault != nil:
		return Answer{Fault: fault}
	case err != nil:
		return Answer{Error: fmt.Appendf(nil, "%q", err)}
	}
	return Answer{Result: result}
}

// Unread: the method "unread" reads its params in its work.
func (f *fake) Unread(method string) bool { return method == "unread" }

func (f *fake) Refuse(fault Fault) []byte {
	kinds := map[FaultKind]string{
		NotJSON: "not JSON", NotRequest: "not a request", TooLong: "too long", TimedOut: "timed out", Panicked: "panicked", Ended: "ended",
	}
	message, _, _ := strings.Cut(fault.Message, "\n")
	text := strings.TrimSpace(kinds[fault.Kind]+" "+fault.Method) + ": " + message
	quoted, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return quoted
}

// serveAll serves a whole input and returns the answers, one per line.
func serveAll(t *testing.T, input string) []string {
	t.Helper()
	var out bytes.Buffer
	if err := Serve(t.Context(), strings.NewReader(input), &out, newFake(), Options{}); err != nil {
		t.Fatal(err)
	}
	if out.Len() == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
}

func call(id int, method string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q}`, id, method) + "\n"
}

func TestEnvelopes(t *testing.T) {
	file, err := os.ReadFile("testdata/envelopes.txt")
	if err != nil {
		t.Fatal(err)
	}
	cases := 0
	lines := strings.Split(string(file), "\n")
	for i, text := range lines {
		request, ok := strings.CutPrefix(text, "> ")
		if quoted, isQuoted := strings.CutPrefix(text, ">q "); isQuoted {
			if request, err = strconv.Unquote(quoted); err != nil {
				t.Fatalf("line %d: %v", i+1, err)
			}
			ok = true
		}
		if !ok {
			continue
		}
		cases++
		want, answered := strings.CutPrefix(lines[i+1], "< ")
		got := serveAll(t, request+"\n")
		switch {
		case answered && (len(got) != 1 || got[0] != want):
			t.Errorf("line %d: %s\n got %s\nwant %s", i+1, request, got, want)
		case !answered && len(got) > 0:
			t.Errorf("line %d: %s\n got %s\nwant no answer", i+1, request, got)
		}
	}
	if cases == 0 {
		t.Fatal("no cases")
	}
	t.Logf("%d cases", cases)
}

func TestFraming(t *testing.T) {
	for _, c := range []struct {
		name, input string
		want        int
	}{
		{"empty", "", 0},
		{"blank lines", "\n\r\n  \t\n" + call(1, "echo") + "\n\n", 1},
		{"byte order mark", "\xef\xbb\xbf" + call(1, "echo"), 1},
		{"byte order mark and blank line", "\xef\xbb\xbf\n" + call(1, "echo"), 1},
		{"CRLF", strings.ReplaceAll(call(1, "echo")+call(2, "echo"), "\n", "\r\n"), 2},
		{"no last newline", call(1, "echo") + strings.TrimSuffix(call(2, "echo"), "\n"), 2},
		{"last request, then the end", call(1, "work") + call(2, "last"), 2},
		{"last request as a notification", call(1, "work") + `{"jsonrpc":"2.0","method":"last"}`, 1},
		{"last request panics", call(1, "last-panic"), 1},
		{"late requests", call(1, "last") + call(2, "echo") + call(3, "echo"), 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := serveAll(t, c.input)
			if len(got) != c.want {
				t.Errorf("%d answers, want %d: %q", len(got), c.want, got)
			}
			if text := strings.Join(got, ""); strings.Contains(text, "not JSON") || strings.Contains(text, "\r") {
				t.Errorf("answers %q", got)
			}
		})
	}
}

// TestLineLimit sends lines around the limit, in one piece and byte by byte: the
// longest legal line is served, a longer one is refused with its id, and the next
// request is served again.
func TestLineLimit(t *testing.T) {
	const limit = 200 << 10
	line := func(id, size int, tail string) string {
		head := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"work","params":{}`, id)
		return head + strings.Repeat(" ", size-len(head)-len(tail)) + tail
	}
	for name, c := range map[string]struct {
		input string
		want  []string
	}{
		"longest": {line(1, limit, "}") + "\n" + call(2, "echo"), []string{
			`{"jsonrpc":"2.0","id":1,"result":{}}`, `{"jsonrpc":"2.0","id":2,"result":null}`,
		}},
		"one more": {line(1, limit+1, "}") + "\n" + call(2, "echo"), []string{
			fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"error":"too long: request exceeds max line size: %d \u003e %d bytes"}`, limit+1, limit),
			`{"jsonrpc":"2.0","id":2,"result":null}`,
		}},
		"far more, no JSON": {call(1, "echo") + strings.Repeat("[", 10*limit) + "\n" + call(2, "echo"), []string{
			`{"jsonrpc":"2.0","id":1,"result":null}`, `{"jsonrpc":"2.0","id":2,"result":null}`,
			fmt.Sprintf(`{"jsonrpc":"2.0","id":null,"error":"too long: request exceeds max line size: %d \u003e %d bytes"}`, 10*limit, limit),
		}},
		"blank": {strings.Repeat(" ", limit) + "\n" + call(1, "echo") + strings.Repeat(" ", 2*limit) + "\n" + call(2, "echo"), []string{
			`{"jsonrpc":"2.0","id":1,"result":null}`, `{"jsonrpc":"2.0","id":2,"result":null}`,
			fmt.Sprintf(`{"jsonrpc":"2.0","id":null,"error":"too long: request exceeds max line size: %d \u003e %d bytes"}`, 2*limit, limit),
		}},
		"id at the cut": {`{"jsonrpc":"2.0","method":"` + strings.Repeat("x", readChunk-40) + `","id":` + strings.Repeat("1", limit), []string{
			fmt.Sprintf(`{"jsonrpc":"2.0","id":null,"error":"too long: request exceeds max line size: %d \u003e %d bytes"}`, limit+readChunk-40+34, limit),
		}},
		"id behind params": {`{"jsonrpc":"2.0","params":[` + strings.Repeat(`{"id":1},`, limit) + `{}],"id":"x" , "method":"work"}` + "\n", []string{
			fmt.Sprintf(`{"jsonrpc":"2.0","id":"x","error":"too long: request exceeds max line size: %d \u003e %d bytes"}`, 9*limit+58, limit),
		}},
		"id far away": {`{"jsonrpc":"2.0","method":"` + strings.Repeat("x", limit) + `","id":null,"id":12,"params":"` + strings.Repeat(`\"}`, limit) + `"}`, []string{
			fmt.Sprintf(`{"jsonrpc":"2.0","id":12,"error":"too long: request exceeds max line size: %d \u003e %d bytes"}`, 4*limit+59, limit),
		}},
		"no end": {line(1, 3*limit, " "), []string{
			fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"error":"too long: request exceeds max line size: %d \u003e %d bytes"}`, 3*limit, limit),
		}},
	} {
		for _, reader := range []io.Reader{strings.NewReader(c.input), &trickle{r: strings.NewReader(c.input)}} {
			var out bytes.Buffer
			if err := Serve(t.Context(), reader, &out, newFake(), Options{MaxLine: limit, QueueBytes: 1}); err != nil {
				t.Fatal(err)
			}
			got := strings.Split(strings.TrimSpace(out.String()), "\n")
			slices.Sort(got)
			slices.Sort(c.want)
			if !slices.Equal(got, c.want) {
				t.Errorf("%s:\n got %s\nwant %s", name, got, c.want)
			}
		}
	}
}

// trickle returns between 1 and 4,096 bytes per read.
type trickle struct {
	r    io.Reader
	size int
}

func (s *trickle) Read(p []byte) (int, error) {
	s.size = s.size%4096 + 1
	return s.r.Read(p[:min(len(p), s.size)])
}

// TestLongLinesInARow serves lines that each fill more than a chunk.
func TestLongLinesInARow(t *testing.T) {
	var input strings.Builder
	for id := range 20 {
		fmt.Fprintf(&input, `{"jsonrpc":"2.0","id":%d,"method":"work","params":"%s"}`+"\n", id, strings.Repeat("x", 30_000*(id+1)))
	}
	got := serveAll(t, input.String())
	slices.SortFunc(got, func(a, b string) int { return len(a) - len(b) })
	if len(got) != 20 {
		t.Fatalf("%d answers, want 20", len(got))
	}
	for id, answer := range got {
		want := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":"%s"}`, id, strings.Repeat("x", 30_000*(id+1)))
		if answer != want {
			t.Errorf("answer %d has %d bytes, want %d", id, len(answer), len(want))
		}
	}
}

// session is a running Serve with both ends in the test's hands.
type session struct {
	t      *testing.T
	fake   *fake
	in     *io.PipeWriter
	out    *bufio.Reader
	outEnd *io.PipeReader
	done   chan error
}

func start(ctx context.Context, t *testing.T, opt Options) *session {
	t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	s := &session{t: t, fake: newFake(), in: inW, out: bufio.NewReader(outR), outEnd: outR, done: make(chan error, 1)}
	go func() {
		s.done <- Serve(ctx, inR, outW, s.fake, opt)
		_ = outW.Close()
	}()
	watch := time.AfterFunc(sessionTime, func() {
		late := fmt.Errorf("nothing has happened for %v", sessionTime)
		_, _ = inW.CloseWithError(late), outR.CloseWithError(late)
	})
	t.Cleanup(func() { watch.Stop(); _ = inW.Close(); _ = outR.Close() })
	return s
}

// sessionTime is how long a session may last before its ends are closed, so that no wait of a
// test is without end.
const sessionTime = 3 * time.Minute

// end waits for Serve to return.
func (s *session) end() error {
	s.t.Helper()
	select {
	case err := <-s.done:
		return err
	case <-time.After(2 * sessionTime):
		s.t.Fatal("Serve does not return")
		return nil
	}
}

func (s *session) write(text string) {
	s.t.Helper()
	if _, err := io.WriteString(s.in, text); err != nil {
		s.t.Error(err)
	}
}

func (s *session) readLine() string {
	s.t.Helper()
	text, err := s.out.ReadString('\n')
	if err != nil {
		s.t.Error(err)
	}
	return strings.TrimSpace(text)
}

// ends waits for Serve to return without an error.
func (s *session) ends() {
	s.t.Helper()
	if err := s.end(); err != nil {
		s.t.Errorf("Serve returned %v", err)
	}
}

func TestSixtyFourAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := start(t.Context(), t, Options{})
		go func() {
			for id := range 200 {
				s.write(call(id, "hold"))
			}
			s.write(call(200, "echo"))
		}()
		if got := s.readLine(); !strings.Contains(got, `"id":200`) {
			t.Errorf("first answer is %s: requests behind full workers must be read", got)
		}
		synctest.Wait()
		if begun, holding := s.fake.begun.Load(), s.fake.holding.Load(); begun != 201 || holding != 64 {
			t.Errorf("%d requests were taken and %d worked on at once, want 201 and 64", begun, holding)
		}
		close(s.fake.hold)
		seen := map[string]bool{}
		for range 200 {
			seen[s.readLine()] = true
		}
		if len(seen) != 200 {
			t.Errorf("%d different answers, want 200", len(seen))
		}
	})
}

// TestWritesWithoutReading writes 3,000 requests before it reads an answer.
func TestWritesWithoutReading(t *testing.T) {
	s := start(t.Context(), t, Options{})
	padding := strings.Repeat(" ", 3000)
	for id := range 3000 {
		s.write(padding + call(id, "work"))
	}
	for range 3000 {
		s.readLine()
	}
	_ = s.in.Close()
	s.ends()
}

// TestBackPressure fills every buffer of a server whose client reads nothing: the
// reading stops, and when the client reads again every answer arrives.
func TestBackPressure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := start(t.Context(), t, Options{QueueBytes: 1 << 20, MaxLine: 1 << 19, AnswerBytes: 1 << 20})
		const requests = 5000
		var written atomic.Int64
		var writer sync.WaitGroup
		writer.Go(func() {
			for id := range requests {
				s.write(call(id, "large"))
				written.Add(1)
			}
			_ = s.in.Close()
		})
		synctest.Wait() // all that can go on has gone on
		if n := written.Load(); n == requests {
			t.Errorf("all %d requests were taken although no answer was read", n)
		}
		for range requests {
			if n, err := io.CopyN(io.Discard, s.out, 1<<16); err != nil {
				t.Fatalf("after %d bytes: %v", n, err)
			}
			s.readLine()
		}
		writer.Wait()
		s.ends()
	})
}

func TestLastWaitsForEarlierRequests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := start(t.Context(), t, Options{})
		s.write(call(1, "hold") + call(2, "last"))
		s.write(call(3, "echo"))
		if got := s.readLine(); !strings.Contains(got, `"id":3`) {
			t.Errorf("first answer is %s", got)
		}
		close(s.fake.hold)
		if got := s.readLine(); !strings.Contains(got, `"id":1`) {
			t.Errorf("second answer is %s", got)
		}
		if got := s.readLine(); got != `{"jsonrpc":"2.0","id":2,"result":"bye"}` {
			t.Errorf("last answer is %s", got)
		}
		s.ends()
	})
}

// TestLastWaitsNoLongerThanDrainTime: what is not done then gets its answer before the last
// request does, whether its work has begun or not.
func TestLastWaitsNoLongerThanDrainTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := start(t.Context(), t, Options{DrainTime: 20 * time.Millisecond, Concurrent: 2})
		s.write(call(1, "hold") + call(2, "hold") + call(3, "work") + call(4, "last"))
		got := []string{s.readLine(), s.readLine(), s.readLine()}
		slices.Sort(got)
		for i, method := range []string{"hold", "hold", "work"} {
			if want := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"error":"ended %s: "}`, i+1, method); got[i] != want {
				t.Errorf("answer is %s, want %s", got[i], want)
			}
		}
		if got := s.readLine(); got != `{"jsonrpc":"2.0","id":4,"result":"bye"}` {
			t.Errorf("last answer is %s", got)
		}
		s.ends()
	})
}

// TestContextEnds stops a server with work in hand and lines in the pipe: both are
// answered.
func TestContextEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		s := start(ctx, t, Options{Linger: 50 * time.Millisecond})
		s.write(call(1, "hold"))
		stop()
		s.write(call(2, "echo"))
		if got := s.readLine(); !strings.Contains(got, `"id":2`) {
			t.Errorf("first answer is %s", got)
		}
		close(s.fake.hold)
		if got := s.readLine(); !strings.Contains(got, `"id":1`) {
			t.Errorf("second answer is %s", got)
		}
		s.ends()
	})
}

// TestContextEndsWithStuckWork checks that work that exceeds its time is answered nevertheless, and so are the
// requests after it, also during a drain.
func TestContextEndsWithStuckWork(t *testing.T) {
	for name, last := range map[string]string{"alone": "", "during a drain": call(4, "last")} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, stop := context.WithCancel(t.Context())
				s := start(ctx, t, Options{StopTime: 30 * time.Millisecond, Linger: time.Millisecond, Concurrent: 1})
				s.write(call(1, "hold") + call(2, "hold") + call(3, "work") + last)
				stop()
				want := []string{`1,"error":"ended hold: "}`, `2,"error":"ended hold: "}`, `3,"error":"ended work: "}`}
				if last != "" {
					want = append(want, `4,"result":"bye"}`)
				}
				var got []string
				for range want {
					got = append(got, strings.TrimPrefix(s.readLine(), `{"jsonrpc":"2.0","id":`))
				}
				slices.Sort(got)
				if !slices.Equal(got, want) {
					t.Errorf("answers are %q, want %q", got, want)
				}
				s.ends()
			})
		})
	}
}

// TestUnreadAnswers checks that a client that reads nothing does not keep the engine running, and that this is
// reported.
func TestUnreadAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		s := start(ctx, t, Options{StopTime: 10 * time.Millisecond, FlushTime: 10 * time.Millisecond, Linger: time.Millisecond})
		s.write(call(1, "echo") + call(2, "hold"))
		stop()
		if err := s.end(); !errors.Is(err, errUnread) {
			t.Errorf("Serve returned %v", err)
		}
	})
}

// TestOutputFails: an answer that cannot be written is an error, however much of it was.
func TestOutputFails(t *testing.T) {
	full := errors.New("disk full")
	answer := len(`{"jsonrpc":"2.0","id":1,"result":null}`) + 1
	for room := range 3 * answer {
		out := &fullWriter{room: room, err: full}
		err := Serve(t.Context(), strings.NewReader(call(1, "echo")+call(2, "work")+call(3, "last")), out, newFake(), Options{Linger: time.Millisecond})
		if !errors.Is(err, full) || !strings.HasPrefix(err.Error(), "cannot write answers: ") {
			t.Errorf("room for %d bytes: Serve returned %v", room, err)
		}
	}
}

// fullWriter takes room bytes and fails.
type fullWriter struct {
	room int
	err  error
}

func (w *fullWriter) Write(p []byte) (int, error) {
	n := min(len(p), w.room)
	if w.room -= n; n < len(p) {
		return n, w.err
	}
	return n, nil
}

func TestOutputClosed(t *testing.T) {
	s := start(t.Context(), t, Options{})
	_ = s.outEnd.Close()
	s.write(call(1, "echo"))
	if err := s.end(); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("Serve returned %v", err)
	}
}

func TestInputFails(t *testing.T) {
	s := start(t.Context(), t, Options{})
	broken := errors.New("broken cable")
	s.write(call(1, "work"))
	_ = s.in.CloseWithError(broken)
	s.readLine()
	if err := s.end(); !errors.Is(err, broken) {
		t.Errorf("Serve returned %v", err)
	}
}

// TestWorkTime: work that takes too long is answered with the fault, again and again,
// and what comes after it has its own time.
func TestWorkTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := start(t.Context(), t, Options{WorkTime: 10 * time.Millisecond})
		for round, methods := range [][]string{
			{"hold", "work"},
			{"work", "hold", "hold", "hold", "work", "echo", "hold"},
			{"work"},
			{"hold"},
			{"work", "work"},
		} {
			var want, got []string
			for id, method := range methods {
				s.write(call(id, method))
				answer := `"result":null}`
				if method == "hold" {
					answer = `"error":"timed out hold: "}`
				}
				want = append(want, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,%s`, id, answer))
				got = append(got, "")
			}
			for i := range got {
				got[i] = s.readLine()
			}
			slices.Sort(got)
			if !slices.Equal(got, want) {
				t.Errorf("round %d: answers are\n%s\nwant\n%s", round, strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		}
		_ = s.in.Close()
		s.ends()
	})
}

// TestWaitingTakesNoTime: a work that waits until there is memory for it has all of its time
// when it begins, what weighs nothing does not wait, and neither does what is known at once.
func TestWaitingTakesNoTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := start(t.Context(), t, Options{WorkTime: 20 * time.Millisecond})
		s.write(call(1, "heavy-hold") + call(2, "heavy-hold") + call(3, "heavy") + call(4, "work") + call(5, "echo"))
		first := []string{s.readLine(), s.readLine()}
		slices.Sort(first)
		want := []string{`{"jsonrpc":"2.0","id":4,"result":null}`, `{"jsonrpc":"2.0","id":5,"result":null}`}
		for id := 1; id <= 2; id++ {
			want = append(want, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"error":"timed out heavy-hold: "}`, id))
		}
		want = append(want, `{"jsonrpc":"2.0","id":3,"result":null}`)
		last := []string{s.readLine(), s.readLine(), s.readLine()}
		slices.Sort(last[1:]) // the third begins when the second has given its memory back, before that is answered
		got := append(first, last...)
		if !slices.Equal(got, want) {
			t.Errorf("answers are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		_ = s.in.Close()
		s.ends()
	})
}

// countingWriter counts the writes and the lines written.
type countingWriter struct{ writes, lines int }

func (c *countingWriter) Write(p []byte) (int, error) {
	c.writes++
	c.lines += bytes.Count(p, []byte("\n"))
	return len(p), nil
}

// TestAnswersGoTogether: when requests that came together are answered at the same
// time, the client is not woken for each of them.
func TestAnswersGoTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const requests = 64
		var out countingWriter
		f := newFake()
		go func() {
			synctest.Wait() // all are at work
			close(f.hold)
		}()
		if err := Serve(t.Context(), strings.NewReader(strings.Repeat(call(1, "hold"), requests)), &out, f, Options{}); err != nil {
			t.Fatal(err)
		}
		if out.lines != requests || out.writes > requests/2 {
			t.Errorf("%d answers in %d writes", out.lines, out.writes)
		}
	})
}

// FuzzEnvelope reads any bytes as a line: no JSON is what the standard library refuses
// too, except for nesting that only the library limits and UTF-8 that it does not check.
func FuzzEnvelope(f *testing.F) {
	for _, seed := range []string{`{"a":[1,-2.5e+3,"\u00e9\n",true,null,{}],"b":[]}`, `[[[[]]]]`, `0`, `"x`, ` 1 `, `{"a":}`, `[1 2]`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(bytes.TrimSpace(text)) == 0 {
			return // no line
		}
		_, fault := parseLine(text)
		isJSON := fault == nil || fault.Kind != NotJSON
		if want := json.Valid(text); isJSON != want && utf8.Valid(text) && len(text) < 9000 {
			t.Errorf("%q: JSON is %v, want %v (%v)", text, isJSON, want, fault)
		}
	})
}
