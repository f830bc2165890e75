package stream

// Integrity is the verdict on a log's hashes and links alone, without payload errors.
type Integrity string

// The integrities.
const (
	IntegrityValid    Integrity = "valid"    // every hash and link holds
	IntegrityInvalid  Integrity = "invalid"  // one of them does not
	IntegrityRejected Integrity = "rejected" // structure outside the format; not processed
	IntegrityAbsent   Integrity = "absent"   // the log carries no hashes
)

// EvidenceClass is the strength of evidence that an intact log claims.
type EvidenceClass string

// The evidence classes.
const (
	AuthoritativeEvidence        EvidenceClass = "AUTHORITATIVE_EVIDENCE"
	PartialAuthoritativeEvidence EvidenceClass = "PARTIAL_AUTHORITATIVE_EVIDENCE"
	NonAuthoritativeEvidence     EvidenceClass = "NON_AUTHORITATIVE_EVIDENCE"
	UnknownEvidence              EvidenceClass = "UNKNOWN_EVIDENCE"
)

// DamageKind is a way in which a chained log was changed after it was written.
type DamageKind string

// The kinds of damage.
const (
	DamageEdited   DamageKind = "edited"
	DamageRemoved  DamageKind = "removed"
	DamageInserted DamageKind = "inserted"
	DamageSwapped  DamageKind = "swapped"
	DamageRepeated DamageKind = "repeated"
	DamageCut      DamageKind = "cut" // the log ends too early

	DamageReordered   DamageKind = "reordered"       // the same events in another order
	DamageForeign     DamageKind = "foreign_line"    // a line that is not an event
	DamageNewline     DamageKind = "missing_newline" // several records on one line
	DamageTorn        DamageKind = "torn_write"      // a part of a record is missing
	DamageReencoded   DamageKind = "re_encoded"      // in another character encoding
	DamageRespelled   DamageKind = "respelled"       // the same values, written in another way
	DamageWrapped     DamageKind = "wrapped"         // text around records
	DamageFork        DamageKind = "fork"            // several events follow the same one
	DamageNewSession  DamageKind = "new_session"     // another chain begins
	DamageInterleaved DamageKind = "interleaved"     // several interleaved chains
)

// Damage is damage to a chained log, located by its hashes.
type Damage struct {
	Kind  DamageKind `json:"kind"`
	From  int64      `json:"from"`  // first line concerned
	To    int64      `json:"to"`    // last line concerned
	Count int64      `json:"count"` // events; 0 if unknown

	Name     string  `json:"name,omitempty"`     // of a conversion or a wrapper
	Note     string  `json:"note,omitempty"`     // a sentence on what happened
	Help     string  `json:"help,omitempty"`     // what to do about it
	By       string  `json:"by,omitempty"`       // member that identifies the chain
	Branches []int64 `json:"branches,omitempty"` // of a fork: events on each
	Lost     int64   `json:"lost,omitempty"`     // events that are lost, of a torn write
}

// SignatureState is the result for a kind of signature.
type SignatureState string

// The states of signatures.
const (
	SignatureAbsent    SignatureState = "absent"    // not signed
	SignatureValid     SignatureState = "valid"     // all of them hold
	SignatureInvalid   SignatureState = "invalid"   // one of them does not
	SignatureUnchecked SignatureState = "unchecked" // the key to check them is missing
)

// SignatureKey is the Ed25519 key that signed the events of a log.
type SignatureKey struct {
	Fingerprint string   `json:"fingerprint"` // SHA-256 of its SubjectPublicKeyInfo
	Basis       KeyBasis `json:"basis"`
}

// KeyBasis says why a key was used to check signatures.
type KeyBasis string

// The bases.
const (
	KeyOfLog     KeyBasis = "the log itself names the key"
	KeyTrusted   KeyBasis = "trusted: given with --key"
	KeyUntrusted KeyBasis = "the log itself names the key, which is none of --key"
)

// Signatures counts signatures by result.
type Signatures struct {
	Ed25519 SignatureState `json:"ed25519"` // of single events
	Merkle  SignatureState `json:"merkle"`  // the root over all events
	HMAC    SignatureState `json:"hmac"`    // of the seal
}
