package recordcmd

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"mime"
	"net"
	"net/http"
	"net/netip"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"time"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/cupel-dev/cupel/commands/internal/cmdline"
	"github.com/cupel-dev/cupel/internal/otlp"
	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// Limits of the receiver.
const (
	defaultMaxBody = 4 << 20 // that of the OpenTelemetry collector is 20 MiB; exporters send some hundred KiB
	headerTime     = 5 * time.Second
	bodyTime       = 30 * time.Second
	idleTime       = 2 * time.Minute
	headerBytes    = 64 << 10
	shutdownTime   = 5 * time.Second
	maxRequests    = 64 // at a time, each with a body in memory
	maxGrowth      = 4  // of Protocol Buffers as JSON; real spans are two to three times as long
)

// loopback returns an address to listen on. Other computers cannot reach it.
func loopback(address string) (string, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return "", &cmdline.UsageError{
			Message: fmt.Sprintf("invalid value %q for --otlp", address),
			Hint:    "give an address and a port, such as 127.0.0.1:4318; port 0 selects a free one",
		}
	}
	if host == "localhost" {
		host = "127.0.0.1"
	}
	if ip, err := netip.ParseAddr(host); err != nil || !ip.IsLoopback() {
		return "", &cmdline.UsageError{
			Message: fmt.Sprintf("--otlp is %q, but cupel listens only on a loopback address", address),
			Hint:    "use 127.0.0.1:4318 or [::1]:4318; a collector on this computer can forward spans from other computers",
		}
	}
	return net.JoinHostPort(host, port), nil
}

// receive serves OTLP/HTTP until a signal ends it.
func receive(env cmdline.Env, listener net.Listener, handler http.Handler) error {
	ctx, release := signal.NotifyContext(env.Context, syscall.SIGTERM)
	defer release()
	server := &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: headerTime, ReadTimeout: bodyTime, WriteTimeout: bodyTime, IdleTimeout: idleTime,
		MaxHeaderBytes: headerBytes,
		ErrorLog:       nil,
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	select {
	case err := <-ended:
		return fmt.Errorf("the receiver ended: %w", err)
	case <-ctx.Done():
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTime)
	defer cancel()
	if server.Shutdown(last) != nil {
		_ = server.Close() // clients that are too slow send their request again
	}
	return nil
}

// receiver records the bodies of OTLP/HTTP requests.
type receiver struct {
	sink    sink
	maxBody int64
	notify  func(string)
	places  chan struct{}

	mu      sync.Mutex
	scanner *strictjson.Scanner
}

func newReceiver(s sink, maxBody int64, notify func(string)) *receiver {
	return &receiver{
		sink: s, maxBody: maxBody, notify: notify, places: make(chan struct{}, maxRequests),
		scanner: strictjson.NewScanner(strictjson.Limits{Depth: maxDepth, Values: maxValues}),
	}
}

// signalsOf maps the paths of OTLP/HTTP to their signals, and to the member that JSON bodies must have.
var signalsOf = map[string]struct{ signal, member string }{
	"/v1/traces": {otlp.Traces, "resourceSpans"}, "/v1/logs": {otlp.Logs, "resourceLogs"},
}

// The content types of OTLP/HTTP. A response has that of its request.
const (
	jsonType     = "application/json"
	protobufType = "application/x-protobuf"
)

// ServeHTTP records a request and answers as the OTLP specification says. Clients send a request again after 503.
func (v *receiver) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if kind != protobufType {
		kind = jsonType
	}
	w.Header().Set("Content-Type", kind)
	refused := v.take(w, r)
	if refused != nil {
		if refused.code == http.StatusServiceUnavailable {
			w.Header().Set("Retry-After", "1")
		}
		w.WriteHeader(refused.code)
	}
	_, _ = w.Write(refused.in(kind)) // the client may be gone
}

// refusal is the response to a request that is not recorded. status is a code of google.rpc.Code.
type refusal struct {
	code, status int
	message      string
}

// in returns the body of a response: a google.rpc.Status, or an empty message.
func (r *refusal) in(kind string) (body []byte) {
	switch {
	case kind == protobufType && r == nil:
		return nil
	case kind == protobufType:
		body = protowire.AppendVarint(protowire.AppendTag(nil, 1, protowire.VarintType), uint64(r.status))
		return protowire.AppendString(protowire.AppendTag(body, 2, protowire.BytesType), r.message)
	case r == nil:
		return []byte("{}\n")
	}
	body, _ = json.Marshal(map[string]any{"code": r.status, "message": r.message}) // it has no other types
	return append(body, '\n')
}

const (
	invalidArgument = 3
	notFound        = 5
	exhausted       = 8
	unimplemented   = 12
	unavailable     = 14
)

