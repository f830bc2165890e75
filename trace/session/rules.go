package session

import "github.com/cupel-dev/cupel/internal/finding"

const (
	classRejected = "rejected"
	classInvalid  = "invalid"

	clauseEnvelope = "event log envelope"
	clausePayload  = "SCHEMA v0.2"
)

// Rules returns the rules of session logs beside those that every family shares. The
// examples stand in a file of the package trace.
func Rules() []finding.Rule {
	rules := make([]finding.Rule, 0, 48)
	for _, group := range []struct {
		severity finding.Severity
		class    string
		clause   string
		rules    []finding.Rule
	}{
		{finding.Error, classRejected, clauseEnvelope, structureRules},
		{finding.Error, classInvalid, clauseEnvelope, chainRules},
		{finding.Error, classInvalid, clausePayload, payloadRules},
		{finding.Warning, "", clauseEnvelope, warningRules},
		{finding.Info, "", clauseEnvelope, noteRules},
	} {
		for _, r := range group.rules {
			r.Severity, r.Class = group.severity, group.class
			if r.Clause == "" {
				r.Clause = group.clause
			}
			rules = append(rules, r)
		}
	}
	return rules
}

var structureRules = []finding.Rule{
	{ID: codeTypeUnknown, Title: "an event type outside the closed set", Clause: clauseEnvelope + ", event types",
		Rationale: "A type that nobody knows has no payload rules: what it says cannot be checked, so the log is not what it claims to be. Each envelope has a set of its own."},
	{ID: codeVersionUnsupported, Title: "schema_ver is not supported", Clause: clauseEnvelope + ", schema_ver",
		Rationale: "The version fixes what the members mean. v0.2, v0.4, v0.5 and v0.6 share one envelope; any other may mean something else by the same names."},
}

var chainRules = []finding.Rule{
	{ID: codeSequenceGap, Title: "a sequence number is above the expected one",
		Rationale: "Numbers run without gaps in file order. A jump says that events were removed, or stand elsewhere in the file."},
	{ID: codeSequenceRepeat, Title: "a sequence number is below the expected one",
		Rationale: "A number that comes again, or too late, says that a line was repeated, inserted or moved. File order is the evidence; nothing is sorted."},
	{ID: codeChainGenesis, Title: "the first event does not begin the chain",
		Rationale: "The first link is null in the 14-field envelope and 64 zeros in 1.0. Anything else means that events before it are gone."},
	{ID: codeChainBroken, Title: "an event does not link to the one before it",
		Rationale: "Each event names the hash of the event before. A break says that the event before was changed, removed or replaced."},
	{ID: codeHashPayload, Title: "payload_hash does not match the payload", Flags: "--canonicalization",
		Rationale: "The payload is not the one that was hashed. RFC 8785 is tried first, then each canonicalization that real logs were hashed under; none of them explains the hash."},
	{ID: codeHashEvent, Title: "event_hash does not match the event", Flags: "--canonicalization",
		Rationale: "A member that the hash covers was changed after it was written. It covers seven members of the 14-field envelope, and all but itself and a signature in 1.0."},
	{ID: codeSessionMismatch, Title: "an event of another session",
		Rationale: "One file is one session. Events of another one have been mixed in, or two logs were joined. One finding stands for a run of such events."},
	{ID: codeAuthorityMixed, Title: "the chain authority changes within the log",
		Rationale: "Who vouches for a chain is one party from beginning to end. Since no hash covers chain_authority, a change is a sign of editing."},
	{ID: codeSealNotLast, Title: "an event after the CHAIN_SEAL",
		Rationale: "A seal closes the log. What follows it is not sealed, whoever wrote it."},
	{ID: codeSealFinalHash, Title: "the seal's final hash is not the hash before the seal",
		Rationale: "The seal says which event it closes the log with. Another event stands there now."},
	{ID: codeSealMetadata, Title: "a server's seal lacks what v0.6 demands",
		Rationale: "From v0.6 on a seal by a server names the service, the time and the digest of the session. Older logs are not judged by that: they are partial evidence."},
	{ID: codeSealDigest, Title: "the seal's session_digest fits no construction",
		Rationale: "Producers use the hash before the seal, its first 16 digits, or a digest over the session id and all hashes. A full hash that is none of them belongs to another log."},
	{ID: codeSealAuthority, Title: "a 1.0 seal by someone other than the server",
		Rationale: "In 1.0 only the server may write CHAIN_SEAL. A seal that names another authority proves nothing."},
	{ID: codeSealHMAC, Title: "the seal's HMAC does not fit the key", Flags: "--hmac-key-file",
		Rationale: "The HMAC over the hash before the seal shows that the holder of the key sealed this very log. With a key given, a wrong or absent value is a failure."},
	{ID: codeSessionStart, Title: "SESSION_START is not first, or comes twice", Clause: "event log 1.0, completeness",
		Rationale: "A 1.0 log opens with SESSION_START and has one. Another beginning means that the true one is missing."},
	{ID: codeUnfinished, Title: "the log has neither SESSION_END nor CHAIN_SEAL", Clause: "event log 1.0, completeness",
		Rationale: "A 1.0 log that just stops may have been cut anywhere."},
	{ID: codeSignature, Title: "an event's Ed25519 signature is wrong", Clause: "event log 1.0, signatures",
		Rationale: "The signature is over the hexadecimal digits of event_hash, with the key that SESSION_START brings. The event was not signed by the holder of that key."},
	{ID: codeMerkleRoot, Title: "merkle_root does not fit the events", Clause: "event log 1.0, signatures; RFC 6962 §2.1",
		Rationale: "SESSION_END carries the root over the hashes of all events before it, and their number. They are not the same events any more."},
	{ID: codeAnchorCount, Title: "the log has another number of events than expected", Clause: "--expect-count, --anchor", Flags: "--expect-count --anchor",
		Rationale: "A log whose last events are gone is a valid shorter log. Only a count that was kept elsewhere shows the cut."},
	{ID: codeAnchorHead, Title: "the last event is not the expected one", Clause: "--expect-head, --anchor", Flags: "--expect-head --anchor",
		Rationale: "The hash of the last event stands for the whole chain. Another one is another log, however well its own hashes hold."},
}

