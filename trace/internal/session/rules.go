package session

import (
	"slices"

	"github.com/cupel-dev/cupel/finding"
	"github.com/cupel-dev/cupel/internal/cite"
)

// rule is an index into the rules table.
type rule uint8

// The rules, in the order of the documentation.
const (
	// Rejected: the log is not in the format.
	ruleTypeUnknown rule = iota
	ruleVersionUnsupported

	// Invalid: integrity is lost.
	ruleSequenceGap
	ruleSequenceRepeat
	ruleChainGenesis
	ruleChainBroken
	ruleHashPayload
	ruleHashEvent
	ruleSessionMismatch
	ruleAuthorityMixed
	ruleSealNotLast
	ruleSealFinalHash
	ruleSealMetadata
	ruleSealDigest
	ruleSealAuthority
	ruleSealHMAC
	ruleSessionStart
	ruleUnfinished
	ruleSignature
	ruleSignatureMissing
	ruleSignatureUntrusted
	ruleMerkleRoot
	ruleAnchorCount
	ruleAnchorHead

	// Invalid, but integrity is not affected.
	rulePayloadMissing
	rulePayloadType
	rulePayloadEnum
	rulePayloadRange
	rulePayloadUUID
	rulePayloadHashFormat
	ruleRedactionMissing
	ruleSourceMissing
	ruleSourceDigest
	ruleSourceRange
	ruleSourceBytes
	ruleSourceValue
	ruleSourceUncited
	ruleToolUnmatched
	ruleToolName

	// Warnings.
	ruleChainAbsent
	ruleSignatureNoCheck
	ruleEventIDDuplicate
	ruleTimestampFormat
	ruleTimestampBackwards

	// Notes.
	ruleEventIDFormat
	ruleVersionAbsent
	ruleVersionMixed
	ruleLogDrop
	ruleLogDropCount
	ruleSealDigestOther
	rulePayloadUnknown
	rulePayloadNullOptional
	ruleRedactionDiffers
	ruleToolUnanswered

	// Shared with other families, which document them.
	ruleEnvelopeUnknown
	ruleFieldMissing
	ruleFieldType
	ruleFieldUnknown

	ownRules = ruleEnvelopeUnknown
)

const (
	classRejected = "rejected"
	classInvalid  = "invalid"

	clauseEnvelope = "event log envelope"
	clausePayload  = "SCHEMA v0.2"
)

// Rules returns the rules for session logs. Their examples are in package trace.
func Rules() []finding.Rule { return slices.Clone(rules[:ownRules]) }

