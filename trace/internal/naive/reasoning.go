package naive

import (
	"context"
	"errors"
)

// Run is a reasoning trace and its companion files.
type Run struct {
	Trace    []byte
	Plan     []byte // or nil
	Folder   Files  // contains the manifest and its files; nil: not read
	Evidence Files  // nil: not read

	Limits     Limits
	Expected   Expected
	Versions   []int64 // accepted schema versions; nil: 1 alone
	Strict     bool
	Contiguous bool
	Aliases    bool // read the member names of old writers
	CheckIDs   bool
	Manifest   bool // a manifest that is missing or does not fit is an error
}

// ReasoningRules are the rules that Reasoning judges. "line" represents every rule about the syntax of a line.
var ReasoningRules = []string{
	Unreadable, "header.missing", "header.duplicate", "header.version_unsupported", "header.version_conflict", "header.algo_unsupported", "header.canon_unsupported",
	"version.assumed", "record.unknown", "event.kind_unknown", "output.kind_unknown", "output.kind_conflict", "field.missing", "field.empty", "field.type", "field.unknown",
	"order.idx_not_increasing", "order.idx_negative", "order.idx_gap", "order.dependency", "order.step_unfinished", "order.finish_without_start",
	"order.step_restarted", "order.event_outside_step",
	"plan.absent", "plan.unreadable", "plan.duplicate_node", "plan.dep_missing", "plan.cycle", "plan.id_mismatch", "plan.spec_mismatch", "plan.node_not_executed",
	"ref.step_unknown", "ref.step_mismatch", "ref.call_unknown", "ref.call_unanswered", "ref.call_duplicate", "ref.result_before_call", "ref.result_duplicate",
	"ref.evidence_unknown", "ref.evidence_later", "ref.evidence_duplicate", "ref.claim_unknown", "ref.claim_later", "ref.output_unknown",
	"span.malformed", "span.out_of_bytes", "span.evidence_mismatch", "hash.format", "hash.algo_unsupported", "hash.evidence", "hash.snippet", "hash.chunk",
	"path.unsafe", "path.symlink_escape", "path.not_regular", "path.missing_file",
	"claim.no_supports", "claim.ungrounded", "marker.legacy", "marker.absent", "support.hash_not_checkable", "support.found_by_hash", "support.kind_unknown",
	"evidence.unchecked", "trace.no_events", "id.trace_mismatch", "manifest.mismatch", "anchor.sha256", "anchor.prefix",
}

// ErrNoTrace means that a log is not a reasoning trace.
var ErrNoTrace = errors.New("the first readable record is not of a reasoning trace")

type readEvent struct {
	line   int
	idx    int64
	kind   string
	step   string
	detail map[string]any
}

type header struct {
	line    int
	members map[string]any
}

type reasoningCheck struct {
	statements
	ctx     context.Context // of this one question
	run     Run
	beside  planFile
	wrapped bool
	header  *header
	any     bool   // a record was read
	version *int64 // nil as long as nothing states one
	texts   []any  // all events, for the id
	events  []readEvent
	places  places
	noted   map[[2]string]bool // unknown members, by the kind of object and the name
	failed  error              // a companion file is unreadable
}

// places maps kind and id of an object to the indices of the first and the last event with it.
type places map[[2]string][2]int

func placesOf(events []readEvent) places {
	at := places{}
	for i, e := range events {
		id, ok := text(e.detail, "id")
		if e.kind == "tool_returned" {
			id, ok = text(e.detail, "call_id")
		}
		if !ok {
			continue
		}
		key := [2]string{e.kind, id}
		first := i
		if known, again := at[key]; again {
			first = known[0]
		}
		at[key] = [2]int{first, i}
	}
	return at
}

// before reports whether an event before the i-th brings the object.
func (p places) before(i int, kind, id string) bool {
	at, known := p[[2]string{kind, id}]
	return known && at[0] < i
}

// after reports whether event i or a later one has the object.
func (p places) after(i int, kind, id string) bool {
	at, known := p[[2]string{kind, id}]
	return known && at[1] >= i
}

func isTrace(members map[string]any) bool {
	_, record := members["record"]
	_, kind := members["kind"]
	_, session := members["event_type"]
	return record || kind && !session || FamilyOf(members) == "" && hasAny(members, headings...)
}