var payloadRules = []finding.Rule{
	{ID: codePayloadMissing, Title: "a required payload member is missing or null",
		Rationale: "The payload table of the event type demands the member. All payloads must validate, so the log is invalid although its chain holds.", Flags: "--integrity-only"},
	{ID: codePayloadType, Title: "a payload member of the wrong JSON type", Flags: "--integrity-only",
		Rationale: "A reader that expects a string, a number or an object cannot use anything else. Integers may be spelled 5 or 5.0, but not 5.5."},
	{ID: codePayloadEnum, Title: "a payload member outside its list of values", Flags: "--integrity-only",
		Rationale: "The list is closed; only the provider is any name that is not empty."},
	{ID: codePayloadRange, Title: "an integer outside its range", Flags: "--integrity-only",
		Rationale: "Durations are unsigned integers of 64 bits, other integers are signed ones. A reader would wrap or refuse the value."},
	{ID: codePayloadUUID, Title: "a payload member that is no UUID", Flags: "--integrity-only",
		Rationale: "Ids of decisions and of target events are UUIDs: 8-4-4-4-12 hexadecimal digits, of any version and case, without braces."},
	{ID: codePayloadHashFormat, Title: "a payload member that is no SHA-256", Flags: "--integrity-only",
		Rationale: "A hash is 64 lower-case hexadecimal digits, with \"sha256:\" before them or not. Anything else cannot be compared later."},
	{ID: codeRedactionMissing, Title: "a redacted value without its hash", Flags: "--integrity-only",
		Rationale: "What is redacted must leave its hash, or nobody can ever show what stood there. Inside args and result each marked member needs its own, or the whole has one."},
	{ID: codeToolUnmatched, Title: "a result's tool_id names no earlier call", Flags: "--integrity-only",
		Rationale: "A result belongs to a call. One that answers nothing was invented, or its call is missing."},
	{ID: codeToolName, Title: "a result names another tool than its call", Flags: "--integrity-only",
		Rationale: "The id ties the result to a call of another tool: one of the two is not what happened."},
}

var warningRules = []finding.Rule{
	{ID: codeChainAbsent, Title: "the log carries no hashes",
		Rationale: "Payloads alone can be checked, but nothing protects their order, their completeness or their content."},
	{ID: codeSignatureNoCheck, Title: "events are signed, but the log brings no key", Clause: "event log 1.0, signatures",
		Rationale: "Without the key in SESSION_START the signatures prove nothing to this reader."},
}

var noteRules = []finding.Rule{
	{ID: codeVersionAbsent, Title: "the events state no schema_ver",
		Rationale: "The member was optional at first and no hash covers it; the rules of the 14-field envelope apply."},
	{ID: codeVersionMixed, Title: "schema_ver changes within the log",
		Rationale: "A writer was updated while it wrote, or events of another log were mixed in."},
	{ID: codeLogDrop, Title: "the writer says that events were dropped",
		Rationale: "A LOG_DROP has its own place in the chain and does not break it, but the evidence is partial."},
	{ID: codeLogDropCount, Title: "a LOG_DROP does not say how many events were dropped",
		Rationale: "The count is a number of 0 or more in dropped_events, dropped_count, count or lost_count."},
	{ID: codeSealDigestOther, Title: "the seal's session_digest is of no known construction",
		Rationale: "A text that is no hash cannot be compared; it neither helps nor harms."},
	{ID: codePayloadUnknown, Title: "a payload member outside the table", Clause: clausePayload, Flags: "--strict-payload",
		Rationale: "Real producers add members. One note stands for all events; with --strict-payload each is an error."},
	{ID: codePayloadNullOptional, Title: "an optional payload member is null", Clause: clausePayload,
		Rationale: "Some producers write null for what they do not have. It counts as absent; one note stands for all events."},
	{ID: codeRedactionDiffers, Title: "a hash beside a value is not the value's", Clause: clausePayload,
		Rationale: "The value is there and its hash fits neither its text nor its JSON. It may be salted, or of another value."},
	{ID: codeToolUnanswered, Title: "tool calls without a result", Clause: clausePayload,
		Rationale: "A call that was never answered is allowed, but often the sign of a crash."},
}
