package importer

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"github.com/cupel-dev/cupel/attest/internal/wording"
	"github.com/cupel-dev/cupel/internal/otlp"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// The lists of OTLP: of an export, of its Protocol Buffers JSON forms, and of Tempo.
func resourceSpans(root strictjson.Node) strictjson.Node {
	root = recorded(root)
	if inner := root.Last("trace"); inner.Is(strictjson.Object) && resourceSpans(inner).Exists() {
		return resourceSpans(inner)
	}
	return either(root, "resourceSpans", "resource_spans", "batches")
}

func resourceLogs(root strictjson.Node) strictjson.Node {
	return either(recorded(root), "resourceLogs", "resource_logs")
}

// recorded returns the request in an event of `cupel record --otlp`, or the value itself.
func recorded(root strictjson.Node) strictjson.Node {
	if payload := root.Last("payload"); root.Last("event_hash").Exists() {
		if name, _ := payload.Last("tool_name").Text(); strings.HasPrefix(name, "otlp:") {
			return payload.Last("result")
		}
	}
	return root
}

// isFrame reports whether a value is an event of `cupel record` that has no spans: the start or end of a session.
func isFrame(root strictjson.Node) bool {
	kind := root.Last("event_type")
	return root.Last("event_hash").Exists() && (kind.TextIs("SESSION_START") || kind.TextIs("SESSION_END"))
}

// fitsOTel reports whether a value has spans, or other data that collectors write into the same file.
func fitsOTel(root strictjson.Node) bool {
	return resourceSpans(root).Is(strictjson.Array) || resourceLogs(root).Is(strictjson.Array) || either(root, "resourceMetrics", "resource_metrics").Is(strictjson.Array)
}

// gatherOTel collects the spans of an OpenTelemetry export, and log records that belong to spans.
func gatherOTel(g *spanBuffer, v *value, root strictjson.Node) error {
	if count := recorded(root).Last(otlp.UnknownFields); count.Exists() {
		g.more = &loss{what: lostSpans, why: fmt.Sprintf("fields of the Protocol Buffers that OTLP 1.x does not define were left out: %s", wording.ShowValue(count))}
	}
	list := resourceSpans(root)
	if !list.Exists() {
		g.gatherLogs(v, resourceLogs(root))
		return nil
	}
	r := 0
	for resource := range list.Children() {
		scopes := either(resource, "scopeSpans", "scope_spans", "instrumentationLibrarySpans")
		i := 0
		for scope := range scopes.Children() {
			spans := scope.Last("spans")
			name, _ := either(scope, "scope", "instrumentationLibrary").Last("name").Text()
			if err := g.gatherList(v, spans, spans.Pointer(), name, readSpan, byTable(recordOTel)); err != nil {
				return err
			}
			i++
		}
		r++
	}
	g.gatherLogs(v, resourceLogs(root))
	return nil
}

func (g *spanBuffer) gatherList(v *value, list strictjson.Node, under, scope string, read func(strictjson.Node) (span, error), form form) error {
	i := int32(0)
	for n := range list.Children() {
		s, err := read(n)
		if err != nil {
			return err
		}
		if s.scope == "" {
			s.scope = g.intern(scope)
		}
		begin, end := n.Span()
		s.in, s.begin, s.end, s.under, s.index, s.form = v, int32(begin), int32(end), under, i, form
		if err := g.add(s); err != nil {
			return err
		}
		i++
	}
	return nil
}

const (
	traceIDBytes = 16
	spanIDBytes  = 8
)

// readSpan reads the members that determine a span's position in its trace.
func readSpan(n strictjson.Node) (s span, err error) {
	if err := s.readIDs(n, either(n, "traceId", "trace_id"), either(n, "spanId", "span_id"), either(n, "parentSpanId", "parent_span_id")); err != nil {
		return s, err
	}
	if s.from, err = readNanos(either(n, "startTimeUnixNano", "start_time_unix_nano")); err != nil {
		return s, err
	}
	if s.to, err = readNanos(either(n, "endTimeUnixNano", "end_time_unix_nano")); err != nil {
		return s, err
	}
	name, _ := n.Last("name").Text()
	s.kind = kindOf(n.Last("attributes"), name, "")
	return s, nil
}

func (s *span) readIDs(n, trace, id, parent strictjson.Node) error {
	return s.readIDsBy(hexID, n, trace, id, parent)
}

func (s *span) readIDsBy(hexID func(strictjson.Node, int) (string, bool), n, trace, id, parent strictjson.Node) error {
	var ok bool
	if s.trace, ok = hexID(trace, traceIDBytes); !ok {
		return badID(n, trace, "traceId", traceIDBytes)
	}
	if s.id, ok = hexID(id, spanIDBytes); !ok {
		return badID(n, id, "spanId", spanIDBytes)
	}
	if !noID(parent) {
		if s.parent, ok = hexID(parent, spanIDBytes); !ok {
			return badID(n, parent, "parentSpanId", spanIDBytes)
		}
	}
	return nil
}

