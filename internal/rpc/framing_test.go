package rpc

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"

	"pgregory.net/rapid"
)

// frame returns a message after its length.
func frame(text string) string { return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(text), text) }

// unframed cuts what was written into its messages.
func unframed(t interface{ Fatalf(string, ...any) }, text string) (list []string) {
	for text != "" {
		header, rest, ok := strings.Cut(text, "\r\n\r\n")
		size, err := strconv.Atoi(strings.TrimPrefix(header, "Content-Length: "))
		if !ok || err != nil || size > len(rest) {
			t.Fatalf("%q is no message", text)
		}
		list, text = append(list, rest[:size]), rest[size:]
	}
	return list
}

// serveFramed serves a whole input and returns the answers, in the order of their texts.
func serveFramed(t interface{ Fatalf(string, ...any) }, r io.Reader, opt Options) (answers []string, err error) {
	var out bytes.Buffer
	opt.Framing = ContentLength
	err = Serve(context.Background(), r, &out, newFake(), opt)
	answers = unframed(t, out.String())
	slices.Sort(answers)
	return answers, err
}

// TestContentLength has one case for each thing that can occur in the place of a header. The answers are the ids, and
// "-" for a message without one.
func TestContentLength(t *testing.T) {
	one, two := strings.TrimSpace(call(1, "echo")), strings.TrimSpace(call(2, "work"))
	for _, c := range []struct{ name, input, want, err string }{
		{"empty", "", "", ""},
		{"two", frame(one) + frame(two), "1 2", ""},
		{"other fields", "Content-Type: application/json\r\ncontent-length:" + strconv.Itoa(len(one)) + "\nX: y\n\n" + one, "1", ""},
		{"blank lines between", "\r\n\n" + frame(one) + "\n\n" + frame(two) + "\r\n", "1 2", ""},
		{"empty message", "Content-Length: 0\r\n\r\n" + frame(two), "- 2", ""},
		{"blank message", frame(" \r\n ") + frame(two), "- 2", ""},
		{"no JSON", frame("nothing") + frame(two), "- 2", ""},
		{"no header", one + "\n" + frame(two), "- 2", ""},
		{"no header and no line end", one + frame(two), "- 2", ""},
		{"header without length", "Content-Type: x\r\n\r\n" + one + "\r\n" + frame(two), "- 2", ""},
		{"negative", "Content-Length: -1\r\n\r\n" + frame(two), "- 2", ""},
		{"a word", "Content-Length: many\r\n\r\n" + one + frame(two), "- 2", ""},
		{"beyond any number", "Content-Length: 99999999999999999999999\r\n\r\n" + frame(two), "- 2", ""},
		{"long line", strings.Repeat("x", 3*maxHeader) + frame(two), "- 2", ""},
		{"long field", "X: " + strings.Repeat("x", 3*maxHeader) + "\r\n" + frame(two), "- 2", ""},
		{"too short", "Content-Length: 5\r\n\r\n" + one + frame(two), "- - 2", ""},
		{"too long for the server", frame(strings.Repeat(" ", 1000)+one) + frame(two), "1 2", ""},
		{"half a message", frame(one) + frame(two)[:40], "1", "within a message"},
		{"half a header", frame(one) + "Content-Len", "1", "within a header"},
		{"a header alone", frame(one) + "Content-Length: 3\r\n", "1", "within a header"},
		{"promises too much", "Content-Length: 9223372036854775807\r\n\r\n" + one, "1", "within a message"},
	} {
		for _, r := range []io.Reader{strings.NewReader(c.input), iotest.OneByteReader(strings.NewReader(c.input)), &trickle{r: strings.NewReader(c.input)}} {
			answers, err := serveFramed(t, r, Options{MaxLine: 500})
			var ids []string
			for _, a := range answers {
				id, _, _ := strings.Cut(strings.TrimPrefix(a, `{"jsonrpc":"2.0","id":`), ",")
				ids = append(ids, strings.Replace(id, "null", "-", 1))
			}
			slices.Sort(ids)
			if got := strings.Join(ids, " "); got != c.want {
				t.Errorf("%s: answers %q, expected %q: %s", c.name, got, c.want, answers)
			}
			if (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
				t.Errorf("%s: %v, expected %q", c.name, err, c.err)
			}
		}
	}
}

// TestFramingLaw checks that messages of any size, even beyond the limit, with text between them that is not a
// header, give the same answers as the same messages in lines.
func TestFramingLaw(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const limit = 100_000
		var framed, lines strings.Builder
		for id := range rapid.IntRange(1, 6).Draw(t, "messages") {
			size := rapid.SampledFrom([]int{0, 10, 4000, readChunk / 2, readChunk, limit - 60, limit, 3 * limit}).Draw(t, "size")
			text := strings.TrimSpace(call(id, rapid.SampledFrom([]string{"echo", "work", "unread"}).Draw(t, "method"))) + strings.Repeat(" ", size)
			framed.WriteString(frame(text) + rapid.SampledFrom([]string{"", "\r\n", "\n\n"}).Draw(t, "between"))
			lines.WriteString(text + "\n")
		}
		got, err := serveFramed(t, &trickle{strings.NewReader(framed.String()), rapid.IntRange(0, 4000).Draw(t, "reads")}, Options{MaxLine: limit, QueueBytes: 1})
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := Serve(context.Background(), strings.NewReader(lines.String()), &out, newFake(), Options{MaxLine: limit, QueueBytes: 1}); err != nil {
			t.Fatal(err)
		}
		want := strings.Split(strings.TrimSpace(out.String()), "\n")
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Fatalf("framed %.300q, in lines %.300q", got, want)
		}
	})
}

// TestNotifier sends from outside, before, during and after a session.
func TestNotifier(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var n Notifier
		n.Send("early", []byte("1"))
		s := start(t.Context(), t, Options{Notifier: &n, AnswerBytes: 100})
		synctest.Wait()
		sent := make(chan struct{})
		go func() {
			for range 50 { // more than may wait
				n.Send("news", []byte(`{"a":1}`))
			}
			close(sent)
		}()
		for range 50 {
			if got := s.readLine(); got != `{"jsonrpc":"2.0","method":"news","params":{"a":1}}` {
				t.Fatal(got)
			}
		}
		<-sent
		s.write(call(1, "echo"))
		if got := s.readLine(); !strings.Contains(got, `"id":1`) {
			t.Error(got)
		}
		_ = s.in.Close()
		s.ends()
		n.Send("late", []byte("1"))
		if rest, _ := io.ReadAll(s.out); len(rest) > 0 {
			t.Errorf("after the end: %q", rest)
		}
	})
}

// TestNotifierUnread checks that a notification to a client that does not read ends its wait.
func TestNotifierUnread(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var n Notifier
		ctx, cancel := context.WithCancel(t.Context())
		s := start(ctx, t, Options{Notifier: &n, AnswerBytes: 100})
		synctest.Wait()
		sent := make(chan struct{})
		go func() {
			for range 3 {
				n.Send("news", bytes.Repeat([]byte("1"), 90))
			}
			close(sent)
		}()
		synctest.Wait()
		cancel()
		if err := s.end(); err == nil {
			t.Error("what nobody read was no error")
		}
		_ = s.outEnd.Close()
		<-sent
	})
}