func (v *receiver) take(w http.ResponseWriter, r *http.Request) *refusal {
	of, known := signalsOf[r.URL.Path]
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	switch {
	case !isLocal(r.Host):
		return &refusal{http.StatusForbidden, invalidArgument, "the Host header must name this computer"}
	case r.URL.Path == "/v1/metrics":
		return &refusal{http.StatusNotFound, unimplemented, "metrics are not recorded: set OTEL_METRICS_EXPORTER=none"}
	case !known:
		return &refusal{http.StatusNotFound, notFound, "unknown path: spans go to /v1/traces, log records to /v1/logs"}
	case r.Method != http.MethodPost:
		w.Header().Set("Allow", http.MethodPost)
		return &refusal{http.StatusMethodNotAllowed, unimplemented, "use POST"}
	case kind != jsonType && kind != protobufType:
		return &refusal{
			http.StatusUnsupportedMediaType, invalidArgument,
			fmt.Sprintf("the content type is %q, expected %s or %s: set OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf", say.Clip(kind, say.Usual), protobufType, jsonType),
		}
	}
	select {
	case v.places <- struct{}{}:
		defer func() { <-v.places }()
	default:
		return &refusal{http.StatusServiceUnavailable, unavailable, fmt.Sprintf("%d requests are already being read", maxRequests)}
	}
	body, refused := v.read(w, r)
	if refused != nil {
		return refused
	}
	if kind == protobufType {
		text, err := otlp.JSON(of.signal, body, maxGrowth*int(min(v.maxBody, math.MaxInt32)))
		switch {
		case errors.As(err, new(*otlp.TooLargeError)):
			return v.tooLarge()
		case err != nil:
			return &refusal{http.StatusBadRequest, invalidArgument, "the body is not a request in Protocol Buffers: " + err.Error()}
		}
		body = text
	}
	return v.record(strings.TrimPrefix(r.URL.Path, "/"), of.member, body)
}

// record appends the event of a body. Line feeds between its values are removed, because an event is one line.
func (v *receiver) record(name, member string, body []byte) *refusal {
	v.mu.Lock()
	defer v.mu.Unlock()
	doc, err := v.scanner.Scan(body)
	defer v.scanner.Trim(keptBuffer)
	switch {
	case err != nil:
		return &refusal{http.StatusBadRequest, invalidArgument, "the body is not valid JSON: " + err.Error()}
	case !doc.Root().Get(member).Is(strictjson.Array):
		return &refusal{http.StatusBadRequest, invalidArgument, fmt.Sprintf("the body has no list %q", member)}
	}
	event := bytes.NewBufferString(`{"event_type":"TOOL_RESULT","payload":{"tool_name":"otlp:` + name + `","result":`)
	if err = json.Compact(event, body); err == nil {
		event.WriteString("}}")
		err = v.sink.Append(event.Bytes())
	}
	if err != nil {
		v.notify("a request was refused: " + err.Error())
		return &refusal{http.StatusServiceUnavailable, unavailable, "the log cannot be written: " + err.Error()}
	}
	return nil
}

// read returns the body, decompressed.
func (v *receiver) read(w http.ResponseWriter, r *http.Request) ([]byte, *refusal) {
	var body io.Reader = http.MaxBytesReader(w, r.Body, v.maxBody)
	switch encoding := r.Header.Get("Content-Encoding"); encoding {
	case "", "identity":
	case "gzip":
		unpacked, err := gzip.NewReader(body)
		if err != nil {
			return nil, v.unread(err)
		}
		body = unpacked
	default:
		return nil, &refusal{
			http.StatusUnsupportedMediaType, invalidArgument,
			fmt.Sprintf("the content encoding is %q, expected gzip or none: set OTEL_EXPORTER_OTLP_COMPRESSION=gzip", say.Clip(encoding, say.Usual)),
		}
	}
	text, err := io.ReadAll(io.LimitReader(body, v.maxBody+1))
	switch {
	case err != nil:
		return nil, v.unread(err)
	case int64(len(text)) > v.maxBody:
		return nil, v.tooLarge()
	}
	return text, nil
}

func (v *receiver) unread(err error) *refusal {
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return v.tooLarge()
	}
	return &refusal{http.StatusBadRequest, invalidArgument, "the body cannot be read: " + err.Error()}
}

func (v *receiver) tooLarge() *refusal {
	return &refusal{
		http.StatusRequestEntityTooLarge, exhausted,
		fmt.Sprintf("the body is larger than %d bytes: raise --max-body, or lower OTEL_BSP_MAX_EXPORT_BATCH_SIZE", v.maxBody),
	}
}

// isLocal reports whether a Host header names this computer. A web page whose name leads to a loopback address has
// another one.
func isLocal(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	ip, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return host == "localhost" || err == nil && ip.IsLoopback()
}
