package timestamp

import (
	"slices"

	"github.com/cupel-dev/cupel/finding"
)

type rule uint8

const (
	ruleMalformed rule = iota
	ruleStatus
	ruleAlgorithm
	ruleImprint
	ruleSignature
	ruleUsage
	ruleChain
	ruleFuture
)

const flags = "--timestamp --tsa-cert"

var rules = finding.Table{
	ruleMalformed: {
		ID: "timestamp.malformed", Title: "the file is not a timestamp", Severity: finding.Error, Class: "invalid", Clause: "RFC 3161 §2.4.2; X.690 DER", Flags: flags,
		Rationale: "A timestamp is a TimeStampResp or a TimeStampToken in DER. Other encodings of the same values, unknown versions and bytes after the end are refused, so a changed byte cannot keep its meaning.",
	},
	ruleStatus: {
		ID: "timestamp.status", Title: "the authority did not grant a timestamp", Severity: finding.Error, Class: "invalid", Clause: "RFC 3161 §2.4.2", Flags: flags,
		Rationale: "An authority answers a request that it refuses with a status and a reason, but without a token. Such a response proves nothing.",
	},
	ruleAlgorithm: {
		ID: "timestamp.algorithm", Title: "the timestamp uses an algorithm that is weak or not supported", Severity: finding.Error, Class: "invalid", Clause: "RFC 3161 §2.4.2; RFC 5754", Flags: flags,
		Rationale: "Two files with one SHA-1 or MD5 hash can be made, so a timestamp of one passes for the other. The hash of the file and that of the signature must be SHA-256, SHA-384 or SHA-512; the signature must be RSA (PKCS #1 v1.5), ECDSA or Ed25519.",
	},
	ruleImprint: {
		ID: "timestamp.imprint", Title: "the timestamp covers other bytes", Severity: finding.Error, Class: "invalid", Clause: "RFC 3161 §2.4.2, messageImprint", Flags: flags,
		Rationale: "A timestamp says when one hash existed. It must be the hash of the whole file, byte by byte: a file that was changed or cosigned afterwards needs a new timestamp.",
	},
	ruleSignature: {
		ID: "timestamp.signature", Title: "the signature of the timestamp is not valid", Severity: finding.Error, Class: "invalid", Clause: "RFC 5652 §5.4, RFC 5816", Flags: flags,
		Rationale: "One signer must have signed the content and the identity of its own certificate. Otherwise the time could be changed, or another certificate with the same key could take the place of the signer's.",
	},
	ruleUsage: {
		ID: "timestamp.usage", Title: "the signer's certificate is not only for timestamps", Severity: finding.Error, Class: "invalid", Clause: "RFC 3161 §2.3", Flags: flags,
		Rationale: "The certificate must have a critical extended key usage with timeStamping as its only purpose. Otherwise the holder of any certificate of the same issuer, such as that of a web server, could set the time.",
	},
	ruleChain: {
		ID: "timestamp.chain", Title: "the signer's certificate does not lead to a trusted certificate", Severity: finding.Error, Class: "invalid", Clause: "RFC 5280 §6", Flags: flags,
		Rationale: "Anyone can be an authority with a certificate of their own, under any name. The chain must end in a certificate of --tsa-cert, and every certificate in it must be valid at the time in the timestamp.",
	},
	ruleFuture: {
		ID: "timestamp.future", Title: "the timestamp has a time in the future", Severity: finding.Warning, Clause: "RFC 3161 §2.4.2, genTime", Flags: flags,
		Rationale: "The time comes from the authority's clock. A time in the future comes from a wrong clock, there or here.",
	},
}

// Rules returns the rules of timestamps.
func Rules() []finding.Rule { return slices.Clone(rules) }
