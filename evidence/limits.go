package evidence

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/internal/suggest"
)

// Limits limits untrusted evidence. Zero means the contract's default. Values above cupel's maximum are lowered to
// it.
type Limits struct {
	BundleBytes   int64 // compressed source of a bundle; default 100 MiB
	DecodeBytes   int64 // a bundle's decompressed stream; default 1 GiB
	ManifestBytes int64 // a bundle's manifest; default 10 MiB
	EventsBytes   int64 // all events of one input; default 500 MiB
	Events        int64 // number of events of one input; default 100,000
	LineBytes     int64 // one event without its line end; default 1 MiB, which is accepted
	PathBytes     int64 // the path of a bundle's member; default 256
	JSONDepth     int64 // nested containers, the event being the first; default 64, which is accepted
}

// Limits that cannot be changed: an object's members and a string's code points after unescaping.
const (
	MaxKeys        = 10_000
	MaxStringChars = 1 << 20
)

// maxDepth is the maximum of Limits.JSONDepth, because explaining a mismatch recurses.
const maxDepth = 10_000

type limit struct {
	name     string // in a JSON object of overrides
	field    func(*Limits) *int64
	standard int64
	most     int64
}

var limits = []limit{
	{"max_bundle_bytes", func(l *Limits) *int64 { return &l.BundleBytes }, 100 << 20, math.MaxInt64},
	{"max_decode_bytes", func(l *Limits) *int64 { return &l.DecodeBytes }, 1 << 30, math.MaxInt64},
	{"max_manifest_bytes", func(l *Limits) *int64 { return &l.ManifestBytes }, 10 << 20, strictjson.DefaultTextBytes},
	{"max_events", func(l *Limits) *int64 { return &l.Events }, 100_000, math.MaxInt64},
	{"max_events_bytes", func(l *Limits) *int64 { return &l.EventsBytes }, 500 << 20, math.MaxInt64},
	{"max_line_bytes", func(l *Limits) *int64 { return &l.LineBytes }, 1 << 20, strictjson.DefaultTextBytes},
	{"max_path_len", func(l *Limits) *int64 { return &l.PathBytes }, 256, math.MaxInt32},
	{"max_json_depth", func(l *Limits) *int64 { return &l.JSONDepth }, 64, maxDepth},
}

// LimitNames returns the names that ParseLimits accepts.
func LimitNames() []string {
	names := make([]string, len(limits))
	for i, l := range limits {
		names[i] = l.name
	}
	return names
}

// ParseLimits parses a JSON object such as {"max_events":500000}. Missing members keep their defaults. It returns
// an error for an unknown member, or a value that is not a positive integer in range.
func ParseLimits(text []byte) (Limits, error) {
	doc, err := strictjson.NewScanner(strictjson.Limits{}).Scan(text)
	if err != nil {
		return Limits{}, fmt.Errorf("limits are not strict JSON: %w", err)
	}
	if !doc.Root().Is(strictjson.Object) {
		return Limits{}, fmt.Errorf("limits are a JSON %v, expected an object such as {%q:%d}", doc.Root().Kind(), "max_events", 500_000)
	}
	var parsed Limits
	for member := range doc.Root().Children() {
		i := slices.IndexFunc(limits, func(l limit) bool { return member.KeyIs(l.name) })
		if i < 0 {
			return Limits{}, unknownLimit(member.Key())
		}
		value, ok := member.Int()
		if !ok || value < 1 || value > limits[i].most {
			return Limits{}, fmt.Errorf("limit %q is %s, expected an integer from 1 to %d", limits[i].name, preview(member.Raw()), limits[i].most)
		}
		*limits[i].field(&parsed) = value
	}
	return parsed, nil
}

func unknownLimit(name string) error {
	if near := suggest.Nearest(name, LimitNames()); near != "" {
		return fmt.Errorf("unknown limit %q, did you mean %q", preview([]byte(name)), near)
	}
	return fmt.Errorf("unknown limit %q, known limits are %s", preview([]byte(name)), strings.Join(LimitNames(), ", "))
}

// WithDefaults replaces zero fields by defaults and lowers excessive values.
func (l Limits) WithDefaults() Limits {
	for _, row := range limits {
		field := row.field(&l)
		if *field <= 0 {
			*field = row.standard
		}
		*field = min(*field, row.most)
	}
	return l
}

func (l Limits) scanner() *strictjson.Scanner {
	return strictjson.NewScanner(strictjson.Limits{
		TextBytes: int(l.LineBytes), Depth: int(l.JSONDepth), Keys: MaxKeys, StringChars: MaxStringChars,
		WideNumbers: true, // checked per attribute by reader.read
	})
}
