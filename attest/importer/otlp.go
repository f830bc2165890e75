package importer

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/cupel-dev/cupel/attest/internal/wording"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// either is a member under the name of OTLP's JSON or under the one of its definition:
// writers of Protocol Buffers use both.
func either(n strictjson.Node, names ...string) strictjson.Node {
	for _, name := range names {
		if member := n.Last(name); member.Exists() {
			return member
		}
	}
	return strictjson.Node{}
}

func resourceSpans(root strictjson.Node) strictjson.Node {
	return either(root, "resourceSpans", "resource_spans")
}

func fitsOTel(root strictjson.Node) bool { return resourceSpans(root).Is(strictjson.Array) }

// gatherOTel notes the spans of an export of OpenTelemetry.
func gatherOTel(g *gathering, v *value, root strictjson.Node) error {
	r := 0
	for resource := range resourceSpans(root).Children() {
		scopes := either(resource, "scopeSpans", "scope_spans")
		i := 0
		for scope := range scopes.Children() {
			under := fmt.Sprintf("/%s/%d/%s/%d/spans", resourceSpans(root).Key(), r, scopes.Key(), i)
			if err := gatherScope(g, v, scope.Last("spans"), under); err != nil {
				return err
			}
			i++
		}
		r++
	}
	return nil
}

// gatherScope notes the spans of a list.
func gatherScope(g *gathering, v *value, list strictjson.Node, under string) error {
	i := int32(0)
	for n := range list.Children() {
		s, err := readSpan(n)
		if err != nil {
			return err
		}
		begin, end := n.Span()
		s.in, s.begin, s.end, s.under, s.index = v, int32(begin), int32(end), under, i
		if err := g.add(s); err != nil {
			return err
		}
		i++
	}
	return nil
}

// The sizes of the identifiers of OTLP.
const (
	traceIDBytes = 16
	spanIDBytes  = 8
)

// readSpan reads what of a span its place in its trace depends on.
func readSpan(n strictjson.Node) (s span, err error) {
	id := either(n, "spanId", "span_id")
	var ok bool
	if s.trace, ok = hexID(either(n, "traceId", "trace_id"), traceIDBytes); !ok {
		return s, badID(n, either(n, "traceId", "trace_id"), "traceId", traceIDBytes)
	}
	if s.id, ok = hexID(id, spanIDBytes); !ok {
		return s, badID(n, id, "spanId", spanIDBytes)
	}
	if parent := either(n, "parentSpanId", "parent_span_id"); !noID(parent) {
		if s.parent, ok = hexID(parent, spanIDBytes); !ok {
			return s, badID(n, parent, "parentSpanId", spanIDBytes)
		}
	}
	if s.from, err = readNanos(either(n, "startTimeUnixNano", "start_time_unix_nano")); err != nil {
		return s, err
	}
	s.to, err = readNanos(either(n, "endTimeUnixNano", "end_time_unix_nano"))
	s.kind = operations[operation(n)]
	return s, err
}

// noID says whether there is no identifier: it is empty, or all zeros in hex or in base64.
func noID(n strictjson.Node) bool {
	id, ok := n.Text()
	return n.Missing() || ok && (strings.Trim(id, "0") == "" || strings.Trim(id, "A=") == "")
}

func badID(span, id strictjson.Node, name string, size int) error {
	detail := fmt.Sprintf("Ids are %d bytes, in hex or in base64, and not all zero.", size)
	if id.Missing() {
		return refuse(span, detail, "the span has no %s", name)
	}
	return refuse(id, detail, "%s %s is no id", name, wording.ShowValue(id))
}

// readNanos reads a time in nanoseconds, which OTLP writes as a string.
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

// operations are what the operations of the conventions are here.
var operations = map[string]kind{
	"chat": answering, "text_completion": answering, "generate_content": answering, "embeddings": embedding,
	"execute_tool": calling, "retrieval": fetching, "invoke_agent": agent,
}

// operation is the value of gen_ai.operation.name.
func operation(n strictjson.Node) string {
	name, _ := attribute(n.Last("attributes"), "gen_ai.operation.name").Last("stringValue").Text()
	if name == "" {
		name, _ = attribute(n.Last("attributes"), "gen_ai.operation.name").Last("string_value").Text()
	}
	return name
}

// attribute is the value of the last attribute of a name.
func attribute(list strictjson.Node, name string) (found strictjson.Node) {
	for one := range list.Children() {
		if one.Last("key").TextIs(name) {
			found = one.Last("value")
		}
	}
	return found
}

// attributes are the attributes of a span, and those of its events for what conventions put
// there.
type attributes struct {
	m    *maker
	span strictjson.Node
}

// get is the value of the first of some attributes that there is, as plain JSON.
func (a attributes) get(names ...string) strictjson.Node {
	for _, name := range names {
		if n := a.m.plain(attribute(a.span.Last("attributes"), name)); !n.Missing() {
			return n
		}
	}
	return strictjson.Node{}
}

// structured is an attribute that is a structure, perhaps as JSON in a string, and perhaps of
// an event.
func (a attributes) structured(name string) strictjson.Node {
	value := attribute(a.span.Last("attributes"), name)
	for event := range a.span.Last("events").Children() {
		if !value.Exists() {
			value = attribute(event.Last("attributes"), name)
		}
	}
	return a.m.parsed(a.m.plain(value))
}

// plain is what a value of OTLP stands for: {"stringValue": "x"} for "x", and so on.
func (m *maker) plain(value strictjson.Node) strictjson.Node {
	if text := either(value, "stringValue", "string_value"); text.Is(strictjson.String) {
		return text
	}
	if !value.Is(strictjson.Object) || value.Len() == 0 {
		return strictjson.Node{}
	}
	return m.read(value, appendPlain(nil, value))
}

