package bundle

import (
	"slices"

	"github.com/cupel-dev/cupel/finding"
)

// Rules returns the rules of the verification in checking order. An example is an event, a stream, or, after a
// first line "# manifest.json", a manifest. A first line "# with FLAGS" lists flags.
func Rules() []finding.Rule { return slices.Clone(rules) }

// Rule returns the rule with a code, or nil.
func Rule(code string) *finding.Rule { return rules.Lookup(code) }

// The codes, as the contract defines them where it has one.
const (
	limitBundleBytes            = "LimitBundleBytes"
	integrityGzip               = "IntegrityGzip"
	integrityTar                = "IntegrityTar"
	integrityIo                 = "IntegrityIo"
	limitDecodeBytes            = "LimitDecodeBytes"
	limitPathLength             = "LimitPathLength"
	limitFileSize               = "LimitFileSize"
	securityPathTraversal       = "SecurityPathTraversal"
	contractUnexpectedFile      = "ContractUnexpectedFile"
	contractDuplicateFile       = "ContractDuplicateFile"
	contractFileOrder           = "ContractFileOrder"
	contractInvalidJSON         = "ContractInvalidJson"
	limitJSONDepth              = "LimitJsonDepth"
	contractSchemaVersion       = "ContractSchemaVersion"
	contractMissingFile         = "ContractMissingFile"
	integrityFileSizeMismatch   = "IntegrityFileSizeMismatch"
	limitLineBytes              = "LimitLineBytes"
	limitTotalEvents            = "LimitTotalEvents"
	contractInvalidEvent        = "ContractInvalidEvent"
	integrityEventHash          = "IntegrityEventHash"
	contractSequenceStart       = "ContractSequenceStart"
	contractSequenceGap         = "ContractSequenceGap"
	contractRunIDMismatch       = "ContractRunIdMismatch"
	integrityManifestHash       = "IntegrityManifestHash"
	integrityRunRootMismatch    = "IntegrityRunRootMismatch"
	contractBundleIDMismatch    = "ContractBundleIdMismatch"
	contractTimestampRegression = "ContractTimestampRegression"
	logRotated                  = "log.rotated"
	logRewritten                = "log.rewritten"
	anchorSHA256                = "anchor.sha256"
	anchorRunRoot               = "anchor.run_root"
	anchorBundleID              = "anchor.bundle_id"
)

// numberOutsideHash is the hasher's code for a number beyond a double in a member that is not hashed.
const numberOutsideHash = "number.outside_hash"

const (
	clauseBundle   = "Evidence Contract v1, bundle"
	clauseLimits   = "Evidence Contract v1, limits"
	clauseEnvelope = "ADR-006 §1, envelope"
	clauseSequence = "ADR-006 §1, assayseq"
)

