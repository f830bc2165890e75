package format

import (
	"fmt"

	"github.com/cupel-dev/cupel/internal/jcs"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/fault"
	"github.com/cupel-dev/cupel/trace/internal/reasoning/rule"
)

type headerMember uint8

const (
	headerRecord headerMember = iota
	headerSchemaVersion
	headerTraceSchemaVersion
	headerAlgo
	headerCanon
	headerProtocol
	headerID
	headerSpecID
	headerPlanID
	headerMetadata
)

var headerShape = shape[headerMember]{
	headerRecord:             {name: "record", want: aString},
	headerSchemaVersion:      {name: "schema_version", want: anInteger},
	headerTraceSchemaVersion: {name: "trace_schema_version", want: anInteger},
	headerAlgo:               {name: "fingerprint_algo", want: aString},
	headerCanon:              {name: "canonicalization_version", want: anInteger},
	headerProtocol:           {name: "runtime_protocol_version", want: anInteger},
	headerID:                 {name: "id", want: aString},
	headerSpecID:             {name: "spec_id", want: aString},
	headerPlanID:             {name: "plan_id", want: aString},
	headerMetadata:           {name: "metadata", want: anObject},
}

type headerReader struct {
	*objects
	versions versions
	wrapped  bool
	canon    *jcs.Writer // nil: the trace has no id to recompute
}

func (r *headerReader) read(n strictjson.Node) Header {
	out := read(r.objects, n, root, headerShape)
	h := Header{ID: textOf(out.at(headerID)), PlanID: textOf(out.at(headerPlanID)), SpecID: textOf(out.at(headerSpecID))}
	h.Version = r.version(n, out.at(headerSchemaVersion), out.at(headerTraceSchemaVersion))
	if algo := out.at(headerAlgo); algo.Is(strictjson.String) && !algo.TextIs("sha256") {
		f := r.at(rule.HeaderAlgoUnsupported, "fingerprint_algo", fault.PlaceOf(algo), fmt.Sprintf("fingerprint algorithm %s is not supported", fault.Preview(algo.Raw())))
		f.Expected = "sha256"
		r.reject(f)
	}
	if canon, ok := out.at(headerCanon).Int(); ok && canon != 1 {
		f := r.at(rule.HeaderCanonUnsupported, "canonicalization_version", fault.PlaceOf(out.at(headerCanon)), fmt.Sprintf("canonicalization version %d is not supported", canon))
		f.Expected = "1"
		r.reject(f)
	}
	if r.canon != nil && h.ID.Bytes != nil {
		h.Before, h.After = r.canonical(&out)
	}
	return h
}

// version reads the version, which has two names.
func (r *headerReader) version(n, onDisk, inFormat strictjson.Node) int64 {
	a, okA := onDisk.Int()
	b, okB := inFormat.Int()
	switch {
	case okA && okB && a != b:
		r.reject(r.at(rule.HeaderVersionConflict, "schema_version", fault.PlaceOf(onDisk),
			fmt.Sprintf("schema_version is %d, trace_schema_version is %d", a, b)))
	case okA:
		return r.versions.read(onDisk, "schema_version")
	case okB:
		return r.versions.read(inFormat, "trace_schema_version")
	case r.wrapped && onDisk.Missing() && inFormat.Missing():
		f := r.at(rule.FieldMissing, "schema_version", fault.Opening(n), "mandatory member \"schema_version\" (or \"trace_schema_version\") is missing")
		f.Expected = r.versions.String()
		r.reject(f)
	}
	return 0
}

// canonical writes the parts of the canonical trace before and after its events: an object with
// canonicalization_version, events and the rest in this order.
func (r *headerReader) canonical(out *members[headerMember]) (before, after []byte) {
	before = append(r.member([]byte{'{'}, out, headerCanon, "1"), `,"events":[`...)
	version := headerSchemaVersion
	if !out.at(version).Exists() {
		version = headerTraceSchemaVersion
	}
	after = append(r.member([]byte("],"), out, headerAlgo, `"sha256"`), ',')
	after = append(r.member(after, out, headerMetadata, "{}"), ',')
	after = append(r.member(after, out, headerPlanID, "null"), ',')
	after = append(r.member(after, out, headerProtocol, "1"), ',')
	after = append(r.named(after, "schema_version", out.at(version), "1"), ',')
	after = r.member(after, out, headerSpecID, "null")
	return before, append(after, '}')
}

// member appends a member in canonical form, or its default if absent.
func (r *headerReader) member(dst []byte, out *members[headerMember], which headerMember, absent string) []byte {
	return r.named(dst, headerShape[which].name, out.at(which), absent)
}

func (r *headerReader) named(dst []byte, name string, n strictjson.Node, absent string) []byte {
	dst = append(append(append(dst, '"'), name...), `":`...)
	if n.Exists() {
		return r.canon.Append(dst, n)
	}
	return append(dst, absent...)
}