// appendPlain appends the JSON of a value of OTLP.
func appendPlain(dst []byte, value strictjson.Node) []byte {
	member := value.At(0)
	switch name := strings.ReplaceAll(strings.ToLower(member.Key()), "_", ""); name {
	case "stringvalue", "boolvalue", "bytesvalue":
		return append(dst, member.Raw()...)
	case "intvalue", "doublevalue":
		if member.Is(strictjson.String) && !isNumber(member.TextBytes(nil)) {
			return append(dst, member.Raw()...) // NaN and the like
		}
		return append(dst, bytes.Trim(member.Raw(), `"`)...)
	case "arrayvalue":
		dst = append(dst, '[')
		for one := range member.Last("values").Children() {
			dst = append(appendPlain(separated(dst), one), ' ')
		}
		return append(dst, ']')
	case "kvlistvalue":
		dst = append(dst, '{')
		for one := range member.Last("values").Children() {
			key := one.Last("key").Raw()
			if !one.Last("key").Is(strictjson.String) {
				key = []byte(`""`)
			}
			dst = appendPlain(append(append(separated(dst), key...), ':'), one.Last("value"))
			dst = append(dst, ' ')
		}
		return append(dst, '}')
	}
	return append(dst, "null"...)
}

// separated appends the comma before an element that is not the first.
func separated(dst []byte) []byte {
	if last := dst[len(dst)-1]; last != '[' && last != '{' {
		dst = append(dst, ',')
	}
	return dst
}

// isNumber says whether a text is a number of JSON.
func isNumber(text []byte) bool {
	f, err := strconv.ParseFloat(string(text), 64)
	return err == nil && !math.IsNaN(f) && !math.IsInf(f, 0) && !bytes.ContainsAny(text, "xXpP_+nN")
}

// speakOTel reads what a span says by the conventions for generative AI.
func speakOTel(m *maker, s *span, n strictjson.Node) told {
	a := attributes{m, n}
	t := told{node: n, name: n.Last("name"), status: "unset"}
	status := n.Last("status")
	switch code := either(status, "code"); {
	case code.TextIs("STATUS_CODE_ERROR") || string(code.Raw()) == "2":
		t.status, t.failed = "error", a.get("error.type")
		if message := status.Last("message"); !message.Missing() && !message.TextIs("") {
			t.failed = message
		}
		if t.failed.Missing() {
			t.failed = code
		}
	case code.TextIs("STATUS_CODE_OK") || string(code.Raw()) == "1":
		t.status = "ok"
	}
	t.model = a.get("gen_ai.response.model", "gen_ai.request.model")
	t.usage = readUsageAttributes(a)
	a.hear(&t)
	switch s.kind {
	case answering, embedding:
		t.as, t.name = operation(n), strictjson.Node{}
		t.settings = requestSettings(a)
	case calling:
		t.name, t.as = a.get("gen_ai.tool.name"), afterOperation(n)
		t.args, t.result, t.callID = a.structured("gen_ai.tool.call.arguments"), a.structured("gen_ai.tool.call.result"), a.get("gen_ai.tool.call.id")
	case fetching:
		t.name, t.as = a.get("gen_ai.data_source.id"), afterOperation(n)
		t.members = []named{{"query", a.get("gen_ai.retrieval.query.text")}, {"top_k", a.get("gen_ai.request.top_k")}}
		t.result = a.structured("gen_ai.retrieval.documents")
	case agent:
		t.agent, t.as = a.get("gen_ai.agent.name", "gen_ai.agent.id"), afterOperation(n)
		t.name = t.agent
	}
	return t
}

// hear reads the messages of a span.
func (a attributes) hear(t *told) {
	t.messages = a.structured("gen_ai.input.messages")
	in, out := hear(t.messages), hear(a.structured("gen_ai.output.messages"))
	t.user, t.system, t.results = in.user, in.system, in.results
	t.said, t.thought, t.calls, t.finish = out.said, out.thought, out.calls, out.finish
	instructions := a.structured("gen_ai.system_instructions")
	if says := append(readParts(instructions), readText(instructions, chatText)...); len(says) > 0 {
		t.system = says
	}
	if reasons := a.structured("gen_ai.response.finish_reasons"); t.finish.Missing() {
		t.finish = reasons.At(0)
	}
}

// afterOperation is the name of a span without the operation, which the conventions put
// before the name of a tool or an agent.
func afterOperation(n strictjson.Node) string {
	name, _ := n.Last("name").Text()
	if rest := strings.TrimSpace(strings.TrimPrefix(name, operation(n))); rest != "" {
		return rest
	}
	return operation(n)
}

// requestSettings are the attributes of the request, such as its temperature.
func requestSettings(a attributes) (list []named) {
	const prefix = "gen_ai.request."
	for one := range a.span.Last("attributes").Children() {
		key, _ := one.Last("key").Text()
		name, ok := strings.CutPrefix(key, prefix)
		if value := a.m.plain(one.Last("value")); ok && !value.Missing() {
			list = append(list, named{name, value})
		}
	}
	slices.SortStableFunc(list, func(a, b named) int { return strings.Compare(a.name, b.name) })
	return list
}

// readUsageAttributes reads the tokens of a span.
func readUsageAttributes(a attributes) usage {
	in, out := a.get("gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens"), a.get("gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens")
	return usageOf(in, out, strictjson.Node{})
}
