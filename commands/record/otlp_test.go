package recordcmd

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

const spans = `{"resourceSpans":[{"scopeSpans":[{"spans":[{"name":"a"}]}]}]}`

// locked is a memory for concurrent use.
type locked struct {
	mu sync.Mutex
	*memory
}

func (l *locked) Append(event []byte) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.memory.Append(event)
}

// TestReceiver compares status codes, bodies and the number of recorded requests.
func TestReceiver(t *testing.T) {
	zipped := func(text string) string {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		_, _ = io.WriteString(w, text)
		_ = w.Close()
		return b.String()
	}
	const json = "application/json"
	for _, c := range []struct {
		name, method, path, kind, encoding, host, body string
		down                                           bool
		code                                           int
		says                                           string
	}{
		{name: "spans", body: spans, code: 200, says: "{}"},
		{name: "logs", path: "/v1/logs", body: "{\n \"resourceLogs\": [] }\n", code: 200, says: "{}"},
		{name: "charset", kind: "application/json; charset=utf-8", body: spans, code: 200, says: "{}"},
		{name: "gzip", encoding: "gzip", body: zipped(spans), code: 200, says: "{}"},
		{name: "protobuf", kind: protobufType, body: "\x0a\x07\x12\x05\x12\x03\x2a\x01a", code: 200},
		{name: "empty protobuf", kind: protobufType, code: 200},
		{name: "protobuf logs", path: "/v1/logs", kind: protobufType, body: "\x0a\x00", code: 200},
		{name: "cut protobuf", kind: protobufType, body: "\x0a\x07", code: 400, says: "\x08\x03\x12"},
		{name: "spans in protobuf as logs", path: "/v1/logs", kind: protobufType, body: "\x0a\x07\x12\x05\x12\x03\x2a\x01a", code: 400, says: "in AnyValue"},
		{name: "protobuf that grows", kind: protobufType, body: strings.Repeat("\x0a\x02\x0a\x00", 250), code: 413, says: "--max-body"},
		{name: "JSON as protobuf", kind: protobufType, body: spans, code: 400, says: "not a request in Protocol Buffers"},
		{name: "text", kind: "text/plain", body: spans, code: 415, says: "http/protobuf"},
		{name: "zstd", encoding: "zstd", body: spans, code: 415, says: "OTEL_EXPORTER_OTLP_COMPRESSION=gzip"},
		{name: "no gzip", encoding: "gzip", body: spans, code: 400, says: "cannot be read"},
		{name: "cut gzip", encoding: "gzip", body: zipped(spans)[:30], code: 400, says: "cannot be read"},
		{name: "large", body: strings.Repeat(" ", 1001), code: 413, says: "--max-body"},
		{name: "large gzip", encoding: "gzip", body: zipped(strings.Repeat(" ", 1001)), code: 413, says: "--max-body"},
		{name: "metrics", path: "/v1/metrics", body: spans, code: 404, says: "OTEL_METRICS_EXPORTER=none"},
		{name: "path", path: "/", body: spans, code: 404, says: "/v1/traces"},
		{name: "get", method: http.MethodGet, code: 405, says: "POST"},
		{name: "options", method: http.MethodOptions, code: 405, says: "POST"},
		{name: "not JSON", body: "{", code: 400, says: "not valid JSON"},
		{name: "no spans", body: "{}", code: 400, says: `no list \"resourceSpans\"`},
		{name: "array", body: "[]", code: 400, says: "no list"},
		{name: "spans as logs", path: "/v1/logs", body: spans, code: 400, says: "resourceLogs"},
		{name: "rebinding", host: "example.com:4318", body: spans, code: 403, says: "Host"},
		{name: "IPv6", host: "[::1]:4318", body: spans, code: 200, says: "{}"},
		{name: "full disk", body: spans, down: true, code: 503, says: "no space"},
	} {
		t.Run(c.name, func(t *testing.T) {
			log := newMemory()
			log.down = c.down
			or := func(s, d string) string {
				if s == "" {
					return d
				}
				return s
			}
			r := httptest.NewRequest(or(c.method, http.MethodPost), or(c.path, "/v1/traces"), strings.NewReader(c.body))
			r.Host = or(c.host, "127.0.0.1:4318")
			r.Header.Set("Content-Type", or(c.kind, json))
			if c.encoding != "" {
				r.Header.Set("Content-Encoding", c.encoding)
			}
			w := httptest.NewRecorder()
			newReceiver(log, 1000, func(string) {}).ServeHTTP(w, r)
			if w.Code != c.code || !strings.Contains(w.Body.String(), c.says) || w.Header().Get("Content-Type") != or(map[bool]string{true: protobufType}[c.kind == protobufType], json) {
				t.Errorf("%d %s %v", w.Code, w.Body, w.Header())
			}
			if got, want := strings.Contains(log.events(), "TOOL_RESULT"), c.code == 200; got != want {
				t.Errorf("recorded: %v\n%s", got, log.text)
			}
			if n := bytes.Count(log.text, []byte("\n")); c.code == 200 && n != 2 {
				t.Errorf("%d lines, expected 2: %s", n, log.text)
			}
		})
	}
}

// TestReceiverConcurrent checks that each accepted request is one event.
func TestReceiverConcurrent(t *testing.T) {
	log := &locked{memory: newMemory()}
	server := httptest.NewServer(newReceiver(log, 1<<20, func(string) {}))
	defer server.Close()
	var wg sync.WaitGroup
	var mu sync.Mutex
	accepted := 0
	for i := range 100 {
		wg.Go(func() {
			body := fmt.Sprintf(`{"resourceSpans":[%d]}`, i)
			resp, err := http.Post(server.URL+"/v1/traces", "application/json", strings.NewReader(body))
			if err != nil {
				t.Error(err)
				return
			}
			_ = resp.Body.Close()
			if resp.StatusCode == http.StatusOK {
				mu.Lock()
				accepted++
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if got := strings.Count(log.events(), "TOOL_RESULT"); got != accepted || got == 0 {
		t.Errorf("%d events, %d accepted", got, accepted)
	}
}

// TestLoopback checks which addresses are accepted.
func TestLoopback(t *testing.T) {
	for address, want := range map[string]string{
		"127.0.0.1:4318": "127.0.0.1:4318", "127.9.9.9:0": "127.9.9.9:0", "[::1]:4318": "[::1]:4318", "localhost:1": "127.0.0.1:1",
		"0.0.0.0:4318": "", ":4318": "", "192.168.0.1:4318": "", "[::]:4318": "", "example.com:4318": "", "4318": "", "127.0.0.1": "",
		"[::ffff:127.0.0.1]:1": "[::ffff:127.0.0.1]:1", "[::ffff:10.0.0.1]:1": "",
	} {
		if got, err := loopback(address); got != want || (err == nil) != (want != "") {
			t.Errorf("%s: %q, %v", address, got, err)
		}
	}
}
