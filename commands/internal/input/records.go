package input

import (
	"io"
	"iter"
	"slices"
	"strings"

	"github.com/cupel-dev/cupel/internal/source"
	"github.com/cupel-dev/cupel/internal/strictjson"
	"github.com/cupel-dev/cupel/trace"
)

// A folder may hold cupel's own records of several kinds, in files whose names do not
// tell them apart. Each command passes over what the first readable record of a walked
// file shows to be another kind; it judges files without such a record, and records that
// nobody knows.
//
// A file that has changed may be anybody's. Each command claims it for what one record in
// its beginning shows, so that an edited first record hides nothing, and for having no
// readable record at all.

// MayBeTrace says whether a walked file is one for `cupel trace`.
func MayBeTrace(r io.Reader) bool {
	record, known := firstRecord(r)
	return !known || !isEvent(record)
}

// MayBeEvidence says whether a walked file is one for `cupel evidence`.
func MayBeEvidence(r io.Reader) bool {
	record, known := firstRecord(r)
	return !known || isEvent(record) || trace.FamilyOf(record.Raw()) == trace.Unknown
}

// isEvent says whether a record is an evidence event: a CloudEvents envelope names its
// version, and no trace has such a member.
func isEvent(record strictjson.Node) bool { return record.Get("specversion").Exists() }

// ClaimsTrace says whether a changed file is one for `cupel trace`.
func ClaimsTrace(r io.Reader) bool { return claims(r, isTraceRecord) }

// ClaimsEvidence says whether a changed file is one for `cupel evidence`.
func ClaimsEvidence(r io.Reader) bool { return claims(r, isAssayEvent) }

// claims says whether a record in a file's beginning, or in an array there, is of a kind,
// or nothing there can be read.
func claims(r io.Reader, kind func(strictjson.Node) bool) bool {
	readable := false
	for value := range values(r) {
		if readable = true; kind(value) {
			return true
		}
		for element := range value.Children() {
			if value.Is(strictjson.Array) && kind(element) {
				return true
			}
		}
	}
	return !readable
}

// isTraceRecord says whether a record is one of a reasoning trace or a session log: it has
// a member that only they have. Kinds and payloads alone are in many people's records.
func isTraceRecord(record strictjson.Node) bool {
	has := func(name string) bool { return record.Get(name).Exists() }
	if slices.ContainsFunc(telling, has) || has("kind") && has("idx") {
		return true
	}
	part, _ := record.Get("record").Text()
	event, _ := record.Get("event_type").Text()
	return strings.HasPrefix(part, "trace_") || has("payload") && slices.Contains(trace.SchemaNames(), event)
}

// telling are members that only the records of traces and session logs have.
var telling = []string{
	"trace_schema_version", "fingerprint_algo", "canonicalization_version",
	"payload_hash", "prev_event_hash", "prev_hash", "event_hash",
}

// isAssayEvent says whether a record is an evidence event, and not anybody's CloudEvents
// envelope: its type or one of its extension attributes is the contract's.
func isAssayEvent(record strictjson.Node) bool {
	if !isEvent(record) {
		return false
	}
	if name, _ := record.Get("type").Text(); strings.HasPrefix(name, "assay.") {
		return true
	}
	for member := range record.Children() {
		if strings.HasPrefix(member.Key(), "assay") {
			return true
		}
	}
	return false
}

// firstRecord finds the first line of a file's beginning that is a JSON object.
func firstRecord(r io.Reader) (record strictjson.Node, known bool) {
	for value := range values(r) {
		if value.Is(strictjson.Object) {
			return value, true
		}
	}
	return strictjson.Node{}, false
}

// probeBytes is how much of a file of records a walk reads to find out what it is about.
const probeBytes = 1 << 20

// probeBlock is how much of a file is read at a time: mostly its first line is enough.
const probeBlock = 4 << 10

// values are the lines of a file's beginning that are JSON. Each is gone with the next.
func values(r io.Reader) iter.Seq[strictjson.Node] {
	return func(yield func(strictjson.Node) bool) {
		blocks := source.NewBlocks(io.LimitReader(r, probeBytes), probeBlock, probeBytes)
		scanner := strictjson.NewScanner(strictjson.Limits{})
		var block source.Block
		for {
			var err error
			if block, err = blocks.Next(block.Data); err != nil {
				return
			}
			for line := range block.Lines() {
				if doc, err := scanner.Scan(line.Bytes); err == nil && !yield(doc.Root()) {
					return
				}
			}
		}
	}
}
