package trace

import (
	"crypto/sha256"

	"github.com/cupel-dev/cupel/trace/internal/session"
)

// AnchorSchema names the JSON form of Anchor.
const AnchorSchema = "cupel.anchor/1"

// Anchor pins a log at a time by its number of events, last event and all bytes. Stored where the writer of the log
// cannot change it, it later proves that the log was not truncated or rewritten, and that a longer log continues
// it.
type Anchor struct {
	Schema string `json:"schema"`
	Input  string `json:"input"` // the log's name then; for the reader alone
	Family Family `json:"family"`
	Events int64  `json:"events"`
	Head   string `json:"head"`   // hash of the last event; "" for a log without hashes
	Bytes  int64  `json:"bytes"`  // length of the log
	SHA256 string `json:"sha256"` // digest of these bytes, 64 lower-case digits

	// MerkleRoot is the root of the Merkle tree over the lines. It is set in the family JSONLines only.
	MerkleRoot string `json:"merkle_root,omitempty"`

	// For a log of interleaved sessions: By is the member that identifies a session. Head, Bytes and SHA256 are not
	// compared.
	By       string          `json:"by,omitempty"`
	Sessions []SessionAnchor `json:"sessions,omitempty"`
}

// SessionAnchor pins one session of a log.
type SessionAnchor struct {
	Session *string `json:"session_id"` // nil: the events that name none
	Family  Family  `json:"family"`
	Events  int64   `json:"events"`
	Head    string  `json:"head"`
}

func (a *Anchor) set(growing bool) *session.Set {
	set := &session.Set{Of: map[[sha256.Size]byte]session.Anchor{}, Growing: growing}
	for _, s := range a.Sessions {
		set.Of[s.key()] = session.Anchor{Events: s.Events, Head: s.Head}
	}
	return set
}

func (s SessionAnchor) key() (key [sha256.Size]byte) {
	if s.Session != nil {
		key = sha256.Sum256([]byte(*s.Session))
	}
	return key
}
