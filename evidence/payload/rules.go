package payload

import (
	_ "embed"
	"strings"
	"sync"

	"github.com/cupel-dev/cupel/finding"
)

// Rules returns the rules by id. An example is an event or a stream; a first line "# with FLAGS" lists flags.
func Rules() []finding.Rule {
	list := make([]finding.Rule, len(rules))
	for i, r := range rules {
		r.Bad, r.Good = example(r.ID+" bad"), example(r.ID+" good")
		list[i] = r
	}
	return list
}

// examples contains the examples of rules: "=== RULE bad" or "=== RULE good", then the lines.
//
//go:embed examples.txt
var examples string

// exampleOf maps names to examples, split once because every run needs them all.
var exampleOf = sync.OnceValue(func() map[string]string {
	all := map[string]string{}
	for _, part := range strings.Split("\n"+examples, "\n=== ")[1:] {
		name, lines, _ := strings.Cut(part, "\n")
		all[name] = strings.TrimSuffix(lines, "\n")
	}
	return all
})

func example(name string) string {
	lines, found := exampleOf()[name]
	if !found {
		panic("payload.Rules: no example " + name)
	}
	return lines
}

// rule is an index into the rule table.
type rule uint8

const (
	// The envelope.
	attributeMissing rule = iota
	attributeType
	attributeAssumed
	versionOther
	attributeText
	identity
	sourceNotURI
	sourceScheme
	dataSchema
	dataTwice
	contentType
	timeNotUTC
	leapSecond
	timeRegression
	sequenceRange
	sequenceWide
	traceParentAbsent
	traceParent
	traceState
	subjectEmpty
	typeBlank
	typeNotASCII
	typeAlone
	extensionName
	extensionLong
	extensionValue
	digestPair

	// The data of one type.
	typeUnknown
	typeVersion
	dataType
	dataAdditive
	startedMissing
	startedType
	finishedMissing
	finishedType
	decisionMissing
	decisionType
	decisionValue
	decisionIsError
	sandboxMissing
	sandboxType
	sandboxValue
	fileMissing
	fileType
	filterMissing
	filterType
	dataUnlike
	mandateID

	// Members that belong together.
	digestText
	policyIncomplete
	policyConstant
	policyAlone
	policyDiffers
	policyAbsent
	toolIncomplete
	toolConstant
	toolAlone
	depthAlone
	delegationDepth
	delegatedBlank

	// The run.
	startAbsent
	startRepeated
	startNotFirst
	endAbsent
	endRepeated
	endNotLast
	countDiffers
	countersDiffer
	noProfile
)

const (
	clauseEnvelope = "ADR-006 §1"
	clauseCloud    = "CloudEvents 1.0.2 §3.1"
	clauseTrace    = "W3C Trace Context level 1 §3"
	clauseTypes    = "ADR-006, consequences"
	clauseProfile  = "ADR-006 §3.A"
	clauseDecision = "ADR-006 §3.B"
	clauseSandbox  = "ADR-006 §3.C"
	clauseFile     = "ADR-006 §3.D"
	clauseFilter   = "ADR-006 §3.E"
)

