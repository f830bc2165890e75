package rule

import "github.com/cupel-dev/cupel/finding"

// Classes of a trace with an error.
const (
	rejected = "rejected"
	invalid  = "invalid"
)

// table lists the rules in documentation order. Examples are files of package trace.
var table = finding.Table{
	// Line reader: required form of headers, events and objects.
	HeaderMissing: {
		ID: "header.missing", Title: "the first record is not the trace header", Severity: finding.Error, Class: rejected, Clause: "Versions",
		Rationale: "Without the header, the version of the events is unknown. The flat form can omit the header, but the header cannot follow an event.",
	},
	HeaderDuplicate: {
		ID: "header.duplicate", Title: "a second trace header", Severity: finding.Error, Class: rejected, Clause: "Versions",
		Rationale: "Two headers are two traces in one file; no reader can know which of them an event belongs to.",
	},
	HeaderVersionUnsupported: {
		ID: "header.version_unsupported", Title: "the trace schema version is not in the supported set", Severity: finding.Error, Class: rejected, Clause: "Rejection Rules: mismatched trace_schema_version",
		Rationale: "The version defines what the members mean. A trace of another version can look right and mean something else.", Flags: "--schema-versions",
	},
	HeaderVersionConflict: {
		ID: "header.version_conflict", Title: "two schema versions that differ", Severity: finding.Error, Class: rejected, Clause: "Versions",
		Rationale: "The version has two names on disk, and flat events may state it too. If they differ, the version is unknown.",
	},
	VersionAssumed: {
		ID: "version.assumed", Title: "a flat trace states no version", Severity: finding.Warning, Clause: "Versions",
		Rationale: "Version 1 is the only one there is, so it is assumed, and said. With --strict such a trace is rejected.", Flags: "--strict",
	},
	HeaderAlgoUnsupported: {
		ID: "header.algo_unsupported", Title: "the fingerprint algorithm is not sha256", Severity: finding.Error, Class: rejected, Clause: "Versions: fingerprint_algo",
		Rationale: "Hashes of another algorithm cannot be compared; absent means sha256.",
	},
	HeaderCanonUnsupported: {
		ID: "header.canon_unsupported", Title: "the canonicalization version is not 1", Severity: finding.Error, Class: rejected, Clause: "Versions: canonicalization_version",
		Rationale: "Ids are hashes of canonical text; another version writes other text; absent means 1.",
	},
	RecordUnknown: {
		ID: "record.unknown", Title: "a record that is neither header nor event", Severity: finding.Error, Class: rejected, Clause: "Non-Negotiable Invariants: kinds are closed",
		Rationale: "The set of records is closed. Lines of the flat and of the wrapped shape in one file are two writers' work.",
	},
	EventKindUnknown: {
		ID: "event.kind_unknown", Title: "an event kind outside the closed set", Severity: finding.Error, Class: rejected, Clause: "Rejection Rules: unknown event kinds",
		Rationale: "Unknown kinds break replay and every verifier's expectations. Kinds are spelled exactly.",
	},
	OutputKindUnknown: {
		ID: "output.kind_unknown", Title: "a step output outside the union", Severity: finding.Error, Class: rejected, Clause: "Required Fields: output",
		Rationale: "The output of a step is one of six; \"insufficient\" and \"insufficient_evidence\" are the same one.",
	},
	OutputKindConflict: {
		ID: "output.kind_conflict", Title: "an output with two discriminators that differ", Severity: finding.Error, Class: rejected, Clause: "Required Fields: output",
		Rationale: "\"type\" and \"kind\" both tell which output it is; when they differ, readers disagree.",
	},
	FieldMissing: {
		ID: "field.missing", Title: "a mandatory member is absent or null", Severity: finding.Error, Class: rejected, Clause: "Rejection Rules: missing required fields",
		Rationale: "The members that the format demands are what makes a record checkable. Old names of a member are not the member.", Flags: "--accept-aliases",
	},
	FieldEmpty: {
		ID: "field.empty", Title: "a mandatory string is empty", Severity: finding.Error, Class: rejected, Clause: "Required Fields",
		Rationale: "An empty id or path identifies nothing.",
	},
	FieldType: {
		ID: "field.type", Title: "a member has the wrong JSON type", Severity: finding.Error, Class: rejected, Clause: "Required Fields",
		Rationale: "Types are exact: \"2\", 2.0 and true are not integers. Integers consist of digits only and fit 64 bits.",
	},
	FieldUnknown: {
		ID: "field.unknown", Title: "the member is unknown to the format", Severity: finding.Info, Clause: "Backward Compatibility",
		Rationale: "The format can grow, so an unknown optional member is not a fault, but it can be a misspelled one. Each name is reported once.",
	},

	// The order of events, and the life of each step.
	OrderIdxNotIncreasing: {
		ID: "order.idx_not_increasing", Title: "idx does not increase", Severity: finding.Error, Class: invalid, Clause: "Ordering: strictly increasing idx",
		Rationale: "The order of events is their idx and their place in the file; the two must agree.",
	},
	OrderIdxNegative: {
		ID: "order.idx_negative", Title: "idx is negative", Severity: finding.Error, Class: invalid, Clause: "Ordering: strictly increasing idx",
		Rationale: "Events are numbered from 0 up.",
	},
	OrderIdxGap: {
		ID: "order.idx_gap", Title: "idx jumps", Severity: finding.Warning, Clause: "Ordering: strictly increasing idx",
		Rationale: "Any increase is valid order, but a removed event also leaves a gap. With --contiguous it is an error.", Flags: "--contiguous",
	},
	OrderDependency: {
		ID: "order.dependency", Title: "a step starts before a dependency has finished", Severity: finding.Error, Class: invalid, Clause: "Ordering: topological w.r.t. plan dependencies",
		Rationale: "A step that ran before its dependency cannot have used its result. Independent steps can overlap.",
	},
	OrderStepUnfinished: {
		ID: "order.step_unfinished", Title: "a step starts and never finishes", Severity: finding.Error, Class: invalid, Clause: "Ordering",
		Rationale: "A trace that stops early, or lost its end, has open steps.",
	},
	OrderFinishWithoutStart: {
		ID: "order.finish_without_start", Title: "a step finishes that is not running", Severity: finding.Error, Class: invalid, Clause: "Ordering",
		Rationale: "A step finishes once, after it started.",
	},
	OrderStepRestarted: {
		ID: "order.step_restarted", Title: "a step starts a second time", Severity: finding.Error, Class: invalid, Clause: "Ordering",
		Rationale: "A step runs once. With two runs, it is unclear which one produced the results.",
	},
	OrderEventOutsideStep: {
		ID: "order.event_outside_step", Title: "an event of a step that is not running", Severity: finding.Error, Class: invalid, Clause: "Ordering",
		Rationale: "A step owns the events between its start and its finish; an event elsewhere was moved or forged.",
	},

	// The plan.
	PlanAbsent: {
		ID: "plan.absent", Title: "the plan is missing", Severity: finding.Warning, Clause: "Ordering: topological w.r.t. plan dependencies",
		Rationale: "A trace does not contain its plan. Without plan.json next to it, or --plan, only idx defines the order.", Flags: "--plan",
	},
	PlanUnreadable: {
		ID: "plan.unreadable", Title: "the plan cannot be read", Severity: finding.Error, Class: invalid, Clause: "Ordering",
		Rationale: "A broken plan must not weaken the check.",
	},
	PlanDuplicateNode: {
		ID: "plan.duplicate_node", Title: "two nodes of the plan have one id", Severity: finding.Error, Class: invalid, Clause: "Ordering",
		Rationale: "A step id must lead to one node.",
	},
	PlanDepMissing: {
		ID: "plan.dep_missing", Title: "a dependency that is not in the plan", Severity: finding.Error, Class: invalid, Clause: "Ordering",
		Rationale: "A step that waits for a node which does not exist can never have been in order.",
	},
	PlanCycle: {
		ID: "plan.cycle", Title: "the plan's dependencies form a cycle", Severity: finding.Error, Class: invalid, Clause: "Ordering",
		Rationale: "A cycle has no topological order, so no trace can follow the plan.",
	},
	PlanIDMismatch: {
		ID: "plan.id_mismatch", Title: "the trace was made for another plan", Severity: finding.Error, Class: invalid, Clause: "Ordering",
		Rationale: "Order against the wrong plan proves nothing.", Flags: "--plan",
	},
	PlanSpecMismatch: {
		ID: "plan.spec_mismatch", Title: "the trace names another spec than its plan", Severity: finding.Warning, Clause: "Ordering: plan dependencies",
		Rationale: "The header's spec_id and the plan's say what problem was solved. Where both do, they should agree; the format does not demand it.",
	},
	PlanNodeNotExecuted: {
		ID: "plan.node_not_executed", Title: "a node of the plan never ran", Severity: finding.Error, Class: invalid, Clause: "Ordering",
		Rationale: "A trace whose plan asks for more is cut short.",
	},

	// References to steps, calls, evidence and claims.
	RefStepUnknown: {
		ID: "ref.step_unknown", Title: "the step is not in the plan", Severity: finding.Error, Class: invalid, Clause: "Ordering",
		Rationale: "A trace must not contain steps that its plan does not list.",
	},
	RefStepMismatch: {
		ID: "ref.step_mismatch", Title: "call and result, or call and event, name different steps", Severity: finding.Error, Class: invalid, Clause: "Required Fields: call.id and result.call_id must match",
		Rationale: "A call and its result belong to one step.",
	},
	RefCallUnknown: {
		ID: "ref.call_unknown", Title: "a call that was never made", Severity: finding.Error, Class: invalid, Clause: "Required Fields: call.id and result.call_id must match",
		Rationale: "A result, or a support, refers to a call by its id.",
	},
	RefCallDuplicate: {
		ID: "ref.call_duplicate", Title: "two calls have one id", Severity: finding.Error, Class: invalid, Clause: "Required Fields: call.id and result.call_id must match",
		Rationale: "An id must lead to one call.",
	},
	RefCallUnanswered: {
		ID: "ref.call_unanswered", Title: "a call has no result", Severity: finding.Error, Class: invalid, Clause: "Required Fields: call.id and result.call_id must match",
		Rationale: "Every call has exactly one result; a missing one was lost or removed.",
	},
	RefResultBeforeCall: {
		ID: "ref.result_before_call", Title: "the result comes before its call", Severity: finding.Error, Class: invalid, Clause: "Required Fields: call.id and result.call_id must match",
		Rationale: "A result cannot exist before its call.",
	},
	RefResultDuplicate: {
		ID: "ref.result_duplicate", Title: "the call has a second result", Severity: finding.Error, Class: invalid, Clause: "Required Fields: call.id and result.call_id must match",
		Rationale: "With two results, it is unclear which one was used.",
	},
	RefEvidenceUnknown: {
		ID: "ref.evidence_unknown", Title: "a claim cites evidence that is never registered", Severity: finding.Error, Class: invalid, Clause: "Required Fields: claim supports",
		Rationale: "A citation of nothing supports nothing.",
	},
	RefEvidenceLater: {
		ID: "ref.evidence_later", Title: "a claim cites evidence that is registered after it", Severity: finding.Error, Class: invalid, Clause: "Ordering",
		Rationale: "A claim can only rest on evidence that existed when it was made.",
	},
	RefEvidenceDuplicate: {
		ID: "ref.evidence_duplicate", Title: "two evidence registrations have one id", Severity: finding.Error, Class: invalid, Clause: "Required Fields: evidence",
		Rationale: "An id must lead to one file.",
	},
	RefClaimUnknown: {
		ID: "ref.claim_unknown", Title: "a claim cites a claim that is never made", Severity: finding.Error, Class: invalid, Clause: "Required Fields: claim supports",
		Rationale: "A citation of nothing supports nothing.",
	},
	RefClaimLater: {
		ID: "ref.claim_later", Title: "a claim cites a later claim", Severity: finding.Warning, Clause: "Ordering",
		Rationale: "The claim that is cited exists, but not yet.",
	},
	RefOutputUnknown: {
		ID: "ref.output_unknown", Title: "a step's output names evidence or a claim that is not there", Severity: finding.Warning, Clause: "Event Types: step_finished",
		Rationale: "No event before the step's end brings what its output lists: the event was removed, or the id is misspelled. The format does not tie outputs to events, so it is a warning.",
	},

	// Spans and hashes: form and bytes.
	SpanMalformed: {
		ID: "span.malformed", Title: "the span is not a byte range", Severity: finding.Error, Class: invalid, Clause: "Rejection Rules: span outside evidence bytes",
		Rationale: "A span is [start, end) with 0 <= start < end. Reversed, empty and negative spans cover nothing.",
	},
	SpanOutOfBytes: {
		ID: "span.out_of_bytes", Title: "a cited span reaches outside the evidence's bytes", Severity: finding.Error, Class: invalid, Clause: "Rejection Rules: span outside evidence bytes",
		Rationale: "Spans count bytes of the evidence file, and end before their second number. Character offsets are the usual mistake.",
	},
	SpanEvidenceMismatch: {
		ID: "span.evidence_mismatch", Title: "an evidence's own span does not fit its file", Severity: finding.Error, Class: invalid, Clause: "Rejection Rules: span outside evidence bytes",
		Rationale: "The file holds either just the chunk, then the span's length is the file's, or the whole document, then the span lies in it.",
	},
	HashFormat: {
		ID: "hash.format", Title: "a hash is not 64 lower-case hexadecimal digits", Severity: finding.Error, Class: invalid, Clause: "Versions: fingerprint_algo",
		Rationale: "Hashes are compared as text; another spelling never matches.",
	},
	HashAlgoUnsupported: {
		ID: "hash.algo_unsupported", Title: "a support's hash is not sha256", Severity: finding.Error, Class: invalid, Clause: "Versions: fingerprint_algo",
		Rationale: "The format has one algorithm; a weaker one proves less than it seems to.",
	},
	HashEvidence: {
		ID: "hash.evidence", Title: "an evidence file has another SHA-256", Severity: finding.Error, Class: invalid, Clause: "Rejection Rules: hash mismatch between cited span and evidence",
		Rationale: "The bytes on disk are not those that were registered. Line ends rewritten by an editor are the usual cause.",
	},
	HashChunk: {
		ID: "hash.chunk", Title: "chunk_id is not the SHA-256 of the chunk", Severity: finding.Warning, Clause: "Required Fields: evidence",
		Rationale: "The chunk is the evidence file, or its span where the file holds the whole document. The format demands an id of 64 digits without saying how it is made; that of other bytes names another chunk.",
	},
	HashSnippet: {
		ID: "hash.snippet", Title: "cited bytes have another SHA-256", Severity: finding.Error, Class: invalid, Clause: "Rejection Rules: hash mismatch between cited span and evidence",
		Rationale: "The claim rests on other bytes than the ones it names.",
	},

	// The files of the evidence.
	PathUnsafe: {
		ID: "path.unsafe", Title: "content_path could leave the folder", Severity: finding.Error, Class: invalid, Clause: "Required Fields: evidence",
		Rationale: "Absolute paths, \"..\", backslashes, drives and NUL have no place in a relative path. Such a path is never opened.", Flags: "--evidence-root",
	},
	PathSymlinkEscape: {
		ID: "path.symlink_escape", Title: "content_path leads out through a link", Severity: finding.Error, Class: invalid, Clause: "Required Fields: evidence",
		Rationale: "A link out of the folder lets a trace name any file of the machine. Links inside are followed.", Flags: "--evidence-root",
	},
	PathNotRegular: {
		ID: "path.not_regular", Title: "content_path is not a regular file", Severity: finding.Error, Class: invalid, Clause: "Required Fields: evidence",
		Rationale: "Directories, pipes and devices do not have stable bytes.", Flags: "--evidence-root",
	},
	PathMissingFile: {
		ID: "path.missing_file", Title: "the evidence file is missing", Severity: finding.Error, Class: invalid, Clause: "Valid trace: spans within evidence; hashes match",
		Rationale: "The bytes cannot agree with the trace if they are gone.", Flags: "--evidence-root --no-evidence",
	},
	EvidenceUnchecked: {
		ID: "evidence.unchecked", Title: "evidence bytes were not read", Severity: finding.Warning, Clause: "Valid trace: spans within evidence; hashes match",
		Rationale: "Standard input and --no-evidence provide no files: only the form of hashes and spans is checked.", Flags: "--no-evidence --evidence-root",
	},

	// Claims and how they cite.
	ClaimNoSupports: {
		ID: "claim.no_supports", Title: "the derived claim has no supports", Severity: finding.Error, Class: invalid, Clause: "Required Fields: claim supports",
		Rationale: "A derived claim must name what it was derived from. Assumed and observed claims need no support.",
	},
	ClaimUngrounded: {
		ID: "claim.ungrounded", Title: "a derived claim that rests on claims or calls alone", Severity: finding.Warning, Clause: "Required Fields: claim supports",
		Rationale: "Nothing it cites has bytes, so nothing about it can be checked.",
	},
	SupportKindUnknown: {
		ID: "support.kind_unknown", Title: "a support of an unknown kind", Severity: finding.Error, Class: invalid, Clause: "Required Fields: claim supports",
		Rationale: "A support cites a claim, evidence or a tool_call; absent means evidence.",
	},
	SupportHashNotCheckable: {
		ID: "support.hash_not_checkable", Title: "a support without bytes", Severity: finding.Info, Clause: "Required Fields: claim supports",
		Rationale: "Claims and calls have no bytes that the format defines, so the support's hash cannot be recomputed.",
	},
	SupportFoundByHash: {
		ID: "support.found_by_hash", Title: "a support that names no evidence fits one", Severity: finding.Info, Clause: "Required Fields: claim supports",
		Rationale: "A support may leave out which evidence it means; it holds when earlier evidence has these bytes. This says which.",
	},
	MarkerLegacy: {
		ID: "marker.legacy", Title: "a citation marker without span and hash", Severity: finding.Error, Class: invalid, Clause: "Misuse Examples: legacy markers",
		Rationale: "A bare marker in a derived claim cites a file, not bytes: it can never be wrong. Neither can one whose hash is not 64 lower-case hexadecimal digits.",
	},
	MarkerAbsent: {
		ID: "marker.absent", Title: "a derived claim's text does not mark what it cites", Severity: finding.Warning, Clause: "Misuse Examples: legacy markers",
		Rationale: "Without [evidence:ID:START-END:SHA256] in the text, readers cannot tell which words rest on which bytes.",
	},

	// The whole trace and its manifest.
	TraceNoEvents: {
		ID: "trace.no_events", Title: "the trace has no events", Severity: finding.Warning, Clause: "Event Types",
		Rationale: "A header alone proves nothing about a run. A record of another format whose first line has a schema_version begins as a header may, and then nothing of it is judged.",
	},
	IDTraceMismatch: {
		ID: "id.trace_mismatch", Title: "the trace's id does not fit its content", Severity: finding.Warning, Clause: "Versions: canonicalization_version",
		Rationale: "The id is the SHA-256 of the trace's canonical text. The format does not demand it, so a difference is a warning unless --check-ids asks.", Flags: "--check-ids",
	},
	ManifestMismatch: {
		ID: "manifest.mismatch", Title: "the manifest does not match the files", Severity: finding.Warning, Clause: "run directory",
		Rationale: "manifest.json lists digests of the run's files. It is not part of the format, so a mismatch is a warning without --manifest.", Flags: "--manifest",
	},
}
