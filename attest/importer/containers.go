package importer

import (
	"strings"
	"time"

	"github.com/cupel-dev/cupel/internal/strictjson"
)

type form func(*maker, *span, strictjson.Node) spanContent

// byTable returns a parser for spans with attributes, which uses the table of dialects.
func byTable(record func(*maker, *span, strictjson.Node) *record) form {
	return func(m *maker, s *span, n strictjson.Node) spanContent {
		r := record(m, s, n)
		for _, log := range s.logs {
			r.events = append(r.events, event{name: logName(log), node: log, attrs: log.Last("attributes"), body: log.Last("body")})
		}
		return r.parseSpan(s)
	}
}

// Jaeger: {"data":[{"traceID","spans":[…]}]}, or one element of the list.
func jaegerTraces(root strictjson.Node) strictjson.Node {
	if list := root.Last("data"); list.Is(strictjson.Array) && list.At(0).Last("spans").Is(strictjson.Array) {
		return list
	}
	return strictjson.Node{}
}

func fitsJaeger(root strictjson.Node) bool {
	return jaegerTraces(root).Exists() || root.Last("traceID").Exists() && root.Last("spans").Is(strictjson.Array)
}

func gatherJaeger(g *spanBuffer, v *value, root strictjson.Node) error {
	if list := jaegerTraces(root); list.Exists() {
		for one := range list.Children() {
			if err := g.gatherList(v, one.Last("spans"), one.Last("spans").Pointer(), "", readJaeger, byTable(recordJaeger)); err != nil {
				return err
			}
		}
		return nil
	}
	return g.gatherList(v, root.Last("spans"), "/spans", "", readJaeger, byTable(recordJaeger))
}

func readJaeger(n strictjson.Node) (s span, err error) {
	parent := n.Last("parentSpanID")
	for ref := range n.Last("references").Children() {
		if ref.Last("refType").TextIs("CHILD_OF") || parent.Missing() {
			parent = ref.Last("spanID")
		}
	}
	if err := s.readIDsBy(shortID, n, n.Last("traceID"), n.Last("spanID"), parent); err != nil {
		return s, err
	}
	s.readMicros(n.Last("startTime"), n.Last("duration"))
	name, _ := n.Last("operationName").Text()
	tags := n.Last("tags")
	for tag := range tags.Children() {
		if key, _ := tag.Last("key").Text(); key == "otel.scope.name" || key == "otel.library.name" {
			s.scope, _ = tag.Last("value").Text()
		}
	}
	s.kind = kindOf(tags, name, s.scope)
	return s, nil
}

func (s *span) readMicros(start, duration strictjson.Node) {
	const most = int64(9_223_372_036_854_775)
	if from, ok := start.Int(); ok && from > 0 && from < most {
		s.from = instant(from * int64(time.Microsecond))
		if took, ok := duration.Int(); ok && took >= 0 && from+took < most {
			s.to = instant((from + took) * int64(time.Microsecond))
		}
	}
}

func recordJaeger(m *maker, s *span, n strictjson.Node) *record {
	r := &record{m: m, node: n, scope: s.scope}
	r.name, _ = n.Last("operationName").Text()
	r.setAll(n.Last("tags"))
	for log := range n.Last("logs").Children() {
		e := event{node: log, attrs: log.Last("fields")}
		for field := range e.attrs.Children() {
			if field.Last("key").TextIs("event") {
				e.name, _ = field.Last("value").Text()
			}
		}
		r.events = append(r.events, e)
	}
	r.tagState()
	for warning := range n.Last("warnings").Children() {
		if warning.Is(strictjson.String) {
			r.lose(lostSpans, "Jaeger warns of the span", warning)
		}
	}
	return r
}

// tagState reads a span's status from its tags.
func (r *record) tagState() {
	failed := r.get("error")
	r.state(r.get("otel.status_code"), r.get("otel.status_description"))
	if is, ok := failed.Bool(); r.status == "" && (ok && is || failed.TextIs("true")) {
		r.status, r.failed = "error", firstNode(r.get("otel.status_description", "error.message"), failed)
	}
}

// Zipkin: a list of spans with tags.
func fitsZipkin(root strictjson.Node) bool {
	first := root.At(0)
	return root.Is(strictjson.Array) && first.Last("traceId").Is(strictjson.String) && first.Last("id").Is(strictjson.String) && !first.Last("spanId").Exists() &&
		(first.Last("tags").Exists() || first.Last("localEndpoint").Exists() || first.Last("timestamp").Exists())
}