// kindOf returns the kind of a span according to its attributes: a list (OTLP, Jaeger) or an object.
func kindOf(attrs strictjson.Node, name, scope string) kind {
	var e evidence
	var see func(prefix string, n strictjson.Node)
	see = func(prefix string, n strictjson.Node) {
		for member := range n.Children() {
			key := prefix + member.Key()
			if member.Is(strictjson.Object) && isNamespace(key) {
				see(key+".", member)
				continue
			}
			text, _ := member.Text()
			e.see(key, text)
		}
	}
	if attrs.Is(strictjson.Object) {
		see("", attrs)
		return e.kind(name, scope)
	}
	for one := range attrs.Children() {
		key, ok := one.Last("key").Text()
		if !ok {
			continue
		}
		value := one.Last("value")
		text, ok := value.Text()
		if !ok {
			text, _ = either(value, "stringValue", "string_value").Text()
		}
		e.see(key, text)
	}
	return e.kind(name, scope)
}

// noID reports whether an identifier is missing: empty, or zeros in hex or base64.
func noID(n strictjson.Node) bool {
	id, ok := n.Text()
	return n.Missing() || ok && (strings.Trim(id, "0") == "" || strings.Trim(id, "A=") == "")
}

func badID(span, id strictjson.Node, name string, size int) error {
	detail := fmt.Sprintf("Ids are %d bytes, in hex or in base64, and not all zero.", size)
	if written, _ := id.Text(); len(written) == base64.StdEncoding.EncodedLen(hex.EncodedLen(size)) {
		if inner, err := base64.StdEncoding.DecodeString(written); err == nil && strings.Trim(string(inner), "0123456789abcdefABCDEF") == "" {
			detail = "The exporter encoded the id twice: its hex digits are in base64. Write the hex digits themselves."
			return refuse(id, detail, "%s %s is not an id: its hex digits are encoded in base64", name, wording.ShowValue(id))
		}
	}
	if id.Missing() {
		return refuse(span, detail, "the span has no %s", name)
	}
	return refuse(id, detail, "%s %s is not an id", name, wording.ShowValue(id))
}

// readNanos parses a time in nanoseconds, which OTLP writes as a string.
func readNanos(n strictjson.Node) (instant, error) {
	digits := string(n.Raw())
	if n.Is(strictjson.String) {
		digits = string(n.TextBytes(nil))
	}
	if n.Missing() || digits == "" {
		return 0, nil
	}
	nanos, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || nanos < 0 {
		return 0, noTime(n, "Times are nanoseconds since 1970, as a number or as a string of digits, before the year 2262.")
	}
	return instant(nanos), nil
}

// gatherLogs collects the log records that belong to spans and describe a model call.
func (g *spanBuffer) gatherLogs(v *value, list strictjson.Node) {
	for resource := range list.Children() {
		for scope := range either(resource, "scopeLogs", "scope_logs", "instrumentationLibraryLogs").Children() {
			for n := range either(scope, "logRecords", "log_records").Children() {
				trace, ok := hexID(either(n, "traceId", "trace_id"), traceIDBytes)
				id, known := hexID(either(n, "spanId", "span_id"), spanIDBytes)
				if name := logName(n); ok && known && strings.HasPrefix(name, "gen_ai.") {
					begin, end := n.Span()
					g.logs = append(g.logs, logRecord{trace: trace, span: id, in: v, begin: int32(begin), end: int32(end), pointer: n.Pointer()})
				}
			}
		}
	}
}

func logName(n strictjson.Node) string {
	if name, ok := either(n, "eventName", "event_name").Text(); ok && name != "" {
		return name
	}
	name, _ := either(attribute(n.Last("attributes"), "event.name"), "stringValue", "string_value").Text()
	return name
}

// attribute returns the last attribute with the given name.
func attribute(list strictjson.Node, name string) (found strictjson.Node) {
	for one := range list.Children() {
		if one.Last("key").TextIs(name) {
			found = one.Last("value")
		}
	}
	return found
}

func recordOTel(m *maker, s *span, n strictjson.Node) *record {
	r := &record{m: m, node: n, scope: s.scope}
	r.name, _ = n.Last("name").Text()
	r.setAll(n.Last("attributes"))
	for e := range n.Last("events").Children() {
		name, _ := e.Last("name").Text()
		r.events = append(r.events, event{name: name, node: e, attrs: e.Last("attributes")})
	}
	status := n.Last("status")
	r.state(status.Last("code"), status.Last("message"))
	for _, dropped := range []struct{ name, what string }{
		{"droppedAttributesCount", "attributes"}, {"dropped_attributes_count", "attributes"}, {"droppedEventsCount", "events"}, {"dropped_events_count", "events"},
	} {
		if count := n.Last(dropped.name); !count.Missing() && string(count.Raw()) != "0" && !count.TextIs("0") && !count.TextIs("") {
			r.lose(lostCalls, fmt.Sprintf("the writer dropped %s %s of the span", wording.ShowValue(count), dropped.what), n)
		}
	}
	return r
}

func (r *record) state(code, message strictjson.Node) {
	written, _ := code.Text()
	switch strings.TrimPrefix(strings.ToUpper(written)+string(numberOf(code)), "STATUS_CODE_") {
	case "ERROR", "2":
		r.status, r.failed = "error", r.get("error.type")
		if !message.Missing() && !message.TextIs("") {
			r.failed = message
		}
		if r.failed.Missing() {
			r.failed = code
		}
	case "OK", "1":
		r.status = "ok"
	}
}

func numberOf(n strictjson.Node) []byte {
	if n.Is(strictjson.Number) {
		return n.Raw()
	}
	return nil
}
