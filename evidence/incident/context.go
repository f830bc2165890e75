package incident

import (
	"time"

	"github.com/cupel-dev/cupel/internal/digest"
	"github.com/cupel-dev/cupel/internal/strictjson"
)

// limits are the numbers that a context selects.
type limits struct {
	OuterBytes            int64 `json:"outer_bytes"`
	Members               int64 `json:"members"`
	OuterPathBytes        int64 `json:"outer_path_bytes"`
	ObjectBytesTotal      int64 `json:"object_bytes_total"`
	Inputs                int64 `json:"inputs"`
	InnerCompressedBytes  int64 `json:"inner_compressed_bytes"`
	DecodedBytesTotal     int64 `json:"decoded_bytes_total"`
	NestedArchiveDepth    int64 `json:"nested_archive_depth"`
	InventoryBytes        int64 `json:"inventory_bytes"`
	AssessmentBytes       int64 `json:"assessment_bytes"`
	PolicyBytes           int64 `json:"policy_bytes"`
	TranscriptBytes       int64 `json:"transcript_bytes"`
	HealthBytes           int64 `json:"health_bytes"`
	EnvelopeBytes         int64 `json:"envelope_bytes"`
	KeyBytes              int64 `json:"key_bytes"`
	RetainedReportBytes   int64 `json:"retained_report_bytes"`
	InnerManifestBytes    int64 `json:"inner_manifest_bytes"`
	InnerEventsBytes      int64 `json:"inner_events_bytes"`
	Records               int64 `json:"records"`
	RecordBytes           int64 `json:"record_bytes"`
	InnerPathBytes        int64 `json:"inner_path_bytes"`
	JSONDepth             int64 `json:"json_depth"`
	JSONKeyBytes          int64 `json:"json_key_bytes"`
	NonPayloadStringBytes int64 `json:"non_payload_string_bytes"`
	PayloadStringBytes    int64 `json:"payload_string_bytes"`
	References            int64 `json:"references"`
	ReferenceDepth        int64 `json:"reference_depth"`
	DiagnosticBytes       int64 `json:"diagnostic_bytes"`
	FreshResultBytes      int64 `json:"fresh_result_bytes"`
}

// hard are the largest numbers that the format allows.
var hard = limits{
	OuterBytes:            268_435_456,
	Members:               128,
	OuterPathBytes:        80,
	ObjectBytesTotal:      251_658_240,
	Inputs:                64,
	InnerCompressedBytes:  104_857_600,
	DecodedBytesTotal:     536_870_912,
	NestedArchiveDepth:    1,
	InventoryBytes:        1_048_576,
	AssessmentBytes:       16_777_216,
	PolicyBytes:           1_048_576,
	TranscriptBytes:       16_777_216,
	HealthBytes:           1_048_576,
	EnvelopeBytes:         33_554_432,
	KeyBytes:              16_384,
	RetainedReportBytes:   16_777_216,
	InnerManifestBytes:    10_485_760,
	InnerEventsBytes:      524_288_000,
	Records:               100_000,
	RecordBytes:           1_048_576,
	InnerPathBytes:        256,
	JSONDepth:             64,
	JSONKeyBytes:          256,
	NonPayloadStringBytes: 65_536,
	PayloadStringBytes:    1_048_576,
	References:            100_000,
	ReferenceDepth:        1,
	DiagnosticBytes:       4096,
	FreshResultBytes:      16_777_216,
}

// fields are the numbers with their names.
func (l *limits) fields() []field {
	return []field{
		{"outer_bytes", &l.OuterBytes},
		{"members", &l.Members},
		{"outer_path_bytes", &l.OuterPathBytes},
		{"object_bytes_total", &l.ObjectBytesTotal},
		{"inputs", &l.Inputs},
		{"inner_compressed_bytes", &l.InnerCompressedBytes},
		{"decoded_bytes_total", &l.DecodedBytesTotal},
		{"nested_archive_depth", &l.NestedArchiveDepth},
		{"inventory_bytes", &l.InventoryBytes},
		{"assessment_bytes", &l.AssessmentBytes},
		{"policy_bytes", &l.PolicyBytes},
		{"transcript_bytes", &l.TranscriptBytes},
		{"health_bytes", &l.HealthBytes},
		{"envelope_bytes", &l.EnvelopeBytes},
		{"key_bytes", &l.KeyBytes},
		{"retained_report_bytes", &l.RetainedReportBytes},
		{"inner_manifest_bytes", &l.InnerManifestBytes},
		{"inner_events_bytes", &l.InnerEventsBytes},
		{"records", &l.Records},
		{"record_bytes", &l.RecordBytes},
		{"inner_path_bytes", &l.InnerPathBytes},
		{"json_depth", &l.JSONDepth},
		{"json_key_bytes", &l.JSONKeyBytes},
		{"non_payload_string_bytes", &l.NonPayloadStringBytes},
		{"payload_string_bytes", &l.PayloadStringBytes},
		{"references", &l.References},
		{"reference_depth", &l.ReferenceDepth},
		{"diagnostic_bytes", &l.DiagnosticBytes},
		{"fresh_result_bytes", &l.FreshResultBytes},
	}
}

