package capture_test

import (
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/cupel-dev/cupel/internal/racetest"
	"github.com/cupel-dev/cupel/oatf/capture"
	"github.com/cupel-dev/cupel/oatf/model"
)

// TestTruncated cuts a log at every byte of its last line.
func TestTruncated(t *testing.T) {
	const first, last = `{"jsonrpc":"2.0","id":1,"method":"ping"}` + "\n", `{"jsonrpc":"2.0","id":"é\u00e9","result":{"a":[1,true]}} `
	for end := range len(last) + 1 {
		r := capture.NewReader(strings.NewReader(first+last[:end]), capture.Options{})
		if _, err := r.Next(); err != nil {
			t.Fatal(err)
		}
		_, err := r.Next()
		var bad *capture.LineError
		switch whole := len(strings.TrimSpace(last)); {
		case end == 0 && err != io.EOF, end >= whole && err != nil:
			t.Errorf("%q: %v", last[:end], err)
		case end > 0 && end < whole && (!errors.As(err, &bad) || !bad.Truncated || bad.Line != 2):
			t.Errorf("%q: %v, expected a truncated line 2", last[:end], err)
		}
		if err == io.EOF {
			continue
		}
		if _, err = r.Next(); err != io.EOF {
			t.Errorf("%q: %v at the end", last[:end], err)
		}
	}
}

// TestOtherEncoding says how to make a log of a text in another encoding.
func TestOtherEncoding(t *testing.T) {
	_, err := capture.NewReader(strings.NewReader("\xff\xfe{\x00}\x00\n\x00"), capture.Options{}).Next()
	bad, _ := errors.AsType[*capture.LineError](err)
	if bad == nil || !strings.Contains(bad.Hint, "iconv -f UTF-16LE") {
		t.Errorf("%+v", bad)
	}
}

// TestReadError gives what was read before an input fails, then the error for ever.
func TestReadError(t *testing.T) {
	broken := errors.New("the disk is gone")
	r := capture.NewReader(io.MultiReader(strings.NewReader("{}\n{}\n"), iotest.ErrReader(broken)), capture.Options{})
	for range 2 {
		if _, err := r.Next(); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		if _, err := r.Next(); !errors.Is(err, broken) {
			t.Errorf("%v, expected the error of the input", err)
		}
	}
}