// rules is the table. The tens of an id are its subject.
var rules = finding.Table{
	attributeMissing: {
		ID: "EV-101", Title: "an attribute that ADR-006 lists is missing", Severity: finding.Error, Clause: clauseEnvelope,
		Rationale: "Without its id, time, run or recorded hash, an event cannot be placed or checked. Null counts as absent; subject and tracestate are optional, and traceparent has its own rule.",
	},
	attributeType: {
		ID: "EV-102", Title: "an attribute has the wrong type", Severity: finding.Error, Clause: clauseEnvelope,
		Rationale: "Attributes are strings, but for assayseq, which is an integer, and the flags assaypii and assaysecrets, which are true or false. Readers with typed events refuse others.",
	},
	attributeAssumed: {
		ID: "EV-103", Title: "attributes beyond ADR-006 are missing and assumed", Severity: finding.Info, Clause: clauseEnvelope,
		Rationale: "ADR-006 does not list datacontenttype, assaygit, assaypii and assaysecrets, but other readers of the contract require them. The defaults are application/json, unknown, false and false. Verification reports a missing datacontenttype itself.",
	},
	versionOther: {
		ID: "EV-105", Title: "specversion is not 1.0", Severity: finding.Error, Clause: clauseEnvelope,
		Rationale: "ADR-006 fixes it. Another version may give the attributes another meaning.",
	},
	attributeText: {
		ID: "EV-106", Title: "an attribute has characters that CloudEvents excludes", Severity: finding.Warning, Clause: "CloudEvents 1.0.2 §3, type system",
		Rationale: "A string of CloudEvents has no control characters (U+0000 to U+001F, U+007F to U+009F) and no code points that are never characters. Receivers cut the text there, or refuse the event.",
	},
	identity: {
		ID: "EV-107", Title: "id, run id and sequence number do not belong together", Severity: finding.Error, Clause: clauseEnvelope,
		Rationale: "An id is the run's id, which is not empty and has no colon, a colon, and the number in digits without leading zeros.",
	},
	sourceNotURI: {
		ID: "EV-111", Title: "source is not a URI", Severity: finding.Error, Clause: clauseEnvelope,
		Rationale: "source names the runner's instance by a URI: a scheme, a colon and the rest.",
	},
	sourceScheme: {
		ID: "EV-112", Title: "source is not an absolute URI with urn: or https:", Severity: finding.Warning, Clause: clauseEnvelope + "; RFC 3986 §4.3",
		Rationale: "Globally unique names are URNs or belong to a host name. A path, a custom scheme or invalid URI characters can make two runners look alike, or one look like none.",
	},
	dataSchema: {
		ID: "EV-121", Title: "dataschema is not an absolute URI", Severity: finding.Warning, Clause: clauseCloud + ", dataschema; RFC 3986 §4.3",
		Rationale: "The schema of the data is named by an absolute URI without a fragment. A name that every receiver resolves in its own way names nothing.",
	},
	dataTwice: {
		ID: "EV-122", Title: "data and data_base64 are both present", Severity: finding.Warning, Clause: "CloudEvents 1.0.2, JSON format §3.1.1",
		Rationale: "An event has its data in one of the two members. Of an event with both, some readers take one and some the other, and the content hash covers data alone.",
	},
	contentType: {
		ID: "EV-123", Title: "datacontenttype does not fit the data", Severity: finding.Warning, Clause: "CloudEvents 1.0.2, JSON format §3.1.1",
		Rationale: "datacontenttype is a media type. With one that is not JSON the data are a string, or bytes in data_base64: a receiver that decodes by the type would not get an object.",
	},
	timeNotUTC: {
		ID: "EV-131", Title: "time is not a UTC timestamp", Severity: finding.Error, Clause: clauseEnvelope + "; RFC 3339 §5.6",
		Rationale: "A time is YYYY-MM-DDThh:mm:ss, an optional fraction of 1 to 9 digits, and Z or +00:00. Second 60 exists only at 23:59:60. Some readers accept other offsets (also -00:00), small letters and spaces; others reject them.",
	},
	leapSecond: {
		ID: "EV-132", Title: "time lies in a leap second", Severity: finding.Info, Clause: clauseEnvelope + "; RFC 3339 §5.6",
		Rationale: "23:59:60 is a time, but many readers refuse it or take it for the second after.",
	},
	timeRegression: {
		ID: "EV-135", Title: "time is earlier than that of the previous event", Severity: finding.Warning, Clause: clauseEnvelope,
		Rationale: "The sequence number orders events, not the time. But a clock that goes back makes durations wrong, and can mean that events were inserted later.",
	},
	sequenceRange: {
		ID: "EV-141", Title: "assayseq is not an integer that every reader preserves", Severity: finding.Error, Clause: clauseEnvelope,
		Rationale: "A sequence number is written in digits only and is at most 2^53-1. Typed readers reject 0.0, 1e0, -0 and \"0\", and above 2^53 two numbers become one.",
	},
	sequenceWide: {
		ID: "EV-142", Title: "assayseq is beyond the integers of CloudEvents", Severity: finding.Warning, Clause: "CloudEvents 1.0.2 §3, type system",
		Rationale: "An integer of CloudEvents has 32 bits with a sign: readers that hold to it refuse more than 2147483647.",
	},
	traceParentAbsent: {
		ID: "EV-151", Title: "the event has no traceparent", Severity: finding.Info, Clause: clauseEnvelope,
		Rationale: "ADR-006 requires it for correlation, the contract's specification does not. Without it an event cannot be joined with the traces of other systems.",
	},
	traceParent: {
		ID: "EV-152", Title: "traceparent is malformed", Severity: finding.Error, Clause: clauseTrace + ".2",
		Rationale: "A trace parent has a version other than ff, a trace id and a parent id that are not all zero, and flags, in lower-case hexadecimal digits with dashes. A receiver of another text starts a new trace.",
	},
	traceState: {
		ID: "EV-153", Title: "tracestate is malformed", Severity: finding.Warning, Clause: clauseTrace + ".3",
		Rationale: "A trace state is a list of at most 32 members KEY=VALUE with commas between them, no key twice. A receiver discards the whole of another text.",
	},
	subjectEmpty: {
		ID: "EV-161", Title: "subject is empty or blank", Severity: finding.Warning, Clause: clauseCloud + ", subject",
		Rationale: "A subject that is there is not empty. An empty one is hashed, one that is absent or null is left out: two events that say the same have two hashes.",
	},
	typeBlank: {
		ID: "EV-163", Title: "type is empty, or has white space", Severity: finding.Error, Clause: clauseCloud + ", type",
		Rationale: "A type is a name with dots. White space and control characters make two types look alike to people, and match no rule.",
	},
	typeNotASCII: {
		ID: "EV-164", Title: "type has characters that are not ASCII", Severity: finding.Warning, Clause: clauseEnvelope,
		Rationale: "Letters of other scripts look like those of this one. Types are compared byte by byte.",
	},
	typeAlone: {
		ID: "EV-165", Title: "type has no namespace", Severity: finding.Info, Clause: clauseCloud + ", type",
		Rationale: "A type begins with the name of the organization that defines it, such as com.example or assay. Without one, two producers can give one type two meanings.",
	},
	extensionName: {
		ID: "EV-171", Title: "the name of an attribute has characters other than a to z and 0 to 9", Severity: finding.Warning, Clause: "CloudEvents 1.0.2 §3, naming",
		Rationale: "Attributes travel as headers of many protocols, whose names are not case-sensitive and know few characters. Others are lost or renamed on the way.",
	},
	extensionLong: {
		ID: "EV-172", Title: "the name of an attribute has more than 20 characters", Severity: finding.Warning, Clause: "CloudEvents 1.0.2 §3, naming",
		Rationale: "Names of attributes should be short: receivers may cut or refuse longer ones.",
	},
	extensionValue: {
		ID: "EV-173", Title: "the type of an attribute does not exist in CloudEvents", Severity: finding.Warning, Clause: "CloudEvents 1.0.2 §3, type system",
		Rationale: "The value of an attribute is a string, true or false, or an integer of 32 bits; URIs, times and bytes are written as strings. Objects, arrays and numbers with a fraction cannot travel as a header, and are lost on the way.",
	},
	digestPair: {
		ID: "EV-181", Title: "assaysemanticdigest and assaydigestprofile are not both present", Severity: finding.Warning, Clause: "Evidence Contract v1, semantic digest",
		Rationale: "A semantic digest means nothing without the profile that it was made under, and a profile nothing without the digest. Neither proves integrity.",
	},

	typeUnknown: {
		ID: "EV-201", Title: "the type has no rules", Severity: finding.Info, Clause: clauseTypes,
		Rationale: "Events of any type are hashed and verified. What their data say is checked for the types of ADR-006 §3 alone; each other type of an input is named once, so that nobody takes silence for a check.",
	},
	typeVersion: {
		ID: "EV-202", Title: "the type has rules for another version only", Severity: finding.Info, Clause: clauseTypes,
		Rationale: "Breaking changes get a new version of the type. The rules of the first version do not hold for it, and were not applied.",
	},
	dataType: {
		ID: "EV-204", Title: "data is not an object", Severity: finding.Error, Clause: clauseEnvelope + ", data",
		Rationale: "The data of the types of ADR-006 §3 are objects. Other types accept any JSON value.",
	},
	dataAdditive: {
		ID: "EV-206", Title: "data has members that ADR-006 does not name", Severity: finding.Info, Clause: "Evidence Contract v1, evolution",
		Rationale: "Version 1 grows by addition, and readers accept unknown members. A misspelled name looks the same.",
		Flags:     "only with --strict",
	},
	startedMissing: {
		ID: "EV-211", Title: "assay.profile.started lacks a member", Severity: finding.Error, Clause: clauseProfile,
		Rationale: "The start of a run says which profile was exported: profile_name, profile_version and total_runs_aggregated.",
	},
	startedType: {
		ID: "EV-212", Title: "a member of assay.profile.started has the wrong type", Severity: finding.Error, Clause: clauseProfile,
		Rationale: "The profile's name and version are strings, the number of runs is an integer from 0.",
	},
	finishedMissing: {
		ID: "EV-221", Title: "assay.profile.finished lacks a member", Severity: finding.Error, Clause: clauseProfile,
		Rationale: "The end of a run counts its events: files_count, network_count, processes_count and sandbox_degradation_count. Without them nobody sees that some are missing. integrity_scope is optional, and null is absent.",
	},
	finishedType: {
		ID: "EV-222", Title: "a member of assay.profile.finished has the wrong type", Severity: finding.Error, Clause: clauseProfile,
		Rationale: "The counts are integers from 0, integrity_scope is a string or null.",
	},
	decisionMissing: {
		ID: "EV-231", Title: "assay.tool.decision lacks a member", Severity: finding.Error, Clause: clauseDecision,
		Rationale: "A decision names the tool and the decision. All other members are optional; null counts as absent.",
	},
	decisionType: {
		ID: "EV-232", Title: "a member of assay.tool.decision has the wrong type", Severity: finding.Error, Clause: clauseDecision,
		Rationale: "All members are strings but delegation_depth, which is a number.",
	},
	decisionValue: {
		ID: "EV-233", Title: "the decision is unknown", Severity: finding.Error, Clause: clauseDecision,
		Rationale: "A decision is allow, deny or requires_approval. Whoever counts denials must not have to guess what another word means.",
	},
	decisionIsError: {
		ID: "EV-235", Title: "the decision is error", Severity: finding.Info, Clause: clauseDecision,
		Rationale: "Producers write it when no decision could be made, and ADR-006 does not list it: a reader may take it for a denial, or for none.",
	},
	sandboxMissing: {
		ID: "EV-241", Title: "assay.sandbox.degraded lacks a member", Severity: finding.Error, Clause: clauseSandbox,
		Rationale: "A degradation says why, to what and of what containment became weaker: reason_code, degradation_mode and component. detail is optional.",
	},
	sandboxType: {
		ID: "EV-242", Title: "a member of assay.sandbox.degraded has the wrong type", Severity: finding.Error, Clause: clauseSandbox,
		Rationale: "All members are strings.",
	},
	sandboxValue: {
		ID: "EV-243", Title: "a member of assay.sandbox.degraded has an unknown value", Severity: finding.Error, Clause: clauseSandbox,
		Rationale: "reason_code is backend_unavailable or policy_conflict, degradation_mode is audit_fallback and component is landlock. Typed readers refuse others.",
	},
	fileMissing: {
		ID: "EV-251", Title: "assay.fs.access lacks the number of hits", Severity: finding.Error, Clause: clauseFile,
		Rationale: "hits is what remains of an access when all else was minimised.",
	},
	fileType: {
		ID: "EV-252", Title: "a member of assay.fs.access has the wrong type", Severity: finding.Error, Clause: clauseFile,
		Rationale: "hits and runs_seen are integers from 0, file is a string, first_seen and last_seen are strings or integers from 0.",
	},
	filterMissing: {
		ID: "EV-261", Title: "assay.env.filtered lacks a member", Severity: finding.Error, Clause: clauseFilter,
		Rationale: "A filter records its mode, the passed and dropped keys, and their numbers: mode, passed_keys, dropped_keys and counters.",
	},
	filterType: {
		ID: "EV-262", Title: "a member of assay.env.filtered has the wrong type", Severity: finding.Error, Clause: clauseFilter,
		Rationale: "mode is a string, passed_keys and dropped_keys are arrays of strings, counters is an object whose values are integers from 0.",
	},

	dataUnlike: {
		ID: "EV-271", Title: "the data do not match the schema of their type", Severity: finding.Error, Clause: "Evidence Contract v1, registry of types",
		Rationale: "Types beyond ADR-006 §3 have a JSON Schema each: mandates, their use and revocation, findings and coverage of sessions, delegated commands, connections, processes and receipts. `cupel evidence schema TYPE` prints it. A reader with typed events refuses data that do not fit.",
	},
	mandateID: {
		ID: "EV-272", Title: "the id of a mandate, or of its use, is not the digest of its content", Severity: finding.Error, Clause: "Evidence Contract v1, mandates",
		Rationale: "mandate_id is the SHA-256 of the canonical JSON of the mandate without its id and signature, flags that are false left out; use_id is that of mandate_id, tool_call_id and use_count. With another id the content was changed after it was named, and a signature over the id binds nothing.",
	},
	digestText: {
		ID: "EV-301", Title: "a digest is malformed", Severity: finding.Error, Clause: clauseDecision,
		Rationale: `A digest is "sha256:" and 64 lower-case hexadecimal digits. Digests are compared as texts: another spelling of the same one is another digest.`,
	},
	policyIncomplete: {
		ID: "EV-311", Title: "policy_snapshot_digest lacks the members that describe it", Severity: finding.Error, Clause: clauseDecision + ", P56a",
		Rationale: "Algorithm, canonicalization and schema describe what the digest covers. Without them, a reviewer cannot recompute it.",
	},
	policyConstant: {
		ID: "EV-312", Title: "a member of the policy snapshot is not the constant of version 1", Severity: finding.Error, Clause: clauseDecision + ", P56a",
		Rationale: "The algorithm is sha256, the canonicalization jcs:mcp_policy, the schema assay.mcp.policy.snapshot.v1.",
	},
	policyAlone: {
		ID: "EV-313", Title: "members describe a policy snapshot whose digest is missing", Severity: finding.Warning, Clause: clauseDecision + ", P56a",
		Rationale: "ADR-006 requires these members if the digest exists, and not the reverse. Here they describe nothing.",
	},
	policyDiffers: {
		ID: "EV-314", Title: "policy_snapshot_digest differs from policy_digest", Severity: finding.Error, Clause: clauseDecision + ", P56a",
		Rationale: "The snapshot's digest is the same digest under a name that describes it. Where they differ, one of them is of another policy than the one that decided.",
	},
	policyAbsent: {
		ID: "EV-315", Title: "policy_snapshot_digest exists without policy_digest", Severity: finding.Warning, Clause: clauseDecision + ", P56a",
		Rationale: "policy_digest remains for readers that know only this member, and both must be equal: here there is nothing to compare with.",
	},
	toolIncomplete: {
		ID: "EV-321", Title: "tool_definition_digest lacks the members that describe it", Severity: finding.Error, Clause: clauseDecision + ", P56b",
		Rationale: "The five members are atomic: all or none. Algorithm, canonicalization, schema and source describe what the digest covers.",
	},
	toolConstant: {
		ID: "EV-322", Title: "a member of the tool definition is not the constant of version 1", Severity: finding.Error, Clause: clauseDecision + ", P56b",
		Rationale: "The algorithm is sha256, the canonicalization jcs:mcp_tool_definition.v1, the schema assay.mcp.tool-definition.snapshot.v1, the source mcp.tools/list.",
	},
	toolAlone: {
		ID: "EV-323", Title: "members describe a tool definition whose digest is missing", Severity: finding.Error, Clause: clauseDecision + ", P56b",
		Rationale: "The five members are atomic: all or none. Here they describe nothing.",
	},
	depthAlone: {
		ID: "EV-331", Title: "delegation_depth exists without delegated_from", Severity: finding.Error, Clause: clauseDecision + ", delegation",
		Rationale: "A delegation depth without a delegator means nothing. Producers drop it.",
	},
	delegationDepth: {
		ID: "EV-332", Title: "delegation_depth is not an integer from 1 to 4294967295", Severity: finding.Error, Clause: clauseDecision + ", delegation",
		Rationale: "A delegation has at least one step, and steps are whole numbers.",
	},
	delegatedBlank: {
		ID: "EV-333", Title: "delegated_from is blank", Severity: finding.Error, Clause: clauseDecision + ", delegation",
		Rationale: "It names who delegated. A decision that nobody delegated has no such member.",
	},

	startAbsent: {
		ID: "EV-501", Title: "the run has an end but no start", Severity: finding.Warning, Clause: clauseProfile,
		Rationale: "A run that begins at sequence number 0 begins with assay.profile.started. Of a stream that begins later nothing is asked.",
	},
	startRepeated: {
		ID: "EV-502", Title: "the run has a second start", Severity: finding.Warning, Clause: clauseProfile,
		Rationale: "A run is started once. Two starts are two exports in one, and counts and times of neither can be told.",
	},
	startNotFirst: {
		ID: "EV-503", Title: "the start is not the first event", Severity: finding.Warning, Clause: clauseProfile,
		Rationale: "What came before the start belongs to no run, or was put there later.",
	},
	endAbsent: {
		ID: "EV-511", Title: "the run has a start but no end", Severity: finding.Warning, Clause: clauseProfile,
		Rationale: "Without assay.profile.finished nobody sees whether events are missing at the end: the export was broken off, or cut.",
	},
	endRepeated: {
		ID: "EV-512", Title: "the run has a second end", Severity: finding.Warning, Clause: clauseProfile,
		Rationale: "A run ends once. The counts of the first end are compared, those of others are not.",
	},
	endNotLast: {
		ID: "EV-513", Title: "the end is not the last event", Severity: finding.Warning, Clause: clauseProfile,
		Rationale: "No count includes events after the end.",
	},
	countDiffers: {
		ID: "EV-521", Title: "the end of the run has wrong event counts", Severity: finding.Warning, Clause: clauseProfile,
		Rationale: "files_count counts events assay.fs.access, network_count assay.net.connect, processes_count assay.process.exec, sandbox_degradation_count assay.sandbox.degraded. Each counts the events or their different subjects. An export that leaves out all activity is not held to the first three, and a part of a run only to not having more events than are counted.",
	},
	countersDiffer: {
		ID: "EV-531", Title: "a counter differs from the list that it counts", Severity: finding.Warning, Clause: clauseFilter,
		Rationale: "counters.passed and counters.dropped count passed_keys and dropped_keys. Where they differ, names were left out of a list, or put in.",
	},
	noProfile: {
		ID: "EV-541", Title: "the events are not a profile's export", Severity: finding.Info, Clause: clauseProfile,
		Rationale: "The stream has neither a start nor an end. It is another stream of evidence, such as decisions of a proxy, and its number of events is open.",
	},
}