type field struct {
	name  string
	value *int64
}

// schemaPin is the SHA-256 of the schema of coverage attestations (draft-hillier-coverage-attestation-00).
const schemaPin = "4453f216089543780bfecc4295cc4a61462fdc585b88d1e35b7d1aba79716b4a"

// Context is what a verifier knows in addition to the package. An assessment names the digest of its context.
type Context struct {
	SchemaPin     string        `json:"schema_pin"`
	Limits        limits        `json:"limits"`
	Keys          []string      `json:"keys"`
	Expectations  []expectation `json:"expectations"`
	Applicability []struct{}    `json:"applicability"`
	AsOf          string        `json:"as_of"`
	ValidFrom     string        `json:"valid_from"`
	ValidUntil    string        `json:"valid_until"`
	Invocation    invocation    `json:"invocation"`
}

type expectation struct {
	InputID           string `json:"input_id"`
	SHA256            string `json:"sha256"`
	RequireDisclosure bool   `json:"require_disclosure"`
}

type invocation struct {
	Tool    string   `json:"tool"`
	Version string   `json:"version"`
	Options []string `json:"options"`
}

// usual returns the default context: the maximum limits and the time of the bundles' events.
func usual(start, end string) *Context {
	return &Context{
		SchemaPin: schemaPin, Limits: hard, Keys: []string{}, Expectations: []expectation{}, Applicability: []struct{}{},
		AsOf: end, ValidFrom: start, ValidUntil: end,
		Invocation: invocation{Tool: "cupel evidence pack", Version: "1", Options: []string{}},
	}
}

// Text returns the context as a document: canonical JSON and a line feed.
func (c *Context) Text() []byte { return document(c) }

// ReadContext reads a context. The error is a [Refusal] or [Unsupported].
func ReadContext(text []byte) (*Context, error) {
	doc, err := strictjson.NewScanner(strictjson.Limits{}).Scan(text)
	if err != nil {
		return nil, refuse(ruleTrust, "", "the context is not JSON: %s", err)
	}
	r := newReader(ruleTrust, "the context")
	root := r.Root(doc)
	r.closed(root, "schema_pin", "limits", "keys", "expectations", "applicability", "as_of", "valid_from", "valid_until", "invocation")
	c := &Context{AsOf: r.instant(root, "as_of"), ValidFrom: r.instant(root, "valid_from"), ValidUntil: r.instant(root, "valid_until")}
	c.SchemaPin = schemaPin
	r.Fixed(root, "schema_pin", schemaPin)
	of := r.Object(root, "limits")
	var names []string
	for i, f := range c.Limits.fields() {
		names = append(names, f.name)
		*f.value = r.Count(of, f.name)
		if *f.value < 1 || *f.value > *hard.fields()[i].value {
			r.Refuse(of, f.name, "a number from 1 to the largest that the format allows")
		}
	}
	r.closed(of, names...)
	c.Keys = r.texts(root, "keys")
	for _, key := range c.Keys {
		if !digest.IsHex([]byte(key)) {
			r.Refuse(root, "keys", "digests in lower-case hexadecimal digits")
		}
	}
	c.Expectations = []expectation{}
	for n := range r.Elements(root, "expectations") {
		r.closed(n, "input_id", "sha256", "require_disclosure")
		e := expectation{r.id(n, "input_id"), r.Hex(n, "sha256").Hex(), r.Flag(n, "require_disclosure")}
		c.Expectations = append(c.Expectations, e)
	}
	if !ascending(c.Expectations, func(e expectation) string { return e.InputID }) || !ascending(c.Keys, func(k string) string { return k }) {
		r.Refuse(root, "expectations", "keys and expectations in ascending order, each once")
	}
	some := false
	for range r.Elements(root, "applicability") {
		some = true
	}
	by := r.Object(root, "invocation")
	r.closed(by, "tool", "version", "options")
	c.Invocation = invocation{r.Text(by, "tool"), r.Text(by, "version"), r.texts(by, "options")}
	c.Applicability = []struct{}{}
	if c.ValidFrom != "" && c.ValidUntil != "" && (later(c.ValidFrom, c.AsOf) || later(c.AsOf, c.ValidUntil)) {
		r.Refuse(root, "as_of", "a time from valid_from to valid_until")
	}
	switch {
	case r.Fault != nil:
		return nil, r.refusal()
	case some:
		return nil, &Unsupported{"a context with applicability"}
	}
	return c, nil
}

func later(a, b string) bool {
	x, wrong := time.Parse(time.RFC3339Nano, a)
	y, err := time.Parse(time.RFC3339Nano, b)
	return wrong == nil && err == nil && x.After(y)
}