func gatherZipkin(g *spanBuffer, v *value, root strictjson.Node) error {
	return g.gatherList(v, root, "", "", readZipkin, byTable(recordZipkin))
}

func readZipkin(n strictjson.Node) (s span, err error) {
	if err := s.readIDsBy(shortID, n, n.Last("traceId"), n.Last("id"), n.Last("parentId")); err != nil {
		return s, err
	}
	s.readMicros(n.Last("timestamp"), n.Last("duration"))
	name, _ := n.Last("name").Text()
	s.scope, _ = firstOf(n.Last("tags"), "otel.scope.name", "otel.library.name").Text()
	s.kind = kindOf(n.Last("tags"), name, s.scope)
	return s, nil
}

func recordZipkin(m *maker, s *span, n strictjson.Node) *record {
	r := &record{m: m, node: n, scope: s.scope}
	r.name, _ = n.Last("name").Text()
	r.setMembersPlain(n.Last("tags"))
	for annotation := range n.Last("annotations").Children() {
		e := event{node: annotation}
		written, _ := annotation.Last("value").Text()
		e.name, _, _ = strings.Cut(written, ":")
		if inner := m.parsed(annotation.Last("value")); inner.Is(strictjson.Object) {
			e.name, e.attrs = inner.At(0).Key(), inner.At(0)
		} else if name, rest, ok := strings.Cut(written, ": "); ok {
			e.name, e.attrs = strings.Trim(name, `"`), m.read(annotation, []byte(rest))
		}
		r.events = append(r.events, e)
	}
	r.tagState()
	return r
}

// The console exporter of the Python SDK and the REST API of Phoenix: objects with a "context".
func contextSpans(root strictjson.Node) (list strictjson.Node, under string, ok bool) {
	is := func(n strictjson.Node) bool {
		return n.Last("context").Last("span_id").Exists() || n.Last("context").Last("spanId").Exists()
	}
	switch {
	case is(root):
		return root, "", true
	case root.Is(strictjson.Array) && is(root.At(0)):
		return root, "", true
	case is(root.Last("data").At(0)):
		return root.Last("data"), "/data", true
	}
	return list, "", false
}

func fitsContext(root strictjson.Node) bool {
	_, _, ok := contextSpans(root)
	return ok
}

func gatherContext(g *spanBuffer, v *value, root strictjson.Node) error {
	list, under, _ := contextSpans(root)
	if cursor := root.Last("next_cursor"); !cursor.Missing() {
		g.paged()
	}
	if list.Is(strictjson.Array) {
		return g.gatherList(v, list, under, "", readContext, byTable(recordContext))
	}
	s, err := readContext(list)
	if err != nil {
		return err
	}
	begin, end := list.Span()
	s.in, s.begin, s.end, s.index, s.form = v, int32(begin), int32(end), -1, byTable(recordContext)
	return g.add(s)
}

// paged reports a loss if the input is one page of several.
func (g *spanBuffer) paged() {
	g.more = &loss{what: lostSpans, why: "the API's answer continues on further pages"}
}

func readContext(n strictjson.Node) (s span, err error) {
	context := n.Last("context")
	if err := s.readIDs(n, firstOf(context, "trace_id", "traceId"), firstOf(context, "span_id", "spanId"), firstOf(n, "parent_id", "parentId")); err != nil {
		return s, err
	}
	if s.from, err = readTime(firstOf(n, "start_time", "startTime")); err != nil {
		return s, err
	}
	if s.to, err = readTime(firstOf(n, "end_time", "endTime")); err != nil {
		return s, err
	}
	name, _ := n.Last("name").Text()
	s.scope, _ = firstOf(n.Last("instrumentation_scope"), "name").Text()
	s.kind = kindOf(n.Last("attributes"), name, s.scope)
	if s.kind <= unread {
		var e evidence
		text, _ := n.Last("span_kind").Text()
		e.see("openinference.span.kind", text)
		if k := e.kind(name, s.scope); text != "" && k != unknown {
			s.kind = k
		}
	}
	return s, nil
}

func recordContext(m *maker, s *span, n strictjson.Node) *record {
	r := &record{m: m, node: n, scope: s.scope}
	r.name, _ = n.Last("name").Text()
	r.setAll(n.Last("attributes"))
	for e := range n.Last("events").Children() {
		name, _ := e.Last("name").Text()
		r.events = append(r.events, event{name: name, node: e, attrs: e.Last("attributes")})
	}
	if status := n.Last("status"); status.Is(strictjson.Object) {
		r.state(status.Last("status_code"), status.Last("description"))
	} else {
		r.state(n.Last("status_code"), n.Last("status_message"))
	}
	return r
}
