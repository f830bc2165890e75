package trace

import (
	"crypto/ed25519"
	"fmt"

	"github.com/cupel-dev/cupel/internal/cite"
	"github.com/cupel-dev/cupel/trace/internal/schemas"
	"github.com/cupel-dev/cupel/trace/internal/second"
	"github.com/cupel-dev/cupel/trace/internal/session"
)

// SessionOptions configures the verification of session logs. The zero value applies the formats strictly and tries
// all canonicalizations.
type SessionOptions struct {
	StrictPayload bool // a member outside the payload table is an error, not a note
	IntegrityOnly bool // leave payload rules out: the verdict is that of the chain

	// Canonicalization is "" or "auto" for RFC 8785 and then each known profile, "strict" for RFC 8785 only, or the
	// name of a profile. See Canonicalizations.
	Canonicalization string

	HMACKey []byte // key of the seal's HMAC; nil leaves it unchecked
	// TrustedKeys are Ed25519 public keys. If set, one of them must have signed each event that the format signs,
	// and a key announced in the log must be one of them. Otherwise the announced key is used.
	TrustedKeys []ed25519.PublicKey

	// Sources opens the files that events cite as their source. If set, each event is compared with the bytes that it
	// cites; nil leaves citations unchecked.
	Sources Sources

	ExpectCount *int64 // how many events the log must have; nil asks for nothing
	ExpectHead  string // the hash that its last event must have, 64 lower-case digits; "" asks for nothing
}

func (o *SessionOptions) check() error {
	for _, key := range o.TrustedKeys {
		if len(key) != ed25519.PublicKeySize {
			return fmt.Errorf("a trusted key of %d bytes, expected an Ed25519 public key of %d", len(key), ed25519.PublicKeySize)
		}
	}
	return session.Options{Canonicalization: o.Canonicalization}.Check()
}

func (o *SessionOptions) internal(engine Engine, other second.Engine, growing bool, anchor *Anchor, resume *State) session.Options {
	all := session.Options{
		Engine: session.Engine(engine), Second: other,
		StrictPayload: o.StrictPayload, IntegrityOnly: o.IntegrityOnly, Canonicalization: o.Canonicalization,
		HMACKey: o.HMACKey, TrustedKeys: o.TrustedKeys, Sources: o.Sources, ExpectCount: o.ExpectCount, ExpectHead: o.ExpectHead, Growing: growing,
	}
	if anchor != nil {
		all.Anchor = &session.Anchor{Events: anchor.Events, Head: anchor.Head}
	}
	if resume != nil {
		all.Resume = resume.Session
	}
	return all
}

// Sources opens the files that a log was made of. It is safe for concurrent use.
type Sources = cite.Sources

// Source is the content of a file.
type Source = cite.Source

// Cited counts the events of a log by their citations.
type Cited = cite.Counts

// Canonicalizations returns the valid values of SessionOptions.Canonicalization.
func Canonicalizations() []string { return session.Canonicalizations() }

// SchemaNames returns the event types that have a payload schema, sorted.
func SchemaNames() []string { return schemas.Names() }

// Schema returns the draft-07 JSON Schema for the payload of an event type in SCHEMA.md v0.2; ok is false for an
// unknown type. Verify checks two more rules that draft-07 cannot express: hashes for redaction markers inside args
// and result, and tool ids.
func Schema(eventType string) (text []byte, ok bool) { return schemas.Payload(eventType) }