// TestContinue reads two inputs as one run.
func TestContinue(t *testing.T) {
	r := capture.NewReader(strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"ping"}`), capture.Options{})
	if _, err := r.Next(); err != nil {
		t.Fatal(err)
	}
	r.Continue(strings.NewReader("\n" + `{"jsonrpc":"2.0","id":1,"result":{}}`))
	m, err := r.Next()
	if err != nil || m.Method != "ping" || m.Index != 1 || m.Input != 1 || m.Line != 2 {
		t.Errorf("%+v, %v", m, err)
	}
	r.Continue(strings.NewReader(`{"a":1}`))
	if m, err := r.Next(); err != nil || m.Method != "" || r.Stats().Format != capture.Plain {
		t.Errorf("%+v, %v", m, err)
	}
}

// TestRoleOfRunnerLine wraps the content of a line whose role the caller knows.
func TestRoleOfRunnerLine(t *testing.T) {
	const line = `{"direction":"incoming","method":"tools/call","content":{"a":1},"seq":-3,"timestamp":"2026-01-31T08:00:00+01:00"}`
	m, err := capture.NewReader(strings.NewReader(line), capture.Options{}).Next()
	if err != nil {
		t.Fatal(err)
	}
	if m.Seq != -3 || !m.HasSeq || m.Timestamp != "2026-01-31T08:00:00+01:00" {
		t.Errorf("%+v", m)
	}
	for role, want := range map[model.MessageRole]string{
		model.RoleRequest: `{"params":{"a":1}}`, model.RoleResponse: `{"result":{"a":1}}`,
		model.RoleNotification: `{"method":"tools/call","params":{"a":1}}`, model.RoleEvent: "", "": "",
	} {
		root, ok := m.Wrapped(role)
		if ok != (want != "") || ok && jsonOf(root) != want {
			t.Errorf("%q: %v, expected %s", role, root, want)
		}
	}
}

func TestDecode(t *testing.T) {
	v, err := capture.Decode([]byte("{\"b\":[1.50,\"\\u00e9\\n\"],\n\"a\":{}}\n"), capture.Limits{})
	if err != nil || jsonOf(v) != `{"b":[1.50,"é\n"],"a":{}}` {
		t.Errorf("%v, %v", v, err)
	}
	for text, want := range map[string]string{
		"":                               "line 1, column 1: no JSON value",
		"{\"a\":1,\n \"é\":\"\\ud800\"}": "line 2, column 7: high surrogate \\ud800 without a low one after it in /é",
		"{}\n{}":                         "line 2, column 1: unexpected '{' after the value",
		"[[[[]]]]":                       "line 1, column 4: nested 4 levels deep, the limit is 3 in /0/0/0",
		"\ufeff{}":                       "line 1, column 1: byte order mark before the value",
	} {
		_, err := capture.Decode([]byte(text), capture.Limits{Depth: 3})
		if err == nil || err.Error() != want {
			t.Errorf("%q: %v, expected %s", text, err, want)
		}
	}
}

// TestLimitsOfOptions asks for more than there is.
func TestLimitsOfOptions(t *testing.T) {
	const deepest = 10_000
	for depth, ok := range map[int]bool{deepest: true, deepest + 1: false} {
		text := strings.Repeat("[", depth) + strings.Repeat("]", depth)
		if _, err := capture.Decode([]byte(text), capture.Limits{Depth: 1 << 30}); (err == nil) != ok {
			t.Errorf("%d levels: %v", depth, err)
		}
	}
}

// repeated is an input of a line over and over again, which is nowhere as a whole.
type repeated struct {
	line func(i int) string
	left int
	rest string
}

func (r *repeated) Read(p []byte) (n int, err error) {
	for n < len(p) {
		if r.rest == "" {
			if r.left == 0 {
				break
			}
			r.left--
			r.rest = r.line(r.left)
		}
		k := copy(p[n:], r.rest)
		n, r.rest = n+k, r.rest[k:]
	}
	if n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

// TestMemory reads logs that are written to be remembered, and looks at what is alive at
// their ends: no more than the reader says that it keeps.
func TestMemory(t *testing.T) {
	long := 5_000 / racetest.Step(t)
	text := func(i, size int) string {
		digits := strings.Repeat("x", size)
		return digits + string(rune('0'+i%10)) + string(rune('0'+i/10%10)) + string(rune('0'+i/100%10)) + string(rune('0'+i/1000%10)) + string(rune('0'+i/10000%10))
	}
	for name, line := range map[string]func(i int) string{
		"answered": func(i int) string {
			return `{"jsonrpc":"2.0","id":1,"method":"ping"}` + "\n" + `{"jsonrpc":"2.0","id":1,"result":{}}` + "\n"
		},
		"never answered": func(i int) string {
			return `{"jsonrpc":"2.0","id":"` + text(i, 8) + `","method":"ping","params":{"a":"` + text(i, 40) + `"}}` + "\n"
		},
		"of one id":       func(i int) string { return `{"jsonrpc":"2.0","id":1,"method":"ping"}` + "\n" },
		"long ids":        func(i int) string { return `{"jsonrpc":"2.0","id":"` + text(i, 2000) + `","method":"ping"}` + "\n" },
		"many methods":    func(i int) string { return `{"jsonrpc":"2.0","method":"` + text(i, 90) + `"}` + "\n" },
		"large and small": func(i int) string { return `{"a":[` + strings.Repeat(`{"b":"c"},`, i%7*100) + `{}]}` + "\n" },
	} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			r := capture.NewReader(&repeated{line: line, left: long}, capture.Options{KeepParams: true, MaxOpen: 2000, MaxOpenBytes: 1 << 20})
			for {
				if _, err := r.Next(); err == io.EOF {
					break
				} else if err != nil {
					t.Fatal(err)
				}
			}
			runtime.GC()
			runtime.ReadMemStats(&after)
			const most = 6 << 20
			if alive := int64(after.HeapAlloc) - int64(before.HeapAlloc); alive > most {
				t.Errorf("%d bytes are alive after %d messages, expected at most %d", alive, r.Stats().Messages, most)
			}
			runtime.KeepAlive(r)
		})
	}
}
