package otlp

// kind is how a field is encoded in Protocol Buffers and in JSON.
type kind uint8

const (
	nested   kind = iota // a message, see field.of
	each                 // a list of messages
	text                 // a string
	texts                // a list of strings
	identity             // bytes that JSON has in hex
	blob                 // bytes that JSON has in base64
	boolean
	small  // a number of 32 bits
	long   // an integer of 64 bits: JSON has a string
	double // a floating-point number
	flags  // 32 bits of fixed size
	nanos  // 64 bits of fixed size: JSON has a string
)

type field struct {
	number int
	name   string // in JSON
	kind   kind
	of     string // the message inside
}

// fields are the messages of OTLP 1.x (opentelemetry-proto: common, resource, trace, logs, metrics and collector).
// Values of metrics are not read.
var fields = map[string][]field{
	"traces":  {{1, "resourceSpans", each, "ResourceSpans"}},
	"logs":    {{1, "resourceLogs", each, "ResourceLogs"}},
	"metrics": {{1, "resourceMetrics", each, "ResourceMetrics"}},

	"ResourceSpans": {{1, "resource", nested, "Resource"}, {2, "scopeSpans", each, "ScopeSpans"}, {3, "schemaUrl", text, ""}},
	"ScopeSpans":    {{1, "scope", nested, "Scope"}, {2, "spans", each, "Span"}, {3, "schemaUrl", text, ""}},
	"Span": {
		{1, "traceId", identity, ""},
		{2, "spanId", identity, ""},
		{3, "traceState", text, ""},
		{4, "parentSpanId", identity, ""},
		{16, "flags", flags, ""},
		{5, "name", text, ""},
		{6, "kind", small, ""},
		{7, "startTimeUnixNano", nanos, ""},
		{8, "endTimeUnixNano", nanos, ""},
		{9, "attributes", each, "KeyValue"},
		{10, "droppedAttributesCount", small, ""},
		{11, "events", each, "Event"},
		{12, "droppedEventsCount", small, ""},
		{13, "links", each, "Link"},
		{14, "droppedLinksCount", small, ""},
		{15, "status", nested, "Status"},
	},
	"Event": {{1, "timeUnixNano", nanos, ""}, {2, "name", text, ""}, {3, "attributes", each, "KeyValue"}, {4, "droppedAttributesCount", small, ""}},
	"Link": {
		{1, "traceId", identity, ""},
		{2, "spanId", identity, ""},
		{3, "traceState", text, ""},
		{4, "attributes", each, "KeyValue"},
		{5, "droppedAttributesCount", small, ""},
		{6, "flags", flags, ""},
	},
	"Status": {{2, "message", text, ""}, {3, "code", small, ""}},

	"ResourceLogs": {{1, "resource", nested, "Resource"}, {2, "scopeLogs", each, "ScopeLogs"}, {3, "schemaUrl", text, ""}},
	"ScopeLogs":    {{1, "scope", nested, "Scope"}, {2, "logRecords", each, "LogRecord"}, {3, "schemaUrl", text, ""}},
	"LogRecord": {
		{1, "timeUnixNano", nanos, ""},
		{11, "observedTimeUnixNano", nanos, ""},
		{2, "severityNumber", small, ""},
		{3, "severityText", text, ""},
		{5, "body", nested, "AnyValue"},
		{6, "attributes", each, "KeyValue"},
		{7, "droppedAttributesCount", small, ""},
		{8, "flags", flags, ""},
		{9, "traceId", identity, ""},
		{10, "spanId", identity, ""},
		{12, "eventName", text, ""},
	},

	"ResourceMetrics": {{1, "resource", nested, "Resource"}, {2, "scopeMetrics", each, "ScopeMetrics"}, {3, "schemaUrl", text, ""}},
	"ScopeMetrics":    {{1, "scope", nested, "Scope"}, {2, "metrics", each, "Metric"}, {3, "schemaUrl", text, ""}},
	"Metric": {
		{1, "name", text, ""},
		{2, "description", text, ""},
		{3, "unit", text, ""},
		{5, "gauge", blob, ""},
		{7, "sum", blob, ""},
		{9, "histogram", blob, ""},
		{10, "exponentialHistogram", blob, ""},
		{11, "summary", blob, ""},
		{12, "metadata", each, "KeyValue"},
	},

	"Resource":  {{1, "attributes", each, "KeyValue"}, {2, "droppedAttributesCount", small, ""}, {3, "entityRefs", each, "EntityRef"}},
	"EntityRef": {{1, "schemaUrl", text, ""}, {2, "type", text, ""}, {3, "idKeys", texts, ""}, {4, "descriptionKeys", texts, ""}},
	"Scope":     {{1, "name", text, ""}, {2, "version", text, ""}, {3, "attributes", each, "KeyValue"}, {4, "droppedAttributesCount", small, ""}},
	"KeyValue":  {{1, "key", text, ""}, {2, "value", nested, "AnyValue"}},
	"AnyValue": {
		{1, "stringValue", text, ""},
		{2, "boolValue", boolean, ""},
		{3, "intValue", long, ""},
		{4, "doubleValue", double, ""},
		{5, "arrayValue", nested, "ArrayValue"},
		{6, "kvlistValue", nested, "KeyValueList"},
		{7, "bytesValue", blob, ""},
	},
	"ArrayValue":   {{1, "values", each, "AnyValue"}},
	"KeyValueList": {{1, "values", each, "KeyValue"}},
}