// rules are grouped by subject.
var rules = finding.Table{
	// The envelope of one event.

	ruleTypeUnknown: {
		ID: "event.type_unknown", Title: "the event type is unknown", Severity: finding.Error, Class: classRejected,
		Clause:    clauseEnvelope + ", event types",
		Rationale: "An unknown type has no payload rules, so its content cannot be checked. Each envelope has its own set of types.",
	},
	ruleVersionUnsupported: {
		ID: "version.unsupported", Title: "schema_ver is not supported", Severity: finding.Error, Class: classRejected,
		Clause:    clauseEnvelope + ", schema_ver",
		Rationale: "The version defines what the members mean. v0.2, v0.4, v0.5 and v0.6 share one envelope; another version can use the same names differently.",
	},
	ruleEventIDDuplicate: {
		ID: "event.id_duplicate", Title: "two events have one id", Severity: finding.Warning,
		Clause: clauseEnvelope + ", event_id", Flags: "--max-ids",
		Rationale: "An id must lead to one event: an annotation that names it would not say which of the two it means. The line was repeated, or its writer counts wrongly.",
	},
	ruleEventIDFormat: {
		ID: "event.id_format", Title: "the event id is not a UUID", Severity: finding.Info,
		Clause:    clauseEnvelope + ", event_id",
		Rationale: "Events of the 14-field envelope have UUIDs of any version. A writer's own id can repeat in another log. One note covers all events.",
	},
	ruleTimestampFormat: {
		ID: "timestamp.format", Title: "a time that cannot be read", Severity: finding.Warning,
		Clause:    clauseEnvelope + ", timestamps",
		Rationale: "Times of day are written as 2026-03-01T12:00:00Z (RFC 3339, with a zone), monotonic ones as unsigned integers. What happened when cannot be told from anything else. One finding stands for all events.",
	},
	ruleTimestampBackwards: {
		ID: "timestamp.backwards", Title: "a clock runs backwards", Severity: finding.Warning,
		Clause:    clauseEnvelope + ", timestamps",
		Rationale: "The event claims to be earlier than a previous one. A clock was set, two writers share the log, or a time is invented. Numbers and links define the order, not times.",
	},
	ruleLogDrop: {
		ID: "log_drop", Title: "the writer says that events were dropped", Severity: finding.Info,
		Clause:    clauseEnvelope,
		Rationale: "A LOG_DROP has its own place in the chain and does not break it, but the evidence is partial.",
	},
	ruleLogDropCount: {
		ID: "log_drop.count_invalid", Title: "a LOG_DROP does not say how many events were dropped", Severity: finding.Info,
		Clause:    clauseEnvelope,
		Rationale: "The count is a number of 0 or more in dropped_events, dropped_count, count or lost_count.",
	},

	// The hashes of one event.

	ruleHashPayload: {
		ID: "hash.payload", Title: "payload_hash does not match the payload", Severity: finding.Error, Class: classInvalid,
		Clause: clauseEnvelope, Flags: "--canonicalization",
		Rationale: "The payload is not the one that was hashed. RFC 8785 is tried first, then each canonicalization that real logs were hashed under; none of them explains the hash.",
	},
	ruleHashEvent: {
		ID: "hash.event", Title: "event_hash does not match the event", Severity: finding.Error, Class: classInvalid,
		Clause: clauseEnvelope, Flags: "--canonicalization",
		Rationale: "A member that the hash covers was changed after it was written. It covers seven members of the 14-field envelope, and all but itself and a signature in 1.0.",
	},

	// The payload of one event.

	rulePayloadMissing: {
		ID: "payload.missing", Title: "a required payload member is missing or null", Severity: finding.Error, Class: classInvalid,
		Clause: clausePayload, Flags: "--integrity-only",
		Rationale: "The payload table of the event type demands the member. All payloads must validate, so the log is invalid although its chain holds.",
	},
	rulePayloadType: {
		ID: "payload.type", Title: "the payload member has the wrong JSON type", Severity: finding.Error, Class: classInvalid,
		Clause: clausePayload, Flags: "--integrity-only",
		Rationale: "A reader that expects a string, a number or an object cannot use another type. Integers can be written 5 or 5.0, but not 5.5.",
	},
	rulePayloadEnum: {
		ID: "payload.enum", Title: "a payload member outside its list of values", Severity: finding.Error, Class: classInvalid,
		Clause: clausePayload, Flags: "--integrity-only",
		Rationale: "The list is closed; only the provider is any name that is not empty.",
	},
	rulePayloadRange: {
		ID: "payload.range", Title: "an integer outside its range", Severity: finding.Error, Class: classInvalid,
		Clause: clausePayload, Flags: "--integrity-only",
		Rationale: "Durations are unsigned integers of 64 bits, other integers are signed ones. A reader would wrap or refuse the value.",
	},
	rulePayloadUUID: {
		ID: "payload.uuid", Title: "the payload member is not a UUID", Severity: finding.Error, Class: classInvalid,
		Clause: clausePayload, Flags: "--integrity-only",
		Rationale: "Ids of decisions and of target events are UUIDs: 8-4-4-4-12 hexadecimal digits, of any version and case, without braces.",
	},
	rulePayloadHashFormat: {
		ID: "payload.hash_format", Title: "the payload member is not a SHA-256", Severity: finding.Error, Class: classInvalid,
		Clause: clausePayload, Flags: "--integrity-only",
		Rationale: "A hash is 64 lower-case hexadecimal digits, with or without the prefix \"sha256:\". Other values cannot be compared.",
	},
	rulePayloadUnknown: {
		ID: "payload.unknown", Title: "a payload member outside the table", Severity: finding.Info,
		Clause: clausePayload, Flags: "--strict-payload",
		Rationale: "Real producers add members. One note stands for all events; with --strict-payload each is an error.",
	},
	rulePayloadNullOptional: {
		ID: "payload.null_optional", Title: "an optional payload member is null", Severity: finding.Info,
		Clause:    clausePayload,
		Rationale: "Some producers write null for missing values. It counts as absent; one note covers all events.",
	},
	ruleRedactionMissing: {
		ID: "redaction.hash_missing", Title: "the redacted value has no hash", Severity: finding.Error, Class: classInvalid,
		Clause: clausePayload, Flags: "--integrity-only",
		Rationale: "A redacted value must leave its hash, otherwise nobody can prove the original value. Inside args and result, each marked member needs a hash, or the whole has one.",
	},
	ruleRedactionDiffers: {
		ID: "redaction.hash_differs", Title: "the hash next to a value does not match the value", Severity: finding.Info,
		Clause:    clausePayload,
		Rationale: "The hash matches neither the value's text nor its JSON. It can be salted, or be the hash of another value.",
	},

	// One session, one authority, one version.

	ruleSessionMismatch: {
		ID: "session.mismatch", Title: "an event of another session", Severity: finding.Error, Class: classInvalid,
		Clause:    clauseEnvelope,
		Rationale: "One file is one session. Events of another one have been mixed in, or two logs were joined. One finding stands for a run of such events.",
	},
	ruleAuthorityMixed: {
		ID: "authority.mixed", Title: "the chain authority changes within the log", Severity: finding.Error, Class: classInvalid,
		Clause:    clauseEnvelope,
		Rationale: "Who vouches for a chain is one party from beginning to end. Since no hash covers chain_authority, a change is a sign of editing.",
	},
	ruleVersionAbsent: {
		ID: "version.absent", Title: "the events state no schema_ver", Severity: finding.Info,
		Clause:    clauseEnvelope,
		Rationale: "The member was optional at first and no hash covers it; the rules of the 14-field envelope apply.",
	},
	ruleVersionMixed: {
		ID: "version.mixed", Title: "schema_ver changes within the log", Severity: finding.Info,
		Clause:    clauseEnvelope,
		Rationale: "A writer was updated while it wrote, or events of another log were mixed in.",
	},

	// Order and links.

	ruleSequenceGap: {
		ID: "sequence.gap", Title: "a sequence number is above the expected one", Severity: finding.Error, Class: classInvalid,
		Clause:    clauseEnvelope,
		Rationale: "Numbers have no gaps, in file order. A gap means that events were removed or moved.",
	},
	ruleSequenceRepeat: {
		ID: "sequence.repeat", Title: "a sequence number is below the expected one", Severity: finding.Error, Class: classInvalid,
		Clause:    clauseEnvelope,
		Rationale: "A number that comes again, or too late, says that a line was repeated, inserted or moved. File order is the evidence; nothing is sorted.",
	},
	ruleChainGenesis: {
		ID: "chain.genesis", Title: "the first event does not begin the chain", Severity: finding.Error, Class: classInvalid,
		Clause:    clauseEnvelope,
		Rationale: "The first link is null in the 14-field envelope and 64 zeros in 1.0. Anything else means that events before it are gone.",
	},
	ruleChainBroken: {
		ID: "chain.broken", Title: "an event does not link to the one before it", Severity: finding.Error, Class: classInvalid,
		Clause:    clauseEnvelope,
		Rationale: "Each event names the hash of the event before. A break says that the event before was changed, removed or replaced.",
	},
	ruleChainAbsent: {
		ID: "chain.absent", Title: "the log carries no hashes", Severity: finding.Warning,
		Clause:    clauseEnvelope,
		Rationale: "Payloads alone can be checked, but nothing protects their order, their completeness or their content.",
	},

	// Beginning and end.

	ruleSessionStart: {
		ID: "session.start", Title: "SESSION_START is not first, or comes twice", Severity: finding.Error, Class: classInvalid,
		Clause:    "event log 1.0, completeness",
		Rationale: "A 1.0 log opens with SESSION_START and has one. Another beginning means that the true one is missing.",
	},
	ruleUnfinished: {
		ID: "session.unfinished", Title: "the log has neither SESSION_END nor CHAIN_SEAL", Severity: finding.Error, Class: classInvalid,
		Clause:    "event log 1.0, completeness",
		Rationale: "A 1.0 log that just stops may have been cut anywhere.",
	},

	// The seal.

	ruleSealNotLast: {
		ID: "seal.not_last", Title: "an event after the CHAIN_SEAL", Severity: finding.Error, Class: classInvalid,
		Clause:    clauseEnvelope,
		Rationale: "A seal closes the log. What follows it is not sealed, whoever wrote it.",
	},
	ruleSealFinalHash: {
		ID: "seal.final_hash", Title: "the seal's final hash is not the hash before the seal", Severity: finding.Error, Class: classInvalid,
		Clause:    clauseEnvelope,
		Rationale: "The seal names the last event of the log. Another event is in its place.",
	},
	ruleSealMetadata: {
		ID: "seal.metadata_missing", Title: "a server's seal lacks what v0.6 demands", Severity: finding.Error, Class: classInvalid,
		Clause:    clauseEnvelope,
		Rationale: "From v0.6 on a seal by a server names the service, the time and the digest of the session. Older logs are not judged by that: they are partial evidence.",
	},
	ruleSealDigest: {
		ID: "seal.digest", Title: "the seal's session_digest fits no construction", Severity: finding.Error, Class: classInvalid,
		Clause:    clauseEnvelope,
		Rationale: "Producers use the hash before the seal, its first 16 digits, or a digest over the session id and all hashes. A full hash that is none of them belongs to another log.",
	},
	ruleSealDigestOther: {
		ID: "seal.digest_unrecognised", Title: "the construction of the seal's session_digest is unknown", Severity: finding.Info,
		Clause:    clauseEnvelope,
		Rationale: "A text that is not a hash cannot be compared; it has no effect on the verdict.",
	},
	ruleSealAuthority: {
		ID: "seal.authority", Title: "a 1.0 seal by someone other than the server", Severity: finding.Error, Class: classInvalid,
		Clause:    clauseEnvelope,
		Rationale: "In 1.0 only the server may write CHAIN_SEAL. A seal that names another authority proves nothing.",
	},
	ruleSealHMAC: {
		ID: "seal.hmac", Title: "the seal's HMAC does not match the key", Severity: finding.Error, Class: classInvalid,
		Clause: clauseEnvelope, Flags: "--hmac-key-file",
		Rationale: "The HMAC over the hash before the seal shows that the holder of the key sealed this very log. With a key given, a wrong or absent value is a failure.",
	},

	// Signatures and roots.

	ruleSignature: {
		ID: "signature.invalid", Title: "an event's Ed25519 signature is wrong", Severity: finding.Error, Class: classInvalid,
		Clause:    "event log 1.0, signatures",
		Rationale: "The signature is over the hexadecimal digits of event_hash, with the key that SESSION_START brings. The event was not signed by the holder of that key.",
	},
	ruleSignatureMissing: {
		ID: "signature.missing", Title: "an event of a signed log has no signature", Severity: finding.Error, Class: classInvalid,
		Clause: "event log 1.0, signatures", Flags: "--key",
		Rationale: "If SESSION_START announces a key, or --key requires one, each event needs a signature. The server's events (CHAIN_SEAL, CHAIN_BROKEN, REDACTION, FORENSIC_FREEZE) have none, because the server does not have the key. Without this rule, anyone could edit an event, recompute the hashes and drop the signatures.",
	},
	ruleSignatureUntrusted: {
		ID: "signature.untrusted_key", Title: "the log announces a key that is not trusted", Severity: finding.Error, Class: classInvalid,
		Clause: "event log 1.0, signatures", Flags: "--key",
		Rationale: "--key does not name this key. Anyone can sign a log again with their own key and announce it in SESSION_START; only a key from another source proves who signed.",
	},
	ruleSignatureNoCheck: {
		ID: "signature.unchecked", Title: "events are signed, but the log announces no key", Severity: finding.Error, Class: classInvalid,
		Clause: "event log 1.0, signatures", Flags: "--key",
		Rationale: "Without the key in SESSION_START, or one given with --key, no signature can be checked. Anyone can drop the key, edit the log and leave the signatures as they are. One finding stands for all events.",
	},
	ruleMerkleRoot: {
		ID: "merkle.root", Title: "merkle_root does not fit the events", Severity: finding.Error, Class: classInvalid,
		Clause:    "event log 1.0, signatures; RFC 6962 §2.1",
		Rationale: "SESSION_END carries the root over the hashes of all events before it, and their number. They are not the same events any more.",
	},

	// Calls and results.

	ruleToolUnmatched: {
		ID: "tool.id_unmatched", Title: "a result's tool_id names no earlier call", Severity: finding.Error, Class: classInvalid,
		Clause: clausePayload, Flags: "--integrity-only",
		Rationale: "A result belongs to a call. One that answers nothing was invented, or its call is missing.",
	},
	ruleToolName: {
		ID: "tool.name_mismatch", Title: "a result names another tool than its call", Severity: finding.Error, Class: classInvalid,
		Clause: clausePayload, Flags: "--integrity-only",
		Rationale: "The id ties the result to a call of another tool: one of the two is not what happened.",
	},
	ruleToolUnanswered: {
		ID: "tool.unanswered", Title: "tool calls without a result", Severity: finding.Info,
		Clause:    clausePayload,
		Rationale: "A call that was never answered is allowed, but often the sign of a crash.",
	},

	// The sources of a log that was made with `cupel record --from`.

	ruleSourceMissing: cite.Rules[cite.Missing],
	ruleSourceDigest:  cite.Rules[cite.Digest],
	ruleSourceRange:   cite.Rules[cite.Range],
	ruleSourceBytes:   cite.Rules[cite.Bytes],
	ruleSourceValue:   cite.Rules[cite.Value],
	ruleSourceUncited: cite.Rules[cite.Uncited],

	// External knowledge about the log.

	ruleAnchorCount: {
		ID: "anchor.count", Title: "the log has another number of events than expected", Severity: finding.Error, Class: classInvalid,
		Clause: "--expect-count, --anchor", Flags: "--expect-count --anchor",
		Rationale: "A log whose last events are gone is a valid shorter log. Only a count that was kept elsewhere shows the cut.",
	},
	ruleAnchorHead: {
		ID: "anchor.head", Title: "the last event is not the expected one", Severity: finding.Error, Class: classInvalid,
		Clause: "--expect-head, --anchor", Flags: "--expect-head --anchor",
		Rationale: "The hash of the last event stands for the whole chain. Another one is another log, however well its own hashes hold.",
	},

	// Shared with other families.

	ruleEnvelopeUnknown: {ID: "envelope.unknown", Severity: finding.Error, Class: classRejected},
	ruleFieldMissing:    {ID: "field.missing", Severity: finding.Error, Class: classRejected},
	ruleFieldType:       {ID: "field.type", Severity: finding.Error, Class: classRejected},
	ruleFieldUnknown:    {ID: "field.unknown", Severity: finding.Info},
}
