package naive

import (
	"errors"
	"slices"
)

// Run is a reasoning trace and what lies beside it.
type Run struct {
	Trace    []byte
	Plan     []byte // nil when there is none
	Manifest []byte // nil when there is none, or when it is not to be compared

	// Open returns the content of a file below the run's folder, or the rule ("path.…") that
	// says why it has none. Names are clean. nil: no evidence is read.
	Open func(name string) (content []byte, rule string)

	Strict     bool
	Contiguous bool
	CheckIDs   bool
}

// ReasoningRules are the rules that Reasoning judges. "line" stands for every rule of
// reading a line.
var ReasoningRules = []string{
	Unreadable, "header.missing", "header.duplicate", "header.version_unsupported", "header.version_conflict", "header.algo_unsupported", "header.canon_unsupported",
	"version.assumed", "record.unknown", "event.kind_unknown", "output.kind_unknown", "output.kind_conflict", "field.missing", "field.empty", "field.type",
	"order.idx_not_increasing", "order.idx_negative", "order.idx_gap", "order.dependency", "order.step_unfinished", "order.finish_without_start",
	"order.step_restarted", "order.event_outside_step",
	"plan.absent", "plan.unreadable", "plan.duplicate_node", "plan.dep_missing", "plan.cycle", "plan.id_mismatch", "plan.node_not_executed",
	"ref.step_unknown", "ref.step_mismatch", "ref.call_unknown", "ref.call_unanswered", "ref.call_duplicate", "ref.result_before_call", "ref.result_duplicate",
	"ref.evidence_unknown", "ref.evidence_later", "ref.evidence_duplicate", "ref.claim_unknown", "ref.claim_later",
	"span.malformed", "span.out_of_bytes", "span.evidence_mismatch", "hash.format", "hash.algo_unsupported", "hash.evidence", "hash.snippet",
	"path.unsafe", "path.symlink_escape", "path.not_regular", "path.missing_file",
	"claim.no_supports", "claim.ungrounded", "marker.legacy", "marker.absent", "support.hash_not_checkable", "support.found_by_hash", "support.kind_unknown",
	"evidence.unchecked", "trace.no_events", "id.trace_mismatch", "manifest.mismatch",
}

// ErrNoTrace is the error for a log that is no reasoning trace.
var ErrNoTrace = errors.New("the first readable record is not of a reasoning trace")

// happening is one event that can be read.
type happening struct {
	line   int
	idx    int64
	kind   string
	step   string
	detail map[string]any
}

// heading is the header, as far as it matters.
type heading struct {
	line    int
	members map[string]any
}

// reasoning is one trace under check.
type reasoning struct {
	statements
	run     Run
	wrapped bool
	header  *heading
	any     bool   // a record was read
	version *int64 // nil as long as nothing states one
	texts   []any  // all events, for the id
	events  []happening
}

// Reasoning checks a run. Integrity of the answer is "rejected", "invalid" or "valid".
func Reasoning(run Run) (Answer, error) {
	records := readLines(run.Trace)
	first := slices.IndexFunc(records, func(r record) bool { return r.members != nil })
	if first < 0 || !isTrace(records[first].members) {
		return Answer{}, ErrNoTrace
	}
	c := &reasoning{run: run}
	_, c.wrapped = records[first].members["record"]
	for _, r := range records {
		c.read(r)
	}
	if !c.wrapped && c.version == nil {
		if run.Strict {
			c.reject("version.assumed", 1)
		} else {
			c.warn("version.assumed", 1)
		}
	}
	if len(c.structure) == 0 {
		c.order()
		c.plan()
		c.calls()
		c.evidence()
		c.identity()
		c.manifest()
	}
	answer := Answer{Family: "reasoning", Integrity: "valid", Statements: c.all()}
	switch {
	case len(c.structure) > 0:
		answer.Integrity = "rejected"
	case slices.ContainsFunc(answer.Statements, func(s Statement) bool { return s.Severity == "error" }):
		answer.Integrity = "invalid"
	}
	return answer, nil
}

func isTrace(members map[string]any) bool {
	_, record := members["record"]
	_, kind := members["kind"]
	_, session := members["event_type"]
	return record || kind && !session || FamilyOf(members) == "" && hasAny(members, headings...)
}