var rules = finding.Table{
	{
		ID: limitBundleBytes, Title: "the input has more bytes than the limit", Severity: finding.Error, Class: "Limits", Clause: clauseLimits,
		Rationale: "A bundle as it is stored has at most 100 MiB, bytes after the gzip member included. The size of a file is looked at before anything is read; of a pipe, reading stops at the limit.",
		Flags:     `--limits '{"max_bundle_bytes":N}'`,
	},
	{
		ID: integrityGzip, Title: "the gzip trailer does not match the data, or bytes follow it", Severity: finding.Error, Class: "Integrity", Clause: "RFC 1952 §2.3.1",
		Rationale: "The CRC and the length at the end of the gzip member are the only guard of what no digest covers: the manifest's producer, and the tar headers. Something was changed, or the end is missing. Bytes after the gzip member are covered by nothing, and programs disagree on whether to read them: something was appended, or two bundles were joined.",
		Flags:     "--compatible 5 tolerates bytes after the gzip member with a warning, unless they begin another gzip member or the tar has no end",
	},
	{
		ID: integrityTar, Title: "the file does not open as gzip and tar, or programs can read its tar in different ways", Severity: finding.Error, Class: "Integrity", Clause: clauseBundle,
		Rationale: "A bundle is a tar inside one gzip member. Another file with its name, a reserved gzip flag, a header with a wrong checksum and one that is cut short end the reading. " +
			"Tar has many dialects, and programs that know another one would unpack other files from the same bytes. So a bundle is plain: regular files (type 0 or NUL) without a link target, with zeros from byte 345 of the header on, a size of eleven octal digits, readable numbers, a name that does not end in a slash, and zeros in the padding and after the end. PAX and GNU records are refused, whatever they say: tar on macOS and tar --format=pax write them. `cupel evidence seal` writes a bundle from its events.",
	},
	{
		ID: integrityIo, Title: "the data are damaged inside a member", Severity: finding.Error, Class: "Integrity", Clause: clauseBundle,
		Rationale: "Damage that surfaces while the manifest or the events are read: most often the file was cut short on its way. Fetch it again, and compare its SHA-256 with the sender's.",
	},
	{
		ID: limitDecodeBytes, Title: "the decompressed data are longer than the limit", Severity: finding.Error, Class: "Limits", Clause: clauseLimits,
		Rationale: "A bundle decompresses to at most 1 GiB, headers and padding included, wherever in it the bytes are. A small file that swells beyond is a bomb.",
		Flags:     `--limits '{"max_decode_bytes":N}'`,
	},
	{
		ID: limitPathLength, Title: "the path of a member is longer than the limit", Severity: finding.Error, Class: "Limits", Clause: clauseLimits,
		Rationale: "The path of a member has at most 256 bytes, by whatever header it is given.",
		Flags:     `--limits '{"max_path_len":N}'`,
	},
	{
		ID: limitFileSize, Title: "a member, or all events, are longer than the limit", Severity: finding.Error, Class: "Limits", Clause: clauseLimits,
		Rationale: "A manifest has at most 10 MiB and the events of one input at most 500 MiB, as declared and as read.",
		Flags:     `--limits '{"max_manifest_bytes":N,"max_events_bytes":N}'`,
	},
	{
		ID: securityPathTraversal, Title: "the path of a member leads out of the bundle", Severity: finding.Error, Class: "Security", Clause: clauseBundle,
		Rationale: "A path that is absolute, or has a component .., is written outside of the folder by tools that unpack without care. A bundle has two members whose names have no path at all.",
	},
	{
		ID: contractUnexpectedFile, Title: "the bundle has an unexpected member", Severity: finding.Error, Class: "Contract", Clause: clauseBundle,
		Rationale: "A bundle has exactly two members, the regular files manifest.json and events.ndjson: no folders, links, devices or other spellings such as ./manifest.json. No digest covers other members.",
	},
	{
		ID: contractDuplicateFile, Title: "a member occurs twice", Severity: finding.Error, Class: "Contract", Clause: clauseBundle,
		Rationale: "Of two members with one name, tools take the first or the last: two readers would see two bundles.",
	},
	{
		ID: contractFileOrder, Title: "the manifest is not the first member", Severity: finding.Error, Class: "Contract", Clause: clauseBundle,
		Rationale: "The manifest comes first, so that a reader can check the events as a stream.",
	},
	{
		ID: contractInvalidJSON, Title: "a line or the manifest is not the JSON that the contract describes", Severity: finding.Error, Class: "Contract", Clause: clauseEnvelope,
		Rationale: "The text is not strict JSON, or a member is missing or of a wrong type, or the time is none. The detail says which: json.… for the text, member.missing, member.type, time.syntax, seq.syntax and integer.syntax for a member; the pointer says where. With --strict also members of the manifest that the contract does not name (member.unknown).",
		Bad:       `{"specversion":"1.0","type":"assay.fs.access","source":"urn:runner:1","id":"run_a:0","time":"2026-01-02T03:04:05Z","datacontenttype":"application/json","assayrunid":"run_a","assayseq":0,"assayproducer":7,"assayproducerversion":"3.10.0","assaycontenthash":"sha256:03df6ac9e39b6c7ab8f76f991af5369107d3729b0e2f89d1395901bed2268daf","data":{"hits":3}}`,
		Good:      `{"specversion":"1.0","type":"assay.fs.access","source":"urn:runner:1","id":"run_a:0","time":"2026-01-02T03:04:05Z","datacontenttype":"application/json","assayrunid":"run_a","assayseq":0,"assayproducer":"assay","assayproducerversion":"3.10.0","assaycontenthash":"sha256:03df6ac9e39b6c7ab8f76f991af5369107d3729b0e2f89d1395901bed2268daf","data":{"hits":3}}`,
	},
	{
		ID: limitJSONDepth, Title: "an event or the manifest is nested deeper than the limit", Severity: finding.Error, Class: "Limits", Clause: clauseLimits,
		Rationale: "Deep nesting exhausts readers that recurse. An event is level 1 and its data level 2; 64 levels are accepted.",
		Bad: `# with --limits {"max_json_depth":3}` + "\n" +
			`{"specversion":"1.0","type":"assay.fs.access","source":"urn:runner:1","id":"run_a:0","time":"2026-01-02T03:04:05Z","datacontenttype":"application/json","assayrunid":"run_a","assayseq":0,"assayproducer":"assay","assayproducerversion":"3.10.0","assaycontenthash":"sha256:c40ab36256b41b5f6ce464277246b9f1ea47d6602761dff246b5483dd4c4fa60","data":{"a":[[1]]}}`,
		Good: `# with --limits {"max_json_depth":3}` + "\n" +
			`{"specversion":"1.0","type":"assay.fs.access","source":"urn:runner:1","id":"run_a:0","time":"2026-01-02T03:04:05Z","datacontenttype":"application/json","assayrunid":"run_a","assayseq":0,"assayproducer":"assay","assayproducerversion":"3.10.0","assaycontenthash":"sha256:bcb942f9dfe9729757b0974efb40b598d4f37eeeb1a6c9c8134a10f987970ebc","data":{"a":[1]}}`,
		Flags: `--limits '{"max_json_depth":N}'`,
	},
	{
		ID: contractSchemaVersion, Title: "the event or the manifest has an unsupported version, or no recorded hash", Severity: finding.Error, Class: "Contract", Clause: "ADR-006 §1, specversion",
		Rationale: `Version 1 fixes specversion "1.0", schema_version 1 and its three algorithms, and each event records its content hash. A manifest that names other algorithms is a warning: the digests are checked with those of version 1. The details: specversion.invalid, hash.missing, schema_version.unknown, algorithms.unknown.`,
		Bad:       `{"specversion":"1.1","type":"assay.fs.access","source":"urn:runner:1","id":"run_a:0","time":"2026-01-02T03:04:05Z","datacontenttype":"application/json","assayrunid":"run_a","assayseq":0,"assayproducer":"assay","assayproducerversion":"3.10.0","assaycontenthash":"sha256:03df6ac9e39b6c7ab8f76f991af5369107d3729b0e2f89d1395901bed2268daf","data":{"hits":3}}`,
		Good:      `{"specversion":"1.0","type":"assay.fs.access","source":"urn:runner:1","id":"run_a:0","time":"2026-01-02T03:04:05Z","datacontenttype":"application/json","assayrunid":"run_a","assayseq":0,"assayproducer":"assay","assayproducerversion":"3.10.0","assaycontenthash":"sha256:03df6ac9e39b6c7ab8f76f991af5369107d3729b0e2f89d1395901bed2268daf","data":{"hits":3}}`,
		Flags:     "--strict makes other algorithms an error",
	},
	{
		ID: contractMissingFile, Title: "the events are not there, or the manifest does not list them", Severity: finding.Error, Class: "Contract", Clause: clauseBundle,
		Rationale: "Events that the manifest does not list are held by no digest of it, and a manifest without events proves nothing.",
		Bad: "# manifest.json" + "\n" +
			`{"algorithms":{"canon":"jcs-rfc8785","hash":"sha256","root":"sha256(concat(content_hash + \"\\n\"))"},"bundle_id":"sha256:9899574ccb2c53c4153393fcbb6f4268dbce7dec94602f85b19a4a0fba330301","event_count":1,"files":{},"producer":{"name":"assay","version":"3.10.0"},"run_id":"run_a","run_root":"sha256:9899574ccb2c53c4153393fcbb6f4268dbce7dec94602f85b19a4a0fba330301","schema_version":1}`,
		Good: "# manifest.json" + "\n" +
			`{"algorithms":{"canon":"jcs-rfc8785","hash":"sha256","root":"sha256(concat(content_hash + \"\\n\"))"},"bundle_id":"sha256:9899574ccb2c53c4153393fcbb6f4268dbce7dec94602f85b19a4a0fba330301","event_count":1,"files":{"events.ndjson":{"bytes":354,"path":"events.ndjson","sha256":"sha256:47e4e044fca37fdd122f39e0f7394be3e02fb576cf741e118f23f0cc4c194278"}},"producer":{"name":"assay","version":"3.10.0"},"run_id":"run_a","run_root":"sha256:9899574ccb2c53c4153393fcbb6f4268dbce7dec94602f85b19a4a0fba330301","schema_version":1}`,
	},
	{
		ID: integrityFileSizeMismatch, Title: "the size of the events does not match the manifest", Severity: finding.Error, Class: "Integrity", Clause: clauseBundle,
		Rationale: "The size in the member's header, and the number of bytes read, must match the manifest. Bytes were added or lost after the manifest was written.",
	},
	{
		ID: limitLineBytes, Title: "an event is longer than the limit", Severity: finding.Error, Class: "Limits", Clause: clauseLimits,
		Rationale: "A line has at most 1 MiB without its end. A longer one is skipped without being held in memory.",
		Bad: `# with --limits {"max_line_bytes":352}` + "\n" +
			`{"specversion":"1.0","type":"assay.fs.access","source":"urn:runner:1","id":"run_a:0","time":"2026-01-02T03:04:05Z","datacontenttype":"application/json","assayrunid":"run_a","assayseq":0,"assayproducer":"assay","assayproducerversion":"3.10.0","assaycontenthash":"sha256:03df6ac9e39b6c7ab8f76f991af5369107d3729b0e2f89d1395901bed2268daf","data":{"hits":3}}`,
		Good: `# with --limits {"max_line_bytes":353}` + "\n" +
			`{"specversion":"1.0","type":"assay.fs.access","source":"urn:runner:1","id":"run_a:0","time":"2026-01-02T03:04:05Z","datacontenttype":"application/json","assayrunid":"run_a","assayseq":0,"assayproducer":"assay","assayproducerversion":"3.10.0","assaycontenthash":"sha256:03df6ac9e39b6c7ab8f76f991af5369107d3729b0e2f89d1395901bed2268daf","data":{"hits":3}}`,
		Flags: `--limits '{"max_line_bytes":N}'`,
	},
	{
		ID: limitTotalEvents, Title: "the input has more events than the limit", Severity: finding.Error, Class: "Limits", Clause: clauseLimits,
		Rationale: "One input has at most 100,000 events. Reading stops there, and the input has no run root.",
		Bad: `# with --limits {"max_events":1}` + "\n" +
			`{"specversion":"1.0","type":"assay.fs.access","source":"urn:runner:1","id":"run_a:0","time":"2026-01-02T03:04:05Z","datacontenttype":"application/json","assayrunid":"run_a","assayseq":0,"assayproducer":"assay","assayproducerversion":"3.10.0","assaycontenthash":"sha256:03df6ac9e39b6c7ab8f76f991af5369107d3729b0e2f89d1395901bed2268daf","data":{"hits":3}}` + "\n" +
			`{"specversion":"1.0","type":"assay.fs.access","source":"urn:runner:1","id":"run_a:1","time":"2026-01-02T03:04:05Z","datacontenttype":"application/json","assayrunid":"run_a","assayseq":1,"assayproducer":"assay","assayproducerversion":"3.10.0","assaycontenthash":"sha256:03df6ac9e39b6c7ab8f76f991af5369107d3729b0e2f89d1395901bed2268daf","data":{"hits":3}}`,
		Good: `# with --limits {"max_events":2}` + "\n" +
			`{"specversion":"1.0","type":"assay.fs.access","source":"urn:runner:1","id":"run_a:0","time":"2026-01-02T03:04:05Z","datacontenttype":"application/json","assayrunid":"run_a","assayseq":0,"assayproducer":"assay","assayproducerversion":"3.10.0","assaycontenthash":"sha256:03df6ac9e39b6c7ab8f76f991af5369107d3729b0e2f89d1395901bed2268daf","data":{"hits":3}}` + "\n" +
			`{"specversion":"1.0","type":"assay.fs.access","source":"urn:runner:1","id":"run_a:1","time":"2026-01-02T03:04:05Z","datacontenttype":"application/json","assayrunid":"run_a","assayseq":1,"assayproducer":"assay","assayproducerversion":"3.10.0","assaycontenthash":"sha256:03df6ac9e39b6c7ab8f76f991af5369107d3729b0e2f89d1395901bed2268daf","data":{"hits":3}}`,
		Flags: `--limits '{"max_events":N}'`,
	},
	{
		ID: contractInvalidEvent, Title: "an event breaks a rule of the envelope", Severity: finding.Error, Class: "Contract", Clause: clauseEnvelope,
		Rationale: "A blank line; a source that is no URI or not the other events'; an id that is not the run's id, a colon and the sequence number; a run id with a colon. Also what the contract's text wants and its reference implementation does not check: UTC, a run id that is not empty, a sequence number that a double holds. " +
			"The detail says which: line.blank, source.…, run_id.…, id.mismatch, seq.range, time.not_utc. A wide sequence number (seq.wide) and a malformed trace parent (traceparent.malformed) are warnings, a leap second (time.leap_second) is an info. " +
			"--lenient-time takes other times, --require-traceparent wants a good trace parent, --strict refuses what only readers tolerate: attribute.unknown, line.ending, line.not_canonical. " +
			"`cupel evidence seal` keeps attributes that the contract does not name with a warning, and refuses those with a number that has no canonical form (number.outside_hash).",
		Bad:   `{"specversion":"1.0","type":"assay.fs.access","source":"urn:runner:1","id":"run_a:00","time":"2026-01-02T03:04:05Z","datacontenttype":"application/json","assayrunid":"run_a","assayseq":0,"assayproducer":"assay","assayproducerversion":"3.10.0","assaycontenthash":"sha256:03df6ac9e39b6c7ab8f76f991af5369107d3729b0e2f89d1395901bed2268daf","data":{"hits":3}}`,
		Good:  `{"specversion":"1.0","type":"assay.fs.access","source":"urn:runner:1","id":"run_a:0","time":"2026-01-02T03:04:05Z","datacontenttype":"application/json","assayrunid":"run_a","assayseq":0,"assayproducer":"assay","assayproducerversion":"3.10.0","assaycontenthash":"sha256:03df6ac9e39b6c7ab8f76f991af5369107d3729b0e2f89d1395901bed2268daf","data":{"hits":3}}`,
		Flags: "--lenient-time, --require-traceparent, --strict",
	},
	{
		ID: integrityEventHash, Title: "content hash mismatch: the recorded hash is not the hash of the content", Severity: finding.Error, Class: "Integrity", Clause: "ADR-006 §1, assaycontenthash",
		Rationale: "The event was changed after it was hashed, or hashed in another way; `cupel evidence hash --check` names the known mistakes that reproduce a recorded hash.",
		Bad:       `{"specversion":"1.0","type":"assay.fs.access","source":"urn:runner:1","id":"run_a:0","time":"2026-01-02T03:04:05Z","datacontenttype":"application/json","assayrunid":"run_a","assayseq":0,"assayproducer":"assay","assayproducerversion":"3.10.0","assaycontenthash":"sha256:03df6ac9e39b6c7ab8f76f991af5369107d3729b0e2f89d1395901bed2268daf","data":{"hits":4}}`,
		Good:      `{"specversion":"1.0","type":"assay.fs.access","source":"urn:runner:1","id":"run_a:0","time":"2026-01-02T03:04:05Z","datacontenttype":"application/json","assayrunid":"run_a","assayseq":0,"assayproducer":"assay","assayproducerversion":"3.10.0","assaycontenthash":"sha256:03df6ac9e39b6c7ab8f76f991af5369107d3729b0e2f89d1395901bed2268daf","data":{"hits":3}}`,
	},
	{
		ID: contractSequenceStart, Title: "the first event of a bundle is not number 0", Severity: finding.Error, Class: "Contract", Clause: clauseSequence,
		Rationale: "A bundle holds a whole run. Events before its first one were left out, which no digest would show. A stream may begin anywhere.",
	},
	{
		ID: contractSequenceGap, Title: "sequence numbers have a gap, or their count does not match the manifest", Severity: finding.Error, Class: "Contract", Clause: clauseSequence,
		Rationale: "Each event's number is one more than the previous one. A gap in a bundle is an error: events were removed or reordered before the run root was made. A stream can be part of a run, so there it is a warning; only a whole run can be sealed.",
		Bad: `{"specversion":"1.0","type":"assay.fs.access","source":"urn:runner:1","id":"run_a:0","time":"2026-01-02T03:04:05Z","datacontenttype":"application/json","assayrunid":"run_a","assayseq":0,"assayproducer":"assay","assayproducerversion":"3.10.0","assaycontenthash":"sha256:03df6ac9e39b6c7ab8f76f991af5369107d3729b0e2f89d1395901bed2268daf","data":{"hits":3}}` + "\n" +
			`{"specversion":"1.0","type":"assay.fs.access","source":"urn:runner:1","id":"run_a:2","time":"2026-01-02T03:04:05Z","datacontenttype":"application/json","assayrunid":"run_a","assayseq":2,"assayproducer":"assay","assayproducerversion":"3.10.0","assaycontenthash":"sha256:03df6ac9e39b6c7ab8f76f991af5369107d3729b0e2f89d1395901bed2268daf","data":{"hits":3}}`,
		Good: `{"specversion":"1.0","type":"assay.fs.access","source":"urn:runner:1","id":"run_a:0","time":"2026-01-02T03:04:05Z","datacontenttype":"application/json","assayrunid":"run_a","assayseq":0,"assayproducer":"assay","assayproducerversion":"3.10.0","assaycontenthash":"sha256:03df6ac9e39b6c7ab8f76f991af5369107d3729b0e2f89d1395901bed2268daf","data":{"hits":3}}` + "\n" +
			`{"specversion":"1.0","type":"assay.fs.access","source":"urn:runner:1","id":"run_a:1","time":"2026-01-02T03:04:05Z","datacontenttype":"application/json","assayrunid":"run_a","assayseq":1,"assayproducer":"assay","assayproducerversion":"3.10.0","assaycontenthash":"sha256:03df6ac9e39b6c7ab8f76f991af5369107d3729b0e2f89d1395901bed2268daf","data":{"hits":3}}`,
	},
	{
		ID: contractRunIDMismatch, Title: "an event belongs to another run", Severity: finding.Error, Class: "Contract", Clause: "ADR-006 §1, assayrunid",
		Rationale: "All events of a bundle have the run id that the manifest records, those of a stream the run id of its first event.",
		Bad: `{"specversion":"1.0","type":"assay.fs.access","source":"urn:runner:1","id":"run_a:0","time":"2026-01-02T03:04:05Z","datacontenttype":"application/json","assayrunid":"run_a","assayseq":0,"assayproducer":"assay","assayproducerversion":"3.10.0","assaycontenthash":"sha256:03df6ac9e39b6c7ab8f76f991af5369107d3729b0e2f89d1395901bed2268daf","data":{"hits":3}}` + "\n" +
			`{"specversion":"1.0","type":"assay.fs.access","source":"urn:runner:1","id":"run_b:1","time":"2026-01-02T03:04:05Z","datacontenttype":"application/json","assayrunid":"run_b","assayseq":1,"assayproducer":"assay","assayproducerversion":"3.10.0","assaycontenthash":"sha256:03df6ac9e39b6c7ab8f76f991af5369107d3729b0e2f89d1395901bed2268daf","data":{"hits":3}}`,
		Good: `{"specversion":"1.0","type":"assay.fs.access","source":"urn:runner:1","id":"run_a:0","time":"2026-01-02T03:04:05Z","datacontenttype":"application/json","assayrunid":"run_a","assayseq":0,"assayproducer":"assay","assayproducerversion":"3.10.0","assaycontenthash":"sha256:03df6ac9e39b6c7ab8f76f991af5369107d3729b0e2f89d1395901bed2268daf","data":{"hits":3}}` + "\n" +
			`{"specversion":"1.0","type":"assay.fs.access","source":"urn:runner:1","id":"run_a:1","time":"2026-01-02T03:04:05Z","datacontenttype":"application/json","assayrunid":"run_a","assayseq":1,"assayproducer":"assay","assayproducerversion":"3.10.0","assaycontenthash":"sha256:03df6ac9e39b6c7ab8f76f991af5369107d3729b0e2f89d1395901bed2268daf","data":{"hits":3}}`,
	},
	{
		ID: integrityManifestHash, Title: "the digest of the events does not match the manifest", Severity: finding.Error, Class: "Integrity", Clause: clauseBundle,
		Rationale: "The digest is over all bytes of the events, also those that no content hash covers: the envelope, unknown attributes, the spelling. One of them was changed, or the manifest was.",
	},
	{
		ID: integrityRunRootMismatch, Title: "the run root of the events does not match the manifest", Severity: finding.Error, Class: "Integrity", Clause: "Evidence Contract v1, run root",
		Rationale: "The run root is SHA-256 over the content hashes in their order, each with a line feed. The manifest is of other events, or of these in another order.",
	},
	{
		ID: contractBundleIDMismatch, Title: "the bundle's id does not match its run root", Severity: finding.Error, Class: "Contract", Clause: clauseBundle,
		Rationale: "The run root names a bundle, so that one name cannot stand for other events.",
	},
	{
		ID: contractTimestampRegression, Title: "the event is earlier than the previous one", Severity: finding.Error, Class: "Contract", Clause: "ADR-006 §1, time",
		Rationale: "The contract does not order times, and clocks can be set back. If they should not be, the order of the events can be wrong.",
		Bad: `{"specversion":"1.0","type":"assay.fs.access","source":"urn:runner:1","id":"run_a:0","time":"2026-01-02T03:04:05Z","datacontenttype":"application/json","assayrunid":"run_a","assayseq":0,"assayproducer":"assay","assayproducerversion":"3.10.0","assaycontenthash":"sha256:03df6ac9e39b6c7ab8f76f991af5369107d3729b0e2f89d1395901bed2268daf","data":{"hits":3}}` + "\n" +
			`{"specversion":"1.0","type":"assay.fs.access","source":"urn:runner:1","id":"run_a:1","time":"2026-01-02T03:04:04Z","datacontenttype":"application/json","assayrunid":"run_a","assayseq":1,"assayproducer":"assay","assayproducerversion":"3.10.0","assaycontenthash":"sha256:03df6ac9e39b6c7ab8f76f991af5369107d3729b0e2f89d1395901bed2268daf","data":{"hits":3}}`,
		Good: `{"specversion":"1.0","type":"assay.fs.access","source":"urn:runner:1","id":"run_a:0","time":"2026-01-02T03:04:05Z","datacontenttype":"application/json","assayrunid":"run_a","assayseq":0,"assayproducer":"assay","assayproducerversion":"3.10.0","assaycontenthash":"sha256:03df6ac9e39b6c7ab8f76f991af5369107d3729b0e2f89d1395901bed2268daf","data":{"hits":3}}` + "\n" +
			`{"specversion":"1.0","type":"assay.fs.access","source":"urn:runner:1","id":"run_a:1","time":"2026-01-02T03:04:05Z","datacontenttype":"application/json","assayrunid":"run_a","assayseq":1,"assayproducer":"assay","assayproducerversion":"3.10.0","assaycontenthash":"sha256:03df6ac9e39b6c7ab8f76f991af5369107d3729b0e2f89d1395901bed2268daf","data":{"hits":3}}`,
		Flags: "only with --check-time",
	},
	{
		ID: logRotated, Title: "the followed stream was replaced by another file", Severity: finding.Warning, Class: "Integrity", Clause: "--follow",
		Rationale: "A stream ends when its file loses its name to another. The new file is judged as a stream of its own: nothing shows that it continues the one before.",
		Flags:     "--follow",
	},
	{
		ID: logRewritten, Title: "verified bytes are missing from the stream", Severity: finding.Error, Class: "Integrity", Clause: "--follow",
		Rationale: "A stream only grows. A stream that was cut or changed in place is not the one that was verified, even if its hashes match: it is verified again from the start and stays invalid.",
		Flags:     "--follow",
	},
	{
		ID: anchorSHA256, Title: "the input's digest is not the expected one", Severity: finding.Error, Class: "Integrity", Clause: "--expect-sha256",
		Rationale: "The bytes do not match a digest that you have from another source: the input was changed, packed again, or is another one.",
		Flags:     "--expect-sha256",
	},
	{
		ID: anchorRunRoot, Title: "the run root is not the expected one", Severity: finding.Error, Class: "Integrity", Clause: "--expect-run-root",
		Rationale: "The content of the events, or their order, is not that whose run root you have from elsewhere. A consistent rewrite passes every other check.",
		Flags:     "--expect-run-root",
	},
	{
		ID: anchorBundleID, Title: "the bundle's id is not the expected one", Severity: finding.Error, Class: "Integrity", Clause: "--expect-bundle-id",
		Rationale: "The bundle holds other events than that whose id you have from elsewhere. A consistent rewrite passes every other check.",
		Flags:     "--expect-bundle-id",
	},
}
